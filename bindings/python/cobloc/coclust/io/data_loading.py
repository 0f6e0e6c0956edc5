"""Tables from files, by coclust's names."""
from __future__ import annotations

import logging
import os
from typing import Any, Dict, List, Optional

import numpy as np
import scipy.sparse as sp
from scipy.io import loadmat

logger = logging.getLogger(__name__)

key_name_data = "doc_term_matrix"
key_name_term_labels = "term_labels"
key_name_doc_labels = "doc_labels"


def load_doc_term_data(
    data_filepath: Any,
    term_labels_filepath: Optional[Any] = None,
    doc_labels_filepath: Optional[Any] = None,
) -> Dict[str, Any]:
    """Load a table of documents by terms.

    Parameters
    ----------
    data_filepath : path-like
        A MATLAB file with ``doc_term_matrix`` and, optionally, ``term_labels`` and ``doc_labels``; or
        a table of three columns (.csv, .tsv): first the sizes, then document, term and count, from 0.
    term_labels_filepath, doc_labels_filepath : path-like, optional
        Files with one label a line.

    Returns
    -------
    dict
        ``doc_term_matrix``, ``term_labels`` and ``doc_labels``; None where there are no labels.
    """
    if not os.path.isfile(data_filepath):
        raise ValueError(f"{data_filepath}: there is no such file")
    ending = os.path.splitext(data_filepath)[1]
    data = _from_matlab(data_filepath) if ending == ".mat" else _from_table(data_filepath, ending)
    if data[key_name_data] is None:
        raise ValueError(f"{data_filepath}: holds no '{key_name_data}'")
    documents, terms = data[key_name_data].shape
    for key, path, count in (
        (key_name_term_labels, term_labels_filepath, terms),
        (key_name_doc_labels, doc_labels_filepath, documents),
    ):
        if data[key] is None and path is not None:
            data[key] = _labels(path, count, key == key_name_doc_labels)
        if data[key] is None:
            logger.warning("%s: there are no %s", data_filepath, key)
    return data


def _labels(path: Any, count: int, numbers: bool) -> List[Any]:
    with open(path, encoding="utf-8") as file:
        labels: List[Any] = file.read().splitlines()
    if len(labels) != count:
        raise ValueError(f"{path}: holds {len(labels)} labels, expected {count}")
    return [int(label) for label in labels] if numbers else labels


def _from_table(path: Any, ending: str) -> Dict[str, Any]:
    table = np.loadtxt(path, delimiter="," if ending == ".csv" else "\t", skiprows=1, ndmin=2)
    places = (table[:, 0].astype(int), table[:, 1].astype(int))
    return {key_name_data: sp.coo_matrix((table[:, 2], places)).tocsr(),
            key_name_term_labels: None, key_name_doc_labels: None}


def _from_matlab(path: Any) -> Dict[str, Any]:
    held = loadmat(path)
    terms, documents = held.get(key_name_term_labels), held.get(key_name_doc_labels)
    return {key_name_data: held.get(key_name_data),
            key_name_term_labels: None if terms is None else np.ravel(terms).tolist(),
            key_name_doc_labels: None if documents is None else np.ravel(documents).tolist()}
