"""The project's Markdown pages as those of the site: names, titles, links."""
import glob
import os
import re
import shutil

# Pages outside docs/, and the names that they get.
OTHERS = {"README.md": "index", "docs/README.md": "tasks", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog",
          "SECURITY.md": "security", "CODE_OF_CONDUCT.md": "conduct", "examples/nations/README.md": "nations",
          "examples/genes/README.md": "genes-data"}
# Where the site has something better than a file of the sources.
INSTEAD = {"include/cobloc.h": "c/cobloc.md", "docs": "tasks.md", "examples": None}


def anchor(title, separator="-"):
    """The anchors that GitHub gives to headings, which the links in the pages count on."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", separator)


def title_of(text):
    found = re.search(r"^# +(.*)$", text, re.M)
    return re.sub(r"[`*\"]", "", found[1]) if found else ""


def new_link(link, page, names):
    """A link of a page as one of the site; None: what it leads to is not there."""
    path, hash_mark, place = link.partition("#")
    if re.match(r"[a-z]+:", link) or not path:
        return link
    target = os.path.normpath(os.path.join(os.path.dirname(page), path))
    if target in names:
        return names[target] + ".md" + hash_mark + place
    header = re.fullmatch(r"include/cobloc/(\w+)\.h", target)
    if header:
        return f"c/{header[1]}.md"
    if target in INSTEAD:
        return INSTEAD[target]
    if re.search(r"\.(png|svg|jpg)$", target):
        return os.path.basename(target)
    return None


def rewrite(text, page, names):
    def link(match):
        to = new_link(match[2], page, names)
        return f"{match[1]}({to})" if to else match[1].lstrip("!")[1:-1]

    # Spans of code may hold brackets of their own; links do not reach across lines of code blocks.
    parts = re.split(r"(^```.*?^```|`[^`\n]*`(?!\]))", text, flags=re.M | re.S)
    parts[::2] = [re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", link, part) for part in parts[::2]]
    return "".join(parts)


def copy(root, folder):
    """Writes all pages and pictures; returns {name: title}."""
    sources = [name for name in OTHERS if os.path.exists(os.path.join(root, name))]
    sources += [os.path.relpath(path, root) for path in sorted(glob.glob(os.path.join(root, "docs", "*.md"))) if not path.endswith("README.md")]
    names = {source: OTHERS.get(source, os.path.basename(source)[:-3]) for source in sources}
    titles = {}
    for source, name in names.items():
        with open(os.path.join(root, source), encoding="utf-8") as f:
            text = rewrite(f.read(), source, names)
        titles[name] = title_of(text)
        with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as f:
            f.write(text)
    for ending in ("png", "svg"):
        for picture in glob.glob(os.path.join(root, "docs", "*." + ending)):
            shutil.copy(picture, folder)
    return titles
