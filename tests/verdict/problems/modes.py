"""Eigenvalue problems: complex pairs that only conditions hold, modes that coarse subdomains do not show, and defective
eigenvalues; initial values of the sphere that coarse angles do not show. Eigenvalues are judged, modes are not."""
import numpy as np

from problem import Problem, as_given, automatic, fixed, root


def eigenvalues(name, values):
    """The answer: these, in this order; as real and imaginary parts where the result is complex or should be."""
    values = np.asarray(values)

    def answer(fields):
        if f"{name}_re" not in fields:
            n = fields[name][1].size
            # A complex pair of which nothing but a real number is left is as wrong as its imaginary part.
            return {name: np.where(values.imag == 0, values.real, values.real + np.abs(values))[:n]}
        n = fields[f"{name}_re"][1].size
        if not np.any(values.imag):  # a defective eigenvalue that rounding has made a pair
            return {f"{name}_re": values.real[:n]}
        return {f"{name}_re": values.real[:n], f"{name}_im": values.imag[:n]}
    return answer


def modes(name, domain, unknowns, eigenvalue, equations, boundary, values, runs, origin, constants="", quick=False):
    """eigenvalue: of the case, a map whose first entry is the name."""
    symbol = eigenvalue.split(",")[0].split(":")[1].strip()

    def quoted(texts):
        return ", ".join(f'"{text}"' for text in texts)
    return Problem(
        name, f"domain: {domain}\n{constants}unknowns: {unknowns}\neigenvalue: {{{eigenvalue}}}\n"
        f"equations: [{quoted(equations)}]\nboundary: [{quoted(boundary)}]\n",
        eigenvalues(symbol, values), runs, origin, quick=quick)


def walls(unknown, lower, upper):
    return [f"{unknown}(x={lower}) = 0", f"{unknown}(x={upper}) = 0"]


def vortex_sheet(name, ratio, k, near, runs, quick=False):
    """Two layers of equal depth with the velocities 0 and 1, the density of the first times `ratio`:
    r (1 - c)^2 + c^2 = 0."""
    value = (ratio + 1j * np.sqrt(ratio)) / (1 + ratio)
    return modes(
        name, "{x: [0, 1]}", "[a, b]", "name: c, modes: 1" + (f", near: {near}" if near else ""),
        [f"dx(a,2) - {k}^2*a = 0", f"dx(b,2) - {k}^2*b = 0"],
        ["a(x=1) = 0", "b(x=1) = 0", "-c*a(x=0) = (1 - c)*b(x=0)", f"{ratio}*(1 - c)*dx(a)(x=0) = c*dx(b)(x=0)"],
        [value], runs, "closed form", quick=quick)


def eady(name, mu, n, runs, quick=False):
    """c = 1/2 +- sqrt((mu/2 - coth(mu/2)) (mu/2 - tanh(mu/2)))/mu (Vallis, Atmospheric and Oceanic Fluid Dynamics,
    9.5)."""
    half = mu / 2
    part = np.emath.sqrt((half - 1 / np.tanh(half)) * (half - np.tanh(half))) / mu
    values = [0.5 + 1j * abs(part)] if np.iscomplexobj(part) else [0.5 - part, 0.5 + part]
    return modes(
        name, "{x: [0, 1]}", "[psi]", f"name: c, modes: {n}", [f"dx(psi,2) - {mu}^2*psi = 0"],
        ["c*dx(psi)(x=0) + psi(x=0) = 0", "(c - 1)*dx(psi)(x=1) + psi(x=1) = 0"], values, runs,
        "closed form of Eady's problem", quick=quick)


def string_with_mass(name, mass, runs):
    """-u'' = l u, u(0) = 0, u'(1) = l M u(1): k tan k = 1/M."""
    roots = [root(lambda k: k * np.sin(k) - np.cos(k) / mass, i * np.pi, (i + 0.5) * np.pi) for i in range(4)]
    return modes(name, "{x: [0, 1]}", "[u]", "name: lam, modes: 4", ["lam*u = -dx(u,2)"],
                 ["u(x=0) = 0", f"dx(u)(x=1) = lam*{mass}*u(x=1)"], np.square(roots), runs, "roots of k tan k = 1/M")


def hidden_oscillator(name, stiffness, at, spacing, runs, quick=False):
    """A string beside a harmonic oscillator -D v'' + S (x - a)^2 v, whose eigenvalues are 2 sqrt(S D) (j + 1/2) and
    whose ground state is sqrt(D/S)^(1/2) wide: walls several widths away change nothing."""
    diffusivity = (spacing / 2) ** 2 / stiffness
    values = sorted([(k * np.pi) ** 2 for k in range(1, 9)] + [spacing * (j + 0.5) for j in range(9)])[:4]
    return modes(
        name, "{x: [0, 1]}", "[u, v]", "name: lam, modes: 4",
        ["lam*u = -dx(u,2)", f"lam*v = -{diffusivity:.17g}*dx(v,2) + {stiffness:g}*(x - {at})^2*v"],
        walls("u", 0, 1) + walls("v", 0, 1), values, runs, "closed form: a string and a harmonic oscillator",
        quick=quick)


def narrow_well(name, a, at, n, runs):
    """-u'' - 6 a^2 sech^2(a (x - x0)) u in a wide box: -4 a^2, -a^2 (Landau and Lifshitz, Quantum Mechanics, 23)."""
    return modes(
        name, "{x: [0, 1]}", "[u]", f"name: lam, modes: {n}, near: {-3.0 * a * a:g}",
        [f"lam*u = -dx(u,2) - {6 * a * a:g}/cosh({a}*(x - {at}))^2*u"], walls("u", 0, 1), [-4 * a * a, -a * a][:n],
        runs, "closed form of the well of Poeschl and Teller")


def by_elements(q, edges, n=40):
    """The eigenvalues of -u'' + q u, u = 0 at both ends, by Chebyshev collocation in each of the intervals, joined with
    value and slope."""
    k = np.arange(n + 1)
    t = np.cos(np.pi * k / n)
    c = np.where((k == 0) | (k == n), 2.0, 1.0) * (-1.0) ** k
    d = np.outer(c, 1 / c) / (t[:, None] - t[None, :] + np.eye(n + 1))
    d -= np.diag(d.sum(axis=1))
    size, m = (n + 1) * (len(edges) - 1), n + 1
    a, b = np.zeros((size, size)), np.zeros((size, size))
    for i, (low, high) in enumerate(zip(edges, edges[1:])):
        block = slice(i * m, (i + 1) * m)
        slope = d * 2 / (high - low)
        a[block, block] = -slope @ slope + np.diag(q(low + (high - low) * (1 + t) / 2))
        b[block, block] = np.eye(m)
        last, first = i * m + n, i * m  # x = low, x = high
        a[[last, first]] = 0
        b[[last, first]] = 0
        if i == 0:
            a[last, last] = 1
        if i == len(edges) - 2:
            a[first, first] = 1
        else:
            a[first, first], a[first, first + m + n] = 1, -1
            a[first + m + n] = 0
            a[first + m + n, block] = slope[0]
            following = d * 2 / (edges[i + 2] - edges[i + 1])
            a[first + m + n, (i + 1) * m:(i + 2) * m] = -following[n]
            b[first + m + n] = 0
        if i > 0:
            low_row = i * m + n
            left = d * 2 / (edges[i] - edges[i - 1])
            a[low_row] = 0
            a[low_row, (i - 1) * m:i * m] = left[0]
            a[low_row, block] = -slope[n]
            b[low_row] = 0
    mu = np.linalg.eigvals(np.linalg.solve(a, b))
    values = 1 / mu[np.abs(mu) > 1e-9]
    return np.sort(values.real)


def small_well(name, depth, at, c, runs):
    """-u'' + (100 - depth exp(-c (x - a)^2)) u."""
    width = 5 / np.sqrt(c)
    values = by_elements(lambda x: 100 - depth * np.exp(-c * (x - at) ** 2), [0, at - width, at, at + width, 1])[:2]
    return modes(
        name, "{x: [0, 1]}", "[u]", "name: lam, modes: 2",
        [f"lam*u = -dx(u,2) + (100 - {depth}*exp(-{c:g}*(x - {at})^2))*u"], walls("u", 0, 1), values, runs,
        "Chebyshev collocation in four intervals with edges around the well")


def complex_oscillator(name, n, runs):
    """-u'' + i x^2 u, as a real pair: (2k + 1) exp(i pi/4) (Davies 1999)."""
    return modes(
        name, "{x: [-12, 12]}", "[p, q]", f"name: lam, modes: {n}",
        ["lam*p = -dx(p,2) - x^2*q", "lam*q = -dx(q,2) + x^2*p"], walls("p", -12, 12) + walls("q", -12, 12),
        (2 * np.arange(n) + 1) * np.exp(1j * np.pi / 4), runs, "(2k + 1) exp(i pi/4)")


def chain(name, n, runs, quick=False):
    """A Jordan block of n: -u_i'' + u_(i+1)."""
    unknowns = [f"u{i}" for i in range(n)]
    return modes(
        name, "{x: [0, 1]}", "[" + ", ".join(unknowns) + "]", "name: lam, modes: 1",
        [f"lam*u{i} = -dx(u{i},2)" + (f" + u{i + 1}" if i + 1 < n else "") for i in range(n)],
        [row for unknown in unknowns for row in walls(unknown, 0, 1)], [np.pi ** 2], runs,
        "closed form: pi^2, a Jordan block", quick=quick)


def ball_spot(name, amplitude, c, tolerance, settings, quick=False):
    """At t = 0 the initial value, at points of which one is the spot's middle; nothing is known later."""
    centre = np.array([0.3, 0.4, 0.1])
    r0, theta0, phi0 = np.linalg.norm(centre), np.arccos(centre[2] / np.linalg.norm(centre)), np.arctan2(0.4, 0.3)

    def u(t, r, theta, phi):
        x, y, z = r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta) + 0 * phi
        square = (x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2
        return np.where(t == 0, (1 - r ** 2) * (1 + amplitude * np.exp(-c * square)), np.nan)
    return Problem(
        name, "problem: ball\ndomain: {t: [0, 0.01]}\nball:\n  tolerance: 1e-4\n"
        "  fields: {u: {kind: scalar, boundary: value, diffusivity: 1}}\n"
        f'initial: {{u: "(1 - r^2)*(1 + {amplitude}*exp(-{c:g}*((x - 0.3)^2 + (y - 0.4)^2 + (z - 0.1)^2)))"}}\n'
        f"output: {{grid: {{t: [0, 0.01], r: [0, 0.25, {r0}, 0.75, 1], theta: [0.5, 1.0, {theta0}, 2], "
        f"phi: [0, 0.5, {phi0}, 2, 4]}}}}\n",
        {"u": u}, [as_given(tolerance, label, given) for label, given in settings], "the initial value itself",
        quick=quick)


def ball_pulse(name, amplitude, at, c, runs):
    """u = A(t) sin(pi r)/r, A' = -pi^2 A + 1 + B exp(-c (t - a)^2), A(0) = 1: Duhamel's integral."""
    nodes, weights = np.polynomial.legendre.leggauss(60)

    def integral(t):
        """of exp(-pi^2 (t - s)) exp(-c (s - a)^2) over s from 0 to t, in pieces around the pulse"""
        edges = np.unique(np.clip(at + np.linspace(-8, 8, 9) / np.sqrt(c), 0, t))
        s = np.concatenate([low + (high - low) * (1 + nodes) / 2 for low, high in zip(edges, edges[1:])] or [[0.0]])
        w = np.concatenate([(high - low) / 2 * weights for low, high in zip(edges, edges[1:])] or [[0.0]])
        return np.sum(w * np.exp(-np.pi ** 2 * (t - s) - c * (s - at) ** 2))

    def u(t, r):
        size = np.exp(-np.pi ** 2 * t) + (1 - np.exp(-np.pi ** 2 * t)) / np.pi ** 2
        size = size + amplitude * np.vectorize(integral)(t)
        return size * np.pi * np.sinc(r)
    return Problem(
        name, "problem: ball\ndomain: {t: [0, 0.1]}\nball:\n  tolerance: 1e-6\n"
        "  fields: {u: {kind: scalar, boundary: value, diffusivity: 1, "
        f'source: "(1 + {amplitude}*exp(-{c:g}*(t - {at})^2))*sin(pi*r)/r"}}}}\n'
        'initial: {u: "sin(pi*r)/r"}\noutput: {grid: {t: 11, r: [0.1, 0.5, 0.9], theta: [1], phi: [0]}}\n',
        {"u": u}, runs, "Duhamel's integral", quick=False)


SHEET_RUNS = [automatic(1e-6), fixed(1e-6, x=24)]
K8_RUNS = [automatic(1e-4), automatic(1e-6), fixed(1e-6, x=24)]

PROBLEMS = [
    vortex_sheet("modes_vortex_sheet", 1, 2, "", SHEET_RUNS, quick=True),
    vortex_sheet("modes_vortex_sheet_near", 1, 2, "0.4+0.4i", SHEET_RUNS),
    vortex_sheet("modes_vortex_sheet_light", 0.25, 3, "", SHEET_RUNS),
    eady("modes_eady_unstable", 1.6, 1, SHEET_RUNS),
    eady("modes_eady_stable", 3, 2, SHEET_RUNS),
    string_with_mass("modes_string_with_mass", 0.5, [automatic(1e-8), fixed(1e-8, x=32)]),
    hidden_oscillator("modes_hidden_oscillator", 5e5, 0.4137, 10, K8_RUNS, quick=True),
    hidden_oscillator("modes_hidden_oscillator_narrow", 5e7, 0.4137, 10, K8_RUNS),
    hidden_oscillator("modes_hidden_oscillator_sparse", 1e6, 0.61, 30, K8_RUNS),
    hidden_oscillator("modes_seen_oscillator", 5e3, 0.45, 10, [automatic(1e-6), fixed(1e-6, x=64)]),
    narrow_well("modes_narrow_well", 200, 0.4137, 2, [automatic(1e-6), fixed(1e-6, x=24)]),
    narrow_well("modes_wide_well", 30, 0.5, 2, [automatic(1e-6)]),
    small_well("modes_small_well", 8, 0.4137, 3e5, [automatic(1e-4), automatic(1e-6), fixed(1e-6, x=24)]),
    small_well("modes_smaller_well", 8, 0.61, 3e7, [automatic(1e-6), fixed(1e-6, x=24)]),
    small_well("modes_seen_small_well", 8, 0.4137, 200, [automatic(1e-6)]),
    complex_oscillator("modes_complex_oscillator", 8, [automatic(1e-6)]),
    chain("modes_pair", 2, [automatic(1e-9), automatic(1e-6), fixed(1e-9, x=24)], quick=True),
    chain("modes_triple", 3, [automatic(1e-6), automatic(1e-3), fixed(1e-6, x=24)]),
    modes("modes_joined_ends", "{x: [0, pi]}", "[u]", "name: lam, modes: 2", ["dx(u,2) = lam*u"],
          ["u(x=0) = 0", "dx(u)(x=pi) - dx(u)(x=0) = 0"], [0, -4],
          [automatic(1e-9), automatic(1e-6), fixed(1e-9, x=24)], "closed form: -4 n^2, each a Jordan block of two"),
    modes("modes_critical_damping", "{x: [0, 1]}", "[u]", "name: s, modes: 1", ["s^2*u + 2*pi*s*u = dx(u,2)"],
          walls("u", 0, 1), [-np.pi], [automatic(1e-9), automatic(1e-6)],
          "closed form: the first mode critically damped"),
    modes("modes_equal_strings", "{x: [0, 1]}", "[u, v]", "name: lam, modes: 4",
          ["lam*u = -dx(u,2)", "lam*v = -dx(v,2)"], walls("u", 0, 1) + walls("v", 0, 1),
          np.repeat([np.pi ** 2, 4 * np.pi ** 2], 2), [automatic(1e-9), fixed(1e-9, x=32)], "closed form"),
    modes("modes_string", "{x: [0, 1]}", "[u]", "name: lam, modes: 12", ["lam*u = -dx(u,2)"], walls("u", 0, 1),
          np.square(np.arange(1, 13) * np.pi), [automatic(1e-6), automatic(1e-9)], "closed form", quick=True),
    modes("modes_ring", "{x: {range: [0, 2*pi], basis: fourier}}", "[u]", "name: lam, modes: 5",
          ["lam*u = -dx(u,2)"], [], [0, 1, 1, 4, 4], [automatic(1e-9), fixed(1e-9, x=12)], "closed form"),
    modes("modes_beam", "{x: [0, 1]}", "[u]", "name: lam, modes: 4", ["lam*u = dx(u,4)"],
          walls("u", 0, 1) + walls("dx(u)", 0, 1),
          [root(lambda k: np.cos(k) - 1 / np.cosh(k), (i + 0.5) * np.pi - 0.5, (i + 0.5) * np.pi + 0.5) ** 4
           for i in range(1, 5)], [automatic(1e-6)], "roots of cos k cosh k = 1"),
    modes("modes_advected", "{x: [0, 1]}", "[u]", "name: lam, modes: 3", ["lam*u = -dx(u,2) + 10*dx(u)"],
          walls("u", 0, 1), np.square(np.arange(1, 4) * np.pi) + 25, [automatic(1e-6), automatic(1e-9)],
          "closed form"),
    ball_spot("ball_spot", 0.5, 400, 1e-2, [("auto", {}), ("l12", {"ball.degree": "{t: 4, r: 20, l: 12, m: 12}"})]),
    ball_spot("ball_spot_narrow", 0.5, 6000, 1e-2, [("l12", {"ball.degree": "{t: 4, r: 20, l: 12, m: 12}"})]),
    ball_spot("ball_spot_wide", 0.5, 8, 1e-2,
              [("auto", {}), ("l16", {"ball.degree": "{t: 4, r: 20, l: 16, m: 16}"})]),
    ball_pulse("ball_pulse", 60, 0.05137, 1e9, [as_given(1e-3, "auto"), as_given(1e-3, "w2", {"ball.windows": 2})]),
    ball_pulse("ball_pulse_wide", 60, 0.05, 2e4, [as_given(1e-3, "auto")]),
]
