"""The answer of a result file as a live page takes it (live_page/series.js): a description for JSON, and all
coefficients as packed bytes."""

import base64
import json
import math
import zlib

import numpy as np

from .answer import basis_numbers, recurrence

ALLOWED = 5e-13  # what rounding may change of a value, relative to the unknown's largest
COARSER = 6  # so many powers of ten more, where a page would be too long otherwise
DEVIATIONS = 8  # of a sum of independent rounding errors
SAMPLES = 200_000  # of an unknown, for the range of its values


def describe(answer, most_bytes, coarser=True, level=9):
    """(description, packed coefficients) of a `gwrm_post.answer.Answer`. Coefficients are rounded, and those left out
    that are then zero at the end of a series; where both would be longer than `most_bytes`, more than ALLOWED is
    rounded off, which the description says (`rounding`), unless `coarser` is False. `level`: 9 is shortest, 1 soonest.
    ValueError if it is too long even so, for a basis that is not known, and for series that are not finite."""
    count = sum(answer.coefficients[name].size for name in answer.fields)
    if not coarser and count > most_bytes:  # more than a byte for each: nothing has to be tried
        raise ValueError(f"a live page of {count} coefficients is too long")
    exact = {name: [_in_window(answer, name, window) for window in range(_n_parts(answer, name))]
             for name in answer.fields}
    ranges = {name: _range(answer, name, arrays) for name, arrays in exact.items()}
    for power in range(COARSER + 1 if coarser else 1):
        allowed = ALLOWED * 10**power
        parts = {name: [_part(answer, name, array, allowed * max(map(abs, ranges[name]))) for array in arrays]
                 for name, arrays in exact.items()}
        packed = _packed([integers for of_unknown in parts.values() for integers, _ in of_unknown], level)
        description = _description(answer, parts, ranges, allowed)
        length = len(packed) + len(json.dumps(description, separators=(",", ":")))
        if length <= most_bytes:
            return description, packed
    raise ValueError(f"a live page of this answer would have {length / 1e6:.2g} MB beside its scripts, where "
                     f"{max(most_bytes, 0) / 1e6:.2g} MB are left: --page-size MB allows more, --field NAME takes less")


def _n_parts(answer, name):
    return answer.n_windows if "window" in answer.coefficients[name].dims else 1


def _in_window(answer, name, window):
    """(pieces, functions) for each axis; along Fourier series cosines and sines of a wavenumber side by side, so that
    high ones stand last."""
    values, axes = answer.series(name, window)
    for place, axis in enumerate(axes):
        if answer.axes[axis].is_periodic:
            values = np.take(values, _by_wavenumber(values.shape[2 * place + 1]), 2 * place + 1)
    return values


def _by_wavenumber(n):
    """a_0, a_1, b_1, a_2, b_2, .. from a_0 .. a_M, b_1 .. b_M."""
    highest = (n - 1) // 2
    return [0] + [place for k in range(1, highest + 1) for place in (k, highest + k)]


def _part(answer, name, array, change):
    """(integers, step), step times integers are the coefficients of one window so that no value changes by more than
    `change`; without zeros at the end of each axis.

    A value is the sum of n coefficients times functions below a bound (1 of T_k, cosines and sines), the error of each
    at most half a step: uniform, of deviation step/sqrt(12). Their sum is below DEVIATIONS deviations, and below n/2
    steps.
    """
    of_axes = [answer.axes[axis] for axis in answer.fields[name]]
    largest = float(np.max(np.abs(array)))
    if largest == 0:
        return np.zeros([1] * array.ndim, np.int64), 1.0
    n, bound = math.prod(array.shape[1::2]), math.prod(_bound(axis) for axis in of_axes)
    step = max(change / (bound * min(DEVIATIONS * math.sqrt(n / 12), n / 2)), largest / 2**51)
    step = 2.0 ** math.floor(math.log2(step))
    return _without_zeros(np.round(array / step).astype(np.int64), of_axes), step


def _bound(axis):
    """Of the functions along an axis; polynomials of distributions, at the ends of the interval mostly, are asked."""
    if not axis.is_orthonormal:
        return 1.0
    z = np.geomspace(axis.lower, axis.upper, 201) if axis.map == "log" else np.linspace(axis.lower, axis.upper, 201)
    z = np.clip(z, axis.lower, axis.upper)
    return float(np.max(np.abs(axis.values(np.eye(axis.degree + 1), z, axis.lower, axis.upper, 0))))


def _without_zeros(array, of_axes):
    for place, axis in enumerate(of_axes):
        others = tuple(i for i in range(array.ndim) if i != 2 * place + 1)
        used = np.flatnonzero(np.any(array != 0, axis=others))
        count = int(used[-1]) + 1 if used.size else 1
        array = np.take(array, np.arange(count), 2 * place + 1)
    return array


def _packed(arrays, level):
    """Base64 of gzip of the bytes of 0, -1, 1, -2, 2, .. as 0, 1, 2, 3, 4, .., the lowest bytes of all first: those of
    like weight beside one another compress better."""
    signed = np.concatenate([array.ravel() for array in arrays])
    numbers = np.where(signed < 0, -2 * signed - 1, 2 * signed).astype("<u8")
    planes = numbers.view(np.uint8).reshape(-1, 8).T.tobytes()
    compressor = zlib.compressobj(level, zlib.DEFLATED, 31)  # 31: the frame of gzip, without a date
    return base64.b64encode(compressor.compress(planes) + compressor.flush()).decode("ascii")


def _description(answer, parts, ranges, allowed):
    offset, unknowns = 0, []
    for name, of_unknown in parts.items():
        low, high = ranges[name]
        unknown = {"name": name, "axes": answer.fields[name], "windowed": "window" in answer.coefficients[name].dims,
                   "low": low, "high": high, "parts": []}
        for integers, step in of_unknown:
            unknown["parts"].append({"offset": offset, "shape": list(integers.shape), "step": step})
            offset += integers.size
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


def _range(answer, name, arrays):
    """The least and the largest of so many values: where colours and axes begin and end, and what is relative is
    relative to."""
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(f"the series of '{name}' are not finite: there is nothing to draw. --field NAME takes others")
    axes = list(answer.fields[name])
    if "window" in answer.coefficients[name].dims and answer.time not in axes:
        axes = [answer.time] + axes
    count = max(3, min(201, int(SAMPLES ** (1 / max(1, len(axes))))))
    values = answer(name, **{axis: _samples(answer, axis, count) for axis in axes}).values
    return float(np.min(values)), float(np.max(values))


def _samples(answer, axis, count):
    lower, upper = _ends(answer, axis)
    if axis == "mode":
        return np.arange(answer.n_windows, dtype=float)
    if answer.axes[axis].map == "log":
        return np.clip(np.geomspace(lower, upper, count), lower, upper)
    return np.linspace(lower, upper, count)
