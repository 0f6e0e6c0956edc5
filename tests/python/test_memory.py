"""Nothing leaks: over a thousand fits, and when allocations fail."""
import os
import subprocess
import sys

import pytest

FITS = """
import gc, pickle, resource, warnings
import numpy as np, scipy.sparse as sp
from cobloc import CoClustering, _engine
from cobloc._matrix import to_engine
warnings.simplefilter("ignore")
X = sp.random(150, 100, 0.2, format="csr", random_state=0, dtype=np.float32)
def once(seed):
    e = CoClustering(4, "plbm", inference="soft", n_init=1, max_iter=2, random_state=seed, n_jobs=1).fit(X)
    if seed % 5 == 0:
        e.predict(X), e.predict_proba(X), e.transform(X)
    if seed % 25 == 0:
        pickle.loads(pickle.dumps(e)), e.result_.describe(), e.result_.report()
    try:
        CoClustering(4, "plbm", weight="heavy").fit(X)
    except ValueError:
        pass
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for seed in range(100):
    once(seed)
before = peak()
for seed in range(1000):
    once(seed)
print(peak() - before)
"""


def test_a_thousand_fits():
    done = subprocess.run([sys.executable, "-c", FITS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 2048  # KiB; a leak of one result a fit would be 10 MB


FAILURES = """
import pickle, warnings
import numpy as np, scipy.sparse as sp
import cobloc
from cobloc import CoClustering, Vectorizer, _engine
from cobloc._matrix import to_engine
warnings.simplefilter("ignore")
X = sp.random(30, 20, 0.3, format="csr", random_state=0)
fitted = CoClustering(2, "plbm", n_jobs=1, random_state=1).fit(X)
packed = pickle.dumps(fitted)
works = {
    "fit": lambda: CoClustering(2, "coclus", n_init=1, n_jobs=1, random_state=1).fit(X),
    "predict": lambda: fitted.predict(X),
    "describe": lambda: fitted.result_.describe(),
    "unpickle": lambda: pickle.loads(packed),
    "count": lambda: Vectorizer(n_jobs=1).fit_transform(["a red rose", "the blue sky"]),
}
for name, work in works.items():
    failures = k = 0
    while True:
        _engine.fail_at(k)
        try:
            work()
            raised = None
        except MemoryError as error:
            raised = error
            assert "memory" in str(error), error
        if not _engine.fail_at(-1):
            assert raised is None
            break
        assert raised is not None, (name, k)
        failures += 1
        k += 1 if k < 60 else k // 10
    print(name, failures)
"""


def test_failing_allocations():
    hooked = os.environ.get("COBLOC_HOOKED")
    if not hooked:
        pytest.skip("there is no build with the hook")
    env = dict(os.environ, PYTHONPATH=hooked)
    done = subprocess.run([sys.executable, "-c", FAILURES], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    failures = dict(line.split() for line in done.stdout.splitlines())
    assert set(failures) == {"fit", "predict", "describe", "unpickle", "count"}
    assert all(int(count) > 10 for count in failures.values()), failures
