#!/usr/bin/env python3
"""Writes a folder with every kind of file that a real corpus has and a program stumbles over.

usage: horrors.py FOLDER

All documents speak of cats or of ships, so that a test knows which words must come out, and which must not.
FOLDER/corpus is a folder of documents; other files in FOLDER are corpora of their own.
"""
import base64
import gzip
import io
import json
import os
import sys
import tarfile
import zipfile

CATS = "The cat and the kitten purr while the mouse is in the house; cats purr and kittens play."
SHIPS = "The ship sails on the sea to the harbour; sailors of the ship know the sea and the harbour."
FRENCH = "Le café près de la plage; l'été déjà très cher. " + CATS
HEAD = "From: joe@hosthorror.edu\nSubject: Re: cats\nMessage-ID: <idhorror@hosthorror.edu>\nOrganization: Orghorror\n"


def put(folder, name, content):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(content.encode() if isinstance(content, str) else content)


def main():
    top = sys.argv[1]
    corpus = os.path.join(top, "corpus")
    for i in range(4):
        put(corpus, f"plain/cats{i}.txt", CATS)
        put(corpus, f"plain/ships{i}.txt", SHIPS)
    put(corpus, "plain/crlf.txt", CATS.replace(" ", "\r\n"))
    put(corpus, "plain/packed.txt.gz", gzip.compress(SHIPS.encode()))
    put(corpus, "plain/empty.txt", "")
    for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"):
        put(corpus, f"encodings/{name}.txt", FRENCH.encode(name))
    put(corpus, "mail/plain", HEAD + "\n> quotehorror\n\n" + CATS + "\n-- \nJoe Sighorror\n")
    put(corpus, "mail/qp", HEAD + "Content-Transfer-Encoding: quoted-printable\n\n" + CATS.replace("purr", "pu=\nrr"))
    put(corpus, "mail/base64", HEAD + "Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(CATS.encode()).decode())
    put(corpus, "mail/multipart", HEAD + 'Content-Type: multipart/mixed; boundary="bh"\n\n--bh\nContent-Type: text/plain\n\n' + CATS
        + "\n--bh\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(bytes(range(256))).decode() + "--bh--\n")
    put(corpus, "web/page.html", "<!DOCTYPE html><html><head><title>Cats</title><script>scripthorror()</script><style>.stylehorror{}</style></head>"
        f"<body classhorror='x'><!-- commenthorror --><p>{CATS.replace('cat ', '<b>c</b>at ')}</p>&nbsp;</body></html>")
    put(corpus, "web/feed.xml", f"<?xml version='1.0'?><taghorror><![CDATA[{SHIPS}]]></taghorror>")
    put(corpus, "web/links.txt", SHIPS + " See http://urlhorror.org/pathhorror and www.sitehorror.com or mail to userhorror@x.org")
    put(corpus, "data/uuencoded.txt", CATS + "\nbegin 644 uuhorror\nM" + "0" * 60 + "\n`\nend\n")
    put(corpus, "binary/picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    put(corpus, "binary/program", b"\x7fELF\x02\x01\x01" + bytes(100))
    put(corpus, "binary/blob.bin", bytes(range(256)) * 4)
    put(corpus, "binary/book.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    put(corpus, "binary/half.gz", gzip.compress(CATS.encode() * 100)[:60])
    put(corpus, ".hidden/secret.txt", "hiddenhorror " * 9)
    os.symlink("nowhere", os.path.join(corpus, "broken-link"))
    os.symlink("..", os.path.join(corpus, "circle"))
    os.mkfifo(os.path.join(corpus, "pipe"))
    put(corpus, "names/tab\tand\nline\x1b[31m.txt", SHIPS)

    texts = [CATS, SHIPS] * 5
    put(top, "array.json", json.dumps([{"text": t, "class": "cats" if t == CATS else "ships"} for t in texts], indent=2))
    put(top, "texts.json", json.dumps(texts))
    put(top, "utf16.json", json.dumps(texts, ensure_ascii=False).encode("utf-16"))
    put(top, "lines.jsonl", "".join(json.dumps({"text": t}) + "\n" for t in texts))
    put(top, "utf16.csv", ("class,text\n" + "".join(f'"x","{t}"\n' for t in texts)).encode("utf-16"))
    put(top, "mail.mbox", "".join(f"From joe Mon Jan  1 00:00:00 2001\n{HEAD}\n{t}\n\n" for t in texts))
    put(top, "broken.json", '[{"text": "a"}, {"text": ')
    put(top, "broken.zip", b"PK\x03\x04" + bytes(60))
    with tarfile.open(os.path.join(top, "all.tar.gz"), "w:gz") as tar, zipfile.ZipFile(os.path.join(top, "all.zip"), "w", zipfile.ZIP_DEFLATED) as zipped:
        files = [(f"{'cats' if t == CATS else 'ships'}/{i}.txt", t.encode("utf-16" if i == 3 else "utf-8")) for i, t in enumerate(texts)]
        for name, content in files + [("picture.png", b"\x89PNG\r\n\x1a\n..."), (".hidden", b"hiddenhorror")]:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
            zipped.writestr(name, content)
    tenx = os.path.join(top, "tenx")
    put(tenx, "matrix.mtx.gz", gzip.compress(b"%%MatrixMarket matrix coordinate integer general\n3 4 4\n1 1 2\n2 2 1\n3 3 4\n1 4 1\n"))
    put(tenx, "features.tsv.gz", gzip.compress(b"ENSG1\tACTB\tGene\nENSG2\tGAPDH\tGene\nENSG3\tACTB\tGene\n"))
    put(tenx, "barcodes.tsv.gz", gzip.compress(b"AAA-1\nAAC-1\nAAG-1\nAAT-1\n"))


main()
