#!/usr/bin/env python3
"""Lines and branches reached, per folder of src and problems, from gcov's JSON.

    coverage_table.py SOURCE BUILD [--below PERCENT]      called by coverage.sh

A line is reached if it is in any program of the tests; a branch likewise. Branches of exceptions that may be thrown by
what is called are not counted: nobody writes them.
"""
import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

FOLDERS = ("src", "problems")


class File:
    def __init__(self):
        self.lines = collections.defaultdict(int)
        self.branches = collections.defaultdict(int)


def read(document, source, files):
    base = pathlib.Path(document.get("current_working_directory", source))
    for entry in document["files"]:
        path = pathlib.Path(entry["file"])
        path = (path if path.is_absolute() else base / path).resolve()
        if not path.is_relative_to(source) or path.relative_to(source).parts[0] not in FOLDERS:
            continue
        file = files[path.relative_to(source)]
        for line in entry["lines"]:
            number = line["line_number"]
            file.lines[number] += line["count"]
            written = [branch for branch in line["branches"] if not branch["throw"]]
            # An instance of a template has its own: the same branch is the one at the same place in the line.
            for i, branch in enumerate(written):
                file.branches[number, i, len(written)] += branch["count"]


def share(counts):
    return f"{100 * sum(n > 0 for n in counts) / len(counts):5.1f} %" if counts else "      -"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--below", type=float, default=80.0)
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    files = collections.defaultdict(File)
    notes = sorted(arguments.build.resolve().rglob("*.gcno"))  # also of objects that no program has run
    notes = [note for note in notes if "/tests/" not in str(note) and "/bench/" not in str(note)]
    if not notes:
        sys.exit(f"{arguments.build}: nothing was built with --coverage there")
    with tempfile.TemporaryDirectory() as scratch:
        for note in notes:
            done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", str(note)], cwd=scratch,
                                  capture_output=True)
            text = gzip.decompress(done.stdout) if done.stdout[:2] == b"\x1f\x8b" else done.stdout
            for document in text.splitlines():
                if document.startswith(b"{"):
                    read(json.loads(document), source, files)
    folders = collections.defaultdict(list)
    for path, file in files.items():
        folders[path.parent].append(file)

    def counts(some, what):
        return [n for file in some for n in getattr(file, what).values()]

    print("| folder | lines | reached | branches | reached |\n|---|---|---|---|---|")
    for folder, some in [*sorted(folders.items()), ("all", list(files.values()))]:
        lines, branches = counts(some, "lines"), counts(some, "branches")
        print(f"| `{folder}` | {len(lines)} | {share(lines).strip()} | {len(branches)} | {share(branches).strip()} |")
    print(f"\nfiles with less than {arguments.below:g} % of their lines or branches:")
    for path, file in sorted(files.items()):
        parts = [list(counts_of.values()) for counts_of in (file.lines, file.branches)]
        if any(part and 100 * sum(n > 0 for n in part) < arguments.below * len(part) for part in parts):
            print(f"  {str(path):72} lines {share(parts[0])} of {len(parts[0]):4}   branches {share(parts[1])} of {len(parts[1]):4}")


if __name__ == "__main__":
    main()
