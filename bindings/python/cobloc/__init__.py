"""Co-clustering of sparse tables: documents by terms, cells by genes, voters by votes.

>>> from cobloc import CoClustering

:class:`CoClustering` is a scikit-learn estimator; :class:`Selection` chooses its size, and
:class:`Ensemble` joins many fits. :class:`Vectorizer` counts the words of documents. :func:`read` reads
tables of many formats. ``cobloc.coclust`` has the names of the package coclust.
"""
from ._choice import Ensemble, Selection
from ._engine import version as __version__
from ._estimator import CoClustering
from ._files import Names, models, read, simulate, write
from ._result import Report, Result, load
from ._scores import compare, score
from ._text import Vectorizer

__all__ = [
    "CoClustering",
    "Ensemble",
    "Names",
    "Report",
    "Result",
    "Selection",
    "Vectorizer",
    "__version__",
    "compare",
    "load",
    "models",
    "read",
    "score",
    "simulate",
    "write",
]
