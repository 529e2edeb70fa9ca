"""The cost of a run against the number of time windows and of space subdomains."""

import csv
import os
from collections import defaultdict
from statistics import median

import matplotlib.pyplot as plt

from .style import NEUTRAL, look, ordered_colours
from .whole_file import require_ordinary

LABELS = {"seconds": "wall time [s]", "memory_mb": "memory [MB]", "unknowns": "unknowns", "error": "largest error"}


def read_scaling(path, cost="seconds"):
    """A table with the columns windows, subdomains and `cost`: {(windows, subdomains): median cost}.

    Lines that begin with # are comments. Raises ValueError for a missing column or a value that is no positive number.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} does not exist")
    require_ordinary(path)
    measured = defaultdict(list)
    with open(path, newline="", encoding="utf-8") as file:
        table = csv.DictReader((line for line in file if not line.startswith("#")), skipinitialspace=True)
        for column in ("windows", "subdomains", cost):
            if column not in (table.fieldnames or []):
                raise ValueError(f"{path} has no column '{column}'; it has: {', '.join(table.fieldnames or [])}")
        for row in table:
            try:
                key, value = (int(row["windows"]), int(row["subdomains"])), float(row[cost])
                if min(key) < 1 or not value > 0:
                    raise ValueError
            except (TypeError, ValueError):
                raise ValueError(f"{path}: this row is not a measurement: {row}") from None
            measured[key].append(value)
    if not measured:
        raise ValueError(f"{path} has no rows")
    return {key: median(values) for key, values in sorted(measured.items())}


def plot_scaling(path, *, cost="seconds", second=None):
    """Draws cost against windows (a curve per number of subdomains) and against subdomains (a curve per number of
    windows), both on logarithmic axes with a line of proportional cost; returns the matplotlib Figure.

    second  another column, drawn with open squares on a linear axis from zero at the right
    """
    columns = [cost] if second is None else [cost, second]
    studies = [[_curves(read_scaling(path, column), panel) for column in columns] for panel in (0, 1)]
    panels = [panel for panel in (0, 1) if studies[panel][0]]
    if not panels:
        raise ValueError(f"{path} has no two numbers of windows, or of subdomains, with the other the same; "
                         "there is nothing to compare")
    names = ("time windows", "space subdomains")
    with plt.rc_context(look({"axes.xmargin": 0.06})):
        figure, grid = plt.subplots(1, len(panels), figsize=(4.0 * len(panels) + 0.6, 3.6), sharey=True, squeeze=False)
        rights = []
        for axes, panel in zip(grid[0], panels):
            _draw_curves(axes, studies[panel][0], names[1 - panel])
            axes.set_xlabel(names[panel])
            axes.label_outer()
            if second is not None:
                rights.append(_draw_second(axes, studies[panel][1], rights[0] if rights else None))
        grid[0, 0].set_ylabel(LABELS.get(cost, cost))
        if rights:
            rights[0].set_ylim(bottom=0)
            grid[0, 0].set_ylabel(LABELS.get(cost, cost) + "  (dots)")
            rights[-1].set_ylabel(LABELS.get(second, second) + "  (squares)")
    return figure


def _curves(costs, panel):
    """{the other count: {count: cost}} of the curves with two counts and more."""
    curves = defaultdict(dict)
    for key, value in costs.items():
        curves[key[1 - panel]][key[panel]] = value
    return {other: curve for other, curve in sorted(curves.items()) if len(curve) > 1}


def _draw_curves(axes, curves, legend_title):
    for (other, curve), colour in zip(curves.items(), ordered_colours(len(curves))):
        counts = sorted(curve)
        axes.plot(counts, [curve[count] for count in counts], "o-", markersize=4, color=colour, label=str(other))
    _draw_proportional(axes, curves)
    counts = sorted({count for curve in curves.values() for count in curve})
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set_xticks([], minor=True)
    axes.legend(title=legend_title, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(5, len(curves) + 1),
                columnspacing=1.2)


def _draw_proportional(axes, curves):
    """Cost proportional to the count, through the cheapest measurement at the largest count: at small counts the
    start-up of the program shows."""
    counts = sorted({count for curve in curves.values() for count in curve})
    end = min(curve[counts[-1]] for curve in curves.values() if counts[-1] in curve)
    axes.plot([counts[0], counts[-1]], [end * counts[0] / counts[-1], end], "--", color=NEUTRAL, linewidth=1.0,
              label="proportional")


def _draw_second(axes, curves, shared):
    """On an axis at the right, the same in all panels; only the last one is labelled."""
    right = axes.twinx()
    if shared is not None:
        right.sharey(shared)
        shared.tick_params(labelright=False)
    right.spines["right"].set_visible(True)
    for curve, colour in zip(curves.values(), ordered_colours(len(curves))):
        counts = sorted(curve)
        right.plot(counts, [curve[count] for count in counts], "s:", markersize=4, markerfacecolor="none", color=colour)
    return right
