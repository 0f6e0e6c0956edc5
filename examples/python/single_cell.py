"""Single-cell data: cells by genes, in an AnnData.

The data are drawn here, so that the script runs anywhere: 600 cells of four kinds, 300 genes of which
each kind has its own. With data of your own, read them with scanpy or anndata instead.

    python3 examples/python/single_cell.py
"""
import numpy as np
import scipy.sparse as sp

import cobloc
from cobloc import CoClustering

try:
    import anndata
except ImportError:
    print("skipped: anndata is not installed")
    raise SystemExit(0) from None

# ---- 1. Counts: genes of a cell's own kind are expressed more, cells differ in depth --------------
rng = np.random.RandomState(0)
kinds = rng.choice(4, 600, p=[0.4, 0.3, 0.2, 0.1])
own = np.arange(300) % 6  # kinds 4 and 5: genes that all cells have
depth = rng.lognormal(0, 0.5, 600)
level = rng.lognormal(-1.5, 0.7, 300)
means = depth[:, None] * level * np.where(kinds[:, None] == own, 6.0, 1.0)
cells = anndata.AnnData(sp.csr_matrix(rng.poisson(means).astype(np.float32)))
cells.var_names = [f"gene{j}" for j in range(300)]
cells.obs["kind"] = kinds

# ---- 2. Cells and genes at the same time: row and column sums are part of the Poisson model -------
blocs = CoClustering(4, model="plbm", n_column_clusters=5, random_state=1).fit(cells)
print("1. arrays borrowed, not copied:", blocs.borrowed_)
print("2. clusters of cells:", cells.obs["cobloc"].value_counts(sort=False).to_dict())
print("   ARI with the kinds:", round(cobloc.score(blocs.row_labels_, kinds)["ari"], 3))

# ---- 3. Marker genes: the columns that tell a cluster from the others -----------------------------
for bloc in blocs.result_.describe(terms=5).itertuples():
    print(f"3. {bloc.rows:3d} cells: {', '.join(bloc.telling)}")
print("   what blocks hold over what their margins would give them:")
print(blocs.result_.lifts().round(2).to_string())

# ---- 4. New cells --------------------------------------------------------------------------------
new = anndata.AnnData(sp.csr_matrix(rng.poisson(means[:5]).astype(np.float32)), var=cells.var[[]])
print("4. new cells go to", blocs.predict(new).tolist(), "as their likes", blocs.row_labels_[:5].tolist())

# ---- 5. How many kinds are there? ----------------------------------------------------------------
chosen = CoClustering(model="plbm", random_state=1).fit(cells.X)
print(f"5. {chosen.n_clusters_} clusters are chosen. {chosen.result_['size_summary']}")
