#!/usr/bin/env python3
"""gwrm run on the ranks of mpirun where they have each window together: the same bits and iterations on any number of them, those of
one process to rounding; interrupted, killed and failing runs end all ranks.

    window_ranks.py GWRM MPIRUN INPUTS [NAME ...]
"""
import json
import os
import pathlib
import signal
import sys
import unittest

import run_ranks
from run_ranks import contents, h5py

INPUTS = None

# Several windows, another solve for the estimated error; columns in several blocks.
PLANE = """schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: [0, 2]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.1*lap(u)", "dt(v) + u*dx(v) = 0.2*lap(v) + u*v"]
initial: {u: "sin(pi*x)*sin(pi*y/2)", v: "x*(1 - x)*y*(2 - y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0", "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=2) = 0"]
resolution: {degree: {t: 6, x: 20, y: 18}, domains: {t: 3}}
solver: {linear: tensor}
verification: {tolerance: 0.02, tail: 0.01, residual: 1}
output: {grid: {t: 4, x: 9, y: 9}, file: case.h5}
"""
BOX = """schema: 1
domain: {t: [0, 0.3], x: [0, 1], y: [0, 2], z: [-1, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) + dz(u) = 0.1*lap(u)"]
initial: {u: "sin(pi*x)*sin(pi*y/2)*(1 - z^2)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0", "u(z=-1) = 0", "u(z=1) = 0"]
resolution: {degree: {t: 4, x: 8, y: 9, z: 10}, domains: {t: 2}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 5, y: 5, z: 5}, file: case.h5}
"""
FOURIER = """schema: 1
domain: {t: [0, 0.5], x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + u*dx(u) + 0.5*dy(u) = 0.05*lap(u)"]
initial: {u: "1 + 0.5*sin(2*pi*x)*cos(pi*y)"}
resolution: {degree: {t: 5, x: 10, y: 9}, domains: {t: 2}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 5, y: 5}, file: case.h5}
"""
# Nonlinear, two fields.
STEADY = """schema: 1
domain: {x: [0, 1], y: [0, 2]}
unknowns: [u, v]
equations: ["lap(u) + u*v = x", "lap(v) - u^2 = exp(-y)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0", "v(x=0) = y*(2 - y)", "dx(v)(x=1) = 0", "v(y=0) = 0", "v(y=2) = 0"]
resolution: {degree: {x: 20, y: 18}}
solver: {linear: tensor}
verification: {tolerance: 0.01, tail: 0.01, residual: 1}
output: {grid: {x: 9, y: 9}, file: case.h5}
"""
# Walls across x, which is the second dimension of space for the program.
CHANNEL = """schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: {range: [0, 2], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + (1 + u)*dy(u) + dx(v) = 0.1*lap(u)", "dt(v) + x*dy(v) = 0.2*lap(v) + u*v"]
initial: {u: "sin(pi*x)*sin(pi*y)", v: "x*(1 - x)*cos(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {degree: {t: 5, x: 12, y: 10}, domains: {t: 2}}
solver: {linear: wavenumber}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 9, y: 9}, file: case.h5}
"""


@unittest.skipIf(h5py is None, "needs h5py")
class WindowRanks(run_ranks.RanksTest):
    def json_of(self, n_ranks, name, *more):
        done = self.run_on(n_ranks, "run", name, "--threads", "1", "--json", "--overwrite", "-o", f"on{n_ranks}.h5", *more)
        self.assertEqual(done.stderr.count("windows, are shared out among"), 1 if n_ranks > 1 else 0, done.stderr)
        self.assertNotIn("rank 0 solves windows alone", done.stderr)
        return json.loads(done.stdout)

    def shared(self, name, ranks, within=1e-10):
        """Bits and iterations among these numbers of ranks, and the answer of one process."""
        alone = self.json_of(0, name)
        for n_ranks in ranks:
            found = self.json_of(n_ranks, name)
            self.assertEqual(found["verification"]["result"], alone["verification"]["result"])
            iterations = {key: found[key] for key in ("n_newton_iterations", "n_linear_iterations", "n_factorisations")}
            if n_ranks == ranks[0]:
                first = iterations
            else:
                self.assertEqual(iterations, first)
                self.same(f"on{ranks[0]}.h5", f"on{n_ranks}.h5")
        with h5py.File(self.folder / "on0.h5") as one, h5py.File(self.folder / f"on{ranks[0]}.h5") as other:
            for field in one["coefficients"]:
                wanted, found = one["coefficients"][field][()], other["coefficients"][field][()]
                self.assertLess(abs(wanted - found).max(), within * max(1, abs(wanted).max()), field)
            self.assertNotEqual(contents(self.folder / "on0.h5"), contents(self.folder / f"on{ranks[0]}.h5"),
                                "the ranks did not solve it together")

    def test_two_dimensions(self):
        self.write(PLANE)
        self.shared("case.yaml", (2, 3, 4))

    def test_three_dimensions(self):
        self.write(BOX)
        self.shared("case.yaml", (3,), within=1e-7)  # one process iterates with J v on fewer points

    def test_a_periodic_box(self):
        self.write(FOURIER)
        self.shared("case.yaml", (2,))

    def test_a_steady_problem(self):
        self.write(STEADY)
        self.shared("case.yaml", (2, 3))

    def test_a_channel_wavenumber_by_wavenumber(self):
        self.write(CHANNEL)
        self.shared("case.yaml", (2, 3))

    def test_inputs(self):
        # One process takes factors of the window before for orszag_tang, and iterates elsewhere.
        for name, ranks, within in (("burgers_2d", (2,), 1e-10), ("heat_2d", (3,), 1e-10), ("helmholtz_2d", (2, 3), 1e-12),
                                    ("orszag_tang", (2, 4), 1e-8)):
            with self.subTest(name):
                self.shared(os.path.join(INPUTS, f"{name}.yaml"), ranks, within)

    def test_a_method_that_is_not_shared_is_told(self):
        self.write(PLANE.replace("linear: tensor", "linear: dense").replace("x: 20, y: 18", "x: 6, y: 5")
                   .replace("0.02, tail: 0.01", "1, tail: 1"))
        done = self.run_on(2, "run", "case.yaml")
        self.assertEqual(done.stderr.count("2 ranks were started, and rank 0 runs this case alone"), 1, done.stderr)

    def test_an_equation_that_is_not_shared_is_told(self):
        self.write(PLANE.replace("+ u*v", "+ u*v + 0.1*u(y=1)"))
        done = self.run_on(2, "run", "case.yaml", "-o", "on2.h5")
        self.assertEqual(done.stderr.count("rank 0 solves windows alone: an equation holds values at an edge"), 1, done.stderr)
        self.run_on(0, "run", "case.yaml", "-o", "on0.h5", "--threads", "1")

    def test_what_is_not_finite_ends_all(self):
        self.write(PLANE.replace("+ u*v", "+ sqrt(0.001 + v - t)"))
        status = self.run_on(0, "run", "case.yaml", "-q", status=None).returncode
        self.assertNotEqual(status, 0)
        self.run_on(3, "run", "case.yaml", "-q", status=status)

    def test_a_signal_to_one_rank_ends_all_and_the_run_is_continued(self):
        self.write(PLANE.replace("t: 3}", "t: 360}").replace("t: [0, 0.4]", "t: [0, 24]")
                   .replace("0.02, tail: 0.01", "1, tail: 1, estimate: off"))
        self.run_on(3, "run", "case.yaml", "-q", "--threads", "1", "-o", "whole.h5")
        process, ranks = self.begin_long(2)
        self.assertEqual(len(ranks), 2)
        os.kill(ranks[1], signal.SIGTERM)
        self.expect_ended_and_continued(process, {130}, 2)


if __name__ == "__main__":
    run_ranks.GWRM, run_ranks.MPIRUN, INPUTS = (os.path.realpath(argument) for argument in sys.argv[1:4])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
