"""spec beside scikit-learn's SpectralCoclustering: the same classes where they are clear, no worse a normalised cut where
they are not; the criteria of spec and specco as SciPy computes them from the labels."""
import json

from common import *

try:
    from sklearn.cluster import SpectralCoclustering
    from sklearn.metrics import adjusted_rand_score
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

RANDOM = np.random.default_rng(8)
CASES = 0
NATIONS = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "nations", "nations.csv")


def fit(source, k, model):
    run = subprocess.run([COBLOC, "fit", source, "-k", str(k), "-m", model, "--json", "-o", path("found")], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    sides = [np.loadtxt(path("found/" + name), dtype=str, delimiter="\t", skiprows=1, comments=None)[:, 1].astype(int) for name in ("rows.tsv", "cols.tsv")]
    return json.loads(run.stdout), *sides


def blocks(x, rows, cols, k):
    z, w = (sp.csr_matrix((np.ones(len(a)), (np.arange(len(a)), a)), shape=(len(a), k)) for a in (rows, cols))
    b = (z.T @ x @ w).toarray()
    return np.diag(b), b.sum(axis=1), b.sum(axis=0)


def normalised_cut(x, rows, cols, k):
    inside, r, c = blocks(x, rows, cols, k)
    return np.sum(1 - 2 * inside / np.maximum(r + c, 1e-300))


def normalised_modularity(x, rows, cols, k):
    inside, r, c = blocks(x, rows, cols, k)
    return np.sum((inside - r * c / x.sum()) / np.sqrt(r * c))


def check(source, k, clear):
    global CASES
    x = sp.csr_matrix(through_mtx(source), dtype=np.float64)
    full = np.flatnonzero(x.sum(axis=1).A1), np.flatnonzero(x.sum(axis=0).A1)
    x = x[full[0]][:, full[1]]
    found, rows, cols = fit(source, k, "spec")
    rows, cols = rows[full[0]], cols[full[1]]
    cut = normalised_cut(x, rows, cols, k)
    assert abs(found["criterion"] - cut) <= 1e-9, f"{source}: {found['criterion']} is reported, SciPy says {cut}"
    theirs = SpectralCoclustering(k, random_state=0).fit(x)
    other = normalised_cut(x, theirs.row_labels_, theirs.column_labels_, k)
    assert cut <= other + 0.02 * k, f"{source}, k = {k}: a cut of {cut}, scikit-learn's is {other}"
    if clear:
        assert adjusted_rand_score(rows, theirs.row_labels_) == 1 and adjusted_rand_score(cols, theirs.column_labels_) == 1
    found, rows, cols = fit(source, k, "specco")
    value = normalised_modularity(x, rows[full[0]], cols[full[1]], k)
    assert abs(found["criterion"] - value) <= 1e-9, f"{source}: {found['criterion']} is reported, SciPy says {value}"
    CASES += 1


def planted(rows, cols, k, inside, outside):
    z, w = RANDOM.integers(0, k, rows), RANDOM.integers(0, k, cols)
    return sp.csr_matrix(RANDOM.poisson(np.where(z[:, None] == w[None, :], inside, outside)).astype(float))


for rows, cols, k in ((80, 60, 2), (300, 200, 3), (150, 400, 3), (200, 200, 2)):
    scipy.io.mmwrite(path("p.mtx"), planted(rows, cols, k, 1.5, 0.1))
    check(path("p.mtx"), k, True)
for k in (2, 4, 6):
    check(NATIONS, k, False)
for name, k in (("cstr.mtx.gz", 4), ("classic3.mtx.gz", 3)):
    if os.path.exists(os.path.join(DATA, name)):
        check(os.path.join(DATA, name), k, False)
print(f"{CASES} tables agree")
