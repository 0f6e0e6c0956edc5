"""Clusters against known classes, by coclust's names."""
from __future__ import annotations

from typing import Any

from ..._scores import score


def accuracy(*labels: Any) -> float:
    """The share of rows that agree, under the best matching of clusters and classes.

    Parameters
    ----------
    true_row_labels, predicted_row_labels : array-like
        Old releases of coclust took the number of clusters before them; that is accepted, too.

    Examples
    --------
    >>> from cobloc.coclust.evaluation.external import accuracy
    >>> accuracy([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    if len(labels) not in (2, 3):
        raise TypeError("accuracy takes the true labels and the predicted ones")
    true_row_labels, predicted_row_labels = labels[-2:]
    return float(score(predicted_row_labels, true_row_labels)["acc"])
