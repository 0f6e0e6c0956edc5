"""Random starts, by coclust's names."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state


def random_init(n_clusters: int, n_cols: int, random_state: Any = None) -> np.ndarray:
    """A random cluster for each column: a 1 in each line of a table of columns by clusters.

    Parameters
    ----------
    n_clusters, n_cols : int
    random_state : int, RandomState or None

    Examples
    --------
    >>> from cobloc.coclust.initialization import random_init
    >>> random_init(3, 10, random_state=0).sum(axis=1).tolist() == [1.0] * 10
    True
    """
    return np.eye(n_clusters)[check_random_state(random_state).randint(n_clusters, size=n_cols)]


def random_init_clustering(n_clusters: int, n_rows: int, random_state: Any = None) -> np.ndarray:
    """The same for rows."""
    return random_init(n_clusters, n_rows, random_state)
