"""How a solution depends on its parameters, and branches of steady solutions."""

import matplotlib.pyplot as plt
import numpy as np

from .heading import heads
from .runs import find_field, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .style import (COLOURS, axis_label, calm, colour_scale, draw_map, field_label, is_geometric, logarithmic, look,
                    ordered_colours, point_label, symbol)

CURVES = 5
REFINED = 81  # points along a parameter


@heads
def plot_parameter(run, name=None, *, select=None, answer=None):
    """Draws a field over a parameter and returns the matplotlib Figure.

    One parameter: the field against it, a curve for each of several places, or times where there is no space; at the
    last time unless `select` says otherwise. Two parameters: a map of the field over both, everything else taken at
    the end (time) or in the middle (space). A third parameter is taken in its middle. With the `answer` of the file
    an unknown is evaluated between the samples. ValueError without parameters.
    """
    field = find_field(run, name or _first(run))
    parameters = parameter_dimensions(field)
    if not parameters:
        raise ValueError(f"'{field.name}' depends on no parameter: {', '.join(map(str, field.dims)) or 'it is a number'}")
    field, point = take(field, {dim: value for dim, value in (select or {}).items() if dim in field.dims})
    parameters = parameter_dimensions(field)
    if not parameters:
        raise ValueError("no parameter is left to draw along")
    field = _refined(field, answer, parameters[-2:], point)
    time, space = time_dimension(field), space_dimensions(field)
    along = parameters[-2:]
    surplus = {dim: middle(field, [dim])[dim] for dim in parameters[:-2]}
    family = None  # the dimension that tells the curves apart
    if len(along) == 1:
        family = space[-1] if space else time
    if time is not None and family != time:
        surplus[time] = float(field[time][-1])
    surplus.update(middle(field, [dim for dim in space if dim != family]))
    field, taken = take(field, surplus)
    with plt.rc_context(look()):
        figure, axes = plt.subplots(figsize=(5.2, 3.6))
        if len(along) == 2:
            image = draw_map(axes, field, along[1], along[0], **colour_scale(field.values))
            figure.colorbar(image, ax=axes, label=field_label(field))
        else:
            _curves(axes, field, along[0], family)
        for dim, set_scale in zip(reversed(along), (axes.set_xscale, axes.set_yscale)):
            if is_geometric(field[dim].values):
                set_scale("log")
                logarithmic(axes.xaxis if dim == along[-1] else axes.yaxis)
        if point or taken:
            figure.suptitle(point_label({**point, **taken}), fontsize="medium")
    return figure


def _first(run):
    """The first field that depends on a parameter."""
    for key, field in run.data_vars.items():
        if parameter_dimensions(field):
            return key
    raise ValueError("no field of this file depends on a parameter")


def _refined(field, answer, parameters, point):
    """The field on more points along the parameters, where it is an unknown whose series is at hand."""
    name = str(field.attrs.get("expression", ""))
    if answer is None or sorted(answer.fields.get(name, [])) != sorted([*map(str, field.dims), *point]):
        return field
    points = {str(dim): field[dim].values for dim in field.dims}
    for parameter in parameters:
        values = points[parameter]
        spaced = np.geomspace if is_geometric(values) else np.linspace
        points[parameter] = spaced(values[0], values[-1], REFINED)
    finer = answer(name, **points, **point).transpose(*field.dims).rename(field.name)
    for dim in finer.dims:
        finer[dim].attrs.update(field[dim].attrs)
    return finer.assign_attrs(field.attrs)


def _curves(axes, field, parameter, family):
    if family is None:
        axes.plot(field[parameter], field)
    else:
        n = field.sizes[family]
        places = np.unique(np.linspace(0, n - 1, min(CURVES + 2, n)).round().astype(int))
        if len(places) > CURVES:
            places = places[1:-1]  # at the ends there are boundary or initial values
        for place, colour in zip(places, ordered_colours(len(places))):
            curve = field.isel({family: place})
            axes.plot(curve[parameter], curve, "-", color=colour, label=point_label({family: float(curve[family])}))
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_xlabel(axis_label(field[parameter]))
    axes.set_ylabel(field_label(field))


def is_branch(run):
    """True for the steady solutions along a changing constant (`continue`)."""
    return "fold" in run.data_vars and any(str(name).startswith("norm_") for name in run.data_vars)


@heads
def plot_branch(run, name=None):
    """The norms of the unknowns (or one field over s) against the constant that changes, with the folds marked;
    returns the matplotlib Figure. ValueError if the run has not followed a branch."""
    if not is_branch(run):
        raise ValueError("the run has not followed a branch (`continue` in the case)")
    s = run["fold"].dims[0]
    over_s = [str(key) for key in run.data_vars if run[key].dims == (s,)]
    norms = [key for key in over_s if key.startswith("norm_")]
    unknowns = {key[len("norm_"):] for key in norms}
    parameter = next(key for key in over_s if key not in norms and key != "fold" and key not in unknowns)
    curves = norms if name is None else [find_field(run, name).name]
    with plt.rc_context(look({"axes.xmargin": 0.04})):
        figure, axes = plt.subplots(figsize=(5.2, 3.6))
        folds = np.flatnonzero(run["fold"].values)
        for key, colour in zip(curves, COLOURS):
            axes.plot(run[parameter], run[key], "o-", markersize=2.4, linewidth=1.0, color=colour,
                      label=_norm_label(run[key]) if len(curves) > 1 else None)
            axes.plot(run[parameter][folds], run[key][folds], "o", markersize=9, markerfacecolor="none",
                      color="#222222", label="fold" if key == curves[-1] and len(folds) else None)
        for fold in folds:
            axes.annotate(f"{float(run[parameter][fold]):.6g}", (float(run[parameter][fold]), float(run[curves[0]][fold])),
                          xytext=(-9, 0), textcoords="offset points", ha="right", va="center", fontsize="small")
        axes.set_xlabel(axis_label(run[parameter]))
        axes.set_ylabel(_norm_label(run[curves[0]]) if len(curves) == 1 else "$L_2$ norms")
        calm(axes, "x")
        if len(curves) > 1 or len(folds):
            axes.legend(loc="best")
    return figure


def _norm_label(field):
    """A norm_u is the L2 norm of u, of a number its magnitude; other fields have their name."""
    name = str(field.name)
    if not name.startswith("norm_"):
        return axis_label(field)
    of = symbol(name[len("norm_"):])
    return f"|{of}|" if str(field.attrs.get("expression", "")).startswith("abs(") else f"$L_2$ norm of {of}"
