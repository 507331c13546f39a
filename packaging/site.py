#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: site.py TREE FOLDER
Makes a site of README.md and docs, with search, in FOLDER/site (./dev site). The pages stay as they are: they are copied to FOLDER/pages,
with the examples they lead to; what the site's menu has is what docs/README.md lists. mkdocs does the rest, and every warning of
its is an error, so that no link leads nowhere."""
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"\[([^]]+)\]\(([^)#]+\.md)\)")


def rows(text):
    """The tables of a page: for each its heading, and rows of cells."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        lines = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in table.splitlines()]
        yield lines[0], lines[2:]


def menu(tree):
    """One section for each table of docs/README.md, with the pages that its rows name, each once."""
    with open(os.path.join(tree, "docs", "README.md"), encoding="utf-8") as file:
        text = file.read()
    titles, seen, nav = {"you": "Begin", "to": "Use", "part": "How it works"}, set(), [{"Plumbline": "README.md"}]
    for head, body in rows(text):
        section = []
        for cells in body:
            for name, page in LINK.findall(cells[1]):
                if page not in seen:
                    seen.add(page)
                    section.append({name[0].upper() + name[1:]: "docs/" + page})
        nav.append({titles[head[0]]: section})
    return nav + [{"All pages": "docs/README.md"}, {"Changes": "CHANGELOG.md"}, {"Security": "SECURITY.md"}, {"Contributing": "CONTRIBUTING.md"}]


def describe_folder(folder):
    """A page for a folder of examples: what its README says, and its files."""
    readme, files = os.path.join(folder, "README.md"), sorted(os.listdir(folder))
    text = f"# {os.path.basename(folder)}\n\n"
    if os.path.exists(readme):
        with open(readme, encoding="utf-8") as file:
            text = file.read() + "\n"
        os.remove(readme)
    text += "Files:\n\n" + "".join(f"- [{name}]({name})\n" for name in files
                                   if name != "README.md" and os.path.isfile(os.path.join(folder, name)))
    with open(os.path.join(folder, "index.md"), "w", encoding="utf-8") as file:
        file.write(text)


def adapt(page, top):
    """What the generator does not know. A link to a folder, or to its README, leads to its page; one to another file of the tree is text."""
    with open(page, encoding="utf-8") as file:
        text = file.read()

    def lead(match):
        target = os.path.normpath(os.path.join(os.path.dirname(page), match.group(2).split("#")[0]))
        if os.path.isdir(target) and os.path.exists(os.path.join(target, "index.md")):
            return f"[{match.group(1)}]({match.group(2)}/index.md)"
        if not os.path.exists(target) and os.path.basename(target) == "README.md" and os.path.exists(os.path.dirname(target) + "/index.md"):
            return f"[{match.group(1)}]({os.path.dirname(match.group(2))}/index.md)"
        return match.group(0) if os.path.isfile(target) and target.startswith(top) else match.group(1)

    text = re.sub(r"^```(\S+) (\S+)\n", r"`\2`:\n\n```\1\n", text, flags=re.M)  # the file that a block is
    text = re.sub(r"(?<!!)\[([^]]+)\]\((?!https?:|#)([^)]+)\)", lead, text)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


def stage(tree, pages):
    shutil.rmtree(pages, ignore_errors=True)
    os.makedirs(pages)
    for name in ("README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md"):
        shutil.copy(os.path.join(tree, name), pages)
    for name in ("docs", "examples"):
        shutil.copytree(os.path.join(tree, name), os.path.join(pages, name), ignore=shutil.ignore_patterns("man"))
    for folder, _, _ in os.walk(os.path.join(pages, "examples")):
        describe_folder(folder)
    for folder, _, names in os.walk(pages):
        for name in names:
            if name.endswith(".md"):
                adapt(os.path.join(folder, name), pages)


def complete_scripts(site):
    """Debian's theme asks for jQuery by another version than it has, and for a script that it does not have."""
    with open(os.path.join(site, "index.html"), encoding="utf-8") as file:
        wanted = re.findall(r'<script src="js/([^"]+)"', file.read())
    have = os.listdir(os.path.join(site, "js"))
    for name in set(wanted) - set(have):
        kin = [other for other in have if other.split("-")[0] == name.split("-")[0]]
        with open(os.path.join(site, "js", name), "wb") as file:
            for other in kin[:1]:
                with open(os.path.join(site, "js", other), "rb") as source:
                    file.write(source.read())


def sections_of(index):
    """Without the pages as a whole, which have the same text again; the title of a section begins with that of its page."""
    titles = {s["location"]: html.unescape(s["title"]) for s in index}
    for s in index:
        page, sharp, _ = s["location"].partition("#")
        title, own = titles.get(page, ""), html.unescape(s["title"])
        if sharp:
            yield {"location": s["location"], "title": own if own.startswith(title) else f"{title}: {own}", "text": html.unescape(s["text"])}


def replace_search(tree, site):
    """By one that also works for pages that no server hands out."""
    folder = os.path.join(site, "search")
    with open(os.path.join(folder, "search_index.json"), encoding="utf-8") as file:
        sections = list(sections_of(json.load(file)["docs"]))
    with open(os.path.join(folder, "pages.js"), "w", encoding="utf-8") as file:
        file.write("const siteSections = " + json.dumps(sections, ensure_ascii=False) + ";\n")
    shutil.copy(os.path.join(tree, "packaging", "site_search.js"), os.path.join(folder, "main.js"))
    for name in ("lunr.js", "worker.js", "search_index.json"):
        os.remove(os.path.join(folder, name))


class Anchors(html.parser.HTMLParser):
    """The anchors of a page, and its links to anchors."""

    def __init__(self, page):
        super().__init__()
        self.names, self.links = set(), []
        with open(page, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names.add(given.get("id"))
        link = given.get("href") or ""
        if "#" in link and ":" not in link:
            self.links.append(link.split("#"))


def count_lost_anchors(site):
    """Links to parts of pages that the pages do not have; the generator does not look."""
    pages = {os.path.join(folder, name): Anchors(os.path.join(folder, name))
             for folder, _, names in os.walk(site) for name in names if name.endswith(".html")}
    lost = 0
    for page, anchors in pages.items():
        for path, name in anchors.links:
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if name and target in pages and name not in pages[target].names:
                print(f"{os.path.relpath(page, site)}: {path} has no part #{name}")
                lost += 1
    return lost


def main():
    tree, out = (os.path.abspath(word) for word in sys.argv[1:3])
    stage(tree, os.path.join(out, "pages"))
    with open(os.path.join(out, "pages", "wide.css"), "w", encoding="utf-8") as file:
        file.write(".wy-nav-content { max-width: 1100px }\n"  # reports have up to 100 columns
                   ".rst-content table { margin-bottom: 24px } .rst-content td, .rst-content th { padding: 2px 8px }\n")
    config = {"site_name": "Plumbline", "docs_dir": "pages", "site_dir": "site", "use_directory_urls": False, "nav": menu(tree),
              "theme": {"name": "readthedocs", "highlightjs": False, "navigation_depth": 2},
              "extra_css": ["wide.css"], "plugins": ["search"], "markdown_extensions": ["tables", "fenced_code", "sane_lists"]}
    with open(os.path.join(out, "mkdocs.yml"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=1)  # which is YAML, too
    code = subprocess.run(["mkdocs", "build", "--strict", "--clean", "--quiet", "-f", os.path.join(out, "mkdocs.yml")], check=False).returncode
    if code:
        return code
    complete_scripts(os.path.join(out, "site"))
    replace_search(tree, os.path.join(out, "site"))
    return count_lost_anchors(os.path.join(out, "site")) > 0


if len(sys.argv) != 3:
    sys.exit(__doc__)
sys.exit(main())
