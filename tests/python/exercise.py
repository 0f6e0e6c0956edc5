"""A little of everything that the extension does, for runs under sanitizers; see `sanitized`."""
import gc
import pickle
import tempfile
import threading
import warnings

import numpy as np
import scipy.sparse as sp

import cobloc
from cobloc import CoClustering, Ensemble, Selection, Vectorizer, _engine
from cobloc._matrix import to_engine, to_scipy

warnings.simplefilter("ignore")
X = sp.csr_matrix(np.random.RandomState(0).poisson(np.kron(np.eye(2), np.full((12, 9), 2)) + 0.3))


def everything():
    fitted = CoClustering(2, "plbm", inference="soft", n_init=2, random_state=1).fit(X)
    fitted.predict(X), fitted.predict_proba(X), fitted.transform(X), fitted.score(X)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(X) == fitted.predict(X)).all()
    result = fitted.result_
    result.report(truth=np.arange(24) % 2), result.candidates(), result.blocks()
    result.describe(), [result[name] for name in result]
    Selection((2, 3), "plbm", random_state=1).fit(X).curve()
    Ensemble(2, sizes=(2, 3), n_init=1, random_state=1).fit(X, given=[np.arange(24) % 2])
    Vectorizer().fit_transform(["a red rose", "", "the blue sky"])
    cobloc.compare(X, np.arange(24) % 2, ["coclus"], 2, n_runs=2), cobloc.models()
    with tempfile.TemporaryDirectory() as folder:
        result.save(folder + "/result"), cobloc.load(folder + "/result").describe(X)
        cobloc.write(folder + "/x.cbm", X, labels=range(24)), cobloc.read(folder + "/x.cbm")


def views_and_owners():
    data = X.astype(np.float32) * np.float32(1.5)
    matrix = to_engine(data)
    del data
    gc.collect()
    entries = to_scipy(matrix)
    del matrix
    gc.collect()
    assert abs(entries.sum() - 1.5 * X.sum()) < 1e-3


def wrong_calls():
    options = _engine.options("fit")
    for call in (lambda: _engine.fit(options, options, None, False), lambda: _engine.get(options, "nothing"),
                 lambda: _engine.set(options, "k", -1), lambda: _engine.unpack(b"{"),
                 lambda: _engine.set_texts(options, "model", [1]), lambda: _engine.read(b"/nowhere", options, None, None, 0)):
        try:
            call()
        except (KeyError, OSError, TypeError, ValueError):
            continue
        raise AssertionError("it was accepted")


def failing_allocations():
    fitted = CoClustering(2, "coclus", n_jobs=1, random_state=1).fit(X)
    packed = pickle.dumps(fitted)
    for work in (lambda: CoClustering(2, "coclus", n_init=1, n_jobs=1).fit(X), lambda: fitted.predict(X),
                 lambda: pickle.loads(packed)):
        for k in range(0, 2000, 7):
            _engine.fail_at(k)
            try:
                work()
            except MemoryError:
                pass
            if not _engine.fail_at(-1):
                break


everything()
views_and_owners()
wrong_calls()
failing_allocations()
threads = [threading.Thread(target=lambda: CoClustering(2, "plbm", random_state=1).fit(X)) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
