"""The same answers as the command line's, byte for byte, for every model."""
import filecmp

import pytest
from conftest import planted

import cobloc

# Of the consensus methods, too: they make the same members.
MODELS = ["auto", *cobloc.models().index]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "table.cbm"
    X = planted(90, 70, 3, seed=4)
    cobloc.write(path, X, row_names=[f"r{i}" for i in range(90)], column_names=[f"c{j}" for j in range(70)])
    return path, X


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_every_model(model, table, program, tmp_path):
    path, X = table
    extra = ["--values", "categories"] if model == "clbm" else []
    program("fit", path, "-m", model, "-k", 3, "--seed", 7, "-o", tmp_path / "cli", *extra)
    matrix, names = cobloc.read(path)
    e = cobloc.CoClustering(3, model, random_state=7).fit(matrix)
    known = cobloc.load(tmp_path / "cli")
    assert e.row_labels_.tobytes() == known["row_labels"].tobytes()
    assert e.column_labels_.tobytes() == known["col_labels"].tobytes()
    assert e.criterion_ == known["criterion"]
    assert (cobloc.CoClustering(3, model, random_state=7).fit(X).row_labels_ == e.row_labels_).all()


@pytest.mark.parametrize("inference", ["soft", "stochastic"])
def test_folders_are_the_same(inference, table, program, tmp_path):
    path, X = table
    import pandas

    program("fit", path, "-m", "plbm", "-k", 3, "--inference", inference, "-o", tmp_path / "cli")
    frame = pandas.DataFrame(X.toarray(), [f"r{i}" for i in range(90)], [f"c{j}" for j in range(70)])
    e = cobloc.CoClustering(3, "plbm", inference=inference, random_state=1).fit(frame)
    e.result_.save(tmp_path / "python")
    for name in ("rows.tsv", "cols.tsv", "rows.probabilities.tsv"):
        if (tmp_path / "cli" / name).exists():
            assert filecmp.cmp(tmp_path / "cli" / name, tmp_path / "python" / name, shallow=False), name
    shown = program("describe", tmp_path / "python", "--input", path)
    assert shown == program("describe", tmp_path / "cli", "--input", path)


def test_predictions_are_the_same(table, program, tmp_path):
    path, X = table
    program("fit", path, "-m", "skmeans", "-k", 3, "-w", "tfidf", "--seed", 7, "-o", tmp_path / "cli")
    new = planted(20, 70, 3, seed=5)
    cobloc.write(tmp_path / "new.cbm", new)
    program("predict", tmp_path / "cli", tmp_path / "new.cbm", "-o", tmp_path / "predicted.tsv")
    lines = (tmp_path / "predicted.tsv").read_text().splitlines()[1:]
    expected = [int(line.split("\t")[1]) for line in lines]
    e = cobloc.CoClustering(3, "skmeans", weight="tfidf", random_state=7).fit(X)
    assert e.predict(new).tolist() == expected
    assert cobloc.load(tmp_path / "cli").predict(new)["labels"].tolist() == expected


def test_real_data(data, program, tmp_path):
    path = data("cstr.mtx.gz")
    program("fit", path, "-m", "splbm", "-k", 4, "-o", tmp_path / "cli")
    e = cobloc.CoClustering(4, "splbm", random_state=1).fit(cobloc.read(path)[0])
    assert e.row_labels_.tobytes() == cobloc.load(tmp_path / "cli")["row_labels"].tobytes()
