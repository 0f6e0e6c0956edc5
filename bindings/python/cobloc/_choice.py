"""Estimators that try many fits: Selection chooses one of them, Ensemble joins them."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple


from . import _engine
from ._estimator import Base
from ._values import frame, get, get_group, get_list, int_labels, listens, progress, put, seed_of, thread_count


def _pair(value: Any, name: str) -> Tuple[Optional[int], Optional[int]]:
    if value is None:
        return None, None
    try:
        first, last = value
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a pair of numbers, got {value!r}") from None
    return first, last


class Selection(Base):
    """Chooses the number of clusters, and the model, by fitting all of them.

    Parameters
    ----------
    clusters : pair of int, optional
        The smallest and the largest number of row clusters. By default from 2 to 12, or to as many as
        there are rows and columns.
    models : sequence of str or str
        Models to choose among.
    column_clusters : pair of int, optional
        The same for column clusters, for models that let you choose it.
    by : {"auto", "icl", "modularity", "agreement", "exact-icl", "length", "thinning", "stability"}
        What the choice goes by.
    within : float
        Choose the smallest size whose modularity is at most this share below the largest.
    inference, weight, n_init, max_iter, tol, max_seconds, missing, random_state, n_jobs, verbose
        As for :class:`CoClustering`; `max_seconds` limits all fits together.

    Attributes
    ----------
    curve_ : list of dict
        The sizes that were tried; :meth:`curve` is the same as a DataFrame.
    by_ : str
        What the choice went by.
    summary_ : str
        What it means, in a sentence or two.
    row_labels_, column_labels_, n_clusters_, model_, criterion_, result_, ...
        Of the chosen fit, as for :class:`CoClustering`.

    Examples
    --------
    >>> import numpy as np
    >>> from cobloc import Selection
    >>> X = np.random.RandomState(0).poisson(np.kron(np.eye(3), np.full((10, 8), 4)) + 0.5)
    >>> Selection((2, 5), "plbm", by="icl", random_state=1).fit(X).n_clusters_
    3
    """

    def __init__(
        self,
        clusters: Any = None,
        models: Any = "auto",
        *,
        column_clusters: Any = None,
        by: str = "auto",
        within: float = 0.02,
        inference: str = "auto",
        weight: str = "auto",
        n_init: Optional[int] = None,
        max_iter: int = 200,
        tol: float = 1e-9,
        max_seconds: Optional[float] = None,
        missing: str = "error",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: Any = 0,
    ):
        self.clusters = clusters
        self.models = models
        self.column_clusters = column_clusters
        self.by = by
        self.within = within
        self.inference = inference
        self.weight = weight
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.max_seconds = max_seconds
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit_values(self, prefix: str) -> Any:
        values = dict(inference=self.inference, weight=self.weight, restarts=self.n_init,
                      max_iterations=self.max_iter, tolerance=self.tol, max_seconds=self.max_seconds,
                      seed=seed_of(self.random_state), threads=thread_count(self.n_jobs))
        return {prefix + name: value for name, value in values.items()}

    def fit(self, X: Any, y: Any = None) -> "Selection":
        """Fit every size, and choose one.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)
        y : ignored
        """
        matrix, array = self._take(X, reset=True)
        options = _engine.options("select")
        k, l = _pair(self.clusters, "clusters"), _pair(self.column_clusters, "column_clusters")
        if self.clusters is None:
            known = _engine.matrix(matrix)
            most = min(12, known["rows"] - known["empty_rows"], known["cols"] - known["empty_cols"])
            k = (min(2, most), most)
        values = self._fit_values("fit__")
        put(options, k_from=k[0], k_to=k[1], l_from=l[0], l_to=l[1], by=self.by, within=self.within,
            **values)
        if isinstance(self.models, str):
            put(options, fit__model=self.models)
        else:
            put(options, models=[str(model) for model in self.models])
        with progress(self.verbose) as report:
            selection, interrupted = _engine.select(matrix, options, report, listens())
        self._choose(X, matrix, selection, values, interrupted)
        return self

    def _choose(self, X: Any, matrix: _engine.Object, selection: _engine.Object, values: Any,
                interrupted: int) -> None:
        curve = []
        for i in range(_engine.get(selection, "curve")):
            size = get_group(selection, f"curve[{i}]")
            for name in ("criterion", "icl", "modularity"):
                size[name] = get(selection, f"curve[{i}].result.{name}")
            curve.append(size)
        chosen = get(selection, "chosen")
        self.curve_ = curve
        self.chosen_ = chosen
        self.by_ = get(selection, "by")
        self.summary_ = get(selection, "summary")
        result = _engine.part(selection, f"curve[{chosen}].result", "result")
        assert result is not None
        options = _engine.options("fit")
        put(options, model=curve[chosen]["model"], k=curve[chosen]["k"], l=curve[chosen]["l"],
            **{name[5:]: value for name, value in values.items()})
        if curve[chosen]["origin"] != "starts":  # a fit that starts there also ends there
            put(options, start="labels", start_rows=get(result, "row_labels"),
                start_cols=get(result, "col_labels"))
        self._finish(X, matrix, result, options, interrupted)

    def curve(self) -> Any:
        """A DataFrame of the sizes that were tried."""
        return frame(self.curve_)


class Ensemble(Base):
    """The consensus of many co-clusterings.

    Parameters
    ----------
    n_clusters : int or "auto"
        Number of co-clusters; ``"auto"``: chosen by modularity.
    method : {"ebco", "coce"}
        How co-clusterings are joined.
    models : sequence of str, optional
        Models that make them. By default ``dcc``, and none where they are given.
    sizes : pair of int, optional
        The smallest and the largest number of clusters of those that are made.
    n_runs : int
        Fits of each model and size.
    keep : float
        Join only co-clusterings with at least this share of the best modularity.
    weight : str
        As for :class:`CoClustering`.
    n_init : int
        Starts of the consensus.
    max_iter : int
        Maximum number of iterations per start.
    max_seconds, random_state, n_jobs, verbose
        As for :class:`CoClustering`.

    Attributes
    ----------
    members_ : list of dict
        The co-clusterings, and which of them were joined; :meth:`members` is a DataFrame.
    row_labels_, column_labels_, n_clusters_, model_, criterion_, result_, ...
        Of the consensus, as for :class:`CoClustering`.

    Examples
    --------
    >>> import numpy as np
    >>> from cobloc import Ensemble
    >>> X = np.random.RandomState(0).poisson(np.kron(np.eye(3), np.full((10, 8), 4)) + 0.5)
    >>> Ensemble(3, sizes=(2, 4), random_state=1).fit(X).n_clusters_
    3
    """

    _least_features = 2

    def __init__(
        self,
        n_clusters: Any = "auto",
        method: str = "ebco",
        *,
        models: Optional[Sequence[str]] = None,
        sizes: Any = None,
        n_runs: int = 1,
        keep: float = 0.8,
        weight: str = "tfidf",
        n_init: int = 10,
        max_iter: int = 100,
        max_seconds: Optional[float] = None,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: Any = 0,
    ):
        self.n_clusters = n_clusters
        self.method = method
        self.models = models
        self.sizes = sizes
        self.n_runs = n_runs
        self.keep = keep
        self.weight = weight
        self.n_init = n_init
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, *, given: Sequence[Any] = ()) -> "Ensemble":
        """Make co-clusterings, and join them.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or AnnData of shape (n_samples, n_features)
        y : ignored
        given : sequence
            Co-clusterings from elsewhere: labels of the rows, or pairs of labels of the rows and of
            the columns, or fitted estimators.
        """
        matrix, array = self._take(X, reset=True)
        options = _engine.options("ensemble")
        k = None if isinstance(self.n_clusters, str) else self.n_clusters
        sizes = _pair(self.sizes, "sizes")
        seed, threads = seed_of(self.random_state), thread_count(self.n_jobs)
        put(options, method=self.method, k=k, size_from=sizes[0], size_to=sizes[1], runs=self.n_runs,
            keep=self.keep, weight=self.weight, restarts=self.n_init, max_iterations=self.max_iter,
            seed=seed, threads=threads, max_seconds=self.max_seconds)
        if self.models is not None:
            put(options, models=[str(model) for model in self.models])
        for number, one in enumerate(given):
            self._give(options, number, one, array.shape)
        with progress(self.verbose) as report:
            consensus, interrupted = _engine.ensemble(matrix, options, report, listens())
        self.members_ = get_list(consensus, "members")
        result = _engine.part(consensus, "result", "result")
        assert result is not None
        fit = _engine.options("fit")
        put(fit, model=self.method, k=get(result, "k"),
            weight="none" if self.weight == "auto" else self.weight, restarts=self.n_init,
            max_iterations=self.max_iter, seed=seed, threads=threads)
        self._finish(X, matrix, result, fit, interrupted)
        return self

    @staticmethod
    def _give(options: _engine.Object, number: int, one: Any, shape: Tuple[int, int]) -> None:
        rows, cols = one, None
        if hasattr(one, "row_labels_"):
            rows, cols = one.row_labels_, one.column_labels_
        elif isinstance(one, tuple) and len(one) == 2:
            rows, cols = one
        _engine.append(options, "given")
        put(options, **{"given[-1]__name": f"given {number}",
                        "given[-1]__row_labels": int_labels(rows, shape[0], "labels of the rows")})
        if cols is not None:
            put(options, **{"given[-1]__col_labels": int_labels(cols, shape[1], "labels of the columns")})

    def members(self) -> Any:
        """A DataFrame of the co-clusterings, and which of them were joined."""
        return frame(self.members_)


__all__ = ["Ensemble", "Selection"]
