"""Vector fields in the plane: arrows and streamlines over the magnitude, at several times."""

import matplotlib.pyplot as plt
import numpy as np

from .fields import LONG, WIDE
from .heading import heads
from .runs import find_field, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .style import SEQUENTIAL, draw_map, field_label, look, point_label, symbol

KINDS = ("quiver", "streamlines")
ARROWS = 22  # along the longer side of a panel
PANELS = 3
AT_REST = 1e-6  # of the largest magnitude: what is smaller has no streamlines


@heads
def plot_vectors(run, names=None, *, kind="quiver", times=None, select=None):
    """Draws a vector in the plane and returns the matplotlib Figure: its magnitude in colours, and arrows ("quiver") or
    streamlines over it, a panel for each of several times.

    names   a vector of the case ("u", with the fields u_x and u_y), or its two components; default: the first vector of
            the file, or the fields u and v
    times   default: three over the whole range; the nearest samples are taken
    select  a dict dimension -> coordinate. A third dimension of space and parameters are otherwise taken in their middle;
            of a vector in three dimensions the part in the plane is drawn.
    ValueError where there is no such vector, or it is not over two or three dimensions of space.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind of plot '{kind}' of vectors; there are: {', '.join(KINDS)}")
    label, components = _components(run, names)
    for dim in select or {}:
        if dim not in components[0].dims:
            raise ValueError(f"'{label}' has no dimension '{dim}'; it has: {', '.join(map(str, components[0].dims))}")
    point = {}
    for dim in ("z", *parameter_dimensions(components[0])):
        if dim in components[0].dims and dim not in (select or {}):
            point.update(middle(components[0], [dim]))
    point = take(components[0], {**(select or {}), **point})[1]
    components = [take(one, point)[0] for one in components]
    time, space = time_dimension(components[0]), space_dimensions(components[0])
    if len(space) != 2:
        raise ValueError(f"a plot of the kind '{kind}' needs two dimensions of space; of '{label}' are left: "
                         f"{', '.join(map(str, space)) or 'none'}")
    positions = [None]
    if time is not None:
        samples = components[0][time].values
        wanted = np.linspace(samples[0], samples[-1], min(PANELS, len(samples))) if times is None else times
        positions = list(dict.fromkeys(int(np.abs(samples - value).argmin()) for value in wanted))
    with plt.rc_context(look()):
        figure = _panels(components, label, kind, time, positions, space)
        if point:
            figure.suptitle(point_label(point), fontsize="medium")
    return figure


def _components(run, names):
    """The name of the vector, and its components along the first two of its directions."""
    if names and len(names) > 2:
        raise ValueError(f"an arrow has two components, not {len(names)}: {', '.join(names)}")
    if names and len(names) == 2:
        return f"({', '.join(names)})", _alike([find_field(run, name) for name in names])
    if names:
        if f"{names[0]}_x" not in run.data_vars or f"{names[0]}_y" not in run.data_vars:
            raise ValueError(f"'{names[0]}' is no vector of this file, which would have the fields {names[0]}_x and "
                             f"{names[0]}_y: name two components, such as --field u --field v")
        return names[0], _alike([run[f"{names[0]}_x"], run[f"{names[0]}_y"]])
    for key, field in run.data_vars.items():
        base = str(key)[:-2]
        if str(key).endswith("_x") and f"{base}_y" in run.data_vars and {"x", "y"} <= set(field.dims):
            return base, _alike([field, run[f"{base}_y"]])
    if all(name in run.data_vars and {"x", "y"} <= set(run[name].dims) for name in "uv"):
        return "(u, v)", _alike([run["u"], run["v"]])
    raise ValueError("this file has no vector over x and y (fields u_x and u_y, or u and v): name the two components, "
                     "such as --field a --field b")


def _alike(components):
    if components[0].dims != components[1].dims:
        raise ValueError(f"'{components[0].name}' and '{components[1].name}' do not depend on the same dimensions")
    return components


def _panels(components, label, kind, time, positions, space):
    y, x = space
    shown = [[one if at is None else one.isel({time: at}) for one in components] for at in positions]
    sizes = [np.hypot(*(one.transpose(y, x).values for one in pair)) for pair in shown]
    scale = {"cmap": SEQUENTIAL, "vmin": 0.0, "vmax": float(np.nanmax(sizes)) or 1.0}
    aspect = float(np.ptp(components[0][x].values) / np.ptp(components[0][y].values))
    height = 2.9
    width = height * min(max(aspect, 0.5), 2.5)
    across, down = len(shown), 1
    if len(shown) > 1 and aspect > WIDE:
        across, down, width, height = 1, len(shown), LONG, LONG / min(aspect, 6.0)
    figure, grid = plt.subplots(down, across, sharex=True, sharey=True, squeeze=False, layout="compressed",
                                figsize=(width * across + 1.2, (height + (0.35 if down > 1 else 0.6)) * down))
    for axes, pair, size in zip(grid.flat, shown, sizes):
        magnitude = pair[0].transpose(y, x).copy(data=size)
        image = draw_map(axes, magnitude, x, y, **scale)
        (_arrows if kind == "quiver" else _lines)(axes, pair, x, y, scale["vmax"])
        axes.set_xlim(float(magnitude[x].min()), float(magnitude[x].max()))
        axes.set_ylim(float(magnitude[y].min()), float(magnitude[y].max()))
        if 0.4 <= aspect <= 2.6:
            axes.set_aspect("equal")
        if time is not None:
            axes.set_title(point_label({time: float(pair[0][time])}))
        axes.label_outer()
    figure.colorbar(image, ax=grid.ravel().tolist(), label=_magnitude_label(components, label))
    return figure


def _magnitude_label(components, label):
    """|u| with the unit of the components."""
    unit = field_label(components[0]).partition(" [")[2]
    names = label.strip("()").split(", ")
    inner = ", ".join(symbol(name) for name in names)
    return (f"|({inner})|" if len(names) > 1 else f"|{inner}|") + (f" [{unit}" if unit else "")


def _even(pair, x, y, counts):
    """Both components on a grid of even spacing, between the samples linear: x, y and two arrays (y, x)."""
    to_x, to_y = (np.linspace(float(pair[0][dim].min()), float(pair[0][dim].max()), count)
                  for dim, count in zip((x, y), counts))
    values = []
    for one in pair:
        rows = np.array([np.interp(to_x, one[x].values, row) for row in one.transpose(y, x).values])
        values.append(np.array([np.interp(to_y, one[y].values, column) for column in rows.T]).T)
    return to_x, to_y, *values


def _counts(pair, x, y, most):
    extents = [float(np.ptp(pair[0][dim].values)) for dim in (x, y)]
    return [max(int(round(most * extent / max(extents))), 6) for extent in extents]


def _arrows(axes, pair, x, y, largest):
    counts = _counts(pair, x, y, ARROWS)
    to_x, to_y, u, v = _even(pair, x, y, [count + 2 for count in counts])
    to_x, to_y, u, v = to_x[1:-1], to_y[1:-1], u[1:-1, 1:-1], v[1:-1, 1:-1]  # those at the edges would stick out
    step = max(np.diff(to_x).max(), np.diff(to_y).max())
    # The longest arrow is 1.3 steps long.
    axes.quiver(to_x, to_y, u, v, color="white", scale_units="xy", angles="xy", scale=largest / (1.3 * step),
                pivot="middle", width=0.0045, edgecolor="#222222", linewidth=0.25)


def _lines(axes, pair, x, y, largest):
    to_x, to_y, u, v = _even(pair, x, y, _counts(pair, x, y, 120))
    if np.hypot(u, v).max() > AT_REST * largest:
        axes.streamplot(to_x, to_y, u, v, color="white", linewidth=0.8, density=1.1, arrowsize=0.8)
