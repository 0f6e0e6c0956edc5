"""Spherical k-means, by coclust's names."""
from __future__ import annotations

from typing import Any, List, Optional

from ..._values import get
from ..coclustering._fit import Fitted


class SphericalKmeans(Fitted):
    """Spherical k-means of the rows: the method ``skmeans``.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    init : ignored
        Starts are cobloc's own.
    max_iter : int
        Maximum number of iterations.
    n_init : int
        Number of starts, of which the best is kept.
    tol : float
        Stop when the criterion changes by less.
    random_state : int, RandomState or None
    n_jobs : int
        Threads; the answer is the same for any number.
    weighting : bool
        Whether entries are weighted by TF-IDF.

    Attributes
    ----------
    labels_, row_labels_ : list of int
    criterion : float
    criterions : list of float
    """

    def __init__(self, n_clusters: int = 2, init: Any = None, max_iter: int = 20, n_init: int = 1,
                 tol: float = 1e-9, random_state: Any = None, weighting: bool = True,
                 n_jobs: Optional[int] = 1):
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.n_init = n_init
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.weighting = weighting

    def fit(self, X: Any, y: Any = None) -> "SphericalKmeans":
        """Cluster the rows of a matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : ignored
        """
        weight = "tfidf" if self.weighting else "rownorm"
        result, _ = self._run(X, "skmeans", self.n_clusters, weight=weight)
        self.labels_ = self.row_labels_
        self.criterion_ = get(result, "criterion")
        trace = get(result, "trace")
        self.criterions_ = [] if trace is None else trace.tolist()
        return self

    @property
    def criterion(self) -> float:
        """The criterion; -inf before a fit."""
        return getattr(self, "criterion_", float("-inf"))

    @property
    def criterions(self) -> List[float]:
        """The criterion after each iteration."""
        return getattr(self, "criterions_", [])
