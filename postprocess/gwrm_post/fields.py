"""Plots of the sampled fields: profiles and maps of one space dimension, maps of two, trajectories without space."""

import matplotlib.pyplot as plt
import numpy as np

from .focus import by_scale, focus
from .heading import heads
from .runs import (curvilinear, error_of, find_field, is_error, middle, parameter_dimensions, space_dimensions, take,
                   time_dimension)
from .style import (axis_label, calm, colour_scale, colours_of, draw_map, error_scale, field_label, look,
                    ordered_colours, point_label, symbol, unit_label)

KINDS = ("profiles", "map", "snapshots", "trajectories")
WIDE, LONG = 1.8, 5.2  # panels longer than WIDE times their height stand below one another, LONG inches across


@heads
def plot_field(run, name=None, *, kind=None, times=None, select=None, zoom=None):
    """Draws one field of a run (or several, for trajectories) and returns the matplotlib Figure.

    run     the dataset of `open_run`
    name    a field; default: the first one. For trajectories a list; default: all fields of time alone
    kind    profiles      curves over x (or over a parameter), one for each of several times
            map           colour over x and t
            snapshots     colour over x and y at several times
            trajectories  curves over t
            default: what suits the dimensions of the field
    times   the times of profiles and snapshots; default: 5 or 3 over the whole range
    select  a dict dimension -> coordinate; parameters left over are taken at their middle sample, and so is z in
            snapshots. The nearest samples are taken, and the title says which.
    zoom    a dict dimension -> (lower, upper): only the samples between are drawn
    Where the run holds the estimated error of the field, curves have a band of it and maps a second one beside them, in
    log scale.
    Raises ValueError if the field or a dimension does not exist or the field cannot be drawn in that way.
    """
    select = dict(select or {})
    named = [find_field(run, one) for one in _names(run, name)]
    for dim in select:  # of several fields each takes what it has
        if all(dim not in field.dims for field in named):
            dims = ", ".join(map(str, named[0].dims)) or "none"
            raise ValueError(f"'{named[0].name}' has no dimension '{dim}'; it has: {dims}")
    of_errors = [error_of(run, field) for field in named]
    named = [_zoomed(field, zoom or {}) for field in named]
    field, point = _reduce(named[0], kind, select)

    def error(number, of):
        """The samples of the error of a field of `named`, as those of the field were taken."""
        if of_errors[number] is None or of_errors[number].dims != run[of.name].dims:
            return None
        return _reduce(_zoomed(of_errors[number], zoom or {}), kind, select)[0]

    kind = kind or _natural_kind(field)
    if kind not in KINDS:
        raise ValueError(f"there is no kind of plot '{kind}'; there are: {', '.join(KINDS)}")
    with plt.rc_context(look()):
        if kind == "trajectories":
            if name is None:
                others = _alike(run, named[0])
                named, of_errors = named + others, of_errors + [error_of(run, other) for other in others]
            fields = [_reduce(one, kind, select)[0] for one in named]
            return _trajectories(fields, [error(number, one) for number, one in enumerate(fields)], point)
        if kind == "snapshots":
            return _snapshots(field, error(0, field), times, point, curvilinear(run, field))
        if kind == "profiles":
            return _profiles(field, error(0, field), times, point, zoom or {})
        return _map(field, error(0, field), point)


def _names(run, name):
    """Those given, or the first field that is more than a number."""
    if name is not None:
        return [name] if isinstance(name, str) else list(name)
    own = {key: field for key, field in run.data_vars.items() if not is_error(field)}
    names = [key for key, field in own.items() if field.ndim > 0] or list(own)
    if not names:
        raise ValueError("the file has no sampled fields")
    return names[:1]


def _zoomed(field, zoom):
    for dim, (lower, upper) in zoom.items():
        if dim not in field.dims:
            raise ValueError(f"'{field.name}' has no dimension '{dim}' to zoom in on")
        slack = 1e-9 * (upper - lower)  # a sample at 0.6000000000000001 is at 0.6
        field = field.sel({dim: slice(lower - slack, upper + slack)})
        if field.sizes[dim] < 2:
            raise ValueError(f"there are fewer than two samples between {dim} = {lower:g} and {upper:g}")
    return field


def _alike(run, first):
    """The other fields over the same dimensions."""
    return [field for field in run.data_vars.values()
            if field.dims == first.dims and field.name != first.name and not is_error(field)]


def _natural_kind(field):
    n_space = len(space_dimensions(field))
    if n_space >= 2:
        return "snapshots"
    return "trajectories" if n_space == 0 and time_dimension(field) else "profiles"


def _reduce(field, kind, select):
    """Takes samples until only the dimensions to be drawn are left; returns the array and the point taken."""
    field, point = take(field, {dim: value for dim, value in select.items() if dim in field.dims})
    field = field.squeeze([dim for dim in field.dims if field.sizes[dim] == 1])
    time, space, parameters = time_dimension(field), space_dimensions(field), parameter_dimensions(field)
    surplus = parameters
    if time is None and len(space) <= 1 and kind in (None, "profiles"):
        surplus = parameters[: -(2 - len(space))]  # steady: parameters serve as curves, or as the abscissa
    if len(space) > 2:
        surplus = surplus + space[: len(space) - 2]
    field, taken = take(field, middle(field, surplus))
    return field, {**point, **taken}


def _require(field, kind, *, n_space, needs_time):
    space, time = space_dimensions(field), time_dimension(field)
    if len(space) != n_space or (needs_time and time is None):
        wanted = f"{n_space} space dimension{'' if n_space == 1 else 's'}" + (" and time" if needs_time else "")
        raise ValueError(f"a plot of the kind '{kind}' needs {wanted}; '{field.name}' depends on "
                         f"{', '.join(map(str, field.dims)) or 'nothing'}")
    return space, time


def _samples(coordinate, wanted, count):
    """Positions along a coordinate: nearest to the values wanted, or `count` over the whole range; each once."""
    values = coordinate.values
    if wanted is None:
        positions = np.linspace(0, len(values) - 1, min(count, len(values))).round().astype(int)
    else:
        positions = [int(np.abs(values - value).argmin()) for value in wanted]
    return list(dict.fromkeys(int(p) for p in positions))


def _title(figure, point):
    if point:
        figure.suptitle(point_label(point), fontsize="medium")


def _band(axes, abscissa, field, error, colour=None):
    """The field's estimated error about the curve drawn last."""
    if error is None:
        return
    colour = colour if colour is not None else axes.get_lines()[-1].get_color()
    axes.fill_between(abscissa.values, (field - error).values, (field + error).values, color=colour, alpha=0.25,
                      linewidth=0)


def _scale(field):
    """Errors have a logarithmic scale."""
    return error_scale(field.values) if is_error(field) else colour_scale(field.values)


def _profiles(field, error, times, point, zoom):
    time, parameters = time_dimension(field), parameter_dimensions(field)
    abscissas = space_dimensions(field) or parameters[-1:]
    if len(abscissas) != 1:
        _require(field, "profiles", n_space=1, needs_time=False)
    along, whole = time or next((dim for dim in parameters if dim != abscissas[0]), None), field[abscissas[0]].values
    figure, axes = plt.subplots(figsize=(5.2, 3.6))
    if along is None:
        axes.plot(field[abscissas[0]], field)
        _band(axes, field[abscissas[0]], field, error)
    else:
        positions = _samples(field[along], times, 5)
        part = None
        if abscissas[0] not in zoom:
            part = focus(field[abscissas[0]].values, field.transpose(along, abscissas[0]).values[positions])
        if part is not None:
            field, error = (None if of is None else _zoomed(of, {abscissas[0]: part}) for of in (field, error))
        for position, colour in zip(positions, ordered_colours(len(positions))):
            curve = field.isel({along: position})
            axes.plot(curve[abscissas[0]], curve, color=colour, label=point_label({along: float(curve[along])}))
            _band(axes, curve[abscissas[0]], curve, None if error is None else error.isel({along: position}), colour)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    if is_error(field) and bool((field > 0).any()):
        axes.set_yscale("log")
    axes.set_xlabel(axis_label(field[abscissas[0]]) + _rest(field[abscissas[0]], whole))
    axes.set_ylabel(field_label(field))
    calm(axes, "x")
    _title(figure, point)
    return figure


def _rest(drawn, whole):
    """What a label says where only a part of the axis is drawn by itself."""
    low, high = float(whole[0]), float(whole[-1])
    return "" if len(drawn) == len(whole) else f"   (a part of {low:.4g} to {high:.4g})"


def _map(field, error, point):
    space, time = _require(field, "map", n_space=1, needs_time=True)
    panels = [panel for panel in (field, error) if panel is not None]
    figure, grid = plt.subplots(1, len(panels), figsize=(5.2 * len(panels), 3.8), squeeze=False)
    for axes, panel in zip(grid[0], panels):
        image = draw_map(axes, panel, space[0], time, **_scale(panel))
        figure.colorbar(image, ax=axes, label=field_label(panel))
    _title(figure, point)
    return figure


def _snapshots(field, error, times, point, mesh):
    (y, x), time = _require(field, "snapshots", n_space=2, needs_time=False)
    positions = [None] if time is None else _samples(field[time], times, 3)
    rows = [[of if position is None else of.isel({time: position}) for position in positions]
            for of in (field, error) if of is not None]
    height = 2.9
    # The panels have the shape of the domain unless it is very long.
    extent_x, extent_y = (float(np.ptp(of.values)) for of in (mesh or (field[x], field[y])))
    aspect = extent_x / extent_y
    width = height * min(max(aspect, 0.5), 2.5)
    stacked = len(positions) > 1 and aspect > WIDE
    across, down = (len(rows), len(positions)) if stacked else (len(positions), len(rows))
    if stacked:
        width, height = LONG, LONG / min(aspect, 6.0)
    figure, grid = plt.subplots(down, across, sharex=True, sharey=True, squeeze=False, layout="compressed",
                                figsize=(width * across + 1.2, (height + (0.35 if stacked else 0.6)) * down))
    for number, (row, panels) in enumerate(zip(grid.T if stacked else grid, rows)):
        values = np.stack([panel.values for panel in panels])
        scale = error_scale(values) if is_error(panels[0]) else colour_scale(values)
        for axes, panel in zip(row, panels):
            image = draw_map(axes, panel, x, y, mesh, **scale)
            if 0.4 <= aspect <= 2.6:
                axes.set_aspect("equal")
            if width < 2.4 and not stacked:
                calm(axes, "x", most=2)
            if time is not None and number == 0:
                axes.set_title(point_label({time: float(panel[time])}))
            axes.label_outer()
        figure.colorbar(image, ax=row.tolist(), label=field_label(panels[0]))
    _title(figure, point)
    return figure


def _trajectories(fields, errors, point):
    """Curves over t; fields of other units or another scale have a panel of their own."""
    _, time = _require(fields[0], "trajectories", n_space=0, needs_time=True)
    for field in fields:
        _require(field, "trajectories", n_space=0, needs_time=True)
    of_field = dict(zip(map(id, fields), zip(errors, colours_of(len(fields)))))
    groups = by_scale(fields)
    figure, grid = plt.subplots(len(groups), 1, sharex=True, squeeze=False,
                                figsize=(5.6, 3.4 if len(groups) == 1 else 0.8 + 1.7 * len(groups)))
    for axes, group in zip(grid[:, 0], groups):
        for field in group:
            error, colour = of_field[id(field)]
            axes.plot(field[time], field, label=symbol(str(field.name)), color=colour)
            _band(axes, field[time], field, error)
        if all(is_error(field) and bool((field > 0).any()) for field in group):
            axes.set_yscale("log")
        axes.set_ylabel(field_label(group[0]) if len(group) == 1 else unit_label(group[0]))
        if len(group) > 1:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    grid[-1, 0].set_xlabel(axis_label(fields[0][time]))
    figure.align_ylabels()
    _title(figure, point)
    return figure
