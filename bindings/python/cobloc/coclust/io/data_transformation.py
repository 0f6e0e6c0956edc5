"""Weights, by coclust's names."""
from __future__ import annotations

from typing import Any

import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer


def cooccurence_to_binary(coocurence_sparse_matrix: Any) -> sp.csc_matrix:
    """1 where there is an entry."""
    binary = sp.csc_matrix(coocurence_sparse_matrix, copy=True)
    binary.eliminate_zeros()
    binary.data = binary.data.astype(int)
    binary.data[:] = 1
    return binary


def cooccurence_to_tfidf(coocurence_sparse_matrix: Any) -> Any:
    """TF-IDF with rows of unit length, as scikit-learn computes it."""
    return TfidfTransformer(smooth_idf=True, norm="l2").fit_transform(coocurence_sparse_matrix)
