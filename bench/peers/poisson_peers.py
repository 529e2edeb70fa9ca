#!/usr/bin/env python3
"""gwrm's SBP-SAT Poisson solvers beside Eigen, PETSc and numpy: one system, one residual, one run.

    poisson_peers.py SBP_SAT_BENCH [--intervals 1024] [--threads 2] [--repeats 1] [--markdown table.md]

On a machine that others use too: --threads 1 --clock cpu, times of the processor instead of those of the clock.

The system is the paper's (order 2, tau = 13), assembled and written by gwrm's sbp_sat_bench. Before anything is timed its
matrix is compared with one that is put together here from the formulas of docs/sbp-sat.md. Every solver gets the same
matrix and right-hand side and the relative residual 1e-10; every solution's residual and error (norm of H, against
sin(pi (x + y))) are found here, and both must be right. Eigen is compiled here (a C++ compiler and Eigen's headers).
PETSc needs petsc4py: any Python that has it is taken (--petsc-python, else this one or python3). What is missing is told.
Needs numpy and scipy. Times are those of setting up and solving, without reading and writing.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy
import scipy.linalg
import scipy.sparse

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 1e-10
TAU = 13.0


def one_dimension(n):
    """h M, H/h and the Dirichlet operator h A_x of n intervals: rows of docs/sbp-sat.md for order 2."""
    stiffness = scipy.sparse.diags([-numpy.ones(n), 2 * numpy.ones(n + 1), -numpy.ones(n)], [-1, 0, 1]).tolil()
    stiffness[0, 0] = stiffness[n, n] = 1
    weights = numpy.ones(n + 1)
    weights[[0, n]] = 0.5
    dirichlet = stiffness.copy()
    for end, derivative in ((0, [1.5, -2.0, 0.5]), (n, [0.5, -2.0, 1.5])):  # outward, times h
        places = range(3) if end == 0 else range(n - 2, n + 1)
        dirichlet[end, end] += TAU
        for place, value in zip(places, derivative):
            dirichlet[end, place] -= value
            dirichlet[place, end] -= value
    return stiffness.tocsr(), weights, dirichlet.tocsr()


class System:
    def __init__(self, path, n):
        self.n = n
        with open(path, "rb") as file:
            size, entries = numpy.fromfile(file, numpy.int64, 2)
            starts = numpy.fromfile(file, numpy.int64, size + 1)
            columns = numpy.fromfile(file, numpy.int32, entries)
            self.matrix = scipy.sparse.csr_matrix((numpy.fromfile(file, float, entries), columns, starts))
            self.b = numpy.fromfile(file, float, size)
        x = numpy.linspace(0, 1, n + 1)
        self.exact = numpy.sin(numpy.pi * (x[:, None] + x[None, :])).ravel()
        stiffness, weights, dirichlet = one_dimension(n)
        self.weights = numpy.kron(weights, weights) / n**2
        formula = scipy.sparse.kron(stiffness, scipy.sparse.diags(weights)) + scipy.sparse.kron(
            scipy.sparse.diags(weights), dirichlet)
        difference = abs(formula - self.matrix).max()
        if difference > 1e-12:
            sys.exit(f"the matrix of sbp_sat_bench differs from the formulas by {difference:.1e}")

    def residual(self, u):
        return numpy.linalg.norm(self.b - self.matrix @ u) / numpy.linalg.norm(self.b)

    def error(self, u):
        return float(numpy.sqrt(self.weights @ (u - self.exact) ** 2))


def numpy_fast_diagonalisation(system):
    """Both one-dimensional eigenproblems and eight dense products, one refinement."""
    stiffness, weights, dirichlet = one_dimension(system.n)
    begin, begin_cpu = time.perf_counter(), time.process_time()
    factors = []
    for operator in (stiffness, dirichlet):
        root = 1 / numpy.sqrt(weights)
        values, vectors = numpy.linalg.eigh(root[:, None] * operator.toarray() * root[None, :])
        factors.append((values, root[:, None] * vectors))
    setup, setup_cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    (slow_values, slow), (fast_values, fast) = factors
    sums = slow_values[:, None] + fast_values[None, :]

    def solve(right):
        return (slow @ ((slow.T @ right.reshape(sums.shape) @ fast) / sums) @ fast.T).ravel()

    begin, begin_cpu = time.perf_counter(), time.process_time()
    u = solve(system.b)
    u += solve(system.b - system.matrix @ u)
    return {"method": "numpy, fast diagonalisation", "setup_s": setup, "solve_s": time.perf_counter() - begin,
            "setup_cpu_s": setup_cpu, "solve_cpu_s": time.process_time() - begin_cpu, "iterations": 2}, u


def run_lines(command, environment, what):
    """The JSON lines of a program; nothing and a word of why where it cannot run."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        print(f"left out: {what}: {last}", file=sys.stderr)
        return []
    return [json.loads(line) for line in done.stdout.splitlines()]


def petsc_python(asked):
    for python in [asked] if asked else [sys.executable, "python3", "/usr/bin/python3"]:
        if shutil.which(python) and subprocess.run([python, "-c", "import petsc4py, numpy"], capture_output=True,
                                                   check=False).returncode == 0:
            return python
    return None


def gwrm_rows(bench, n, threads, environment):
    rows = []
    for methods in ("fast", "matrix-free"):
        for line in run_lines([bench, str(n), "2", str(threads), methods], environment, "gwrm"):
            rows.append({"method": "gwrm, " + line["method"], "iterations": line["iterations"],
                         "residual": line["residual"], "error": line["error"],
                         **{part + "_s": line[part + "_ms"] / 1e3
                            for part in ("setup", "solve", "setup_cpu", "solve_cpu")}})
    return rows


def eigen_rows(folder, path, direct, environment):
    compiler = shutil.which("c++") or shutil.which("g++")
    if not compiler:
        print("left out: Eigen: no C++ compiler", file=sys.stderr)
        return []
    program = str(folder / "eigen_poisson")
    includes = os.environ.get("EIGEN_INCLUDE", "/usr/include/eigen3")
    built = subprocess.run([compiler, "-O3", "-march=native", "-fopenmp", "-DNDEBUG", "-I" + includes,
                            str(HERE / "peers" / "eigen_poisson.cpp"), "-o", program], capture_output=True, text=True,
                           check=False)
    if built.returncode != 0:
        print("left out: Eigen: " + built.stderr.strip().splitlines()[0], file=sys.stderr)
        return []
    return run_lines([program, str(path), str(TOLERANCE)] + (["direct"] if direct else []), environment, "Eigen")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", help="the program sbp_sat_bench")
    parser.add_argument("--intervals", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=1, help="of everything, in turn; the shortest total counts")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--direct", action="store_true", help="Eigen's LDLT as well")
    parser.add_argument("--petsc-python", help="a Python with petsc4py")
    parser.add_argument("--markdown", help="write the table here")
    options = parser.parse_args()
    threads = str(options.threads)
    # The threads of OpenMP must be there before numpy's BLAS starts: a new process of this script has them.
    if os.environ.get("OPENBLAS_NUM_THREADS") != threads:
        os.environ.update(OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    rows = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "system"
        subprocess.run([options.bench, str(options.intervals), "2", threads, "none", str(path)], check=True)
        system = System(path, options.intervals)
        python = petsc_python(options.petsc_python)
        if not python:
            print("left out: PETSc: no Python with petsc4py", file=sys.stderr)
        for _ in range(options.repeats):
            found = gwrm_rows(options.bench, options.intervals, options.threads, environment)
            row, u = numpy_fast_diagonalisation(system)
            found.append(dict(row, residual=system.residual(u), error=system.error(u)))
            others = eigen_rows(folder, path, options.direct, environment)
            for method in ("jacobi", "boomeramg", "gamg", "pcmg") if python else ():
                others += run_lines([python, str(HERE / "peers" / "petsc_poisson.py"), str(path), str(TOLERANCE), method,
                                     str(options.intervals)], environment, "PETSc " + method)
            for row in others:
                u = numpy.fromfile(row["solution"])
                found.append(dict(row, residual=system.residual(u), error=system.error(u)))
            for row in found:
                if options.clock == "cpu":
                    row.update(setup_s=row["setup_cpu_s"], solve_s=row["solve_cpu_s"])
                row["total_s"] = row["setup_s"] + row["solve_s"]
                if row["method"] not in rows or row["total_s"] < rows[row["method"]]["total_s"]:
                    rows[row["method"]] = row
    if not rows:
        sys.exit("nothing ran")
    exact_error = min((row for row in rows.values() if row["residual"] < 1e-12), key=lambda row: row["residual"],
                      default={"error": numpy.nan})["error"]
    best = {kind: min((row["total_s"] for row in rows.values() if kind in row["method"]), default=numpy.nan)
            for kind in ("gwrm, multigrid", "gwrm, fast", "gwrm, CG with one", "gwrm, Jacobi CG with one")}
    lines = ["| | iterations | set-up, s | solution, s | residual | error | times gwrm's own |", "|---|---|---|---|---|---|---|"]
    wrong = []
    for row in rows.values():
        method = row["method"]
        kind = ("gwrm, fast" if "fast" in method or "LDLT" in method else
                "gwrm, multigrid" if any(word in method for word in ("AMG", "MG", "multigrid")) else
                "gwrm, Jacobi CG with one" if "Jacobi" in method else "gwrm, CG with one")
        lines.append(f"| {method} | {row['iterations']} | {row['setup_s']:.2f} | {row['solve_s']:.2f} | "
                     f"{row['residual']:.1e} | {row['error']:.6e} | {row['total_s'] / best[kind]:.1f} |")
        if row["residual"] > 1.2 * TOLERANCE or not abs(row["error"] / exact_error - 1) < 5e-3:
            wrong.append(method)
    print("\n".join(lines))
    if options.markdown:
        pathlib.Path(options.markdown).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if wrong:
        sys.exit("residual or error out of bounds: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
