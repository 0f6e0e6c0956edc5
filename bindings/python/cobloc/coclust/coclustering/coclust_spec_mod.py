"""Spectral co-clustering, by coclust's names."""
from __future__ import annotations

from typing import Any, Optional

from ._fit import Fitted
from .base_diagonal_coclust import BaseDiagonalCoclust


class CoclustSpecMod(BaseDiagonalCoclust, Fitted):
    """Co-clustering by spectral approximation of modularity: the method ``specco``.

    Parameters
    ----------
    n_clusters : int
        Number of co-clusters.
    max_iter : int
        Maximum number of iterations.
    tol : float
        Stop when the criterion changes by less.
    n_init : int
        Number of starts, of which the best is kept.
    random_state : int, RandomState or None
    n_jobs : int
        Threads; the answer is the same for any number.

    Attributes
    ----------
    row_labels_, column_labels_ : list of int

    Examples
    --------
    >>> import numpy as np
    >>> from cobloc.coclust.coclustering import CoclustSpecMod
    >>> X = np.kron(np.eye(2, dtype=int), np.ones((3, 4), dtype=int))
    >>> CoclustSpecMod(n_clusters=2, random_state=0).fit(X).get_shape(0)
    (3, 4)
    """

    def __init__(self, n_clusters: int = 2, max_iter: int = 20, tol: float = 1e-9, n_init: int = 1,
                 random_state: Any = None, n_jobs: Optional[int] = 1):
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> "CoclustSpecMod":
        """Co-cluster a matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : ignored
        """
        self._run(X, "specco", self.n_clusters)
        return self
