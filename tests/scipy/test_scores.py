"""Accuracy, NMI, ARI, purity and SDCS equal those of SciPy and scikit-learn; so does the best matching."""
import json

from common import *

try:
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
    from sklearn.metrics.cluster import contingency_matrix
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

RANDOM = np.random.default_rng(11)
BATCH = sys.argv[3]  # the program that takes many tasks at once


def known_pairs(labels, truth):
    return [(a, b) for a, b in zip(labels, truth) if a != -1 and b != -1]


def expected_scores(labels, truth):
    known = known_pairs(labels, truth)
    a, b = (np.unique(side, return_inverse=True)[1] for side in zip(*known))
    table = contingency_matrix(b, a)  # classes by clusters
    sizes, truth_sizes = table.sum(axis=0), table.sum(axis=1)
    return {
        "acc": table[linear_sum_assignment(table, maximize=True)].sum() / len(known),
        "nmi": normalized_mutual_info_score(b, a, average_method="geometric"),
        "ari": adjusted_rand_score(b, a),
        "purity": table.max(axis=0).sum() / len(known),
        "sdcs": np.std(sizes, ddof=1) if len(sizes) > 1 else 0,
        "truth_sdcs": np.std(truth_sizes, ddof=1) if len(truth_sizes) > 1 else 0,
    }


def agree(got, labels, truth):
    for name, value in expected_scores(labels, truth).items():
        assert abs(got[name] - value) <= 1e-12 * max(1, value), f"{name} is {got[name]}, expected {value}, for {labels[:50]} and {truth[:50]}"


def noisy(truth, share, clusters):
    """A labeling that mostly follows another, under other numbers."""
    labels = RANDOM.permutation(clusters)[np.asarray(truth) % clusters]
    wrong = RANDOM.random(len(labels)) < share
    labels[wrong] = RANDOM.integers(0, clusters, wrong.sum())
    return labels


def batch(tasks):
    run = subprocess.run([BATCH], input="\n".join(tasks), capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stderr
    lines = [[float(x) for x in line.split()] for line in run.stdout.splitlines()]
    assert len(lines) == len(tasks)
    return lines


# Labelings: independent, related and of unequal sizes, from one line to a few thousand; some labels unknown.
pairs = []
for case in range(2500):
    n = int(RANDOM.choice([2, 3, 5, 10, 50, 200, 2000], p=[.1, .1, .1, .2, .2, .25, .05]))
    k, l = RANDOM.integers(1, min(n, 30) + 1, 2)
    truth = RANDOM.integers(0, l, n) if case % 3 else np.minimum(RANDOM.geometric(0.3, n) - 1, l - 1)
    labels = RANDOM.integers(0, k, n) if case % 2 else noisy(truth, RANDOM.random(), k)
    if case % 7 == 0:
        labels[1:][RANDOM.random(n - 1) < 0.2] = -1
        truth[1:][RANDOM.random(n - 1) < 0.2] = -1
    pairs.append((list(labels), list(truth)))
for n in (1, 2, 7, 100):  # all alike, all different
    pairs += [(a, b) for a in ([0] * n, list(range(n))) for b in ([0] * n, list(range(n)))]
pairs.append((list(RANDOM.integers(0, 300, 5000)), list(RANDOM.integers(0, 200, 5000))))
tasks = [f"labels {len(a)} {' '.join(map(str, a))} {' '.join(map(str, b))}" for a, b in pairs]
for got, (labels, truth) in zip(batch(tasks), pairs):
    agree(dict(zip(("acc", "nmi", "ari", "purity", "sdcs", "truth_sdcs"), got)), labels, truth)

# Matchings: wide, tall and square; counts with many ties, reals, gains below zero.
gains = []
for case in range(1500):
    shape = RANDOM.integers(1, 25, 2)
    gains.append(RANDOM.integers(0, 5, shape) if case % 3 == 0 else RANDOM.normal(size=shape) if case % 3 == 1 else RANDOM.random(shape) ** 9)
gains += [RANDOM.random((150, 200)), RANDOM.integers(0, 3, (200, 120))]
tasks = [f"matching {g.shape[0]} {g.shape[1]} {' '.join(repr(float(x)) for x in g.ravel())}" for g in gains]
for (got,), gain in zip(batch(tasks), gains):
    value = gain[linear_sum_assignment(gain, maximize=True)].sum()
    assert abs(got - value) <= 1e-11 * max(1, abs(value)), f"matching: {got}, SciPy says {value}, for {gain}"

# Through the command line: names, gaps, unknown labels.
def through_files(labels, truth):
    for name, lines in (("labels.txt", labels), ("truth.txt", truth)):
        with open(path(name), "w") as f:
            f.writelines(f"{line}\n" for line in lines)
    run = subprocess.run([COBLOC, "score", path("labels.txt"), path("truth.txt"), "--json"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    got = json.loads(run.stdout)
    agree(got, labels, truth)
    known = [(str(a), str(b)) for a, b in known_pairs(labels, truth)]
    confusion = got["confusion"]
    assert sum(map(sum, confusion["counts"])) == got["lines"] == len(known) == len(labels) - got["left_out"]
    for name, row in zip(confusion["classes"], confusion["counts"]):
        assert row == [known.count((cluster, name)) for cluster in confusion["clusters"]]
    assert abs(sum(row[i] for i, row in enumerate(confusion["counts"]) if i < len(row)) / len(known) - got["acc"]) < 1e-12


through_files([0, 0, 1, 1], [0, 1, 0, 1])
through_files([2, 2, 0, 0, 1], [7, 7, 9, 9, 8])
through_files(["Africa", "Asia", "Asia", "a b", "ä"], [1, 2, 2, 1, 0])
for case in range(20):
    through_files(list(RANDOM.integers(-1, 2 + case % 5, 60) ** 3), list(RANDOM.integers(-1, 3, 60)))
print(f"{len(pairs)} pairs of labelings and {len(gains)} matchings agree")
