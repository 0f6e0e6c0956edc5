"""Text: the counts are those of scikit-learn's CountVectorizer on the same rule, the weights those of its
TfidfVectorizer, in several scripts, for any number of threads."""
from common import *
import json
import random

try:
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
except ImportError:
    print("skipped: no scikit-learn")
    sys.exit(77)

WORDS = """The the QUICK quick-brown fox_jumps over 12 dogs' don't e.g. x y2 3.14 naïve NAÏVE café CAFÉ Straße STRASSE ÆØÅ œuvre
Война и мир ВОЙНА ёлка Ёж Ὀδυσσεύς ΟΔΟΣ οδός ΣΊΣΥΦΟΣ λόγος İstanbul ISTANBUL ıssız Ǆ ǅungla ﬁne ﬀ x² ½ ①② Ⅷ ª º µ
中文 分词 日本語の文章 カタカナ ひらがな 한국어 텍스트 ไทย भाषा हिन्दी العربية مَرحبا עברית שָׁלוֹם ქართული Հայերեն 𝒜𝒷𝒸 𐐀𐐁 e\u0301te\u0301 a\u0300b
l’homme «guillemets» „Zitat“ foo…bar a\u200bb a\u00adb a\u00a0b tab\u2028sep _ __ _a a_ 1_000 ²³ x\u0301y""".split()
RANDOM = random.Random(4)
COUNT_RULE = ["--tokens", "word2", "--numbers", "--stop-words", "none", "--min-df", "1", "--max-df", "1", "--min-length", "1"]


def documents(count, longest):
    return [RANDOM.choice([" ", "  ", "\t"]).join(RANDOM.choices(WORDS, k=RANDOM.randrange(longest))) + RANDOM.choice(["", ".", " ", "!?"]) for _ in range(count)]


def vectorize(texts, *options, weight=None):
    """Counts (or weights) and terms that cobloc finds, the same from lines and JSON lines."""
    found = []
    for kind in ("txt", "jsonl"):
        with open(path(f"corpus.{kind}"), "w", encoding="utf-8", newline="\n") as out:
            for text in texts:
                out.write((json.dumps({"text": text}) if kind == "jsonl" else text) + "\n")
        for threads in (1, 3):
            target = path(f"{kind}{threads}.cbm")
            run = subprocess.run([COBLOC, "vectorize", path(f"corpus.{kind}"), "-o", target, "--threads", str(threads), *options], capture_output=True, text=True, timeout=900)
            assert run.returncode == 0, run.stderr
            mtx = convert(target, path("text.mtx"), *(["--weight", weight] if weight else []))
            with open(path("text.terms.txt"), encoding="utf-8", newline="\n") as f:
                found.append((sp.csr_matrix(scipy.io.mmread(mtx)), f.read().split("\n")[:-1]))
    for matrix, terms in found[1:]:
        assert terms == found[0][1] and same(matrix, found[0][0]), "threads or kind of file make a difference"
    return found[0]


def check(name, texts, expected, *options):
    reference = expected.fit_transform(texts)
    terms = list(expected.get_feature_names_out())
    matrix, found = vectorize(texts, *COUNT_RULE, *options)
    assert found == terms, (name, [t for t in found if t not in terms][:5], [t for t in terms if t not in found][:5])
    assert same(matrix, reference), name


for count, longest in ((1, 40), (40, 30), (300, 60)):
    texts = documents(count, longest) + ["at least these words"]
    check("plain", texts, CountVectorizer())
    check("n-grams", texts, CountVectorizer(ngram_range=(1, 3)), "--ngrams", "1:3")
    check("bigrams", texts, CountVectorizer(ngram_range=(2, 2)), "--ngrams", "2:2")
texts = documents(300, 60)
check("limits", texts, CountVectorizer(min_df=85, max_df=0.32), "--min-df", "85", "--max-df", "0.32")
check("shares", texts, CountVectorizer(min_df=0.25, max_df=90), "--min-df", "0.25", "--max-df", "90")
stop = ["the", "война", "中文", "οδός", "12"]
with open(path("stop.txt"), "w", encoding="utf-8") as out:
    out.write("\n".join(stop) + "\n")
check("stop words", texts, CountVectorizer(stop_words=stop, ngram_range=(1, 2)), "--stop-words", path("stop.txt"), "--ngrams", "1:2")
vocabulary = ["война", "the", "never seen", "quick brown", "café"]
with open(path("vocabulary.txt"), "w", encoding="utf-8") as out:
    out.write("\n".join(vocabulary) + "\n")
matrix, found = vectorize(texts, *COUNT_RULE, "--ngrams", "1:2", "--vocabulary", path("vocabulary.txt"))
assert found == vocabulary and same(matrix, CountVectorizer(vocabulary=vocabulary, ngram_range=(1, 2)).fit_transform(texts)), "vocabulary"

weighted, terms = vectorize(texts, *COUNT_RULE, weight="tfidf")
reference = TfidfVectorizer()
assert abs(weighted - reference.fit_transform(texts)).max() < 1e-15 and terms == list(reference.get_feature_names_out()), "tfidf"

# The most frequent terms: ours are of the right number and frequency (scikit-learn breaks ties in its own way).
matrix, found = vectorize(texts, *COUNT_RULE, "--max-terms", "20")
every = CountVectorizer()
counts = sorted(every.fit_transform(texts).sum(axis=0).A1, reverse=True)[:20]
assert sorted(matrix.sum(axis=0).A1, reverse=True) == counts, "max-terms"
print("text agrees")
