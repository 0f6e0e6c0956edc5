"""What co-clusterings share whose row and column clusters do not come in pairs."""
from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np


class BaseNonDiagonalCoclust:
    """Clusters of rows, and clusters of columns beside them."""

    row_labels_: List[int]
    column_labels_: List[int]

    def get_row_indices(self, i: int) -> List[int]:
        """The rows of row cluster i."""
        return np.flatnonzero(np.asarray(self.row_labels_) == i).tolist()

    def get_col_indices(self, i: int) -> List[int]:
        """The columns of column cluster i."""
        return np.flatnonzero(np.asarray(self.column_labels_) == i).tolist()

    def get_shape(self, i: int, j: int) -> Tuple[int, int]:
        """How many rows and columns the block of row cluster i and column cluster j has."""
        return len(self.get_row_indices(i)), len(self.get_col_indices(j))

    def get_submatrix(self, m: Any, i: int, j: int) -> Any:
        """The part of a matrix that the block of row cluster i and column cluster j covers."""
        return m[np.array(self.get_row_indices(i))[:, np.newaxis], np.array(self.get_col_indices(j))]
