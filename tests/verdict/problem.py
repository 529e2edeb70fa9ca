"""A problem with an independent answer, and the runs by which the program is asked for it."""
import dataclasses
import json
import math
import pathlib

import numpy as np

# A verdict of PASS is always wrong: there is no solution, or none that depends on the data continuously.
NO_ANSWER = None

erf = np.vectorize(math.erf, otypes=[float])


def root(function, low, high):
    """By bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(low) * function(middle) > 0 else (low, middle)
    return (low + high) / 2


@dataclasses.dataclass
class Run:
    """One resolution of a problem: settings for --set on top of the case, and the tolerance of its verdict."""
    label: str
    tolerance: float
    settings: dict


@dataclasses.dataclass
class Problem:
    """A case without `exact` and `values`, and what the answer is.

    answer: {field: formula}, the formula a function of coordinates of these names, vectorised; or a function of the
    result's fields (name: (coordinates by name, values)) that returns {field: values}; or NO_ANSWER. NaN in an
    answer: not compared there (a jump). Fields that it leaves out are not judged.
    """
    name: str
    case: str
    answer: object
    runs: list
    origin: str          # where the answer comes from
    quick: bool = False  # one of those that every build is tested with
    may_be_refused: bool = False  # the program may find out before it begins


def _parts(division):
    return division if isinstance(division, int) else len(division) - 1


def fixed(tolerance, windows=None, domains=None, settings=None, **degrees):
    """Degrees by hand: fixed(1e-6, t=8, x=16, windows=4, domains={"x": [0, 0.4, 1]})."""
    chosen = {f"resolution.degree.{axis}": degree for axis, degree in degrees.items()}
    label = " ".join(f"{axis}{degree}" for axis, degree in degrees.items())
    divisions = dict(domains or {})
    if windows:
        divisions["t"] = windows
    for axis, division in divisions.items():
        chosen[f"resolution.domains.{axis}"] = json.dumps(division)
        label += f" {axis}/{_parts(division)}"
    chosen["verification.tolerance"] = tolerance
    return Run(label, tolerance, {**chosen, **(settings or {})})


def automatic(tolerance, domains=None, settings=None):
    """By tolerance: the program chooses the resolution."""
    chosen, label = {"resolution.tolerance": tolerance}, "auto"
    for axis, division in (domains or {}).items():
        chosen[f"resolution.domains.{axis}"] = json.dumps(division)
        label += f" {axis}/{_parts(division)}"
    return Run(label, tolerance, {**chosen, **(settings or {})})


def differences(tolerance, intervals, order=2):
    """Finite differences of sbp_sat_poisson."""
    return Run(f"n{intervals} p{order}", tolerance, {"sbp_sat.intervals": intervals, "sbp_sat.order": order,
                                                     "verification.tolerance": tolerance})


def recurrence(tolerance, intervals, order=2):
    return Run(f"n{intervals} p{order}", tolerance, {"recurrence.intervals": intervals, "recurrence.order": order,
                                                     "verification.tolerance": tolerance})


def as_given(tolerance, label="given", settings=None):
    """The resolution is part of the case."""
    return Run(label, tolerance, {"verification.tolerance": tolerance, **(settings or {})})


_STORED = pathlib.Path(__file__).with_name("references.json")


def stored(name):
    """The answer that make_references.py has stored under this name: (output.grid for the case, answer)."""
    data = json.loads(_STORED.read_text())[name]
    grid = data["grid"]
    values = {field: np.array(array) for field, array in data["fields"].items()}

    def answer(fields):
        for coordinates, _ in fields.values():
            for axis, points in coordinates.items():
                if points.size != len(grid[axis]) or not np.allclose(points.ravel(), grid[axis], rtol=0, atol=1e-12):
                    raise ValueError(f"the output grid along {axis} is not that of the reference")
        return {field: values[field] for field in fields if field in values}

    return "output: {grid: " + json.dumps(grid).replace('"', "") + "}", answer
