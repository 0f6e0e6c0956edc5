"""Tables of any kind as matrices of the engine, and back."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._values import encoded, view_of

# cobloc_array_type of cobloc/matrix.h.
_TYPES = {"b1": 1, "i1": 2, "i2": 3, "i4": 4, "i8": 5, "u1": 6, "u2": 7, "u4": 8, "u8": 9,
          "f4": 10, "f8": 11}


class Table(NamedTuple):
    """A table with the names of its lines, where it has any."""

    X: Any
    row_names: Optional[List[str]]
    col_names: Optional[List[str]]


def is_anndata(X: Any) -> bool:
    return all(hasattr(X, name) for name in ("obs", "var", "obs_names", "var_names", "X"))


def _named(index: Any) -> Optional[List[str]]:
    """The texts of a pandas index; None for mere numbers."""
    return None if index.dtype.kind in "iu" else [str(name) for name in index]


def take_apart(X: Any) -> Table:
    """The matrix of an AnnData, or what was given; names of rows and columns."""
    if is_anndata(X):
        return Table(X.X, [str(n) for n in X.obs_names], [str(n) for n in X.var_names])
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        return Table(X, _named(X.index), _named(X.columns))
    return Table(X, None, None)


def _plain(array: np.ndarray) -> np.ndarray:
    """The array in a type of the engine's, in order; itself where it is that already."""
    if array.dtype.str[1:] not in _TYPES or not array.dtype.isnative:
        target = np.float64 if array.dtype.kind == "f" else array.dtype.newbyteorder("=")
        array = array.astype(target)
    return np.require(array, requirements=["C", "A"])


def _index(array: np.ndarray) -> np.ndarray:
    return _plain(array if array.dtype in (np.int32, np.int64) else array.astype(np.int64))


def _code(array: np.ndarray) -> int:
    try:
        return _TYPES[array.dtype.str[1:]]
    except KeyError:
        raise TypeError(f"values of type {array.dtype} are not numbers") from None


def to_engine(
    X: Any,
    row_names: Optional[Sequence[str]] = None,
    col_names: Optional[Sequence[str]] = None,
) -> _engine.Object:
    """A matrix of the engine. Arrays of a csr or csc matrix are borrowed where their types allow."""
    if sp.issparse(X):
        if X.format not in ("csr", "csc"):
            X = X.tocsr()
        offsets, indices, values = _index(X.indptr), _index(X.indices), _plain(X.data)
        made = _engine.compressed(
            X.shape[0], X.shape[1], X.format == "csc",
            offsets.ctypes.data, _code(offsets), indices.ctypes.data, _code(indices),
            values.ctypes.data, _code(values), (offsets, indices, values),
        )  # fmt: skip
    else:
        array = _plain(np.asarray(X))
        if array.ndim != 2:
            raise ValueError(f"expected a table, got {array.ndim} dimensions")
        made = _engine.dense(array.shape[0], array.shape[1], array.ctypes.data, _code(array))
    if row_names is not None:
        _engine.set_names(made, "rows", [encoded(name) for name in row_names])
    if col_names is not None:
        _engine.set_names(made, "cols", [encoded(name) for name in col_names])
    return made


def _compressed(matrix: _engine.Object) -> sp.csr_matrix:
    major, minor, nnz, type, offsets, indices, values = _engine.view(matrix, False)
    data = view_of(matrix, type, values, (nnz,)) if type else np.ones(nnz, dtype=np.uint8)
    made = sp.csr_matrix(
        (
            data,
            view_of(matrix, "<i4", indices, (nnz,)),
            view_of(matrix, "<i8", offsets, (major + 1,)),
        ),
        shape=(major, minor),
        copy=False,
    )
    made.has_sorted_indices = True
    made.has_canonical_format = True
    return made


def to_scipy(matrix: _engine.Object) -> sp.csr_matrix:
    """The entries as views on the engine's memory; missing cells are NaN (then it is a copy)."""
    made = _compressed(matrix)
    missing = _engine.missing(matrix)
    if missing is None:
        return made
    entries, holes = made.tocoo(), _compressed(missing).tocoo()
    return sp.csr_matrix(
        (
            np.concatenate([entries.data.astype(np.float64), np.full(holes.nnz, np.nan)]),
            (np.concatenate([entries.row, holes.row]), np.concatenate([entries.col, holes.col])),
        ),
        shape=made.shape,
    )
