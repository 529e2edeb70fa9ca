import math

import numpy as np
import pytest
from numpy.polynomial import chebyshev

from gwrm_post import clenshaw, open_answer
from gwrm_post.answer import derivative, fourier, orthonormal

XI = np.linspace(-1.0, 1.0, 13)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 40])
def test_clenshaw_is_the_sum(n):
    a = np.random.default_rng(n).standard_normal((n, 3))
    expected = sum(a[k] * np.cos(k * np.arccos(XI))[:, None] for k in range(n))
    np.testing.assert_allclose(clenshaw(a, XI), expected, atol=1e-13)


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_derivative_of_a_series(n):
    a = np.random.default_rng(n).standard_normal(n)
    expected = chebyshev.chebder(a) if n > 1 else [0.0]
    np.testing.assert_allclose(derivative(a), expected, atol=1e-13)


def test_values_in_all_windows_and_subdomains(answer_file):
    answer = open_answer(answer_file)
    t, nu, x = np.array([0.0, 0.1, 0.25, 0.2500001, 0.9, 1.0]), [0.02, 0.05, 0.2], np.array([0.0, 0.3, 0.5, 0.51, 2.0])
    u = answer("u", t=t, nu=nu, x=x)
    assert u.dims == ("t", "nu", "x")
    exact = np.exp(-t)[:, None, None] * np.array(nu)[None, :, None] * np.sin(x)
    # 6 coefficients of nu in log nu: error about (log(10)/2)^6/(2^5 6!) of 0.06; the others are below 1e-7
    np.testing.assert_allclose(u, exact, atol=1e-5)
    np.testing.assert_allclose(answer("u", t=0.3, nu=0.02, x=1.0), np.exp(-0.3) * 0.02 * np.sin(1.0), atol=1e-5)
    assert answer("u", t=0.3, nu=0.02, x=1.0).dims == ()


def test_derivatives(answer_file):
    answer = open_answer(answer_file)
    points = {"t": [0.2, 0.7], "nu": 0.1, "x": [0.4, 0.6, 1.9]}
    t, x = np.array(points["t"])[:, None], np.array(points["x"])
    exact = 0.1 * np.exp(-t) * np.cos(x)
    np.testing.assert_allclose(answer("u", orders={"x": 1}, **points), exact, atol=2e-5)
    np.testing.assert_allclose(answer("u", orders={"x": 3, "t": 1}, **points), exact, atol=2e-3)
    np.testing.assert_allclose(answer("u", orders={"nu": 1}, **points), 10 * np.exp(-t) * np.sin(x) * 0.1, atol=1e-3)


def test_a_number_of_its_own_in_every_window(answer_file):
    answer = open_answer(answer_file)
    np.testing.assert_array_equal(answer("c", t=[0.0, 0.25, 0.26, 1.0]), [3.0, 3.0, 4.0, 4.0])


@pytest.mark.parametrize("points, orders, message", [
    ({"t": 0.1, "nu": 0.1}, None, "give x="),
    ({"t": 0.1, "nu": 0.1, "x": 1, "y": 2}, None, "no dimension 'y'"),
    ({"t": 1.1, "nu": 0.1, "x": 1}, None, "t = 1.1 is not between 0 and 1"),
    ({"t": 0.1, "nu": float("nan"), "x": 1}, None, "nu = nan"),
    ({"t": 0.1, "nu": 0.1, "x": 1}, {"nu": 2}, "logarithmic"),
])
def test_what_the_answer_does_not_have(answer_file, points, orders, message):
    with pytest.raises(ValueError, match=message):
        open_answer(answer_file)("u", orders, **points)


def test_files_without_series(answer_file, viscosity_file):
    with pytest.raises(ValueError, match="no unknown 'w'; it has: u, c"):
        open_answer(answer_file)("w")
    with pytest.raises(ValueError, match="no group 'coefficients'"):
        open_answer(viscosity_file)


def test_another_basis_is_not_taken_for_chebyshev(answer_file):
    answer = open_answer(answer_file)
    assert {axis.basis for axis in answer.axes.values()} == {"chebyshev"}  # files of format 1 do not say
    answer.axes["x"].basis = "trigonometric"
    with pytest.raises(ValueError, match="along x are of the basis 'trigonometric'"):
        answer("u", t=0.1, nu=0.1, x=1.0)


def test_fourier_sum_and_its_derivatives():
    rng, turns = np.random.default_rng(3), np.linspace(-0.3, 1.3, 11)
    a, b = rng.standard_normal((5, 2)), rng.standard_normal((4, 2))
    for order in range(6):  # of exp(2 pi i k s): a factor 2 pi i k each time
        k = np.arange(5)[:, None]
        whole = (np.exp(2j * np.pi * k * turns) * (2j * np.pi * k) ** order).T
        expected = (whole @ a).real + (whole[:, 1:] @ b).imag
        np.testing.assert_allclose(fourier(np.concatenate([a, b]), turns, order), expected, rtol=1e-12,
                                   atol=1e-12 * 30.0**order)


def test_periodic_dimension_whose_wavenumbers_change(circle_file):
    answer = open_answer(circle_file)
    t, x = np.array([0.2, 0.5, 0.7]), np.array([-1.0, -0.4, 0.3, 1.0])
    z = np.pi * (x + 1)
    growth = 1 + t[:, None]
    np.testing.assert_allclose(answer("u", t=t, x=x), growth * (3 + 2 * np.cos(z) - np.sin(3 * z) + np.cos(5 * z)),
                               atol=1e-13)
    np.testing.assert_allclose(answer("u", orders={"x": 1, "t": 1}, t=t, x=x), np.ones((3, 1)) * np.pi * (
        -2 * np.sin(z) - 3 * np.cos(3 * z) - 5 * np.sin(5 * z)), atol=1e-12)
    assert len(answer.series("u", 0)[0][0, 0, 0]) == 11 and len(answer.series("u", 1)[0][0, 0, 0]) == 15


def test_polynomials_of_distributions():
    x, rng = np.linspace(-3, 3, 13), np.random.default_rng(5)
    a = rng.standard_normal((6, 2))
    scale = np.array([math.sqrt(math.factorial(k)) for k in range(6)])
    for order in range(3):
        hermite = np.polynomial.hermite_e.HermiteE
        expected = np.stack([(hermite(column / scale).deriv(order) if order else hermite(column / scale))(x)
                             for column in a.T], axis=1)
        np.testing.assert_allclose(orthonormal("hermite(1,0.1)", a, x, order), expected, rtol=1e-12, atol=1e-11)
    x = np.linspace(-1, 1, 9)
    legendre = np.polynomial.legendre.legvander(x, 5) * np.sqrt(2 * np.arange(6) + 1)
    np.testing.assert_allclose(orthonormal("legendre", a, x), legendre @ a, atol=1e-13)
    np.testing.assert_allclose(orthonormal("jacobi(1,1)", a, x), legendre @ a, atol=1e-13)
    # beta(1/2, 1/2) is the density of Chebyshev's polynomials
    chebyshev = np.polynomial.chebyshev.chebvander(x, 5) * np.where(np.arange(6) == 0, 1, np.sqrt(2))
    np.testing.assert_allclose(orthonormal("jacobi(0.5,0.5)", a, x), chebyshev @ a, atol=1e-13)
    # Of beta(2, 5), moments E[t^k] of t = (1 + x)/2: the means of p_j p_k are those of the unit matrix.
    t = np.polynomial.polynomial.Polynomial([-1, 2])  # x as a polynomial of t
    p = [np.polynomial.Polynomial.fit(np.linspace(-1, 1, 7), orthonormal("jacobi(2,5)", np.eye(6), np.linspace(-1, 1, 7))[:, k],
                                      k, domain=[-1, 1])(t) for k in range(6)]
    moment = [1.0]
    for k in range(10):
        moment.append(moment[-1] * (2 + k) / (7 + k))
    for j in range(6):
        for k in range(6):
            mean = sum(c * m for c, m in zip((p[j] * p[k]).coef, moment))
            assert abs(mean - (j == k)) < 1e-9
