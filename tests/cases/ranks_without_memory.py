#!/usr/bin/env python3
"""A rank whose memory has run out ends all ranks: with status 7, one message, soon, and a journal that is gone on from.

    ranks_without_memory.py GWRM MPIRUN LIBRARY [--trials N] [--seed N] [--seconds S] [--jobs N] [NAME ...]

Every allocation of one rank fails from the n-th on, by the LIBRARY of tests/hard_input/failing_allocations.c, n spread over its
whole life and over the beginning of MPI; or the rank has a limit of its address space (ulimit -v) below what it takes, and the
system refuses. NAME is one of the subjects printed in the table. A trial is a finding if it

    takes longer than S seconds, or ends with another status than 7 or, with the whole answer, that of the undisturbed run;
    has not one message on memory or threads, or any other error but those of rank 0 when the launcher ends it;
    leaves a journal from which the run is not continued to the undisturbed answer, or a result that is another one.

Prints a table, one row a subject, and the findings; exit status 1 if there are any.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import run_ranks
import window_ranks

TOO_LITTLE = 7
# What rank 0 says that the launcher has ended, as another rank had no memory.
OF_THE_LAUNCHER = re.compile(r"error: (interrupted$|continue with: )")


@dataclasses.dataclass
class Subject:
    name: str
    case: str
    n_ranks: int
    rank: int  # the one without memory
    limit: bool = False  # of the address space
    words: tuple = ("run",)
    whole: int = 0  # allocations, or kilobytes of the address space, of the undisturbed one
    status: int = 0
    ends: collections.Counter = dataclasses.field(default_factory=collections.Counter)


LARGE = window_ranks.PLANE.replace("x: 20, y: 18}", "x: 70, y: 66}")
SUBJECTS = [
    Subject("windows, rank 0 of 2", window_ranks.PLANE, 2, 0),
    Subject("windows, rank 1 of 2", window_ranks.PLANE, 2, 1),
    Subject("windows, limit of rank 0 of 2", LARGE, 2, 0, limit=True),
    Subject("windows, limit of rank 1 of 2", LARGE, 2, 1, limit=True),
]


class Campaign:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.findings = []

    def environment(self):
        # One thread for BLAS, whose buffers are mapped; kernels: failing_allocations.py.
        kernels = {"OPENBLAS_CORETYPE": "Haswell"} if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text() else {}
        return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "GWRM_JOURNAL_SECONDS": "0", "NO_COLOR": "1", **kernels}

    def launched(self, n_ranks, *words):
        # Open MPI's launcher may die of SIGPIPE where a rank is gone before it has been given its standard input.
        return [self.options.mpirun, *run_ranks.LEAVING, "--stdin", "none", "-n", str(n_ranks), *words]

    def gwrm(self, n_ranks, cwd, *words):
        return subprocess.run(self.launched(n_ranks, self.options.gwrm, *words, "-q", "--threads", "1"), cwd=cwd,
                              env=self.environment(), capture_output=True, text=True, timeout=60)

    def same(self, one, other):
        compared = [self.options.gwrm, "diff", str(one), str(other), "--tolerance", "0"]
        return subprocess.run(compared, env=self.environment(), capture_output=True, check=False).returncode == 0

    def start(self, subject, cwd, moment, watched=False):
        """(status or None for too long, what was said, what a whole one takes)"""
        count = cwd / "count"
        count.write_bytes(bytes(16))
        if subject.limit:
            condition = f"ulimit -v {moment}" if moment else ":"
        else:
            condition = f"export LD_PRELOAD={self.options.library} GWRM_FAIL_FROM=1 GWRM_FAIL_AT={moment} GWRM_FAIL_COUNT=count"
        shell = f'[ "$OMPI_COMM_WORLD_RANK" = {subject.rank} ] && {{ echo $$ > pid; {condition}; }}; exec "$@"'
        process = subprocess.Popen(self.launched(subject.n_ranks, "sh", "-c", shell, "sh", self.options.gwrm, *subject.words,
                                                 "case.yaml", "-q", "--threads", "1", "-o", "case.h5"),
                                   cwd=cwd, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        most = 0
        while watched and process.poll() is None:
            try:
                pid = (cwd / "pid").read_text().strip()
                most = max(most, int(re.search(r"VmPeak:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]))
            except (OSError, TypeError):
                pass
            time.sleep(0.005)
        try:
            said = process.communicate(timeout=self.options.seconds)[1]
            status = process.returncode
        except subprocess.TimeoutExpired:
            for number in (signal.SIGTERM, signal.SIGKILL):  # the launcher ends its ranks, which are not of its session
                os.killpg(process.pid, number)
                time.sleep(1.0)
            said, status = process.communicate()[1], None
        return status, said, most if subject.limit else struct.unpack("QQ", count.read_bytes())[0]

    def folder_of(self, subject, name):
        cwd = self.folder / name
        cwd.mkdir()
        (cwd / "case.yaml").write_text(subject.case)
        return cwd

    def measure(self, subject, number):
        cwd = self.folder_of(subject, f"whole{number}")
        subject.status, said, subject.whole = self.start(subject, cwd, 0, watched=subject.limit)
        if subject.status != 0 or subject.whole == 0:
            sys.exit(f"{subject.name}, undisturbed: status {subject.status}\n{said}")
        return cwd / "case.h5"

    def complaints(self, subject, cwd, whole, status, said):
        result, journal = cwd / "case.h5", cwd / "case.journal"
        errors = [line for line in said.splitlines() if line.startswith("error: ") and not OF_THE_LAUNCHER.match(line)]
        if status is None:
            yield "no end"
        elif status == TOO_LITTLE:
            if len(errors) != 1 or not re.search(r"memory|threads?\b", errors[0]):
                yield f"{len(errors)} messages"
        elif not (status == subject.status or (status == 6 and "memory" in said)) or not result.exists():
            yield f"status {status}"
        if result.exists() and not self.same(result, whole):
            yield "another answer"
        if journal.exists() and not result.exists():
            done = self.gwrm(1, cwd, "run", "--restart", "case.journal")
            if done.returncode != subject.status or not self.same(result, whole):
                yield f"is not continued: status {done.returncode}\n{done.stderr}"
        if subject.rank == 0:  # else rank 0 is killed
            yield from (f"{path.name} is left" for path in cwd.iterdir()
                        if path.suffix not in (".yaml", ".h5", ".journal") and path.name not in ("count", "pid"))

    def trial(self, subject, number, moment, whole):
        cwd = self.folder_of(subject, f"trial{number}")
        status, said, _ = self.start(subject, cwd, moment)
        found = list(self.complaints(subject, cwd, whole, status, said))
        shutil.rmtree(cwd)
        return status, [(subject.name, moment, complaint, said) for complaint in found]

    def moments(self, subject, random_numbers):
        n = self.options.trials
        if subject.limit:  # below a third it does not begin
            least = subject.whole // 3
            return [least + int((subject.whole - least) * (k + random_numbers.random()) / n) for k in range(n)]
        # A third of them while MPI begins, and a quarter at the very end.
        begin = min(60_000, subject.whole)
        early = [random_numbers.randint(1, begin) for _ in range(n // 3)]
        late = [subject.whole - random_numbers.randint(0, 3000) for _ in range(n // 4)]
        return sorted(early + late + [random_numbers.randint(1, subject.whole) for _ in range(n - len(early) - len(late))])

    def run(self, subjects):
        random_numbers = random.Random(self.options.seed)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for number, subject in enumerate(subjects):
                whole = self.measure(subject, number)
                trials = [pool.submit(self.trial, subject, k, moment, whole)
                          for k, moment in enumerate(self.moments(subject, random_numbers))]
                for future in trials:
                    status, found = future.result()
                    subject.ends["hung" if status is None else str(status)] += 1
                    self.findings += found
                ends = ", ".join(f"{status}: {subject.ends[status]}" for status in sorted(subject.ends))
                print(f"| {subject.name} | {subject.whole} | {len(trials)} | {ends} |", flush=True)
        for name, moment, complaint, said in self.findings:
            print(f"\n{name}: from {moment} on: {complaint}\n{said[-3000:]}")
        print(f"{len(self.findings)} findings")
        return 1 if self.findings else 0


def main(subjects, usual_trials, text):
    parser = argparse.ArgumentParser(usage=text)
    parser.add_argument("gwrm", type=os.path.realpath)
    parser.add_argument("mpirun", type=os.path.realpath)
    parser.add_argument("library", type=os.path.realpath)
    parser.add_argument("--trials", type=int, default=usual_trials)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    chosen = [subject for subject in subjects if not options.names or subject.name in options.names]
    with tempfile.TemporaryDirectory() as folder:
        return Campaign(options, pathlib.Path(folder)).run(chosen)


if __name__ == "__main__":
    sys.exit(main(SUBJECTS, 3, __doc__))
