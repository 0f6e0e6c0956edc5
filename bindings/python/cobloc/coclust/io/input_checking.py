"""Checks of matrices, by coclust's names."""
from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp


def check_array(a: Any, pos: bool = True) -> None:
    """Raise unless this is a matrix of numbers without empty rows and columns, NaN, and negative ones.

    Parameters
    ----------
    a : array or sparse matrix
    pos : bool
        Whether negative values are errors.
    """
    if not (isinstance(a, np.ndarray) or sp.issparse(a)):
        raise TypeError("Input data must be a Numpy/SciPy array or matrix")
    if a.dtype.kind not in "iuf":
        raise TypeError("Input array or matrix must be of a numeric type")
    if sp.issparse(a):
        return
    a = np.asarray(a)
    if not a.any(axis=0).all():
        raise ValueError("Zero-valued columns in data")
    if not a.any(axis=1).all():
        raise ValueError("Zero-valued rows in data")
    if pos and (a < 0).any():
        raise ValueError("Negative values in data")
    if np.isnan(a).any():
        raise ValueError("NaN in data")


def check_positive(X: Any) -> Any:
    """The matrix itself; raises if it holds negative values."""
    values = X.tocoo().data if sp.issparse(X) else np.asarray(X)
    if (values < 0).any():
        raise ValueError("The matrix contains negative values.")
    return X


def check_numbers(matrix: Any, n_clusters: int) -> None:
    """Raise unless there are as many rows and columns as clusters."""
    check_numbers_non_diago(matrix, n_clusters, n_clusters)


def check_numbers_non_diago(matrix: Any, n_row_clusters: int, n_col_clusters: int) -> None:
    """Raise unless there are as many rows and columns as clusters of them."""
    if matrix.shape[0] < n_row_clusters or matrix.shape[1] < n_col_clusters:
        raise ValueError("data matrix has not enough rows or columns")


def check_numbers_clustering(matrix: Any, n_clusters: int) -> None:
    """Raise unless there are as many rows as clusters."""
    if matrix.shape[0] < n_clusters:
        raise ValueError("data matrix has not enough rows")
