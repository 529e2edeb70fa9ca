#!/usr/bin/env python3
"""Installs gwrm, builds the program of docs/library against it as a stranger would, and runs it.

    library.py GWRM BUILD SOURCE CMAKE CXX GENERATOR

BUILD is the build folder that is installed. Checked besides: the archive can become part of a shared library, and the
program's process is left as it was (what the program `gwrm` sets for its own: src/cli/process_settings.hpp).
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOREIGN = {"gotoblas_dynamic_init", "gotoblas_dynamic_quit", "blas_thread_shutdown_", "setenv", "putenv", "mallopt",
           "signal", "sigaction", "exit", "abort"}


def run(*command, **how):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def spin_count(*command, **how):
    """What libgomp says that it has read, or None if it is not GCC's."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY", "GWRM_PROCESS_SETTINGS"}}
    done = run(*command, env=environment | {"OMP_DISPLAY_ENV": "VERBOSE"} | how.pop("env", {}), **how)
    found = re.search(r"GOMP_SPINCOUNT = '(\w+)'", done.stderr)
    return found and found.group(1)


def check_settings(gwrm, program, folder):
    own = spin_count(gwrm, "info")
    if own is None:
        print("not GCC's OpenMP library: nothing to compare")
        return
    assert own == "5000", own
    assert spin_count(gwrm, "info", env={"GOMP_SPINCOUNT": "77"}) == "77"
    untouched = spin_count(gwrm, "info", env={"GWRM_PROCESS_SETTINGS": "off"})
    assert untouched != "5000" and spin_count(program, cwd=folder) == untouched, untouched


def main():
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    gwrm, build, source, cmake, compiler, generator = sys.argv[1:]
    gwrm = pathlib.Path(gwrm).resolve()
    folder = pathlib.Path(build, "tests", "library").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    prefix, tree = folder / "installed", folder / "build"
    run(cmake, "--install", build, "--prefix", prefix)
    archive, = prefix.rglob("libgwrm.a")

    calls = [line for line in run("nm", "-A", "-u", archive).stdout.splitlines() if line.split()[-1] in FOREIGN]
    calls = [line for line in calls if "probe.cpp" not in line]  # in a child process of its own
    assert not calls, "\n".join(["the library must leave the process alone:", *calls])
    run(compiler, "-shared", "-o", folder / "all.so", "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive")
    (folder / "all.so").unlink()

    run(cmake, "-S", pathlib.Path(source, "docs/library"), "-B", tree, "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Release")
    run(cmake, "--build", tree)
    printed = run(tree / "heat", cwd=folder).stdout
    exact = math.exp(-0.1 * math.pi**2)
    for line in ("u(1, 1/2) = ", "u sampled at t = 1: "):
        value = float(re.search(re.escape(line) + r"([\d.]+)", printed).group(1))
        assert abs(value - exact) < 1e-8, printed
    assert "100 %" in printed and "initial " in printed and "FAIL" not in printed, printed
    assert (folder / "heat.h5").stat().st_size > 0
    check_settings(gwrm, tree / "heat", folder)
    check_settings(prefix / "bin/gwrm", tree / "heat", folder)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
