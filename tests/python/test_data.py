"""Tables of every kind, in and out; what is borrowed and what is copied."""
import os
import subprocess
import sys

import numpy as np
import pandas
import pytest
import scipy.sparse as sp
from conftest import counts, planted

import cobloc
from cobloc import CoClustering, _engine
from cobloc._matrix import to_engine, to_scipy

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
         "float32", "float64", ">i4", ">f8"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia", "dense"])
def test_every_kind(dtype, format):
    counts = planted(12, 9).toarray().astype(dtype)
    table = counts if format == "dense" else sp.coo_matrix(counts).asformat(format)
    assert (to_scipy(to_engine(table)).toarray() == counts.astype(float)).all()


def test_wide_indices_order_and_duplicates():
    X = planted(12, 9)
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (to_scipy(to_engine(wide)) != X).nnz == 0
    turned = sp.csr_matrix((X.data[::-1], X.indices[::-1], (X.nnz - X.indptr)[::-1]), shape=X.shape)
    assert (to_scipy(to_engine(turned)) != X[::-1]).nnz == 0
    twice = sp.csr_matrix(([1.0, 2.0], [0, 0], [0, 2]), shape=(1, 2))
    assert to_scipy(to_engine(twice)).toarray().tolist() == [[3, 0]]
    assert (to_scipy(to_engine(sp.csr_array(X))) != X).nnz == 0


def test_frames(X):
    names = [f"term {j}" for j in range(45)]
    frame = pandas.DataFrame(X.toarray(), columns=names, index=[f"doc {i}" for i in range(60)])
    expected = CoClustering(3, "coclus", random_state=1).fit(X).row_labels_
    sparse = pandas.DataFrame.sparse.from_spmatrix(X, columns=names, index=frame.index)
    for table in (frame, sparse):
        e = CoClustering(3, "coclus", random_state=1).fit(table)
        assert (e.row_labels_ == expected).all() and (e.predict(table) == expected).all()
        assert e.feature_names_in_.tolist() == names
        assert e.result_.column_names == names and e.result_.rows().index[2] == "doc 2"
        assert e.result_.columns()["cluster"].tolist() == e.column_labels_.tolist()
        assert e.result_.describe()["telling"][0][0] in names
    with pytest.raises(ValueError, match="feature names"):
        e.predict(frame[names[::-1]])


def test_anndata(X):
    anndata = pytest.importorskip("anndata")
    cells = anndata.AnnData(X.astype(np.float32))
    cells.var_names = [f"gene{j}" for j in range(45)]
    e = CoClustering(3, "coclus", random_state=1).fit(cells)
    assert cells.obs["cobloc"].tolist() == e.row_labels_.tolist()
    assert cells.var["cobloc"].tolist() == e.column_labels_.tolist()
    assert cells.uns["cobloc"]["model"] == "coclus"
    assert e.feature_names_in_[3] == "gene3" and (e.predict(cells) == e.row_labels_).all()
    assert "gene" in e.result_.describe()["name"][0]


def test_missing_cells():
    X = planted(30, 20).toarray().astype(float)
    X[4, 5] = X[7, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        CoClustering(2, "glbm").fit(X)
    e = CoClustering(2, "glbm", missing="ignore", random_state=1).fit(X)
    assert (e.predict(X) == e.row_labels_).all()
    back = to_scipy(to_engine(X)).toarray()
    assert np.array_equal(back, X, equal_nan=True)


# ---- borrowing ---------------------------------------------------------------------------------


def reals(dtype, index):
    X = planted(40, 30, dtype=np.float64)
    X.data += 0.25
    X = X.astype(dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    return X


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("dtype, index, borrowed", [
    (np.float32, np.int32, True), (np.float64, np.int32, True), (np.float32, np.int64, False)])
def test_what_is_borrowed(format, dtype, index, borrowed):
    X = reals(dtype, index).asformat(format)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    matrix = to_engine(X)
    assert _engine.matrix(matrix)["borrowed"] == borrowed
    e = CoClustering(3, "coclus", random_state=1).fit(X)
    assert e.borrowed_ == borrowed


def test_borrowed_arrays_are_the_callers():
    X = reals(np.float32, np.int32)
    data = X.data
    before = sys.getrefcount(data)
    matrix = to_engine(X)
    held = sys.getrefcount(data)
    *_, indices, values = _engine.view(matrix, False)
    del matrix
    assert (held, sys.getrefcount(data)) == (before + 1, before)
    assert indices == X.indices.ctypes.data and values == data.ctypes.data
    packed = to_engine(planted(dtype=np.float32))  # counts: indices borrowed, values packed into bytes
    assert _engine.matrix(packed)["borrowed"] and _engine.view(packed, False)[3] == "|u1"


def test_arrays_outlive_the_matrix():
    X = to_scipy(to_engine(planted()))
    assert (X != planted()).nnz == 0 and not X.data.flags.writeable


SCRIPT = """
import numpy as np, scipy.sparse as sp, sys
from cobloc._matrix import to_engine
rows, each = 20000, 500
X = sp.csr_matrix((np.random.RandomState(0).rand(rows * each).astype(np.float32) + 0.5,
                   (np.arange(each, dtype=np.int32) * 7 + np.arange(rows, dtype=np.int32)[:, None] % 7).ravel(),
                   np.arange(rows + 1, dtype=np.int32) * each), shape=(rows, each * 7 + 7))
def now():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
small = to_engine(X[:100])
before = now()
matrix = to_engine(X)
print((now() - before) / (X.data.nbytes + X.indices.nbytes))
"""


def test_memory_shows_that_nothing_is_copied():
    """Only the other orientation is made: as many bytes as the caller's arrays, not twice as many."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    assert float(done.stdout) < 1.15


# ---- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.mtx", "a.mtx.gz", "a.npz", "a.cbm", "a.svm", "a.mat", "a.csv", "a.ldac",
                                  "a.docword.txt", "a.cluto", "a.triples.csv"])
def test_round_trips(name, tmp_path):
    X = planted(12, 9)
    names = [f"r{i}" for i in range(12)], [f"t{j}" for j in range(9)]
    cobloc.write(tmp_path / name, X, row_names=names[0], column_names=names[1])
    matrix, found = cobloc.read(tmp_path / name)
    assert (found.rows, found.columns) == names
    order = [found.columns.index(name) for name in names[1]]
    assert (matrix[:, order] != X).nnz == 0


def test_large_cbm_is_mapped(tmp_path):
    X = counts(4000, 30000, 800, np.float32)
    X.data += 0.5
    cobloc.write(tmp_path / "large.cbm", X)
    assert os.path.getsize(tmp_path / "large.cbm") > 1 << 24
    matrix, _ = cobloc.read(tmp_path / "large.cbm")
    with open("/proc/self/maps") as maps:
        assert any("large.cbm" in line for line in maps)
    assert abs(matrix - X).max() == 0
    del matrix
    with open("/proc/self/maps") as maps:
        assert not any("large.cbm" in line for line in maps)


def test_text_and_categories(tmp_path):
    (tmp_path / "texts.txt").write_text("red rose\nred sky\nblue sky\n")
    matrix, names = cobloc.read(tmp_path / "texts.txt", corpus="lines", min_df=1, language="none")
    assert names.columns == ["blue", "red", "rose", "sky"] and matrix.sum() == 6
    (tmp_path / "votes.csv").write_text("name,a,b\nx,yes,no\ny,no,yes\nz,no,no\n")
    matrix, names = cobloc.read(tmp_path / "votes.csv", values="categories")
    assert names.categories == ["no", "yes"] and matrix.toarray().tolist() == [[1, 0], [0, 1], [0, 0]]


def test_simulate():
    X, truth = cobloc.simulate("dlbm-sparse:90", random_state=3)
    assert X.shape == (len(truth["row_labels"]), len(truth["col_labels"]))
