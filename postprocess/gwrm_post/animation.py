"""Films of a field over time (or along a branch, or over a parameter): GIF, and MP4 where ffmpeg exists."""

import os

import matplotlib.animation
import matplotlib.pyplot as plt
import numpy as np

from .runs import find_field, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .style import COLOURS, STYLE, axis_label, calm, colour_scale, draw_map, field_label, point_label
from .whole_file import growing_file

FORMATS = (".gif", ".mp4")


def animate(run, path, name=None, *, frames=60, per_second=12, select=None):
    """Writes a film of one field to `path` (.gif or .mp4) and returns the path.

    frames      at most so many of the samples in time, evenly taken; `output.grid` of the case says how many there are
    per_second  frames per second
    Axes and colours are the same in all frames. A parameter that is not selected is taken in its middle. ValueError
    without time, with no or more than two dimensions of space, for another ending, or if there is no ffmpeg for .mp4.
    """
    path = os.fspath(path)
    writer = _writer(path, per_second)
    field = find_field(run, name or _first(run))
    field, point = take(field, {dim: value for dim, value in (select or {}).items() if dim in field.dims})
    field, taken = take(field, middle(field, parameter_dimensions(field)))
    time, space = time_dimension(field), space_dimensions(field)
    if time is None or len(space) not in (1, 2):
        raise ValueError(f"a film needs time and one or two dimensions of space; '{field.name}' depends on "
                         f"{', '.join(map(str, field.dims)) or 'nothing'}")
    shown = np.unique(np.linspace(0, field.sizes[time] - 1, min(frames, field.sizes[time])).round().astype(int))
    with plt.rc_context({**STYLE, "savefig.dpi": 90}):
        figure, update = (_line if len(space) == 1 else _map)(field, space, time)
        label = {**point, **taken}
        with growing_file(path) as growing, writer.saving(figure, growing, dpi=90):
            for place in shown:
                frame = field.isel({time: int(place)})
                update(frame)
                figure.suptitle(point_label({time: float(frame[time]), **label}), fontsize="medium",
                                family="monospace")
                writer.grab_frame()
        plt.close(figure)
    return path


def _writer(path, per_second):
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMATS:
        raise ValueError(f"a film is written as {' or '.join(FORMATS)}, not as '{ending or path}'")
    if ending == ".mp4":
        if not matplotlib.animation.FFMpegWriter.isAvailable():
            raise ValueError("an .mp4 needs the program ffmpeg, which was not found: install it (Debian: ffmpeg) or "
                             "write a .gif")
        return matplotlib.animation.FFMpegWriter(fps=per_second)
    return matplotlib.animation.PillowWriter(fps=per_second)


def _first(run):
    """The first field that a film can show."""
    for key, field in run.data_vars.items():
        if time_dimension(field) and len(space_dimensions(field)) in (1, 2):
            return key
    raise ValueError("no field of this file depends on time and one or two dimensions of space")


def _line(field, space, time):
    figure, axes = plt.subplots(figsize=(5.0, 3.4))
    low, high = float(field.min()), float(field.max())
    margin = 0.04 * (high - low or 1.0)
    start = field.isel({time: 0})
    axes.plot(field[space[0]], start, color="#bbbbbb", linewidth=1.0)  # where it began
    line, = axes.plot(field[space[0]], start, color=COLOURS[0])
    axes.set_ylim(low - margin, high + margin)
    axes.set_xlabel(axis_label(field[space[0]]))
    axes.set_ylabel(field_label(field))
    calm(axes, "x")
    return figure, lambda frame: line.set_ydata(frame.values)


def _map(field, space, time):
    y, x = space
    figure, axes = plt.subplots(figsize=(4.8, 3.9))
    image = draw_map(axes, field.isel({time: 0}), x, y, **colour_scale(field.values))
    aspect = float(np.ptp(field[x].values) / np.ptp(field[y].values))
    if 0.4 <= aspect <= 2.6:
        axes.set_aspect("equal")
    figure.colorbar(image, ax=axes, label=field_label(field))
    return figure, lambda frame: image.set_array(frame.transpose(y, x).values.ravel()
                                                 if image.get_array().ndim == 1 else frame.transpose(y, x).values)
