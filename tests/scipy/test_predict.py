"""New rows beside scikit-learn's classifiers, trained on the clusters that were found: the nearest centroid, the smallest angle
by the TF-IDF of the training rows, naive Bayes."""
import itertools

from common import *

try:
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.neighbors import NearestCentroid
    from sklearn.preprocessing import normalize
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

RANDOM = np.random.default_rng(3)
COMPARED = 0


def cobloc(*words):
    run = subprocess.run([COBLOC, *map(str, words)], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return run.stdout


def is_number(cell):
    return cell.replace(".", "", 1).replace("-", "", 2).replace("e", "", 1).replace("+", "", 1).isdigit()


def table(text):
    """The numbers behind the names: clusters, and what follows up to the first word."""
    rows = [line.split("\t")[1:] for line in text.splitlines()[1:]]
    return np.array([[float(cell) for cell in itertools.takewhile(is_number, row)] for row in rows])


def clusters(k, model, *options):
    cobloc("fit", path("old.mtx"), "-k", k, "-m", model, "--tol", 0, "--max-iter", 1000, "-o", path("out"), *options)
    return table(open(path("out/rows.tsv")).read())[:, 0].astype(int)


def agree(ours, theirs, what):
    global COMPARED
    assert (ours == theirs).mean() >= 0.995, f"{what}: {(ours == theirs).mean()} of the rows agree"
    COMPARED += len(ours)


def nearest(old, new, k):
    labels = clusters(k, "kmeans")
    agree(table(cobloc("predict", path("out"), path("new.mtx")))[:, 0], NearestCentroid().fit(old.toarray(), labels).predict(new.toarray()), "kmeans")


def smallest_angle(old, new, k):
    labels = clusters(k, "skmeans")
    weights = TfidfTransformer().fit(old)
    centres = normalize(np.vstack([np.asarray(weights.transform(old)[labels == c].sum(axis=0)) for c in range(k)]))
    agree(table(cobloc("predict", path("out"), path("new.mtx")))[:, 0], np.argmax(weights.transform(new) @ centres.T, axis=1), "skmeans")


def naive_bayes(old, new, k):
    global COMPARED
    labels = clusters(k, "bmm")
    theirs = BernoulliNB(alpha=1).fit(old > 0, labels).predict_proba(new > 0)
    ours = table(cobloc("predict", path("out"), path("new.mtx"), "--all"))[:, 2:]
    assert np.abs(ours - theirs).max() < 1e-8, f"bmm: probabilities differ by {np.abs(ours - theirs).max()}"
    COMPARED += ours.size


def modularity(old, new, k):
    """coclus, straight from its definition."""
    labels = clusters(k, "coclus")
    columns = table(open(path("out/cols.tsv")).read())[:, 0].astype(int)
    shares = np.array([old[:, columns == c].sum() for c in range(k)]) / old.sum()
    inside = np.column_stack([np.asarray(new[:, columns == c].sum(axis=1)).ravel() for c in range(k)])
    agree(table(cobloc("predict", path("out"), path("new.mtx")))[:, 0], np.argmax(inside - np.outer(new.sum(axis=1), shares), axis=1), "coclus")
    assert len(labels) == old.shape[0]


def planted(rows, cols, k):
    chance = np.where(np.equal.outer(np.arange(rows) % k, np.arange(cols) % k), 0.2, 0.03)
    x = RANDOM.poisson(chance * 2)
    x[np.arange(rows), np.arange(rows) % cols] += 1  # no empty row
    x[np.arange(cols), np.arange(cols)] += 1  # no empty column
    return sp.csr_matrix(x.astype(float))


for rows, cols, k in ((150, 60, 3), (300, 100, 6)):
    old, new = planted(rows, cols, k), planted(200, cols, k)
    scipy.io.mmwrite(path("old.mtx"), old)
    scipy.io.mmwrite(path("new.mtx"), new)
    for judge in (nearest, smallest_angle, naive_bayes, modularity):
        judge(old, new, k)
print(f"{COMPARED} numbers agree")
