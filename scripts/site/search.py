"""The index of the search: a script with the text of every section, so that it also works from a disk."""
import html.parser
import json
import os

SKIPPED = ("nav", "header", "footer", "script", "style", "title")


class Sections(html.parser.HTMLParser):
    """Splits a page at its headings; what stands before the first belongs to the page."""

    def __init__(self):
        super().__init__()
        self.sections, self.inside, self.heading = [], [], None

    def handle_starttag(self, tag, attributes):
        if tag in SKIPPED:
            self.inside.append(tag)
        elif tag in ("h1", "h2", "h3") and not self.inside:
            self.heading = tag
            self.sections.append({"place": dict(attributes).get("id", "") if tag != "h1" else "", "title": "", "text": []})

    def handle_endtag(self, tag):
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()
        if tag == self.heading:
            self.heading = None

    def handle_data(self, data):
        if self.inside or not self.sections:
            return
        if self.heading:
            self.sections[-1]["title"] += data
        else:
            self.sections[-1]["text"].append(data)


def write(folder):
    """Reads all pages of a site and writes search-index.js beside them; returns their number."""
    index, count = [], 0
    for path, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if not name.endswith(".html") or name == "404.html":
                continue
            count += 1
            parser = Sections()
            with open(os.path.join(path, name), encoding="utf-8") as f:
                parser.feed(f.read())
            page = os.path.relpath(os.path.join(path, name), folder)
            first = parser.sections[0]["title"].strip() if parser.sections else name
            for section in parser.sections:
                text = " ".join(" ".join(section["text"]).split())
                place = "#" + section["place"] if section["place"] else ""
                title = section["title"].strip()
                index.append([page + place, first, "" if title == first else title, text[:4000]])
    with open(os.path.join(folder, "search-index.js"), "w", encoding="utf-8") as f:
        f.write("var searchIndex = " + json.dumps(index, ensure_ascii=False, separators=(",", ":")) + ";\n")
    return count
