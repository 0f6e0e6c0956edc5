"""Pictures of a result, drawn with matplotlib."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import scipy.sparse as sp

from . import _engine
from ._matrix import to_scipy
from ._values import get, get_list, int_labels

if TYPE_CHECKING:
    from ._result import Result


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


class Plots:
    """Pictures of a result; each takes ``ax=`` and returns the axes it has drawn on."""

    def __init__(self, result: "Result"):
        self._result = result

    def matrix(self, X: Any = None, *, ax: Any = None, ordered: bool = True, pixels: int = 400,
               cmap: str = "Blues") -> Any:
        """The matrix in the order of its clusters, as the density of its entries.

        Parameters
        ----------
        X : matrix, optional
            The matrix that was fitted; by default the one that the estimator was given.
        ax : matplotlib axes, optional
        ordered : bool
            False: the matrix as it came.
        pixels : int
            Longer sides are drawn with so many.
        cmap : str
            The colours.
        """
        ax = _axes(ax)
        r = self._result
        entries = to_scipy(r._matrix(X)).tocoo()
        rows, cols = np.arange(r["n"]), np.arange(r["d"])
        row_labels, col_labels = r["row_labels"], r["col_labels"]
        if ordered:
            rows[_in_order(row_labels)] = np.arange(r["n"])
            cols[_in_order(col_labels)] = np.arange(r["d"])
        height, width = min(pixels, r["n"]), min(pixels, r["d"])
        places = (rows[entries.row] * height // r["n"], cols[entries.col] * width // r["d"])
        density = sp.coo_matrix((np.ones(entries.nnz), places), shape=(height, width)).toarray()
        extent = (-0.5, r["d"] - 0.5, r["n"] - 0.5, -0.5)
        ax.imshow(np.sqrt(density), cmap=cmap, aspect="auto", interpolation="nearest", extent=extent)
        if ordered:
            for edge in _edges(row_labels):
                ax.axhline(edge - 0.5, color="0.3", linewidth=0.5)
            for edge in _edges(col_labels):
                ax.axvline(edge - 0.5, color="0.3", linewidth=0.5)
        ax.set(xlabel="columns", ylabel="rows")
        return ax

    def blocks(self, X: Any = None, *, ax: Any = None, cmap: str = "RdBu_r") -> Any:
        """How many times fuller each block is than its margins would make it, by its logarithm."""
        ax = _axes(ax)
        lifts = get(self._result._description(X)[0], "lifts")
        with np.errstate(divide="ignore"):
            shades = np.log2(lifts)
        most = max(1.0, np.max(np.abs(shades[np.isfinite(shades)]), initial=0))
        ax.imshow(np.clip(shades, -most, most), cmap=cmap, vmin=-most, vmax=most)
        if lifts.size <= 400:
            for (k, j), lift in np.ndenumerate(lifts):
                ax.text(j, k, f"{lift:.1f}", ha="center", va="center", fontsize=8)
        ax.set(xlabel="column cluster", ylabel="row cluster")
        return ax

    def convergence(self, *, ax: Any = None) -> Any:
        """The criterion over the iterations of the best start."""
        ax = _axes(ax)
        trace = self._result["trace"]
        trace = np.empty(0) if trace is None else trace
        ax.plot(np.arange(1, len(trace) + 1), trace, marker=".")
        ax.set(xlabel="iteration", ylabel=self._result["criterion_name"])
        return ax

    def restarts(self, *, ax: Any = None) -> Any:
        """What each start reached."""
        ax = _axes(ax)
        values = self._result["restart_criteria"]
        ax.plot(np.arange(len(values)), values, linestyle="none", marker="o")
        best = self._result["best_restart"]
        ax.plot([best], [values[best]], linestyle="none", marker="o", color="C3")
        ax.set(xlabel="start", ylabel=self._result["criterion_name"])
        return ax

    def sizes(self, *, ax: Any = None) -> Any:
        """What the size was chosen by."""
        ax = _axes(ax)
        tried = get_list(self._result._part, "sizes")
        if not tried:
            raise ValueError("the size of this result was given, not chosen")
        ax.plot([t["k"] for t in tried], [t["value"] for t in tried], marker="o")
        ax.axvline(self._result["k"], linestyle="dashed", color="0.5")
        ax.set(xlabel="clusters", ylabel=self._result["size_rule"])
        return ax

    def confusion(self, truth: Any, *, ax: Any = None, cmap: str = "Blues") -> Any:
        """Known classes by clusters; what agrees stands on the diagonal.

        Parameters
        ----------
        truth : array-like
            Known class of each row.
        """
        ax = _axes(ax)
        names, codes = np.unique(np.asarray(truth), return_inverse=True)
        labels = int_labels(self._result["row_labels"])
        classes = int_labels(codes, len(labels), "truth")
        table = _engine.confusion(labels.ctypes.data, classes.ctypes.data, len(labels))
        counts = get(table, "counts").reshape(get(table, "classes"), get(table, "clusters"))
        ax.imshow(counts, cmap=cmap)
        for (c, k), count in np.ndenumerate(counts):
            ax.text(k, c, str(count), ha="center", va="center", fontsize=8)
        ax.set_xticks(range(counts.shape[1]), [str(k) for k in get(table, "cluster_labels")])
        ax.set_yticks(range(counts.shape[0]), [str(names[c]) for c in get(table, "class_labels")])
        ax.set(xlabel="cluster", ylabel="class")
        return ax

    def graph(self, bloc: int, X: Any = None, *, ax: Any = None, terms: int = 8) -> Any:
        """The most frequent columns of a bloc, each joined with those nearest to it.

        Parameters
        ----------
        bloc : int
            Its number.
        terms : int
            How many columns.
        """
        ax = _axes(ax)
        description, matrix = self._result._description(X, graph_terms=terms)
        where = "topics" if _engine.get(description, "topics") else "blocs"
        at = f"{where}[{bloc}]"
        columns = get(description, f"{at}.graph")
        names: Optional[Any] = _engine.names(matrix, "cols")
        angles = 2 * np.pi * np.arange(len(columns)) / max(1, len(columns))
        x, y = np.cos(angles), np.sin(angles)
        for edge in get_list(description, f"{at}.edges"):
            ends = [edge["a"], edge["b"]]
            ax.plot(x[ends], y[ends], color="0.6", linewidth=0.5 + 3 * edge["cosine"], zorder=1)
        ax.scatter(x, y, zorder=2)
        for i, column in enumerate(columns):
            ax.annotate(names[column] if names else str(column), (x[i], y[i]),
                        xytext=(5, 5), textcoords="offset points")
        ax.margins(0.2)
        ax.set_axis_off()
        return ax


def _in_order(labels: np.ndarray) -> np.ndarray:
    """Lines by their cluster; those in none come last."""
    return np.argsort(np.where(labels < 0, np.iinfo(np.int32).max, labels), kind="stable")


def _edges(labels: np.ndarray) -> np.ndarray:
    """Where one cluster ends and the next begins."""
    return np.cumsum(np.bincount(labels[labels >= 0]))[:-1]
