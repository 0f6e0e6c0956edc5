"""Accuracy, NMI and ARI equal those of SciPy and scikit-learn."""
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
CASES = 0


def cobloc_scores(labels, truth):
    for name, lines in (("labels.txt", labels), ("truth.txt", truth)):
        with open(path(name), "w") as f:
            f.writelines(f"{line}\n" for line in lines)
    run = subprocess.run([COBLOC, "score", path("labels.txt"), path("truth.txt"), "--json"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def accuracy(labels, truth):
    table = contingency_matrix(truth, labels)
    return table[linear_sum_assignment(table, maximize=True)].sum() / len(labels)


def check(labels, truth):
    global CASES
    got = cobloc_scores(labels, truth)
    known = [pair for pair in zip(labels, truth) if str(pair[0]) != "-1" and str(pair[1]) != "-1"]
    a, b = ([str(x) for x in side] for side in zip(*known))
    expected = {
        "acc": accuracy(a, b),
        "nmi": normalized_mutual_info_score(b, a, average_method="geometric"),
        "ari": adjusted_rand_score(b, a),
    }
    for name, value in expected.items():
        assert abs(got[name] - value) <= 1e-12, f"{name} is {got[name]}, scikit-learn says {value}, for {labels[:50]} and {truth[:50]}"
    CASES += 1


def noisy(truth, share, clusters):
    """A labeling that mostly follows another, under other numbers."""
    labels = RANDOM.permutation(clusters)[np.asarray(truth) % clusters]
    wrong = RANDOM.random(len(labels)) < share
    labels[wrong] = RANDOM.integers(0, clusters, wrong.sum())
    return labels


# Independent, related and unequal sizes, from two lines to a few thousand.
for case in range(200):
    n = int(RANDOM.choice([2, 3, 5, 10, 50, 200, 2000]))
    k, l = RANDOM.integers(1, min(n, 30) + 1, 2)
    truth = RANDOM.integers(0, l, n) if case % 3 else np.minimum(RANDOM.geometric(0.3, n) - 1, l - 1)
    labels = RANDOM.integers(0, k, n) if case % 2 else noisy(truth, RANDOM.random(), k)
    check(list(labels), list(truth))

# Edges: all alike, all different, perfect, crossed, one line, names, unknown labels.
for n in (1, 2, 7, 100):
    same, apart = [0] * n, list(range(n))
    for labels in (same, apart):
        for truth in (same, apart):
            check(labels, truth)
check([0, 0, 1, 1], [0, 1, 0, 1])
check([2, 2, 0, 0, 1], [7, 7, 9, 9, 8])
check(["Africa", "Asia", "Asia", "a b", "ä"], [1, 2, 2, 1, 0])
for case in range(20):
    check(list(RANDOM.integers(-1, 4, 60)), list(RANDOM.integers(-1, 3, 60)))
check(list(RANDOM.integers(0, 300, 5000)), list(RANDOM.integers(0, 200, 5000)))
print(f"{CASES} pairs of labelings agree")
