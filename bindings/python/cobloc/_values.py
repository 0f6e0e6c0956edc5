"""Options in, values out: what the engine's names are in Python."""
from __future__ import annotations

import numbers
import os
import signal
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple
from contextlib import contextmanager

import numpy as np

from . import _engine

# Kinds of fields: cobloc_kind of cobloc/values.h.
INT, REAL, FLAG, TEXT, CHOICE, INTS, INT64S, REALS, TEXTS, GROUP, LIST, OBJECT = range(1, 13)


class _Place:
    """Memory of an engine's object as an array: the array keeps the object alive."""

    def __init__(self, owner: _engine.Object, type: str, address: int, shape: Tuple[int, ...]):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": type,
            "data": (address, True),
            "shape": shape,
        }


def view_of(owner: _engine.Object, type: str, address: int, shape: Tuple[int, ...]) -> np.ndarray:
    """Read-only memory of an object as an array."""
    if address == 0 or 0 in shape:
        return np.empty(shape, dtype=np.dtype(type))
    return np.asarray(_Place(owner, type, address, shape))


def get(owner: _engine.Object, path: str) -> Any:
    """A value by its name; arrays are copies."""
    value = _engine.get(owner, path)
    return view_of(owner, *value).copy() if isinstance(value, tuple) else value


def get_group(owner: _engine.Object, path: str) -> Dict[str, Any]:
    """The plain values of an object, a group or an element of a list."""
    inside = path + "." if path else ""
    return {
        name: get(owner, inside + name)
        for name, kind, _ in _engine.fields(owner, path)
        if kind < GROUP
    }


def get_list(owner: _engine.Object, path: str) -> List[Dict[str, Any]]:
    """The elements of a list, each as a dictionary of its plain values."""
    return [get_group(owner, f"{path}[{i}]") for i in range(_engine.get(owner, path))]


def encoded(text: str) -> bytes:
    """A text as the engine takes it."""
    data = str(text).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise ValueError("a text must not hold NUL characters")
    return data


def file_name(path: Any) -> bytes:
    """A path as the engine takes it."""
    return os.fsencode(os.fspath(path))


def _put_array(options: _engine.Object, path: str, value: Any) -> None:
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        array = np.ascontiguousarray(array, dtype=np.int32)
        _engine.set_array(options, path, "i4", array.ctypes.data, array.size)
    elif array.dtype.kind == "f":
        array = np.ascontiguousarray(array, dtype=np.float64)
        _engine.set_array(options, path, "f8", array.ctypes.data, array.size)
    else:
        _engine.set_texts(options, path, [encoded(text) for text in value])


def put(options: _engine.Object, **values: Any) -> None:
    """Sets options by name; None leaves one as it is. ``__`` stands for the dot of a group."""
    kinds = {name: kind for name, kind, _ in _engine.fields(options, "")}
    for name, value in values.items():
        path = name.replace("__", ".")
        if value is None:
            continue
        if isinstance(value, _engine.Object):
            _engine.set_object(options, path, value)
        elif isinstance(value, (bool, np.bool_)):
            _engine.set(options, path, bool(value))
        elif isinstance(value, numbers.Integral):
            _engine.set(options, path, int(value))
        elif isinstance(value, numbers.Real):
            if kinds.get(path) == INT:
                raise TypeError(f"{path} must be a whole number, got {value!r}")
            _engine.set(options, path, float(value))
        elif isinstance(value, (str, bytes)):
            if kinds.get(path) in (INT, REAL):
                raise TypeError(f"{path} must be a number, got {value!r}")
            _engine.set(options, path, value if isinstance(value, bytes) else encoded(value))
        else:
            _put_array(options, path, value)


def int_labels(labels: Any, count: Optional[int] = None, what: str = "labels") -> np.ndarray:
    """Labels as the engine takes them: int32, -1 where there is none. Other labels are numbered."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"{what} must be one-dimensional, got {array.ndim} dimensions")
    if count is not None and len(array) != count:
        raise ValueError(f"{what} has {len(array)} elements, expected {count}")
    if array.dtype.kind not in "biu":
        array = np.unique(array, return_inverse=True)[1]
    return np.ascontiguousarray(array, dtype=np.int32)


# ---- while it runs -----------------------------------------------------------------------------


def listens() -> bool:
    """Whether Ctrl-C may stop a call: in the main thread, where nobody else handles it."""
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


@contextmanager
def progress(verbose: Any) -> Iterator[Optional[Callable[[str, float], None]]]:
    """A callback that draws a bar with tqdm, or prints lines where there is none."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda what, done: print(f"{what}: {100 * done:.0f} %", file=sys.stderr)
        return
    with tqdm(total=100, leave=False, bar_format="{desc} {bar} {percentage:3.0f} %") as bar:

        def report(what: str, done: float) -> None:
            bar.set_description_str(what, refresh=False)
            bar.n = round(100 * done)
            bar.refresh()

        yield report


def thread_count(n_jobs: Optional[int]) -> Optional[int]:
    """Threads for the engine: None leaves it to OpenMP; -1 is all cores, -2 all but one."""
    if n_jobs is None:
        return None
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool):
        raise TypeError(f"n_jobs must be a whole number or None, got {n_jobs!r}")
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return int(n_jobs) if n_jobs > 0 else max(1, (cores or 1) + 1 + int(n_jobs))


def seed_of(random_state: Any) -> int:
    """The engine's seed: an int is the seed itself; a RandomState, or None, is drawn from."""
    from sklearn.utils import check_random_state

    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state must not be negative, got {random_state}")
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def frame(rows: List[Dict[str, Any]], index: Optional[str] = None) -> Any:
    """A DataFrame of dictionaries."""
    try:
        import pandas
    except ImportError:
        raise ImportError("this returns a DataFrame, for which pandas must be installed") from None
    made = pandas.DataFrame(rows)
    return made.set_index(index) if index and len(made) else made
