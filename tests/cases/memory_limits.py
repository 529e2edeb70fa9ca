#!/usr/bin/env python3
"""Runs under limits of memory (ulimit -v): each ends, with the status for too little memory, with a right answer, or
with one for whose estimate there was too little.

    memory_limits.py GWRM INPUTS

Exit status 1 if one hangs, dies by a signal, or ends with another status.
"""
import os
import resource
import subprocess
import sys
import tempfile

MB = 1 << 20
TOO_LITTLE, PASSED, NOT_ESTIMATED = 7, 0, 9
SECONDS = 60
MANY_SUBDOMAINS = """domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.01*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 4, x: 6}, domains: {x: 20000}}
"""
EIGHT_DIMENSIONS = """domain: {t: [0, 1], a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1], g: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -a*u + b + c + d + e + f + g"]
initial: {u: "1"}
parameters: {method: coupled}
resolution: {degree: {t: 3, a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1}}
solver: {memory: 1}
"""


def status(gwrm, case, folder, limit):
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    words = [gwrm, "run", case, "--quiet", "--backend", "cpu", "--threads", "2", "--overwrite", "-o", os.path.join(folder, "result.h5")]
    try:
        done = subprocess.run(words, preexec_fn=limited, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} s"
    if done.returncode in (TOO_LITTLE, NOT_ESTIMATED) and "memory" not in done.stderr:
        return f"status {done.returncode} without a word on memory: {done.stderr}"
    return done.returncode


def main():
    gwrm, inputs = sys.argv[1:]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        def case(name, text):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return path

        trials = [(os.path.join(inputs, "burgers_2d.yaml"), megabytes) for megabytes in (100, 120, 160, 250, 400, 700)]
        trials += [(case("subdomains.yaml", MANY_SUBDOMAINS), megabytes) for megabytes in (100, 400, 600, 900, 1200)]
        trials.append((case("sampled.yaml", EIGHT_DIMENSIONS), 0))
        for path, megabytes in trials:
            found = status(gwrm, path, folder, megabytes * MB)
            print(f"{os.path.basename(path)} within {megabytes or 'no limit of'} MB: {found}")
            if found not in (TOO_LITTLE, PASSED, NOT_ESTIMATED):
                faults.append(path)
        if found != TOO_LITTLE:
            faults.append("sampled fields of 2e9 values are not refused")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
