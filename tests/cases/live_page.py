#!/usr/bin/env python3
"""Holds what a live page computes against `gwrm eval`: cases of every kind, at random points, with the ends of windows,
subdomains and axes among them.

    live_page.py GWRM INPUTS PYTHON [CASE ...]

PYTHON has the packages of postprocess/requirements.txt. The page's script is run by node (or what NODE names); without
one the exit status is 77 (Debian: nodejs).
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EVALUATE = ROOT / "postprocess/tests/evaluate_page.js"
SERIES = ROOT / "postprocess/gwrm_post/live_page/series.js"
ALLOWED, MOST_BYTES, POINTS = 1e-12, 2_000_000, 60

# An unknown without x beside one with it; a parameter on a logarithmic axis; windows in time.
NUMBERS = """
domain: {t: [0, 2], k: {range: [0.5, 2], map: log}}
unknowns: [u, v]
equations: ["dt(u) = -k*u", "dt(v) = u - v"]
initial: {u: "1", v: "0"}
resolution: {degree: {t: 10, k: 10}, domains: {t: 3}}
output: {grid: {t: 5, k: 5}, fields: {u: u, v: v}}
"""
# Three directions in space, one of them periodic.
BOX = """
domain: {x: [0, 1], y: [0, 1], z: {range: [0, 2*pi], basis: fourier}}
unknowns: [u]
equations: ["lap(u) = -(2*pi^2 + 1)*sin(pi*x)*sin(pi*y)*cos(z)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = sin(pi*x)*cos(z)"]
resolution: {degree: {x: 10, y: 10, z: 2}, domains: {x: 2, y: 3}}
output: {grid: {x: 3, y: 3, z: 3}, fields: {u: u}}
"""
# Name -> case of inputs/ (changes by --set) or text.
CASES = {
    "windows": ("heat", ["resolution={degree: {t: 8, x: 18}, domains: {t: 3}}"]),
    "subdomains": ("basdevant", []),
    "parameter": ("burgers_viscosity", []),
    "logarithmic": (NUMBERS, []),
    "distributions": ("uncertain_rod", []),
    "fourier": ("kuramoto_sivashinsky_periodic", []),
    "plane": ("burgers_2d", []),
    "box": (BOX, []),
    "branch": ("bratu_branch", []),
    "trajectories": ("nerve", []),
}


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    gwrm, inputs, python = (os.path.abspath(argument) for argument in arguments[:3])
    node = os.environ.get("NODE") or shutil.which("node") or shutil.which("nodejs")
    if not node:
        print("skipped: there is no node, which runs the page's script (Debian: apt-get install nodejs)")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def call(*command, allowed=(0,), **more):
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=240, **more)
            if done.returncode not in allowed:
                sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
            return done.stdout

        for name in arguments[3:] or CASES:
            case, changes = CASES[name]
            path, page = folder / f"{name}.h5", folder / f"{name}_live.html"
            if "\n" in case:
                (folder / f"{name}.yaml").write_text(case, encoding="utf-8")
            source = folder / f"{name}.yaml" if "\n" in case else f"{inputs}/{case}.yaml"
            # 6: other degrees may not meet the case's verification, which is no matter here.
            call(gwrm, "run", source, "-q", "--threads", "1", "-o", path,
                 *(word for change in changes for word in ("--set", change)), allowed=(0, 6))
            call(gwrm, "plot", path, "--kind", "live", env={**os.environ, "GWRM_PYTHON": python})
            text = page.read_text(encoding="utf-8")
            described = json.loads(re.search(r'id="answer">([^<]*)</script>', text)[1])
            if page.stat().st_size > MOST_BYTES:
                print(f"FAIL {name}: {page.stat().st_size} bytes")
                failed += 1
            random.seed(name)
            for unknown in described["unknowns"]:
                places = points(described, unknown)
                answers = call(node, EVALUATE, page, SERIES,
                               input=json.dumps([{"unknown": unknown["name"], "point": place} for place in places]))
                found = [values[0] for values in json.loads(answers)]
                axes = list(places[0])
                rows = [axes] + [[repr(place[axis]) for axis in axes] for place in places]
                (folder / "points.csv").write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
                table = call(gwrm, "eval", path, "--points", folder / "points.csv", "--expr", unknown["name"])
                expected = [float(line.split(",")[-1]) for line in table.splitlines()[1:]]
                assert len(found) == len(expected) == POINTS
                largest = max(abs(unknown["low"]), abs(unknown["high"]))
                worst = max(abs(a - b) for a, b in zip(found, expected)) / largest
                good = worst <= ALLOWED  # false for NaN
                failed += not good
                print(f"{'ok  ' if good else 'FAIL'} {name}: {unknown['name']} differs from gwrm eval by {worst:.1e} of "
                      f"{largest:.3g}", flush=True)
    sys.exit(1 if failed else 0)


def points(described, unknown):
    """Random ones within the axes of an unknown; the first ones at the ends of axes, windows and subdomains."""
    own = [axis for axis in described["axes"] if axis["name"] in unknown["axes"]
           or (unknown["windowed"] and axis["name"] == described["time"])]
    places = []
    for number in range(POINTS):
        place = {}
        for axis in own:
            name = axis["name"]
            if name == described["time"]:
                edges = [window[end] for window in described["windows"] for end in ("start", "end")]
            else:
                edges = described["windows"][0]["edges"][name]
            place[name] = random.choice(edges) if number < POINTS // 4 else random.uniform(axis["lower"], axis["upper"])
        places.append(place)
    return places


if __name__ == "__main__":
    main(sys.argv[1:])
