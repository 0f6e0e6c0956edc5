"""coclus: what it reports is what SciPy computes from the labels it wrote, and an iteration of the paper's
algorithm, written with SciPy, changes nothing."""
import json

from common import *

RANDOM = np.random.default_rng(5)
CASES = 0
NATIONS = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "nations", "nations.csv")


def fit(source, k, *options):
    """The JSON that cobloc fit prints, and the labels of the rows and columns that it writes."""
    run = subprocess.run([COBLOC, "fit", source, "-k", str(k), "--json", "-o", path("found"), *options], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    sides = []
    for name in ("rows.tsv", "cols.tsv"):
        with open(os.path.join(path("found"), name)) as f:
            sides.append(np.array([int(line.split("\t")[1]) for line in f.read().splitlines()[1:]]))
    return json.loads(run.stdout), *sides


def indicator(labels, k):
    """n by k; a label of -1 is a line of zeros."""
    known = np.flatnonzero(labels >= 0)
    return sp.csr_matrix((np.ones(len(known)), (known, labels[known])), shape=(len(labels), k))


def modularity(x, rows, cols, k):
    z, w, total = indicator(rows, k), indicator(cols, k), x.sum()
    inside = (z.T @ x @ w).diagonal().sum()
    expected = (z.T @ x.sum(axis=1)).A1 @ (w.T @ x.sum(axis=0).T).A1 / total
    return (inside - expected) / total


def scores(x, other, k):
    """Of each row for each cluster of the columns: what it holds there, less what one expects."""
    w, total = indicator(other, k), x.sum()
    return (x @ w).toarray() - np.outer(x.sum(axis=1).A1, (w.T @ x.sum(axis=0).T).A1) / total


def settled(x, own, other, k):
    """No row would gain by moving; ties and rounding aside."""
    s = scores(x, other, k)
    known = np.flatnonzero(own >= 0)
    return np.all(s[known, own[known]] >= s[known].max(axis=1) - 1e-9 * abs(s).max())


def check(source, k, weight, *options):
    global CASES
    x = sp.csr_matrix(through_mtx(source, "--weight", weight), dtype=np.float64)
    found, rows, cols = fit(source, k, "--weight", weight, *options)
    for side, labels, count in (("row", rows, x.shape[0]), ("col", cols, x.shape[1])):
        assert len(labels) == count
        sizes = np.bincount(labels[labels >= 0], minlength=k)
        assert list(sizes) == found[f"{side}_sizes"] and sizes.min() > 0
    assert np.array_equal(rows < 0, x.sum(axis=1).A1 == 0) and np.array_equal(cols < 0, x.sum(axis=0).A1 == 0)
    assert np.all(np.diff(found["row_sizes"]) <= 0), "clusters are numbered by their number of rows"
    q = modularity(x, rows, cols, k)
    counts = np.array_equal(x.data, np.round(x.data))
    allowed = 1e-12 if counts else 2 ** -31  # other numbers are rounded to units of 2^-32 of the largest
    assert abs(found["criterion"] - q) <= allowed, f"{source}, k = {k}: {found['criterion']} is reported, SciPy says {q}"
    if found["converged"] and found["repaired"] == 0:
        assert settled(x, rows, cols, k), f"{source}, k = {k}: a row would move"
        assert settled(x.T.tocsr(), cols, rows, k), f"{source}, k = {k}: a column would move"
    CASES += 1


def planted(rows, cols, k, inside, outside):
    z, w = RANDOM.integers(0, k, rows), RANDOM.integers(0, k, cols)
    return sp.csr_matrix(RANDOM.poisson(np.where(z[:, None] == w[None, :], inside, outside)).astype(float))


for weight in ("none", "tfidf", "rownorm", "binary"):
    for k in (2, 5, 8):
        check(NATIONS, k, weight)
    for rows, cols, k, inside, outside in ((80, 60, 3, 1.0, 0.1), (300, 200, 6, 0.4, 0.1), (60, 300, 4, 0.1, 0.05)):
        scipy.io.mmwrite(path("p.mtx"), planted(rows, cols, k, inside, outside))
        check(path("p.mtx"), k, weight)
        check(path("p.mtx"), k, weight, "--init", "random", "--restarts", "2", "--seed", "3")
        check(path("p.mtx"), k, weight, "--inference", "stochastic", "--restarts", "2")
        check(path("p.mtx"), k, weight, "--init", "random", "--restarts", "1", "--max-iter", "2")
for name in ("cstr.mtx.gz", "classic3.mtx.gz"):
    if os.path.exists(os.path.join(DATA, name)):
        for weight in ("none", "tfidf"):
            check(os.path.join(DATA, name), 4, weight, "--restarts", "2")
print(f"{CASES} fits agree")
