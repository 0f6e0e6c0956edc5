"""The tests of a comparison's best two equal those of SciPy; its means and deviations those of NumPy; its picture is XML.

The runs are made up here and put into the file that keeps finished runs, so that any scores can be tried.
"""
import itertools
import json
import xml.dom.minidom

from common import *
from scipy import stats

RANDOM = np.random.default_rng(5)
MATRIX, FOLDER_OF_RUNS = path("small.mtx"), path("kept")
RUNS_FILE = os.path.join(FOLDER_OF_RUNS, "runs.tsv")
METHODS = ("coclus", "itcc")


def compare(runs, *options):
    run = subprocess.run([COBLOC, "compare", MATRIX, "--truth", path("truth.txt"), "-k", "2", "--methods", ",".join(METHODS),
                          "--runs", str(runs), "-o", FOLDER_OF_RUNS, "--json", *options], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def forged(scores, *options):
    """What compare makes of these scores: an array of the NMI of the two methods."""
    with open(RUNS_FILE, "w") as f:
        f.write(HEAD)
        for name, own in zip(METHODS, scores):
            for seed, nmi in enumerate(own, 1):
                f.write(f"{name}\thard\tnone\t2\t0\tauto\t1\t200\t1e-09\t{seed}\t0.5\t{float(nmi)!r}\t0.25\t3\t0.125\t7\t0\t0.5\n")
    found = compare(len(scores[0]), *options)
    for own, method in zip(scores, found["methods"]):
        assert method["runs_done"] == len(own) and [run["nmi"] for run in method["runs"]] == list(own)
        assert abs(method["nmi"]["mean"] - np.mean(own)) < 1e-13
        assert abs(method["nmi"]["sd"] - np.std(own, ddof=1)) < 1e-13
    return found["significance"]


def exact_wilcoxon(d):
    """All sign patterns, for differences with ties and zeros, for which SciPy has no exact distribution."""
    d = d[d != 0]
    ranks = stats.rankdata(np.abs(d))
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    sums = np.array([np.dot(ranks, pattern) for pattern in itertools.product((0, 1), repeat=len(d))])
    return min(1.0, 2 * np.mean(sums <= smaller + 1e-9))


def check(scores):
    test = forged(scores)
    a, b = (np.asarray(scores[i]) for i in (test["first"], test["second"]))
    assert a.mean() >= b.mean() and test["pairs"] == len(a)
    assert abs(test["difference"] - (a - b).mean()) < 1e-13 and abs(test["sd"] - (a - b).std(ddof=1)) < 1e-13
    t = stats.ttest_rel(a, b)
    np.testing.assert_allclose((test["t_test"]["statistic"], test["t_test"]["p"]), (t.statistic, t.pvalue), rtol=1e-9)
    d = a - b
    if (d == 0).any() or len(set(np.abs(d))) < len(d):
        np.testing.assert_allclose(test["wilcoxon"]["p"], exact_wilcoxon(d), rtol=1e-12)
    else:
        w = stats.wilcoxon(a, b, mode="exact" if len(a) <= 200 else "approx", correction=False)
        np.testing.assert_allclose((test["wilcoxon"]["statistic"], test["wilcoxon"]["p"]), (w.statistic, w.pvalue), rtol=1e-9)


with open(MATRIX, "w") as f:
    f.write("%%MatrixMarket matrix coordinate integer general\n4 4 8\n1 1 3\n1 2 1\n2 1 2\n2 2 2\n3 3 4\n3 4 1\n4 3 1\n4 4 5\n")
with open(path("truth.txt"), "w") as f:
    f.write("a\na\nb\nb\n")
compare(1)
with open(RUNS_FILE) as f:
    HEAD = "".join(f.readline() for _ in range(2))

for runs in (2, 3, 5, 10, 20, 50, 51, 130, 200, 201, 1000):
    for shift in (0, 0.01, 0.3):
        check([RANDOM.random(runs), RANDOM.random(runs) + shift])
for case in range(12):  # ties and zeros
    runs = int(RANDOM.integers(2, 12))
    scores = RANDOM.integers(0, 5, (2, runs)) / 4
    if len(set(scores[0] - scores[1])) > 1 and scores[0].sum() != scores[1].sum():
        check(scores)
forged([RANDOM.random(9), RANDOM.random(9)], "--plot", path("boxes.svg"))
xml.dom.minidom.parse(path("boxes.svg"))
print("comparisons agree with SciPy")
