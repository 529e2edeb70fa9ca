#!/usr/bin/env python3
"""Checks the syntax of the files named on standard input, each with its own command.

    compile_alone.py COMPILE_COMMANDS < FILES

Files without a command (peers, fuzz targets) are passed over. Exit status 1 if one does not compile.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def check(entry):
    command = shlex.split(entry["command"])
    if "-o" in command:
        del command[command.index("-o"):command.index("-o") + 2]
    return subprocess.run([*command, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)


def main():
    commands = {pathlib.Path(entry["file"]).resolve(): entry for entry in json.load(open(sys.argv[1], encoding="utf-8"))}
    files = [path for path in (pathlib.Path(line.strip()).resolve() for line in sys.stdin if line.strip()) if path in commands]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, result in zip(files, pool.map(lambda path: check(commands[path]), files)):
            if result.returncode != 0:
                failed += 1
                print(f"{path} does not compile alone:\n{result.stderr}")
    print(f"{len(files)} files compiled alone, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
