"""Plots of the sampled fields: profiles and maps of one space dimension, maps of two, trajectories without space."""

import matplotlib.pyplot as plt
import numpy as np

from .runs import curvilinear, find_field, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .style import STYLE, axis_label, calm, colour_scale, draw_map, field_label, ordered_colours, point_label, symbol

KINDS = ("profiles", "map", "snapshots", "trajectories")


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
    Raises ValueError if the field or a dimension does not exist or the field cannot be drawn in that way.
    """
    select = dict(select or {})
    named = [find_field(run, one) for one in _names(run, name)]
    for dim in select:  # of several fields each takes what it has
        if all(dim not in field.dims for field in named):
            dims = ", ".join(map(str, named[0].dims)) or "none"
            raise ValueError(f"'{named[0].name}' has no dimension '{dim}'; it has: {dims}")
    named = [_zoomed(field, zoom or {}) for field in named]
    field, point = _reduce(named[0], kind, select)
    kind = kind or _natural_kind(field)
    if kind not in KINDS:
        raise ValueError(f"there is no kind of plot '{kind}'; there are: {', '.join(KINDS)}")
    with plt.rc_context(STYLE):
        if kind == "trajectories":
            others = named[1:] if name is not None else _alike(run, named[0])
            return _trajectories([field] + [_reduce(other, kind, select)[0] for other in others], point)
        if kind == "snapshots":
            return _snapshots(field, times, point, curvilinear(run, field))
        return {"profiles": _profiles, "map": _map}[kind](field, times, point)


def _names(run, name):
    """Those given, or the first field that is more than a number."""
    if name is not None:
        return [name] if isinstance(name, str) else list(name)
    names = [key for key, field in run.data_vars.items() if field.ndim > 0] or list(run.data_vars)
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
    return [field for field in run.data_vars.values() if field.dims == first.dims and field.name != first.name]


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


def _profiles(field, times, point):
    time, parameters = time_dimension(field), parameter_dimensions(field)
    abscissas = space_dimensions(field) or parameters[-1:]
    if len(abscissas) != 1:
        _require(field, "profiles", n_space=1, needs_time=False)
    along = time or next((dim for dim in parameters if dim != abscissas[0]), None)
    figure, axes = plt.subplots(figsize=(5.2, 3.6))
    if along is None:
        axes.plot(field[abscissas[0]], field)
    else:
        positions = _samples(field[along], times, 5)
        for position, colour in zip(positions, ordered_colours(len(positions))):
            curve = field.isel({along: position})
            axes.plot(curve[abscissas[0]], curve, color=colour, label=point_label({along: float(curve[along])}))
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_xlabel(axis_label(field[abscissas[0]]))
    axes.set_ylabel(field_label(field))
    calm(axes, "x")
    _title(figure, point)
    return figure


def _map(field, _times, point):
    space, time = _require(field, "map", n_space=1, needs_time=True)
    figure, axes = plt.subplots(figsize=(5.2, 3.8))
    image = draw_map(axes, field, space[0], time, **colour_scale(field.values))
    figure.colorbar(image, ax=axes, label=field_label(field))
    _title(figure, point)
    return figure


def _snapshots(field, times, point, mesh):
    (y, x), time = _require(field, "snapshots", n_space=2, needs_time=False)
    positions = [None] if time is None else _samples(field[time], times, 3)
    panels = [field if position is None else field.isel({time: position}) for position in positions]
    scale = colour_scale(np.stack([panel.values for panel in panels]))
    height = 2.9
    # The panels have the shape of the domain unless it is very long.
    extent_x, extent_y = (float(np.ptp(of.values)) for of in (mesh or (field[x], field[y])))
    aspect = extent_x / extent_y
    width = height * min(max(aspect, 0.5), 2.5)
    figure, grid = plt.subplots(1, len(panels), figsize=(width * len(panels) + 1.2, height + 0.6), sharey=True,
                                squeeze=False, layout="compressed")
    for axes, panel in zip(grid[0], panels):
        image = draw_map(axes, panel, x, y, mesh, **scale)
        if 0.4 <= aspect <= 2.6:
            axes.set_aspect("equal")
        if width < 2.4:
            calm(axes, "x", most=2)
        if time is not None:
            axes.set_title(point_label({time: float(panel[time])}))
        axes.label_outer()
    figure.colorbar(image, ax=grid[0].tolist(), label=field_label(field))
    _title(figure, point)
    return figure


def _trajectories(fields, point):
    _, time = _require(fields[0], "trajectories", n_space=0, needs_time=True)
    figure, axes = plt.subplots(figsize=(5.6, 3.4))
    for field in fields:
        _require(field, "trajectories", n_space=0, needs_time=True)
        axes.plot(field[time], field, label=symbol(str(field.name)))
    axes.set_xlabel(axis_label(fields[0][time]))
    if len(fields) == 1:
        axes.set_ylabel(field_label(fields[0]))
    else:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    _title(figure, point)
    return figure
