"""Information-theoretic co-clustering, by coclust's names."""
from __future__ import annotations

from typing import Any, List, Optional

import numpy as np

from ..._values import get
from ._fit import Fitted
from .base_non_diagonal_coclust import BaseNonDiagonalCoclust


class CoclustInfo(BaseNonDiagonalCoclust, Fitted):
    """Information-theoretic co-clustering: the model ``itcc``.

    Parameters
    ----------
    n_row_clusters, n_col_clusters : int
        Numbers of clusters.
    init : array or sparse matrix of shape (n_features, n_col_clusters), optional
        Initial clusters of the columns, a 1 in each line.
    max_iter : int
        Maximum number of iterations.
    n_init : int
        Number of starts, of which the best is kept.
    tol : float
        Stop when the criterion changes by less.
    random_state : int, RandomState or None
    n_jobs : int
        Threads; the answer is the same for any number.

    Attributes
    ----------
    row_labels_, column_labels_ : list of int
    criterion : float
        Mutual information of the blocks.
    criterions : list of float
        The same after each iteration.
    delta_kl_ : ndarray of shape (n_row_clusters, n_col_clusters)
        What each block holds over what its margins would give it.

    Examples
    --------
    >>> import numpy as np
    >>> from cobloc.coclust.coclustering import CoclustInfo
    >>> X = np.kron(np.eye(2, dtype=int), np.ones((3, 4), dtype=int))
    >>> CoclustInfo(2, 2, random_state=0).fit(X).delta_kl_.tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, n_row_clusters: int = 2, n_col_clusters: int = 2, init: Any = None,
                 max_iter: int = 20, n_init: int = 1, tol: float = 1e-9, random_state: Any = None,
                 n_jobs: Optional[int] = 1):
        self.n_row_clusters = n_row_clusters
        self.n_col_clusters = n_col_clusters
        self.init = init
        self.max_iter = max_iter
        self.n_init = n_init
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> "CoclustInfo":
        """Co-cluster a matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : ignored
        """
        result, _ = self._run(X, "itcc", self.n_row_clusters, self.n_col_clusters, init=self.init)
        self.criterion_ = get(result, "criterion")
        trace = get(result, "trace")
        self.criterions_ = [] if trace is None else trace.tolist()
        blocks = get(result, "blocks")
        expected = np.outer(blocks.sum(axis=1), blocks.sum(axis=0)) / blocks.sum()
        self.delta_kl_ = np.divide(blocks, expected, out=np.zeros_like(blocks), where=expected > 0)
        return self

    # coclust's names; scikit-learn wants what a fit finds to end in an underscore.

    @property
    def criterion(self) -> float:
        """The criterion; -inf before a fit."""
        return getattr(self, "criterion_", -np.inf)

    @property
    def criterions(self) -> List[float]:
        """The criterion after each iteration."""
        return getattr(self, "criterions_", [])
