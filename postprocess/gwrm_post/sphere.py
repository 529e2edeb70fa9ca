"""Pictures of fields in the full sphere or a shell (`problem: ball`): on a sphere, in a meridian, spectra of their coefficients."""

import matplotlib.pyplot as plt
import numpy as np

from .heading import heads
from .style import COLOURS, field_label, look, point_label, symbol, unit_label

FLOOR = 1e-18  # relative; smaller coefficients are not drawn


def is_ball(run):
    return all(name in run.coords for name in ("t", "r", "theta", "phi"))


def _field(run, name):
    names = [one for one in run.data_vars if {"t", "r", "theta", "phi"} <= set(run[one].dims)]
    if not is_ball(run) or not names:
        raise ValueError("this is for fields over (t, r, theta, phi), those of problem: ball")
    if name is not None and name not in names:
        raise ValueError(f"there is no field '{name}' over (t, r, theta, phi); there are: {', '.join(names)}")
    return run[name or names[0]]


def _levels(values):
    size = float(np.nanmax(np.abs(values))) or 1.0
    levels = np.linspace(-size, size, 41)
    levels[20] = 0.0
    return levels


def _titled(axes, field, time, place):
    axes.set_title(f"{field_label(field)}, {point_label({'t': float(time)})}{place}")


def _unit_of_radius(field):
    unit = unit_label(field["r"])
    return f" {unit}" if unit else ""


def _at_times(field, times):
    samples = field["t"].values
    wanted = [samples[-1]] if times is None else times
    return [samples[int(np.argmin(np.abs(samples - time)))] for time in wanted]


@heads
def plot_sphere(run, name=None, times=None, select=None):
    """Colours over the sphere of a radius (select r=; default 0.7 of the largest), longitude against latitude, in Hammer's
    projection of equal areas; returns the matplotlib Figure."""
    field = _field(run, name)
    radius = (select or {}).get("r", 0.7 * float(field["r"][-1]))
    field = field.sel(r=radius, method="nearest")
    wanted = _at_times(field, times)
    with plt.rc_context(look()):
        figure, grid = plt.subplots(1, len(wanted), figsize=(4.6 * len(wanted), 2.7), squeeze=False,
                                    subplot_kw={"projection": "hammer"})
        for axes, time in zip(grid[0], wanted):
            values = field.sel(t=time).transpose("theta", "phi").values
            phi = field["phi"].values
            if abs(phi[-1] - 2 * np.pi) > 1e-9:  # round the sphere
                phi, values = np.append(phi, 2 * np.pi), np.concatenate([values, values[:, :1]], axis=1)
            drawn = axes.contourf(phi - np.pi, np.pi / 2 - field["theta"].values, values, _levels(values), cmap="RdBu_r")
            axes.set_xticks([])
            axes.set_yticks([])
            axes.grid(False)
            _titled(axes, field, time, f", {point_label({'r': float(field['r'])})}")
            figure.colorbar(drawn, ax=axes, shrink=0.8, format="%.2g")
    return figure


@heads
def plot_meridian(run, name=None, times=None, select=None):
    """Colours over the plane through the axis at a longitude (select phi=; default 0) and the opposite one; returns the
    matplotlib Figure."""
    field = _field(run, name)
    phi = (select or {}).get("phi", 0.0)
    phis = field["phi"].values
    halves = [phis[int(np.argmin(np.abs(np.exp(1j * phis) - np.exp(1j * angle))))] for angle in (phi, phi + np.pi)]
    wanted = _at_times(field, times)
    with plt.rc_context(look()):
        figure, grid = plt.subplots(1, len(wanted), figsize=(3.6 * len(wanted), 3.1), squeeze=False)
        for axes, time in zip(grid[0], wanted):
            now = field.sel(t=time)
            levels = _levels(np.concatenate([now.sel(phi=half).values.ravel() for half in halves]))
            r, theta = np.meshgrid(field["r"].values, field["theta"].values, indexing="ij")
            for half, side in zip(halves, (1, -1)):
                drawn = axes.contourf(side * r * np.sin(theta), r * np.cos(theta),
                                      now.sel(phi=half).transpose("r", "theta").values, levels, cmap="RdBu_r")
            axes.set_aspect("equal")
            axes.grid(False)
            axes.set_xlabel("distance from the axis" + _unit_of_radius(field))
            axes.set_ylabel("$z$" + _unit_of_radius(field))
            _titled(axes, field, time, f", $\\varphi$ = {float(halves[0]):.3g}")
            figure.colorbar(drawn, ax=axes, shrink=0.9, format="%.2g")
    return figure


def plot_harmonics(group, names=None):
    """The largest coefficient per mode along t, n, l and m, of the data set of the file's group `ball`; returns the
    matplotlib Figure."""
    known = [name for name in group.data_vars if "t_mode" in group[name].dims]
    names = [name for name in known if names is None or name in names or name.rsplit("_", 1)[0] in names]
    if not names:
        raise ValueError(f"there are no such coefficients; there are: {', '.join(known)}")
    with plt.rc_context(look({"axes.xmargin": 0.02})):
        figure, grid = plt.subplots(1, 4, figsize=(11.6, 3.0), sharey=True)
        for axes, (dimension, label) in zip(grid, (("t_mode", "degree along $t$"), ("n", "radial degree $n$"),
                                                   ("l", "harmonic degree $l$"), ("m", "harmonic order $m$"))):
            for name, colour in zip(names, COLOURS):
                values = np.abs(group[name])
                largest = values.max([one for one in values.dims if one != dimension])
                if dimension == "m":
                    largest = largest.groupby(np.abs(largest["m"])).max()
                sizes = largest.values / (float(values.max()) or 1.0)
                shown = sizes > FLOOR
                places = np.arange(len(sizes))[shown]
                axes.semilogy(places, sizes[shown], "o-", markersize=2.6, linewidth=0.9, color=colour, label=name)
            axes.set_xlabel(label)
        grid[0].set_ylabel("largest coefficient, relative to all")
        grid[-1].legend(loc="best")
    return figure
