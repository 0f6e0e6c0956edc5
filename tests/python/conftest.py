"""What the tests share: tables with planted blocks, the command line, the data."""
import os
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp

PROGRAM = os.environ["COBLOC_PROGRAM"]


def planted(rows=60, cols=45, k=3, seed=0, dtype=np.int64):
    """Counts with k blocks on the diagonal; every line has an entry."""
    rng = np.random.RandomState(seed)
    means = np.where(np.arange(rows)[:, None] % k == np.arange(cols) % k, 1.5, 0.2)
    counts = rng.poisson(means)
    counts[np.arange(rows), np.arange(rows) % cols] += 1
    counts[np.arange(cols) % rows, np.arange(cols)] += 1
    return sp.csr_matrix(counts.astype(dtype))


def counts(rows, cols, each, dtype=np.int64):
    """A larger table, quickly: `each` entries in every row."""
    rng = np.random.RandomState(0)
    step = cols // each
    indices = np.arange(each) * step + rng.randint(0, step, (rows, each))
    data = rng.randint(1, 6, rows * each).astype(dtype)
    return sp.csr_matrix((data, indices.ravel().astype(np.int32), np.arange(rows + 1) * each), (rows, cols))


@pytest.fixture
def X():
    return planted()


@pytest.fixture
def program():
    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def data():
    def find(name):
        path = os.path.join(os.environ["COBLOC_DATA"], name)
        if not os.path.exists(path):
            pytest.skip(f"skipped: no data ({name})")
        return path

    return find
