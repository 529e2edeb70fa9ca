#!/usr/bin/env python3
"""Milliseconds that an iteration of GMRES takes on a GPU in a window of the sphere, the answer held against the CPU's.

    ball_device.py GWRM [--degrees 31,42,42] [--nodes 8] [--length 4.0e-4] [--windows 3] [--runs 3] [--case induction]
                        [--no-cpu]

induction   a magnetic field stirred by the given flow s2t2 of Dudley and James, Rm = 54; the whole of it linear
convection  temperature and velocity with all products of fields, Ra = 12000: Newton's method

Prints the unknowns of a window, iterations, milliseconds an iteration (the solves on the device with what crosses, over
all iterations; the smallest and the largest of the runs), milliseconds of its parts, the memory in vectors of unknowns,
and the largest difference of the coefficients from the CPU's, relative to the field's largest, which has to be below
1e-12. Windows are given, and no error is estimated: nothing but them is solved. Needs h5py.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

CASES = {
    "induction": """
  fields: {{B: {{kind: magnetic, boundary: insulating, diffusivity: 1}}}}
  flow: {{toroidal: {{"2,0": "r^2*sin(pi*r)"}}, poloidal: {{"2,0": "0.14*r^2*sin(pi*r)"}}, factor: 54}}
  terms: [induction]
initial:
  B: {{poloidal: {{"1,1": "r*(5/3 - r^2)", "2,2": "r^2*(7/5 - r^2)"}}, toroidal: {{"3,2": "r^3*(1 - r^2)"}}}}
""",
    "convection": """
  fields:
    Theta: {{kind: scalar, boundary: value, diffusivity: 1, buoyancy: 12000, background: 1}}
    U: {{kind: velocity, boundary: no_slip, diffusivity: 1}}
  terms: [buoyancy, background, advection, inertia]
initial: {{Theta: "0.1*(z + x^2 - y^2 + x*y*z)*(1 - r^2)^3"}}
solver: {{newton: {{tolerance: 1.0e-13}}}}
""",
}
HEAD = """schema: 1
problem: ball
domain: {{t: [0, {end}]}}
ball:
  degree: {{t: {nodes}, r: {r}, l: {l}, m: {m}}}
  windows: {windows}"""
TAIL = """verification: {{estimate: off, residual: 1.0e+6, tail: 10}}
output: {{grid: {{t: 2, r: 2, theta: 3, phi: 3}}}}
"""


def run(gwrm, case, backend, path):
    command = [gwrm, "run", case, "--quiet", "--json", "-o", path, "--overwrite", "--backend", backend]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 5):  # 5: judged against, as the case leaves it to the difference
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return json.loads(done.stdout)


def difference(one, other):
    """Of the coefficients in the group of the module, relative to the largest of each."""
    import h5py
    import numpy

    worst, n_compared = 0.0, 0
    with h5py.File(one) as a, h5py.File(other) as b:
        for name, data in b["ball"].items():
            if not isinstance(data, h5py.Dataset) or data.ndim != 5:
                continue
            x, y = a["ball"][name][()], data[()]
            assert x.shape == y.shape, name
            known = numpy.isfinite(y)
            assert (known == numpy.isfinite(x)).all(), name
            worst = max(worst, float(abs(x - y)[known].max() / abs(y[known]).max()))
            n_compared += 1
    assert n_compared > 0, "no coefficients"
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--degrees", default="31,42,42", help="r,l,m")
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--length", type=float, default=4.0e-4)
    parser.add_argument("--windows", type=int, default=3)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--case", choices=sorted(CASES), default="induction")
    parser.add_argument("--no-cpu", action="store_true", help="without the comparison")
    options = parser.parse_args()
    r, l, m = (int(n) for n in options.degrees.split(","))
    text = (HEAD + CASES[options.case] + TAIL).format(
        end=options.length * options.windows, nodes=options.nodes, r=r, l=l, m=m, windows=options.windows)
    with tempfile.TemporaryDirectory() as folder:
        case = os.path.join(folder, "case.yaml")
        with open(case, "w", encoding="utf-8") as file:
            file.write(text)
        paths = {backend: os.path.join(folder, backend + ".h5") for backend in ("cuda", "cpu")}
        results = [run(options.gwrm, case, "cuda", paths["cuda"]) for _ in range(options.runs)]
        result = results[0]
        iterations = result["n_linear_iterations"]
        each = sorted(1e3 * (one["profile"]["solve_seconds"] - one["profile"]["setup_seconds"]) / iterations
                      for one in results)
        print(f"{options.case}, r {r}, l {l}, m {m}, K {options.nodes}: {result['n_unknowns']} unknowns, "
              f"{iterations} iterations in {result['n_windows']} windows on {result['device']}")
        print(f"an iteration {each[0]:.3f} .. {each[-1]:.3f} ms (all that a solve takes, but its set-up, over iterations)")
        for part in ("transforms", "pointwise", "preconditioner", "krylov", "factorisation", "transfers"):
            seconds = sorted(one["profile"][part + "_seconds"] for one in results)
            print(f"  {part:15} {1e3 * seconds[0] / iterations:.3f} ms")
        print(f"  setup           {1e3 * result['profile']['setup_seconds']:.1f} ms a run")
        memory = result["profile"]["device_memory"]
        print(f"memory {memory / 1e6:.1f} MB: {memory / 8 / result['n_unknowns']:.1f} vectors of a window's unknowns")
        if options.no_cpu:
            return
        run(options.gwrm, case, "cpu", paths["cpu"])
        worst = difference(paths["cuda"], paths["cpu"])
        print(f"largest difference from the CPU {worst:.1e}")
        if not worst <= 1e-12:
            sys.exit("the answers differ")


if __name__ == "__main__":
    main()
