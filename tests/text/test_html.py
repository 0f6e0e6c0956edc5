#!/usr/bin/env python3
"""The text of HTML, judged by Python's own parser: the words of generated pages, and of pieces of them, are the same.

usage: test_html.py COBLOC
"""
import collections
import html.parser
import json
import os
import random
import re
import subprocess
import sys
import tempfile

INLINE = set("a abbr b i em strong span font u code small sub sup".split())


class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.hidden = "", 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("script", "style")
        self.text += "" if tag in INLINE else "\n"

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style")
        self.text += "" if tag in INLINE else "\n"

    def handle_startendtag(self, tag, attrs):
        self.text += "" if tag in INLINE else "\n"

    def handle_data(self, data):
        if not self.hidden:
            self.text += data


def main():
    cobloc = os.path.abspath(sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        pages = os.path.join(folder, "pages")
        subprocess.run([sys.executable, os.path.join(here, "mail_corpus.py"), pages, "--kind", "html", "--documents", "60", "--words", "60"], check=True)
        rng, expected, pieces = random.Random(3), collections.Counter(), []
        for at, _, names in sorted(os.walk(pages)):
            for name in names:
                with open(os.path.join(at, name), encoding="utf-8") as f:
                    page = f.read()
                elements = re.findall(r"<p .*?</p>|<div.*?</div>", page, re.S)
                rng.shuffle(elements)
                pieces += [page, "<html>" + "".join(elements[:3])]
        lines = os.path.join(folder, "pages.jsonl")
        with open(lines, "w", encoding="utf-8") as out:
            for piece in pieces:
                out.write(json.dumps({"text": piece}) + "\n")
                parser = Text()
                parser.feed(piece)
                parser.close()
                expected.update(re.findall(r"\w\w+", parser.text.replace("\u00a0", " ").lower()))
        matrix = os.path.join(folder, "pages.csv")
        subprocess.run([cobloc, "vectorize", lines, "-o", matrix, "--clean", "html", "--tokens", "word2", "--numbers", "--stop-words", "none", "--min-df", "1", "--max-df", "1"],
                       check=True, capture_output=True)
        with open(matrix, encoding="utf-8") as f:
            terms = [name.strip('"') for name in f.readline().rstrip("\n").split(",")[1:]]
            sums = collections.Counter()
            for line in f:
                values = line.rstrip("\n").rsplit(",", len(terms))[1:]
                sums.update({t: int(v) for t, v in zip(terms, values) if v != "0"})
    different = {t: (sums[t], expected[t]) for t in set(sums) | set(expected) if sums[t] != expected[t]}
    print(f"{len(pieces)} pages, {len(expected)} words, {len(different)} of them counted differently {dict(list(different.items())[:5])}")
    sys.exit(bool(different) or len(expected) < 500)


main()
