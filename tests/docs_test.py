#!/usr/bin/env python3
"""Checks the pages: links lead somewhere, files that are named exist, every page can be reached from README.md, the gallery
shows every input, docs/debugging.md has the variables GWRM_* that the source reads, and the version is the same everywhere.

    docs_test.py ROOT
    docs_test.py --self-test    plants one violation of each rule in a temporary tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile
import unittest

MOST_BYTES = 60_000  # of a picture in the gallery
SKIPPED_FOLDERS = {"build", ".git", ".venv", "__pycache__", ".pytest_cache"}
# Where a variable of the environment or of CMake is read, and in which files.
READS = [
    (re.compile(r'getenv\(\s*"(GWRM_\w+)"'), {".cpp", ".hpp", ".cu", ".cuh"}),
    (re.compile(r'environ(?:\.get\(|\[)"(GWRM_\w+)"'), {".py"}),
    (re.compile(r"\$\{(GWRM_\w+)(?=:?-)"), {""}),  # shell scripts have no ending
    (re.compile(r"(?:option\(|set\((?=\w+ [^)]*\bCACHE\b))(GWRM_\w+)"), {".txt", ".cmake"}),
]
# Where the version stands besides CMakeLists.txt, which says what it is.
VERSIONS = {"CITATION.cff": r"^version: ([\d.]+)", "packaging/conda/recipe.yaml": r'^  version: "([\d.]+)"',
            "CHANGELOG.md": r"^## ([\d.]+)", "docs/installing.md": r"gwrm_([\d.]+)-1"}
# A file in `backticks`: src/solver/newton.hpp, or newton.hpp alone.
FILE_NAME = re.compile(r"`((?:[\w.-]+/)*[a-z0-9][\w-]*\.(?:cpp|hpp|cu|cuh|py|cmake|md))`")


def files_of(root):
    for path in sorted(root.rglob("*")):
        if path.is_file() and not SKIPPED_FOLDERS & set(path.relative_to(root).parts[:-1]):
            yield path.relative_to(root)


def pages_of(root):
    folders = ["docs", "docs/decisions", "docs/site", "postprocess", "bench", "bench/peers"]
    return sorted(path for folder in [".", *folders] for path in (root / folder).glob("*.md"))


def text_of(page):
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)


def links(page):
    """(file, heading) of every link within the tree, the file as written, empty for the page itself."""
    for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text_of(page)):
        if not re.match(r"[a-z]+:", target):
            yield target, heading


def headings(page):
    """As they stand in links: "How the cost grows" is how-the-cost-grows."""
    for title in re.findall(r"^#+ (.*)$", text_of(page), re.M):
        yield re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def dead_links(root):
    for page in pages_of(root):
        for target, heading in links(page):
            other = page.parent / target if target else page
            if not other.exists():
                yield f"{page.relative_to(root)}: {target} does not exist"
            elif heading and heading not in headings(other):
                yield f"{page.relative_to(root)}: {target} has no heading #{heading}"


def unreachable_pages(root):
    reached, todo = set(), [(root / "README.md").resolve()]
    while todo:
        page = todo.pop()
        if page in reached or not page.is_file():
            continue
        reached.add(page)
        todo += [(page.parent / target).resolve() for target, _ in links(page) if target.endswith(".md")]
    for page in pages_of(root):
        if page.resolve() not in reached:
            yield f"{page.relative_to(root)} cannot be reached from README.md"


def missing_files(root):
    paths = [path.as_posix() for path in files_of(root)]
    for page in pages_of(root):
        if page.name == "CHANGELOG.md":  # of former versions
            continue
        for name in FILE_NAME.findall(page.read_text(encoding="utf-8")):
            stands_for_any = re.search(r"NAME|foo", name)
            if not stands_for_any and not any(path == name or path.endswith("/" + name) for path in paths):
                yield f"{page.relative_to(root)}: there is no file {name}"


def variables(root):
    page = root / "docs/debugging.md"
    documented = set(re.findall(r"\bGWRM_\w+", page.read_text(encoding="utf-8"))) if page.is_file() else set()
    read = {}
    for path in files_of(root):
        for pattern, endings in READS:
            if path.suffix in endings and path.as_posix() != "tests/docs_test.py":
                for name in pattern.findall((root / path).read_text(encoding="utf-8", errors="ignore")):
                    read.setdefault(name, path)
    for name in sorted(read.keys() - documented):
        yield f"docs/debugging.md lacks {name}, which {read[name]} reads"
    for name in sorted(documented - read.keys()):
        yield f"docs/debugging.md has {name}, which nothing reads"


def gallery_gaps(root):
    text = (root / "docs/gallery.md").read_text(encoding="utf-8")
    cases = {path.stem for path in (root / "inputs").glob("*.yaml")}
    pictures = {path.stem for path in (root / "docs/gallery").glob("*.png")}
    for case in sorted(cases):
        if f"(gallery/{case}.png)" not in text or f"(../inputs/{case}.yaml); " not in text:
            yield f"gallery.md lacks {case}: run docs/make_gallery.py"
    for case in sorted(cases ^ pictures):
        yield f"docs/gallery and inputs differ: {case}"
    for picture in (root / "docs/gallery").glob("*.png"):
        if picture.stat().st_size > MOST_BYTES:
            yield f"{picture.name} has more than {MOST_BYTES} bytes"


def other_versions(root):
    version = re.search(r"project\(gwrm VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    for name, pattern in VERSIONS.items():
        found = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.M)
        if not found or found.group(1) != version:
            yield f"{name}: the version is {version}, in CMakeLists.txt"


def check(root):
    root = pathlib.Path(root)
    rules = [dead_links, unreachable_pages, missing_files, variables, gallery_gaps, other_versions]
    return sorted({error for rule in rules for error in rule(root)})


class SelfTest(unittest.TestCase):
    """Every rule must be able to fail, and a clean tree must pass."""

    CLEAN = {
        "README.md": "[a](docs/a.md) [b](docs/debugging.md) [g](docs/gallery.md) [i](docs/installing.md) [c](CHANGELOG.md) "
                     "`src/x.cpp` `x.cpp`",
        "docs/a.md": "",
        "docs/debugging.md": "`GWRM_A`, `GWRM_C`",
        "docs/gallery.md": "![](gallery/one.png) ([case](../inputs/one.yaml); 2 s)",
        "docs/gallery/one.png": "",
        "inputs/one.yaml": "",
        "src/x.cpp": 'const char* a = getenv("GWRM_A");',
        "CMakeLists.txt": 'project(gwrm VERSION 1.2.0 LANGUAGES CXX)\noption(GWRM_C "what" ON)\nset(GWRM_INTERNAL 1)\n',
        "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.0\n",
        "packaging/conda/recipe.yaml": 'package:\n  version: "1.2.0"\n',
        "CHANGELOG.md": "# Changelog\n\n## 1.2.0\n\n## 1.1.0\n",
        "docs/installing.md": "[a](a.md) gwrm_1.2.0-1+deb12_amd64.deb",
    }

    def errors(self, planted=None):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.CLEAN, **(planted or {})}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check(folder)

    def expect_one(self, name, text, fragment):
        found = self.errors({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(fragment, found[0])

    def test_clean_tree(self):
        self.assertEqual(self.errors(), [])

    def test_pages(self):
        self.expect_one("docs/a.md", "[b](b.md)", "docs/a.md: b.md does not exist")
        self.assertEqual(self.errors({"docs/a.md": "# How, exactly?\n[c](#how-exactly) [r](../README.md)"}), [])
        self.expect_one("docs/a.md", "# How\n[c](../README.md#how)", "../README.md has no heading #how")
        self.expect_one("docs/decisions/c.md", "", "docs/decisions/c.md cannot be reached")
        self.expect_one("docs/a.md", "see `src/y.cpp`", "there is no file src/y.cpp")
        self.expect_one("docs/a.md", "see `y.hpp`", "there is no file y.hpp")

    def test_variables(self):
        self.expect_one("kernels/k.cu", 'std::getenv("GWRM_B")', "lacks GWRM_B, which kernels/k.cu reads")
        self.expect_one("tests/t.py", 'os.environ.get("GWRM_B")', "lacks GWRM_B")
        self.expect_one("bootstrap", 'echo "${GWRM_B:-1}"', "lacks GWRM_B")
        self.expect_one("src/x.cpp", "", "has GWRM_A, which nothing reads")
        self.expect_one("cmake/more.cmake", 'set(GWRM_B "" CACHE FILEPATH "what")', "lacks GWRM_B")

    def test_versions(self):
        for name in VERSIONS:
            self.expect_one(name, self.CLEAN[name].replace("1.2.0", "1.3.0"), f"{name}: the version is 1.2.0")

    def test_gallery(self):
        self.expect_one("docs/gallery/two.png", "", "docs/gallery and inputs differ: two")
        self.expect_one("docs/gallery/one.png", "." * (MOST_BYTES + 1), "one.png has more than")
        self.expect_one("docs/gallery.md", "[case](../inputs/one.yaml); ", "gallery.md lacks one")


def main():
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    errors = check(sys.argv[1])
    if errors:
        sys.exit("\n".join(errors))
    print(f"{len(pages_of(pathlib.Path(sys.argv[1])))} pages")


if __name__ == "__main__":
    main()
