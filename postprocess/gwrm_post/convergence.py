"""The errors of a convergence study, with the law they follow and the floor they reach."""

import os

import h5py
import matplotlib.pyplot as plt
import numpy as np

from .heading import headed
from .runs import NotAResult
from .style import COLOURS, NEUTRAL, look
from .whole_file import require_ordinary

ERRORS = {
    "error_max": "largest relative error",
    "error_l2": "relative error, $L_2$",
    "error_h": "error, norm of H",
    "value": "relative error of the known values",
    "residual": "relative residual",
    "self_max": "largest difference to the finest run",
}


def open_study(path):
    """A file of `gwrm converge`: a dict of its attributes, and arrays over the levels.

    Raises FileNotFoundError, or NotAResult for a file that is no convergence study.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} does not exist")
    require_ordinary(path)
    try:
        with h5py.File(path, "r") as file:
            attributes = {name: _plain(value) for name, value in file.attrs.items()}
            if attributes.get("study") != "convergence":
                raise NotAResult(f"{path} is not a convergence study of gwrm")
            study = {name: file[name][...] for name in ("size", "error", "order", "rate", "fitted", "at_floor")}
    except (OSError, KeyError, RuntimeError) as error:
        raise NotAResult(f"{path} is not a convergence study of gwrm: {error}") from error
    return {**attributes, **study}


def is_study(path):
    """True for a file of `gwrm converge`."""
    require_ordinary(path)
    try:
        with h5py.File(path, "r") as file:
            return _plain(file.attrs.get("study", "")) == "convergence"
    except OSError:
        return False


def _plain(value):
    if isinstance(value, bytes):
        return value.decode("utf-8")
    return value.item() if isinstance(value, np.generic) else value


def plot_convergence(path):
    """Draws the errors against the size; returns the matplotlib Figure.

    On axes on which the law is a straight line: the error is logarithmic, the size too unless the law is exponential.
    Full dots are fitted, open ones are not; the dashed line is the fit, the dotted one the floor.
    """
    study = open_study(path)
    seen = np.isfinite(study["error"]) & (study["error"] > 0)
    if not seen.any():
        raise ValueError(f"{path} has no error to draw")
    size, error = study["size"][seen], study["error"][seen]
    fitted = study["fitted"][seen].astype(bool)
    exponential = study["law"] == "exponential"
    with plt.rc_context(look({"axes.xmargin": 0.06})):
        figure, axes = plt.subplots(figsize=(5.4, 3.8))
        axes.plot(size, error, "-", color=COLOURS[0], linewidth=0.8, alpha=0.5)
        axes.plot(size[fitted], error[fitted], "o", color=COLOURS[0], label="errors")
        axes.plot(size[~fitted], error[~fitted], "o", color=COLOURS[0], markerfacecolor="white",
                  label="not fitted" if (~fitted).any() else None)
        _draw_fit(axes, study, size[fitted], exponential)
        if np.isfinite(study["floor"]):
            kind = "round-off" if study["floor_is_rounding"] else "held up"
            axes.axhline(study["floor"], linestyle=":", color=NEUTRAL, label=f"{kind}, {study['floor']:.1e}")
        axes.set_yscale("log")
        if not exponential and (size > 0).all():
            axes.set_xscale("log")
        axes.set_xticks(size, [f"{value:.10g}" for value in size])
        axes.set_xticks([], minor=True)
        axes.set_xlabel(study["size_name"])
        axes.set_ylabel(ERRORS.get(study["measure"], study["measure"]))
        axes.legend()
    return headed(figure, study)


def _draw_fit(axes, study, size, exponential):
    name = "exponential_rate" if exponential else "algebraic_order"
    rate, constant = study[name], study[name + "_constant"]
    if len(size) < 2 or not np.isfinite(rate) or study["law"] == "none":
        return
    dense = np.linspace(size.min(), size.max(), 100) if exponential else np.geomspace(size.min(), size.max(), 100)
    direction = -1.0 if size[-1] > size[0] else 1.0
    line = constant * (np.exp(-rate * dense) if exponential else dense ** (direction * rate))
    label = f"exp($-${rate:.3g} N)" if exponential else f"order {rate:.3g}"
    axes.plot(dense, line, "--", color=COLOURS[1], linewidth=1.0, label=label)
