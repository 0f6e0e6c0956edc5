"""TF-IDF and row norms equal scikit-learn's."""
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
    assert abs(got - expected).max() <= 4e-16, weight


for rows, cols, density in ((50, 40, 0.1), (200, 30, 0.02), (5, 400, 0.3), (1, 7, 0.9)):
    m = sp.random(rows, cols, density, format="csr", random_state=RANDOM, data_rvs=lambda n: RANDOM.integers(1, 9, n).astype(float))
    scipy.io.mmwrite(path("w.mtx"), m)
    close(path("w.mtx"), "tfidf", TfidfTransformer().fit_transform(m))
    close(path("w.mtx"), "rownorm", normalize(m))
    close(path("w.mtx"), "binary", m > 0)
    close(path("w.mtx"), "none", m)
print("weights agree")
