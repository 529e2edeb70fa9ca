"""The result of `gwrm sweep`: a field over the swept values, as lines, maps or small multiples."""

import os

import h5py
import matplotlib.pyplot as plt
import numpy as np

from .runs import find_field, NotAResult, open_run, take, time_dimension
from .style import (COLOURS, axis_label, calm, colour_scale, draw_map, field_label, is_geometric, logarithmic, look,
                    measured_as, ordered_colours, point_label, symbol)
from .whole_file import require_ordinary

MOST_ROWS, MOST_COLUMNS, CURVES = 3, 4, 6
NOT_ESTIMATED = 9  # exit status of a run that has passed its checks and whose error is not known


def is_sweep(path):
    """True for a file of `gwrm sweep`."""
    if not os.path.exists(path):
        return False
    require_ordinary(path)
    try:
        with h5py.File(path, "r") as file:
            study = file.attrs.get("study", "")
            return (study.decode() if isinstance(study, bytes) else study) == "sweep"
    except OSError:
        return False


def open_sweep(path):
    """The result of `gwrm sweep` as an xarray.Dataset; NotAResult for another file."""
    if not is_sweep(path):
        raise NotAResult(f"{path} is not the result of gwrm sweep")
    return open_run(path)


def plot_sweep(data, name=None, *, select=None):
    """Draws one field of a sweep over the swept values; returns the matplotlib Figure.

    data    the dataset of `open_sweep`
    name    a field or a number of each run (wall_seconds, estimated_error, ..); default: the first field
    select  a dict dimension -> coordinate, for swept dimensions, time and space; the nearest samples are taken
    Along `sample` mean and standard deviation are drawn: a band about a curve, or two maps. What is then left of the
    field's own dimensions makes the panels (nothing: a line or a map over the swept values; one: curves; two: maps), of
    which there is one for each value of the last two swept dimensions; others are taken in the middle. Three own
    dimensions are drawn at the last time, or at the middle of the first. Runs that failed are missing.
    """
    field = find_field(data, name or _first(data))
    swept = [dim for dim in data["exit_status"].dims if dim in field.dims]
    if not swept:
        raise ValueError(f"'{field.name}' does not depend on the swept values")
    numbers = {dim: value for dim, value in (select or {}).items() if dim in field.dims}
    if set(select or {}) - set(numbers):
        raise ValueError(f"'{field.name}' has no dimension {', '.join(sorted(set(select) - set(numbers)))}; it has: "
                         f"{', '.join(map(str, field.dims))}")
    field, point = take(field, numbers)
    swept = [dim for dim in swept if dim in field.dims]
    deviation = None
    if "sample" in swept:
        deviation = field.std("sample").assign_attrs(field.attrs)
        field = field.mean("sample").assign_attrs(field.attrs)
        swept.remove("sample")
    own = [dim for dim in field.dims if dim not in swept]
    while len(own) > 2:
        time = time_dimension(field)
        dim = time if time in own else own[0]
        place = field.sizes[dim] - 1 if dim == time else field.sizes[dim] // 2
        point[dim] = float(field[dim][place])
        field = field.isel({dim: place})
        deviation = None if deviation is None else deviation.isel({dim: place})
        own.remove(dim)
    with plt.rc_context(look()), measured_as(data):
        if not own:
            figure = _over_values(field, deviation, swept)
        elif not swept and deviation is not None and len(own) == 2:
            figure = _two_maps(field, deviation, own)
        else:
            figure = _multiples(field, deviation, swept, own)
        title = [point_label(point)] if point else []
        if deviation is not None:
            title.insert(0, "mean and standard deviation of the samples")
        unknown = int((data["exit_status"] == NOT_ESTIMATED).sum())
        failed = int((data["exit_status"] > 0).sum()) - unknown
        if unknown:
            title.insert(0, f"{unknown} of {data['exit_status'].size} runs NOT ESTIMATED")
        if failed:
            title.insert(0, f"{failed} of {data['exit_status'].size} runs FAILED")
        if title:
            figure.suptitle(", ".join(title), fontsize="medium")
    return figure


def _first(data):
    names = [name for name, field in data.data_vars.items() if "expression" in field.attrs]
    if not names:
        raise ValueError("this sweep has no fields: choose a number of the runs with --field")
    return names[0]


def _value(coordinate, place):
    value = coordinate.values[place]
    return point_label({coordinate.name: value}) if np.issubdtype(coordinate.dtype, np.number) else str(value)


def _places(coordinate):
    """Where the values stand on an axis: texts in their order."""
    return coordinate.values if np.issubdtype(coordinate.dtype, np.number) else np.arange(coordinate.size)


def _label(axis, coordinate, set_label):
    set_label(axis_label(coordinate))
    if not np.issubdtype(coordinate.dtype, np.number):
        axis.set_ticks(np.arange(coordinate.size), [str(value) for value in coordinate.values])
    elif is_geometric(coordinate.values):
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        logarithmic(axis)


def _over_values(field, deviation, swept):
    """A number of each run: a line over one value, a map over two."""
    surplus = {dim: field.sizes[dim] // 2 for dim in swept[:-2]}
    field = field.isel(surplus)
    swept = swept[-2:]
    figure, axes = plt.subplots(figsize=(5.2, 3.6))
    if not swept:
        raise ValueError(f"a single number is left of '{field.name}': {float(field):.6g}")
    if len(swept) == 2 and field.sizes[swept[0]] > CURVES:
        up, across = (field[dim] for dim in swept)
        image = axes.pcolormesh(_places(across), _places(up), field.transpose(*swept).values, shading="nearest",
                                rasterized=True, **colour_scale(field.values))
        figure.colorbar(image, ax=axes, label=field_label(field))
        _label(axes.yaxis, up, axes.set_ylabel)
    else:
        across = field[swept[-1]]
        family = swept[0] if len(swept) == 2 else None
        n = field.sizes[family] if family else 1
        for place, colour in zip(range(n), ordered_colours(n) if family else COLOURS):
            curve = field.isel({family: place}) if family else field
            axes.plot(_places(across), curve, "o-", markersize=3, color=colour,
                      label=_value(field[family], place) if family else None)
            if deviation is not None:
                band = deviation.isel(surplus).isel({family: place}) if family else deviation.isel(surplus)
                axes.fill_between(_places(across), curve - band, curve + band, color=colour, alpha=0.25, linewidth=0)
        if family:
            axes.legend()
        axes.set_ylabel(field_label(field))
    _label(axes.xaxis, field[swept[-1]], axes.set_xlabel)
    return figure


def _two_maps(field, deviation, own):
    across, up = _plane(field, own)
    figure, grid = plt.subplots(1, 2, figsize=(9.6, 3.8))
    for axes, panel, name in zip(grid, (field, deviation), ("mean", "standard deviation")):
        image = draw_map(axes, panel, across, up, **colour_scale(panel.values))
        figure.colorbar(image, ax=axes, label=f"{name} of {field_label(panel)}")
    return figure


def _plane(field, own):
    """Which dimension goes across and which up: time goes up, y goes up."""
    time = time_dimension(field)
    return (next(dim for dim in own if dim != time), time) if time in own else (own[1], own[0])


def _chosen(size, most):
    return np.unique(np.linspace(0, size - 1, min(most, size)).round().astype(int))


def _multiples(field, deviation, swept, own):
    """A panel for each value of the last two swept dimensions; with one own dimension and one swept, curves in one."""
    surplus = {dim: field.sizes[dim] // 2 for dim in swept[:-2]}
    field = field.isel(surplus)
    deviation = None if deviation is None else deviation.isel(surplus)
    swept = swept[-2:]
    if len(own) == 1:
        return _curves(field, deviation, swept, own[0])
    if len(swept) == 2:
        rows, columns = _chosen(field.sizes[swept[0]], MOST_ROWS), _chosen(field.sizes[swept[1]], MOST_COLUMNS)
        places = [[{swept[0]: row, swept[1]: column} for column in columns] for row in rows]
    else:
        chosen = _chosen(field.sizes[swept[0]], MOST_COLUMNS) if swept else []
        places = [[{swept[0]: column} for column in chosen]] if swept else [[{}]]
    across, up = _plane(field, own)
    scale = colour_scale(field.values)
    figure, grid = plt.subplots(len(places), len(places[0]), sharex=True, sharey=True, squeeze=False,
                                figsize=(2.6 * len(places[0]) + 1.4, 2.3 * len(places) + 0.6))
    for axes_of_row, row in zip(grid, places):
        for axes, place in zip(axes_of_row, row):
            image = draw_map(axes, field.isel(place), across, up, **scale)
            axes.set_title("\n".join(_value(field[dim], at) for dim, at in place.items()), fontsize="small")
            calm(axes, "x", most=3)
            axes.label_outer()
    figure.colorbar(image, ax=grid.ravel().tolist(), label=field_label(field))
    return figure


def _curves(field, deviation, swept, own):
    """Curves over the own dimension, one for each value of the last swept one; panels for the other."""
    panels = _chosen(field.sizes[swept[0]], MOST_COLUMNS) if len(swept) == 2 else [None]
    family = swept[-1] if swept else None
    chosen = _chosen(field.sizes[family], CURVES) if family else [None]
    figure, grid = plt.subplots(1, len(panels), sharey=True, squeeze=False,
                                figsize=(2.9 * len(panels) + 2.3, 3.4))
    for axes, panel in zip(grid[0], panels):
        of_panel = {} if panel is None else {swept[0]: panel}
        for at, colour in zip(chosen, ordered_colours(len(chosen)) if family else COLOURS):
            place = of_panel if at is None else {**of_panel, family: at}
            curve = field.isel(place)
            axes.plot(curve[own], curve, color=colour, label=None if at is None else _value(field[family], at))
            if deviation is not None:
                band = deviation.isel(place)
                axes.fill_between(curve[own].values, (curve - band).values, (curve + band).values, color=colour,
                                  alpha=0.25, linewidth=0)
        if panel is not None:
            axes.set_title(_value(field[swept[0]], panel), fontsize="small")
        axes.set_xlabel(axis_label(field[own]))
        calm(axes, "x", most=4)
    grid[0][0].set_ylabel(field_label(field))
    if family:
        grid[0][-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
