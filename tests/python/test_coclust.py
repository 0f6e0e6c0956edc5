"""The names of the package coclust."""
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import planted
from scipy.io import savemat
from sklearn.base import clone

from cobloc.coclust import visualization
from cobloc.coclust.clustering.spherical_kmeans import SphericalKmeans
from cobloc.coclust.coclustering import CoclustInfo, CoclustMod, CoclustSpecMod
from cobloc.coclust.evaluation.external import accuracy
from cobloc.coclust.evaluation.internal import best_modularity_partition
from cobloc.coclust.initialization import random_init
from cobloc.coclust.io.data_loading import load_doc_term_data
from cobloc.coclust.io.data_transformation import cooccurence_to_binary, cooccurence_to_tfidf
from cobloc.coclust.io.input_checking import check_array, check_numbers, check_positive


def modularity(X, rows, columns):
    """By its definition."""
    X = X.toarray()
    beyond = X / X.sum() - np.outer(X.sum(axis=1), X.sum(axis=0)) / X.sum() ** 2
    return beyond[np.equal.outer(rows, columns)].sum()


def test_modules_of_old_releases():
    from cobloc.coclust.CoclustInfo import CoclustInfo as info
    from cobloc.coclust.coclustering.CoclustMod import CoclustMod as inner
    from cobloc.coclust.CoclustMod import CoclustMod as mod
    from cobloc.coclust.CoclustSpecMod import CoclustSpecMod as spec

    assert (mod, inner, info, spec) == (CoclustMod, CoclustMod, CoclustInfo, CoclustSpecMod)


def test_coclust_mod(X):
    model = CoclustMod(n_clusters=3, n_init=2, random_state=0)
    assert model.modularity == -np.inf and model.modularities == []
    model.fit(X)
    assert isinstance(model.row_labels_, list) and isinstance(model.column_labels_, list)
    assert model.modularity == pytest.approx(modularity(X, model.row_labels_, model.column_labels_))
    assert model.modularities[-1] == pytest.approx(model.modularity) and model.nb_iterations >= 1
    assert accuracy(np.arange(60) % 3, model.row_labels_) == 1
    assert accuracy(3, np.arange(60) % 3, model.row_labels_) == 1
    assert sum(model.get_shape(i)[0] for i in range(3)) == 60
    assert model.get_submatrix(X, 0).shape == model.get_shape(0)
    assert model.get_assignment_matrix("rows", 1).ravel().tolist() == model.row_labels_
    assert model.get_assignment_matrix("cols", 2).shape == (45, 2)
    assert clone(model).get_params() == model.get_params()
    assert pickle.loads(pickle.dumps(model)).modularity == model.modularity


def test_random_start(X):
    model = CoclustMod(n_clusters=3, init=random_init(3, 45, 1), n_jobs=2).fit(X)
    assert model.modularity > 0.2


def test_init(X):
    W = np.eye(3)[np.arange(45) % 3]
    for init in (W, sp.csr_matrix(W)):
        model = CoclustMod(n_clusters=3, init=init).fit(X)
        assert model.column_labels_ == CoclustMod(n_clusters=3, init=init).fit(X).column_labels_
        assert accuracy(np.arange(60) % 3, model.row_labels_) == 1
    CoclustInfo(4, 3, init=W, random_state=0).fit(X)
    with pytest.raises(ValueError, match="45"):
        CoclustMod(n_clusters=3, init=W[:5]).fit(X)


def test_diagonal_matrix():
    model = CoclustMod(n_clusters=3).fit(np.diag(range(1, 200)))
    assert model.row_labels_ == model.column_labels_


def test_empty_lines_are_somewhere():
    X = planted().toarray()
    X[:, 4] = 0
    model = CoclustMod(n_clusters=3).fit(X)
    assert set(model.column_labels_) == {0, 1, 2}


def test_spec_mod_and_kmeans(X):
    truth = np.arange(60) % 3
    assert accuracy(truth, CoclustSpecMod(n_clusters=3, random_state=0).fit(X).row_labels_) > 0.9
    for weighting in (True, False):
        model = SphericalKmeans(n_clusters=3, n_init=3, random_state=0, weighting=weighting).fit(X)
        assert accuracy(truth, model.labels_) > 0.9 and model.criterion == model.criterions[-1]


def test_coclust_info(X):
    model = CoclustInfo(n_row_clusters=3, n_col_clusters=3, n_init=3, random_state=0).fit(X)
    X, rows, cols = X.toarray(), np.array(model.row_labels_), np.array(model.column_labels_)
    blocks = np.array([[X[np.ix_(rows == k, cols == j)].sum() for j in range(3)] for k in range(3)])
    p = blocks / blocks.sum()
    expected = p / np.outer(p.sum(axis=1), p.sum(axis=0))
    assert np.allclose(model.delta_kl_, expected)
    information = np.sum(p[p > 0] * np.log(expected[p > 0]))
    assert model.criterion == pytest.approx(information)
    assert model.get_shape(0, 1) == (len(model.get_row_indices(0)), len(model.get_col_indices(1)))
    assert model.get_submatrix(X, 0, 1).shape == model.get_shape(0, 1)


def test_sizes(X):
    model, values = best_modularity_partition(X, range(2, 6), 2)
    assert model.n_clusters == 3 and len(values) == 4 and max(values) - values[1] < 1e-3


def test_pictures(X):
    model = CoclustMod(n_clusters=3, random_state=0).fit(X)
    terms = [f"t{j}" for j in range(45)]
    visualization.plot_max_modularities([0.1, 0.3, 0.2], range(2, 5))
    visualization.plot_intermediate_modularities(model)
    visualization.plot_convergence(model.modularities, "Modularity")
    visualization.plot_cluster_top_terms(X, terms, 5, model)
    visualization.plot_cluster_sizes(model)
    visualization.plot_reorganized_matrix(X, model)
    visualization.plot_confusion_matrix(np.eye(3, dtype=int))
    visualization.plot_delta_kl(CoclustInfo(3, 2, random_state=0).fit(X))
    graph = visualization.get_term_graph(X, model, terms, 0, n_top_terms=4, n_neighbors=3)
    assert len(graph["nodes"]) >= 4 and graph["links"]
    assert all(0 <= link["value"] <= 1 + 1e-9 and link["source"] != link["target"] for link in graph["links"])
    plt.close("all")


def test_loading(tmp_path, X):
    coo = X.tocoo()
    lines = [f"{i},{j},{v}" for i, j, v in zip(coo.row, coo.col, coo.data)]
    (tmp_path / "a.csv").write_text("60,45\n" + "\n".join(lines) + "\n")
    (tmp_path / "terms.txt").write_text("\n".join(f"t{j}" for j in range(45)) + "\n")
    data = load_doc_term_data(tmp_path / "a.csv", tmp_path / "terms.txt")
    assert (data["doc_term_matrix"] != X).nnz == 0 and data["term_labels"][44] == "t44"
    savemat(tmp_path / "a.mat", {"doc_term_matrix": X, "doc_labels": np.arange(60)})
    assert load_doc_term_data(tmp_path / "a.mat")["doc_labels"][59] == 59
    with pytest.raises(ValueError):
        load_doc_term_data(tmp_path / "nothing.csv")
    assert set(cooccurence_to_binary(X).data) == {1}
    assert np.allclose(np.sqrt(cooccurence_to_tfidf(X).power(2).sum(axis=1)), 1)


def test_checks():
    check_array(np.eye(2))
    check_positive(sp.eye(3))
    check_numbers(np.eye(3), 3)
    for call in (lambda: check_array(np.array([[0.0, 1], [0, 1]])), lambda: check_positive(-np.eye(2)),
                 lambda: check_numbers(np.eye(2), 3), lambda: check_array(-np.eye(2))):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        check_array([[1]])


def test_their_data(data):
    from scipy.io import loadmat

    X = loadmat(data("cstr.mat"))["fea"]
    model = CoclustMod(n_clusters=4).fit(X)
    assert set(model.row_labels_) == set(model.column_labels_) == set(range(4))
    assert -1 <= model.modularity <= 1
