"""How the coefficients decay: what the degrees were worth, in one picture."""

import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy as np

from .style import COLOURS, look, symbol

FLOOR = 1e-17  # relative; smaller coefficients are not drawn
AT_MOST = len(COLOURS)  # curves in a panel


def decay(answer, name, axis):
    """Per mode k along an axis the largest |a_k| over all else (other modes, subdomains, windows), relative to the
    field's largest coefficient; along a Fourier series k is the wavenumber, with hypot(a_k, b_k) of its cosine and sine.
    Returns an array of the highest degree of all windows, plus one."""
    envelope = np.zeros(answer.axes[axis].degree + 1)
    windowed = "window" in answer.coefficients[name].dims
    for window in range(answer.n_windows if windowed else 1):
        values, axes = answer.series(name, window)
        place = 2 * axes.index(axis) + 1
        if answer.axes[axis].is_periodic:
            values = _of_wavenumbers(values, place)
        largest = np.abs(values).max(axis=tuple(i for i in range(values.ndim) if i != place))
        envelope[: len(largest)] = np.maximum(envelope[: len(largest)], largest)
    return envelope / envelope.max() if envelope.max() > 0 else envelope


def _of_wavenumbers(values, place):
    """hypot(a_k, b_k) in place of a_0 .. a_M, b_1 .. b_M."""
    degree = (values.shape[place] - 1) // 2
    cosines, sines = np.split(values, [degree + 1], axis=place)
    none = np.zeros_like(np.take(cosines, [0], axis=place))
    return np.hypot(cosines, np.concatenate([none, sines], axis=place))


def plot_spectrum(answer, names=None):
    """Draws the decay of the coefficients along each dimension, a curve per unknown; returns the matplotlib Figure.

    A straight line down to 1e-15 is exponential convergence and round-off; what the last coefficients leave is about
    the error. Unknown numbers have no series and are left out. ValueError if nothing is left.
    """
    names = [name for name in names or answer.fields if answer.fields.get(name)]
    if not names:
        raise ValueError("there is no unknown with a series in this file")
    axes_drawn = [axis for axis in answer.axes if any(axis in answer.fields[name] for name in names)]
    with plt.rc_context(look({"axes.xmargin": 0.02})):
        figure, grid = plt.subplots(1, len(axes_drawn), figsize=(3.1 * len(axes_drawn) + 1.1, 3.2), sharey=True,
                                    squeeze=False)
        for panel, axis in zip(grid[0], axes_drawn):
            for name, colour in zip(names[:AT_MOST], COLOURS):
                if axis not in answer.fields[name]:
                    continue
                sizes = decay(answer, name, axis)
                modes = np.flatnonzero(sizes > FLOOR)  # those that symmetry makes zero are left out
                panel.semilogy(modes, sizes[modes], "o-", markersize=2.6, linewidth=0.9, color=colour, label=symbol(name))
            what = "wavenumber" if answer.axes[axis].is_periodic else "degree"
            panel.set_xlabel(f"{what} along {symbol(axis)}")
            panel.set_title(_division(answer, axis))
            panel.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(nbins=6, integer=True))
            panel.label_outer()
        grid[0, 0].set_ylabel("largest coefficient, relative to all")
        lines = {line.get_label(): line for panel in grid[0] for line in panel.get_lines()}
        bottom = min((y for panel in grid[0] for line in panel.get_lines() for y in line.get_ydata()), default=FLOOR)
        grid[0, 0].set_ylim(bottom / 3, 3)
        if len(names) > 1:
            grid[0, -1].legend(lines.values(), lines.keys(), loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _division(answer, axis):
    """How many parts the dimension has: "20 windows", "2 to 16 subdomains"."""
    if axis == answer.time:
        count = answer.n_windows
        return "" if count == 1 else f"{count} windows"
    counts = sorted({len(answer.edges(axis, window)) - 1 for window in range(answer.n_windows)})
    if counts == [1]:
        return ""
    return f"{counts[0]} subdomains" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} subdomains"
