"""For people who come from the package coclust: change the import, and keep the rest.

    python3 examples/python/from_coclust.py
"""
from pathlib import Path

import cobloc
from cobloc.coclust.coclustering import CoclustInfo, CoclustMod, CoclustSpecMod
from cobloc.coclust.evaluation.external import accuracy
from cobloc.coclust.evaluation.internal import best_modularity_partition

folder = Path(__file__).parent.parent / "nations"
X, names = cobloc.read(folder / "nations.csv")
regions = (folder / "nations.labels.txt").read_text().splitlines()

# ---- 1. The classes, arguments and attributes that you know --------------------------------------
model = CoclustMod(n_clusters=5, n_init=5, random_state=0)
model.fit(X)
print(f"1. modularity {model.modularity:.4f} after {model.nb_iterations} iterations")
rows, columns = model.get_indices(0)
print("   co-cluster 0:", ", ".join(names.columns[j] for j in columns))
print("   accuracy against the regions:", round(accuracy(regions, model.row_labels_), 3))

spectral = CoclustSpecMod(n_clusters=5, n_init=5, random_state=0)
spectral.fit(X)
print("   spectral, the same regions:", round(accuracy(regions, spectral.row_labels_), 3))
info = CoclustInfo(n_row_clusters=5, n_col_clusters=4, n_init=5, random_state=0)
info.fit(X)
print("   information", round(info.criterion, 4), "in", info.delta_kl_.shape[0], "by",
      info.delta_kl_.shape[1], "blocks")

# ---- 2. Sizes ------------------------------------------------------------------------------------
best, values = best_modularity_partition(X, range(2, 9), 5)
print("2. best size by modularity:", best.n_clusters, [round(value, 3) for value in values])

# ---- 3. What is new: the same model as an estimator, with all that cobloc knows -------------------
same = cobloc.CoClustering(5, model="coclus", n_init=5, random_state=0).fit(X)
print(f"3. CoClustering finds modularity {same.criterion_:.4f};", same.result_)
print("   other models on the same table:")
print(cobloc.compare(X, regions, ["coclus", "lbm", "dcc"], 5, n_runs=3)[["nmi_mean", "ari_mean"]].round(3))
