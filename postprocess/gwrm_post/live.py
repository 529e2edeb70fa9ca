"""A page that is alive: one HTML file with the series of an answer in it, which a browser sums where its reader moves
the sliders. The page's own files are in live_page/."""

import base64
import html
import json
import os
import pathlib
import re

import matplotlib
import numpy as np

from .answer import Answer, open_answer
from .checks import check_rows
from .convergence import is_study
from .kinds import MOST_BYTES
from .live_data import ALLOWED, describe
from .runs import is_error, open_group, open_run
from .sphere import is_ball
from .style import COLOURS, DIVERGING, SEQUENTIAL, label_of, plain_symbol, unit_label
from .whole_file import MARK, page_name, write_whole

HEAD_BYTES = 8_000  # for labels, colours, and what the page says of the run
SCRIPTS = ("series.js", "drawing.js", "page.js")
WORST = 3  # failed checks that the page names


def write_live(path, output, names=None, most_bytes=MOST_BYTES, select=None):
    """Writes the page about the result file `path` to `output`, which ends in .html, and returns the name written.

    names       the unknowns in it; default: all
    select      a dict dimension -> coordinate: where the sliders stand at first; default: in the middle
    most_bytes  of the page. Coefficients are rounded so that no value changes by more than 5e-13 of the unknown's
                largest; where that takes more bytes, by 5e-7 at most, and the page says so.
    The page refers to nothing outside of itself. ValueError for a file without series (a problem solved on a grid, a
    sphere, a study), an unknown that it does not have, or one that is too long.
    """
    output = page_name(output, "live page")
    write_whole(output, live_page(path, names, most_bytes, select=select).encode())
    return str(output)


def live_page(path, names=None, most_bytes=MOST_BYTES, coarser=True, select=None, so_far=False, level=9):
    """The text of the page that `write_live` writes; with `coarser` False never rounded by more than 5e-13. `so_far`: the
    file holds what a run that is going on has finished (gwrm run --so-far), of which there is no verdict. `level`: how much
    is done for short coefficients, from 1 (soonest) to 9."""
    run, answer = open_run(path), _answer(path)
    answer = _only(answer, names)
    text = {part: (_folder() / part).read_text(encoding="utf-8") for part in ("page.html", "page.css", *SCRIPTS)}
    verification = open_group(path, "verification")
    colour, verdict = ("neutral", _extent(answer)) if so_far else _verdict(run, verification)
    description, coefficients = describe(answer, most_bytes - sum(map(len, text.values())) - HEAD_BYTES, coarser,
                                         level)
    for one in description["axes"] + description["unknowns"]:
        one["label"] = _label(run, one["name"])
    description.update(failed=verdict.startswith("FAILED"), colours=_colours(), first=_first(run, answer),
                       start=_start(select or {}, description["axes"]))
    remarks = [] if so_far else _remarks(run, answer, description, verification)
    parts = {"title": html.escape(_title(run, path)), "mark": MARK, "style": text["page.css"].strip(),
             "class": colour, "verdict": html.escape(verdict),
             "remarks": "\n".join(remarks),
             "footer": html.escape(_footer(run, answer, description)), "answer": _json(description),
             "coefficients": coefficients, "scripts": "\n".join(text[name].strip() for name in SCRIPTS)}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], text["page.html"])


def _label(run, name):
    """Label, symbol and unit of a dimension or an unknown."""
    if name not in run.variables:
        return plain_symbol(name)
    unit = unit_label(run[name])
    return " ".join(filter(None, [label_of(run[name]), plain_symbol(name), unit]))


def _folder():
    return pathlib.Path(__file__).with_name("live_page")


def _answer(path):
    if is_study(path):
        raise ValueError(f"{path} is a study of gwrm converge: there is no live page of it")
    if is_ball(open_run(path)):
        raise ValueError(f"{path} is of problem: ball, whose harmonics no live page can show; --kind meridian and "
                         "--kind sphere can")
    return open_answer(path)


def _only(answer, names):
    for name in names or []:
        if name not in answer.fields:
            raise ValueError(f"the answer has no unknown '{name}'; it has: {', '.join(answer.fields)}. A live page "
                             "shows unknowns, which are what has series")
    if not names:
        return answer
    chosen = Answer(answer.coefficients, answer.windows)
    chosen.fields = {name: answer.fields[name] for name in names}
    return chosen


def _title(run, path):
    return str(run.attrs.get("title", "")).strip("\0 ") or os.path.splitext(os.path.basename(path))[0]


def _verdict(run, verification):
    status, result = str(run.attrs["status"]), str(verification.attrs["result"])
    if result == "NOT ESTIMATED":
        return "bad", "NOT ESTIMATED: converged, but how large the error is could not be found out"
    if status != "converged" or result == "FAIL":
        return "bad", f"FAILED: {status if status != 'converged' else 'verification failed'}"
    return "good", "PASS: converged, verification passed"


def _extent(answer):
    if answer.time in (None, "mode"):
        return "not finished"
    start, end = float(answer.windows["start"].values[0]), float(answer.windows["end"].values[-1])
    return f"so far: {answer.time} = {start:g} to {end:.6g}"


def _remarks(run, answer, description, verification):
    """What the reader has to know, as paragraphs."""
    texts = [str(run.attrs.get("reason", "")).strip("\0 ")]
    failed = [row for row in check_rows(verification) if row["judged"] and not row["passed"]]
    texts += [f"{row['label']}: {row['subject']}: {row['judged_text']}, allowed {row['tolerance_text']}"
              for row in failed[:WORST]]
    texts += [f"Warning: {line}" for line in str(run.attrs.get("warnings", "")).strip("\0 \n").splitlines()]
    time = answer.time
    if time is not None and time != "mode":
        axis, shown = answer.axes[time], next(one for one in description["axes"] if one["name"] == time)
        if shown["lower"] > axis.lower or shown["upper"] < axis.upper:
            texts.append(f"The file holds the series from {time} = {shown['lower']:g} to {shown['upper']:g} only.")
    if description["rounding"] > ALLOWED:
        texts.append("To keep the page short, coefficients are rounded: values differ from those of gwrm eval by up "
                     f"to {description['rounding']:.0e} of the largest.")
    return [f'<p class="warning">{html.escape(text)}</p>' for text in texts if text]


def _start(select, axes):
    ends = {axis["name"]: (axis["lower"], axis["upper"]) for axis in axes}
    for name, value in select.items():
        if name not in ends:
            raise ValueError(f"the answer has no dimension '{name}'; it has: {', '.join(ends) or 'none'}")
        if not ends[name][0] <= value <= ends[name][1]:
            raise ValueError(f"{name} = {value:g} is not between {ends[name][0]:g} and {ends[name][1]:g}")
    return select


def _first(run, answer):
    """The first of the case's fields that is an unknown: what is shown before the reader chooses."""
    named = [str(field.attrs.get("expression", key)) for key, field in run.data_vars.items() if not is_error(field)]
    return next((name for name in named if name in answer.fields), None)


def _footer(run, answer, description):
    """What the page holds, and what only the file has: expressions, on their grid."""
    fields = {str(key): str(field.attrs.get("expression", key)) for key, field in run.data_vars.items()
              if not is_error(field) and field.ndim > 0}
    others = [key if key not in answer.coefficients else f"{key} = {expression}" for key, expression in fields.items()
              if expression not in answer.coefficients]
    left_out = ""
    if others and answer.time != "mode":
        names = ", ".join(others[:8] + [".."] * (len(others) > 8))
        left_out = f"Unknowns are shown; the file also has {names} (gwrm plot --field). "
    windows = f", {answer.n_windows} window{'s' * (answer.n_windows > 1)}" if answer.time not in (None, "mode") else ""
    count = sum(_count(one) for one in description["unknowns"])
    return (f"gwrm {run.attrs.get('version', '')}{windows}, {count} coefficients. {left_out}Click or draw in the "
            "pictures, or use the sliders, to move the point.")


def _count(unknown):
    return sum(int(np.prod(part["shape"])) for part in unknown["parts"])


def _colours():
    def table(name):
        colours = matplotlib.colormaps[name](np.arange(256), bytes=True)[:, :3]
        return base64.b64encode(np.ascontiguousarray(colours).tobytes()).decode("ascii")

    return {"sequential": table(SEQUENTIAL), "diverging": table(DIVERGING), "curves": COLOURS}


def _json(description):
    """Numbers with all their digits; nothing in it ends the element that it stands in."""
    return json.dumps(description, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
