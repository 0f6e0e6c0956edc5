"""The package itself: types, documentation, examples."""
import doctest
import importlib
import inspect
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cobloc

MODULES = ["cobloc"] + [m.name for m in pkgutil.walk_packages(cobloc.__path__, "cobloc.")
                        if not m.name.endswith("_engine")]
SOURCE = Path(os.environ["COBLOC_SOURCE"])


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    module = importlib.import_module(name)
    if inspect.ismodule(module):
        assert doctest.testmod(module).failed == 0


def public():
    for name in cobloc.__all__:
        thing = getattr(cobloc, name)
        if callable(thing):
            yield name, thing
        if inspect.isclass(thing):
            yield from ((f"{name}.{m}", f) for m, f in inspect.getmembers(thing, inspect.isfunction)
                        if not m.startswith("_") and f.__module__.startswith("cobloc"))


@pytest.mark.parametrize("name, thing", list(public()), ids=lambda v: v if isinstance(v, str) else "")
def test_all_is_documented(name, thing):
    text = inspect.getdoc(thing)
    assert text
    signature = inspect.signature(thing.__init__ if inspect.isclass(thing) else thing)
    if name in ("Names",):
        return
    for argument in signature.parameters.values():
        # Arguments of several methods of one class are explained once, those of results in a word.
        if argument.name in ("self", "y", "X", "ax", "cmap", "saved", "extra", "args", "kwargs"):
            continue
        assert argument.name in text, f"{name}: {argument.name}"


def test_types():
    if not shutil.which("mypy"):
        pytest.skip("there is no mypy")
    folder = SOURCE / "bindings" / "python"
    done = subprocess.run(["mypy", "--cache-dir", os.devnull], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert (Path(cobloc.__file__).parent / "py.typed").exists()


def test_stable_interface():
    from cobloc import _engine

    assert _engine.__file__.endswith(".abi3.so")


@pytest.mark.parametrize("path", sorted((SOURCE / "examples" / "python").glob("*.py")), ids=lambda p: p.stem)
def test_examples(path, tmp_path):
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if "skipped" in done.stdout:
        pytest.skip(done.stdout)
