#!/usr/bin/env python3
"""Runs problems with independent answers and judges the program's verdicts on its own answers.

    run_verdicts.py GWRM [NAME ...] [--jobs N] [--quick] [--list] [--markdown]

NAME chooses problems whose names begin so. No case tells the program what the answer is: a verdict of PASS rests on
its own estimate of the error. Per run: exit status, verdict, tolerance, estimated error ("-": none), true error -
the largest on the output grid relative to the field's largest magnitude - their ratio, seconds, and a judgement:

    ok           the verdict is right, or the error within a factor of 3 of the tolerance
    FALSE PASS   exit status 0 with an error above 3 times the tolerance
    FALSE FAIL   verification failed with an error below a third of it
    no answer    the run ended without the answer that there is: it says so, which is no false verdict
    BROKEN       the case could not be read, or the result file cannot be compared

Exit status 1: a false PASS, more than two false FAILs, a broken case, or a problem that README.md does not name.
Needs numpy and h5py.
"""
import argparse
import concurrent.futures
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.dont_write_bytecode = True  # nothing beside the sources
import problems  # noqa: E402
from problem import NO_ANSWER  # noqa: E402

FACTOR = 3           # how far the error may be on the wrong side of the tolerance
MOST_FALSE_FAILS = 2
STATUS_BAD_CASE, STATUS_UNVERIFIED, STATUS_NOT_ESTIMATED = 2, 6, 9
STATUSES = (0, 3, 4, 5, 6, STATUS_NOT_ESTIMATED)  # a run that began ends with one of these (docs/failures.md)


def read_fields(path):
    """{field: (coordinates by axis, shaped to broadcast, and values)} of the sampled fields of a result file."""
    fields = {}
    with h5py.File(path) as file:
        for name, data in file.items():
            if not isinstance(data, h5py.Dataset) or data.is_scale:
                continue
            axes = [data.dims[k][0].name.strip("/") for k in range(data.ndim)]
            coordinates = {}
            for k, axis in enumerate(axes):
                shape = [1] * data.ndim
                shape[k] = -1
                coordinates[axis] = file[axis][()].reshape(shape)
            fields[name] = (coordinates, data[()])
    return fields


def true_error(problem, fields):
    """The largest error of all fields, each relative to the largest magnitude of its answer."""
    if problem.answer is NO_ANSWER:
        return np.inf
    if callable(problem.answer):
        answers = problem.answer(fields)
    else:
        answers = {}
        for name, formula in problem.answer.items():
            coordinates, values = fields[name]
            wanted = coordinates.keys() & inspect.signature(formula).parameters
            answers[name] = np.broadcast_to(formula(**{axis: coordinates[axis] for axis in wanted}), values.shape)
    worst = 0.0
    for name, answer in answers.items():
        values = fields[name][1]
        known = ~np.isnan(answer)
        difference = np.abs(np.asarray(values) - answer)[known]
        if not np.all(np.isfinite(difference)):
            return np.inf
        worst = max(worst, np.max(difference) / np.max(np.abs(answer[known])))
    return worst


def estimated_error(verification):
    """The largest of all fields, the part of rounding included; None if the program made none."""
    made = verification.get("estimate", {}).get("fields", {})
    if not made:
        return None
    # What is not a finite number is null in JSON.
    return max(np.inf if None in (error["largest"], error["rounding"]) else error["largest"] + error["rounding"]
               for error in made.values())


def judge(problem, status, error, tolerance):
    if status not in STATUSES:
        return "ok" if problem.may_be_refused and status == STATUS_BAD_CASE else "BROKEN"
    if status == 0:
        return "FALSE PASS" if not error <= FACTOR * tolerance else "ok"
    if error is None:
        return "ok" if problem.answer is NO_ANSWER else "no answer"
    return "FALSE FAIL" if error < tolerance / FACTOR else "ok"


def solve(gwrm, problem, run):
    """One row of the table."""
    row = {"name": f"{problem.name} {run.label}", "tolerance": run.tolerance, "estimate": None, "error": None,
           "problem": problem.name}
    with tempfile.TemporaryDirectory() as folder:
        case, output = pathlib.Path(folder, "case.yaml"), pathlib.Path(folder, "result.h5")
        case.write_text(problem.case)
        command = [gwrm, "run", str(case), "--json", "--quiet", "--threads", "1", "-o", str(output)]
        for key, value in run.settings.items():
            command += ["--set", f"{key}={value}"]
        start = time.monotonic()
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        row["seconds"] = time.monotonic() - start
        row["status"] = done.returncode
        row["message"] = done.stderr.strip()
        try:
            verification = json.loads(done.stdout)["verification"]
        except (ValueError, KeyError):
            verification = {"result": "none"}
        row["verdict"] = verification["result"]
        row["estimate"] = estimated_error(verification)
        if output.exists() and done.returncode in (0, STATUS_UNVERIFIED, STATUS_NOT_ESTIMATED):
            try:
                row["error"] = true_error(problem, read_fields(output))
            except Exception as exception:  # whatever is wrong with one problem, the others are judged
                row["message"] = f"{type(exception).__name__}: {exception}"
                row["judgement"] = "BROKEN"
                return row
    row["judgement"] = judge(problem, row["status"], row["error"], run.tolerance)
    return row


def number(value):
    return "-" if value is None else "inf" if np.isinf(value) else f"{value:.1e}"


def line(row, markdown):
    error, estimate = row["error"], row["estimate"]
    ratio = "-"
    if estimate is not None and error and np.isfinite(error):
        ratio = f"{estimate / error:.2g}"
    cells = [row["name"], str(row["status"]), row["verdict"], f"{row['tolerance']:.0e}", number(estimate),
             number(error), ratio, f"{row['seconds']:.1f}", row["judgement"]]
    if markdown:
        return "| " + " | ".join(cells) + " |"
    widths = [-46, 3, 13, 6, 8, 8, 8, 6]
    return " ".join(f"{cell:<{-w}}" if w < 0 else f"{cell:>{w}}" for cell, w in zip(cells, widths)) + "  " + cells[-1]


def list_line(problem):
    """As in the README."""
    answer = "no answer: " if problem.answer is NO_ANSWER else ""
    return f"| {problem.name} | {answer}{problem.origin.replace('|', ' ')} |"


def missing_from_readme():
    text = pathlib.Path(__file__).with_name("README.md").read_text()
    return [problem.name for problem in problems.ALL if list_line(problem) + "\n" not in text]


HEAD = ["problem", "exit", "verdict", "tolerance", "estimated", "true error", "ratio", "s", "judgement"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm", help="the program (any word with --list)")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="the subset that every build is tested with")
    parser.add_argument("--list", action="store_true", help="the table of the README: where the answers come from")
    parser.add_argument("--markdown", action="store_true", help="a table for a page")
    options = parser.parse_args()
    chosen = [problem for problem in problems.ALL if (problem.quick or not options.quick)
              and (not options.names or any(problem.name.startswith(name) for name in options.names))]
    if options.list:
        print("\n".join(list_line(problem) for problem in chosen))
        return 0
    if not chosen:
        sys.exit("no problem of this name")

    unnamed = missing_from_readme()
    if unnamed:
        print(f"README.md does not say where the answers of {', '.join(unnamed)} come from: put the lines of --list"
              " there")

    gwrm = os.path.abspath(options.gwrm)
    start = time.monotonic()
    if options.markdown:
        print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda pair: solve(gwrm, *pair), [(p, run) for p in chosen for run in p.runs]):
            rows.append(row)
            print(line(row, options.markdown), flush=True)
            if row["judgement"] not in ("ok", "FALSE PASS", "FALSE FAIL"):
                print(f"    {row['message'].splitlines()[-1] if row['message'] else ''}", flush=True)

    counts = {word: sum(row["judgement"] == word for row in rows)
              for word in ("ok", "FALSE PASS", "FALSE FAIL", "no answer", "BROKEN")}
    print(f"\n{len(chosen)} problems, {len(rows)} runs: " + ", ".join(f"{n} {word}" for word, n in counts.items())
          + f"; {sum(row['verdict'] == 'NOT ESTIMATED' for row in rows)} not estimated; "
          + f"{time.monotonic() - start:.0f} s")
    return int(counts["FALSE PASS"] > 0 or counts["FALSE FAIL"] > MOST_FALSE_FAILS or counts["BROKEN"] > 0
               or len(unnamed) > 0)


if __name__ == "__main__":
    sys.exit(main())
