"""scikit-learn's conventions."""
import pickle
import warnings

import joblib
import numpy as np
import pytest
from conftest import planted
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from cobloc import CoClustering, Ensemble, Selection, Vectorizer, score
from cobloc.coclust import CoclustInfo, CoclustMod, CoclustSpecMod

ESTIMATORS = [
    CoClustering(random_state=1),
    CoClustering(2, model="plbm"),
    Selection(),
    Ensemble(sizes=(2, 4), n_init=2),
    Vectorizer(),
    CoclustMod(),
    CoclustSpecMod(),
    CoclustInfo(),
]


@parametrize_with_checks(ESTIMATORS)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn(estimator, check):
    check(estimator)


def test_nothing_is_skipped():
    for estimator in ESTIMATORS:
        assert not estimator._get_tags()["_xfail_checks"] and not estimator._get_tags()["no_validation"]


def test_attributes(X):
    e = CoClustering(3, "coclus", random_state=1).fit(X)
    assert e.row_labels_.shape == (60,) and e.column_labels_.shape == (45,)
    assert e.n_clusters_ == e.n_column_clusters_ == 3 and e.model_ == "coclus"
    assert score(e.row_labels_, np.arange(60) % 3)["acc"] == 1
    rows, columns = e.biclusters_
    assert rows.shape == (3, 60) and columns.shape == (3, 45)
    assert (np.argmax(rows, axis=0) == e.row_labels_).all()
    assert e.get_shape(0) == (20, 15) and e.get_submatrix(0, X).shape == (20, 15)
    assert (e.get_indices(1)[0] == np.flatnonzero(e.row_labels_ == 1)).all()
    assert e.criterion_name_ == "modularity" and 0 < e.criterion_ < 1 and e.n_iter_ >= 1
    assert (e.predict(X) == e.row_labels_).all()
    assert (np.argmax(e.transform(X), axis=1) == e.row_labels_).all()
    assert (e.fit_predict(X) == e.row_labels_).all()
    assert not hasattr(e, "predict_proba") and not hasattr(CoClustering(), "predict_proba")


def test_blocks_of_a_model_without_pairs(X):
    e = CoClustering(3, "plbm", n_column_clusters=2, random_state=1).fit(X)
    assert e.rows_.shape == (6, 60) and e.columns_.shape == (6, 45)
    assert (e.rows_.sum(axis=0) == 2).all() and (e.columns_.sum(axis=0) == 3).all()


def test_probabilities(X):
    e = CoClustering(3, "plbm", inference="soft", random_state=1)
    assert hasattr(e, "predict_proba")
    p = e.fit(X).predict_proba(X)
    assert p.shape == (60, 3) and np.allclose(p.sum(axis=1), 1)
    assert np.allclose(p, e.result_["row_probabilities"], atol=1e-6)
    s = e.transform(X)
    expected = np.exp(s - s.max(axis=1, keepdims=True))
    assert np.allclose(p, expected / expected.sum(axis=1, keepdims=True))


def test_size_is_chosen():
    e = CoClustering(random_state=1).fit(planted(90, 60, 3))
    assert e.n_clusters_ == 3 and e.result_["size_rule"] in ("agreement", "icl")
    assert len(e.result_.sizes()) > 1 and e.result_["size_summary"]


def test_random_state(X):
    a, b = (CoClustering(3, random_state=np.random.RandomState(3)).fit(X) for _ in range(2))
    assert (a.row_labels_ == b.row_labels_).all() and a.result_["seed"] == b.result_["seed"]
    assert CoClustering(3, "coclus", random_state=11).fit(X).result_["seed"] == 11
    np.random.seed(5)
    one = CoClustering(3, "coclus").fit(X).result_["seed"]
    np.random.seed(5)
    assert CoClustering(3, "coclus").fit(X).result_["seed"] == one


def test_starts_and_known_clusters(X):
    start = np.arange(60) % 3
    e = CoClustering(3, "coclus", init=start).fit(X)
    assert score(e.row_labels_, start)["acc"] == 1
    known = np.full(60, -1)
    known[:3] = [2, 1, 0]
    f = CoClustering(3, "coclus", random_state=1).fit(X, fix_rows=known)
    assert f.row_labels_[:3].tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="expected 60"):
        CoClustering(3, "coclus", init=[0, 1]).fit(X)


@pytest.mark.parametrize("estimator", [
    CoClustering(3, "plbm", inference="soft", random_state=1),
    Selection((2, 4), "plbm", random_state=1),
    Ensemble(3, sizes=(2, 4), random_state=1),
], ids=lambda e: type(e).__name__)
def test_pickle_and_clone(estimator, X):
    e = clone(estimator).fit(X)
    again = pickle.loads(pickle.dumps(e))
    assert (again.row_labels_ == e.row_labels_).all() and (again.predict(X) == e.predict(X)).all()
    assert again.transform(X).tobytes() == e.transform(X).tobytes()
    assert again.result_["criterion"] == e.result_["criterion"]
    with pytest.raises(ValueError, match="give it as X"):
        again.result_.report()
    assert "html" in again.result_.report(X).page
    assert clone(e).get_params() == e.get_params() and not hasattr(clone(e), "result_")
    with pytest.raises(ValueError, match="packed"):
        again.result_.__setstate__({"saved": b"{}", "extra": {}})


def test_frames_out(X):
    e = CoClustering(3, random_state=1).set_output(transform="pandas").fit(X)
    scores = e.transform(X)
    assert scores.columns.tolist() == e.get_feature_names_out().tolist()
    assert scores.columns[0] == "coclustering0"


TEXTS = ["red rose red", "rose red flower", "blue sky", "sky blue cloud", "flower rose", "cloud sky"] * 4


def test_pipeline():
    for vectorizer in (CountVectorizer(), Vectorizer()):
        pipe = make_pipeline(vectorizer, CoClustering(2, "coclus", random_state=1)).fit(TEXTS)
        labels = pipe.predict(TEXTS)
        assert score(labels, [0, 0, 1, 1, 0, 1] * 4)["acc"] == 1
        assert pipe.predict(["red flower"])[0] == labels[0]


def test_grid_search(X):
    grid = GridSearchCV(CoClustering(random_state=1), {"n_clusters": [2, 3], "model": ["plbm", "coclus"]},
                        cv=3, scoring="normalized_mutual_info_score")
    grid.fit(X, np.arange(60) % 3)
    assert grid.best_params_["n_clusters"] == 3 and grid.best_score_ > 0.9
    grid = GridSearchCV(CoClustering(3, "plbm", random_state=1), {"n_init": [1, 2]}, cv=2)
    assert np.isfinite(grid.fit(X).cv_results_["mean_test_score"]).all()
    assert CoClustering(3, random_state=1).fit(X).score(X, np.arange(60) % 3) == pytest.approx(1)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(backend, X):
    def labels_of(X, seed):
        return CoClustering(3, "plbm", random_state=seed, n_jobs=1).fit(X).row_labels_

    expected = [labels_of(X, seed) for seed in range(4)]
    found = joblib.Parallel(2, backend=backend)(joblib.delayed(labels_of)(X, s) for s in range(4))
    assert all((a == b).all() for a, b in zip(expected, found))


def test_threads_do_not_matter(X):
    found = [CoClustering(3, random_state=2, n_jobs=n).fit(X) for n in (None, 1, 2, -1)]
    assert len({(e.row_labels_.tobytes(), e.criterion_) for e in found}) == 1


def test_selection():
    X = planted(80, 60, 4)
    s = Selection((2, 6), "plbm", by="icl", random_state=1).fit(X)
    assert s.n_clusters_ == 4 and s.by_ == "icl" and s.summary_
    assert s.curve()["k"].tolist() == [2, 3, 4, 5, 6]
    assert s.curve_[s.chosen_]["k"] == 4
    t = Selection((2, 5), ["plbm", "itcc"], random_state=1).fit(X)
    assert t.model_ in ("plbm", "itcc") and len(t.curve_) == 8


def test_ensemble(X):
    a = Ensemble(3, sizes=(2, 5), random_state=1).fit(X)
    assert score(a.row_labels_, np.arange(60) % 3)["acc"] == 1
    assert len(a.members()) == 4 and any(m["kept"] for m in a.members_)
    made = [CoClustering(3, "coclus", random_state=s).fit(X) for s in range(3)]
    b = Ensemble(3, random_state=1).fit(X, given=[*made, np.arange(60) % 3])
    assert len(b.members_) == 4 and score(b.row_labels_, np.arange(60) % 3)["acc"] == 1


def test_warnings_are_python_warnings(X):
    X = X.tolil()
    X[3] = 0
    with pytest.warns(UserWarning, match="^1 row without entries"):
        e = CoClustering(3, "coclus", random_state=1).fit(X)
    assert e.row_labels_[3] == -1 and e.predict(X)[3] == -1
    with pytest.warns(UserWarning, match="did not converge"):
        CoClustering(3, "plbm", inference="soft", max_iter=1, tol=0, random_state=1).fit(planted())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CoClustering(3, "coclus", random_state=1).fit(planted())
