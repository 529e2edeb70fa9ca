"""The verification of a run: every check against what it was allowed."""

import matplotlib.pyplot as plt
import numpy as np

from .style import COLOURS, NEUTRAL, look

KINDS = {
    "residual": "residual off the grid", "tail": "last coefficients", "initial": "initial value",
    "boundary": "boundary condition", "error_max": "error, maximum", "error_l2": "error, L2", "value": "known value",
    "estimate": "estimated error", "data": "data between points", "data file": "interpolated data", "modes": "modes",
    "system": "residual of the system", "algebraic": "algebraic error, bound", "error_h": "absolute error, norm H",
}
FLOOR = 1e-18
LONGEST = 46  # characters of a subject


def check_rows(verification):
    """The checks in the order of the file, as dicts with kind, subject, value, tolerance, judged and passed.

    Further entries are judged_value, which is compared with the tolerance, both numbers as texts (judged_text,
    tolerance_text), and label, what the row shows.
    """
    names = ("kind", "subject", "value", "tolerance", "judged", "passed")
    columns = [verification[name].values for name in names]
    convert = (str, str, float, float, bool, bool)
    rows = [{name: of(value) for name, of, value in zip(names, convert, row)} for row in zip(*columns)]
    margins = verification["margin"].values if "margin" in verification else np.ones(len(rows))
    for row, margin in zip(rows, map(float, margins)):
        scaled = row["judged"] and margin != 1
        row["judged_value"] = row["value"] * margin if scaled else row["value"]
        row["judged_text"], row["tolerance_text"] = judged_texts(row)
        label = KINDS.get(row["kind"], row["kind"])
        row["label"] = f"{margin:g} x {label}" if scaled else label
    return rows


def judged_texts(row):
    """Both numbers with two digits, or with as many as it takes to see that the check passed or failed."""
    for digits in range(1, 17):
        texts = [f"{row[key]:.{digits}e}" for key in ("judged_value", "tolerance")]
        value, tolerance = map(float, texts)
        if not row["judged"] or not np.isfinite(value) or (value <= tolerance) == row["passed"]:
            break
    return texts


def shortened(text):
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def plot_verification(verification):
    """Draws a line for each check from the left to its value, and a mark where the tolerance is; returns the Figure.

    The value of an estimate is multiplied by its margin, as it is judged. Blue: passed; orange: failed; grey: reported
    only. A value that is not a number is drawn across the whole axis.
    """
    rows = check_rows(verification)
    if not rows:
        raise ValueError("the file has no verification")
    result = str(verification.attrs["result"])
    passed = result == "PASS"
    with plt.rc_context(look({"font.size": 0.9 * look()["font.size"]})):
        figure, axes = plt.subplots(figsize=(7.2, 0.9 + 0.2 * len(rows)))
        finite = [row[key] for row in rows for key in ("judged_value", "tolerance")
                  if np.isfinite(row[key]) and 0 < row[key] < 1e30]
        left = max(min(finite, default=FLOOR) / 10, FLOOR)
        right = max(finite, default=1.0) * 10
        for place, row in enumerate(rows):
            colour = NEUTRAL if not row["judged"] else COLOURS[0] if row["passed"] else COLOURS[1]
            value = right if not np.isfinite(row["judged_value"]) else max(row["judged_value"], left)
            axes.plot([left, value], [place, place], color=colour, linewidth=3.0, solid_capstyle="butt")
            axes.plot([value], [place], ".", color=colour, clip_on=False)
            if row["judged"] and row["tolerance"] < right:
                axes.plot([row["tolerance"]], [place], "|", color="#222222", markersize=8, markeredgewidth=1.4)
        axes.set_xscale("log")
        axes.set_xlim(left, right)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [f"{row['label']}: {shortened(row['subject'])}" for row in rows], parse_math=False)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("relative size; the marks are the tolerances")
        axes.set_title(f"Verification: { {'PASS': 'passed', 'FAIL': 'FAILED'}.get(result, result) }",
                       color="#222222" if passed else COLOURS[1], loc="left")
    return figure
