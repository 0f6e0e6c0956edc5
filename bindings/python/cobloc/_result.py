"""What a fit has found: numbers by name, frames, the report, pictures."""
from __future__ import annotations

import html
import os
import tempfile
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from . import _engine
from ._matrix import take_apart, to_engine
from ._plot import Plots
from ._values import (
    file_name,
    frame,
    get,
    get_group,
    get_list,
    int_labels,
    put,
    view_of,
)


class Report:
    """A page about a result, which a notebook shows where it stands.

    Parameters
    ----------
    page : str
        The HTML: one page that needs nothing else.
    """

    def __init__(self, page: str):
        self.page = page

    def save(self, path: Any) -> None:
        """Write the page into the file `path`."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="720" '
            'style="border: 1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<cobloc report, {len(self.page) // 1024} KiB: .save(path) writes it>"


class Result:
    """What a fit has found.

    An estimator keeps one as ``result_``; :func:`cobloc.load` reads one from a folder that
    ``cobloc fit -o`` wrote. All values that the library knows of a result are there by name:
    ``result["icl"]``, ``result["row_labels"]``; ``list(result)`` lists the names.

    Attributes
    ----------
    plot : Plots
        Pictures, drawn with matplotlib: ``result.plot.matrix()``, ``result.plot.blocks()``, ...
    """

    def __init__(self, saved: _engine.Object, X: Any = None, extra: Optional[Dict[str, Any]] = None):
        self._saved = saved
        self._X = X
        self._extra = extra or {}
        part = _engine.part(saved, "result", "result")
        assert part is not None
        self._part = part

    # ---- values by name --------------------------------------------------------------------------

    def __iter__(self) -> Any:
        return iter([name for name, kind, _ in _engine.fields(self._part, "") if kind < 10])

    def __getitem__(self, name: str) -> Any:
        if name in self._extra:
            return self._extra[name]
        return get(self._part, name)

    def __contains__(self, name: str) -> bool:
        return name in list(self)

    def help(self, name: str) -> str:
        """What the value of a name means, in a sentence or two."""
        for known, _, text in _engine.fields(self._part, ""):
            if known == name:
                return text
        raise KeyError(name)

    def __repr__(self) -> str:
        what = "criterion_name"
        return (
            f"<cobloc {self['model']}: {self['n']} rows in {self['k']} clusters, {self['d']} columns "
            f"in {self['l']}, {self[what]} {self['criterion']:.6g}>"
        )

    @property
    def row_names(self) -> Optional[List[str]]:
        """Names of the rows; None where they had none."""
        return _engine.saved_names(self._saved, "rows")

    @property
    def column_names(self) -> Optional[List[str]]:
        """Names of the columns; None where they had none."""
        return _engine.saved_names(self._saved, "cols")

    # ---- the matrix ------------------------------------------------------------------------------

    def _matrix(self, X: Any = None) -> _engine.Object:
        """The matrix that was fitted, for the engine; it must be the same still."""
        X = self._X if X is None else X
        if X is None:
            raise ValueError(
                "this result does not hold the matrix that was fitted, since it was pickled or read "
                "from a file: give it as X"
            )
        table = take_apart(X)
        array = table.X
        if hasattr(array, "iloc"):
            from sklearn.utils import check_array

            array = check_array(array, accept_sparse=("csr", "csc"), force_all_finite=False)
        matrix = to_engine(array, self.row_names, self.column_names)
        known = _engine.matrix(matrix)
        if (known["rows"], known["cols"], known["nnz"]) != (self["n"], self["d"], self["nnz"]) or not (
            np.isclose(known["total"], get(self._saved, "total"), rtol=1e-9)
        ):
            raise ValueError("this is not the matrix that was fitted, or it was changed since")
        return matrix

    # ---- frames ----------------------------------------------------------------------------------

    def rows(self) -> Any:
        """A DataFrame of the rows: their names, clusters and, where there are any, probabilities."""
        return self._lines("row", self.row_names)

    def columns(self) -> Any:
        """A DataFrame of the columns: their names, clusters and, where there are any, probabilities."""
        return self._lines("col", self.column_names)

    def _lines(self, side: str, names: Optional[Sequence[str]]) -> Any:
        import pandas

        labels = self[f"{side}_labels"]
        made = pandas.DataFrame({"cluster": labels}, index=names)
        probabilities = self[f"{side}_probabilities"]
        if probabilities is not None:
            made["probability"] = probabilities[np.arange(len(labels)), np.maximum(labels, 0)]
        return made

    def blocks(self) -> Any:
        """A DataFrame of the blocks, row clusters by column clusters: sums of their entries."""
        import pandas

        return pandas.DataFrame(self["blocks"]).rename_axis(index="row cluster", columns="column cluster")

    def parameters(self) -> Any:
        """A DataFrame of the model's parameters; where a block has several, one frame by name each."""
        import pandas

        values = self["parameters"]
        tables = values.reshape(self["parameter_count"], self["k"], self["l"])
        if len(tables) == 1:
            return pandas.DataFrame(tables[0])
        return {name: pandas.DataFrame(t) for name, t in zip(self["parameter_names"], tables)}

    def candidates(self) -> Any:
        """A DataFrame of the fits that the model ``"auto"`` chose from."""
        return frame(get_list(self._part, "candidates"))

    def sizes(self) -> Any:
        """A DataFrame of the sizes that one was chosen from."""
        return frame(get_list(self._part, "sizes"))

    def describe(self, X: Any = None, *, terms: int = 10, rows: int = 5) -> Any:
        """What the clusters are about.

        Parameters
        ----------
        X : matrix, optional
            The matrix that was fitted; by default the one that the estimator was given.
        terms : int
            How many columns a cluster is described by.
        rows : int
            How many typical rows.

        Returns
        -------
        DataFrame
            A line for each bloc (or row cluster): its name, sizes, density, telling, frequent and
            coherent columns, and typical rows.
        """
        description, matrix = self._description(X, terms=terms, rows=rows)
        columns, lines = _engine.names(matrix, "cols"), _engine.names(matrix, "rows")
        made = []
        for b in range(_engine.get(description, "blocs")):
            at = f"blocs[{b}]"
            bloc = get_group(description, at)
            entry = {key: bloc[key] for key in ("name", "rows", "cols", "density", "npmi")}
            for kind in ("telling", "frequent", "coherent"):
                found = [term["col"] for term in get_list(description, f"{at}.{kind}")]
                entry[kind] = [columns[c] if columns else c for c in found]
            typical = [row["row"] for row in get_list(description, f"{at}.typical")]
            entry["typical"] = [lines[i] if lines else i for i in typical]
            made.append(entry)
        return frame(made)

    def _description(self, X: Any = None, **options: Any) -> Any:
        matrix = self._matrix(X)
        o = _engine.options("describe")
        put(o, **options)
        return _engine.describe(self._part, matrix, o), matrix

    def lifts(self, X: Any = None) -> Any:
        """A DataFrame: what each block holds over what its margins would give it."""
        import pandas

        return pandas.DataFrame(get(self._description(X)[0], "lifts"))

    # ---- pages, pictures, folders ----------------------------------------------------------------

    def _report(self, X: Any, truth: Any, options: Dict[str, Any]) -> _engine.Object:
        matrix = self._matrix(X)
        report = _engine.options("report")
        put(report, matrix=matrix, result=self._part)
        if truth is not None:
            classes, codes = np.unique(np.asarray(truth), return_inverse=True)
            put(report, truth=int_labels(codes, self["n"], "truth"))
            put(report, class_names=[str(name) for name in classes])
        put(report, **options)
        return report

    def report(self, X: Any = None, *, path: Any = None, truth: Any = None, **options: Any) -> Report:
        """A page about the result: a notebook shows it where it stands.

        Parameters
        ----------
        X : matrix, optional
            The matrix that was fitted; by default the one that the estimator was given.
        path : path-like, optional
            Also write the page into this file.
        truth : array-like, optional
            Known class of each row.
        **options
            ``title``, ``row_word`` (what rows are: "documents"), ``col_word``, ``density_only``.

        Returns
        -------
        Report
        """
        report = self._report(X, truth, options)
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "report.html")
            _engine.write_report(report, file_name(target), None)
            with open(target, encoding="utf-8") as file:
                page = Report(file.read())
        if path is not None:
            page.save(path)
        return page

    def picture(self, path: Any, kind: str = "matrix", *, X: Any = None, truth: Any = None,
                **options: Any) -> None:
        """Write one of the library's own pictures: an .svg, .pdf or .png file for a paper.

        Parameters
        ----------
        path : path-like
        kind : str
            ``matrix``, ``blocks``, ``graph``, ``convergence``, ``restarts``, ``confusion`` or
            ``sections``.
        X, truth, **options
            As for :meth:`report`.
        """
        _engine.write_report(self._report(X, truth, options), file_name(path), kind)

    @property
    def plot(self) -> Plots:
        return Plots(self)

    def save(self, folder: Any, X: Any = None) -> None:
        """Write the folder that ``cobloc fit -o`` writes: every command takes it.

        Parameters
        ----------
        folder : path-like
        X : matrix, optional
            The matrix that was fitted; by default the one that the estimator was given.
        """
        options = _engine.part(self._saved, "options", "fit options")
        assert options is not None
        _engine.write_result(self._part, self._matrix(X), options, file_name(folder))

    def predict(self, X: Any, *, scores: bool = False, row_effects: Any = None,
                n_jobs: Optional[int] = None) -> Dict[str, Any]:
        """Place new rows into the clusters.

        Parameters
        ----------
        X : matrix
            New rows. Columns are matched by name where both have names.
        scores : bool
            Whether the scores of all clusters are wanted.
        row_effects : array-like, optional
            Margins of the new rows, for the Poisson models.
        n_jobs : int, optional
            Threads.

        Returns
        -------
        dict
            ``labels``, ``probabilities`` (or None), ``scores`` (or None), ``unplaced``, ...
        """
        from ._values import thread_count

        table = take_apart(X)
        matrix = to_engine(*table)
        return self._place(matrix, scores, row_effects, thread_count(n_jobs))

    def _place(self, matrix: _engine.Object, scores: bool, effects: Any,
               threads: Optional[int]) -> Dict[str, Any]:
        o = _engine.options("predict")
        put(o, scores=scores, threads=threads)
        if effects is not None:
            put(o, row_effects=np.asarray(effects, dtype=np.float64))
        prediction = _engine.predict(self._saved, matrix, o)
        made: Dict[str, Any] = {}
        for name, kind, _ in _engine.fields(prediction, ""):
            value = _engine.get(prediction, name)
            made[name] = view_of(prediction, *value) if isinstance(value, tuple) else value
        return made

    # ---- pickles ---------------------------------------------------------------------------------

    def __getstate__(self) -> Dict[str, Any]:
        return {"saved": _engine.pack(self._saved), "extra": self._extra}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        Result.__init__(self, _engine.unpack(state["saved"]), None, state["extra"])


def load(folder: Any) -> Result:
    """Read the folder of a result that ``cobloc fit -o`` or :meth:`Result.save` wrote.

    Parameters
    ----------
    folder : path-like

    Returns
    -------
    Result
    """
    return Result(_engine.saved_read(file_name(folder)))


__all__ = ["Report", "Result", "load"]
