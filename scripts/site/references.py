"""Pages that are made from the sources: commands, headers of C, docstrings of Python, help of R."""
import ast
import glob
import html
import os
import re
import subprocess
import textwrap


def write(folder, name, text):
    path = os.path.join(folder, name + ".md")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


# ---- commands -----------------------------------------------------------------------------------

def option_table(lines):
    """The options of a section of --help, as a table."""
    rows, option = [], re.compile(r"^ {2,6}(-\S.*?)(?: {2,}(.*))?$")
    for line in lines:
        found = option.match(line)
        if found:
            rows.append([found[1], found[2] or ""])
        elif rows and line.strip():
            rows[-1][1] = (rows[-1][1] + " " + line.strip()).strip()
    return ["| option | meaning |", "|---|---|", *(f"| `{name}` | {html.escape(text, quote=False).replace('|', '&#124;')} |" for name, text in rows)]


def command_page(name, text):
    usage, *rest = text.split("\n\n")
    lines = [f"# cobloc {name}", "", "    " + usage.removeprefix("Usage: "), ""]
    for part in rest:
        heading, _, body = part.partition("\n")
        if heading.endswith(":") and re.match(r" {2,6}-", body):
            lines += [f"## {heading[:-1]}", "", *option_table(body.splitlines()), ""]
        elif re.match(r" {2,6}-\S", part):
            lines += [*option_table(part.splitlines()), ""]
        elif part.startswith(" ") or heading.endswith(":"):
            lines += ["```", part, "```", ""]
        else:
            lines += [html.escape(part, quote=False), ""]
    return "\n".join(lines)


def commands(cobloc, folder):
    """A page for each command; what `--help` prints, from the same tables."""
    run = lambda *words: subprocess.run([cobloc, *words], check=True, capture_output=True, text=True).stdout  # noqa: E731
    titles = {}
    for name in re.findall(r"^  ([a-z]+) ", run("--help"), re.M):
        if name in ("help", "version"):
            continue
        write(folder, f"commands/{name}", command_page(name, run(name, "--help")))
        titles[f"commands/{name}"] = name
    return titles


# ---- C ------------------------------------------------------------------------------------------

def prose(comment):
    text = re.sub(r"^/\*|\*/$", "", comment.strip()).strip()
    return re.sub(r"^ ?\* ?", "", text, flags=re.M)


def header_page(name, text):
    """The first comment as text; then sections of declarations with their comments."""
    first, rest = re.match(r"(/\*.*?\*/)(.*)", text, re.S).groups()
    about = prose(first).replace("SPDX-License-Identifier: MIT", "").strip()
    body = re.sub(r"^#(ifndef COBLOC_\w*H|define COBLOC_\w*_?H|endif|ifdef __cplusplus)$|^extern \"C\" \{$|^\}$(?=\n#endif)", "", rest, flags=re.M)
    lines = [f"# {name}.h", "", *(["```", about, "```"] if "\n    " in about else [html.escape(about, quote=False)]), ""]
    parts = re.split(r"^/\* -{3,} (.*?) -+(?:\s*\*/)?$", body, flags=re.M)
    for title, part in zip([None, *parts[1::2]], parts[::2]):
        part = re.sub(r"\n{3,}", "\n\n", part).strip("\n")
        if title:
            lines += [f"## {title[0].upper() + title[1:]}", ""]
        if part and title and not part.lstrip().startswith(("/*", "typedef", "COBLOC", "#")):
            part = "/*\n" + part.lstrip("\n ").replace("*", " *", 1)  # a comment that its title began
        if part:
            lines += ["```c", part, "```", ""]
    return "\n".join(lines)


def headers(root, folder):
    titles = {}
    for path in [os.path.join(root, "include", "cobloc.h"), *sorted(glob.glob(os.path.join(root, "include", "cobloc", "*.h")))]:
        name = os.path.basename(path)[:-2]
        with open(path, encoding="utf-8") as f:
            write(folder, f"c/{name}", header_page(name if name == "cobloc" else "cobloc/" + name, f.read()))
        titles[f"c/{name}"] = name + ".h"
    return titles


# ---- Python -------------------------------------------------------------------------------------

def docstring_page(text):
    """A docstring in NumPy's style as Markdown."""
    lines, out, section = text.splitlines(), [], ""
    for number, line in enumerate(lines):
        under = lines[number + 1] if number + 1 < len(lines) else ""
        if under and re.fullmatch(r"-{3,}", under.strip()) and line.strip():
            section = line.strip()
            out += ["", f"**{section}**", ""]
        elif re.fullmatch(r"-{3,}", line.strip()):
            continue
        elif line.startswith(">>>") or (out and out[-1].startswith("    >>>") and line.strip()):
            out.append("    " + line)
        elif section and section not in ("Notes", "See Also") and line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            out += ["", f"`{name}`" + (f" ({kind})" if colon else "") + "  "]
        else:
            out.append(re.sub(r"^ {4}", "", line))
    plain = re.sub(r"``([^`]+)``", r"`\1`", "\n".join(out))
    return re.sub(r":\w+:`~?([^`]+)`", r"`\1`", plain)


def signature(node):
    """The names of the arguments with their defaults."""
    arguments, given = node.args, []
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    given += [a.arg + (f"={ast.unparse(d)}" if d else "") for a, d in zip(positional, defaults) if a.arg not in ("self", "cls")]
    if arguments.vararg or arguments.kwonlyargs:
        given.append("*" + (arguments.vararg.arg if arguments.vararg else ""))
    given += [a.arg + (f"={ast.unparse(d)}" if d else "") for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        given.append("**" + arguments.kwarg.arg)
    return ", ".join(given)


def usage(name, node):
    """The call as code; a long one on several lines."""
    arguments = signature(node) if node else ""
    if len(name) + len(arguments) <= 90:
        return f"    {name}({arguments})"
    lines = textwrap.wrap(arguments, 86, break_long_words=False, break_on_hyphens=False)
    return f"    {name}(\n" + "".join(f"        {line}\n" for line in lines) + "    )"


def python_entry(node, level="##"):
    about = docstring_page(ast.get_docstring(node) or "")
    if isinstance(node, ast.FunctionDef):
        return [f"{level} {node.name}", "", usage(node.name, node), "", about, ""]
    methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
    start = next((m for m in methods if m.name == "__init__"), None)
    lines = [f"{level} {node.name}", "", usage(node.name, start), "", about, ""]
    for method in methods:
        if not method.name.startswith("_") and ast.get_docstring(method):
            lines += python_entry(method, level + "#")
    return lines


def python(root, folder):
    """The public names of the package, in the order in which it lists them."""
    package = os.path.join(root, "bindings", "python", "cobloc")
    if not os.path.exists(package):
        return {}
    defined, public, about = {}, [], ""
    for path in sorted(glob.glob(os.path.join(package, "*.py"))):
        with open(path, encoding="utf-8") as f:
            tree = ast.parse(f.read())
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                defined[node.name] = node
            if path.endswith("__init__.py") and isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                public = [name for name in ast.literal_eval(node.value) if not name.startswith("_")]
                about = ast.get_docstring(tree) or ""
    lines = ["# The Python package", "", docstring_page(about), ""]
    for name in public:
        lines += python_entry(defined[name]) if name in defined else []
    write(folder, "reference/python", "\n".join(lines))
    return {"reference/python": "Reference"}


# ---- R ------------------------------------------------------------------------------------------

def r_section(name, text):
    """What a page says, its headings below that of the page; links lead within the page or nowhere."""
    title, body = re.search(r"<h2>(.*?)</h2>(.*?)(?:<hr /><div|</div>\s*</body>)", text, re.S).groups()
    body = re.sub(r"<(/?)h3>", r"<\1h4>", body)
    body = re.sub(r"\sid=[\"'][^\"']*[\"']|\sclass='language-R'|\sstyle=\"[^\"]*\"", "", body)
    body = re.sub(r"<a href=\"(?!#)[^\"]*\">(.*?)</a>", r"\1", body, flags=re.S)
    return f'<h2 id="{name}">{title.strip()}</h2>\n<p><code>?{name}</code></p>\n{body}\n'


def r(root, folder):
    pages = sorted(glob.glob(os.path.join(root, "bindings", "r", "man", "*.Rd")))
    pages.sort(key=lambda path: (not path.endswith("/cobloc.Rd"), "/print." in path, path))
    pages = [page for page in pages if not page.endswith("cobloc-package.Rd")]
    text = "# The R package\n\n"
    try:
        run = subprocess.run(["Rscript", os.path.join(os.path.dirname(__file__), "help.R"), *pages], check=True, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C.UTF-8"))
    except FileNotFoundError:
        print("there is no R: its reference is left out")
        return {}
    for part in run.stdout.split("@@")[1:]:
        name, _, body = part.partition("\n")
        text += f'<div class="rd">\n{r_section(name.strip(), body)}</div>\n\n'
    # The methods of a page may be asked for by other names.
    text = re.sub(r'<a href="#([\w.]+)"', lambda m: m[0] if f'id="{m[1]}"' in text else '<a', text)
    write(folder, "reference/r", text)
    return {"reference/r": "Reference"}
