"""What the comparisons share: running cobloc, and skipping where SciPy is not there."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError:
    print("skipped: no SciPy")
    sys.exit(77)

COBLOC = sys.argv[1]
DATA = os.environ.get("COBLOC_DATA", sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(FOLDER.name, name)


def convert(source, target, *options):
    """Runs cobloc convert; the sanitized build slows it down, so there is time enough."""
    run = subprocess.run([COBLOC, "convert", source, target, *options], capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, f"{source} -> {target}: {run.stderr}"
    return target


def same(a, b):
    """Exactly the same matrix: shape, places and values."""
    a, b = (sp.csr_matrix(m, dtype=np.float64) for m in (a, b))
    for m in (a, b):
        m.sum_duplicates()
        m.eliminate_zeros()
    return a.shape == b.shape and np.array_equal(a.indptr, b.indptr) and np.array_equal(a.indices, b.indices) and np.array_equal(a.data, b.data)


def through_mtx(source, *options):
    """The matrix that cobloc reads from a file, handed over as MatrixMarket and read by SciPy."""
    return scipy.io.mmread(convert(source, path("handed.mtx"), *options))
