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
    elif name not in "xyz":
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


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    plt.close("all")
