#!/usr/bin/env python3
"""Spherical-harmonic transforms of gwrm beside SHTns and ducc0, one thread each, in turn, on Gauss nodes.

    spherical_peers.py GWRM [DEGREE ...]

Times are the least of all rounds, because other programs on a machine only ever add to them; round trips are of flat random
coefficients. Needs numpy, and shtns and ducc0 where they are to be compared (pip).
"""
import json
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

ROUNDS = 5


def least(call, n):
    best = float("inf")
    for _ in range(n):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def random_coefficients(degree):
    random = np.random.default_rng(1)
    n = (degree + 1) * (degree + 2) // 2
    a = random.uniform(-1, 1, n) + 1j * random.uniform(-1, 1, n)
    a[: degree + 1] = a[: degree + 1].real
    return a


def of_gwrm(program, degree):
    done = subprocess.run([program, "bench", "--backend", "cpu", "--operation", "spherical", "--shape", str(degree),
                           "--threads", "1", "--variant", "synthesis", "--variant", "analysis"], capture_output=True,
                          text=True, check=True)
    lines = [line for line in map(json.loads, done.stdout.splitlines()) if "variant" in line]
    return [1e-6 * line["minimum_us"] for line in lines], lines[0]["error"]


def of_shtns(degree):
    import shtns
    transform = shtns.sht(degree, degree, 1, shtns.sht_orthonormal + shtns.SHT_NO_CS_PHASE)
    n_phi = 2 * degree + 2
    transform.set_grid(degree + 1 + (degree + 1) % 2, n_phi, flags=shtns.sht_gauss)
    a, f, b = random_coefficients(degree), transform.spat_array(), transform.spec_array()
    times = [least(lambda: transform.SH_to_spat(a, f), 5), least(lambda: transform.spat_to_SH(f, b), 5)]
    transform.SH_to_spat(a, f)
    transform.spat_to_SH(f, b)  # may overwrite f, which is as long to transform whatever is in it
    return times, np.abs(a - b).max() / np.abs(a).max()


def of_ducc0(degree):
    import ducc0
    a = random_coefficients(degree)[None]
    options = {"spin": 0, "lmax": degree, "mmax": degree, "geometry": "GL", "nthreads": 1}
    grid = {"ntheta": degree + 1, "nphi": 2 * degree + 2}
    f = ducc0.sht.synthesis_2d(alm=a, **grid, **options)
    times = [least(lambda: ducc0.sht.synthesis_2d(alm=a, map=f, **grid, **options), 3),
             least(lambda: ducc0.sht.analysis_2d(map=f, **options), 3)]
    return times, np.abs(a - ducc0.sht.analysis_2d(map=f, **options)).max() / np.abs(a).max()


def main():
    program, degrees = sys.argv[1], [int(text) for text in sys.argv[2:]] or [255, 511, 1023]
    ways = {"gwrm": lambda degree: of_gwrm(program, degree), "SHTns": of_shtns, "ducc0": of_ducc0}
    print("| degree | | synthesis, ms | analysis, ms | round trip |\n|---|---|---|---|---|")
    for degree in degrees:
        times, errors = {}, {}
        for _ in range(ROUNDS):
            for name, way in ways.items():
                try:
                    found, errors[name] = way(degree)
                except ImportError:
                    continue
                times[name] = [min(pair) for pair in zip(found, times.get(name, found))]
        for name, (forward, backward) in times.items():
            print(f"| {degree} | {name} | {1e3 * forward:.2f} | {1e3 * backward:.2f} | {errors[name]:.1e} |")


if __name__ == "__main__":
    main()
