#!/usr/bin/env python3
"""Cosine and non-uniform Fourier transforms of gwrm beside ducc0, FINUFFT and SciPy, one thread each, in turn.

    transform_peers.py GWRM [dct] [nonuniform]

Times are the least of all rounds, because other programs on a machine only ever add to them. Cosine transforms are of kind
II along contiguous lines. Non-uniform ones are of one million random points: points set (what a plan does once), type 1
and type 2. Peers take their defaults, FINUFFT the upsampling 2 that gwrm has and its own choice. Results are checked by gwrm
in its own run and here against a direct sum for one mode and one point. Needs numpy, and ducc0, finufft, scipy where they are
to be compared (pip).
"""
import json
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

ROUNDS = 3
RANDOM = np.random.default_rng(1)


def least(call, n=3):
    best = float("inf")
    for _ in range(n):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def lines_of(program, *options):
    done = subprocess.run([program, "bench", "--backend", "cpu", "--threads", "1", *options], capture_output=True, text=True,
                          check=True)
    return [line for line in map(json.loads, done.stdout.splitlines()) if "variant" in line]


def in_turn(ways):
    """{name: least times of all rounds}; ways without their library are left out."""
    times = {}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            try:
                found = way()
            except ImportError:
                continue
            times[name] = [min(pair) for pair in zip(found, times.get(name, found))]
    return times


def cosine(program, n, batch):
    values = RANDOM.uniform(-1, 1, (batch, n))
    exact = 2 * np.cos(np.pi * 3 * (2 * np.arange(n) + 1) / (2 * n)) @ values[0]  # mode 3, as ducc0 and SciPy scale it

    def checked(result):
        assert abs(result[0, 3] - exact) < 1e-11 * n, (result[0, 3], exact)
        return result

    def of_gwrm():
        (line,) = (line for line in lines_of(program, "--operation", "dct", "--shape", str(n), "--batch", str(batch),
                                             "--variant", "cosine_2") if line["layout"] == "contiguous")
        return [1e-6 * line["minimum_us"]]

    def of_ducc0():
        import ducc0
        out = np.empty_like(values)
        checked(ducc0.fft.dct(values, axes=(1,), type=2, nthreads=1, out=out))
        return [least(lambda: ducc0.fft.dct(values, axes=(1,), type=2, nthreads=1, out=out))]

    def of_scipy():
        import scipy.fft
        checked(scipy.fft.dct(values, type=2, axis=1, workers=1))
        return [least(lambda: scipy.fft.dct(values, type=2, axis=1, workers=1))]

    return in_turn({"gwrm": of_gwrm, "ducc0": of_ducc0, "SciPy": of_scipy})


def nonuniform(program, modes, n_points, tolerance):
    points = [RANDOM.uniform(-np.pi, np.pi, n_points) for _ in modes]
    strengths = RANDOM.uniform(-1, 1, n_points) + 1j * RANDOM.uniform(-1, 1, n_points)
    series = RANDOM.uniform(-1, 1, modes) + 1j * RANDOM.uniform(-1, 1, modes)
    exact = np.sum(strengths * np.exp(1j * points[0]))  # mode (1, 0, ..)

    def checked(result):
        middle = tuple(m // 2 for m in modes)
        found = result[(middle[0] + 1,) + middle[1:]]
        assert abs(found - exact) < 10 * tolerance * np.abs(result).max(), (found, exact)

    def of_gwrm():
        shape = "x".join(map(str, modes))
        lines = lines_of(program, "--operation", "nonuniform", "--shape", shape, "--batch", str(n_points))
        return [1e-6 * line["minimum_us"] for way in ("points", "type_1", "type_2") for line in lines
                if line["variant"] == way and line["tolerance"] == tolerance]

    def of_finufft(**settings):
        import finufft
        options = {"eps": tolerance, "isign": 1, "nthreads": 1, **settings}
        one, two = finufft.Plan(1, modes, **options), finufft.Plan(2, modes, **options)
        set_points = least(lambda: one.setpts(*points))
        two.setpts(*points)
        checked(one.execute(strengths))
        return [set_points, least(lambda: one.execute(strengths)), least(lambda: two.execute(series))]

    def of_ducc0():
        import ducc0
        coordinates = np.stack(points, axis=1)
        options = {"forward": False, "epsilon": tolerance, "nthreads": 1, "fft_order": False}
        result = np.empty(modes, complex)
        checked(ducc0.nufft.nu2u(points=strengths, coord=coordinates, out=result, **options))
        return [0.0, least(lambda: ducc0.nufft.nu2u(points=strengths, coord=coordinates, out=result, **options)),
                least(lambda: ducc0.nufft.u2nu(grid=series, coord=coordinates, **options))]

    return in_turn({"gwrm": of_gwrm, "FINUFFT": of_finufft, "FINUFFT, upsampling 2": lambda: of_finufft(upsampfac=2.0),
                    "ducc0 (points with every call)": of_ducc0})


def main():
    program, wanted = sys.argv[1], sys.argv[2:] or ["dct", "nonuniform"]
    if "dct" in wanted:
        print("| lines | N | | kind II, ms |\n|---|---|---|---|")
        for n, batch in ((64, 62464), (256, 15616), (1000, 9984), (1024, 9984), (4096, 768)):
            for name, (took,) in cosine(program, n, batch).items():
                print(f"| {batch} | {n} | {name} | {1e3 * took:.1f} |", flush=True)
    if "nonuniform" in wanted:
        print("| modes | tolerance | | points, ms | type 1 | type 2 |\n|---|---|---|---|---|---|")
        for modes in ((1048576,), (1024, 1024), (128, 128, 128)):
            for tolerance in (1e-6, 1e-12):
                for name, took in nonuniform(program, modes, 1000000, tolerance).items():
                    print(f"| {'x'.join(map(str, modes))} | {tolerance:g} | {name} | " +
                          " | ".join(f"{1e3 * t:.0f}" for t in took) + " |", flush=True)


if __name__ == "__main__":
    main()
