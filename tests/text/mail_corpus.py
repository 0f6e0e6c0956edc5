#!/usr/bin/env python3
"""Writes a folder of mail-like documents whose words are known: subjects with their own vocabulary, wrapped in all that mail and
web pages bring along.

usage: mail_corpus.py FOLDER [--documents N] [--subjects K] [--kind mail|html] [--words W] [--seed S]

FOLDER/subject-S/N is a document. The words of subject S are made of two syllables that name it, so that a test can tell from a
word alone whether it belongs to the text and to which subject; 'noise' lists are what must not become a term: headers, hosts, user
names, ids, quotes of other subjects, signatures, encoded data, tags, scripts.
"""
import argparse
import base64
import os
import random

ONSETS = "b c d f g h j k l m n p r s t v w z".split()
VOWELS = "a e i o u".split()
COMMON = "the of and to in is that for it was with as on be at by this had not are but from or have an they which one you were".split()
USERS = "zaphodq trilliank fordpr marvinx deepth slartib eddiecomp agrajagz".split()
HOSTS = "gnomexq.edu vaxhost.com quuxnet.org relayzz.ac.uk spamhub.net".split()


def vocabulary(subject, size, rng):
    """Words of a subject: its number in letters, then two syllables."""
    mark = "".join("qxjvkwyzbfgh"[int(d)] + "u" for d in f"{subject:02d}")
    words = set()
    while len(words) < size:
        words.add(mark + "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(2)) + rng.choice(["n", "r", "m", ""]))
    return sorted(words)


def sentence(words, rng, count):
    out = [rng.choice(COMMON) if rng.random() < 0.4 else rng.choice(words) for _ in range(count)]
    return " ".join(out).capitalize() + "."


def paragraph(words, rng, count):
    lines, line = [], ""
    for word in " ".join(sentence(words, rng, rng.randint(6, 14)) for _ in range(max(1, count // 10))).split(" "):
        if len(line) + len(word) > 68:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join(lines + [line])


def mail(words, others, rng, size):
    user, host = rng.choice(USERS), rng.choice(HOSTS)
    ident = f"{rng.randrange(16**10):010x}.{rng.randrange(99999)}@{host}"
    head = [
        f"Path: cantaloupe!newsgate!{host.split('.')[0]}!{user}",
        f"From: {user}@{host} ({user.capitalize()} Headersson)",
        f"Newsgroups: comp.sys.headergroup,alt.headerfan.{user}",
        "Subject: Re: " + " ".join(rng.choice(words) for _ in range(4)),
        f"Message-ID: <{ident}>",
        f"References: <refident{rng.randrange(9999)}@{host}>",
        "Organization: Headerorg Institute of Postmastery",
        f"Nntp-Posting-Host: {rng.choice(USERS)}.{host}",
        f"X-Newsreader: headerreader [version {rng.randrange(9)}.{rng.randrange(9)}]",
        f"Lines: {size // 10}",
    ]
    quoted = "\n".join("> " + line for line in paragraph(others, rng, size // 4).split("\n"))
    body = [
        f"In article <{rng.randrange(10**9)}@{host}> {rng.choice(USERS)}@{host} writes:",
        quoted,
        "",
        paragraph(words, rng, size // 2),
        f"See http://www.{host}/~{user}/pagepath.html or ftp.{host}, mail me at {user}@{host}.",
        "",
        paragraph(words, rng, size // 2),
    ]
    if rng.random() < 0.3:
        data = base64.b64encode(rng.randbytes(270)).decode()
        body += ["", *(data[i : i + 60] for i in range(0, len(data), 60))]
    if rng.random() < 0.2:
        body += ["", "begin 644 uufile.gif", "M" + "8".join("#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:30])[:60].ljust(60, "!"), "#0V%T", "`", "end"]
    body += ["", f"checksum {rng.randrange(16**32):032x}"]
    body += ["", "-- ", f"{user.capitalize()} Signatureson, Signatura Ltd", "Sigquote: all opinions are signatory"]
    return "\n".join(head) + "\n\n" + "\n".join(body) + "\n"


def page(words, others, rng, size):
    user, host = rng.choice(USERS), rng.choice(HOSTS)
    parts = [
        "<!DOCTYPE html>\n<html><head><title>" + " ".join(rng.choice(words) for _ in range(4)) + "</title>",
        '<meta name="generator" content="metagenerator"><style>.classname { color: stylecolor; }</style>',
        "<script>var scriptvar = document.getElementById('scriptid'); if (a < b && c > d) { scriptcall(); }</script></head>",
        f'<body class="bodyclass"><!-- commentword commentword --><nav><a href="http://{host}/{user}" title="titleattr > here">',
        rng.choice(words) + "</a></nav>",
    ]
    for _ in range(4):
        text = paragraph(words, rng, size // 4)
        first, rest = text.split(" ", 1)
        parts.append(f'<p id="para{rng.randrange(99)}"><b>{first[:3]}</b>{first[3:]} {rest} &amp; &eacute;&#233;t&eacute;&nbsp;&hellip;</p>')
        parts.append(f'<div data-x="{rng.randrange(16**8):x}"><img src="imgsrc.png" alt="altattr"/></div>')
    return "\n".join(parts) + "\n</body></html>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--subjects", type=int, default=20)
    parser.add_argument("--kind", choices=("mail", "html"), default="mail")
    parser.add_argument("--words", type=int, default=150, help="of a document")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    lists = [vocabulary(s, 60, rng) for s in range(args.subjects)]
    for s in range(args.subjects):
        os.makedirs(os.path.join(args.folder, f"subject-{s}"), exist_ok=True)
    write = mail if args.kind == "mail" else page
    for i in range(args.documents):
        s = i % args.subjects
        other = lists[rng.randrange(args.subjects)]
        with open(os.path.join(args.folder, f"subject-{s}", str(i)), "w", encoding="utf-8") as f:
            f.write(write(lists[s], other, rng, args.words))


main()
