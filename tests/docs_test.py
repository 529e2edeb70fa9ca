#!/usr/bin/env python3
"""Checks docs/ and README.md: links lead somewhere, and the gallery shows every input.

    docs_test.py ROOT
"""
import pathlib
import re
import sys

MOST_BYTES = 60_000  # of a picture in the gallery


def dead_links(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            yield f"{page.name}: {target} does not exist"


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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    pages = [root / "README.md", root / "postprocess/README.md", *sorted((root / "docs").glob("*.md"))]
    errors = [error for page in pages for error in dead_links(page)] + list(gallery_gaps(root))
    if errors:
        sys.exit("\n".join(errors))
    print(f"{len(pages)} pages")


if __name__ == "__main__":
    main()
