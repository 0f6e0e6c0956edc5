"""Checks the documentation: links, anchors, commands and their options, models, the C example, and the functions it names.

usage: test_docs.py COBLOC C-COMPILER
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COBLOC, COMPILER = sys.argv[1:3]
PAGES = sorted(glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "docs", "*.md"))
               + glob.glob(os.path.join(ROOT, "examples", "*", "README.md")))
LONGEST_README = 150
OPTION = re.compile(r"--[a-z][a-z-]*|-[a-z]\b")
failures = []


def fail(page, text):
    failures.append(f"{os.path.relpath(page, ROOT)}: {text}")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- Markdown ---------------------------------------------------------------------------------

def split_code(text):
    """The prose of a page, and its code blocks, fenced or indented, each as (language, text)."""
    blocks = [(m[1], m[2]) for m in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    indented = re.compile(r"(?:(?<=\n\n)|\A)(?: {4}.*\n|\n(?= {4}))+")
    blocks += [("", re.sub(r"^ {4}", "", m[0], flags=re.M)) for m in indented.finditer(prose)]
    return indented.sub("", prose), blocks


def anchors(path):
    """The anchors that GitHub gives to the headings of a page."""
    found = set()
    for title in re.findall(r"^#+ +(.*?) *$", split_code(read(path))[0], re.M):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\]\([^)]*\)", "", title).lower()).replace(" ", "-")
        number = 0
        while slug + (f"-{number}" if number else "") in found:
            number += 1
        found.add(slug + (f"-{number}" if number else ""))
    return found


def check_links(page, prose):
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", prose)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
        if not os.path.exists(target):
            fail(page, f"the link {link} leads nowhere")
        elif anchor and anchor not in anchors(target):
            fail(page, f"the link {link} names no heading of its page")


# ---- commands ---------------------------------------------------------------------------------

def output(*words):
    return subprocess.run([COBLOC, *words], stdout=subprocess.PIPE, text=True, check=True).stdout


def known_options():
    """The options of each command, as --help lists them."""
    commands = re.findall(r"^  ([a-z]+) ", output("--help"), re.M)
    return {name: set(OPTION.findall("\n".join(re.findall(r"^ +(?:-\w, )?--[a-z-]+", output(name, "--help"), re.M)))) for name in commands}


def check_command(page, words, options, models):
    """One command line, without the program's name."""
    words = re.split(r" # |\||&&|;|\$\(", re.sub(r"[\"']", "", words) + " ")[0].split()
    if not words or not re.fullmatch(r"[a-z]+", words[0]):
        return
    if words[0] not in options:
        return fail(page, f"there is no command 'cobloc {words[0]}'")
    for word, value in zip(words[1:], words[2:] + [""]):
        name = word.partition("=")[0]
        if OPTION.fullmatch(name) and name not in options[words[0]]:
            fail(page, f"cobloc {words[0]} has no option {name}")
        if words[0] in ("fit", "select") and name in ("-m", "--model") and value.islower():
            for model in set(value.split(",")) - models:
                fail(page, f"there is no model '{model}'")


def check_commands(page, prose, blocks, options, models):
    for _, block in blocks:
        for line in re.sub(r"\\\n *", " ", block).splitlines():
            command = re.match(r"(?:\$ )?cobloc (.*)", line)
            if command:
                check_command(page, command[1], options, models)
    every = set().union(*options.values())
    for span in re.findall(r"`([^`]*)`", prose):
        span = " ".join(span.split())
        if span.startswith("cobloc "):
            check_command(page, span[len("cobloc "):], options, models)
        elif span.startswith("--") and span.split()[0].partition("=")[0] not in every:
            fail(page, f"no command has the option {span}")


# ---- code -------------------------------------------------------------------------------------

def check_examples(page, blocks):
    """C programs on a page compile."""
    for language, block in blocks:
        if language != "c":
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".c") as f:
            f.write(block)
            f.flush()
            run = subprocess.run([COMPILER, "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(ROOT, "include"), f.name],
                                 stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            fail(page, "the C example does not compile:\n" + run.stderr)


def check_functions(page, prose):
    """Lists of `file`: `function`, `function`, ...: each is defined or declared in its file."""
    for path, rest in re.findall(r"^\d+\. +`(src/[a-z0-9_/.]+)`: *(.*(?:\n {2,}.*)*)", prose, re.M):
        if not os.path.exists(os.path.join(ROOT, path)):
            fail(page, f"there is no file {path}")
            continue
        for name in re.findall(r"`([a-z]\w+)`", rest):
            if not re.search(rf"\b{name}\b", read(os.path.join(ROOT, path))):
                fail(page, f"{path} has no {name}")


def check_help(options, models):
    """Every command has examples, in its help and on its man page, that can be typed."""
    for name in options:
        examples = re.findall(r"^  cobloc (.*)", output(name, "--help").partition("\nExamples:\n")[2], re.M)
        if not examples or ".SH EXAMPLES" not in output(name, "--man"):
            failures.append(f"cobloc {name} --help and --man: no examples")
        for example in examples:
            check_command(os.path.join(ROOT, f"cobloc {name} --help"), example.split(" >")[0], options, models)


known, names = known_options(), {line.split()[0] for line in output("models").splitlines()[1:]}
for each in PAGES:
    plain, code = split_code(read(each))
    check_links(each, plain)
    check_commands(each, plain, code, known, names)
    check_examples(each, code)
    check_functions(each, plain)
check_help(known, names)
length = len(read(os.path.join(ROOT, "README.md")).splitlines())
if length > LONGEST_README:
    failures.append(f"README.md has {length} lines, more than {LONGEST_README}")
print("\n".join(failures) or f"{len(PAGES)} pages, {len(known)} commands: all links, commands and options exist")
sys.exit(1 if failures else 0)
