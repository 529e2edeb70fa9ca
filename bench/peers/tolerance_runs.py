#!/usr/bin/env python3
"""Runs to a tolerance beside the best case tuned by hand: true errors and costs.

    tolerance_runs.py GWRM [--cases "flame;Lorenz"] [--runs 5] [--errors] [--work FOLDER] [--markdown FILE]

Every case is solved with nothing but `resolution: {tolerance: ...}` and with a list of resolutions set by hand; the
cheapest of these that keeps its error below the tolerance is timed beside the automatic run, in turn. Errors are the
maximum over all fields and check points in t and x, relative to the largest value, against references that share
nothing with gwrm. Whole processes, one thread, medians.

Exit status: 1 if an automatic run misses its tolerance, 2 on wrong usage.
"""
import argparse
import dataclasses
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
from scipy.integrate import solve_ivp

from references import HERE, cole_hopf_sine, fourier_2d, relative_error

INPUTS = os.path.join(HERE, "..", "..", "inputs")
LIMIT = 600  # seconds


@dataclasses.dataclass(frozen=True)
class Study:
    file: str
    tolerance: float
    fields: tuple
    axes: dict  # name -> check points, in gwrm's order of dimensions
    make: object  # (axes) -> array (field, t, ..., x)
    by_hand: list  # values of `resolution`
    settings: tuple = ()  # further --set arguments


def cole_hopf_parabola(axes, nu=0.01):
    """u_t + u u_x = nu u_xx, u = x (1 - x) at t = 0, u = 0 at both ends: B1 of the benchmark set.

    u = int v f g dy / int f g dy with v the odd continuation of the start (period 2), f = exp(-int v / (2 nu)) and
    g = exp(-(x-y)^2/(4 nu t)); Gauss quadrature on panels that end where v has its kinks. (The Fourier series loses
    eight digits near x = 1 at early times, where f is small.)
    """
    nodes, weights = np.polynomial.legendre.leggauss(24)
    answer = np.empty((len(axes["t"]), len(axes["x"])))
    for row, t in zip(answer, axes["t"]):
        reach = 9 * np.sqrt(2 * nu * t)
        for i, x in enumerate(axes["x"]):
            kinks = np.arange(np.ceil(x - reach), np.floor(x + reach) + 1)
            edges = np.unique(np.concatenate([np.linspace(x - reach, x + reach, 13), kinks]))
            half = np.diff(edges) / 2
            y = (edges[:-1] + half)[:, None] + half[:, None] * nodes
            folded = y - 2 * np.round(y / 2)  # to [-1, 1]
            r = np.abs(folded)
            exponent = -(r**2 / 2 - r**3 / 3) / (2 * nu) - (x - y) ** 2 / (4 * nu * t)
            weight = np.exp(exponent - exponent.max()) * (half[:, None] * weights)
            row[i] = (weight * np.sign(folded) * r * (1 - r)).sum() / weight.sum()
    return answer[None]


def lorenz84(axes):
    def rhs(_, u):
        x, y, z = u
        return [-y * y - z * z - 0.25 * x + 2, x * y - 4 * x * z - y + 1, 4 * x * y + x * z - z]

    return solve_ivp(rhs, (0, axes["t"][-1]), [0.96, -1.1, 0.5], "DOP853", axes["t"], rtol=2.3e-14, atol=1e-15).y


def flame(axes, d=1e-4):
    """u = 1/(w + 1), w + log w = log A + A - t =: r, A = 1/d - 1; Newton on log w = y: e^y + y = r."""
    r = np.log(1 / d - 1) + 1 / d - 1 - axes["t"]
    y = np.where(r > 1, np.log(np.maximum(r, 1)), r)
    for _ in range(60):
        y = y - (np.exp(y) + y - r) / (np.exp(y) + 1)
    return (1 / (np.exp(y) + 1))[None]


def forced_wave(axes, a=10.0, alpha=50.0):
    t, x = axes["t"][:, None], axes["x"]
    in_time = np.cos(np.pi * t) + a / (np.pi**2 - alpha**2) * (np.sin(alpha * t) - alpha / np.pi * np.sin(np.pi * t))
    return (in_time * np.sin(np.pi * x))[None]


def resolutions(degrees, domains):
    """All combinations: degrees is a list of maps, so is domains."""
    return [{"degree": degree, **({"domains": domain} if domain else {})}
            for degree, domain in itertools.product(degrees, domains)]


def flame_edges(n):
    """Windows that halve the distance to the ignition at t = 1/d, n of equal length through it, then doubling."""
    ignition, width = 10008.2, 24.0
    before = [ignition - width - 2.0**k * 4 for k in range(11, -1, -1)]
    through = list(np.linspace(ignition - width, ignition + width, n + 1))
    after = [ignition + width + 4 * 4.0**k for k in range(0, 6)]
    return [0.0] + [e for e in before if e > 100] + through + after + [20000.0]


def points(lower, upper, n):
    return np.linspace(lower, upper, n)


PERIODIC = os.path.join(HERE, "cases", "periodic_2d.yaml")
BASDEVANT = os.path.join(HERE, "cases", "basdevant.yaml")
SQUARE = {"t": points(0, 1, 8), "y": points(0, 2 * np.pi, 65), "x": points(0, 2 * np.pi, 65)}
FRONT = {"t": points(0, 1, 38), "x": points(-1, 1, 801)}
FRONT_EDGES = ([-1, -0.1, 0, 0.1, 1], [-1, -0.2, -0.04, 0, 0.04, 0.2, 1])

STUDIES = {
    **{f"basdevant, {tolerance:g}": Study(
        BASDEVANT, tolerance, ("u",), FRONT,
        lambda axes: cole_hopf_sine(axes["t"], axes["x"], -1.0, 0.01 / np.pi)[None],
        resolutions([{"t": k, "x": n} for k in (10, 12) for n in (20, 24, 28, 32, 40, 48, 56)],
                    [{"t": w, "x": e} for w in (8, 10, 14, 20) for e in FRONT_EDGES]))
       for tolerance in (1e-8, 1e-10)},
    "x(1-x) Burgers, t = 10": Study(
        os.path.join(INPUTS, "burgers_parabola.yaml"), 1e-10, ("u",),
        {"t": np.geomspace(1e-5, 10, 60), "x": points(0, 1, 401)}, cole_hopf_parabola,
        resolutions([{"t": k, "x": n} for k in (12, 16) for n in (16, 20, 24, 32)],
                    [{"t": [0.0] + [10.0 * r ** -(m - j) for j in range(m + 1)],
                      "x": [0] + [10.0 ** -j / 2 for j in range(d, 0, -1)] + [0.5]
                      + [1 - 10.0 ** -j / 2 for j in range(1, d + 1)] + [1]}
                     for r, m in ((2, 30), (2, 26), (3, 20), (3, 17)) for d in (2, 3, 4)])),
    "Lorenz-84, t = 30": Study(
        os.path.join(INPUTS, "lorenz84.yaml"), 1e-8, ("X", "Y", "Z"), {"t": points(0, 30, 401)}, lorenz84,
        resolutions([{"t": k} for k in (10, 12, 16, 20)], [{"t": w} for w in (30, 40, 50, 60, 80, 100, 150)]),
        ("domain.t=[0, 30]", "verification.values=[]")),
    "flame, d = 1e-4": Study(
        os.path.join(HERE, "cases", "flame.yaml"), 1e-8, ("u",),
        {"t": np.concatenate([points(0, 9990, 200), points(9991, 10040, 300), points(10041, 20000, 100)])}, flame,
        resolutions([{"t": k} for k in (12, 16, 20)], [{"t": flame_edges(n)} for n in (6, 8, 12, 16, 24)])),
    "forced wave, alpha = 50": Study(
        os.path.join(INPUTS, "wave_forced.yaml"), 1e-8, ("u",), {"t": points(0, 30, 601), "x": points(0, 1, 33)},
        forced_wave,
        resolutions([{"t": k, "x": n} for k in (10, 12, 16) for n in (14, 18, 24)],
                    [{"t": w} for w in (150, 200, 300, 400)]),
        ("domain.t=[0, 30]", "constants.alpha=50")),
    "B2 (iii)": Study(
        PERIODIC, 1e-8, ("u", "v"), {**SQUARE, "t": points(0, 0.5, 8)}, fourier_2d(0.05, 192, 160),
        resolutions([{"t": 12, "x": x, "y": y} for x, y in ((72, 48), (80, 56), (96, 64), (112, 72), (120, 80))],
                    [{"t": w} for w in (1, 2, 3)]),
        ("domain.t=[0, 0.5]", "constants.nu=0.05", "solver.newton.tolerance=1e-10")),
    "B2 (iv)": Study(
        PERIODIC, 1e-8, ("u", "v"), SQUARE, fourier_2d(0.2, 128, 160),
        resolutions([{"t": 12, "x": x, "y": y} for x, y in ((72, 56), (80, 64), (88, 72), (104, 80))],
                    [{"t": w} for w in (2, 3, 4)])),
}


class Runner:
    def __init__(self, gwrm, folder):
        self.gwrm, self.folder = os.path.abspath(gwrm), os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)

    def reference(self, name, study):
        path = os.path.join(self.folder, f"tolerance_{name.replace(' ', '_').replace('/', '')}.npy")
        if not os.path.exists(path):
            np.save(path, study.make(study.axes))
        return np.load(path)

    def run(self, study, reference, resolution):
        """(seconds, error); the error is infinite if the run failed."""
        path = os.path.join(self.folder, "tolerance.h5")
        if os.path.exists(path):
            os.remove(path)
        grid = {axis: values.tolist() for axis, values in study.axes.items()}
        loose = {"tolerance": 1e-3, "tail": 1.0, "residual": 1e3}  # judged here, against the reference
        settings = [f"resolution={json.dumps(resolution)}", f"output.grid={json.dumps(grid)}", *study.settings]
        settings += [f"verification.{key}={value}" for key, value in loose.items()]
        # By hand the Newton iteration may stop where the automatic one does.
        if "tolerance" not in resolution:
            settings.append(f"solver.newton.tolerance={max(1e-12, 1e-4 * study.tolerance)}")
        command = [self.gwrm, "run", study.file, "--quiet", "--backend", "cpu", "--threads", "1", "-o", path]
        for setting in settings:
            command += ["--set", setting]
        begin = time.perf_counter()
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return float(LIMIT), float("inf")
        seconds = time.perf_counter() - begin
        if result.returncode == 2:
            raise SystemExit(f"{study.file}: {result.stderr}")
        if not os.path.exists(path):
            return seconds, float("inf")
        with h5py.File(path, "r") as file:
            values = np.stack([file[field][:] for field in study.fields])
        return seconds, relative_error(values, reference)

    def compare(self, name, study, runs, errors_only):
        reference = self.reference(name, study)
        best = None
        for resolution in [] if errors_only else study.by_hand:
            seconds, error = self.run(study, reference, resolution)
            print(f"  {name}: {json.dumps(resolution)[:100]} {seconds:.3f} s, {error:.1e}", file=sys.stderr)
            if error <= study.tolerance and (best is None or seconds < best[0]):
                best = (seconds, resolution)
        automatic, by_hand, ratios, errors = [], [], [], []
        for _ in range(runs):
            seconds, error = self.run(study, reference, {"tolerance": study.tolerance})
            automatic.append(seconds)
            errors.append(error)
            if best:
                by_hand.append(self.run(study, reference, best[1])[0])
                ratios.append(seconds / by_hand[-1])
        middle = statistics.median
        line = f"| {name} | {study.tolerance:.0e} | {max(errors):.1e} | {middle(automatic):.3f} |"
        if best:
            text = json.dumps(best[1])
            line += f" {middle(by_hand):.3f} | {middle(ratios):.2f} | {text if len(text) < 90 else text[:86] + ' ...'} |"
        else:
            line += " | | |"
        return line, max(errors) <= study.tolerance


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--cases", help="names, or their beginnings, separated by semicolons")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--errors", action="store_true", help="the automatic runs only")
    parser.add_argument("--work", help="keeps references and results (default: a temporary folder)")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    wanted = options.cases.split(";") if options.cases else [""]
    runner = Runner(options.gwrm, options.work or tempfile.mkdtemp())
    lines = ["| case | tolerance | true error | automatic, s | best by hand, s | ratio | its resolution |",
             "|---|---|---|---|---|---|---|"]
    good = True
    for name, study in STUDIES.items():
        if not any(name.startswith(beginning) for beginning in wanted):
            continue
        line, met = runner.compare(name, study, options.runs, options.errors)
        print(line, flush=True)
        lines.append(line)
        good = good and met
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
