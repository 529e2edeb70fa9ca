"""The cases of the comparison: where the answers are checked, how exact they have to be, and the answers themselves.

The references share nothing with gwrm: integrals of the Cole-Hopf formula, exact solutions, and for the periodic
cases a Fourier method with far more modes and steps than any program timed here. `python3
references.py` checks them against published or independently computed digits.
"""
import dataclasses
import os
import subprocess
import sys
import tempfile

import numpy as np

import etdrk4_cpp

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Problem:
    title: str
    target: float  # error to reach: maximum over all check points and fields, relative to the largest value
    automatic: float  # resolution.tolerance of gwrm's automatic variant
    fields: tuple  # in the order of the stored answers
    axes: dict  # name -> check points; in gwrm's order of dimensions: t, z, y, x
    make: object  # (axes) -> array (field, t, ..., x)


def cole_hopf_sine(t, x, amplitude, nu):
    """u_t + u u_x = nu u_xx with u(x, 0) = amplitude sin(pi x) and period 2.

    u = int sin(pi y) amplitude f(y) g dy / int f(y) g dy,  f = exp(amplitude cos(pi y) / (2 pi nu)),
    g = exp(-(x-y)^2/(4 nu t)). With y = x - s sqrt(4 nu t) the integrands are entire and fall like exp(-s^2): the
    trapezoidal rule converges faster than any power; halving its step changes no digit (see main). Both exponents
    are joined before exp, shifted by their maximum: f alone covers 43 orders of magnitude.
    """
    strength = amplitude / (2 * np.pi * nu)
    # exp(-s^2) must beat the range of f, 2 |strength|, by 40 more; and f's period must be resolved at the largest t.
    reach = np.sqrt(2 * abs(strength) + 40)
    width = np.sqrt(4 * nu * np.max(t))
    n = int(np.ceil(2 * reach / min(0.05, 0.02 / width)))
    s = np.linspace(-reach, reach, n + 1)
    answer = np.empty((len(t), len(x)))
    for row, time in zip(answer, t):
        y = x[:, None] - s[None, :] * np.sqrt(4 * nu * time)
        exponent = strength * np.cos(np.pi * y) - s**2
        weight = np.exp(exponent - exponent.max(axis=1, keepdims=True))
        row[:] = (weight * amplitude * np.sin(np.pi * y)).sum(axis=1) / weight.sum(axis=1)
    return answer


def burgers_1d(axes):
    return cole_hopf_sine(axes["t"], axes["x"], 0.25, 0.01)[None]


def basdevant(axes):
    return cole_hopf_sine(axes["t"], axes["x"], -1.0, 0.01 / np.pi)[None]


def kdv(axes):
    return (2 / np.cosh(axes["x"] + 2 - 4 * axes["t"][:, None]) ** 2)[None]


def burgers_2d(axes):
    t, y, x = np.ix_(axes["t"], axes["y"], axes["x"])
    part = 1 / (4 * (1 + np.exp((4 * y - 4 * x - t) * 100 / 32)))
    return np.stack([0.75 - part, 0.75 + part])


def burgers_3d(axes):
    """Cole-Hopf, two fronts: u = -2 nu grad(phi)/phi, phi = 1 + E1 + E2, E = exp(k.x + nu |k|^2 t + c)."""
    nu = 0.02
    t, z, y, x = np.ix_(axes["t"], axes["z"], axes["y"], axes["x"])
    first, second = (5, 3, -2), (-3, 4, 4)
    e1 = np.exp(5 * x + 3 * y - 2 * z + nu * 38 * t - 3)
    e2 = np.exp(-3 * x + 4 * y + 4 * z + nu * 41 * t - 2.5)
    return np.stack([-2 * nu * (first[d] * e1 + second[d] * e2) / (1 + e1 + e2) for d in range(3)])


def fourier_2d(nu, n, steps):
    """By peers/fourier_2d.py, n modes a side and `steps` per output interval, in a process of its own."""

    def make(axes):
        with tempfile.TemporaryDirectory() as folder:
            grid, answer = os.path.join(folder, "grid.npz"), os.path.join(folder, "answer.npy")
            np.savez(grid, **axes)
            subprocess.run([sys.executable, os.path.join(HERE, "peers", "fourier_2d.py"), f"{nu}", grid, answer,
                            "--n", str(n), "--steps", str(steps)], check=True)
            return np.load(answer)

    return make


def etdrk4(case, n, steps, otherwise=None):
    """By peers/etdrk4, far finer than any program timed here (check_etdrk4.py: what it is checked against). Without FFTW
    by `otherwise`, or etdrk4_cpp.Missing."""

    def make(axes):
        try:
            program = etdrk4_cpp.program()
        except etdrk4_cpp.Missing:
            if otherwise:
                return otherwise(axes)
            raise
        with tempfile.TemporaryDirectory() as folder:
            answer = os.path.join(folder, "answer.npy")
            subprocess.run([program, case, answer, "--n", str(n), "--steps", str(steps)], check=True,
                           stdout=subprocess.DEVNULL)
            theirs = etdrk4_cpp.axes(program, case)
            if any(not np.allclose(axes[name], theirs[name], rtol=0, atol=1e-12 * np.abs(axes[name]).max()) for name in axes):
                raise ValueError(f"{case}: the program's check points are others")
            return np.load(answer)

    return make


def _square(start, length, end, times):
    points = start + np.linspace(0, length, 65)
    return {"t": np.linspace(0, end, times), "y": points, "x": points}


def _periodic_axes():
    points = np.linspace(0, 2 * np.pi, 65)
    return {"t": np.linspace(0, 1, 8), "y": points, "x": points}


# Time points that are no window ends: solutions of implicit Runge-Kutta type are far better there than between.
PROBLEMS = {
    "burgers_1d": Problem("1D Burgers, nu = 0.01, t in [0, 10]", 1e-9, 1e-9, ("u",),
                          {"t": np.linspace(0, 10, 38), "x": np.linspace(0, 1, 101)}, burgers_1d),
    "basdevant": Problem("Basdevant front, t in [0, 1]", 1e-9, 1e-9, ("u",),
                         {"t": np.linspace(0, 1, 38), "x": np.linspace(-1, 1, 801)}, basdevant),
    "kdv": Problem("KdV soliton, t in [0, 1]", 1e-10, 1e-10, ("u",),
                   {"t": np.linspace(0, 1, 38), "x": np.linspace(-6, 6, 241)}, kdv),
    "burgers_2d": Problem("2D Burgers, Re = 100, 2 fields", 1e-8, 1e-8, ("u", "v"),
                          {"t": np.linspace(0, 1, 12), "y": np.linspace(0, 1, 65), "x": np.linspace(0, 1, 65)},
                          burgers_2d),
    "periodic_2d": Problem("2D Burgers B2 (iv), nu = 0.2, periodic", 1e-8, 1e-8, ("u", "v"), _periodic_axes(),
                           etdrk4("periodic_2d", 128, 400, fourier_2d(0.2, 128, 160))),
    "periodic_2d_sharp": Problem("the same to 1e-11", 1e-11, 1e-11, ("u", "v"), _periodic_axes(),
                                 etdrk4("periodic_2d", 128, 400)),
    "periodic_2d_hard": Problem("2D Burgers B2 (i), nu = 0.03, periodic", 1e-6, 1e-6, ("u", "v"), _periodic_axes(),
                                etdrk4("periodic_2d_hard", 480, 200, fourier_2d(0.03, 448, 200))),
    "shear_layer": Problem("double shear layer, vorticity, nu = 0.02, periodic", 1e-6, 1e-6, ("w",),
                           _square(0, 2 * np.pi, 5, 11), etdrk4("shear_layer", 128, 200)),
    "shear_layer_sharp": Problem("the same to 1e-8, in vorticity, and in velocity and pressure", 1e-8, 1e-8, ("w",),
                                 _square(0, 2 * np.pi, 5, 11), etdrk4("shear_layer", 128, 200)),
    "gray_scott_2d": Problem("2D Gray-Scott, t in [0, 100], periodic", 1e-6, 1e-6, ("u", "v"), _square(-1, 2, 100, 11),
                             etdrk4("gray_scott_2d", 192, 80)),
    "kuramoto_sivashinsky": Problem("Kuramoto-Sivashinsky, t in [0, 60], periodic", 1e-6, 1e-6, ("u",),
                                    {"t": np.linspace(0, 60, 13), "x": np.linspace(0, 32 * np.pi, 257)},
                                    etdrk4("kuramoto_sivashinsky", 256, 3000)),
    "kdv_burgers": Problem("KdV-Burgers of Dedalus' example, periodic", 5e-7, 5e-7, ("u",),
                           {"t": np.linspace(0, 10, 11), "x": np.linspace(0, 10, 501)},
                           etdrk4("kdv_burgers", 1250, 4000)),
    "burgers_3d": Problem("3D Burgers, nu = 0.02, 3 fields, exact", 1e-6, 1e-6, ("u", "v", "w"),
                          {"t": np.linspace(0, 0.25, 6), "z": np.linspace(0, 1, 17), "y": np.linspace(0, 1, 17),
                           "x": np.linspace(0, 1, 17)}, burgers_3d),
    "burgers_3d_sharp": Problem("the same to 1e-9", 1e-9, 1e-9, ("u", "v", "w"),
                                {"t": np.linspace(0, 0.25, 6), "z": np.linspace(0, 1, 17), "y": np.linspace(0, 1, 17),
                                 "x": np.linspace(0, 1, 17)}, burgers_3d),
}


def reference_file(name, folder):
    """Path of the stored check points and answers of a case; made on the first call."""
    path = os.path.join(folder, f"reference_{name}.npz")
    if not os.path.exists(path):
        problem = PROBLEMS[name]
        values = problem.make(problem.axes)
        temporary = path + ".part.npz"
        np.savez(temporary, values=values, **problem.axes)
        os.replace(temporary, path)
    return path


def relative_error(values, reference):
    """Maximum norm over all fields and check points, relative to the largest value. Not a number counts as infinite."""
    if values.shape != reference.shape:
        raise ValueError(f"answers have the shape {values.shape}, expected {reference.shape}")
    error = np.max(np.abs(values - reference)) / np.max(np.abs(reference))
    return float(error) if np.isfinite(error) else float("inf")


def main():
    """Known digits: Cole-Hopf series summed with 40 digits, and exact solutions."""
    known = [
        ("Burgers sin(pi x), nu = 0.1, u(.5, 1)", cole_hopf_sine([1.0], np.array([0.5]), 1.0, 0.1),
         0.291915957125835537),
        ("Burgers sin(pi x), nu = 0.01, u(.8, 1)", cole_hopf_sine([1.0], np.array([0.8]), 1.0, 0.01),
         0.591476197109891914),
        ("Basdevant u(.05, .5)", cole_hopf_sine([0.5], np.array([0.05]), -1.0, 0.01 / np.pi), -0.978982178395071105),
        ("KdV u(2.5, 1)", kdv({"t": np.array([1.0]), "x": np.array([2.5])}), 1.57289546593185482),
        ("2D Burgers u(.5, .6, 1)", burgers_2d({k: np.array([v]) for k, v in (("t", 1.0), ("y", 0.6), ("x", 0.5))})[0],
         0.533241060049457313),
    ]
    worst = 0.0
    for what, value, digits in known:
        difference = abs(float(np.ravel(value)[0]) - digits)
        worst = max(worst, difference)
        print(f"{what:42s} {float(np.ravel(value)[0]):.16f}  off by {difference:.1e}")
    # The exponent of Basdevant's front reaches 200, so exp loses two of sixteen digits.
    sys.exit(0 if worst < 2e-13 else f"a reference is off by {worst:.1e}")


if __name__ == "__main__":
    main()
