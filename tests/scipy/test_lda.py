"""lda beside scikit-learn's LatentDirichletAllocation with the same priors: the perplexity of the documents, given what each
found, is not worse; and where documents have clear topics, these are found."""
import json

from common import *

try:
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.metrics import normalized_mutual_info_score
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

RANDOM = np.random.default_rng(10)
CASES = 0


def perplexity(x, documents, topics):
    x = x.tocoo()
    likely = np.einsum("ij,ij->i", documents[x.row], topics.T[x.col])
    return np.exp(-np.sum(x.data * np.log(likely)) / x.data.sum())


def simulate(documents, words, k, length, alpha, beta):
    """Documents drawn from the model itself; also the topic that each has most of."""
    topics = RANDOM.dirichlet(np.full(words, beta), k)
    shares = RANDOM.dirichlet(np.full(k, alpha), documents)
    x = np.array([RANDOM.multinomial(1 + RANDOM.poisson(length), share @ topics) for share in shares], dtype=float)
    return sp.csr_matrix(x[:, x.sum(axis=0) > 0]), shares.argmax(axis=1)


def check(documents, words, k, length, alpha, beta):
    global CASES
    x, truth = simulate(documents, words, k, length, alpha, beta)
    scipy.io.mmwrite(path("d.mtx"), x.astype(int))
    run = subprocess.run([COBLOC, "fit", path("d.mtx"), "-k", str(k), "-m", "lda", "--json", "-o", path("found")],
                         capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    ours = json.loads(run.stdout)["criterion"]
    model = LatentDirichletAllocation(k, max_iter=30, random_state=1).fit(x)
    theirs = perplexity(x, model.transform(x), model.components_ / model.components_.sum(axis=1, keepdims=True))
    assert ours <= 1.01 * theirs, f"k = {k}: perplexity {ours}, scikit-learn's {theirs}"
    labels = np.loadtxt(path("found/rows.tsv"), dtype=str, delimiter="\t", skiprows=1)[:, 1].astype(int)
    assert normalized_mutual_info_score(truth, labels) > 0.7, f"k = {k}: NMI {normalized_mutual_info_score(truth, labels)}"
    CASES += 1


for case in ((200, 150, 3, 60, 0.1, 0.05), (300, 300, 6, 80, 0.1, 0.05), (150, 400, 10, 120, 0.05, 0.03)):
    check(*case)
print(f"{CASES} simulated collections: perplexities not worse")
