#!/usr/bin/env python3
"""Hands linear systems over to PETSc and takes the solutions back, as docs/export.md says, on 1 and 2 ranks.

    petsc.py GWRM INPUTS SOLVE [--python python3] [--ranks 1,2]

SOLVE is docs/petsc/solve.py; the Python has petsc4py (Debian: python3-petsc4py), `mpirun` is on the PATH. The errors are those
of gwrm's own run to 1e-8, and conjugate gradients with BoomerAMG take at most 12 iterations where the order is 2.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GIVEN = ["--set", "verification.tolerance=1"]  # the schemes' own errors are not judged here
# case, changes, most iterations (None: a direct solver)
SYSTEMS = [
    ("sbp_poisson", ["--set", "sbp_sat.intervals=64"], 12),
    ("sbp_poisson", ["--set", "sbp_sat.intervals=1024"], 12),
    ("sbp_annulus", ["--set", "sbp_sat.order=2"], 12),
    ("sbp_jump", ["--set", "sbp_sat.order=2"], 12),
    ("sbp_poisson", ["--set", 'boundary=["flux(x=0) = 0", "flux(x=1) = 0", "flux(y=0) = 0", "flux(y=1) = 0"]', "--set",
                     "sbp_sat.source=cos(pi*x)", "--set", "exact={u: cos(pi*x)/pi^2}"], 12),
    ("sbp_annulus", [], 60),
    ("sbp_jump", [], 60),
    ("heat", [], None),
    ("poisson_2d", [], None),
]


def run(command, folder):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                          env=environment, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def errors(text):
    return {(check["kind"], check["subject"]): check["value"] for check in json.loads(text)["verification"]["checks"]
            if check["kind"].startswith("error")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm", type=pathlib.Path)
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("solve", type=pathlib.Path)
    parser.add_argument("--python", default="python3")
    parser.add_argument("--ranks", default="1,2")
    options = parser.parse_args()
    gwrm, inputs, solve = (path.resolve() for path in (options.gwrm, options.inputs, options.solve))
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case, changes, most in SYSTEMS:
            arguments = [inputs / f"{case}.yaml", *changes, *GIVEN]
            run([gwrm, "export", arguments[0], "--matrix", "petsc", "-o", "system", "--overwrite", "-q", *arguments[1:]], folder)
            own = errors(run([gwrm, "run", *arguments, "--json", "-o", "own.h5", "--overwrite"], folder))
            for ranks in (int(text) for text in options.ranks.split(",")):
                (folder / "system_x.petsc").unlink(missing_ok=True)
                launcher = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
                told = run([*(launcher if ranks > 1 else []), options.python, solve, "system"], folder)
                iterations = int(re.search(r"iterations (\d+)", told).group(1))
                assert f"ranks {ranks}," in told, told
                given = errors(run([gwrm, "run", *arguments, "--solution", "system_x.petsc", "--json", "-o", "given.h5",
                                    "--overwrite"], folder))
                worst = max(abs(given[key] - value) for key, value in own.items())
                passed = bool(own) and worst < 1e-8 and (most is None or iterations <= most)
                failures += not passed
                print(f"{'ok  ' if passed else 'FAIL'} {case} {' '.join(changes)}: {told.strip()}; "
                      f"errors {max(own.values()):.6e} and {max(given.values()):.6e}, difference {worst:.1e}", flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
