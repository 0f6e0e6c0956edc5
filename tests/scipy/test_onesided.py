"""kmeans beside scikit-learn's KMeans: from the same centres the same inertia, and from starts of its own none worse."""
import json

from common import *

try:
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction.text import TfidfTransformer
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

RANDOM = np.random.default_rng(9)
CASES = 0


def fit(source, k, *options):
    run = subprocess.run([COBLOC, "fit", source, "-k", str(k), "-m", "kmeans", "--tol", "0", "--max-iter", "1000", "--json", *options],
                         capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def check(source, k, weight):
    global CASES
    x = sp.csr_matrix(through_mtx(source), dtype=np.float64)
    if weight == "tfidf":
        x = TfidfTransformer().fit_transform(x)
    labels = np.concatenate([np.arange(k), RANDOM.integers(0, k, x.shape[0] - k)])
    np.savetxt(path("start.txt"), labels, fmt="%d")
    centres = np.vstack([np.asarray(x[labels == c].mean(axis=0)) for c in range(k)])
    theirs = KMeans(k, init=centres, n_init=1, tol=0, max_iter=1000).fit(x)
    ours = fit(source, k, "-w", weight, "--init", path("start.txt"), "--restarts", "1")
    assert abs(ours["criterion"] - theirs.inertia_) <= 1e-9 * theirs.inertia_, f"{source}, k = {k}: {ours['criterion']}, scikit-learn: {theirs.inertia_}"
    best = KMeans(k, n_init=10, tol=0, max_iter=1000, random_state=1).fit(x)
    ours = fit(source, k, "-w", weight, "--restarts", "10")
    assert ours["criterion"] <= best.inertia_ * 1.01, f"{source}, k = {k}: best of ten {ours['criterion']}, scikit-learn's {best.inertia_}"
    CASES += 1


for rows, cols, k, density in ((200, 50, 3, 0.2), (500, 100, 8, 0.05), (1000, 300, 20, 0.02)):
    x = sp.random(rows, cols, density, random_state=RANDOM, data_rvs=lambda count: RANDOM.exponential(2, count))
    scipy.io.mmwrite(path("r.mtx"), x)
    check(path("r.mtx"), k, "none")
for name, k in (("cstr.mtx.gz", 4), ("classic3.mtx.gz", 3)):
    if os.path.exists(os.path.join(DATA, name)):
        check(os.path.join(DATA, name), k, "tfidf")
print(f"{CASES} tables agree")
