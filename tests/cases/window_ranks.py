#!/usr/bin/env python3
"""gwrm run on the ranks of mpirun where they have each window together: the same bits and iterations on any number of them, those of
a process without a launcher to rounding; what they send one another is what the formula says; ranks that are interrupted, killed,
stopped, out of memory or without a disk end all, with a message and the status that is documented.

    window_ranks.py GWRM MPIRUN INPUTS [NAME ...]
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest
from unittest import mock

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
# No conditions, and everything a multiple of four: all shares of 2 and of 4 ranks are equal.
EQUAL = """schema: 1
domain: {t: [0, 0.3], x: [0, 1], y: [0, 2]}
unknowns: [u]
equations: ["dt(u) = -u^2 + x*y*u"]
initial: {u: "1 + x*y"}
resolution: {degree: {t: 8, x: 31, y: 15}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 5, y: 5}, file: case.h5}
"""
# Tensor products leave out what couples the fields, and GMRES does not converge.
COUPLED = """schema: 1
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = 0.001*lap(u) + 3000*x*v", "dt(v) = 0.001*lap(v) - 3000*y*u"]
initial: {u: "sin(pi*x)*sin(pi*y)", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0", "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
resolution: {degree: {t: 8, x: 6, y: 6}, domains: {t: 2}}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 5, y: 5}, file: case.h5}
"""
# A second.
LONG = PLANE.replace("x: 20, y: 18}, domains: {t: 3}", "x: 40, y: 36}, domains: {t: 40}").replace("t: [0, 0.4]", "t: [0, 2.5]") \
    .replace("0.02, tail: 0.01", "1, tail: 1, estimate: off")
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
# Constraints: the mean of p is zero, or given.
FLOW = """schema: 1
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
unknowns: [u, v, p]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.1*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.1*lap(v)", "dx(u) + dy(v) = 0"]
initial: {u: "1 + cos(x)*sin(y) + 0.1*sin(y)", v: "-sin(x)*cos(y)"}
resolution: {degree: {t: 6, x: 9, y: 8}, domains: {t: 3}}
solver: {linear: wavenumber}
verification: {tolerance: 1.0e-5, tail: 1.0e-4, residual: 1.0e-3}
output: {grid: {t: 3, x: 9, y: 9}, file: case.h5}
"""
CHANNEL_FLOW = """schema: 1
domain: {t: [0, 0.5], x: {range: [0, 2*pi], basis: fourier}, y: [-1, 1]}
unknowns: [u, v, p, T]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.5*lap(u) + 1", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.5*lap(v) + 10*T",
            "dx(u) + dy(v) = 0", "dt(T) + u*dx(T) + v*dy(T) = 0.5*lap(T)"]
initial: {u: "1 - y^2", v: "0", T: "(1 - y^2)^2*sin(x)"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "T(y=-1) = 0", "T(y=1) = 0", "integral(integral(p, x), y) = t"]
resolution: {degree: {t: 5, x: 6, y: 12}, domains: {t: 2}}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 9, y: 9}, file: case.h5}
"""
# The factor of dt(u) varies along the shared axis, and with time.
VARIABLE_DENSITY = """schema: 1
domain: {t: [0, 0.4], x: {range: [0, 1], basis: fourier}, y: [0, 1]}
unknowns: [rho, u, v, p]
equations: ["dt(rho) + u*dx(rho) + v*dy(rho) = 0.05*lap(rho)", "rho*(dt(u) + u*dx(u) + v*dy(u)) = -dx(p) + 0.05*lap(u)",
            "rho*(dt(v) + u*dx(v) + v*dy(v)) = -dy(p) + 0.05*lap(v) - rho", "dx(u) + dy(v) = 0"]
initial: {rho: "1.5 - 0.5*cos(pi*y) + 0.3*cos(2*pi*x)*sin(pi*y)^2", u: "0", v: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = t^2", "v(y=0) = 0", "v(y=1) = 0", "dy(rho)(y=0) = 0", "dy(rho)(y=1) = 0"]
resolution: {degree: {t: 5, x: 6, y: 12}, domains: {t: 2}}
solver: {linear: wavenumber}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 9, y: 9}, file: case.h5}
"""
LID = """schema: 1
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u, v, p]
equations: ["u*dx(u) + v*dy(u) = -dx(p) + 0.1*lap(u)", "u*dx(v) + v*dy(v) = -dy(p) + 0.1*lap(v)", "dx(u) + dy(v) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 16*x^2*(1 - x)^2", "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
resolution: {degree: {x: 10, y: 10}}
output: {grid: {x: 9, y: 9}, file: case.h5}
"""


@unittest.skipIf(h5py is None, "needs h5py")
class WindowRanks(run_ranks.RanksTest):
    def json_of(self, n_ranks, name, *more):
        done = self.run_on(n_ranks, "run", name, "--threads", "1", "--json", "--overwrite", "-o", f"on{n_ranks}.h5", *more)
        self.assertEqual(done.stderr.count("windows, are shared out among"), 1 if n_ranks > 1 else 0, done.stderr)
        self.assertNotIn("rank 0 solves windows alone", done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found.get("ranks", {}).get("n_ranks", 0), n_ranks)
        if n_ranks > 1:
            self.assertEqual(found["ranks"]["bytes_exchanged"], found["ranks"]["bytes_by_formula"])
            self.assertLess(found["ranks"]["bytes_gathered"], found["ranks"]["bytes_exchanged"])
        return found

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
        self.shared("case.yaml", (1, 2, 3, 4))

    def test_three_dimensions(self):
        self.write(BOX)
        self.shared("case.yaml", (1, 3), within=1e-7)  # one process iterates with J v on fewer points

    def test_a_periodic_box(self):
        self.write(FOURIER)
        self.shared("case.yaml", (2,))

    def test_subdomains_and_integrals(self):
        """Jumps along both dimensions; integrals along the second one, and along the first in a condition."""
        self.write(PLANE.replace("x: 20, y: 18}, domains: {t: 3}", "x: 9, y: 8}, domains: {t: 2, x: [0, 0.4, 1], y: 3}")
                   .replace("+ u*v", "+ u*v + integral(u^2, x)").replace('"v(y=0) = 0"', '"v(y=0) + 0.1*integral(v, y) = 0"')
                   .replace("0.02, tail: 0.01", "1, tail: 1, estimate: off"))
        self.shared("case.yaml", (2, 3))

    def test_a_steady_problem(self):
        self.write(STEADY)
        self.shared("case.yaml", (2, 3))

    def test_a_channel_wavenumber_by_wavenumber(self):
        self.write(CHANNEL)
        self.shared("case.yaml", (2, 3))

    def test_a_flow_in_a_periodic_box(self):
        self.write(FLOW)
        self.shared("case.yaml", (1, 2, 3, 4))

    def test_a_flow_between_walls(self):
        self.write(CHANNEL_FLOW)
        self.shared("case.yaml", (2, 3))

    def test_a_flow_of_variable_density(self):
        self.write(VARIABLE_DENSITY)
        self.shared("case.yaml", (1, 2, 3), within=1e-9)

    def test_inputs(self):
        # One process takes factors of the window before for orszag_tang, and iterates elsewhere.
        for name, ranks, within in (("burgers_2d", (2,), 1e-10), ("heat_2d", (3,), 1e-10), ("helmholtz_2d", (2, 3), 1e-12),
                                    ("orszag_tang", (2, 4), 1e-8), ("taylor_green", (3,), 1e-12)):
            with self.subTest(name):
                self.shared(os.path.join(INPUTS, f"{name}.yaml"), ranks, within)

    def test_a_solver_that_is_left_open_is_one_that_ranks_share(self):
        """Without them so few unknowns are solved by a dense LU."""
        self.write(PLANE.replace("solver: {linear: tensor}\n", "").replace("x: 20, y: 18", "x: 8, y: 7")
                   .replace("0.02, tail: 0.01", "1, tail: 1, estimate: off"))
        self.shared("case.yaml", (1, 2), within=1e-7)

    def test_bytes_fall_as_the_formula_says_where_shares_are_equal(self):
        self.write(EQUAL)
        sent = {n_ranks: self.json_of(n_ranks, "case.yaml")["ranks"] for n_ranks in (1, 2, 4)}
        self.assertEqual(sent[1]["bytes_exchanged"] + sent[1]["bytes_gathered"], 0)
        for n_ranks in (2, 4):
            self.assertGreater(sent[n_ranks]["bytes_exchanged"], 0)
            self.assertEqual(sent[n_ranks]["bytes_exchanged"], sent[n_ranks]["bytes_by_formula"])
        self.assertEqual(sent[4]["bytes_exchanged"], 1.5 * sent[2]["bytes_exchanged"], "1 - 1/P")
        with h5py.File(self.folder / "on4.h5") as file:
            self.assertEqual(dict(file["ranks"].attrs), sent[4])
        text = self.run_on(2, "run", "case.yaml", "--overwrite").stdout
        self.assertRegex(text, r"2 ranks sent one another ([\d.]+ MB) in exchanges \(\1 by the formula\), \d+ kB of sums")

    def test_what_is_not_shared_is_refused(self):
        plain = PLANE.replace("0.02, tail: 0.01", "1, tail: 1")
        for text, why in ((plain.replace("linear: tensor", "linear: dense"), "its linear solver is neither `tensor` nor `wavenumber`"),
                          (plain.replace("+ u*v", "+ u*v + 0.1*u(y=1)"), "an equation holds values at an edge"),
                          (plain.replace("t: 6,", "t: 17,"), "it has more than 16 nodes in time"),
                          (plain.replace("+ u*v", "+ u*v + integral(u, y)"), "it holds an integral over y"),
                          (LID, "it has constraints, and is not solved wavenumber by wavenumber")):
            with self.subTest(why):
                self.write(text)
                self.refused(2, "case.yaml", why)

    def test_a_solver_that_fails_on_the_way_leaves_rank_0_alone(self):
        self.write(COUPLED)
        for n_ranks in (1, 2):
            done = self.run_on(n_ranks, "run", "case.yaml", "--threads", "1", "-o", f"on{n_ranks}.h5")
            self.assertEqual(done.stderr.count("the linear solver was exchanged"), 1, done.stderr)
            self.assertEqual(done.stderr.count("rank 0 solves windows alone: its linear solver is neither `tensor` nor `wavenumber`"), n_ranks - 1)
        self.same("on1.h5", "on2.h5")

    def test_what_is_not_finite_ends_all(self):
        self.write(PLANE.replace("+ u*v", "+ sqrt(0.001 + v - t)"))
        status = self.run_on(0, "run", "case.yaml", "-q", status=None).returncode
        self.assertNotEqual(status, 0)
        self.run_on(3, "run", "case.yaml", "-q", status=status)

    def test_a_rank_that_ends_or_stops_ends_all_and_the_run_is_continued(self):
        self.write(LONG)
        self.run_on(1, "run", "case.yaml", "-q", "--threads", "1", "-o", "whole.h5")
        for number, status, n_ranks in ((signal.SIGTERM, 130, 3), (signal.SIGKILL, 137, 1), (signal.SIGSTOP, 7, 1)):
            with self.subTest(number), \
                    mock.patch.dict(os.environ, {"GWRM_ANSWER_SECONDS": "1"} if number == signal.SIGSTOP else {}):
                process, ranks = self.begin_long(2, run_ranks.OPTIONS if number == signal.SIGKILL else run_ranks.LEAVING)
                self.assertEqual(len(ranks), 2)
                os.kill(ranks[1], number)
                said = self.expect_ended_and_continued(process, {status}, n_ranks)
                self.assertEqual(said.count("rank 1 has not answered for 1 s") + said.count("another rank has not answered for 1 s"),
                                 number == signal.SIGSTOP, said)

    def limited(self, rank, limit, *options):
        """Two ranks, this one under a limit: the launcher's status, and what was said."""
        shell = f'[ "$OMPI_COMM_WORLD_RANK" = {rank} ] && ulimit {limit}; exec "$@"'
        command = [run_ranks.MPIRUN, *run_ranks.LEAVING, *options, "-n", "2", "sh", "-c", shell, "sh", run_ranks.GWRM, "run", "case.yaml", "-q",
                   "--threads", "1"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        return done.returncode, done.stderr

    def test_a_rank_out_of_memory_ends_all(self):
        """Before it has begun, and in the midst of a window that the others work on, too."""
        self.write(LONG)
        with mock.patch.dict(os.environ, {"OPENBLAS_NUM_THREADS": "1"}):
            process, ranks = self.begin_long(2)
        self.assertEqual(len(ranks), 2)
        usual = int(re.search(r"VmPeak:\s+(\d+)", pathlib.Path(f"/proc/{ranks[1]}/status").read_text())[1])
        for pid in (process.pid, *ranks):
            os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=30)
        self.write(PLANE.replace("t: 6, x: 20, y: 18}, domains: {t: 3}", "t: 12, x: 120, y: 120}, domains: {t: 1}"))
        for limit, why in ((usual - 50_000, "rank 1: out of memory: the limits of this process"),
                           (usual + 20_000, "rank 1: no memory for its share of a window")):
            with self.subTest(limit):
                status, said = self.limited(1, f"-v {limit}")
                self.assertEqual(status, 7, said)
                self.assertEqual(said.count("rank 1: "), 1, said)
                self.assertIn(why, said)

    def test_a_full_disk_of_rank_0_ends_all(self):
        self.write(PLANE)
        status, said = self.limited(0, "-f 16", "--mca", "btl", "tcp,self")  # memory that ranks share is a file, too
        self.assertEqual(status, 8, said)
        self.assertEqual(said.count("error:"), 1, said)
        self.assertIn("case.h5: cannot write: File too large", said)


if __name__ == "__main__":
    run_ranks.GWRM, run_ranks.MPIRUN, INPUTS = (os.path.realpath(argument) for argument in sys.argv[1:4])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
