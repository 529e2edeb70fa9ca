#!/usr/bin/env python3
"""Every command, with calls on files that fail: one alone, or all from one on.

    failing_io.py GWRM LIBRARY INPUTS [--trials N | --every N] [--seed N] [--jobs N] [NAME ...]

LIBRARY is that of tests/hard_input/failing_io.c. As failing_allocations.py does with allocations: each command runs
undisturbed first, which counts its calls from main() on, whosever they are; then number n fails, or all from n on. A
trial is a finding if it

    dies by a signal or takes longer than a minute,
    ends with another status than that of the undisturbed one, 2 (the case cannot be read) or 8, or with 8 and not the
        system's reason; 6 where data that other commands read are found to differ,
    ends as the undisturbed one and has not printed and written the same,
    leaves a temporary file, or under any name of the undisturbed one a file that is not the same.

A result that found no place in its folder may lie in the folder of temporary files. Prints a table, one row a command,
and the findings; exit status 1 if there are any.
"""
import re
import sys

import failing_allocations
from failing_allocations import Campaign, Command, comparable

REASON = r"Input/output error|No space left on device|cannot|could not|damaged|checksum"
# Lasts longer than the second before which no journal is kept, in few windows: each of them is a call more to try.
JOURNAL = """domain: {t: [0, 60], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2) - u^3 + sin(t)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 240}, domains: {t: 60}}
verification: {tolerance: 1, estimate: off, tail: 1, residual: 1}
output: {grid: {t: 11, x: 11}}
"""


class IoCampaign(Campaign):
    what, usual_trials = "call", 20

    def commands(self):
        chosen = [command for command in super().commands() if command.words != ["--version"]]
        case = str(self.given / "journal.yaml")
        return [*chosen, Command("run with a journal", ["run", case, "--backend", "cpu", "-o", "result.h5"])]

    def words(self, command):
        return [self.options.gwrm, *command.words, "--threads", "1"]

    def environment(self, **more):
        return super().environment(TMPDIR=str(self.folder / "elsewhere"), **more)

    def prepare(self):
        (self.folder / "elsewhere").mkdir()
        super().prepare()
        (self.given / "journal.yaml").write_text(JOURNAL)

    def complaints(self, command, cwd, status, out, said):
        if status is None:
            yield "no end"
        elif status < 0:
            yield f"dies by signal {-status}"
        elif status == command.status:
            # What `info` says of cores and memory stands in files of the kernel.
            if comparable(out) != command.printed and command.name != "info":
                yield "has printed something else"
        elif status not in (2, 8):
            yield f"status {status}"
        elif not re.search(REASON, said):
            yield "no reason"
        yield from self.wrong_files(command, cwd, status == command.status, False)


if __name__ == "__main__":
    sys.exit(failing_allocations.main(IoCampaign, __doc__))
