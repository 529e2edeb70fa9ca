#!/usr/bin/env python3
"""Builds the web site of docs/ as mkdocs.yml says, strictly, and looks at what came out. Status 77 without MkDocs.

    docs_site_test.py ROOT
"""
import ast
import html
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = None
PACKAGES = ("mkdocs", "material", "pymdownx", "latex2mathml")
# What a browser loads by itself, if it names a server.
LOADED = re.compile(r'<(?:script|img|iframe|source|video)\b[^>]*\bsrc="?(?:https?:)?//[^>]*>'
                    r'|<link\b(?=[^>]*rel="?(?:stylesheet|preconnect|preload|icon))[^>]*href="?(?:https?:)?//[^>]*>', re.I)


def build(root, target):
    """With --quiet MkDocs would not count its warnings."""
    return subprocess.run([sys.executable, "-m", "mkdocs", "build", "-f", root / "mkdocs.yml", "-d", target],
                          env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"},
                          capture_output=True, text=True)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        done = build(ROOT, cls.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        cls.pages = {path.relative_to(cls.folder).as_posix(): path.read_text(encoding="utf-8")
                     for path in cls.folder.rglob("*.html")}

    def headings(self, page):
        return set(re.findall(r'<h[23] id="([^"]+)"', self.pages[page]))

    def test_the_first_page_is_the_readme(self):
        self.assertIn('id="the-first-case"', self.pages["index.html"])
        self.assertIn('href="docs/method.html#8-the-estimated-error"', self.pages["index.html"])

    def test_pages_can_be_searched(self):
        index = json.loads((self.folder / "search/search_index.json").read_text(encoding="utf-8"))
        found = {entry["location"].split("#")[0] for entry in index["docs"] if "Gray" in entry["title"] + entry["text"]}
        self.assertLessEqual({"docs/gallery.html", "docs/coming-from.html", "inputs/gray_scott.yaml.html"}, found)
        self.assertIn('class="md-search"', self.pages["index.html"])

    def test_nothing_comes_from_elsewhere(self):
        for name, text in self.pages.items():
            self.assertIsNone(LOADED.search(text), name)

    def test_the_gallery_shows_pictures_and_cases(self):
        for case in (ROOT / "inputs").glob("*.yaml"):
            self.assertIn(f'href="../inputs/{case.stem}.yaml.html"', self.pages["docs/gallery.html"])
            self.assertIn(f'src="gallery/{case.stem}.png"', self.pages["docs/gallery.html"])
            self.assertTrue((self.folder / f"docs/gallery/{case.stem}.png").is_file(), case)
            shown = html.unescape(re.sub(r"<[^>]*>", "", self.pages[f"inputs/{case.stem}.yaml.html"]))
            self.assertIn(case.read_text(encoding="utf-8").strip(), shown, case)

    def test_notebooks_are_shown_with_what_came_out(self):
        for path in (ROOT / "docs/notebooks").glob("*.ipynb"):
            page = self.pages[f"docs/notebooks/{path.name}.html"]
            pictures = path.read_text(encoding="utf-8").count("data:image/png") + path.read_text(encoding="utf-8").count('"image/png"')
            self.assertGreater(pictures, 0, path)
            self.assertEqual(page.count('src="data:image/png;base64,'), pictures, path)
            self.assertIn("PASS", page)
            self.assertNotRegex(page, r'href="[^"]*\.ipynb"')

    def test_mathematics_is_drawn(self):
        fences = (ROOT / "docs/method.md").read_text(encoding="utf-8").count("```math\n")
        self.assertGreater(fences, 5)
        self.assertEqual(self.pages["docs/method.html"].count('<math xmlns="http://www.w3.org/1998/Math/MathML"'), fences)
        self.assertNotRegex(self.pages["docs/method.html"], r"\\(frac|sum|text|quad|int)\b")

    def test_references_are_complete(self):
        package = ast.parse((ROOT / "python/gwrm/__init__.py").read_text(encoding="utf-8"))
        names = next(ast.literal_eval(node.value) for node in package.body if isinstance(node, ast.Assign))
        python = self.headings("docs/api-python.html")
        self.assertEqual({name.lower() for name in names} - {"errors"} - python, set())  # errors: a module, its classes are there
        self.assertIn("Reads a case and says what would be solved", self.pages["docs/api-python.html"])
        header = (ROOT / "src/api/gwrm.hpp").read_text(encoding="utf-8")
        types = re.findall(r"^(?:class|struct|enum class) (?:GWRM_PUBLIC )?(\w+)[^;\n]*\{", header, re.M)
        functions = re.findall(r"^[\w:]+ (\w+)\(.*\);", header, re.M)
        self.assertGreater(min(len(types), len(functions)), 2)
        self.assertEqual({name.lower() for name in types + functions} - self.headings("docs/api-cpp.html"), set())
        shown = html.unescape(re.sub(r"<[^>]*>", "", self.pages["docs/api-cpp.html"]))
        for line in ("Asked often; true ends the run with exit status 130", "Values evaluate(", "what() without place and quotation.",
                     "Installed as <gwrm/gwrm.hpp>"):
            self.assertIn(line, shown)
        self.assertNotIn("data_", shown)


class Mistakes(unittest.TestCase):
    """In a small tree with the site's own settings."""

    def test_broken_links_end_the_build(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            shutil.copytree(ROOT / "docs/site", root / "docs/site", ignore=shutil.ignore_patterns("*.md", "__pycache__"))
            for path, text in (("src/api/gwrm.hpp", "// Text.\nnamespace gwrm::api {\n\nint one();\n\n}  // namespace gwrm::api\n"),
                               ("python/gwrm/__init__.py", '"""Text."""\n__all__ = []\n')):
                (root / path).parent.mkdir(parents=True)
                (root / path).write_text(text, encoding="utf-8")
            settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
            (root / "mkdocs.yml").write_text(settings[:settings.index("\nnav:")], encoding="utf-8")
            (root / "docs/a.md").write_text("# One, and two\n", encoding="utf-8")
            good = ["docs/a.md#one-and-two", "src/api/gwrm.hpp", "docs/a.md"]
            bad = ["docs/b.md", "docs/a.md#one", "src/api/no.hpp", "docs/"]
            (root / "README.md").write_text("\n".join(f"[link]({link})" for link in good), encoding="utf-8")
            done = build(root, root / "site")
            self.assertEqual(done.returncode, 0, done.stderr)
            (root / "README.md").write_text("\n".join(f"[link]({link})" for link in good + bad), encoding="utf-8")
            done = build(root, root / "site")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"Aborted with {len(bad)} warnings", done.stdout + done.stderr)
            for link in bad:
                self.assertIn(f"'{link}'", done.stderr)


if __name__ == "__main__":
    if any(importlib.util.find_spec(name) is None for name in PACKAGES):
        print("skipped: pip install -r docs/requirements.txt")
        sys.exit(77)
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
