"""Runs the commands of the guides, page by page, each in a folder with stand-ins for the files that a page speaks of.

usage: test_commands.py COBLOC

Not run: commands with a placeholder in capitals (cobloc fit CORPUS -k K), and those that make files of gigabytes.
"""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COBLOC = os.path.abspath(sys.argv[1])
NATIONS = os.path.join(ROOT, "examples", "nations", "nations.csv")
LABELS = os.path.join(ROOT, "examples", "nations", "nations.labels.txt")
GENES = os.path.join(ROOT, "examples", "genes", "genes.csv")
PAGES = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]


def commands(text):
    """The command lines in the code blocks of a page, in their order, without comments."""
    fenced = [(m.start(), m[1]) for m in re.finditer(r"^```\w*\n(.*?)^```", text, re.M | re.S)]
    blank = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", "x", m[0]), text, flags=re.M | re.S)
    indented = [(m.start(), re.sub(r"^ {4}", "", m[0], flags=re.M)) for m in re.finditer(r"(?:(?<=\n\n)|\A)(?: {4}.*\n|\n(?= {4}))+", blank)]
    for _, block in sorted(fenced + indented):
        for line in re.sub(r"\\\n *", " ", block).splitlines():
            found = re.match(r"(?:\$ )?(cobloc .*)", line)
            if found:
                yield re.split(r"\s#\s", found[1])[0].rstrip()


def lines(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)


def run(*words):
    subprocess.run([COBLOC, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def texts():
    """What stands in for corpora: the sentences about genes, also in folders."""
    import csv
    with open(GENES, encoding="utf-8", newline="") as f:
        genes = list(csv.DictReader(f))
    for folder in ("articles", "classic_raw"):
        for gene in genes:
            os.makedirs(f"{folder}/{gene['trait']}", exist_ok=True)
            write(f"{folder}/{gene['trait']}/{gene['gene']}.txt", gene["text"] + "\n")
    write("reviews.jsonl", "".join(json.dumps({"review": gene["text"]}) + "\n" for gene in genes))
    write("glosses.jsonl", "".join(json.dumps({"text": g["text"], "word": g["gene"], "file": g["trait"]}) + "\n" for g in genes))
    with open("new.csv", "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, ["gene", "text"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(genes[:3])


def prepare(page):
    """The files that a page speaks of and does not make."""
    os.symlink(os.path.join(ROOT, "examples"), "examples")
    texts()
    table, labels = lines(NATIONS), lines(LABELS)
    if page != "genes":
        write("new.csv", "\n".join(table[:6]) + "\n")
    write("most.csv", "\n".join(table[:1] + table[6:]) + "\n")
    run("convert", NATIONS, "docs.mtx")
    with open("docs.mtx", "rb") as plain, gzip.open("docs.mtx.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    shutil.copy(NATIONS, "votes.csv")
    write("classes.txt", "\n".join(labels) + "\n")
    for number in (1, 2):
        run("fit", "docs.mtx.gz", "-k", "4", "-m", "coclus", "--seed", str(number), "-o", f"run{number}")
    rows, cols = ([line.split("\t")[1] for line in lines(f"run1/{side}.tsv")[1:]] for side in ("rows", "cols"))
    for name, values in (("mine.rows.txt", rows), ("mine.cols.txt", cols), ("mine.txt", rows), ("kmeans.txt", rows), ("topics.txt", rows),
                         ("labels.txt", rows), ("col-classes.txt", cols)):
        write(name, "\n".join(values) + "\n")
    if page == "scores":
        shutil.copytree("run1", "out")


def is_run(command):
    return not re.search(r"\b[A-Z]{1,}\b(?!\.)", re.sub(r"\"[^\"]*\"", "", command)) and "--rows 1000000" not in command


def main():
    failures, ran, left = [], 0, 0
    for page in PAGES:
        with open(page, encoding="utf-8") as f:
            found = list(commands(f.read()))
        if not found:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            prepare(os.path.basename(page)[:-3])
            os.mkdir("bin")
            os.symlink(COBLOC, "bin/cobloc")
            for command in found:
                if not is_run(command):
                    left += 1
                    continue
                ran += 1
                done = subprocess.run(["bash", "-c", command], env=dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"]),
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if done.returncode != 0:
                    failures.append(f"{os.path.relpath(page, ROOT)}: {command}\n    {done.stdout.strip()[-400:]}")
            os.chdir(ROOT)
    print("\n".join(failures) or f"{ran} commands ran; {left} are patterns, or would make gigabytes")
    sys.exit(1 if failures else 0)


main()
