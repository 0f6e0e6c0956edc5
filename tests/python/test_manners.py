"""Interrupts, progress, errors."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import counts, planted

import cobloc
from cobloc import CoClustering, _engine
from cobloc._matrix import to_engine

INTERRUPTED = """
import sys, time, signal
import scipy.sparse as sp
from cobloc import CoClustering
import numpy as np
rng = np.random.RandomState(0)
X = sp.csr_matrix((rng.randint(1, 6, 800000), (np.arange(40) * 100 + rng.randint(0, 100, (20000, 40))).ravel(),
                   np.arange(20001) * 40), (20000, 4000))
e = CoClustering(8, "plbm", inference="soft", n_init=5000, tol=0, max_iter=20, random_state=1)
print("ready", flush=True)
try:
    e.fit(X)
    print("ended")
except KeyboardInterrupt:
    print("interrupted", time.time(), hasattr(e, "row_labels_") and len(e.row_labels_))
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


def interrupt():
    """Seconds from Ctrl-C to the exception."""
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(2.5)  # a start or so
    sent = time.time()
    child.send_signal(signal.SIGINT)
    words = child.communicate(timeout=120)[0].split()
    assert child.returncode == 0 and words[0] == "interrupted" and words[2] == "20000"
    return float(words[1]) - sent


def test_ctrl_c_keeps_the_best():
    assert any(interrupt() < 0.5 for _ in range(4))  # other programs may keep the processor for a while


def test_handlers_of_others_stay(X):
    seen = []
    old = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        CoClustering(3, n_init=20, random_state=1).fit(planted(300, 200))
        timer.join()
        assert seen
    finally:
        signal.signal(signal.SIGINT, old)


def test_other_threads_run_meanwhile():
    X = counts(5000, 2000, 40)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.perf_counter()
    CoClustering(8, "plbm", n_init=40, random_state=1).fit(X)
    took = time.perf_counter() - began
    done.set()
    thread.join()
    assert np.max(np.diff(ticks)) < 0.8 * took


def test_fits_in_threads(X):
    expected = CoClustering(3, random_state=1).fit(X).row_labels_
    found = [None] * 4

    def fit(i):
        found[i] = CoClustering(3, random_state=1).fit(X).row_labels_

    threads = [threading.Thread(target=fit, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((labels == expected).all() for labels in found)


def test_progress(capsys):
    X = counts(3000, 1000, 50)
    CoClustering(8, "plbm", inference="soft", n_init=4, max_iter=50, random_state=1, verbose=1).fit(X)
    assert "%" in capsys.readouterr().err


def test_progress_that_raises():
    options, calls = _engine.options("fit"), []
    for name, value in {"k": 8, "restarts": 2000}.items():
        _engine.set(options, name, value)
    _engine.set(options, "model", b"plbm")

    def report(what, done):
        calls.append((what, done))
        raise RuntimeError("enough")

    X = counts(3000, 1000, 50)
    with pytest.raises(RuntimeError, match="enough"):
        _engine.fit(to_engine(X), options, report, False)
    assert len(calls) == 1 and 0 <= calls[0][1] <= 1


def test_time_limit():
    X = counts(5000, 2000, 40)
    began = time.time()
    with pytest.warns(UserWarning, match="stopped early"):
        CoClustering(10, "plbm", n_init=5000, max_seconds=0.5, random_state=1).fit(X)
    assert time.time() - began < 30


@pytest.mark.parametrize("arguments, error, part", [
    ({"n_clusters": 0}, ValueError, "k"),
    ({"n_clusters": 2.5}, TypeError, "whole number"),
    ({"n_clusters": "many"}, ValueError, "'auto'"),
    ({"n_clusters": 1000}, ValueError, "rows"),
    ({"n_clusters": 3, "model": "colcus"}, ValueError, "coclus"),
    ({"n_clusters": 3, "weight": "heavy"}, ValueError, "weight"),
    ({"n_clusters": 3, "n_jobs": "two"}, TypeError, "n_jobs"),
    ({"n_clusters": 3, "n_jobs": 0}, ValueError, "n_jobs"),
    ({"n_clusters": 3, "max_iter": "x"}, TypeError, "number"),
    ({"n_clusters": 3, "random_state": -1}, ValueError, "random_state"),
    ({"n_clusters": 3, "init": "somewhere"}, ValueError, "start"),
    ({"n_clusters": 3, "model": "coclus", "inference": "soft"}, ValueError, "coclus"),
])
def test_errors(arguments, error, part, X):
    with pytest.raises(error, match=part):
        CoClustering(**arguments).fit(X)


def test_errors_of_files(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        cobloc.read(tmp_path / "nowhere.mtx")
    (tmp_path / "broken.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n9 9 1\n")
    with pytest.raises(ValueError, match="broken.mtx:3"):
        cobloc.read(tmp_path / "broken.mtx")
    with pytest.raises(ValueError, match="NUL"):
        cobloc.read(tmp_path / "a", format="x\0y")
    with pytest.raises(OSError):
        cobloc.load(tmp_path / "nowhere")


def test_methods_that_cannot_predict(X):
    e = CoClustering(3, "chisim", random_state=1).fit(X)
    with pytest.raises(ValueError, match="cannot predict with chisim"):
        e.predict(X)


def test_engine_checks_its_arguments(X):
    options = _engine.options("fit")
    for call in (lambda: _engine.fit(options, options, None, False), lambda: _engine.get(None, "k"),
                 lambda: _engine.pack(options), lambda: _engine.set(options, "k", object()),
                 lambda: _engine.set_texts(options, "model", "text"),
                 lambda: _engine.get(to_engine(X), "k"), lambda: type(options)()):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(KeyError):
        _engine.get(options, "no_such_thing")
    with pytest.raises(ValueError):
        _engine.options("nothing")
    with pytest.raises(OverflowError):
        _engine.set(options, "k", 1 << 80)


def test_the_matrix_must_be_the_same(X):
    e = CoClustering(3, "coclus", random_state=1).fit(X)
    X.data[0] += 5
    with pytest.raises(ValueError, match="changed"):
        e.result_.report()
