"""Compiles the C++ peer (peers/etdrk4) against FFTW, which is under the GPL: for measuring only, and no part of gwrm.

Debian: apt-get install libfftw3-dev. Without it (or a compiler) `program` raises Missing, and what needs it is left out.
"""
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "peers", "etdrk4")
FOLDER = os.path.join(HERE, "..", "..", "build", "compare")


class Missing(RuntimeError):
    pass


def program(folder=FOLDER):
    """Path of the program, compiled if a source is newer."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(os.path.abspath(folder), "etdrk4_peer")
    sources = [os.path.join(SOURCES, name) for name in sorted(os.listdir(SOURCES))]
    if os.path.exists(path) and all(os.path.getmtime(path) > os.path.getmtime(name) for name in sources):
        return path
    compiler = shutil.which("c++") or shutil.which("g++")
    if not compiler:
        raise Missing("no C++ compiler")
    built = subprocess.run([compiler, "-std=c++20", "-O3", "-march=native", "-ffast-math",
                            *(name for name in sources if name.endswith(".cpp")), "-lfftw3", "-o", path],
                           capture_output=True, text=True, check=False)
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error" in line or "cannot find" in line]
        raise Missing("FFTW (libfftw3-dev) is missing or " + (errors or built.stderr.splitlines())[0])
    return path


def check_points(path, case):
    """Where the program gives the answer: start, length, end, times, intervals, points, dimensions."""
    return json.loads(subprocess.run([path, case, "--points"], capture_output=True, text=True, check=True).stdout)


def axes(path, case):
    """Check points as references.py has them: t, (y,) x."""
    import numpy as np

    points = check_points(path, case)
    x = points["start"] + points["length"] * np.arange(points["points"]) / points["intervals"]
    return {"t": np.linspace(0, points["end"], points["times"]), **({"y": x} if points["dimensions"] > 1 else {}), "x": x}
