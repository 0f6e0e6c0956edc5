"""Pictures, by coclust's names. Each returns the axes that it has drawn on."""
from __future__ import annotations

import logging
from typing import Any, Dict, List, Optional, Sequence

import numpy as np
import scipy.sparse as sp

logger = logging.getLogger(__name__)


def _new_axes(**options: Any) -> Any:
    import matplotlib.pyplot as plt

    return plt.subplots(**options)[1]


def _show(ax: Any) -> Any:
    import matplotlib.pyplot as plt

    plt.show()
    return ax


def plot_max_modularities(max_modularities: Sequence[float], range_n_clusters: Sequence[int]) -> Any:
    """Modularity by size, with the best size marked.

    Parameters
    ----------
    max_modularities : sequence of float
    range_n_clusters : sequence of int
        The sizes.
    """
    ax = _new_axes()
    best = int(np.argmax(max_modularities))
    ax.plot(list(range_n_clusters), list(max_modularities), marker="o")
    ax.axvline(range_n_clusters[best], linestyle="dashed")
    ax.set(xlabel="Number of clusters", ylabel="Final Modularity",
           title=f"Max. modularity for {range_n_clusters[best]} clusters ({max_modularities[best]:.4f})")
    return _show(ax)


def plot_intermediate_modularities(model: Any) -> Any:
    """Modularity after each iteration of a fitted CoclustMod."""
    ax = plot_axes_of_trace(model.modularities, "Modularities")
    ax.axhline(max(model.modularities), linestyle="dashed")
    ax.set_title(f"Intermediate modularities for {model.n_clusters} clusters")
    return _show(ax)


def plot_axes_of_trace(criteria: Sequence[float], name: str, marker: str = "o") -> Any:
    """A criterion over the iterations, not shown yet."""
    ax = _new_axes()
    ax.plot(np.arange(1, len(criteria) + 1), list(criteria), marker=marker)
    ax.set(xlabel="Iterations", ylabel=name)
    return ax


def plot_convergence(criteria: Sequence[float], criterion_name: str, marker: str = "o") -> Any:
    """A criterion over the iterations.

    Parameters
    ----------
    criteria : sequence of float
    criterion_name : str
    marker : str
    """
    return _show(plot_axes_of_trace(criteria, criterion_name, marker))


def _top_terms(X: Any, model: Any, cluster: int, count: int) -> Any:
    """The columns of a co-cluster with the largest sums in it: their places in it, and the sums."""
    sums = np.ravel(np.asarray(model.get_submatrix(sp.csr_matrix(X), cluster).sum(axis=0)))
    places = np.argsort(-sums, kind="stable")[:count]
    return places, sums[places]


def plot_cluster_top_terms(in_data: Any, all_terms: Optional[Sequence[str]], nb_top_terms: int,
                           model: Any) -> Any:
    """The most frequent terms of each co-cluster.

    Parameters
    ----------
    in_data : array or sparse matrix
    all_terms : sequence of str
    nb_top_terms : int
    model : fitted diagonal model
    """
    if all_terms is None:
        logger.warning("there are no terms to show")
        return None
    axes = np.atleast_1d(_new_axes(nrows=model.n_clusters, figsize=(8, 2 * model.n_clusters),
                                   constrained_layout=True))
    for cluster, ax in enumerate(axes):
        columns = model.get_indices(cluster)[1]
        places, sums = _top_terms(in_data, model, cluster, nb_top_terms)
        names = [str(all_terms[columns[place]]) for place in places]
        ax.barh(np.arange(len(names)), sums[::-1])
        ax.set_yticks(np.arange(len(names)), names[::-1])
        ax.set(xlabel="number of occurences", title=f"Cluster {cluster + 1} ({len(columns)} terms)")
    return _show(axes)


def get_term_graph(X: Any, model: Any, terms: Optional[Sequence[str]], n_cluster: int,
                   n_top_terms: int = 10, n_neighbors: int = 2,
                   stopwords: Sequence[str] = ()) -> Dict[str, List[Dict[str, Any]]]:
    """The most frequent terms of a co-cluster, each with those nearest to it by cosine.

    Parameters
    ----------
    X : array or sparse matrix
    model : fitted diagonal model
    terms : sequence of str
    n_cluster : int
    n_top_terms, n_neighbors : int
    stopwords : sequence of str

    Returns
    -------
    dict
        ``nodes`` with ``name`` and ``group`` (0: frequent, 1: a neighbour), and ``links`` with
        ``source``, ``target`` and ``value``, as d3 takes them.
    """
    graph: Dict[str, List[Dict[str, Any]]] = {"nodes": [], "links": []}
    if terms is None:
        logger.warning("there are no terms to show")
        return graph
    from sklearn.preprocessing import normalize

    columns = model.get_indices(n_cluster)[1]
    block = normalize(sp.csc_matrix(model.get_submatrix(sp.csr_matrix(X), n_cluster), dtype=float), axis=0)
    top = _top_terms(X, model, n_cluster, n_top_terms)[0].tolist()
    places = {term: place for place, term in enumerate(top)}
    joined = set()
    for term in top:
        cosines = np.ravel((block.T @ block[:, [term]]).toarray())
        for other in np.argsort(-cosines, kind="stable")[:n_neighbors].tolist():
            pair = frozenset((term, other))
            if other == term or terms[columns[other]] in stopwords or pair in joined:
                continue
            joined.add(pair)
            places.setdefault(other, len(places))
            graph["links"].append({"source": places[term], "target": places[other],
                                   "value": float(cosines[other])})
    graph["nodes"] = [{"name": terms[columns[term]], "group": int(place >= len(top))}
                      for term, place in places.items()]
    return graph


def plot_cluster_sizes(model: Any) -> Any:
    """How many rows and columns each co-cluster has."""
    ax = _new_axes(figsize=(10, 8))
    shapes = np.array([model.get_shape(i) for i in range(model.n_clusters)])
    at = np.arange(model.n_clusters)
    for side, name in enumerate(("Rows", "Columns")):
        bars = ax.bar(at + 0.4 * side, shapes[:, side], width=0.4, label=name)
        ax.bar_label(bars)
    ax.set_xticks(at + 0.2, [f"coclust-{i}" for i in at])
    ax.set(xlabel="Co-clusters", ylabel="Sizes")
    ax.legend()
    return _show(ax)


def plot_reorganized_matrix(X: Any, model: Any, precision: float = 0.8, markersize: float = 0.9) -> Any:
    """The matrix in the order of its co-clusters.

    Parameters
    ----------
    X : array or sparse matrix
    model : fitted model
    precision : float
        Larger values are drawn.
    markersize : float
    """
    ax = _new_axes()
    rows = np.argsort(model.row_labels_, kind="stable")
    columns = np.argsort(model.column_labels_, kind="stable")
    ax.spy(X[rows, :][:, columns], precision=precision, markersize=markersize)
    return _show(ax)


def plot_confusion_matrix(cm: Any, colormap: Any = None, labels: Sequence[Any] = "012") -> Any:
    """A confusion matrix.

    Parameters
    ----------
    cm : array
    colormap : matplotlib colormap, optional
    labels : sequence
    """
    ax = _new_axes()
    ax.figure.colorbar(ax.matshow(np.asarray(cm), cmap=colormap), ax=ax)
    for (i, j), count in np.ndenumerate(np.asarray(cm)):
        ax.text(j, i, f"{count}", ha="center", va="center")
    ax.set_xticks(range(len(labels)), list(labels))
    ax.set_yticks(range(len(labels)), list(labels))
    ax.set(xlabel="Predicted", ylabel="Actual")
    return _show(ax)


def plot_delta_kl(model: Any, colormap: Any = None, labels: Any = None) -> Any:
    """What each block of a fitted CoclustInfo holds over what its margins would give it.

    Parameters
    ----------
    model : CoclustInfo
    colormap : matplotlib colormap, optional
    labels : ignored
    """
    ax = _new_axes()
    ax.figure.colorbar(ax.matshow(np.asarray(model.delta_kl_), cmap=colormap), ax=ax)
    for (i, j), value in np.ndenumerate(np.asarray(model.delta_kl_)):
        ax.text(j, i, f"{value:.2f}", ha="center", va="center")
    ax.set(xlabel="Column clusters", ylabel="Row clusters")
    return _show(ax)
