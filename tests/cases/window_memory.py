#!/usr/bin/env python3
"""Memory of ranks that have each window together: it falls with their number, a case that is too large for one of them runs on
two, and what is told of the need is not below what is taken.

    window_memory.py GWRM MPIRUN
"""
import json
import math
import os
import re
import subprocess
import sys
import unittest

import run_ranks

BOX = """schema: 1
domain: {{t: [0, 0.2], x: [0, 1], y: [0, 1], z: [0, 1]}}
unknowns: [u, v, w]
equations: ["dt(u) + u*dx(u) + v*dy(u) + w*dz(u) = 0.1*lap(u)", "dt(v) + u*dx(v) + v*dy(v) + w*dz(v) = 0.1*lap(v)",
            "dt(w) + u*dx(w) + v*dy(w) + w*dz(w) = 0.1*lap(w)"]
initial: {{u: "sin(pi*x)*sin(pi*y)*sin(pi*z)", v: "sin(pi*x)*sin(pi*y)*sin(2*pi*z)", w: "sin(2*pi*x)*sin(pi*y)*sin(pi*z)"}}
boundary: [{boundary}]
resolution: {{degree: {{t: 8, x: {n}, y: {n}, z: {n}}}}}
solver: {{linear: tensor, memory: {limit}}}
verification: {{tolerance: 1, tail: 1, residual: 1, estimate: off}}
output: {{grid: {{t: 3, x: 5, y: 5, z: 5}}, file: case.h5}}
"""
# Data along all dimensions in the equation, along some at the edges.
DATA = """schema: 1
domain: {t: [0, 0.5], x: [0, 1], y: [0, 2]}
data: {k: {file: k.csv}, edge: {file: edge.csv}}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = dx(k*dx(u)) + dy(k*dy(u)) + k*u"]
initial: {u: "x*(1 - x)*y*(2 - y)"}
boundary: ["u(x=0) = 0", "u(x=1) = t*y*(2 - y)*edge(t, y)", "u(y=0) = 0", "u(y=2) = 0"]
resolution: {degree: {t: 5, x: 12, y: 11}, domains: {t: 2}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 5, y: 5}, file: case.h5}
"""
BOUNDARY = ", ".join(f'"{u}({x}={end}) = 0"' for u in "uvw" for x in "xyz" for end in (0, 1))
# Runs the rest of the words, and leaves its peak in bytes in a file of its rank.
PEAK = """import os, resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
with open("peak_" + os.environ.get("OMPI_COMM_WORLD_RANK", "0"), "w") as file:
    file.write(str(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status)
"""
UNITS = {"MB": 1e6, "GB": 1e9}


class WindowMemory(run_ranks.RanksTest):
    def case(self, n=27, limit=100.0):
        self.write(BOX.format(boundary=BOUNDARY, n=n, limit=limit))

    def command(self, n_ranks, *arguments):
        self.write(PEAK, "peak.py")
        launcher = [run_ranks.MPIRUN, *run_ranks.OPTIONS, "-n", str(n_ranks)] if n_ranks else []
        return [*launcher, sys.executable, "peak.py", run_ranks.GWRM, *arguments]

    def solve(self, n_ranks, status=0):
        """What was said, and the peaks of all ranks, in bytes."""
        done = self.run_on(n_ranks, "run", "case.yaml", "--threads", "1", "--overwrite", status=status)
        self.assertNotIn("rank 0 solves windows alone", done.stderr)
        return done.stderr, [int((self.folder / f"peak_{rank}").read_text()) for rank in range(max(1, n_ranks))]

    def test_ranks_have_the_memory_that_one_lacks(self):
        self.case(n=5)
        program = max(self.solve(2)[1])
        self.case()
        checked = subprocess.run([run_ranks.GWRM, "check", "case.yaml", "--json"], cwd=self.folder, capture_output=True,
                                 text=True, check=True)
        needed = json.loads(checked.stdout)["memory_bytes"]
        whole = self.solve(0)[1][0]
        self.assertLess(whole, needed)

        self.case(limit=needed / 1.6e9)
        said = self.solve(0, status=7)[0]
        self.assertIn("are allowed by solver.memory; on 2 ranks (mpirun -n 2 gwrm run ..) each would need", said)
        number, unit = re.search(r"each would need ([0-9.]+) (MB|GB)", said).groups()
        told = float(number) * UNITS[unit]
        self.assertLess(told, needed / 1.6)
        two = self.solve(2)[1]
        self.assertLess(max(two), needed / 1.6)
        self.assertLess(max(two) - program, told)
        # Both take turns with the same vectors; what one has whole is little.
        self.assertLess(max(two) - program, 0.65 * (whole - program))

        self.case(limit=0.9 * told / 1e9)
        self.assertIn("on each of 2 ranks", self.solve(2, status=7)[0])
        four = self.solve(4)[1]
        self.assertLess(max(four[1:]) - program, 0.65 * (min(two) - program))

    @unittest.skipIf(run_ranks.h5py is None, "needs h5py")
    def test_data_of_files_are_those_of_one_process(self):
        def numbers(n, end):
            return [end * i / (n - 1) for i in range(n)]

        self.write("t,x,y,k\n" + "".join(f"{t},{x},{y},{1 + t * x + 0.5 * math.sin(y + t)}\n"
                                         for t in numbers(7, 0.5) for x in numbers(8, 1) for y in numbers(9, 2)), "k.csv")
        self.write("t,y,edge\n" + "".join(f"{t},{y},{1 + t * math.cos(y)}\n" for t in numbers(7, 0.5) for y in numbers(9, 2)),
                   "edge.csv")
        self.write(DATA)
        for n_ranks in (0, 2, 3):
            done = self.run_on(n_ranks, "run", "case.yaml", "--threads", "1", "-o", f"on{n_ranks}.h5")
            self.assertNotIn("rank 0 solves windows alone", done.stderr)
        self.same("on2.h5", "on3.h5")
        with run_ranks.h5py.File(self.folder / "on0.h5") as one, run_ranks.h5py.File(self.folder / "on2.h5") as other:
            wanted, found = one["coefficients/u"][()], other["coefficients/u"][()]
        self.assertGreater(abs(wanted - found).max(), 0.0, "the ranks did not solve it together")
        self.assertLess(abs(wanted - found).max(), 1e-7 * abs(wanted).max())  # Newton ends by its tolerance


if __name__ == "__main__":
    run_ranks.GWRM, run_ranks.MPIRUN = (os.path.realpath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
