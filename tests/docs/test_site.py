"""Builds the documentation site and checks it: every link leads to a page and a place, nothing comes from elsewhere, every page is
found in the menu and in the search.

usage: test_site.py COBLOC
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
failures = []


class Page(html.parser.HTMLParser):
    """The links, what is loaded, and the places of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            if values["id"] in self.places:
                failures.append(f"the place {values['id']} is there twice")
            self.places.add(values["id"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif values.get("src") or (tag == "link" and values.get("href")):
            self.loaded.append(values.get("src") or values["href"])


def check_page(folder, name, pages):
    page = pages[name]
    for loaded in page.loaded:
        target = os.path.normpath(os.path.join(folder, os.path.dirname(name), loaded))
        if re.match(r"[a-z]+:|//", loaded) or not os.path.exists(target):
            failures.append(f"{name}: loads {loaded}")
    for link in page.links:
        if re.match(r"(https?|mailto):", link):
            continue
        path, _, place = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if target in pages and place and place not in pages[target].places:
            failures.append(f"{name}: {link} names no place of its page")
        elif target not in pages and not os.path.isfile(os.path.join(folder, target)):
            failures.append(f"{name}: {link} leads nowhere")


def main():
    if not shutil.which("mkdocs", path="/usr/bin:" + os.environ["PATH"]):
        print("skipped: there is no mkdocs")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "site")
        subprocess.run([os.path.join(ROOT, "scripts", "docs-site"), sys.argv[1], folder], check=True)
        names = [os.path.relpath(os.path.join(path, name), folder) for path, _, files in os.walk(folder) for name in files if name.endswith(".html")]
        pages = {name: Page(os.path.join(folder, name)) for name in names}
        for name in names:
            check_page(folder, name, pages)
        linked = {os.path.normpath(link.partition("#")[0]) for link in pages["index.html"].links}
        failures.extend(f"{name} is not in the menu" for name in names if name not in linked)
        with open(os.path.join(folder, "search-index.js"), encoding="utf-8") as f:
            index = json.loads(f.read().removeprefix("var searchIndex = ").rstrip(";\n"))
        failures.extend(f"{name} is not in the search" for name in set(names) - {entry[0].partition("#")[0] for entry in index})
        for page, _, _, _ in index:
            name, _, place = page.partition("#")
            if place and place not in pages[name].places:
                failures.append(f"the search leads to {page}, which is not there")
    print("\n".join(failures) or f"{len(names)} pages: all links lead somewhere, nothing is loaded from elsewhere")
    sys.exit(1 if failures else 0)


main()
