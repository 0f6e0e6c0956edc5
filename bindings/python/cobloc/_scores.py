"""Scores of clusters, and methods side by side."""
from __future__ import annotations

from typing import Any, Dict, Optional, Sequence


from . import _engine
from ._matrix import take_apart, to_engine
from ._values import frame, get, get_group, int_labels, listens, progress, put, seed_of, thread_count


def score(labels: Any, truth: Any, *, column_labels: Any = None, column_truth: Any = None) -> Dict[str, Any]:
    """Clusters against known classes.

    Parameters
    ----------
    labels, truth : array-like
        A label for each row; a negative one is left out.
    column_labels, column_truth : array-like, optional
        The same for the columns.

    Returns
    -------
    dict
        ``acc``, ``nmi``, ``ari``, ``purity``, ...; with columns also ``cce`` and ``cari``.

    Examples
    --------
    >>> import cobloc
    >>> cobloc.score([0, 0, 1, 1], ["b", "b", "a", "a"])["acc"]
    1.0
    """
    found = int_labels(labels)
    known = int_labels(truth, len(found), "truth")
    made = get_group(_engine.score(found.ctypes.data, known.ctypes.data, len(found)), "")
    if column_labels is not None:
        cols = int_labels(column_labels)
        known_cols = int_labels(column_truth, len(cols), "column_truth")
        both = _engine.coscore(found.ctypes.data, known.ctypes.data, len(found),
                               cols.ctypes.data, known_cols.ctypes.data, len(cols))
        made["columns"] = get_group(both, "cols")
        made["cce"], made["cari"] = get(both, "cce"), get(both, "cari")
    return made


def compare(
    X: Any,
    truth: Any,
    methods: Sequence[str],
    n_clusters: int,
    *,
    n_runs: int = 10,
    random_state: Any = 1,
    n_jobs: Optional[int] = None,
    verbose: Any = 0,
    **options: Any,
) -> Any:
    """Run methods side by side, and score them against known classes.

    Parameters
    ----------
    X : array-like, sparse matrix, DataFrame or AnnData
    truth : array-like
        Known class of each row.
    methods : sequence of str
        Such as ``"coclus"``, ``"splbm:exact"`` or ``"plbm:soft@tfidf"``.
    n_clusters : int
    n_runs : int
        Runs of each method, with seeds one after the other.
    random_state : int, RandomState or None
    n_jobs : int, optional
    verbose : bool or int
    **options
        Options of all fits by the engine's names, such as ``restarts=5``.

    Returns
    -------
    DataFrame
        A line for each method: mean, standard deviation and best of ``acc``, ``nmi``, ``ari``, ...
    """
    table = take_apart(X)
    matrix = to_engine(table.X, table.row_names, table.col_names)
    known = int_labels(truth, _engine.matrix(matrix)["rows"], "truth")
    fit, o = _engine.options("fit"), _engine.options("compare")
    put(fit, k=n_clusters, **options)
    put(o, runs=n_runs, seed=seed_of(random_state), threads=thread_count(n_jobs))
    for method in methods:
        _engine.compare_add(o, method, fit)
    with progress(verbose) as report:
        done, interrupted = _engine.compare(matrix, known.ctypes.data, o, report, listens())
    if interrupted:
        raise KeyboardInterrupt
    lines = []
    for m in range(_engine.get(done, "methods")):
        line = get_group(done, f"methods[{m}]")
        for what in ("acc", "nmi", "ari", "criterion", "seconds"):
            for name, value in get_group(done, f"methods[{m}].{what}").items():
                line[f"{what}_{name}"] = value
        line["failure"] = get(done, f"methods[{m}].failure.message")
        lines.append(line)
    return frame(lines, index="name")


__all__ = ["compare", "score"]
