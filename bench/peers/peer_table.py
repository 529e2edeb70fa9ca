"""Which programs are timed beside gwrm in each case, and among which settings the cheapest sufficient one is sought.

Ladders run from cheap to sharp. Left out after a first look, with what was seen (one core, whole process):

  - burgers_2d by Radau: 6.2 s at degree 28 (error 4e-7), LSODA 1.8 s; the LU of 2 n^2 unknowns grows like n^6.
  - kdv by lines on subdomains: third derivatives at the edges leave 2e-10 ... 5e-9 by round-off, more with more
    points; one domain reaches 4e-12.
  - Dedalus' RK443: slower than SBDF4 at equal error wherever SBDF4 is stable (kdv: 102 s beside 7 s), which its
    ladders see to by starting with enough steps.
  - basdevant by Dedalus' Chebyshev basis: one domain only, 1.7e-7 with 1536 modes.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Family:
    arguments: tuple
    resolutions: tuple
    control: str  # option that sets the accuracy in time
    controls: tuple


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    script: str
    case: str  # first argument of the script
    families: tuple
    dedalus: bool = False
    threads_option: bool = False  # the script takes --threads
    gains_by_threads: bool = False
    compiled: bool = False  # peers/etdrk4, in C++ with FFTW


TOLERANCES = (1e-7, 1e-8, 1e-9, 3e-10, 1e-10, 3e-11, 1e-11, 3e-12, 1e-12)


def _lines(case, pieces, methods=("Radau", "BDF", "LSODA")):
    """Chebyshev collocation: for each division of x a ladder of degrees, with each integrator as a peer of its own."""
    return tuple(
        Peer(f"Chebyshev lines, {method}", "lines_1d.py", case,
             tuple(Family(("--method", method, *((f"--edges={edges}",) if edges else ())), degrees, "--tolerance",
                          TOLERANCES) for edges, degrees in pieces))
        for method in methods)


def _fourier_1d(case, resolutions, steps):
    family = Family((), resolutions, "--steps", steps)
    return Peer("Fourier + ETDRK4 (odd start only)", "fourier_1d.py", case, (family,))


def _dedalus(script, case, families):
    return Peer("Dedalus 3", script, case, tuple(families), dedalus=True)


def _tensor(case, degrees, methods, gains):
    return tuple(
        Peer(f"Chebyshev lines, {method}", "lines_tensor.py", case,
             (Family(("--method", method), degrees, "--tolerance", TOLERANCES),), gains_by_threads=gains)
        for method in methods)


def _fourier_2d(nu, resolutions, steps):
    return Peer("Fourier + ETDRK4", "fourier_2d.py", nu, (Family((), resolutions, "--steps", steps),),
                threads_option=True, gains_by_threads=True)


def _compiled(case, resolutions, steps, *more):
    """Fourier and exponential steps in C++; resolutions N or NX,NY."""
    return Peer("Fourier + ETDRK4, C++", "", case, (Family(more, resolutions, "--steps", steps),), compiled=True)


def _scheme(scheme, resolutions, steps, *more):
    return Family(("--scheme", scheme, *more), resolutions, "--steps", steps)


PEERS = {
    "burgers_1d": (
        *_lines("burgers_1d", (("", (32, 36, 40, 44, 48)), ("0,0.6,1", (24, 28, 32)))),
        _compiled("burgers_1d", (80, 96, 108, 128), (10, 15, 20, 25, 30, 40, 60), "--plan", "estimate"),
        _fourier_1d("burgers_1d", (80, 96, 108, 128), (10, 15, 20, 25, 30, 40, 60)),
        _dedalus("dedalus_1d.py", "burgers_1d", [
            _scheme("SBDF4", (36, 40, 48), (40, 60, 80, 120, 160)),
            _scheme("SBDF4", (80, 96, 108), (40, 60, 80, 120, 160), "--basis", "fourier")]),
    ),
    "basdevant": (
        *_lines("basdevant", (("-1,-0.1,0,0.1,1", (44, 48, 52, 56)),
                              ("-1,-0.1,-0.03,0.03,0.1,1", (32, 36, 40, 44, 48)),
                              ("-1,-0.2,-0.04,0,0.04,0.2,1", (28, 32, 36, 40)))),
        _compiled("basdevant", (1280, 1440, 1536), (60, 80, 100, 120, 160, 240), "--plan", "estimate"),
        _fourier_1d("basdevant", (1280, 1440, 1536), (60, 80, 100, 120, 160, 240)),
        _dedalus("dedalus_1d.py", "basdevant", [
            _scheme("SBDF4", (1296, 1344, 1440), (100, 140, 200, 260, 320), "--basis", "fourier")]),
    ),
    "kdv": (
        *_lines("kdv", (("", (96, 104, 112, 128)),)),
        _dedalus("dedalus_1d.py", "kdv", [_scheme("SBDF4", (104, 112), (140, 180, 220, 260, 320))]),
    ),
    "burgers_2d": _tensor("burgers_2d", (34, 36, 38, 40, 42), ("DOP853", "LSODA"), True),
    "periodic_2d": (
        _compiled("periodic_2d", (60, 64, 72, 80, 96), (10, 15, 20, 22, 25, 30, 40), "--plan", "estimate"),
        _fourier_2d("0.2", (64, 72, 80, 96), (10, 15, 20, 25, 30, 40)),
        _dedalus("dedalus_2d.py", "0.2", [_scheme("SBDF4", (64, 72, 80), (30, 40, 60, 80))]),
    ),
    "periodic_2d_sharp": (
        _compiled("periodic_2d", (96, 100, 104), (90, 100, 110, 120, 140), "--plan", "estimate"),
    ),
    "periodic_2d_hard": (
        _compiled("periodic_2d_hard", (400, 416), (40, 45, 50, 60)),
        _fourier_2d("0.03", (400, 416), (40, 50, 60, 70)),
        _dedalus("dedalus_2d.py", "0.03", [_scheme("SBDF4", (360, 400), (80, 110, 140))]),
    ),
    "shear_layer": (_compiled("shear_layer", ("24,40", "28,44", "32,48", "36,54", "64"), (2, 3, 4, 5, 6, 8, 10, 15),
                              "--plan", "estimate"),),
    "shear_layer_sharp": (
        _compiled("shear_layer", ("32,56", "32,60", "36,64", "64"), (6, 8, 9, 10, 12, 15), "--plan", "estimate"),
        _dedalus("dedalus_shear_layer.py", "0.02", [_scheme("SBDF4", ("32,60", "34,62", "36,64"), (10, 15, 20, 25, 30, 40, 80)),
                                                    _scheme("RK443", ("34,62",), (30, 40, 60))])),
    "gray_scott_2d": (_compiled("gray_scott_2d", (136, 144, 152, 160), (15, 18, 20, 22, 25, 30), "--plan", "estimate"),),
    "kuramoto_sivashinsky": (
        _compiled("kuramoto_sivashinsky", (180, 192, 200, 216), (100, 150, 200, 250, 300, 400, 600), "--plan", "estimate"),
        Peer("Fourier + ETDRK4", "fourier_1d.py", "kuramoto_sivashinsky",
             (Family((), (180, 192, 200), "--steps", (200, 250, 300, 400)),)),
    ),
    "kdv_burgers": (_compiled("kdv_burgers", (864, 900, 960, 1000), (700, 800, 900, 1000, 1200, 1500), "--plan",
                              "estimate"),),
    "burgers_3d": _tensor("burgers_3d", ("18,16,16", "19,17,17", "20,18,17", "20,18,18", "22,20,20"), ("DOP853", "RK45"),
                          True),
    "burgers_3d_sharp": _tensor("burgers_3d", ("28,26,24", "29,27,25", "30,28,26"), ("DOP853", "RK45"), True),
}
