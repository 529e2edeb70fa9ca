"""Plots of the group /statistics: the mean with a band of two standard deviations, and who is to blame for the band."""

import matplotlib.pyplot as plt
import numpy as np

from .runs import find_field, take, time_dimension
from .style import (COLOURS, NEUTRAL, SEQUENTIAL, axis_label, colour_scale, draw_map, field_label, look, measured_as,
                    point_label, symbol)


def plot_statistics(statistics, name=None, *, times=None):
    """Draws the statistics of one field and returns the matplotlib Figure.

    statistics  the dataset of `open_statistics`
    name        the field; default: the first one
    times       for a field of time and one space dimension, the times of the columns (default: three); for two space
                dimensions the first of them is the time of the maps (default: the last time)

    Over one dimension: above the mean and the band mean +- 2 std, below the first-order Sobol indices as stacked
    areas; what is missing to 1 is interaction. Over two space dimensions: maps of mean, std and total Sobol indices.
    A number: bars of the first-order and the total indices. Of a single parameter there are no indices: it has all of the
    variance. Where the field does not vary the indices are not defined
    and nothing is drawn.
    """
    field = _Field(statistics, name)
    time = time_dimension(field["mean"])
    space = [dim for dim in field["mean"].dims if dim != time]
    if len(space) > 2:
        raise ValueError(f"'{field.name}' has {len(space)} space dimensions; maps are drawn of two at most")
    with plt.rc_context(look()), measured_as(statistics):
        if len(space) == 2:
            return _maps(field, space, time, times)
        if not field["mean"].dims:
            return _bars(field) if len(field.parameters) > 1 else _interval(field)
        return _columns(field, space, time, times)


class _Field:
    """The arrays of one field: _Field(...)["mean"] is <name>_mean."""

    def __init__(self, statistics, name=None):
        names = [str(key)[: -len("_mean")] for key in statistics.data_vars if str(key).endswith("_mean")]
        if name is None and names:
            name = names[0]
        if name not in names:
            raise ValueError(f"there are no statistics of '{name}'; there are: {', '.join(names)}")
        self.name = name
        self._statistics = statistics
        self.parameters = [str(parameter) for parameter in statistics["parameter"].values]

    def __getitem__(self, quantity):
        return find_field(self._statistics, f"{self.name}_{quantity}")

    @property
    def label(self):
        """Label, symbol and unit of the field itself."""
        mean = self["mean"]
        said = str(mean.attrs.get("long_name", "")).removeprefix("mean of ")
        return field_label(mean.rename(self.name).assign_attrs(long_name=said, expression=self.name))

    def at(self, quantity, point):
        return take(self[quantity], point)[0]

    def shares(self, point):
        """First-order indices (parameter, x) and what is left for interactions; never below zero for round-off."""
        first = np.clip(self.at("sobol_first", point).values, 0.0, 1.0)
        return first, np.clip(1.0 - first.sum(axis=0), 0.0, 1.0)

    def legend(self, interactions):
        """Labels and colours of the shares; interactions only where there are any."""
        labels, colours = [symbol(p) for p in self.parameters], COLOURS[: len(self.parameters)]
        return (labels + ["interactions"], colours + [NEUTRAL]) if interactions else (labels, colours)


def _columns(field, space, time, times):
    mean = field["mean"]
    abscissa = space[0] if space else time
    points = [{}]
    if space and time:
        wanted = np.linspace(0, 1, 4)[1:] * float(np.ptp(mean[time].values)) + float(mean[time][0])
        points = [{time: float(mean[time].sel({time: value}, method="nearest"))}
                  for value in (wanted if times is None else times)]
    shares = len(field.parameters) > 1  # the only parameter has all of the variance
    figure, grid = plt.subplots(1 + shares, len(points), figsize=(2.6 * len(points) + 2.6, 4.8 if shares else 3.2),
                                sharex=True, sharey="row", squeeze=False, height_ratios=[3, 2][: 1 + shares])
    x = mean[abscissa].values
    for column, point in zip(grid.T, points):
        above = column[0]
        middle, spread = field.at("mean", point).values, 2 * field.at("std", point).values
        above.fill_between(x, middle - spread, middle + spread, color=COLOURS[0], alpha=0.22, linewidth=0,
                           label="mean ± 2 std")
        above.plot(x, middle, color=COLOURS[0], label="mean")
        if point:
            above.set_title(point_label(point))
        if shares:
            first, rest = field.shares(point)
            with_rest = bool(np.nanmax(rest, initial=0.0) > 1e-6)
            labels, colours = field.legend(with_rest)
            column[1].stackplot(x, *first, *([rest] if with_rest else []), labels=labels, colors=colours, linewidth=0)
            column[1].set_ylim(0, 1)
        column[-1].set_xlabel(axis_label(mean[abscissa]))
    grid[0, 0].set_ylabel(field.label)
    if shares:
        grid[1, 0].set_ylabel("share of the variance")
    for axes in grid[:, -1]:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _maps(field, space, time, times):
    y, x = space
    point = {}
    if time:
        point = {time: float(field["mean"][time][-1]) if times is None else times[0]}
        _, point = take(field["mean"], point)
    totals = field.at("sobol_total", point)
    panels = [("mean", field.at("mean", point), None), ("standard deviation", field.at("std", point), None)]
    index_scale = {"cmap": SEQUENTIAL, "vmin": 0.0, "vmax": 1.0}
    panels += [(f"total Sobol index of {symbol(parameter)}", totals.isel(parameter=i), index_scale)
               for i, parameter in enumerate(field.parameters) if len(field.parameters) > 1]
    n_columns = 2
    n_rows = -(-len(panels) // n_columns)
    figure, grid = plt.subplots(n_rows, n_columns, figsize=(4.4 * n_columns, 3.3 * n_rows), sharex=True, sharey=True,
                                squeeze=False)
    for axes, (title, panel, scale) in zip(grid.flat, panels):
        image = draw_map(axes, panel, x, y, **(scale or colour_scale(panel.values)))
        axes.set_title(title)
        figure.colorbar(image, ax=axes)
    for axes in grid.flat[len(panels):]:
        axes.remove()
    figure.suptitle(", ".join(filter(None, [field.label, point_label(point)])), fontsize="medium")
    return figure


def _interval(field):
    """A number that one parameter makes uncertain: all of its variance is that parameter's."""
    figure, axes = plt.subplots(figsize=(4.6, 1.7))
    mean, spread = float(field["mean"]), 2 * float(field["std"])
    axes.errorbar([mean], [0], xerr=[spread], fmt="o", capsize=4, color=COLOURS[0])
    axes.margins(x=0.15)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(field.label)
    axes.set_title(f"{symbol(field.name)} = {mean:.5g} ± {spread:.2g} (2 std), by {symbol(field.parameters[0])}")
    return figure


def _bars(field):
    figure, axes = plt.subplots(figsize=(1.3 * len(field.parameters) + 2.8, 3.2))
    positions = np.arange(len(field.parameters))
    axes.bar(positions - 0.2, field["sobol_first"].values, 0.38, color=COLOURS[0], label="first order")
    axes.bar(positions + 0.2, field["sobol_total"].values, 0.38, color=COLOURS[5], label="total")
    axes.set_xticks(positions, [symbol(parameter) for parameter in field.parameters])
    axes.set_ylim(0, 1)
    axes.set_xmargin(0.1)
    axes.set_ylabel("Sobol index")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_title(f"{symbol(field.name)} = {float(field['mean']):.5g} ± {2 * float(field['std']):.2g} (2 std)")
    return figure
