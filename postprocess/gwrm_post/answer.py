"""The answer itself: the series of a result file, Chebyshev or Fourier along each dimension, or polynomials of a
parameter's distribution, evaluated anywhere.

>>> from gwrm_post import open_answer
>>> answer = open_answer("burgers.h5")                                    # doctest: +SKIP
>>> answer("u", t=0.3, x=[0.1, 0.2])                                      # doctest: +SKIP
>>> answer("u", t=0.3, x=[0.1, 0.2], orders={"x": 1})   # du/dx           # doctest: +SKIP
"""

import numpy as np
import xarray as xr

from .runs import open_group


def clenshaw(coefficients, xi):
    """sum over k of a[k] T_k(xi): `coefficients` (n, ...) and points (m) give (m, ...).

    The sum is formed from its end, b_k = a_k + 2 xi b_(k+1) - b_(k+2), which keeps the error at round-off times the sum
    of the magnitudes. All coefficients are those of T_k itself, the first too (it is not halved).
    """
    coefficients, xi = np.asarray(coefficients, float), np.asarray(xi, float)
    xi = xi.reshape((-1,) + (1,) * (coefficients.ndim - 1))
    later = latest = np.zeros(xi.shape[:1] + coefficients.shape[1:])
    for a in coefficients[:0:-1]:
        later, latest = a + 2 * xi * later - latest, later
    return coefficients[0] + xi * later - latest


def derivative(coefficients):
    """Coefficients (n - 1, ...) of the derivative with respect to xi: b_(k-1) = b_(k+1) + 2 k a_k, b_0 halved."""
    n = len(coefficients)
    b = np.zeros((n + 1,) + np.shape(coefficients)[1:])
    for k in range(n - 1, 0, -1):
        b[k - 1] = b[k + 1] + 2 * k * coefficients[k]
    b[0] /= 2
    return b[: max(n - 1, 1)]


def fourier(coefficients, turns, order=0):
    """sum over k of a_k cos(2 pi k s) + b_k sin(2 pi k s) at the positions s = `turns` (m): `coefficients` (2 M + 1, ...)
    are a_0 .. a_M, b_1 .. b_M, the result is (m, ...). `order`: that many derivatives with respect to s.

    Whole turns are taken off k s before the sine, which keeps its last digits for high wavenumbers.
    """
    coefficients, turns = np.asarray(coefficients, float), np.asarray(turns, float)
    highest = (len(coefficients) - 1) // 2
    k = np.arange(highest + 1)
    angle = 2 * np.pi * np.remainder(np.outer(turns, k), 1.0)
    # d/ds cos = -2 pi k sin, d/ds sin = 2 pi k cos: four derivatives bring each back.
    cosine, sine = ((np.cos, np.sin), (lambda z: -np.sin(z), np.cos), (lambda z: -np.cos(z), lambda z: -np.sin(z)),
                    (np.sin, lambda z: -np.cos(z)))[order % 4]
    size = (2 * np.pi * k) ** order if order else np.ones(highest + 1)
    return (np.tensordot(cosine(angle) * size, coefficients[: highest + 1], axes=1)
            + np.tensordot((sine(angle) * size)[:, 1:], coefficients[highest + 1:], axes=1))


def recurrence(basis, n):
    """a_0 .. a_n-1 and b_0 .. b_n of sqrt(b_(k+1)) p_(k+1) = (x - a_k) p_k - sqrt(b_k) p_(k-1), the polynomials that are
    orthonormal for a normal x ("hermite(mean,deviation)"), a uniform one on [-1, 1] ("legendre") and one with the density
    (1 - x)^(b-1) (1 + x)^(a-1) there ("jacobi(a,b)")."""
    family, numbers = basis_numbers(basis)
    k = np.arange(1.0, n + 1)
    if family == "hermite":
        return np.zeros(n), np.concatenate([[0.0], k])
    if family == "legendre":
        return np.zeros(n), np.concatenate([[0.0], k**2 / (4 * k**2 - 1)])
    first, second = numbers
    alpha, beta = second - 1, first - 1
    total = alpha + beta
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (beta - alpha) * total / ((2 * (k - 1) + total) * (2 * k + total))
        b = 4 * k * (k + alpha) * (k + beta) * (k + total) / ((2 * k + total) ** 2 * ((2 * k + total) ** 2 - 1))
    if n > 0:
        a[0] = (beta - alpha) / (total + 2)
        b[0] = 4 * (1 + alpha) * (1 + beta) / ((2 + total) ** 2 * (3 + total))
    return a, np.concatenate([[0.0], b])


def basis_numbers(basis):
    """The name of a basis and its numbers: "jacobi(2,5)" has ("jacobi", [2.0, 5.0]), "legendre" ("legendre", [])."""
    family, _, numbers = basis.rstrip(")").partition("(")
    return family, [float(number) for number in numbers.split(",") if number]


def orthonormal(basis, coefficients, x, order=0):
    """sum over k of a[k] p_k(x) or its derivative with respect to x, of `recurrence`: `coefficients` (n, ...) and points
    (m) give (m, ...)."""
    coefficients, x = np.asarray(coefficients, float), np.asarray(x, float)
    a, b = recurrence(basis, len(coefficients))
    lower = None
    for m in range(order + 1):  # the derivatives of order m from those of the order before
        p = [np.full(x.shape, 1.0 if m == 0 else 0.0)]
        for k in range(len(coefficients) - 1):
            later = (x - a[k]) * p[k] + (m * lower[k] if m else 0.0) - (np.sqrt(b[k]) * p[k - 1] if k else 0.0)
            p.append(later / np.sqrt(b[k + 1]))
        lower = p
    return np.tensordot(np.array(p).T, coefficients, axes=1)


class Axis:
    """A dimension of the answer: `name`, `kind` ("time", "space" or "parameter"), `lower`, `upper`, `map`, `degree`
    (along a Fourier series the highest wavenumber), `basis` ("chebyshev", as in files of format 1, which have one for
    all dimensions, "fourier_real", or of a parameter with a distribution the polynomials of `recurrence`),
    `distribution` ("normal(1, 0.1)"; empty if the file has none)."""

    def __init__(self, mode):
        attributes = mode.attrs
        self.name, self.kind, self.map = (str(attributes[key]) for key in ("dimension", "kind", "map"))
        self.lower, self.upper = float(attributes["lower"]), float(attributes["upper"])
        self.degree = int(attributes["degree"])
        self.basis = str(attributes.get("basis", "chebyshev"))
        self.distribution = str(attributes.get("distribution", ""))

    @property
    def is_periodic(self):
        return self.basis == "fourier_real"

    @property
    def is_orthonormal(self):
        return basis_numbers(self.basis)[0] in ("hermite", "legendre", "jacobi")

    def places(self, degree):
        """Where the coefficients of a window with this degree stand among those of the file, which has room for the
        highest degree of all windows."""
        if self.is_periodic:
            return np.concatenate([np.arange(degree + 1), self.degree + 1 + np.arange(degree)])
        return np.arange(degree + 1)

    def values(self, a, z, lower, upper, order):
        """The series with the coefficients `a` (n, ...) on an interval, or a derivative of it, at the points z (m)."""
        if self.is_periodic:
            return fourier(a, (z - lower) / (upper - lower), order) / (upper - lower) ** order
        if self.is_orthonormal:
            return self.orthonormal_values(a, z, lower, upper, order)
        for _ in range(order):
            a = derivative(a)
        factor = self.slope(z, lower, upper) ** order
        return clenshaw(a, self.reference(z, lower, upper)) * factor.reshape((-1,) + (1,) * (a.ndim - 1))

    def orthonormal_values(self, a, z, lower, upper, order):
        family, numbers = basis_numbers(self.basis)
        if family == "hermite":
            x = ((np.log(z) if self.map == "log" else z) - numbers[0]) / numbers[1]
            slope = 1 / (numbers[1] * (z if self.map == "log" else np.ones(np.shape(z))))
        else:
            x, slope = self.reference(z, lower, upper), self.slope(z, lower, upper)
        return orthonormal(self.basis, a, x, order) * (slope**order).reshape((-1,) + (1,) * (np.ndim(a) - 1))

    def reference(self, z, lower, upper):
        """xi in [-1, 1] of the coordinate z in the interval."""
        if self.map == "log":
            z, lower, upper = np.log(z), np.log(lower), np.log(upper)
        return np.clip((2 * z - lower - upper) / (upper - lower), -1.0, 1.0)

    def slope(self, z, lower, upper):
        """d xi / dz."""
        if self.map == "log":
            return 2 / (z * np.log(upper / lower))
        return np.full(np.shape(z), 2 / (upper - lower))


class Answer:
    """Unknowns as functions of their dimensions. `fields`: name -> names of the dimensions; `axes`: name -> Axis;
    `coefficients`, `windows`: the groups of the file as xarray datasets (`windows` is None where there are none)."""

    def __init__(self, coefficients, windows):
        self.coefficients, self.windows = coefficients, windows
        self.axes = {name: Axis(coefficients[f"{name}_mode"]) for name in str(coefficients.attrs["axes"]).split()}
        names = str(coefficients.attrs["fields"]).split()
        self.fields = {name: str(coefficients[name].attrs["dimensions"]).split() for name in names}
        self.fields = {name: [dim[: -len("_mode")] for dim in dims if dim.endswith("_mode")]
                       for name, dims in self.fields.items()}

    @property
    def time(self):
        """The dimension that is divided into windows (time, or the arc length of a branch), or None."""
        return next((axis.name for axis in self.axes.values() if axis.kind == "time"), None)

    def edges(self, axis, window):
        """The ends of a window, or the edges of the subdomains along an axis within it."""
        if axis == self.time:
            return np.array([self.windows["start"].values[window], self.windows["end"].values[window]])
        if self.windows is not None and f"{axis}_edges" in self.windows:
            count = int(self.windows[f"{axis}_pieces"].values[window])
            return self.windows[f"{axis}_edges"].values[window, : count + 1]
        return np.array([self.axes[axis].lower, self.axes[axis].upper])

    def degree(self, axis, window):
        if self.windows is not None and f"{axis}_degree" in self.windows:
            return int(self.windows[f"{axis}_degree"].values[window])
        return self.axes[axis].degree

    @property
    def n_windows(self):
        return self.windows.sizes["window"] if self.windows is not None else 1

    def series(self, name, window):
        """The coefficients of an unknown in one window without padding, and the axes they belong to: two entries per
        axis, (pieces, modes), in the order of the file (cosines, then sines along a Fourier series). ValueError for a
        basis that is none of those known."""
        for axis in self.fields[name]:
            if self.axes[axis].basis not in ("chebyshev", "fourier_real") and not self.axes[axis].is_orthonormal:
                raise ValueError(f"the coefficients along {axis} are of the basis '{self.axes[axis].basis}': this version "
                                 "of gwrm_post knows chebyshev, fourier_real, hermite, legendre and jacobi")
        array = self.coefficients[name]
        values = (array.isel(window=window) if "window" in array.dims else array).values
        axes = self.fields[name]
        for place, axis in enumerate(axes):
            if f"{axis}_piece" not in array.dims:
                values = np.expand_dims(values, 2 * place)
            keep = [slice(None)] * values.ndim
            keep[2 * place] = slice(len(self.edges(axis, window)) - 1)
            values = np.take(values[tuple(keep)], self.axes[axis].places(self.degree(axis, window)), 2 * place + 1)
        return values, axes

    def __call__(self, name, orders=None, **points):
        """The unknown `name` on the tensor grid of the points given for each of its dimensions (numbers or arrays), as
        a DataArray; a number leaves no dimension. `orders`: derivatives per dimension.

        Raises ValueError for an unknown, dimension or point that the answer does not have, and for second and higher
        derivatives along a logarithmic dimension.
        """
        if name not in self.fields:
            raise ValueError(f"the answer has no unknown '{name}'; it has: {', '.join(self.fields) or 'none'}")
        axes, orders = self.fields[name], dict(orders or {})
        if self.time is not None and self.time not in axes and self.time in points:
            axes = [self.time] + axes  # a number of its own in every window
        for given in (*points, *orders):
            if given not in axes:
                raise ValueError(f"'{name}' has no dimension '{given}'; it has: {', '.join(axes) or 'none'}")
        for axis in self.fields[name]:
            if axis not in points:
                raise ValueError(f"'{name}' depends on {', '.join(axes)}: give {axis}=...")
            if orders.get(axis, 0) > 1 and self.axes[axis].map == "log":
                raise ValueError(f"only first derivatives are formed along {axis}, which has a logarithmic map")
        grid = {axis: self._inside(axis, points[axis]) for axis in axes}
        values = self._by_windows(name, grid, orders)
        flat = tuple(0 if np.ndim(points[axis]) == 0 else slice(None) for axis in axes)
        coordinates = {axis: grid[axis] for axis in axes if np.ndim(points[axis]) > 0}
        return xr.DataArray(values[flat], coordinates, list(coordinates), name=name)

    def _inside(self, axis, points):
        points, of_axis = np.atleast_1d(np.asarray(points, float)), self.axes[axis]
        lower, upper = of_axis.lower, of_axis.upper
        if axis == self.time:  # an unfinished run has less
            lower, upper = float(self.windows["start"].values[0]), float(self.windows["end"].values[-1])
        slack = 1e-12 * (upper - lower)
        outside = points[~((points >= lower - slack) & (points <= upper + slack))]
        if outside.size:
            raise ValueError(f"{axis} = {outside[0]:.6g} is not between {lower:.6g} and {upper:.6g}")
        return np.clip(points, lower, upper)

    def _by_windows(self, name, grid, orders):
        time = self.time
        if time is None or time not in grid or "window" not in self.coefficients[name].dims:
            return self._in_window(name, 0, grid, orders)
        # start < t <= end; the first window has its start too.
        window = np.searchsorted(self.windows["end"].values[:-1], grid[time], side="left")
        values = np.empty([len(points) for points in grid.values()])
        for w in np.unique(window):
            here = window == w
            values[here] = self._in_window(name, w, {**grid, time: grid[time][here]}, orders)
        return values

    def _in_window(self, name, window, grid, orders):
        values, axes = self.series(name, window)
        for axis in axes:  # always the first axis left; its points go last
            edges = self.edges(axis, window)
            piece = np.searchsorted(edges[1:-1], grid[axis], side="left")
            done = np.empty((len(grid[axis]),) + values.shape[2:])
            for p in np.unique(piece):
                here = piece == p
                done[here] = self.axes[axis].values(values[p], grid[axis][here], edges[p], edges[p + 1],
                                                    orders.get(axis, 0))
            values = np.moveaxis(done, 0, -1)
        if self.time in grid and self.time not in axes:
            values = np.broadcast_to(values, (len(grid[self.time]),) + values.shape)
        return values


def open_answer(path):
    """The unknowns of a result file as functions; ValueError if it holds no series (finite differences have none)."""
    coefficients = open_group(path, "coefficients")
    answer = Answer(coefficients, open_group(path, "windows", optional=True))
    if not answer.fields:
        raise ValueError(f"{path} holds no series: its problem is solved on a grid")
    return answer
