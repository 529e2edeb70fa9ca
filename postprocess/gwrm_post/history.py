"""How a run went: the Newton iterations, and the windows in time."""

import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy as np

from .style import COLOURS, NEUTRAL, calm, logarithmic, look, ordered_colours, symbol

SHOWN = 60  # Newton histories drawn at most, evenly taken from all


def plot_newton(newton, windows=None, tolerance=None):
    """Draws the size of the Newton corrections against the iteration; returns the matplotlib Figure.

    newton   the group /newton: one entry per iteration
    windows  the group /windows or None
    tolerance  solver.newton.tolerance of the case, below which the iteration ends, or None

    The correction is the root mean square of dx/w over all unknowns, w their sizes; the residual is a root mean square,
    too. A curve per window and parameter point, dark (early) to light (late); open circles are damped steps. With several
    windows a second panel has the number of iterations in each. ValueError if the run had no iterations.
    """
    if newton.sizes.get("iteration", 0) == 0:
        raise ValueError("the run had no Newton iterations (its problem is solved directly)")
    solves = _solves(newton)
    numbers = sorted({window for window, _ in solves})
    several = len(numbers) > 1
    with plt.rc_context(look({"axes.xmargin": 0.04})):
        figure, grid = plt.subplots(1, 2 if several else 1, figsize=(7.6 if several else 4.4, 3.3), squeeze=False)
        _corrections(grid[0, 0], newton, solves, tolerance)
        if several:
            _per_window(grid[0, 1], solves, numbers, windows)
    return figure


def is_of_linear_solver(newton):
    """Whether the group /newton has the iterations of a linear solver, as of sbp_sat_poisson: each is a linear one."""
    count = newton["iteration_in_window"].values
    return len(count) > 1 and np.array_equal(newton["linear_iterations"].values, count)


def _solves(newton):
    """{(window, parameter point): positions of its iterations}; a repeated window keeps its last try."""
    solves = {}
    window, point = newton["window"].values, newton["parameter_point"].values
    count = newton["iteration_in_window"].values
    for i in range(newton.sizes["iteration"]):
        key = (int(window[i]), int(point[i]))
        if key not in solves or count[i] <= count[solves[key][-1]]:
            solves[key] = []
        solves[key].append(i)
    return solves


def _corrections(axes, newton, solves, tolerance):
    keys = list(solves)
    keys = [keys[i] for i in np.unique(np.linspace(0, len(keys) - 1, min(SHOWN, len(keys))).round().astype(int))]
    iterative = not np.isfinite(newton["correction"].values).any() or (newton["correction"].values == 0).all()
    quantity = "residual" if iterative else "correction"
    correction, damping = newton[quantity].values, newton["damping"].values
    n_most = max(len(solves[key]) for key in keys)
    style = "o-" if n_most <= 40 else "-"
    for key, colour in zip(keys, ordered_colours(len(keys)) if len(keys) > 1 else [COLOURS[0]]):
        places = solves[key]
        with np.errstate(invalid="ignore"):
            sizes = np.where(correction[places] > 0, correction[places], np.nan)  # an exact zero has no logarithm
        numbers = np.arange(1, len(places) + 1)
        axes.semilogy(numbers, sizes, style, markersize=3, linewidth=0.9, color=colour)
        damped = (damping[places] < 1) & (damping[places] > 0)
        axes.semilogy(numbers[damped], sizes[damped], "o", markersize=7, markerfacecolor="none", color=colour)
    axes.set_xlabel("iteration")
    of_linear_solver = is_of_linear_solver(newton)
    left = "bound on the error that is left" if of_linear_solver else "relative correction (root mean square)"
    axes.set_ylabel("residual (root mean square)" if iterative else left)
    if tolerance is not None and not iterative and not of_linear_solver:
        axes.axhline(tolerance, linestyle="--", linewidth=0.9, color=NEUTRAL)
        axes.annotate(f"tolerance {tolerance:.0e}", (1.0, tolerance), xycoords=("axes fraction", "data"), xytext=(0, 2),
                      textcoords="offset points", ha="right", va="bottom", fontsize="small", color="#666666")
    if len(solves) > 1:
        axes.set_title("early windows dark, late ones light" if len({w for w, _ in keys}) > 1
                       else "one curve for each parameter point")
    axes.xaxis.get_major_locator().set_params(integer=True)


def _per_window(axes, solves, numbers, windows):
    """The mean over the parameter points; over time where the windows are known."""
    counts = [np.mean([len(places) for (w, _), places in solves.items() if w == number]) for number in numbers]
    known = windows is not None and windows.sizes.get("window", 0) > max(numbers)
    if known:
        edges = np.append(windows["start"].values, windows["end"].values[-1])
        axes.stairs(_spread(counts, numbers, len(edges) - 1), edges, color=COLOURS[0], fill=True, alpha=0.3)
        axes.stairs(_spread(counts, numbers, len(edges) - 1), edges, color=COLOURS[0])
        axes.set_xlabel("$t$")
    else:
        axes.bar(numbers, counts, color=COLOURS[0], alpha=0.5)
        axes.set_xlabel("window")
    axes.set_ylabel("Newton iterations in the window")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(nbins=6, integer=True))
    calm(axes, "x")


def _spread(counts, numbers, n):
    spread = np.zeros(n)
    spread[numbers] = counts
    return spread


def plot_windows(answer):
    """Draws what the program chose along time, window by window: its end (since the start) and length, and the degrees
    and numbers of subdomains where these change. Returns the matplotlib Figure; ValueError without windows, or with only one."""
    if answer.windows is None or answer.time is None or answer.n_windows < 2:
        raise ValueError("the run has no windows in time, or only one")
    start, end = answer.windows["start"].values, answer.windows["end"].values
    edges = np.arange(answer.n_windows + 1) - 0.5
    panels = [(f"along {symbol(answer.time)}", {"end": end - start[0], "length": end - start}, True)]
    degrees = {axis: [answer.degree(axis, w) for w in range(answer.n_windows)] for axis in answer.axes}
    pieces = {axis: [len(answer.edges(axis, w)) - 1 for w in range(answer.n_windows)]
              for axis in answer.axes if axis != answer.time}
    for label, values in (("degree", degrees), ("subdomains", pieces)):
        changing = {axis: counts for axis, counts in values.items() if len(set(counts)) > 1}
        if changing:
            panels.append((label, changing, False))
    with plt.rc_context(look()):
        figure, grid = plt.subplots(len(panels), 1, figsize=(5.4, 1.3 + 1.7 * len(panels)), sharex=True, squeeze=False)
        for axes, (label, curves, by_ratio) in zip(grid[:, 0], panels):
            for (axis, values), colour in zip(curves.items(), COLOURS):
                axes.stairs(values, edges, baseline=None, color=colour, linewidth=1.6,
                            label=axis if by_ratio else f"along {symbol(axis)}")
            axes.set_ylabel(label)
            if by_ratio:
                axes.set_yscale("log")
                logarithmic(axes.yaxis)
            else:
                axes.set_ylim(bottom=0)
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        grid[-1, 0].set_xlabel("number of the window")
        grid[-1, 0].xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(nbins=8, integer=True))
    return figure
