"""The factorisations beside scikit-learn's NMF. From the same start both must take the same steps: nmf is its coordinate
descent, three sweeps for each product, nmf-mu and nmf-kl its multiplicative updates, and losses after several numbers of
iterations agree to rounding. Then each on its own: from the same start ours is soon no worse, and the best of our starts is
no worse than what scikit-learn converges to."""
import json
import warnings

from common import *

try:
    from sklearn.decomposition import NMF
    from sklearn.decomposition._cdnmf_fast import _update_cdnmf_fast
    from sklearn.feature_extraction.text import TfidfTransformer
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

warnings.simplefilter("ignore")  # iterations end before convergence, as they must
RANDOM = np.random.default_rng(9)
CASES = 0
SOLVERS = {"nmf": ("cd", "frobenius"), "nmf-mu": ("mu", "frobenius"), "nmf-kl": ("mu", "kullback-leibler")}


def fit(source, k, model, *options):
    run = subprocess.run([COBLOC, "fit", source, "-k", str(k), "-m", model, "--json", "-t", "1", *map(str, options)], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)["criterion"]


def sklearn_loss(x, k, model, iterations, tolerance, start=None):
    solver, loss = SOLVERS[model]
    nmf = NMF(k, init="custom" if start else "nndsvda", solver=solver, beta_loss=loss, tol=tolerance, max_iter=iterations, random_state=0)
    nmf.fit_transform(x, **(dict(W=start[0].copy(), H=start[1].copy()) if start else {}))
    return nmf.reconstruction_err_ ** 2 / (1 if loss == "frobenius" else 2)  # theirs: the root of twice the divergence


def coordinate_descent(x, iterations, start):
    """scikit-learn's own sweeps, three for each product with the matrix."""
    w, h = start[0].copy(), np.ascontiguousarray(start[1].T)
    order = np.arange(w.shape[1])
    for _ in range(iterations):
        for matrix, own, other in ((x, w, h), (x.T.tocsr(), h, w)):
            gram, products = other.T @ other, matrix @ other
            for _ in range(3):
                _update_cdnmf_fast(own, gram, products, order)
    return sum_of_squares(x) - 2 * np.sum((x @ h) * w) + np.sum((w.T @ w) * (h.T @ h))


def sum_of_squares(x):
    return np.sum(x.data ** 2)


def start_of(x, labels, k):
    """What cobloc makes of labels: ones, a sixth elsewhere, and the weighted means of the rows."""
    w = np.where(labels[:, None] == np.arange(k), 1, 1 / 6)
    return w, np.ascontiguousarray((x.T @ w / w.sum(axis=0)).T)


def same_steps(x, k):
    global CASES
    source, labels = path("x.mtx"), np.concatenate([np.arange(k), RANDOM.integers(0, k, x.shape[0] - k)])
    scipy.io.mmwrite(source, x, precision=17)
    np.savetxt(path("labels.txt"), labels, fmt="%d")
    for model in SOLVERS:
        for iterations in (1, 2, 20):
            ours = fit(source, k, model, "-w", "none", "--init", path("labels.txt"), "-r", 1, "--tol", 0, "--max-iter", iterations)
            start = start_of(x, labels, k)
            theirs = coordinate_descent(x, iterations, start) if model == "nmf" else sklearn_loss(x, k, model, iterations, 0, start)
            assert abs(ours - theirs) <= 1e-6 * theirs, f"{model}, {x.shape}, k = {k}, {iterations} iterations: {ours}, scikit-learn has {theirs}"
            CASES += 1
    ours = fit(source, k, "nmf", "-w", "none", "--init", path("labels.txt"), "-r", 1, "--tol", 0, "--max-iter", 100)
    theirs = sklearn_loss(x, k, "nmf", 100, 0, start_of(x, labels, k))
    assert ours <= 1.003 * theirs, f"nmf, {x.shape}, k = {k}, from the same start: {ours}, scikit-learn has {theirs}"
    CASES += 1


def no_worse(x, k):
    """Six starts of ours beside scikit-learn's one from singular vectors: losses within a thousandth."""
    global CASES
    source = path("x.mtx")
    scipy.io.mmwrite(source, x, precision=17)
    for model in SOLVERS:
        ours = fit(source, k, model, "-w", "none")
        theirs = sklearn_loss(x, k, model, 200, 1e-5)
        assert ours <= theirs * 1.001, f"{model}, {x.shape}, k = {k}: {ours}, scikit-learn has {theirs}"
        CASES += 1


def ding(x, k, l, iterations):
    """Orthogonal tri-factorisation as in its paper, dense, from random factors of unit length; the squared error."""
    x, f, g = x.toarray(), RANDOM.random((x.shape[0], k)), RANDOM.random((x.shape[1], l))
    f, g = f / np.linalg.norm(f, axis=0), g / np.linalg.norm(g, axis=0)
    s = f.T @ x @ g
    for _ in range(iterations):
        up = x.T @ f @ s
        g *= np.sqrt(up / (g @ (g.T @ up)))
        up = x @ g @ s.T
        f *= np.sqrt(up / (f @ (f.T @ up)))
        s *= np.sqrt((f.T @ x @ g) / (f.T @ f @ s @ (g.T @ g)))
    return np.sum((x - f @ s @ g.T) ** 2)


def tri_factors(x, k, l):
    """The best of six starts of each, random ones, within a hundredth; and our own starts."""
    global CASES
    source = path("x.mtx")
    scipy.io.mmwrite(source, x, precision=17)
    theirs = min(ding(x, k, l, 200) for _ in range(6))
    for start in ("random", "auto"):
        ours = fit(source, k, "onmtf", "-w", "none", "-l", l, "--tol", 0, "--init", start)
        assert ours <= theirs * 1.01, f"onmtf, {x.shape}, k = {k}, l = {l}, {start}: {ours}, NumPy has {theirs}"
        CASES += 1


def filled(x):
    x = sp.csr_matrix(x, dtype=np.float64)
    return x[np.flatnonzero(x.sum(axis=1).A1)][:, np.flatnonzero(x.sum(axis=0).A1)]


def planted(rows, cols, k, inside, outside):
    z, w = RANDOM.integers(0, k, rows), RANDOM.integers(0, k, cols)
    return filled(RANDOM.poisson(np.where(z[:, None] == w[None, :], inside, outside)))


for rows, cols, k in ((60, 40, 2), (80, 150, 5)):
    x = planted(rows, cols, k, 1, 0.1)
    same_steps(x, k)
    same_steps(filled(TfidfTransformer().fit_transform(x)), k + 1)
    no_worse(x, k)
    tri_factors(x, k, k)
    tri_factors(x, k, k + 2)
if os.path.exists(os.path.join(DATA, "cstr.mtx.gz")):
    x = filled(TfidfTransformer().fit_transform(through_mtx(os.path.join(DATA, "cstr.mtx.gz"))))
    same_steps(x, 4)
    no_worse(x, 4)
print(f"{CASES} losses agree")
