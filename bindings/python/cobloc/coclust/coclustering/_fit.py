"""A fit by coclust's arguments."""
from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from ... import _engine
from ..._matrix import to_engine
from ..._values import get, listens, put, seed_of, thread_count


def _start(X: Any, init: Any, k: int) -> Tuple[np.ndarray, np.ndarray]:
    """Clusters of the columns as they are given, and of the rows: where each has most beyond its
    margins."""
    W = init.toarray() if sp.issparse(init) else np.asarray(init, dtype=float)
    if W.ndim != 2 or W.shape[0] != X.shape[1]:
        raise ValueError(f"init must have a line for each of the {X.shape[1]} columns")
    X = sp.csr_matrix(X, dtype=float)
    rows, cols = np.asarray(X.sum(axis=1)), np.asarray(X.sum(axis=0))
    beyond = X @ W - rows @ (cols @ W) / cols.sum()
    return np.argmax(beyond, axis=1) % k, np.argmax(W, axis=1)


class Fitted(BaseEstimator):
    """Checks its data as scikit-learn does, and fits a model of the engine."""

    max_iter: int
    n_init: int
    tol: float
    random_state: Any
    n_jobs: Any

    def _run(self, X: Any, model: str, k: int, l: Any = None, init: Any = None, least: int = 0,
             **options: Any) -> Tuple[_engine.Object, Any]:
        array = self._validate_data(X, accept_sparse=("csr", "csc"), dtype="numeric",
                                    ensure_min_samples=max(2, k + least),
                                    ensure_min_features=(l or k) + least)
        fit = _engine.options("fit")
        put(fit, model=model, k=k, l=l, restarts=self.n_init, max_iterations=self.max_iter,
            tolerance=self.tol, seed=seed_of(self.random_state),
            threads=thread_count(self.n_jobs), **options)
        if init is not None:
            start_rows, start_cols = _start(array, init, k)
            put(fit, start="labels", start_rows=start_rows, start_cols=start_cols)
        result, interrupted = _engine.fit(to_engine(array), fit, None, listens())
        self.row_labels_ = labels(result, "row_labels")
        self.column_labels_ = labels(result, "col_labels")
        self.n_iter_ = max(1, get(result, "iterations"))
        if interrupted:
            raise KeyboardInterrupt("the best result so far is kept")
        return result, array

    def _more_tags(self) -> Any:
        return {"requires_positive_X": True}


def labels(result: _engine.Object, name: str) -> List[int]:
    """Labels as coclust has them: a list, in which lines without entries are in the first cluster."""
    return np.maximum(get(result, name), 0).tolist()
