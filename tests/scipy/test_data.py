"""Every benchmark file reads to the same matrix whichever of its formats is used, and as SciPy reads it."""
from common import *

if not os.path.isdir(DATA):
    print("skipped: no data")
    sys.exit(77)


def data(name):
    return os.path.join(DATA, name)


def only_rounded(exact, text):
    """cstr.mtx.gz holds ten digits of what cstr.mat holds in full: the same places, values within rounding."""
    exact, text = sp.csr_matrix(exact), sp.csr_matrix(text)
    exact.sort_indices(), text.sort_indices()
    return np.array_equal(exact.indices, text.indices) and np.allclose(exact.data, text.data, rtol=5e-9, atol=0)


def from_cluto(name):
    import gzip
    with gzip.open(data(name), "rt") as f:
        rows, cols, _ = map(int, f.readline().split())
        m = sp.lil_matrix((rows, cols))
        for i in range(rows):
            words = f.readline().split()
            m[i, [int(c) - 1 for c in words[0::2]]] = [float(v) for v in words[1::2]]
    return m


def from_votes(name):
    import csv
    with open(data(name), newline="") as f:
        return np.array([[cell == "y" for cell in line[1:]] for line in list(csv.reader(f))[1:]], dtype=float)


OTHERS = {
    "classic3": [("classic3.mat", lambda n: scipy.io.loadmat(data(n))["A"])],
    "cstr": [("cstr.mat", lambda n: scipy.io.loadmat(data(n))["fea"])],
    "k1b": [("k1b.cluto.mat.gz", from_cluto)],
    "votes": [("votes.csv", from_votes)],
}

count = 0
for name in sorted(os.listdir(DATA)):
    if name.endswith(".mtx.gz"):
        truth = scipy.io.mmread(data(name))
        assert same(through_mtx(data(name)), truth), name
        count += 1
        for other, read in OTHERS.get(name[:-7], []):
            handed = through_mtx(data(other))
            assert same(handed, read(other)), f"{other} is not what SciPy reads"
            assert same(handed, truth) or only_rounded(handed, truth), f"{other} is not {name}"
            count += 1
    elif name.endswith(".npz"):
        handed = sp.load_npz(convert(data(name), path("handed.npz")))
        assert same(handed, sp.load_npz(data(name))), name
        count += 1
print(f"{count} files agree")
