"""Modes of eigenvalue problems, and their eigenvalues in the complex plane."""

import matplotlib.pyplot as plt
import numpy as np

from .heading import heads
from .runs import find_field, middle, space_dimensions, take
from .style import (COLOURS, DIVERGING, axis_label, draw_map, field_label, is_geometric, logarithmic, look,
                    symbol)

MODE = "mode"
MOST = 6  # modes in a figure


def _space(field):
    return [dim for dim in space_dimensions(field) if dim != MODE]


def is_modes(run):
    """Whether the run solved an eigenvalue problem."""
    return MODE in run.dims


def parameter(run):
    """The dimension over which the eigenvalues are curves, or None."""
    for field in run.data_vars.values():
        if "error_of" in field.attrs and field.dims[:1] == (MODE,) and not _space_of(run, field):
            return field.dims[1] if len(field.dims) == 2 else None
    return next((field.dims[1] for key, field in run.data_vars.items()
                 if key == "condition" and len(field.dims) == 2), None)


def _space_of(run, field):
    return [dim for dim in field.dims if dim != MODE and run[dim].attrs.get("kind") == "space"]


def eigenvalues(run):
    """(name, complex values by mode, and by parameter where there is one) of the eigenvalue of a run."""
    dims = (MODE,) if parameter(run) is None else (MODE, parameter(run))
    for field in run.data_vars.values():
        of = field.attrs.get("error_of")
        if of is not None and field.dims == dims:
            name = of
            break
    else:
        name = next(str(key) for key, field in run.data_vars.items() if field.dims == dims and key != "condition")
    if name.endswith("_re"):
        name = name[:-3]
        return name, run[name + "_re"].values + 1j * run[name + "_im"].values
    return name, run[name].values.astype(complex)


def _eigenvalue_label(run, name):
    field = run[name if name in run else f"{name}_re"]
    return axis_label(field.rename(name))


def _value(value):
    text = f"{value.real:.6g}"
    return text if value.imag == 0 else f"{text} {'+' if value.imag > 0 else '-'} {abs(value.imag):.6g}i"


@heads
def plot_modes(run, names=None):
    """Draws the first modes of a run and returns the matplotlib Figure: curves over the only dimension of space, one
    panel for each field of `names` (default: the first unknown), or of one field a map for each mode. A third dimension is
    taken in its middle, and so is a parameter. ValueError where the run has no modes."""
    if not is_modes(run):
        raise ValueError("this is no eigenvalue problem: the file has no dimension 'mode'")
    if parameter(run) is not None:
        run = run.isel({parameter(run): run.sizes[parameter(run)] // 2})
    first = next(str(key) for key, field in run.data_vars.items() if MODE in field.dims and _space(field))
    fields = [find_field(run, name) for name in (names or [first])]
    name, values = eigenvalues(run)
    count = min(MOST, len(values))
    labels = [f"{symbol(name)} = {_value(values[k])}" for k in range(count)]
    space = _space(fields[0])
    with plt.rc_context(look()):
        if len(space) == 1:
            figure, rows = plt.subplots(len(fields), 1, figsize=(5.2, 1.0 + 2.6 * len(fields)), squeeze=False, sharex=True)
            for axes, field in zip(rows[:, 0], fields):
                for k in range(count):
                    axes.plot(field[space[0]], field.isel({MODE: k}), color=COLOURS[k % len(COLOURS)], label=labels[k])
                axes.set_ylabel(field_label(field))
            rows[-1, 0].set_xlabel(axis_label(fields[0][space[0]]))
            rows[0, 0].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
            return figure
        field, _ = take(fields[0], middle(fields[0], space[:-2]))
        columns = min(3, count)
        figure, panels = plt.subplots(-(-count // columns), columns, squeeze=False, sharex=True, sharey=True,
                                      figsize=(2.2 * columns + 0.6, 2.2 * -(-count // columns)))
        largest = float(np.abs(field.values[:count]).max())
        for k, axes in enumerate(panels.flat):
            if k >= count:
                axes.set_axis_off()
                continue
            image = draw_map(axes, field.isel({MODE: k}), space[-1], space[-2], cmap=DIVERGING, vmin=-largest, vmax=largest)
            axes.set_title(labels[k])
        figure.colorbar(image, ax=panels, label=field_label(field))
    return figure


def _plot_curves(run, over):
    name, values = eigenvalues(run)
    parts = [("real part of ", values.real), ("imaginary part of ", values.imag)] if np.any(values.imag) else [("", values.real)]
    with plt.rc_context(look()):
        figure, rows = plt.subplots(len(parts), 1, figsize=(5.2, 1.0 + 2.6 * len(parts)), squeeze=False, sharex=True)
        for axes, (part, numbers) in zip(rows[:, 0], parts):
            for k, curve in enumerate(numbers):
                axes.plot(run[over], curve, color=COLOURS[k % len(COLOURS)], label=f"mode {k}")
            axes.set_ylabel(part + _eigenvalue_label(run, name))
        if is_geometric(run[over].values):
            rows[-1, 0].set_xscale("log")
            logarithmic(rows[-1, 0].xaxis)
        rows[-1, 0].set_xlabel(axis_label(run[over]))
        rows[0, 0].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


@heads
def plot_eigenvalues(run):
    """Draws the eigenvalues of a run in the complex plane, with bars of their estimated errors, or over a parameter as
    curves, and returns the matplotlib Figure. ValueError where the run has none."""
    if not is_modes(run):
        raise ValueError("this is no eigenvalue problem: the file has no dimension 'mode'")
    if parameter(run) is not None:
        return _plot_curves(run, parameter(run))
    name, values = eigenvalues(run)
    error = next((field.values for field in run.data_vars.values()
                  if "error_of" in field.attrs and field.dims == (MODE,)), None)
    with plt.rc_context(look({"axes.xmargin": 0.08, "axes.ymargin": 0.08})):
        figure, axes = plt.subplots(figsize=(5.2, 3.6))
        real = not np.any(values.imag)
        axes.errorbar(values.real, values.imag, xerr=error, yerr=None if real else error, fmt="o", markersize=4,
                      color=COLOURS[0])
        if real:
            axes.set_ylim(-1, 1)
        for k, value in enumerate(values[:MOST]):
            axes.annotate(str(k), (value.real, value.imag), xytext=(4, 4), textcoords="offset points", fontsize="small")
        axes.set_xlabel(f"real part of {_eigenvalue_label(run, name)}")
        axes.set_ylabel(f"imaginary part of {_eigenvalue_label(run, name)}")
    return figure
