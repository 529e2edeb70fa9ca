#!/usr/bin/env python3
"""gwrm run on the ranks of mpirun: the points of collocated parameters are shared out among them, and the file has the bits
of one process; failures, signals and kills end all ranks; a case without such points is run by rank 0 alone.

    run_ranks.py GWRM MPIRUN [NAME ...]
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
except ImportError:
    h5py = None

GWRM = MPIRUN = None
WINDOWS = int(os.environ.get("RANKS_WINDOWS", "100"))  # of a run that is interrupted
# More ranks than cores wait for one another without taking the cores from those that work.
OPTIONS = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
# mpirun ends the ranks that are left when one has failed at once, not with SIGTERM after a second and SIGKILL after two.
LEAVING = [*OPTIONS, "--mca", "odls_base_sigkill_timeout", "0"]
# What another run of the same case need not have.
OF_THE_MOMENT = {"history", "wall_seconds", "DIMENSION_LIST", "REFERENCE_LIST"}
OF_RANKS = "ranks"  # the group that says what they have sent one another

# Space condensed, windows as given; nu is solved at 9 points.
BURGERS = """schema: 1
domain: {t: [0, 0.5], x: [0, 1], nu: [0.05, 0.2]}
constants: {a: 2}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*pi*nu*sin(pi*x)/(a + cos(pi*x))"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 12, x: 24, nu: 8}, domains: {t: 3}}
verification: {tolerance: 1.0e-5}
output: {grid: {t: 5, x: 11, nu: 7}, fields: {u: u, mass: "integral(u, x)"}, error: on, file: case.h5}
goals: {end: "u(t=0.5, x=0.5, nu=0.1)"}
"""
# Windows, subdomains and the degree of the parameter by a tolerance, in a pass for each of its degrees.
AUTOMATIC = """schema: 1
domain: {t: [0, 2], F: [7, 9]}
constants: {a: 0.25, b: 4, G: 1}
unknowns: [X, Y, Z]
equations: ["dt(X) = -Y^2 - Z^2 - a*X + a*F", "dt(Y) = X*Y - b*X*Z - Y + G", "dt(Z) = b*X*Y + X*Z - Z"]
initial: {X: "0.96", Y: "-1.1", Z: "0.5"}
resolution: {tolerance: 1.0e-7}
output: {grid: {t: 11, F: 5}, file: case.h5}
"""
# Tensor products in space, two parameters, the budget of the error.
PLANE = """schema: 1
domain: {t: [0, 0.2], x: [0, 1], y: [0, 1], nu: [0.05, 0.1], c: [0, 1]}
unknowns: [u]
equations: ["dt(u) + c*u*dx(u) = nu*(dx(u,2) + dy(u,2))"]
initial: {u: "sin(pi*x)*sin(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 6, x: 12, y: 12, nu: 2, c: 1}, domains: {t: 2}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: budget}
output: {grid: {t: 3, x: 5, y: 5, nu: 3, c: 3}, file: case.h5}
"""
STEADY = """schema: 1
domain: {x: [0, 1], p: [1, 2]}
unknowns: [u]
equations: ["dx(u,2) = p*exp(u)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 20, p: 6}}
verification: {tolerance: 1.0e-6}
output: {grid: {x: 5, p: 5}, file: case.h5}
"""
# 1/(1/p - t): at the last points of p alone it leaves every bound within the time.
FAILING = """schema: 1
domain: {t: [0, 1], p: [0.1, 1.4]}
unknowns: [u]
equations: ["dt(u) = u^2"]
initial: {u: "p"}
resolution: {degree: {t: 12, p: 5}, domains: {t: 2}}
output: {grid: {t: 3, p: 3}, file: case.h5}
"""
ALONE = """schema: 1
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -u"]
initial: {u: "1"}
resolution: {degree: {t: 12}}
output: {grid: {t: 3}, file: case.h5}
"""
POISSON = """schema: 1
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat:
  intervals: {x: 16, y: 16}
  source: "-1"
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
output: {file: case.h5}
"""
# A second or two: many windows, dense, a thousand unknowns at a time.
LONG = """schema: 1
domain: {t: [0, END], x: [0, 1], nu: [0.05, 0.2]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2) + sin(pi*x)*cos(3*t)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 10, x: 24, nu: 5}, domains: {t: WINDOWS}}
solver: {linear: dense}
verification: {tolerance: 1, tail: 1, residual: 1}
output: {grid: {t: 5, x: 11, nu: 5}, file: case.h5}
""".replace("END", str(0.025 * WINDOWS)).replace("WINDOWS", str(WINDOWS))


def contents(path):
    """Every dataset and attribute but the moment's, as bytes or lists by their names."""
    found = {}

    def plain(value):
        return value.tolist() if getattr(value, "dtype", None) is None or value.dtype.kind == "O" else value.tobytes()

    def take(name, item):
        if name == OF_RANKS:
            return
        if isinstance(item, h5py.Dataset):
            found[name] = plain(item[()])
        for key, value in item.attrs.items():
            if key not in OF_THE_MOMENT:
                found[f"{name}@{key}"] = str(value)
    with h5py.File(path) as file:
        take("", file)
        file.visititems(take)
    return found


class RanksTest(unittest.TestCase):
    """What tests of runs on ranks do in a folder of their own."""

    def same(self, one, other):
        one, other = contents(self.folder / one), contents(self.folder / other)
        self.assertEqual(list(one), list(other))
        self.assertTrue({"coefficients/u", "coefficients/X"} & set(one))
        self.assertEqual([name for name in one if one[name] != other[name]], [])

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="case.yaml"):
        (self.folder / name).write_text(text)

    def command(self, n_ranks, *arguments):
        launcher = [MPIRUN, *LEAVING, "-n", str(n_ranks)] if n_ranks else []
        return [*launcher, GWRM, *arguments]

    def run_on(self, n_ranks, *arguments, status=0, environment=None):
        done = subprocess.run(self.command(n_ranks, *arguments), cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env={**os.environ, **(environment or {})})
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def ranks(self, launcher):
        """Process ids of the ranks, in their order."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.path.realpath(f"/proc/{pid}/exe") == GWRM and \
                        os.path.realpath(f"/proc/{pid}/cwd") == os.path.realpath(self.folder):
                    environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                    rank = [line for line in environment if line.startswith(b"OMPI_COMM_WORLD_RANK=")]
                    found[int(rank[0].split(b"=")[1])] = int(pid)
            except (OSError, IndexError):
                pass
        return [found[rank] for rank in sorted(found)]

    def begin_long(self, n_ranks, options=OPTIONS):
        """Until some windows are in the journal."""
        process = subprocess.Popen([MPIRUN, *options, "-n", str(n_ranks), GWRM, "run", "case.yaml", "-q", "--threads", "1", "-o",
                                    "part.h5"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "GWRM_JOURNAL_SECONDS": "0.1"})
        journal = self.folder / "part.journal"
        end = time.monotonic() + 100
        while time.monotonic() < end and process.poll() is None:
            if journal.exists() and journal.stat().st_size > 20_000:
                break
            time.sleep(0.01)
        self.assertIsNone(process.poll(), "still running")
        self.assertTrue(journal.exists())
        return process, self.ranks(process.pid)

    def expect_ended_and_continued(self, process, statuses, n_ranks):
        said = process.communicate(timeout=30)[1]
        self.assertIn(process.returncode, statuses, said)
        end = time.monotonic() + 10
        while self.ranks(process.pid) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self.ranks(process.pid), [])
        self.assertFalse((self.folder / "part.h5").exists())
        self.run_on(n_ranks, "run", "-q", "--threads", "1", "--restart", "part.journal")
        self.same("whole.h5", "part.h5")
        for name in ("part.h5", "part.partial.h5"):
            (self.folder / name).unlink(missing_ok=True)
        return said

    def refused(self, n_ranks, name, why, *more):
        """The status of each rank, by a shell around it, which itself always leaves with 0."""
        around = [MPIRUN, *LEAVING, "-n", str(n_ranks), "sh", "-c", '"$@"; echo left with $?', "sh"]
        done = subprocess.run([*around, GWRM, "run", name, *more], cwd=self.folder, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.stdout.splitlines(), ["left with 2"] * n_ranks, done.stderr)
        message = f"{n_ranks} ranks were started, and this run has no work for more than one: {why}"
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)
        self.assertIn(f"{name}: error: {message}", done.stderr)
        self.assertIn("run it without mpirun or srun", done.stderr)
        self.assertIn("gwrm sweep", done.stderr)
        self.assertIn("GWRM_RANKS=off", done.stderr)
        self.assertEqual([path.suffix for path in self.folder.iterdir()], [".yaml"], "nothing has been begun")


@unittest.skipIf(h5py is None, "needs h5py")
class RunRanks(RanksTest):
    def same_on_ranks(self, text, ranks, *more):
        self.write(text)
        for n_ranks in (0, *ranks):
            done = self.run_on(n_ranks, "run", "case.yaml", "--threads", "1", "-o", f"on{n_ranks}.h5", *more)
            self.assertEqual(done.stdout.count("wrote"), 1, "rank 0 alone tells")
            self.assertEqual(done.stderr.count("shared out among"), 1 if n_ranks > 1 else 0, done.stderr)
            if n_ranks:
                self.same("on0.h5", f"on{n_ranks}.h5")
        self.assertEqual(len(list(self.folder.iterdir())), 2 + len(ranks), "no journal, no temporary file")

    def test_windows_as_given_have_the_same_bits_on_any_number_of_ranks(self):
        self.same_on_ranks(BURGERS, (1, 2, 3, 4))

    def test_an_automatic_run_has_the_same_bits(self):
        self.same_on_ranks(AUTOMATIC, (2, 3))

    def test_two_parameters_and_the_budget_of_the_error(self):
        self.same_on_ranks(PLANE, (2, 4))

    def test_a_steady_problem(self):
        self.same_on_ranks(STEADY, (3,))

    def test_fewer_points_than_ranks(self):
        self.same_on_ranks(BURGERS.replace("nu: 8", "nu: 1").replace("1.0e-5", "1"), (4,))

    def test_threads_of_ranks_have_no_say_in_the_bits(self):
        self.write(BURGERS)
        self.run_on(0, "run", "case.yaml", "--threads", "1", "-o", "alone.h5")
        self.run_on(2, "run", "case.yaml", "--threads", "2", "-o", "threads.h5")
        alone, threads = (contents(self.folder / name) for name in ("alone.h5", "threads.h5"))
        self.assertEqual(alone["u"], threads["u"])

    def test_messages_beyond_the_longest_go_in_pieces(self):
        self.write(STEADY)
        self.run_on(0, "run", "case.yaml", "--threads", "1", "-o", "alone.h5")
        self.run_on(3, "run", "case.yaml", "--threads", "1", "-o", "pieces.h5", environment={"GWRM_MESSAGE_BYTES": "100"})
        self.same("alone.h5", "pieces.h5")

    def test_rerun_shares_its_points_too(self):
        self.write(STEADY)
        self.run_on(0, "run", "case.yaml", "--threads", "1")
        self.run_on(2, "rerun", "case.h5", "--threads", "1", "-o", "again.h5")
        self.same("case.h5", "again.h5")

    def test_a_failing_point_ends_all_ranks_as_it_ends_one(self):
        self.write(FAILING)
        alone = self.run_on(0, "run", "case.yaml", "-q", "--threads", "1", status=3)
        for n_ranks in (2, 3):
            done = self.run_on(n_ranks, "run", "case.yaml", "-q", "--threads", "1", status=3)
            self.assertIn(alone.stderr.splitlines()[0], done.stderr)
            self.assertEqual(done.stderr.count("not converged"), alone.stderr.count("not converged"), done.stderr)

    def test_bad_input_ends_all_ranks_and_is_told_once(self):
        self.write(BURGERS.replace("dx(u,2)", "dx(v,2)"))
        done = self.run_on(3, "run", "case.yaml", status=2)
        self.assertEqual(done.stderr.count("unknown name"), 1, done.stderr)

    def test_a_result_in_the_way_ends_all_ranks(self):
        self.write(STEADY)
        self.run_on(2, "run", "case.yaml", "-q")
        self.run_on(2, "run", "case.yaml", "-q", status=8)

    def test_ranks_without_work_leave_with_one_message_and_status_2(self):
        self.write(ALONE)
        self.refused(3, "case.yaml", "it has fewer than two dimensions of space")
        self.write(POISSON)
        self.refused(2, "case.yaml", "this kind of problem is solved in one process")
        # One rank is a process as any other, and so is each that knows nothing of the others.
        for n_ranks, name, environment in ((0, "alone", None), (1, "one", None), (2, "off", {"GWRM_RANKS": "off"})):
            self.write(ALONE)
            self.run_on(n_ranks, "run", "case.yaml", "--overwrite", "-o", f"{name}.h5", environment=environment)
        self.same("alone.h5", "one.h5")
        self.same("alone.h5", "off.h5")

    def test_ranks_with_cases_of_their_own_are_refused_or_stand_alone(self):
        self.write(ALONE, "a.yaml")
        self.write(STEADY, "b.yaml")
        command = [MPIRUN, *LEAVING, "-n", "1", GWRM, "run", "a.yaml", "-q", "-o", "a.h5", ":", "-n", "1", GWRM, "run", "b.yaml",
                   "-q", "-o", "b.h5"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("different commands"), 1, done.stderr)
        self.assertFalse((self.folder / "a.h5").exists() or (self.folder / "b.h5").exists())
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "GWRM_RANKS": "off"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "a.h5").exists() and (self.folder / "b.h5").exists())

    def test_a_device_that_no_rank_has_is_told_once(self):
        self.write(STEADY)
        done = self.run_on(3, "run", "case.yaml", "--backend", "cuda", status=7, environment={"CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(done.stderr.count("backend cuda:"), 1, done.stderr)

    def test_signals_and_kills_end_all_ranks_and_the_run_is_continued(self):
        self.write(LONG)
        self.run_on(0, "run", "case.yaml", "-q", "--threads", "1", "-o", "whole.h5")
        # Of rank 1: PointPlaces.AnInterruptedRankInterruptsTheRun, window_ranks.py.
        for who, number, n_ranks in (("all", signal.SIGTERM, 0), ("launcher", signal.SIGTERM, 3), (0, signal.SIGKILL, 2)):
            with self.subTest(who=who, number=number):
                # A launcher that is ended waits before it ends its ranks; only long runs are not over by then.
                usual = who == 0 or (who == "launcher" and WINDOWS >= 500)
                process, ranks = self.begin_long(2, OPTIONS if usual else LEAVING)
                self.assertEqual(len(ranks), 2)
                for pid in ranks if who == "all" else [process.pid] if who == "launcher" else [ranks[who]]:
                    os.kill(pid, number)
                statuses = {137} if number == signal.SIGKILL else {130} if who != "launcher" else {130, 143, 1}
                self.expect_ended_and_continued(process, statuses, n_ranks)


if __name__ == "__main__":
    GWRM, MPIRUN = (os.path.realpath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
