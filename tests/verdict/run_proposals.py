#!/usr/bin/env python3
"""Coarse runs, and whether the resolution that a FAIL proposes lets them pass.

    run_proposals.py GWRM [NAME ...] [--inputs FOLDER] [--jobs N] [--seconds S] [--quick] [--generous]

NAME chooses problems (of run_verdicts.py) and inputs whose names begin so. Every run of given degrees is made as it is
and with half and a quarter of its degrees and windows; where it ends with exit status 6 and a line `resolution: {..}` to
write, that is written and run, up to three times. (The program has tried it: what is measured is that the line is the one
that was tried, and how often the time for trials suffices.) Per coarse run: the lines that were followed, and what came of it:

    1, 2, 3      PASS with the first, second, third proposal
    never        no PASS with three
    no proposal  a FAIL that proposes nothing
    no answer    the coarse run, or one that followed, ended without a verdict (Newton's iteration, NaN)
    timeout      one of them took longer than LONGEST seconds; with no line before it this was the coarse run itself
    FALSE PASS   of a problem with a known answer: PASS with an error above three times the tolerance

--seconds: in an order drawn at random, always the same one, and no new run is begun after S seconds: a sample of the whole.

--generous: of a proposal that passed, every degree and number of windows that it has raised is divided by 1.5, alone;
where that passes too the proposal was `generous`. Exit status 1: a false PASS, less than LEAST_FIRST of the proposals
that pass the first time or LEAST_SECOND the second. Needs numpy and h5py.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing beside the sources
import problems  # noqa: E402
from problem import NO_ANSWER  # noqa: E402
from run_verdicts import FACTOR, read_fields, true_error  # noqa: E402

LEAST_FIRST, LEAST_SECOND = 0.8, 0.9
MOST_PROPOSALS = 3
SHARES = (1, 2, 4)       # that degrees and windows are divided by
LEAST_DEGREE = 3
GENEROUS = 1.5
UNVERIFIED = 6
LONGEST = 60             # seconds of one run


class Start:
    """A case, its settings for --set, and its resolution as {"degree": {axis: n}, "domains": {axis: n or [edges]}}."""

    def __init__(self, name, text, settings, resolution, problem=None, folder=None):
        self.name, self.text, self.settings, self.resolution = name, text, settings, resolution
        self.problem, self.folder = problem, folder


def flow_text(value):
    """As YAML in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow_text(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow_text(each) for each in value) + "]"
    return f"{value:g}" if isinstance(value, float) and value == round(value, 5) else repr(value)


def flow_value(text):
    """{a: 1, b: [0, 0.5]} as Python has it."""
    return json.loads(re.sub(r"([A-Za-z_]\w*):", r'"\1":', text))


def coarser(resolution, share):
    degrees = {axis: max(min(n, LEAST_DEGREE), math.ceil(n / share)) for axis, n in resolution["degree"].items()}
    domains = {axis: max(1, math.ceil(division / share)) if axis == "t" and isinstance(division, int) else division
               for axis, division in resolution.get("domains", {}).items()}
    return {"degree": degrees, "domains": domains}


def starts_of_problems(quick):
    for problem in problems.ALL:
        if problem.answer is NO_ANSWER or problem.name.startswith("hidden") or (quick and not problem.quick):
            continue
        seen = set()
        for run in problem.runs:
            degrees = {key.rsplit(".", 1)[1]: value for key, value in run.settings.items() if ".degree." in key}
            if not degrees or "resolution.tolerance" in run.settings:
                continue
            domains = {key.rsplit(".", 1)[1]: json.loads(value) for key, value in run.settings.items()
                       if ".domains." in key}
            others = {key: value for key, value in run.settings.items() if not key.startswith("resolution.")}
            for share in SHARES[::2] if quick else SHARES:
                resolution = coarser({"degree": degrees, "domains": domains}, share)
                if str((resolution, others)) in seen:
                    continue
                seen.add(str((resolution, others)))
                yield Start(f"{problem.name} {flow_text(resolution)}", problem.case, others, resolution, problem)


def starts_of_inputs(folder):
    for path in sorted(pathlib.Path(folder).glob("*.yaml")):
        text = path.read_text()
        found = re.search(r"^resolution:(.*?)(?=^\S|\Z)", text, re.M | re.S)
        if not found or "tolerance" in found[1] or "continue:" in text:
            continue
        parts = {key: re.search(rf"{key}: *(\{{.*?\}})", found[1]) for key in ("degree", "domains")}
        try:
            resolution = {key: flow_value(part[1]) for key, part in parts.items() if part}
        except ValueError:
            continue
        if "degree" not in resolution:
            continue
        for share in SHARES[1:]:
            coarse = coarser(resolution, share)
            yield Start(f"{path.stem} {flow_text(coarse)}", text, {}, coarse, None, path.parent)


def run(gwrm, start, resolution):
    """(exit status, what --json prints, true error or None)"""
    with tempfile.TemporaryDirectory() as folder:
        case, output = pathlib.Path(folder, "case.yaml"), pathlib.Path(folder, "result.h5")
        case.write_text(start.text)
        for data in start.folder.glob("*.csv") if start.folder else []:
            pathlib.Path(folder, data.name).write_bytes(data.read_bytes())
        command = [gwrm, "run", str(case), "--json", "--quiet", "--threads", "1", "-o", str(output),
                   "--set", f"resolution={flow_text(resolution)}"]
        for key, value in start.settings.items():
            command += ["--set", f"{key}={value}"]
        try:
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return None, {}, None
        try:
            printed = json.loads(done.stdout)
        except ValueError:
            printed = {"reason": done.stderr.strip()}
        error = None
        if done.returncode == 0 and start.problem:
            error = true_error(start.problem, read_fields(output))
        return done.returncode, printed, error


def proposal_of(printed):
    advice = printed.get("verification", {}).get("estimate", {}).get("advice", "")
    found = re.match(r"resolution: (\{.*\}) (suffices|may suffice|tells more|divides|raises|may show more)", advice)
    return flow_value(found[1]) if found else None


def is_generous(gwrm, start, before, proposal):
    """The raised keys of which two thirds would do."""
    found = []
    for kind in ("degree", "domains"):
        for axis, now in proposal.get(kind, {}).items():
            was = before.get(kind, {}).get(axis, 1)
            if not isinstance(now, int) or not isinstance(was, int) or now <= was:
                continue
            less = math.floor(now / GENEROUS)
            if kind == "degree" and (now - less) % 2 == 1:
                less -= 1
            if less < was:
                continue
            other = {key: dict(value) for key, value in proposal.items()}
            other[kind][axis] = less
            if run(gwrm, start, other)[0] == 0:
                found.append(f"{axis}: {now}")
    return found


def follow(gwrm, start, generous):
    """A row of the table; None where there was nothing to propose."""
    began = time.monotonic()
    resolution, lines = start.resolution, []
    row = {"name": start.name, "lines": lines, "generous": []}
    while True:
        status, printed, error = run(gwrm, start, resolution)
        row["seconds"] = time.monotonic() - began
        if status == 0:
            if not lines:
                return None
            if error is not None and not error <= FACTOR * float(start.settings["verification.tolerance"]):
                row["outcome"] = "FALSE PASS"
                return row
            row["outcome"] = str(len(lines))
            if generous and "degree" in resolution:
                row["generous"] = is_generous(gwrm, start, start.resolution, resolution)
            return row
        proposal = proposal_of(printed) if status == UNVERIFIED else None
        if status is None:
            row["outcome"], row["reason"] = "timeout", f"longer than {LONGEST} s"
            return row
        if status != UNVERIFIED:
            row["outcome"] = "no answer" if lines or status in (3, 4, 5) else None
            row["reason"] = f"status {status}: " + printed.get("reason", "")
            return row if row["outcome"] else None
        row["reason"] = printed.get("reason", "")
        if proposal is None or len(lines) == MOST_PROPOSALS:
            row["outcome"] = "never" if len(lines) == MOST_PROPOSALS else "no proposal"
            return row
        lines.append(flow_text(proposal))
        resolution = proposal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--inputs", metavar="FOLDER", help="the cases of this folder, too")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no run later than this")
    parser.add_argument("--quick", action="store_true", help="the subset that every build is tested with")
    parser.add_argument("--generous", action="store_true", help="whether two thirds of a proposal would do")
    options = parser.parse_args()
    starts = list(starts_of_problems(options.quick))
    if options.inputs:
        starts += starts_of_inputs(options.inputs)
    starts = [start for start in starts
              if not options.names or any(start.name.startswith(name) for name in options.names)]
    if not starts:
        sys.exit("no run of this name")

    if options.seconds < math.inf:
        random.Random(1).shuffle(starts)

    gwrm, began, rows, n_begun = os.path.abspath(options.gwrm), time.monotonic(), [], 0

    def followed(start):
        late = time.monotonic() - began > options.seconds
        return late, None if late else follow(gwrm, start, options.generous)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for late, row in pool.map(followed, starts):
            n_begun += not late
            if row is None:
                continue
            rows.append(row)
            text = f"{row['outcome']:12} {row['seconds']:5.1f} s  {row['name']}  ->  {'  ->  '.join(row['lines'])}"
            print(text + (f"  generous: {', '.join(row['generous'])}" if row["generous"] else ""), flush=True)
            if row["outcome"] not in "123":
                print(f"        {row.get('reason', '')}", flush=True)

    outcomes = ["1", "2", "3", "never", "no proposal", "no answer", "timeout", "FALSE PASS"]
    counts = {word: sum(row["outcome"] == word for row in rows) for word in outcomes}
    proposed = sum(counts[word] for word in ("1", "2", "3", "never", "FALSE PASS"))
    first, second = counts["1"] / max(1, proposed), (counts["1"] + counts["2"]) / max(1, proposed)
    print(f"\n{n_begun} of {len(starts)} runs, {len(rows)} coarse: " + ", ".join(f"{n} {word}" for word, n in counts.items())
          + f"; {first:.0%} pass with the first proposal, {second:.0%} with the second; "
          + f"{sum(bool(row['generous']) for row in rows)} generous; {time.monotonic() - began:.0f} s")
    return int(counts["FALSE PASS"] > 0 or first < LEAST_FIRST or second < LEAST_SECOND)


if __name__ == "__main__":
    sys.exit(main())
