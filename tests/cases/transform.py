#!/usr/bin/env python3
"""gwrm transform: arrays to coefficients and back through the real program, against closed forms and sums by numpy; files and
options that are no good.

    transform.py GWRM
"""
import json
import pathlib
import sys
import unittest

try:
    import h5py
    import numpy as np
    import xarray as xr
except ImportError:
    h5py = None

from program import ProgramTest


class Transform(ProgramTest):
    @classmethod
    def setUpClass(cls):
        if h5py is None:
            raise unittest.SkipTest("no h5py or xarray")
        super().setUpClass()

    def write(self, name, **arrays):
        with h5py.File(self.folder / name, "w") as file:
            for key, values in arrays.items():
                file[key] = values

    def write_on(self, name, values, **coordinates):
        """The array f, each list of coordinates as the scale of one of its dimensions, the last of them of the last."""
        with h5py.File(self.folder / name, "w") as file:
            f = file.create_dataset("f", data=values)
            for d, (key, points) in enumerate(coordinates.items(), np.ndim(values) - len(coordinates)):
                file[key] = points
                file[key].make_scale(key)
                f.dims[d].attach_scale(file[key])

    def report(self, *arguments):
        done = self.transform("in.h5", "out.h5", *arguments, "--overwrite", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            return json.loads(done.stdout), {key: file[key][...] for key in file if key.startswith("f")}

    def transform(self, *arguments):
        return self.run_gwrm("transform", *arguments)

    def transformed(self, *arguments):
        done = self.transform(*arguments, "--overwrite", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertLess(report["error"], 1e-11)
        with xr.open_dataset(self.folder / arguments[1], engine="h5netcdf") as data:
            return data.load()

    def refused(self, *words, arguments, status=2):
        done = self.transform("in.h5", "never.h5", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "never.h5").exists())

    def test_chebyshev(self):
        x = np.cos(np.pi * (2 * np.arange(40) + 1) / 80)
        a = np.random.default_rng(1).uniform(-1, 1, (2, 3, 40))
        f = np.moveaxis(np.polynomial.chebyshev.chebval(x, np.moveaxis(a, 2, 0)), -1, 2)
        self.write("in.h5", f=f)
        found = self.transformed("in.h5", "out.h5", "--kind", "chebyshev", "--dataset", "f", "--degree", "n=30")
        self.assertEqual(found.f.dims, ("dim_0", "dim_1", "n"))
        np.testing.assert_allclose(found.f, a[..., :31], atol=1e-14)
        self.transformed("in.h5", "out.h5", "--kind", "chebyshev", "--dataset", "f")
        back = self.transformed("out.h5", "back.h5", "--kind", "chebyshev", "--dataset", "f", "--inverse")
        np.testing.assert_allclose(back.f, f, atol=1e-13)
        np.testing.assert_allclose(back.x, x, atol=1e-15)

    def test_legendre(self):
        x = np.cos(np.pi * (2 * np.arange(40) + 1) / 80)
        a = np.random.default_rng(3).uniform(-1, 1, (3, 40))
        f = np.polynomial.legendre.legval(x, a.T)
        self.write("in.h5", f=f)
        found = self.transformed("in.h5", "out.h5", "--kind", "legendre", "--dataset", "f", "--degree", "n=30")
        np.testing.assert_allclose(found.f, a[:, :31], atol=2e-14)
        self.transformed("in.h5", "out.h5", "--kind", "legendre", "--dataset", "f")
        back = self.transformed("out.h5", "back.h5", "--kind", "legendre", "--dataset", "f", "--inverse")
        np.testing.assert_allclose(back.f, f, atol=1e-13)

    def test_jones_worland(self):
        # W_0^l = c r^l, with c^2 int_0^1 r^(2l) / sqrt(1 - r^2) dr = 1: for l = 4 the integral is 35 pi / 256; W_1^0 by its
        # closed form.
        r = np.cos(np.pi * (2 * np.arange(12) + 1) / 48)
        self.write("in.h5", f=np.array([r**4, 2 * r**4]), g=np.sqrt(4 / np.pi) * (2 * r**2 - 1))
        jones_worland = ("--kind", "jones_worland", "--dataset")
        found = self.transformed("in.h5", "out.h5", *jones_worland, "f", "--degree", "l=4,n=7")
        self.assertEqual(found.f.dims, ("dim_0", "n"))
        np.testing.assert_allclose(found.f, np.outer([1, 2], np.eye(8)[0]) * np.sqrt(35 * np.pi / 256), atol=1e-15)
        back = self.transformed("out.h5", "back.h5", *jones_worland, "f", "--degree", "l=4", "--grid", "r=12", "--inverse")
        np.testing.assert_allclose(back.f[1], 2 * r**4, atol=1e-14)
        np.testing.assert_allclose(back.r, r, atol=1e-15)
        found = self.transformed("in.h5", "out.h5", *jones_worland, "g", "--degree", "l=0")
        np.testing.assert_allclose(found.g, np.eye(12)[1], atol=1e-15)

    def test_spherical(self):
        x, _ = np.polynomial.legendre.leggauss(12)
        theta, phi = np.arccos(x[::-1])[:, None], 2 * np.pi * np.arange(24) / 24
        f = np.sqrt(3 / (4 * np.pi)) * np.cos(theta) + np.sqrt(15 / (8 * np.pi)) * np.sin(theta) * np.cos(theta) * np.cos(phi - 0.3)
        self.write("in.h5", f=f[None])
        found = self.transformed("in.h5", "out.h5", "--kind", "spherical", "--dataset", "f", "--degree", "l=11")
        a = np.zeros((1, 12, 12), complex)
        a[0, 1, 0] = 1
        a[0, 2, 1] = 0.5 * np.exp(-0.3j)
        np.testing.assert_allclose(found.f_re + 1j * found.f_im, a, atol=1e-14)
        back = self.transformed("out.h5", "back.h5", "--kind", "spherical", "--dataset", "f", "--inverse", "--grid", "phi=24")
        self.assertEqual(back.f.dims, ("dim_0", "theta", "phi"))
        np.testing.assert_allclose(back.f[0], f, atol=1e-14)
        np.testing.assert_allclose(back.theta, theta[:, 0], atol=1e-14)

    def test_fourier_nonuniform(self):
        random = np.random.default_rng(2)
        x, y, c = random.uniform(-3, 3, (3, 50))
        self.write("in.h5", x=x, y=y, c=c)
        points = ("--points", "x,y")
        found = self.transformed("in.h5", "out.h5", "--kind", "fourier_nonuniform", "--dataset", "c", *points, "--degree", "x=4,y=6")
        n, m = np.arange(-4, 5)[:, None, None], np.arange(-6, 7)[:, None]
        F = (c * np.exp(-1j * (n * x + m * y))).sum(-1)
        np.testing.assert_allclose(found.c_re + 1j * found.c_im, F, atol=1e-10)
        self.assertEqual(list(found.mode_x), list(range(-4, 5)))
        self.write("modes.h5", x=x, y=y, F_re=F.real, F_im=F.imag)
        back = self.transformed("modes.h5", "back.h5", "--kind", "fourier_nonuniform", "--dataset", "F", "--inverse", *points)
        expected = np.einsum("nm,nmp->p", F, np.exp(1j * (n * x + m * y)))
        np.testing.assert_allclose(back.F_re + 1j * back.F_im, expected, atol=1e-9)

    def test_polynomials_at_other_points(self):
        nodes = np.cos(np.pi * (2 * np.arange(33) + 1) / 66)
        exact = {"chebyshev": ([0.5, 0, 0.5, 0], [0, 0.75, 0, 0.25]), "legendre": ([1 / 3, 0, 2 / 3, 0], [0, 0.6, 0, 0.4])}
        cases = [(nodes, "nodes"), (nodes[::-1], "reversed"), (np.float32(nodes), "nodes"), (np.linspace(-1, 1, 33), "fitted"),
                 (np.linspace(1, -1, 33), "fitted"), (np.cos(np.pi * np.arange(33) / 32), "fitted"),
                 (np.sort(np.random.default_rng(5).uniform(-1, 1, 80)), "fitted")]
        for kind, (square, cube) in exact.items():
            for x, points in cases:
                with self.subTest(kind=kind, points=points, first=x[0]):
                    f = np.array([x.astype(float)**2, x.astype(float)**3])
                    self.write_on("in.h5", f, x=x)
                    report, found = self.report("--kind", kind, "--dataset", "f")
                    self.assertEqual(report["points"], {"x": points})
                    self.assertLess(report["residual"], 1e-13)
                    expected = np.zeros_like(found["f"])
                    expected[:, :4] = square, cube
                    np.testing.assert_allclose(found["f"], expected, atol=1e-6 if x.dtype == np.float32 else 1e-13)
        np.testing.assert_array_less(32, found["f"].shape[1])  # random points: more than 33 of 80 modes

    def test_own_result(self):
        (self.folder / "square.yaml").write_text("""
domain: {x: [-1, 1]}
unknowns: [u]
equations: ["dx(u,2) = 2"]
boundary: ["u(x=-1) = 1", "u(x=1) = 1"]
resolution: {degree: {x: 8}}
output: {grid: {x: 33}}
""")
        self.assertEqual(self.run_gwrm("run", "square.yaml", "-o", "in.h5", "--overwrite").returncode, 0)
        done = self.transform("in.h5", "out.h5", "--kind", "chebyshev", "--dataset", "u", "--degree", "n=4", "--overwrite")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("least-squares series of degree 4 through the 33 points x in [-1, 1]", done.stdout)
        with h5py.File(self.folder / "out.h5") as file:
            np.testing.assert_allclose(file["u"], [0.5, 0, 0.5, 0, 0], atol=1e-14)

    def test_residual_of_the_data(self):
        x = np.linspace(-1, 1, 41)
        f = 2 * np.abs(x)
        self.write_on("in.h5", f, x=x)
        report, found = self.report("--kind", "chebyshev", "--dataset", "f", "--degree", "n=6")
        np.testing.assert_allclose(found["f"], np.polynomial.chebyshev.chebfit(x, f, 6), atol=1e-13)
        residual = np.abs(np.polynomial.chebyshev.chebval(x, found["f"]) - f).max() / 2
        self.assertAlmostEqual(report["residual"], residual, delta=1e-13)
        self.assertGreater(residual, 0.01)
        done = self.transform("in.h5", "out.h5", "--kind", "legendre", "--dataset", "f", "--degree", "n=6", "--overwrite")
        self.assertIn(f"residual of the data: {residual:.2g}", done.stdout)

    def test_no_coordinates(self):
        x = np.cos(np.pi * (2 * np.arange(9) + 1) / 18)
        self.write("in.h5", f=x**2)
        report, found = self.report("--kind", "chebyshev", "--dataset", "f")
        self.assertEqual(report["points"], {"x": "assumed"})
        np.testing.assert_allclose(found["f"], 0.5 * np.isin(np.arange(9), [0, 2]), atol=1e-15)
        done = self.transform("in.h5", "out.h5", "--kind", "chebyshev", "--dataset", "f", "--overwrite")
        self.assertIn("no coordinates x: the values are taken as lying at the nodes", done.stdout)
        xr.Dataset({"f": ("x", x**2)}).to_netcdf(self.folder / "in.h5", engine="h5netcdf")  # a dimension without variable
        self.assertEqual(self.report("--kind", "chebyshev", "--dataset", "f")[0]["points"], {"x": "assumed"})

    def test_sphere_and_ball_with_coordinates(self):
        z, _ = np.polynomial.legendre.leggauss(8)
        theta, phi = np.arccos(z[::-1]), 2 * np.pi * np.arange(16) / 16
        for points, angles in (("nodes", theta), ("reversed", theta[::-1])):
            self.write_on("in.h5", np.cos(angles)[:, None] * np.ones(16), theta=angles, phi=phi)
            report, found = self.report("--kind", "spherical", "--dataset", "f")
            self.assertEqual(report["points"], {"theta": points, "phi": "nodes"})
            self.assertLess(report["residual"], 1e-14)
            expected = np.zeros((8, 8))
            expected[1, 0] = np.sqrt(4 * np.pi / 3)
            np.testing.assert_allclose(found["f_re"], expected, atol=1e-14)
        spherical = ("--kind", "spherical", "--dataset", "f")
        f = np.ones((8, 16))
        self.write_on("in.h5", f, theta=np.pi * (np.arange(8) + 0.5) / 8, phi=phi)
        self.refused("in.h5", "dataset f", "theta[0] is 0.196", "Gauss-Legendre", "leggauss(8)", arguments=spherical)
        self.write_on("in.h5", f, theta=theta, phi=2 * np.pi * (np.arange(16) + 0.5) / 16)
        self.refused("phi[0] is 0.196", "2 pi j / 16", arguments=spherical)
        self.write_on("in.h5", f, theta=theta, phi=phi[::-1])
        self.refused("phi[0]", "expected 0:", arguments=spherical)
        self.write_on("in.h5", f, theta=np.degrees(theta), phi=phi)
        self.refused("in radians", arguments=spherical)

        r = np.cos(np.pi * (2 * np.arange(12) + 1) / 48)
        ball = ("--kind", "jones_worland", "--dataset", "f", "--degree", "l=4,n=3")
        for points, radii in (("nodes", r), ("reversed", r[::-1])):
            self.write_on("in.h5", radii**4, r=radii)
            report, found = self.report(*ball)
            self.assertEqual(report["points"], {"r": points})
            self.assertLess(report["residual"], 1e-14)
            np.testing.assert_allclose(found["f"], np.eye(4)[0] * np.sqrt(35 * np.pi / 256), atol=1e-15)
        self.write_on("in.h5", r**4, r=np.linspace(0, 1, 12))
        self.refused("r[0] is 0, expected", "the 12 radii cos(pi (2 k + 1) / 48)", arguments=ball)

    def test_coordinates_that_are_refused(self):
        chebyshev = ("--kind", "chebyshev", "--dataset", "f")
        x = np.linspace(-1, 1, 33)
        for kind in ("chebyshev", "legendre"):
            self.write_on("in.h5", x**2, x=x)
            self.refused("33 coordinates x", "degree 30", "--degree n=2", "cos(pi (2 i + 1) / 66)",
                         arguments=("--kind", kind, "--dataset", "f", "--degree", "n=30"))
        self.write_on("in.h5", x**2, x=5 * x + 5)
        self.refused("in.h5", "dataset f", "x range from 0 to 10", "within [-1, 1]", "x = 2 (x - 0) / (10 - 0) - 1",
                     arguments=chebyshev)
        self.write_on("in.h5", x**2, x=np.arange(33))
        self.refused("x range from 0 to 32", arguments=chebyshev)
        for kind in ("chebyshev", "jones_worland"):
            holes = x.copy()
            holes[7] = np.nan
            self.write_on("in.h5", x**2, x=holes)
            arguments = ("--kind", kind, "--dataset", "f", *(("--degree", "l=2") if kind == "jones_worland" else ()))
            self.refused("coordinates x are not finite at index 7", arguments=arguments)
            mixed = x.copy()
            mixed[[4, 5]] = mixed[[5, 4]]
            self.write_on("in.h5", x**2, x=mixed)
            self.refused("neither ascend nor descend", "x[4] =", arguments=arguments)
        self.write_on("in.h5", x**2, x=x)
        with h5py.File(self.folder / "in.h5", "a") as file:
            del file["x"]
        self.refused("in.h5", "dimension 0 has been deleted", "DIMENSION_LIST", arguments=chebyshev, status=8)
        self.write_on("in.h5", x**2, x=np.repeat(x[::3], 3))
        self.refused("neither ascend nor descend", arguments=chebyshev)

    def test_coordinates_of_own_values(self):
        self.write("modes.h5", f=np.random.default_rng(8).uniform(-1, 1, (2, 9)))
        for kind, dimension, degree in (("chebyshev", "x", ()), ("legendre", "x", ()), ("jones_worland", "r", ("--degree", "l=3"))):
            self.transformed("modes.h5", "in.h5", "--kind", kind, "--dataset", "f", "--inverse", *degree)
            report, _ = self.report("--kind", kind, "--dataset", "f", *degree)
            self.assertEqual(report["points"], {dimension: "nodes"})
        self.write("modes.h5", f_re=np.tril(np.ones((5, 5))), f_im=np.zeros((5, 5)))
        self.transformed("modes.h5", "in.h5", "--kind", "spherical", "--dataset", "f", "--inverse")
        report, _ = self.report("--kind", "spherical", "--dataset", "f")
        self.assertEqual(report["points"], {"theta": "nodes", "phi": "nodes"})

    def test_what_does_not_fit_is_refused(self):
        f = np.ones((4, 9))
        holes = f.copy()
        holes[2, 3] = np.nan
        self.write("in.h5", f=f, line=np.ones(5), holes=holes, words=np.array([b"a"]), x=np.ones(3), even=np.ones(4))
        spherical = ("--kind", "spherical", "--dataset")
        self.refused("in.h5", "'g'", "holes, line", arguments=(*spherical, "g"))
        self.refused("in.h5", "holes", "1 of 36", "[2, 3]", arguments=(*spherical, "holes"))
        self.refused("in.h5", "line", "1 dimension:", "at least 2", arguments=(*spherical, "line"))
        self.refused("in.h5", "dataset f", "4 points in theta, at least 5", arguments=(*spherical, "f", "--degree", "l=4"))
        self.refused("from 0 to 4095", arguments=(*spherical, "f", "--degree", "l=5000"))
        self.refused("--degree", "'n'", arguments=(*spherical, "f", "--degree", "n=3"))
        self.refused("--degree", "l=x", arguments=(*spherical, "f", "--degree", "l=x"))
        self.refused("9 points, at least 21", arguments=("--kind", "chebyshev", "--dataset", "f", "--degree", "n=20"))
        self.refused("l=3", arguments=("--kind", "jones_worland", "--dataset", "f"))
        self.refused("9 points, at least 13", arguments=("--kind", "jones_worland", "--dataset", "f", "--degree", "l=10,n=7"))
        self.refused("words", arguments=("--kind", "chebyshev", "--dataset", "words"), status=8)
        self.refused("--points", arguments=("--kind", "fourier_nonuniform", "--dataset", "x"))
        self.refused("--degree x=15", arguments=("--kind", "fourier_nonuniform", "--dataset", "x", "--points", "x"))
        self.refused("from -N", arguments=("--kind", "fourier_nonuniform", "--dataset", "even", "--points", "x", "--inverse"))
        done = self.transform("in.h5", "in.h5", "--kind", "chebyshev", "--dataset", "f", "--overwrite")
        self.assertEqual(done.returncode, 8)
        done = self.transform("none.h5", "never.h5", "--kind", "chebyshev", "--dataset", "f")
        self.assertEqual(done.returncode, 2)
        done = self.transform("in.h5", "never.h5", "--kind", "fourier", "--dataset", "f")
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    ProgramTest.program = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
