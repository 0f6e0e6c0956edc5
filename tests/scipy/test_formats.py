"""cobloc reads what SciPy and scikit-learn write, and they read what cobloc writes, to the last bit."""
from common import *

RANDOM = np.random.default_rng(7)
CASES = 0


def random_matrix(dtype):
    m = sp.random(37, 23, 0.2, format="csr", random_state=RANDOM, data_rvs=lambda n: RANDOM.integers(1, 250, n))
    m = m.astype(np.float64)
    if dtype == np.float64:
        m.data = RANDOM.random(m.nnz)
    if dtype == np.float32:
        m.data = RANDOM.random(m.nnz).astype(np.float32).astype(np.float64)
    if dtype == np.bool_:
        m.data[:] = 1
    return m.astype(dtype)


def check(m, source):
    global CASES
    assert same(through_mtx(source), m), source
    CASES += 1


for dtype in (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64):
    m = random_matrix(dtype)
    if dtype == np.int8:
        m.data = np.abs(m.data // 2) + 1
    for compressed in (False, True):
        for form in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix):
            sp.save_npz(path("a.npz"), form(m), compressed=compressed)
            check(m, path("a.npz"))
    scipy.io.mmwrite(path("a.mtx"), m.astype(np.float64 if dtype in (np.float32, np.float64) else np.int64))
    check(scipy.io.mmread(path("a.mtx")), path("a.mtx"))
    scipy.io.mmwrite(path("dense.mtx"), np.asarray(m.todense()).astype(np.float64), precision=17)
    check(m, path("dense.mtx"))
    for compressed in (False, True):
        scipy.io.savemat(path("a.mat"), {"X": m.astype(np.float64)}, do_compression=compressed)
        check(m, path("a.mat"))
        scipy.io.savemat(path("full.mat"), {"X": np.asarray(m.todense())}, do_compression=compressed)
        check(m, path("full.mat"))

for dtype in (np.bool_, np.uint8, np.uint16, np.uint32, np.float32, np.float64):
    m = random_matrix(dtype)
    sp.save_npz(path("b.npz"), m)
    assert same(sp.load_npz(convert(path("b.npz"), path("c.npz"))), m)
    assert same(scipy.io.mmread(convert(path("b.npz"), path("c.mtx.gz"))), m)
    assert same(scipy.io.loadmat(convert(path("b.npz"), path("c.mat")))["X"], m)
    CASES += 3

# Negative values, and NaN as a missing cell: both ways, through every format that SciPy knows.
for dtype in (np.int8, np.int32, np.float32, np.float64):
    m = random_matrix(dtype)
    m.data = np.where(RANDOM.random(m.nnz) < 0.5, m.data // 2, -(m.data // 2)).astype(dtype)
    m.eliminate_zeros()
    sp.save_npz(path("a.npz"), m)
    check(m, path("a.npz"))
    assert same(sp.load_npz(convert(path("a.npz"), path("c.npz"))), m)
    assert same(scipy.io.loadmat(convert(path("a.npz"), path("c.mat")))["X"], m)
    if np.issubdtype(dtype, np.floating):
        m.data[RANDOM.random(m.nnz) < 0.2] = np.nan
        full = np.asarray(m.todense())
        sp.save_npz(path("a.npz"), m)
        np.save(path("a.npy"), full)
        scipy.io.savemat(path("a.mat"), {"X": m.astype(np.float64)})
        np.savetxt(path("a.csv"), full, delimiter=",", fmt="%.17g")
        for source in ("a.npz", "a.npy", "a.mat", "a.csv"):
            for target in ("c.npz", "c.mat", "c.mtx"):
                convert(path(source), path("between.cbm"), "--missing", "ignore")
                convert(path("between.cbm"), path(target))
                read = sp.load_npz(path(target)) if target == "c.npz" else scipy.io.loadmat(path(target))["X"] if target == "c.mat" else scipy.io.mmread(path(target))
                assert np.array_equal(np.asarray(read.todense()), full, equal_nan=True), (source, target)
                CASES += 1
            zero = through_mtx(path(source), "--missing", "zero")
            assert same(zero, np.nan_to_num(full, nan=0.0)), source

try:
    from sklearn.datasets import dump_svmlight_file, load_svmlight_file

    for dtype in (np.float64, np.int64):
        m = random_matrix(dtype).astype(np.float64)
        y = RANDOM.integers(0, 3, m.shape[0])
        for zero_based in (False, True):
            dump_svmlight_file(m, y, path("a.svm"), zero_based=zero_based)
            read, _ = load_svmlight_file(path("a.svm"), zero_based=zero_based)
            check(read, path("a.svm"))
            assert [int(float(line)) for line in open(path("handed.labels.txt"))] == list(y)
            os.remove(path("handed.labels.txt"))
        read, _ = load_svmlight_file(convert(path("a.mtx"), path("b.svm")), n_features=23, zero_based=False)
        assert same(read, scipy.io.mmread(path("a.mtx")))
except ImportError:
    print("skipped: no scikit-learn")

print(f"{CASES} matrices agree")
