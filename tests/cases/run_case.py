#!/usr/bin/env python3
"""Runs one case with the real program and expects it to converge and to pass its verification.

    run_case.py GWRM CASE [PYTHON CHECK]

With PYTHON and CHECK the result file is handed to `PYTHON CHECK FILE` afterwards, which must succeed too.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    gwrm, case = (os.path.abspath(argument) for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "result.h5")
        command = [gwrm, "run", case, "--quiet", "--json", "--threads", "1", "-o", str(output), "--overwrite"]
        run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        print(run.stdout)
        if run.returncode != 0:
            sys.exit(f"exit status {run.returncode}")
        result = json.loads(run.stdout)
        if result["verification"]["result"] != "PASS":
            sys.exit("exit status 0 without a passed verification")
        if [path.name for path in pathlib.Path(folder).iterdir()] != [output.name]:
            sys.exit(f"expected one file, found {os.listdir(folder)}")
        if len(sys.argv) == 5:
            sys.exit(subprocess.run([sys.argv[3], sys.argv[4], str(output)]).returncode)


if __name__ == "__main__":
    main()
