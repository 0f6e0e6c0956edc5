"""The estimators' common ground, and CoClustering."""
from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from sklearn.base import BaseEstimator, BiclusterMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _engine
from ._matrix import is_anndata, take_apart, to_engine
from ._result import Result
from ._values import get, int_labels, listens, progress, put, seed_of, thread_count


def _has_probabilities(self: "Base") -> bool:
    """Probabilities come from soft inference: of the fit, or of what will be fitted."""
    if hasattr(self, "result_"):
        return self.result_["row_probabilities"] is not None
    asked = getattr(self, "inference", "hard")
    if asked == "auto":
        own = {model["name"]: model["inference"] for model in _engine.models()}
        asked = own.get(getattr(self, "model", "auto"), "hard")
    return asked in ("soft", "svem")


@lru_cache(maxsize=None)
def takes_negative(model: str) -> bool:
    """Whether a model has a use for values below 0; asked of the engine, with a tiny table."""
    options = _engine.options("fit")
    put(options, model=model, k=1, restarts=1, threads=1)
    table = to_engine(np.array([[-1.0, 2.0, 1.0], [3.0, -2.0, 1.0], [1.0, 2.0, -3.0]]))
    try:
        _engine.fit(table, options, None, False)
    except ValueError:
        return False
    return True


class Base(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BiclusterMixin, BaseEstimator):
    """What all estimators of co-clusters share: data in, attributes out, new rows."""

    n_jobs: Optional[int]
    verbose: Any
    random_state: Any
    result_: Result
    _least_features = 1

    # ---- data ------------------------------------------------------------------------------------

    def _allows_missing(self) -> bool:
        return getattr(self, "missing", "error") == "ignore"

    def _take(self, X: Any, reset: bool) -> Tuple[_engine.Object, Any]:
        """The matrix for the engine, and the array that it borrows from where it can."""
        table = take_apart(X)
        if is_anndata(X):
            import pandas

            names = np.asarray(table.col_names, dtype=object)
            self._check_feature_names(pandas.DataFrame(columns=names), reset=reset)
        array = self._validate_data(
            table.X,
            accept_sparse=("csr", "csc"),
            dtype="numeric",
            reset=reset,
            force_all_finite="allow-nan" if self._allows_missing() else True,
            ensure_min_samples=2 if reset else 1,
            ensure_min_features=self._least_features if reset else 1,
        ) if not is_anndata(X) else self._check_anndata(table.X, reset)
        matrix = to_engine(array, table.row_names if reset else None, table.col_names if reset else None)
        if reset and self.verbose and not _engine.matrix(matrix)["borrowed"]:
            print(f"{type(self).__name__}: the matrix is copied, since its type is not one to borrow")
        return matrix, array

    def _check_anndata(self, array: Any, reset: bool) -> Any:
        from sklearn.utils import check_array

        array = check_array(array, accept_sparse=("csr", "csc"), dtype="numeric",
                            force_all_finite="allow-nan" if self._allows_missing() else True)
        self._check_n_features(array, reset=reset)
        return array

    def _more_tags(self) -> Dict[str, Any]:
        model = getattr(self, "model", None)
        return {"requires_positive_X": model is None or not takes_negative(model), "allow_nan": self._allows_missing()}

    # ---- attributes ------------------------------------------------------------------------------

    def _finish(self, X: Any, matrix: _engine.Object, result: _engine.Object,
                options: _engine.Object, interrupted: int) -> None:
        """Sets the attributes; raises what Ctrl-C asked for when the best so far is kept."""
        saved = _engine.saved_of(result, matrix, options)
        self.result_ = Result(saved, X, {"seconds": get(result, "seconds")})
        r = self.result_
        self.row_labels_ = r["row_labels"]
        self.column_labels_ = r["col_labels"]
        self.n_clusters_ = r["k"]
        self.n_column_clusters_ = r["l"]
        self.model_ = r["model"]
        self.inference_ = r["inference"]
        self.weight_ = r["weight"]
        self.criterion_ = r["criterion"]
        self.criterion_name_ = r["criterion_name"]
        self.n_iter_ = max(1, r["iterations"])
        self.borrowed_ = _engine.matrix(matrix)["borrowed"]
        self._write_anndata(X)
        if interrupted:
            raise KeyboardInterrupt("the best result so far is kept")
        self._warn(r)

    def _warn(self, r: Result) -> None:
        empty = [f"{count} {line}{'s' * (count > 1)}"
                 for count, line in ((r["empty_rows"], "row"), (r["empty_cols"], "column")) if count]
        if empty:
            warnings.warn(f"{' and '.join(empty)} without entries: no cluster (-1)", UserWarning,
                          stacklevel=4)
        if r["stop"] == "iterations":
            warnings.warn(
                f"the fit did not converge within {getattr(self, 'max_iter', 'its')} iterations",
                ConvergenceWarning, stacklevel=4)
        elif r["stop"] in ("time", "cancelled"):
            warnings.warn(f"stopped early ({r['stop']}): this is the best so far",
                          ConvergenceWarning, stacklevel=4)

    def _write_anndata(self, X: Any) -> None:
        """Clusters beside the cells and genes, and how they were found."""
        if not is_anndata(X):
            return
        import pandas

        X.obs["cobloc"] = pandas.Categorical(self.row_labels_)
        X.var["cobloc"] = pandas.Categorical(self.column_labels_)
        X.uns["cobloc"] = {
            "model": self.model_,
            "weight": self.weight_,
            "inference": self.inference_,
            "criterion_name": self.criterion_name_,
            "criterion": float(self.criterion_),
            "blocks": self.result_["blocks"],
        }

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_

    @property
    def _pairs(self) -> List[Tuple[int, int]]:
        """The biclusters: of diagonal models the pairs, else every block."""
        diagonal = {model["name"]: model["diagonal"] or model["one_sided"] for model in _engine.models()}
        k, l = self.n_clusters_, self.n_column_clusters_
        if k == l and diagonal.get(self.model_, False):
            return [(i, i) for i in range(k)]
        return [(i, j) for i in range(k) for j in range(l)]

    @property
    def rows_(self) -> np.ndarray:
        """Which rows are in each bicluster: biclusters by rows, of bool."""
        check_is_fitted(self, "row_labels_")
        return np.stack([self.row_labels_ == k for k, _ in self._pairs])

    @property
    def columns_(self) -> np.ndarray:
        """Which columns are in each bicluster: biclusters by columns, of bool."""
        check_is_fitted(self, "row_labels_")
        return np.stack([self.column_labels_ == j for _, j in self._pairs])

    # ---- new rows --------------------------------------------------------------------------------

    def _place(self, X: Any, scores: bool = False) -> Dict[str, Any]:
        check_is_fitted(self, "result_")
        matrix, _ = self._take(X, reset=False)
        return self.result_._place(matrix, scores, None, thread_count(self.n_jobs))

    def fit_predict(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit, and return the clusters of the rows.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_samples,)
            -1: the row is empty.
        """
        return self.fit(X).row_labels_

    def predict(self, X: Any) -> np.ndarray:
        """Place rows into the clusters, by the rule that the fitted rows chose by.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            -1: the row holds nothing in a known column.
        """
        return np.array(self._place(X)["labels"])

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the clusters; of fits with ``inference="soft"``.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_clusters_)
            A row that holds nothing has none: it is all 0.
        """
        return np.array(self._place(X)["probabilities"])

    def transform(self, X: Any) -> np.ndarray:
        """Scores of the clusters: what a row chooses its cluster by, the largest.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_clusters_)
            Of models with a likelihood: log-probabilities, up to a constant in each row.
        """
        return np.array(self._place(X, scores=True)["scores"])

    def score(self, X: Any, y: Any = None) -> float:
        """How well rows fit in.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)
        y : array-like, optional
            Known classes.

        Returns
        -------
        float
            With known classes their normalised mutual information with the predicted clusters. Else
            the mean of the rows' best scores, which can be compared between fits of one model.
        """
        if y is not None:
            labels = int_labels(self.predict(X))
            truth = int_labels(y, len(labels), "y")
            return get(_engine.score(labels.ctypes.data, truth.ctypes.data, len(labels)), "nmi")
        found = self._place(X, scores=True)
        return float(np.mean(np.max(found["scores"], axis=1)))


class CoClustering(Base):
    """Co-clustering of a table: groups of rows together with the groups of columns that explain them.

    Parameters
    ----------
    n_clusters : int or "auto"
        Number of row clusters. ``"auto"``: it is chosen; ``result_["size_summary"]`` says why.
    model : str
        The model; :func:`cobloc.models` lists all. ``"auto"``: several are fitted, and the result is
        kept that the others agree with most.
    n_column_clusters : int, optional
        Number of column clusters, for models that let you choose it.
    inference : {"auto", "hard", "soft", "stochastic", "svem"}
        How memberships are computed; ``"soft"`` gives probabilities.
    weight : {"auto", "none", "binary", "tfidf", "rownorm", "log", "sqrt", "bm25", "bm25idf"}
        How entries are weighted. ``"auto"``: what the model needs.
    init : {"auto", "merge", "skmeans", "spectral", "random"} or array-like of shape (n_samples,)
        Where a run starts: a kind of start, or a cluster for each row.
    n_init : int, optional
        Number of starts, of which the best is kept. By default the model's usual number.
    max_iter : int
        Maximum number of iterations per start.
    tol : float
        Stop when the criterion changes by less than this share.
    max_clusters : int, optional
        Where the number of clusters is chosen: the largest to try.
    max_seconds : float, optional
        Stop after this time, and keep the best result so far.
    missing : {"error", "ignore"}
        What NaN is: an error, or a cell without a value, for models that take such cells.
    random_state : int, RandomState or None
        An int is the seed itself: the same number gives the same clusters as ``cobloc fit --seed``.
    n_jobs : int, optional
        Threads; the result is the same for any number. By default as many as OpenMP offers.
    verbose : bool or int
        Show progress, and say when the matrix had to be copied.

    Attributes
    ----------
    row_labels_ : ndarray of shape (n_samples,)
        Cluster of each row; -1: the row is empty. Clusters are numbered by size, largest first.
    column_labels_ : ndarray of shape (n_features,)
        Cluster of each column.
    rows_, columns_ : ndarray of bool
        Which rows and columns are in each bicluster; ``biclusters_`` is both.
    n_clusters_, n_column_clusters_ : int
        How many there are.
    model_, inference_, weight_ : str
        What was used where "auto" was asked for.
    criterion_ : float
        The criterion of the model, which ``criterion_name_`` names.
    n_iter_ : int
        Iterations of the best start.
    borrowed_ : bool
        Whether the caller's arrays were used as they are, without a copy.
    result_ : Result
        All the rest: descriptions, report, pictures.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X has any.

    Examples
    --------
    >>> import numpy as np
    >>> from cobloc import CoClustering
    >>> X = np.array([[5, 4, 0, 0], [4, 5, 1, 0], [0, 0, 3, 6], [0, 1, 5, 4]])
    >>> estimator = CoClustering(2, model="coclus", random_state=1).fit(X)
    >>> estimator.row_labels_.tolist(), estimator.column_labels_.tolist()
    ([0, 0, 1, 1], [0, 0, 1, 1])
    >>> estimator.predict([[3, 2, 0, 0]]).tolist()
    [0]
    """

    def __init__(
        self,
        n_clusters: Any = "auto",
        model: str = "auto",
        *,
        n_column_clusters: Optional[int] = None,
        inference: str = "auto",
        weight: str = "auto",
        init: Any = "auto",
        n_init: Optional[int] = None,
        max_iter: int = 200,
        tol: float = 1e-9,
        max_clusters: Optional[int] = None,
        max_seconds: Optional[float] = None,
        missing: str = "error",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: Any = 0,
    ):
        self.n_clusters = n_clusters
        self.model = model
        self.n_column_clusters = n_column_clusters
        self.inference = inference
        self.weight = weight
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.max_clusters = max_clusters
        self.max_seconds = max_seconds
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _options(self, count: int) -> _engine.Object:
        options = _engine.options("fit")
        if isinstance(self.n_clusters, str) and self.n_clusters != "auto":
            raise ValueError(f"n_clusters must be a number or 'auto', got {self.n_clusters!r}")
        put(
            options,
            k=None if isinstance(self.n_clusters, str) else self.n_clusters,
            model=self.model,
            l=self.n_column_clusters,
            most=self.max_clusters,
            inference=self.inference,
            weight=self.weight,
            restarts=self.n_init,
            max_iterations=self.max_iter,
            tolerance=self.tol,
            max_seconds=self.max_seconds,
            seed=seed_of(self.random_state),
            threads=thread_count(self.n_jobs),
        )
        if isinstance(self.init, str):
            put(options, start=self.init)
        else:
            put(options, start="labels", start_rows=int_labels(self.init, count, "init"))
        return options

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        fix_rows: Any = None,
        fix_columns: Any = None,
        row_effects: Any = None,
        column_effects: Any = None,
    ) -> "CoClustering":
        """Co-cluster a table.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)
            The arrays of a csr or csc matrix with 32-bit indices are borrowed, not copied. An AnnData
            gets ``obs["cobloc"]``, ``var["cobloc"]`` and ``uns["cobloc"]``.
        y : ignored
        fix_rows, fix_columns : array-like of int, optional
            Known clusters, which are kept; -1: unknown.
        row_effects, column_effects : array-like of float, optional
            Margins for the Poisson models. By default the sums.

        Returns
        -------
        CoClustering
            Itself. After Ctrl-C it raises KeyboardInterrupt, and holds the best result so far.
        """
        matrix, array = self._take(X, reset=True)
        rows, cols = array.shape
        options = self._options(rows)
        if fix_rows is not None:
            put(options, fix_rows=int_labels(fix_rows, rows, "fix_rows"))
        if fix_columns is not None:
            put(options, fix_cols=int_labels(fix_columns, cols, "fix_columns"))
        if row_effects is not None:
            put(options, row_effects=np.asarray(row_effects, dtype=np.float64))
        if column_effects is not None:
            put(options, col_effects=np.asarray(column_effects, dtype=np.float64))
        with progress(self.verbose) as report:
            result, interrupted = _engine.fit(matrix, options, report, listens())
        self._finish(X, matrix, result, options, interrupted)
        return self

    def estimate_memory(self, X: Any) -> float:
        """Bytes that a fit would take, about.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)
        """
        matrix, array = self._take(X, reset=True)
        need, _ = _engine.need(matrix, self._options(array.shape[0]), None, False)
        return float(get(need, "total"))


__all__ = ["Base", "CoClustering"]
