"""cobloc reads the .h5ad files that anndata writes, and the .h5 files of 10x Genomics: the same matrices, names and classes."""
import json

from common import *

try:
    import h5py
    import pandas as pd
    import anndata
except ImportError:
    print("skipped: no anndata")
    sys.exit(77)

RANDOM = np.random.default_rng(3)
CASES = 0
CELLS, GENES = 300, 170
TYPES = ["B", "T", "Zürich", None]


def lines(name):
    with open(path(name), encoding="utf-8") as f:
        return f.read().split("\n")[:-1]


def matrix(dtype):
    m = sp.random(CELLS, GENES, 0.1, format="csr", random_state=RANDOM, data_rvs=lambda n: RANDOM.integers(1, 100, n)).astype(dtype)
    return m if np.issubdtype(dtype, np.integer) else (m * dtype(0.37)).tocsr()


def cells(x, index="cell"):
    obs = pd.DataFrame({"cell_type": pd.Categorical([TYPES[i % 4] for i in range(CELLS)], categories=TYPES[:3]), "depth": np.arange(CELLS),
                        "batch": pd.Categorical([i % 2 for i in range(CELLS)]), "note": [f"n{i % 5}" for i in range(CELLS)]},
                       index=pd.Index([f"{'x' * (i % 40)}cell-{i}" for i in range(CELLS)], name=index))
    var = pd.DataFrame({"gene": np.arange(GENES)}, index=[f"gène{j}" for j in range(GENES)])
    return anndata.AnnData(x, obs=obs, var=var, dtype=x.dtype)


def check(name, expected, obs, var, labels, *options):
    global CASES
    for old in ("handed.rows.txt", "handed.terms.txt", "handed.labels.txt"):
        if os.path.exists(path(old)):
            os.remove(path(old))
    assert same(through_mtx(path(name), *options), expected), (name, options)
    assert lines("handed.rows.txt") == list(obs), (name, options)
    assert lines("handed.terms.txt") == list(var), (name, options)
    assert (lines("handed.labels.txt") if labels is not None else None) == labels, (name, options)
    CASES += 1


def fails(name, expected, *options):
    run = subprocess.run([COBLOC, "info", path(name), *options], capture_output=True, text=True)
    assert run.returncode in (1, 2) and expected in run.stderr, (name, options, run.stderr)


known = [TYPES[i % 4] or "" for i in range(CELLS)]
for dtype in (np.int32, np.int64, np.float32, np.float64):
    for form in (sp.csr_matrix, sp.csc_matrix, lambda m: np.asarray(m.todense())):
        for compression in (None, "gzip"):
            m = matrix(dtype)
            a = cells(form(m))
            a.write_h5ad(path("a.h5ad"), compression=compression)
            check("a.h5ad", m, a.obs_names, a.var_names, known)

# Layers, raw, and what else may be asked for.
a = cells(matrix(np.float32), index=None)
a.raw = a
a = a[:, :60].copy()
a.layers["counts"] = sp.csc_matrix(matrix(np.int32)[:, :60])
a.layers["full"] = np.asarray(matrix(np.float64)[:, :60].todense())
a.obsm["X_pca"] = RANDOM.random((CELLS, 3))
a.write_h5ad(path("b.h5ad"), compression="gzip")
check("b.h5ad", a.X, a.obs_names, a.var_names, known)
for layer in ("counts", "full"):
    check("b.h5ad", a.layers[layer], a.obs_names, a.var_names, known, "--variable", f"layers/{layer}")
check("b.h5ad", a.raw.X, a.obs_names, a.raw.var_names, known, "--variable", "raw/X")
assert same(through_mtx(path("b.h5ad"), "--variable", "obsm/X_pca"), a.obsm["X_pca"])
for field, labels in (("batch", [str(i % 2) for i in range(CELLS)]), ("note", [f"n{i % 5}" for i in range(CELLS)]), ("depth", [str(i) for i in range(CELLS)])):
    check("b.h5ad", a.X, a.obs_names, a.var_names, labels, "--label-field", field)
fit = subprocess.run([COBLOC, "fit", path("b.h5ad"), "-k", "2", "-m", "coclus", "--label-field", "batch", "--json"], capture_output=True, text=True)
assert "acc" in json.loads(fit.stdout)["scores"], fit.stderr
fails("b.h5ad", "there is no 'layers/count'; did you mean 'counts'?", "--variable", "layers/count")
fails("b.h5ad", "there is no 'obs/celltype'; did you mean 'cell_type'?", "--label-field", "celltype")
fails("b.h5ad", "it is of the kind dict, expected a matrix", "--variable", "layers")

# Files as other versions write them: categories apart from the codes, missing strings, shuffled chunks, names of a fixed width.
m = matrix(np.float32)
with h5py.File(path("c.h5ad"), "w") as f:
    x = f.create_group("X")
    x.attrs["h5sparse_format"], x.attrs["h5sparse_shape"] = "csr", m.shape
    for name in ("data", "indices", "indptr"):
        x.create_dataset(name, data=getattr(m, name), chunks=(97,), shuffle=True, compression="gzip", maxshape=(None,))
    obs, var = f.create_group("obs"), f.create_group("var")
    obs.attrs["_index"], var.attrs["_index"] = "barcode", "symbol"
    obs.create_dataset("barcode", data=np.array([f"c{i}" for i in range(CELLS)], dtype="S9"), chunks=(7,), compression="gzip", shuffle=True)
    names = var.create_group("symbol")
    names.create_dataset("values", data=[f"g{j}" for j in range(GENES)], dtype=h5py.string_dtype(), chunks=(50,), compression="gzip")
    names.create_dataset("mask", data=np.zeros(GENES, dtype=bool))
    obs.create_dataset("kind", data=np.arange(CELLS) % 3)
    obs.create_group("__categories").create_dataset("kind", data=["p", "q", "r"], dtype=h5py.string_dtype())
check("c.h5ad", m, [f"c{i}" for i in range(CELLS)], [f"g{j}" for j in range(GENES)], ["pqr"[i % 3] for i in range(CELLS)], "--label-field", "kind")

# 10x Genomics: genes by cells; symbols that occur twice.
with h5py.File(path("filtered.h5"), "w") as f:
    g, t = f.create_group("matrix"), m.T.tocsc()
    for name in ("data", "indices", "indptr"):
        g.create_dataset(name, data=getattr(t, name), chunks=(100,), compression="gzip", shuffle=True)
    g.create_dataset("shape", data=np.array(t.shape, dtype=np.int32))
    g.create_dataset("barcodes", data=np.array([f"AC-{i}" for i in range(CELLS)], dtype="S18"))
    features = g.create_group("features")
    features.create_dataset("id", data=np.array([f"ENSG{j}" for j in range(GENES)], dtype="S15"))
    features.create_dataset("name", data=np.array([f"S{j % 160}" for j in range(GENES)], dtype="S17"))
check("filtered.h5", m, [f"AC-{i}" for i in range(CELLS)], [f"S{j % 160}" + (f" (ENSG{j})" if j >= 160 else "") for j in range(GENES)], None)

# The newest file format: small groups, and arrays in one piece; the rest is refused in words.
for chunks in (None, True):
    with h5py.File(path("new.h5ad"), "w", libver="latest") as f:
        f.create_dataset("X", data=np.asarray(m.todense()), chunks=chunks)
        for table, count in (("obs", CELLS), ("var", GENES)):
            f.create_group(table).create_dataset("_index", data=[f"{table}{i}" for i in range(count)], dtype=h5py.string_dtype())
    if chunks:
        fails("new.h5ad", "h5py: libver='earliest'")
    else:
        check("new.h5ad", m, [f"obs{i}" for i in range(CELLS)], [f"var{j}" for j in range(GENES)], None)

# HDF5 with other contents.
with h5py.File(path("other.h5"), "w") as f:
    f.create_dataset("table", data=np.eye(3))
    f.create_dataset("complex", data=np.eye(3) + 1j)
fails("other.h5", "neither AnnData nor of 10x Genomics: there is no 'X'; it holds complex, table")
fails("other.h5", "it is not an array of numbers", "--variable", "complex")
assert same(through_mtx(path("other.h5"), "--variable", "table"), np.eye(3))
cells(m).write_h5ad(path("cut.h5ad"))
whole = open(path("cut.h5ad"), "rb").read()
for size in (8, 100, 3000, len(whole) // 2, len(whole) - 100):
    with open(path("cut.h5ad"), "wb") as f:
        f.write(whole[:size])
    run = subprocess.run([COBLOC, "info", path("cut.h5ad")], capture_output=True, text=True)
    assert run.returncode == 1 and len(run.stderr.splitlines()) == 1, run.stderr
print(f"{CASES} files of cells by genes agree")
