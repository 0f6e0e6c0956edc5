"""Matrices from files, to files, and drawn from models."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import scipy.sparse as sp

from . import _engine
from ._matrix import take_apart, to_engine, to_scipy
from ._values import encoded, file_name, get_group, listens, progress, put


class Names(NamedTuple):
    """What a file calls its lines; None where it has no such names."""

    rows: Optional[List[str]]
    columns: Optional[List[str]]
    labels: Optional[List[str]]
    categories: Optional[List[str]]


def names_of(matrix: _engine.Object) -> Names:
    return Names(*(_engine.names(matrix, which) for which in ("rows", "cols", "labels", "groups")))


def read(
    path: Any,
    *,
    format: Optional[str] = None,
    variable: Optional[str] = None,
    missing: str = "auto",
    values: str = "auto",
    n_jobs: Optional[int] = None,
    verbose: Any = 0,
    **text: Any,
) -> Tuple[sp.csr_matrix, Names]:
    """Read a matrix, or count the words of a corpus.

    Parameters
    ----------
    path : path-like
        A file of any format that cobloc knows (recognised by its content), or a corpus: a folder of
        texts, JSON lines, the SMART format.
    format : str, optional
        The format, where it should not be recognised: ``mtx``, ``matlab``, ``anndata``, ``cluto``,
        ``docword``, ``svmlight``, ``ldac``, ``npz``, ``csv``, ``triples`` or ``cbm``.
    variable : str, optional
        The variable of a MATLAB file that holds several, or the path of a matrix in an AnnData
        file, such as ``layers/counts``.
    missing : {"auto", "zero", "ignore"}
        What becomes of cells without a value; ``"ignore"`` gives NaN.
    values : {"auto", "numbers", "categories"}
        What the cells hold.
    n_jobs : int, optional
        Threads; by default as many as OpenMP offers.
    verbose : bool or int
        Show progress.
    **text
        Options of text by the engine's names, such as ``language="fr"`` or ``min_df=5``.

    Returns
    -------
    matrix : scipy.sparse.csr_matrix
        Its arrays are views on what the engine has read; a large ``.cbm`` file is mapped, not read.
        They are read-only: ``matrix.copy()`` can be changed.
    names : Names
        ``rows``, ``columns``, ``labels`` (known classes of the rows) and ``categories``.

    Examples
    --------
    >>> import cobloc, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "small.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("name,a,b\\nx,1,0\\ny,0,2\\n")
    >>> matrix, names = cobloc.read(path)
    >>> matrix.toarray().tolist(), names.rows, names.columns
    ([[1, 0], [0, 2]], ['x', 'y'], ['a', 'b'])
    """
    from ._values import thread_count

    io = _engine.options("io")
    threads = thread_count(n_jobs)
    put(io, format=format, variable=variable, missing=missing, values=values, threads=threads)
    words = None
    if text:
        words = _engine.options("text")
        put(words, threads=threads, **text)
    with progress(verbose) as report:
        matrix, _ = _engine.read(file_name(path), io, words, report, listens())
    return to_scipy(matrix), names_of(matrix)


def write(
    path: Any,
    X: Any,
    *,
    row_names: Optional[Sequence[str]] = None,
    column_names: Optional[Sequence[str]] = None,
    labels: Optional[Sequence[Any]] = None,
    format: Optional[str] = None,
) -> None:
    """Write a matrix; the ending of the name says in which format.

    Parameters
    ----------
    path : path-like
        The file, which appears when it is complete. Names that the format cannot hold go to files
        beside it.
    X : sparse matrix, array, DataFrame or AnnData
        The matrix.
    row_names, column_names : sequence of str, optional
        Names; by default those of the DataFrame or AnnData.
    labels : sequence, optional
        Known classes of the rows.
    format : str, optional
        The format, where the ending does not say it.
    """
    table = take_apart(X)
    matrix = to_engine(
        table.X,
        table.row_names if row_names is None else row_names,
        table.col_names if column_names is None else column_names,
    )
    if labels is not None:
        _engine.set_names(matrix, "labels", [encoded(label) for label in labels])
    io = _engine.options("io")
    put(io, format=format)
    _engine.write(matrix, file_name(path), io)


def simulate(preset: str, *, random_state: int = 1, **options: Any) -> Tuple[sp.csr_matrix, Dict[str, Any]]:
    """Draw a matrix from a published latent block model.

    Parameters
    ----------
    preset : str
        A name that ``cobloc simulate --help`` lists.
    random_state : int
        The seed.
    **options
        Options of the simulation, such as ``rows=500``.

    Returns
    -------
    matrix : scipy.sparse.csr_matrix
    truth : dict
        ``row_labels``, ``col_labels``, ``parameters``, ...

    Examples
    --------
    >>> import cobloc
    >>> matrix, truth = cobloc.simulate("dlbm-sparse:90", random_state=1)
    >>> matrix.shape[0] == len(truth["row_labels"])
    True
    """
    simulation = _engine.preset(preset)
    put(simulation, seed=random_state, **options)
    matrix, truth = _engine.simulate(simulation)
    return to_scipy(matrix), get_group(truth, "")


def models() -> Any:
    """All models, as a DataFrame: what they are called, what they maximise, what they can do.

    Examples
    --------
    >>> import cobloc
    >>> bool(cobloc.models().loc["coclus", "diagonal"])
    True
    """
    from ._values import frame

    return frame(_engine.models(), index="name")


__all__ = ["Names", "models", "read", "simulate", "write"]
