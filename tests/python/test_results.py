"""Reports, pictures, frames, folders, scores."""
import matplotlib.pyplot as plt
import numpy as np
import pandas
import pytest
from conftest import planted

import cobloc
from cobloc import CoClustering


@pytest.fixture
def fitted(X):
    frame = pandas.DataFrame.sparse.from_spmatrix(X, columns=[f"t{j}" for j in range(45)])
    return CoClustering(3, "coclus", random_state=1).fit(frame).result_


def test_values_by_name(fitted):
    assert fitted["model"] == "coclus" and "icl" in fitted and len(list(fitted)) > 30
    assert "criterion" in fitted.help("criterion_name") and "coclus" in repr(fitted)
    with pytest.raises(KeyError):
        fitted["no such value"]
    soft = CoClustering(2, "plbm", random_state=1).fit(planted()).result_
    assert soft["icl"] < soft["log_likelihood"] < 0 and soft["free_parameters"] == 2 * 2 + 1 + 1


def test_report(fitted, tmp_path):
    report = fitted.report(path=tmp_path / "page.html", truth=np.arange(60) % 3, title="Planted")
    assert report.page.startswith("<!") and "Planted" in report.page
    assert (tmp_path / "page.html").read_text() == report.page
    assert report._repr_html_().startswith("<iframe") and "KiB" in repr(report)
    fitted.picture(tmp_path / "matrix.svg")
    fitted.picture(tmp_path / "confusion.png", "confusion", truth=np.arange(60) % 3)
    assert (tmp_path / "matrix.svg").read_text().lstrip().startswith("<?xml")
    with pytest.raises(ValueError, match="no picture"):
        fitted.picture(tmp_path / "a.svg", "nothing")


def test_plots(fitted):
    ax = plt.subplots()[1]
    assert fitted.plot.matrix(ax=ax) is ax
    image = ax.images[0].get_array()
    assert image[:20, :15].mean() > 3 * image[:20, 15:].mean()  # what belongs together stands together
    for ax in (fitted.plot.matrix(ordered=False), fitted.plot.blocks(), fitted.plot.convergence(),
               fitted.plot.restarts(), fitted.plot.confusion(np.arange(60) % 3), fitted.plot.graph(0)):
        assert ax.has_data()
    with pytest.raises(ValueError, match="given"):
        fitted.plot.sizes()
    chosen = CoClustering(random_state=1).fit(planted()).result_
    assert chosen.plot.sizes().has_data()
    plt.close("all")


def test_frames(fitted):
    blocs = fitted.describe(terms=4, rows=2)
    assert len(blocs) == 3 and blocs["rows"].sum() == 60 and len(blocs["telling"][0]) == 4
    assert set(blocs["telling"][0]) <= set(fitted.column_names)
    assert fitted.blocks().shape == fitted.lifts().shape == fitted.parameters().shape == (3, 3)
    assert (np.diag(fitted.lifts()) > 1.5).all()
    auto = CoClustering(3, random_state=1).fit(planted()).result_
    assert {"model", "agreement"} <= set(auto.candidates())
    glbm = CoClustering(2, "glbm", random_state=1).fit(planted(dtype=float)).result_
    assert set(glbm.parameters()) == {"mean", "variance"}


def test_folders(fitted, tmp_path, X):
    fitted.save(tmp_path / "folder")
    again = cobloc.load(tmp_path / "folder")
    assert (again["row_labels"] == fitted["row_labels"]).all()
    assert again.column_names == fitted.column_names
    assert again.describe(X)["telling"].tolist() == fitted.describe()["telling"].tolist()


def test_scores(program, tmp_path):
    rng = np.random.RandomState(0)
    a, b = rng.randint(0, 4, 200), rng.randint(0, 3, 200)
    found = cobloc.score(a, b)
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    assert found["ari"] == pytest.approx(adjusted_rand_score(b, a))
    assert found["nmi"] == pytest.approx(normalized_mutual_info_score(b, a, average_method="geometric"))
    both = cobloc.score(a, b, column_labels=b, column_truth=b)
    assert both["cce"] == pytest.approx(1 - found["acc"]) and both["columns"]["acc"] == 1


def test_compare(X):
    table = cobloc.compare(X, np.arange(60) % 3, ["coclus", "plbm:soft@tfidf"], 3, n_runs=3, restarts=2)
    assert table["weight"].tolist() == ["none", "tfidf"] and (table["nmi_mean"] > 0.9).all()
