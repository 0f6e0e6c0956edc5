"""Counts of words, beside scikit-learn's."""
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from cobloc import Vectorizer

TEXTS = ["The red rose, a RED rose!", "Blue skies; 42 clouds_and sky", "", "rose & sky: naïve café été",
         "don't stop 3d x"]
NEW = ["red clouds unknown", "sky sky"]


@pytest.mark.parametrize("options", [
    {}, {"binary": True}, {"min_df": 2}, {"max_df": 0.4}, {"min_df": 0.3}, {"ngram_range": (1, 2)},
    {"stop_words": "english"}, {"stop_words": ["rose"]}, {"vocabulary": ["sky", "rose", "nothing"]},
    {"vocabulary": {"sky": 1, "rose": 0}}, {"dtype": np.float32}])
def test_as_count_vectorizer(options):
    ours, theirs = Vectorizer(**options), CountVectorizer(**options)
    a, b = ours.fit_transform(TEXTS), theirs.fit_transform(TEXTS)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert a.dtype == b.dtype and (a != b).nnz == 0 and ours.vocabulary_ == theirs.vocabulary_
    assert (ours.transform(NEW) != theirs.transform(NEW)).nnz == 0
    again = clone(ours).fit(TEXTS)
    assert (again.transform(TEXTS) != a).nnz == 0


def test_max_features():
    assert Vectorizer(max_features=2).fit(TEXTS).get_feature_names_out().tolist() == ["rose", "sky"] or (
        len(Vectorizer(max_features=2).fit(TEXTS).terms_) == 2)


def test_inputs(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes("été rouge".encode("latin-1"))
    v = Vectorizer(input="filename", encoding="latin-1")
    assert v.fit_transform([path]).sum() == 2 and v.terms_ == ["rouge", "été"]
    with open(path, "rb") as file:
        assert Vectorizer(input="file", encoding="latin-1").fit_transform([file]).sum() == 2
    with pytest.raises(UnicodeDecodeError):
        Vectorizer(input="filename").fit([path])
    with pytest.raises(ValueError, match="string object"):
        Vectorizer().fit("text")
    with pytest.raises(TypeError):
        Vectorizer().fit([3])
    assert [t.tolist() for t in v.inverse_transform([[1, 0]])] == [["rouge"]]


def test_languages_and_stems():
    texts = ["les chats et le chat dans la maison et les maisons du chien"] * 3
    v = Vectorizer(stop_words="auto", tokens="words", stem="fr").fit(texts)
    assert v.language_ == "fr" and "les" not in v.terms_ and len(v.terms_) == 3
    assert (v.transform(texts) != v.fit_transform(texts)).nnz == 0
