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
