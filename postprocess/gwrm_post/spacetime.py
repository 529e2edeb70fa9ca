"""Space-time diagrams: colours over one dimension of space and time, evaluated between the samples."""

import matplotlib.pyplot as plt
import numpy as np

from .heading import heads
from .runs import find_field, is_error, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .series import evaluated
from .style import colour_scale, draw_map, field_label, look, point_label

FINE = 301  # points along each of the two


@heads
def plot_spacetime(run, name=None, *, select=None, zoom=None, source=None):
    """Draws a field over x (across) and t (up) and returns the matplotlib Figure.

    name    default: the first field of time and space
    select  a dict dimension -> coordinate: all dimensions of space but one have to be held fixed; parameters otherwise are
            taken in their middle
    zoom    a dict dimension -> (lower, upper)
    source  the result file: the field is evaluated from its series on 301 x 301 points, else the samples are drawn
    ValueError without time, or where not one dimension of space is left.
    """
    name = name or next((str(key) for key, field in run.data_vars.items()
                         if time_dimension(field) and space_dimensions(field) and not is_error(field)), None)
    if name is None:
        raise ValueError("a space-time diagram needs time and space; no field of this file depends on both")
    field = find_field(run, name)
    for dim in [*(select or {}), *(zoom or {})]:
        if dim not in field.dims:
            raise ValueError(f"'{name}' has no dimension '{dim}'; it has: {', '.join(map(str, field.dims)) or 'none'}")
    field, point = take(field, select or {})
    field, taken = take(field, middle(field, parameter_dimensions(field)))
    point.update(taken)
    time, space = time_dimension(field), space_dimensions(field)
    if time is None or len(space) != 1:
        surplus = " ".join(f"--at {dim}=.." for dim in space[:-1])
        raise ValueError("a space-time diagram needs time and one dimension of space; "
                         f"'{name}' depends on {', '.join(map(str, field.dims)) or 'nothing'}"
                         + (f": hold the others fixed, {surplus}" if time is not None and surplus else ""))
    finer = None
    if source is not None:
        finer = evaluated(source, field, {dim: _fine(field, dim, zoom) for dim in (time, space[0])}, point)
    if finer is None:
        for dim, (lower, upper) in (zoom or {}).items():
            field = field.sel({dim: slice(lower, upper)})
            if field.sizes[dim] < 2:
                raise ValueError(f"there are fewer than two samples between {dim} = {lower:g} and {upper:g}")
    field = field if finer is None else finer
    with plt.rc_context(look()):
        figure, axes = plt.subplots(figsize=(5.2, 4.2))
        image = draw_map(axes, field, space[0], time, **colour_scale(field.values))
        figure.colorbar(image, ax=axes, label=field_label(field))
        if point:
            figure.suptitle(point_label(point), fontsize="medium")
    return figure


def _fine(field, dim, zoom):
    """From end to end, of the samples or of what of them `zoom` leaves."""
    low, high = float(field[dim][0]), float(field[dim][-1])
    if dim in (zoom or {}):
        low, high = max(low, zoom[dim][0]), min(high, zoom[dim][1])
        if not low < high:
            raise ValueError(f"there is nothing of {dim} between {zoom[dim][0]:g} and {zoom[dim][1]:g}")
    return np.linspace(low, high, FINE)
