"""What diagonal co-clusterings share."""
from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np


class BaseDiagonalCoclust:
    """Co-clusters that pair a cluster of rows with one of columns."""

    row_labels_: List[int]
    column_labels_: List[int]

    def get_indices(self, i: int) -> Tuple[List[int], List[int]]:
        """The rows and the columns of a co-cluster.

        Parameters
        ----------
        i : int
            Its number.
        """
        rows, columns = np.asarray(self.row_labels_), np.asarray(self.column_labels_)
        return np.flatnonzero(rows == i).tolist(), np.flatnonzero(columns == i).tolist()

    def get_shape(self, i: int) -> Tuple[int, int]:
        """How many rows and columns a co-cluster has.

        Parameters
        ----------
        i : int
            Its number.
        """
        rows, columns = self.get_indices(i)
        return len(rows), len(columns)

    def get_submatrix(self, m: Any, i: int) -> Any:
        """The part of a matrix that a co-cluster covers.

        Parameters
        ----------
        m : array or sparse matrix
        i : int
            The number of the co-cluster.
        """
        rows, columns = self.get_indices(i)
        return m[np.array(rows)[:, np.newaxis], np.array(columns)]
