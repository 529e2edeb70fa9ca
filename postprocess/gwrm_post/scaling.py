"""The cost of a run against the number of time windows and of space subdomains."""

import csv
import os
from collections import defaultdict
from statistics import median

import matplotlib.pyplot as plt

from .style import NEUTRAL, STYLE, ordered_colours

LABELS = {"seconds": "wall time [s]", "memory_mb": "memory [MB]", "unknowns": "unknowns", "error": "largest error"}


def read_scaling(path, cost="seconds"):
    """A table with the columns windows, subdomains and `cost`: {(windows, subdomains): median cost}.

    Lines that begin with # are comments. Raises ValueError for a missing column or a value that is no positive number.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} does not exist")
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


def plot_scaling(path, *, cost="seconds"):
    """Draws cost against windows (a curve per number of subdomains) and against subdomains (a curve per number of
    windows), both on logarithmic axes with a line of proportional cost; returns the matplotlib Figure."""
    costs = read_scaling(path, cost)
    panels = [panel for panel in (0, 1) if len({key[panel] for key in costs}) > 1]
    if not panels:
        raise ValueError(f"{path} has a single number of windows and of subdomains; there is nothing to compare")
    names = ("time windows", "space subdomains")
    with plt.rc_context({**STYLE, "axes.xmargin": 0.06}):
        figure, grid = plt.subplots(1, len(panels), figsize=(4.0 * len(panels) + 0.6, 3.6), sharey=True, squeeze=False)
        for axes, panel in zip(grid[0], panels):
            _draw_curves(axes, costs, panel, names[1 - panel])
            axes.set_xlabel(names[panel])
            axes.label_outer()
        grid[0, 0].set_ylabel(LABELS.get(cost, cost))
    return figure


def _draw_curves(axes, costs, panel, legend_title):
    curves = defaultdict(dict)
    for key, value in costs.items():
        curves[key[1 - panel]][key[panel]] = value
    for (other, curve), colour in zip(sorted(curves.items()), ordered_colours(len(curves))):
        counts = sorted(curve)
        axes.plot(counts, [curve[count] for count in counts], "o-", markersize=4, color=colour, label=str(other))
    _draw_proportional(axes, costs, panel)
    counts = sorted({key[panel] for key in costs})
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set_xticks([], minor=True)
    axes.legend(title=legend_title, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(5, len(curves) + 1),
                columnspacing=1.2)


def _draw_proportional(axes, costs, panel):
    """Cost proportional to the count, through the cheapest measurement at the smallest count."""
    counts = sorted({key[panel] for key in costs})
    start = min(value for key, value in costs.items() if key[panel] == counts[0])
    axes.plot([counts[0], counts[-1]], [start, start * counts[-1] / counts[0]], "--", color=NEUTRAL, linewidth=1.0,
              label="proportional")
