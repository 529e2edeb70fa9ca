"""Result files of every shape as gwrm writes them (docs/output-format.md), made with xarray from closed forms."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr

NU = np.geomspace(0.02, 0.2, 5)
T = np.linspace(0.0, 1.0, 11)
X = np.linspace(0.0, 1.0, 21)
Y = np.linspace(-1.0, 1.0, 15)


def coordinate(name, values):
    attributes = {"long_name": name, "units": "1"}
    if name == "t":
        attributes = {"long_name": "time", "units": "1", "axis": "T"}
    elif name not in "sxyz":
        attributes["long_name"] = f"parameter {name}"
    return xr.DataArray(values, dims=name, attrs=attributes)


def field(expression, dims, values):
    return xr.DataArray(values, dims=dims, attrs={"long_name": expression, "expression": expression, "units": "1"})


def write(path, coordinates, fields, statistics=None):
    run = xr.Dataset(fields, {name: coordinate(name, values) for name, values in coordinates.items()},
                     {"source": "gwrm 0.1.0", "title": "A sample", "status": "converged"})
    run.to_netcdf(path, engine="h5netcdf")
    if statistics is not None:
        statistics.to_netcdf(path, engine="h5netcdf", group="statistics", mode="a")
    return str(path)


def decay(nu, t, x):
    return np.exp(-nu * np.pi**2 * t) * np.sin(np.pi * x)


def statistics_of(samples, parameters, coordinates):
    """Made from random samples: (sample, axes...) arrays; the indices are only made to look like some."""
    dims = tuple(coordinates)
    shares = np.linspace(0.6, 0.3, len(parameters)).reshape((-1,) + (1,) * len(dims))
    std = samples.std(axis=0)
    defined = np.where(std > 1e-12, 1.0, np.nan)
    arrays = {
        "u_mean": (dims, samples.mean(axis=0)),
        "u_variance": (dims, std**2),
        "u_std": (dims, std),
        "u_sobol_first": (("parameter",) + dims, shares * defined),
        "u_sobol_total": (("parameter",) + dims, (shares + 0.1) * defined),
    }
    scales = {name: coordinate(name, values) for name, values in coordinates.items()}
    return xr.Dataset(arrays, {**scales, "parameter": np.array(parameters, dtype=object)}, {"fields": "u"})


@pytest.fixture
def viscosity_file(tmp_path):
    """u(t, nu, x), its slope, an energy without x, and statistics of u(t, x)."""
    nu, t, x = NU[None, :, None], T[:, None, None], X[None, None, :]
    u = decay(nu, t, x)
    samples = np.stack([decay(value, T[:, None], X[None, :]) for value in NU])
    return write(tmp_path / "viscosity.h5", {"t": T, "nu": NU, "x": X},
                 {"u": field("u", ("t", "nu", "x"), u),
                  "slope": field("dx(u)", ("t", "nu", "x"), np.gradient(u, X, axis=2)),
                  "energy": field("integral(u^2, x)", ("t", "nu"), (u**2).mean(axis=2))},
                 statistics_of(samples, ["nu", "A"], {"t": T, "x": X}))


@pytest.fixture
def plane_file(tmp_path):
    t, y, x = T[:, None, None], Y[None, :, None], X[None, None, :]
    psi = np.cos(t) * np.sin(np.pi * x) * y
    statistics = statistics_of(np.stack([a * psi for a in (1.0, 1.5, 2.0)]), ["a", "b"], {"t": T, "y": Y, "x": X})
    fields = {"psi": field("psi", ("t", "y", "x"), psi)}
    return write(tmp_path / "plane.h5", {"t": T, "y": Y, "x": X}, fields, statistics)


@pytest.fixture
def ode_file(tmp_path):
    samples = np.stack([np.exp(-a * T) for a in (0.5, 1.0, 2.0)])
    return write(tmp_path / "ode.h5", {"t": T},
                 {"a": field("a", ("t",), np.sin(T)), "b": field("b", ("t",), np.cos(T)), "c": field("c", (), 2.0)},
                 statistics_of(samples, ["rate"], {"t": T}))


@pytest.fixture
def steady_file(tmp_path):
    k = np.linspace(1.0, 2.0, 4)
    return write(tmp_path / "steady.h5", {"k": k, "x": X},
                 {"u": field("u", ("k", "x"), np.sin(k[:, None] * X)),
                  "total": field("integral(u, x)", ("k",), (1 - np.cos(k)) / k)},
                 statistics_of(np.array([1.0, 2.0, 4.0]), ["k", "q"], {}))


@pytest.fixture
def branch_file(tmp_path):
    s = np.array([0.0, 1.0, 2.0])
    fields = {"u": field("u", ("s", "x"), np.outer(s, X)), "lam": field("lam", ("s",), [1.0, 2.0, 1.5]),
              "norm_u": field("sqrt(integral(u^2, x))", ("s",), [0.1, 0.5, 0.9]), "fold": field("1", ("s",), [0, 1, 0])}
    return write(tmp_path / "branch.h5", {"s": s, "x": X}, fields)


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    plt.close("all")


def mode(axis, kind, lower, upper, degree, scale="linear"):
    return xr.DataArray(np.arange(degree + 1), dims=f"{axis}_mode",
                        attrs={"long_name": f"k of T_k along {axis}", "dimension": axis, "kind": kind, "lower": lower,
                               "upper": upper, "map": scale, "degree": degree})


def interpolate(function, edges, degree, scale="linear"):
    """Chebyshev coefficients of a function of one variable on an interval, by numpy."""
    chosen = np.log(edges) if scale == "log" else np.asarray(edges, float)
    to_z = (lambda z: np.exp(z)) if scale == "log" else (lambda z: z)
    return np.polynomial.chebyshev.chebinterpolate(
        lambda xi: function(to_z((chosen[1] - chosen[0]) / 2 * xi + chosen.mean())), degree)


@pytest.fixture
def answer_file(tmp_path):
    """u = exp(-t) nu sin(x) in two windows of different length, the first with two subdomains along x of degree 8, the
    second with one of degree 12; a number c of its own in each window; four Newton iterations; three checks."""
    edges_t, pieces = [0.0, 0.25, 1.0], [[0.0, 0.5, 2.0], [0.0, 2.0]]
    degrees_x, degree_t, degree_nu = [8, 12], 7, 5
    u = np.zeros((2, degree_t + 1, degree_nu + 1, 2, 13))
    for w in range(2):
        in_t = interpolate(lambda t: np.exp(-t), edges_t[w:w + 2], degree_t)
        in_nu = interpolate(lambda nu: nu, (0.02, 0.2), degree_nu, "log")
        for p in range(len(pieces[w]) - 1):
            in_x = interpolate(np.sin, pieces[w][p:p + 2], degrees_x[w])
            u[w, :, :, p, : len(in_x)] = np.einsum("i,j,k->ijk", in_t, in_nu, in_x)
    edges = np.full((2, 3), np.nan)
    for w in range(2):
        edges[w, : len(pieces[w])] = pieces[w]
    dims = ("window", "t_mode", "nu_mode", "x_piece", "x_mode")
    coefficients = xr.Dataset(
        {"u": (dims, u, {"dimensions": " ".join(dims)}), "c": (("window",), [3.0, 4.0], {"dimensions": "window"})},
        {"t_mode": mode("t", "time", 0.0, 1.0, degree_t), "nu_mode": mode("nu", "parameter", 0.02, 0.2, degree_nu, "log"),
         "x_mode": mode("x", "space", 0.0, 2.0, 12)}, {"axes": "t nu x", "fields": "u c"})
    windows = xr.Dataset({"start": ("window", edges_t[:-1]), "end": ("window", edges_t[1:]),
                          "t_degree": ("window", [degree_t] * 2), "nu_degree": ("window", [degree_nu] * 2),
                          "x_degree": ("window", degrees_x), "x_pieces": ("window", [2, 1]),
                          "x_edges": (("window", "x_edge"), edges)})
    newton = xr.Dataset({name: ("iteration", values) for name, values in {
        "window": [0, 0, 0, 1], "parameter_point": [0, 0, 0, 0], "iteration_in_window": [0, 1, 2, 0],
        "residual": [1.0, 0.1, 0.0, 1e-3], "correction": [1e-1, 1e-4, 0.0, 1e-5], "damping": [0.5, 1.0, 1.0, 1.0],
        "linear_iterations": [0, 0, 0, 0]}.items()})
    verification = xr.Dataset({
        "kind": ("check", np.array(["residual", "tail", "boundary"], dtype=object)),
        "subject": ("check", np.array(["equation 1: dt(u) = -u", "u along x", "u(x=0) = <&>"], dtype=object)),
        "value": ("check", [1e-9, 1e-3, 0.0]), "tolerance": ("check", [1e-3, 1e-4, 1e-6]),
        "judged": ("check", np.array([1, 1, 0], np.int8)), "passed": ("check", np.array([1, 0, 1], np.int8))},
        attrs={"result": "FAIL"})
    path = tmp_path / "answer.h5"
    x = np.linspace(0, 2, 9)
    values = np.exp(-T)[:, None, None] * NU[None, :, None] * np.sin(x)[None, None, :]
    write(path, {"t": T, "nu": NU, "x": x}, {"u": field("u", ("t", "nu", "x"), values)})
    with xr.open_dataset(path) as opened:
        run = opened.load()
    run.attrs.update(status="verification failed", reason="1 of 3 checks failed <b>", warnings="first\nsecond",
                     version="0", git_revision="abc", build="none", device="cpu", linear_solver="dense LU",
                     history="now: gwrm run", n_unknowns=np.int32(7), n_newton_iterations=np.int32(4),
                     n_linear_iterations=np.int32(0), n_factorisations=np.int32(4), wall_seconds=0.5,
                     case='title: "A <sample>"')
    run.to_netcdf(path, engine="h5netcdf")
    for name, group in (("coefficients", coefficients), ("windows", windows), ("newton", newton),
                        ("verification", verification)):
        group.to_netcdf(path, engine="h5netcdf", group=name, mode="a")
    return str(path)


@pytest.fixture
def circle_file(tmp_path):
    """u = (1 + t)(3 + 2 cos(z) - sin(3 z) + cos(5 z)), z = pi (x + 1), in two windows whose highest wavenumbers along x are
    5 and 7: the cosines of all wavenumbers stand before the sines, each part with room for 7."""
    room, t_edges = 7, [0.0, 0.5, 2.0]
    in_x = np.zeros(2 * room + 1)
    in_x[[0, 1, 5, room + 3]] = 3, 2, 1, -1
    in_t = np.array([interpolate(lambda t: 1 + t, t_edges[w:w + 2], 1) for w in range(2)])
    dims = ("window", "t_mode", "x_mode")
    x_mode = mode("x", "space", -1.0, 1.0, 2 * room)
    x_mode.attrs.update(degree=room, basis="fourier_real")
    coefficients = xr.Dataset(
        {"u": (dims, in_t[:, :, None] * in_x, {"dimensions": " ".join(dims)})},
        {"t_mode": mode("t", "time", 0.0, 2.0, 1), "x_mode": x_mode}, {"axes": "t x", "fields": "u"})
    windows = xr.Dataset({"start": ("window", t_edges[:-1]), "end": ("window", t_edges[1:]),
                          "t_degree": ("window", [1, 1]), "x_degree": ("window", [5, 7])})
    path = write(tmp_path / "circle.h5", {"x": X}, {})
    coefficients.to_netcdf(path, engine="h5netcdf", group="coefficients", mode="a")
    windows.to_netcdf(path, engine="h5netcdf", group="windows", mode="a")
    return path
