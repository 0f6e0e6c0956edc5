"""Co-clustering by modularity, by coclust's names."""
from __future__ import annotations

from typing import Any, List, Optional

import numpy as np
import scipy.sparse as sp

from ..._values import get
from ._fit import Fitted
from .base_diagonal_coclust import BaseDiagonalCoclust


class CoclustMod(BaseDiagonalCoclust, Fitted):
    """Co-clustering by direct maximisation of modularity: the model ``coclus``.

    Parameters
    ----------
    n_clusters : int
        Number of co-clusters.
    init : array or sparse matrix of shape (n_features, n_clusters), optional
        Initial clusters of the columns, a 1 in each line.
    max_iter : int
        Maximum number of iterations.
    n_init : int
        Number of starts, of which the best is kept.
    tol : float
        Stop when modularity changes by less.
    random_state : int, RandomState or None
    n_jobs : int
        Threads; the answer is the same for any number.

    Attributes
    ----------
    row_labels_, column_labels_ : list of int
    modularity : float
    modularities : list of float
        Modularity after each iteration.
    nb_iterations : int

    Examples
    --------
    >>> import numpy as np
    >>> from cobloc.coclust.coclustering import CoclustMod
    >>> X = np.kron(np.eye(2, dtype=int), np.ones((3, 2), dtype=int))
    >>> CoclustMod(n_clusters=2, random_state=0).fit(X).modularity
    0.5
    """

    def __init__(self, n_clusters: int = 2, init: Any = None, max_iter: int = 20, n_init: int = 1,
                 tol: float = 1e-9, random_state: Any = None, n_jobs: Optional[int] = 1):
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.n_init = n_init
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> "CoclustMod":
        """Co-cluster a matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : ignored
        """
        result, array = self._run(X, "coclus", self.n_clusters, init=self.init)
        self.modularity_ = get(result, "criterion")
        trace = get(result, "trace")
        self.modularities_ = [] if trace is None else trace.tolist()
        self._keep_scores(array)
        return self

    # coclust's names; scikit-learn wants what a fit finds to end in an underscore.

    @property
    def modularity(self) -> float:
        """Modularity; -inf before a fit."""
        return getattr(self, "modularity_", -np.inf)

    @property
    def modularities(self) -> List[float]:
        """Modularity after each iteration."""
        return getattr(self, "modularities_", [])

    @property
    def nb_iterations(self) -> int:
        """Iterations of the best start."""
        return self.n_iter_

    @property
    def bw(self) -> np.ndarray:
        """What rows have in each co-cluster beyond their margins."""
        return self.row_scores_

    @property
    def btz(self) -> np.ndarray:
        """What columns have in each co-cluster beyond their margins."""
        return self.column_scores_

    def _keep_scores(self, X: Any) -> None:
        """What lines have in each co-cluster beyond their margins."""
        X = sp.csr_matrix(X, dtype=float)
        Z = np.eye(self.n_clusters)[self.row_labels_]
        W = np.eye(self.n_clusters)[self.column_labels_]
        rows, cols, total = np.asarray(X.sum(axis=1)), np.asarray(X.sum(axis=0)), X.sum()
        self.row_scores_ = X @ W - rows @ (cols @ W) / total
        self.column_scores_ = X.T @ Z - cols.T @ (rows.T @ Z) / total

    def get_assignment_matrix(self, kind: str, i: int) -> Any:
        """The i best co-clusters of each line, best first.

        Parameters
        ----------
        kind : {"rows", "cols"}
        i : int
        """
        if kind not in ("rows", "cols"):
            raise ValueError(f"kind must be 'rows' or 'cols', got {kind!r}")
        return np.argsort(self.bw if kind == "rows" else self.btz)[:, -1 : -(i + 1) : -1]
