"""Fields over three dimensions of space: three planes through a point, and surfaces of one value."""

import matplotlib.pyplot as plt
import numpy as np

from .heading import heads
from .runs import find_field, is_error, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .style import colour_scale, draw_map, field_label, look, point_label, symbol

LEVELS = 3  # surfaces


def _at_one_time(run, name, times, select, kind):
    """The field over space alone, the point taken besides, and its three dimensions (x, y, z)."""
    name = name or next((str(key) for key, field in run.data_vars.items()
                         if len(space_dimensions(field)) == 3 and not is_error(field)), None)
    if name is None:
        raise ValueError(f"a plot of the kind '{kind}' needs three dimensions of space; no field of this file has them")
    field = find_field(run, name)
    if len(space_dimensions(field)) != 3:
        raise ValueError(f"a plot of the kind '{kind}' needs three dimensions of space; '{name}' depends on "
                         f"{', '.join(map(str, field.dims)) or 'nothing'}")
    for dim in select:
        if dim not in field.dims:
            raise ValueError(f"'{name}' has no dimension '{dim}'; it has: {', '.join(map(str, field.dims))}")
    time = time_dimension(field)
    wanted = {dim: select[dim] for dim in field.dims if dim in select and dim not in space_dimensions(field)}
    if time is not None and time not in wanted:
        wanted[time] = float(field[time][-1]) if times is None else times[0]
    wanted.update(middle(field, [dim for dim in parameter_dimensions(field) if dim not in wanted]))
    field, point = take(field, wanted)
    return field, point, space_dimensions(field)[::-1]


@heads
def plot_slices(run, name=None, *, times=None, select=None):
    """Draws a field over three dimensions of space on the three planes through a point, (x, y), (x, z) and (y, z), with
    lines where the others cut them; returns the matplotlib Figure.

    name    default: the first field over three dimensions
    times   the first of them is drawn; default: the last sample
    select  the coordinates of the planes (default: the middle), and of parameters
    """
    select = dict(select or {})
    field, point, (x, y, z) = _at_one_time(run, name, times, select, "slices")
    through = take(field, {dim: select.get(dim, middle(field, [dim])[dim]) for dim in (x, y, z)})[1]
    scale = colour_scale(field.values)
    with plt.rc_context(look()):
        figure, grid = plt.subplots(1, 3, figsize=(10.6, 3.5), layout="compressed")
        for axes, (across, up, normal) in zip(grid, ((x, y, z), (x, z, y), (y, z, x))):
            plane = take(field, {normal: through[normal]})[0]
            image = draw_map(axes, plane, across, up, **scale)
            axes.axvline(through[across], color="black", linewidth=0.6, alpha=0.5)
            axes.axhline(through[up], color="black", linewidth=0.6, alpha=0.5)
            axes.set_title(point_label({normal: through[normal]}))
            if 0.4 <= np.ptp(field[across].values) / np.ptp(field[up].values) <= 2.6:
                axes.set_aspect("equal")
        figure.colorbar(image, ax=grid.tolist(), label=field_label(field))
        if point:
            figure.suptitle(point_label(point), fontsize="medium")
    return figure


@heads
def plot_isosurfaces(run, name=None, *, times=None, select=None, levels=None):
    """Draws surfaces of one value of a field over three dimensions of space; returns the matplotlib Figure with the picture.

    levels  the values; default: three between the smallest and the largest
    Other arguments as of `plot_slices`. ValueError where the package pyvista is missing, or a level is never taken.
    """
    try:
        import pyvista
    except ImportError as error:
        raise ValueError("a plot of the kind 'isosurfaces' needs the Python package pyvista, which was not found: pip install "
                         "pyvista; --kind slices needs nothing") from error
    field, point, (x, y, z) = _at_one_time(run, name, times, dict(select or {}), "isosurfaces")
    values = field.transpose(z, y, x).values
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if levels is None:
        levels = np.linspace(low, high, LEVELS + 2)[1:-1]
    missed = [level for level in levels if not low < level < high]
    if missed:
        raise ValueError(f"'{field.name}' is nowhere {missed[0]:g}: its values are between {low:.6g} and {high:.6g}")
    with plt.rc_context(look()):
        scale = colour_scale(values)
        picture = _rendered(pyvista, field, values, (x, y, z), levels, scale)
        figure, axes = plt.subplots(figsize=(5.6, 4.6))
        axes.imshow(picture)
        axes.set_axis_off()
        norm = plt.Normalize(scale["vmin"], scale["vmax"])
        bar = figure.colorbar(plt.cm.ScalarMappable(norm, scale["cmap"]), ax=axes, label=field_label(field), shrink=0.8)
        for level in levels:
            bar.ax.axhline(level, color="black", linewidth=1.2)
        surfaces = f"surfaces {symbol(str(field.name))} = {', '.join(f'{level:.4g}' for level in levels)}"
        figure.suptitle(", ".join(filter(None, [surfaces, point_label(point)])), fontsize="medium")
    return figure


def _rendered(pyvista, field, values, dims, levels, scale):
    """The surfaces, seen from a corner, as an array of pixels."""
    grid = pyvista.RectilinearGrid(*(field[dim].values for dim in dims))
    grid.point_data["values"] = values.ravel()  # x fastest, as VTK has it
    plotter = pyvista.Plotter(off_screen=True, window_size=(1200, 1000))
    plotter.set_background("white")
    for place, level in enumerate(levels):
        surface = grid.contour([level], scalars="values")
        if surface.n_points:
            plotter.add_mesh(surface, scalars="values", cmap=scale["cmap"], clim=(scale["vmin"], scale["vmax"]),
                             opacity=1.0 if len(levels) == 1 else 0.45 + 0.5 * place / (len(levels) - 1),
                             smooth_shading=True, show_scalar_bar=False)
    plotter.add_mesh(grid.outline(), color="#444444")
    plotter.show_bounds(grid=False, location="outer", xtitle=dims[0], ytitle=dims[1], ztitle=dims[2], color="#444444",
                        font_size=26, n_xlabels=3, n_ylabels=3, n_zlabels=3)
    plotter.camera_position = "iso"
    picture = plotter.screenshot(return_img=True)
    plotter.close()
    return picture
