#!/usr/bin/env python3
"""Executes docs/notebooks and compares with the outputs that are stored there: the same text but for digits, a picture where
there is one. Python needs the packages gwrm, nbclient and ipykernel.

    notebooks.py [--write] [NOTEBOOK ...]

--write stores what came out.
"""
import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/notebooks"
NUMBER = re.compile(r"(?<![\w.])-?\d[\d.]*(e[+-]\d+)?")
SETTINGS = "%config InlineBackend.print_figure_kwargs = {'dpi': 60}"  # pictures of 20 kB


def execute(path):
    book = nbformat.read(path, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(SETTINGS))
    NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
                   record_timing=False).execute()
    del book.cells[0]
    for count, cell in enumerate((cell for cell in book.cells if cell.cell_type == "code"), 1):
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return book


def shape(cell):
    """What has to be the same: words of texts, kinds of the rest."""
    found = []
    for output in cell.get("outputs", []):
        data = {"text/plain": output.text} if output.output_type == "stream" else dict(output.get("data", {}))
        text = "" if "text/html" in data or "image/png" in data else data.get("text/plain", "")
        found.append((output.output_type, sorted(data), NUMBER.sub("#", " ".join(text.split()))))
    return found


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    failed = False
    for path in [pathlib.Path(word).resolve() for word in words] or sorted(FOLDER.glob("*.ipynb")):
        stored, book = nbformat.read(path, as_version=4), execute(path)
        if "--write" in sys.argv:
            nbformat.write(book, path)
            continue
        differing = [i for i, (a, b) in enumerate(zip(stored.cells, book.cells)) if shape(a) != shape(b)]
        for i in differing:
            print(f"{path.name}, cell {i}:\n  stored {shape(stored.cells[i])}\n  now    {shape(book.cells[i])}")
        failed = failed or bool(differing)
        print(f"{path.name}: {'differs' if differing else 'as stored'}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
