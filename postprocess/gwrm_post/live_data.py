"""The answer of a result file as a live page takes it (live_page/series.js): a description for JSON, and all coefficients
as packed bytes."""

import base64
import math
import zlib

import numpy as np

from .answer import basis_numbers, recurrence

ALLOWED = 5e-13  # what rounding may change of a value, relative to the unknown's largest
COARSER = 6  # so many powers of ten more, where a page would be too long otherwise
DEVIATIONS = 8  # of a sum of independent rounding errors
SAMPLES = 200_000  # of an unknown, for the range of its values


def describe(answer, most_bytes):
    """(description, packed coefficients) of a `gwrm_post.answer.Answer`. Coefficients are rounded, and those left out that
    are then zero at the end of a series; where the text would be longer than `most_bytes`, more than ALLOWED is rounded off,
    which the description says (`rounding`). ValueError if it is too long even so, or has a basis that is not known."""
    exact = {name: [_in_window(answer, name, window) for window in range(_n_parts(answer, name))]
             for name in answer.fields}
    for power in range(COARSER + 1):
        allowed = ALLOWED * 10**power
        parts = {name: _shortened(answer, name, arrays, allowed) for name, arrays in exact.items()}
        packed = _packed([array for arrays in parts.values() for array in arrays])
        if len(packed) <= most_bytes:
            return _description(answer, parts, allowed), packed
    raise ValueError(f"a live page of this answer would have {len(packed) / 1e6:.1f} MB beside its scripts, "
                     f"{max(most_bytes, 0) / 1e6:.1f} MB are allowed: --page-size MB allows more, --field NAME takes less")


def _n_parts(answer, name):
    return answer.n_windows if "window" in answer.coefficients[name].dims else 1


def _in_window(answer, name, window):
    """(pieces, functions) for each axis; along Fourier series cosines and sines of a wavenumber side by side, so that high
    ones stand last."""
    values, axes = answer.series(name, window)
    for place, axis in enumerate(axes):
        if answer.axes[axis].is_periodic:
            values = np.take(values, _by_wavenumber(values.shape[2 * place + 1]), 2 * place + 1)
    return values


def _by_wavenumber(n):
    """a_0, a_1, b_1, a_2, b_2, .. from a_0 .. a_M, b_1 .. b_M."""
    highest = (n - 1) // 2
    return [0] + [place for k in range(1, highest + 1) for place in (k, highest + k)]


def _shortened(answer, name, arrays, allowed):
    """Rounded to multiples of a power of two, so that no value changes by more than `allowed` times the largest. Polynomials
    of distributions have no bound, and theirs stay as they are."""
    of_axes = [answer.axes[axis] for axis in answer.fields[name]]
    if not any(axis.is_orthonormal for axis in of_axes) and all(np.isfinite(array).all() for array in arrays):
        size = max(_root_mean_square(array) for array in arrays)
        arrays = [_rounded(array, allowed * size) for array in arrays]
    return [_without_zeros(array, of_axes) for array in arrays]


def _root_mean_square(array):
    """Of one subdomain, the largest, in the weight in which T_k, or cosines and sines, are orthogonal: at most the largest
    value. The mean square of a product is halved by each function that is not 1."""
    squares = array**2
    for place in range(1, array.ndim, 2):
        halves = np.full(array.shape[place], 0.5)
        halves[0] = 1.0
        squares = np.moveaxis(np.moveaxis(squares, place, -1) * halves, -1, place)
    return math.sqrt(np.max(squares.sum(axis=tuple(range(1, array.ndim, 2)))))


def _rounded(array, change):
    """A value is the sum of n coefficients times at most 1, the error of each at most half a step: uniform, of deviation
    step/sqrt(12). Their sum is below DEVIATIONS deviations, and below n/2 steps."""
    if change == 0 or array.ndim == 0:
        return array
    n = math.prod(array.shape[1::2])
    step = 2.0 ** math.floor(math.log2(change / min(DEVIATIONS * math.sqrt(n / 12), n / 2)))
    return np.round(array / step) * step


def _without_zeros(array, of_axes):
    for place, axis in enumerate(of_axes):
        others = tuple(i for i in range(array.ndim) if i != 2 * place + 1)
        used = np.flatnonzero(np.any(array != 0, axis=others))
        count = int(used[-1]) + 1 if used.size else 1
        array = np.take(array, np.arange(count), 2 * place + 1)
    return array


def _packed(arrays):
    """Base64 of gzip of the bytes by their place in a number: those of like weight beside one another compress better."""
    numbers = np.concatenate([array.ravel() for array in arrays]).astype("<f8")
    planes = numbers.view(np.uint8).reshape(-1, 8).T.tobytes()
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)  # 31: the frame of gzip, without a date
    return base64.b64encode(compressor.compress(planes) + compressor.flush()).decode("ascii")


def _description(answer, parts, allowed):
    offset, unknowns = 0, []
    for name, arrays in parts.items():
        low, high = _range(answer, name)
        unknown = {"name": name, "axes": answer.fields[name], "windowed": "window" in answer.coefficients[name].dims,
                   "low": low, "high": high, "parts": []}
        for array in arrays:
            unknown["parts"].append({"offset": offset, "shape": list(array.shape)})
            offset += array.size
        unknowns.append(unknown)
    return {"axes": [_axis(answer, axis) for axis in answer.axes.values()], "time": answer.time,
            "windows": [_window(answer, window) for window in range(answer.n_windows)], "unknowns": unknowns,
            "rounding": allowed}


def _axis(answer, axis):
    lower, upper = _ends(answer, axis.name)
    described = {"name": axis.name, "kind": axis.kind, "lower": lower, "upper": upper, "log": axis.map == "log",
                 "basis": "fourier" if axis.is_periodic else "chebyshev", "distribution": axis.distribution}
    if axis.is_orthonormal:
        a, b = recurrence(axis.basis, axis.degree + 1)
        described.update(basis="polynomials", a=a.tolist(), b=b.tolist())
        family, numbers = basis_numbers(axis.basis)
        if family == "hermite":
            described.update(centre=numbers[0], deviation=numbers[1])
    if axis.name == answer.time and axis.name == "mode":  # eigenvalue problems: a window for each
        described["places"] = list(range(answer.n_windows))
    return described


def _ends(answer, axis):
    """Windows may cover less than the whole time."""
    if axis == answer.time:
        return float(answer.windows["start"].values[0]), float(answer.windows["end"].values[-1])
    return answer.axes[axis].lower, answer.axes[axis].upper


def _window(answer, window):
    edges = {axis: [float(edge) for edge in answer.edges(axis, window)] for axis in answer.axes if axis != answer.time}
    if answer.time is None:
        return {"edges": edges}
    start, end = answer.edges(answer.time, window)
    return {"start": float(start), "end": float(end), "edges": edges}


def _range(answer, name):
    """The least and the largest of so many values, and of what is not finite (None, None): where colours and axes begin
    and end."""
    axes = list(answer.fields[name])
    if "window" in answer.coefficients[name].dims and answer.time not in axes:
        axes = [answer.time] + axes
    if not axes:
        values = answer(name).values
    else:
        count = max(3, min(201, int(SAMPLES ** (1 / len(axes)))))
        values = answer(name, **{axis: _samples(answer, axis, count) for axis in axes}).values
    low, high = float(np.min(values)), float(np.max(values))
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)


def _samples(answer, axis, count):
    lower, upper = _ends(answer, axis)
    if axis == "mode":
        return np.arange(answer.n_windows, dtype=float)
    if answer.axes[axis].map == "log":
        return np.clip(np.geomspace(lower, upper, count), lower, upper)
    return np.linspace(lower, upper, count)
