#!/usr/bin/env python3
"""gwrm sweep and gwrm converge on the ranks of mpirun: the same result on any number of them, each run once, kills at
random moments.

    sweep_ranks.py GWRM MPIRUN [NAME ...]
"""
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sweep  # noqa: E402

try:
    import h5py
except ImportError:
    h5py = None

GWRM = MPIRUN = None
KILLS = int(os.environ.get("SWEEP_KILLS", "2"))
# More ranks than cores wait for one another without taking the cores from those that work.
OPTIONS = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
# mpirun ends the ranks that are left when one has failed at once, not with SIGTERM after a second and SIGKILL after two.
LEAVING = [*OPTIONS, "--mca", "odls_base_sigkill_timeout", "0"]
POINTS = ["--vary", "constants.nu=0.05:0.2:8", "--vary", "constants.a=2,2.5,3"]  # 24 runs

PLANE = """schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: [0, 2]}
constants: {c: 1, nu: 0.1}
unknowns: [u]
equations: ["dt(u) + c*u*dx(u) = nu*lap(u)"]
initial: {u: "sin(pi*x)*sin(pi*y/2)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0"]
resolution: {degree: {t: 6, x: 14, y: 12}, domains: {t: 2}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1}
output: {grid: {t: 3, x: 5, y: 5}, file: plane.h5}
"""


def runs_of(journal):
    """Numbers of the runs in a journal, in its order; a torn record at its end is left out."""
    data, numbers, offset = journal.read_bytes(), [], 16
    while offset + 24 <= len(data):
        mark, size = data[offset:offset + 8], struct.unpack_from("<Q", data, offset + 8)[0]
        if offset + 40 + size > len(data):
            break
        if mark == b"gwrmdone":
            numbers.append(struct.unpack_from("<Q", data, offset + 24)[0])
        offset += 40 + size
    return numbers


@unittest.skipIf(h5py is None, "needs h5py")
class SweepRanks(unittest.TestCase):
    same = sweep.Sweep.same

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "case.yaml").write_text(sweep.BURGERS)

    def command(self, n_ranks, *arguments, options=LEAVING):
        launcher = [MPIRUN, *options, "-n", str(n_ranks)] if n_ranks else []
        return [*launcher, GWRM, "sweep", "--threads", "1", *arguments]

    def run_sweep(self, n_ranks, *arguments):
        return subprocess.run(self.command(n_ranks, *arguments), cwd=self.folder, capture_output=True, text=True,
                              timeout=120)

    def test_the_same_result_on_any_number_of_ranks(self):
        for n_ranks in range(5):
            done = self.run_sweep(n_ranks, "case.yaml", *POINTS, "-o", f"on{n_ranks}.h5", "--keep", "runs")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("wrote"), 1, "rank 0 alone tells")
            self.assertEqual(len(list((self.folder / f"on{n_ranks}_runs").iterdir())), 24)
            self.same("on0.h5", f"on{n_ranks}.h5")

    def test_messages_beyond_the_longest_go_in_pieces(self):
        """The longest message of MPI is 2 GB; here 100 bytes."""
        self.assertEqual(self.run_sweep(0, "case.yaml", *POINTS, "-o", "alone.h5").returncode, 0)
        os.environ["GWRM_MESSAGE_BYTES"] = "100"
        self.addCleanup(os.environ.pop, "GWRM_MESSAGE_BYTES")
        done = self.run_sweep(3, "case.yaml", *POINTS, "-o", "pieces.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.same("alone.h5", "pieces.h5")

    def test_without_its_library_ranks_are_refused(self):
        folder = self.folder / "bin"
        folder.mkdir()
        shutil.copy(GWRM, folder)
        launcher = [MPIRUN, *LEAVING, "-n", "2", str(folder / "gwrm")]
        done = subprocess.run([*launcher, "sweep", "case.yaml", *POINTS], cwd=self.folder, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("2 processes would each do all the work", done.stderr)
        self.assertIn("build it with -DGWRM_MPI=ON", done.stderr)

    def test_processes_that_do_not_find_one_another_are_refused(self):
        """As srun --mpi=none starts them."""
        done = subprocess.run([GWRM, "sweep", "case.yaml", *POINTS], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env={**os.environ, "SLURM_STEP_NUM_TASKS": "4"})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("srun --mpi=pmix", done.stderr)

    def test_nothing_of_mpi_is_loaded_without_a_launcher(self):
        needed = subprocess.run(["readelf", "-d", GWRM], capture_output=True, text=True).stdout
        self.assertIn("NEEDED", needed)
        self.assertNotRegex(needed, r"NEEDED.*(mpi|open-rte|open-pal)")

    def test_a_device_that_no_rank_has_is_told_once(self):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
        done = subprocess.run(self.command(3, "case.yaml", *POINTS, "--backend", "cuda"), cwd=self.folder,
                              capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(done.stderr.count("backend cuda:"), 1, done.stderr)
        self.assertEqual(self.run_sweep(2, "case.yaml", *POINTS, "--backend", "auto", "-o", "auto.h5").returncode, 0)

    def start(self, n_ranks, *arguments):
        launcher = [MPIRUN, *LEAVING, "-n", str(n_ranks)] if n_ranks else []
        return subprocess.run([*launcher, GWRM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def study(self, n_ranks, name, *more, case="case.yaml"):
        done = self.start(n_ranks, "converge", "--threads", "1", case, "-o", f"{name}.h5", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(f"wrote {name}.h5"), 1)

    def test_a_study_is_the_same_on_any_number_of_ranks(self):
        """Differences to the finest run, whose answers travel between ranks; the last bit of each counts."""
        vary = ["--vary", "x=8,12,16,24,32", "--vary", "t=8,10,12,14,16"]
        for n_ranks in range(4):
            self.study(n_ranks, f"study{n_ranks}", *vary)
            self.same("study0.h5", f"study{n_ranks}.h5")

    def test_a_study_that_fails_to_begin_ends_all_ranks(self):
        done = self.start(3, "converge", "-q", "case.yaml", "--vary", "q=1,2")
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_bad_input_ends_all_ranks(self):
        done = self.run_sweep(3, "case.yaml", "--vary", "constants.nuu=1,2")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("did you mean `nu`?"), 1)

    def test_failures_are_marked(self):
        done = self.run_sweep(2, "case.yaml", "--vary", "solver.newton.max_iterations=30,1,20")
        self.assertEqual(done.returncode, 3, done.stderr)
        with h5py.File(self.folder / "case_sweep.h5") as file:
            self.assertEqual(list(file["exit_status"]), [0, 3, 0])

    def test_ranks_have_each_run_together(self):
        """Groups of ranks: the bits of each run alone on ranks, whatever the groups; what they cannot do is refused."""
        (self.folder / "plane.yaml").write_text(PLANE)
        vary = ["plane.yaml", "--vary", "constants.c=1,2,3", "--keep", "runs"]
        for n_ranks, per_run in ((2, 1), (4, 2), (3, 2)):  # the last group has one
            done = self.run_sweep(n_ranks, *vary, "-o", f"by{per_run}_{n_ranks}.h5", "--ranks-per-run", str(per_run))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.same("by1_2.h5", f"by{per_run}_{n_ranks}.h5")
        for run, value in enumerate((1, 2, 3)):
            alone = self.start(2, "run", "plane.yaml", "-q", "--threads", "1", "--set", f"constants.c={value}", "-o",
                               f"alone{run}.h5")
            self.assertEqual(alone.returncode, 0, alone.stderr)
            with h5py.File(self.folder / f"alone{run}.h5") as one, h5py.File(self.folder / f"by2_4_runs/000{run}.h5") as other:
                self.assertEqual(one["coefficients/u"][()].tobytes(), other["coefficients/u"][()].tobytes())
                self.assertEqual(other["ranks"].attrs["n_ranks"], 2)
        for n_ranks, case, why in ((0, "plane.yaml", "no ranks were started"),
                                   (2, "case.yaml", "it has fewer than two dimensions of space")):
            done = self.run_sweep(n_ranks, case, "--vary", "constants.nu=0.1,0.2", "--set", "constants.nu=0.1", "--ranks-per-run", "2")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("--ranks-per-run 2: error:"), 1, done.stderr)
            self.assertIn(why, done.stderr)

    def test_ranks_have_each_level_of_a_study_together(self):
        """As runs of a sweep: each with the bits that it has alone on ranks."""
        (self.folder / "plane.yaml").write_text(PLANE)
        vary = ["--vary", "x=10,12,14,11"]
        for n_ranks, per_run in ((2, 1), (4, 2), (3, 2)):
            self.study(n_ranks, f"by{per_run}_{n_ranks}", *vary, "--ranks-per-run", str(per_run), case="plane.yaml")
            self.same("by1_2.h5", f"by{per_run}_{n_ranks}.h5")
        with h5py.File(self.folder / "by2_4.h5") as study:
            kinds, subjects = (study[f"checks/{name}"].asstr()[()] for name in ("kind", "subject"))
            for level, degree in enumerate((10, 12)):
                done = self.start(2, "run", "plane.yaml", "-q", "--threads", "1", "-o", f"alone{degree}.h5", "--set",
                                  f"resolution.degree.x={degree}", "--set", "verification.estimate=off")
                self.assertEqual(done.returncode, 0, done.stderr)
                with h5py.File(self.folder / f"alone{degree}.h5") as alone:
                    checks = alone["verification"]
                    alone = {(kind, subject): value for kind, subject, value in zip(
                        *(checks[name].asstr()[()] for name in ("kind", "subject")), checks["value"][()])}
                compared = [(value, alone[kind, subject]) for kind, subject, value in zip(
                    kinds, subjects, study["checks/value"][level]) if (kind, subject) in alone]
                self.assertEqual(len(compared), 6)  # the equation, the initial value, four conditions
                for value, expected in compared:
                    self.assertEqual(value, expected)

    def test_a_study_that_groups_cannot_have_is_refused(self):
        (self.folder / "plane.yaml").write_text(PLANE)
        for n_ranks, case, more, why in (
                (0, "plane.yaml", [], "no ranks were started"),
                (2, "plane.yaml", ["--backend", "cuda"], "leave --backend cuda out"),
                (2, "case.yaml", [], "it has fewer than two dimensions of space; leave it out")):
            done = self.start(n_ranks, "converge", case, "--vary", "x=8,10", "--ranks-per-run", "2", *more)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("--ranks-per-run 2: error:"), 1, done.stderr)
            self.assertIn(why, done.stderr)
            self.assertFalse(list(self.folder.glob("*.h5")))

    def test_a_group_goes_on_behind_a_run_that_fails(self):
        (self.folder / "plane.yaml").write_text(PLANE)
        done = self.run_sweep(3, "plane.yaml", "--vary", "solver.newton.max_iterations=30,1,20", "--set", "constants.c=5",
                              "--ranks-per-run", "3")
        self.assertEqual(done.returncode, 3, done.stderr)
        with h5py.File(self.folder / "plane_sweep.h5") as file:
            self.assertEqual(list(file["exit_status"]), [0, 3, 0])

    def test_killed_at_random_moments_and_continued_on_another_number_of_ranks(self):
        points = ["--vary", "constants.nu=0.05:0.2:100", "--vary", "constants.a=2,3"]
        begun = time.monotonic()
        self.assertEqual(self.run_sweep(2, "case.yaml", *points, "-o", "whole.h5").returncode, 0)
        usual = time.monotonic() - begun
        chance = random.Random(23)
        interrupted = 0
        for kill in range(KILLS):
            journal, done = self.folder / f"part{kill}.journal", None
            for attempt in range(20):
                command = ["--restart", journal.name] if journal.exists() else ["case.yaml", *points, "-o", f"part{kill}.h5"]
                with (self.folder / "errors").open("w") as errors:
                    process = subprocess.Popen(self.command(chance.randint(1, 4), *command,
                                                            options=LEAVING if kill % 2 else OPTIONS),
                                               cwd=self.folder, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
                try:
                    done = process.wait(timeout=chance.uniform(0.2 * usual, usual) if attempt < 3 else 100)
                    break
                except subprocess.TimeoutExpired:
                    self.kill(process, one_rank=chance.random() < 0.5)
                    interrupted += 1
                if not journal.exists() and (self.folder / f"part{kill}.h5").exists():
                    done = 0  # it was killed when all was done
                    break
                if journal.exists():
                    numbers = runs_of(journal)
                    self.assertEqual(len(numbers), len(set(numbers)), "each run once")
            self.assertEqual(done, 0, (self.folder / "errors").read_text())
            self.assertFalse(journal.exists())
            self.same("whole.h5", f"part{kill}.h5")
        self.assertGreater(interrupted, 0)

    def kill(self, process, one_rank):
        """A rank alone, which mpirun answers by ending all; or all at once."""
        ranks = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and self.is_rank(pid, process.pid)]
        for pid in ranks[:1] if one_rank and ranks else [*ranks, process.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait(timeout=20)
        for _ in range(200):  # orphans have ended
            if not any(self.is_rank(pid, process.pid) for pid in os.listdir("/proc") if pid.isdigit()):
                return
            time.sleep(0.02)

    def is_rank(self, pid, launcher):
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            return stat[0] != "Z" and os.path.realpath(f"/proc/{pid}/exe") == GWRM and \
                os.path.realpath(f"/proc/{pid}/cwd") == os.path.realpath(self.folder)
        except OSError:
            return False


if __name__ == "__main__":
    GWRM, MPIRUN = (os.path.realpath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
