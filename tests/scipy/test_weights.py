"""Weights equal scikit-learn's, or their formulas in NumPy."""
from common import *

try:
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.preprocessing import normalize
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

RANDOM = np.random.default_rng(3)


def close(source, weight, expected):
    got = sp.csr_matrix(through_mtx(source, "--weight", weight))
    assert abs(got - expected).max() <= 4e-15, weight


def shaped(m, function):
    """A function of the entries, which in a table of reals are relative to their mean size."""
    counts = np.array_equal(m.data, np.round(m.data))
    unit = 1 if counts else abs(m.data).mean()
    m = m.copy()
    m.data = np.sign(m.data) * function(abs(m.data) / unit)
    return m


def bm25(m, k1=2, b=0.9):
    counts = np.array_equal(m.data, np.round(m.data))
    lengths = np.asarray(abs(m).sum(axis=1)).ravel() / (1 if counts else abs(m.data).mean())
    mean = lengths[lengths > 0].mean()
    rows = np.repeat(np.arange(m.shape[0]), np.diff(m.indptr))
    return shaped(m, lambda x: x * (k1 + 1) / (x + k1 * (1 - b + b * lengths[rows] / mean)))


def idf(m):
    frequencies = np.diff(m.tocsc().indptr)
    return sp.diags(np.log((1 + m.shape[0]) / (1 + frequencies)) + 1)


KINDS = (
    lambda n: RANDOM.integers(1, 9, n).astype(float),
    lambda n: RANDOM.lognormal(size=n) * 1e-4,
    lambda n: RANDOM.normal(size=n) * 1e6,
)
for values in KINDS:
    for rows, cols, density in ((50, 40, 0.1), (200, 30, 0.02), (5, 400, 0.3), (1, 7, 0.9)):
        m = sp.random(rows, cols, density, format="csr", random_state=RANDOM, data_rvs=values)
        scipy.io.mmwrite(path("w.mtx"), m, precision=17)
        close(path("w.mtx"), "tfidf", TfidfTransformer().fit_transform(m))
        close(path("w.mtx"), "rownorm", normalize(m))
        close(path("w.mtx"), "binary", m != 0)
        assert same(through_mtx(path("w.mtx")), m)
        close(path("w.mtx"), "log", shaped(m, np.log1p))
        close(path("w.mtx"), "sqrt", shaped(m, np.sqrt))
        close(path("w.mtx"), "bm25", bm25(m))
        close(path("w.mtx"), "bm25idf", bm25(m) @ idf(m))
print("weights agree")
