"""Films of a field over time (or along a branch, or over a parameter): GIF, and MP4 where ffmpeg exists."""

import os

import matplotlib.animation
import matplotlib.pyplot as plt
import numpy as np

from .heading import headed, sized, titled
from .runs import find_field, middle, parameter_dimensions, space_dimensions, take, time_dimension
from .series import evaluated
from .style import (COLOURS, axis_label, calm, colour_scale, draw_map, field_label, look, measured_as, point_label,
                    symbol, with_unit)
from .whole_file import MARK, growing_file

FORMATS = (".gif", ".mp4")
DPI = 90


def animate(run, path, name=None, *, frames=60, per_second=12, select=None, source=None, dpi=None, size=None, title=None):
    """Writes a film of one field to `path` (.gif or .mp4) and returns the path.

    frames      so many, evenly spaced in time, evaluated from the series of the result file `source`; without it, or
                where the file has no series of the field, at most so many of the samples in time
    per_second  frames per second
    dpi, size   dots per inch (default: 90), and inches as (width, height)
    title       above the pictures; default: that of the case
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
    fixed = {**point, **taken}
    field = _frames(field, time, frames, source, fixed)
    digits = _digits(field[time].values)
    with plt.rc_context(look({"savefig.dpi": dpi or DPI})), titled(title), measured_as(run):
        figure, update = (_line if len(space) == 1 else _map)(field, space, time)
        sized(figure, size)
        with growing_file(path) as growing, writer.saving(figure, growing, dpi=dpi or DPI):
            for place in range(field.sizes[time]):
                frame = field.isel({time: place})
                update(frame)
                others = f", {point_label(fixed)}" if fixed else ""
                figure.point_drawn = f"{symbol(time)} = {with_unit(time, f'{float(frame[time]):.{digits}f}')}{others}"
                headed(figure, run.attrs)
                writer.grab_frame()
        plt.close(figure)
    return path


def _frames(field, time, count, source, fixed):
    """The field at the times of the film."""
    known = field[time].values
    if source is not None and len(known) > 1:
        of_series = evaluated(source, field, {time: np.linspace(known[0], known[-1], count)}, fixed)
        if of_series is not None and np.isfinite(of_series.values).all():
            return of_series
    shown = np.unique(np.linspace(0, len(known) - 1, min(count, len(known))).round().astype(int))
    return field.isel({time: shown})


def _digits(times):
    """Behind the point, so that no two frames bear the same time: the text keeps its width, and stands still."""
    step = float(np.diff(times).min()) if len(times) > 1 else 1.0
    return int(np.clip(np.ceil(-np.log10(step)) + 1, 0, 9)) if step > 0 else 2


class _GifWriter(matplotlib.animation.PillowWriter):
    def finish(self):
        self._frames[0].info["comment"] = MARK
        super().finish()


def _writer(path, per_second):
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMATS:
        stem = os.path.splitext(path)[0]
        raise ValueError(f"a film is written as {' or '.join(FORMATS)}, not as '{ending or path}': give -o {stem}.gif")
    if ending == ".mp4":
        if not matplotlib.animation.FFMpegWriter.isAvailable():
            raise ValueError("an .mp4 needs the program ffmpeg, which was not found: install it (Debian: ffmpeg) or "
                             "write a .gif")
        return matplotlib.animation.FFMpegWriter(fps=per_second, metadata={"comment": MARK})
    return _GifWriter(fps=per_second)


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
