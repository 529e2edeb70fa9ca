"""PETSc's solvers on the system that sbp_sat_bench writes: petsc_poisson.py FILE TOLERANCE METHOD INTERVALS

METHOD: jacobi, boomeramg, gamg or pcmg. Needs petsc4py (Debian: python3-petsc4py). A JSON line: seconds and iterations;
the solution goes to FILE.METHOD.
"""
import json
import sys
import time

import numpy

path, tolerance, method, intervals = sys.argv[1], float(sys.argv[2]), sys.argv[3], int(sys.argv[4])

import petsc4py  # noqa: E402

petsc4py.init([])
from petsc4py import PETSc  # noqa: E402

NAMES = {"jacobi": "PETSc CG + Jacobi", "boomeramg": "PETSc CG + BoomerAMG", "gamg": "PETSc CG + GAMG",
         "pcmg": "PETSc CG + PCMG"}
with open(path, "rb") as file:
    n, entries = numpy.fromfile(file, numpy.int64, 2)
    starts = numpy.fromfile(file, numpy.int64, n + 1).astype(PETSc.IntType)
    columns = numpy.fromfile(file, numpy.int32, entries).astype(PETSc.IntType)
    values = numpy.fromfile(file, float, entries)
    b = numpy.fromfile(file, float, n)

matrix = PETSc.Mat().createAIJ(size=(n, n), csr=(starts, columns, values))
right, solution = PETSc.Vec().createWithArray(b), PETSc.Vec().createSeq(n)
begin, begin_cpu = time.perf_counter(), time.process_time()
solver = PETSc.KSP().create()
solver.setType("cg")
solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
solver.setTolerances(rtol=tolerance, atol=0.0, max_it=100000)
preconditioner = solver.getPC()
if method == "boomeramg":
    preconditioner.setType("hypre")
    preconditioner.setHYPREType("boomeramg")
elif method == "pcmg":  # geometric, with Galerkin's coarse operators
    grid = PETSc.DMDA().create([intervals + 1, intervals + 1], dof=1, stencil_width=1,
                               stencil_type=PETSc.DMDA.StencilType.BOX)
    solver.setDM(grid)
    solver.setDMActive(False)
    preconditioner.setType("mg")
    options = PETSc.Options()
    options["pc_mg_galerkin"] = "both"
    options["pc_mg_levels"] = max(2, intervals.bit_length() - 3)
else:
    preconditioner.setType(method)
solver.setFromOptions()
solver.setOperators(matrix)
solver.setUp()
setup, setup_cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
begin, begin_cpu = time.perf_counter(), time.process_time()
solver.solve(right, solution)
solve, solve_cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
if solver.getConvergedReason() <= 0:
    sys.exit(f"{NAMES[method]}: not converged, reason {solver.getConvergedReason()}")
solution.getArray().tofile(f"{path}.{method}")
print(json.dumps({"method": NAMES[method], "setup_s": setup, "solve_s": solve, "setup_cpu_s": setup_cpu,
                  "solve_cpu_s": solve_cpu, "iterations": solver.getIterationNumber(), "solution": f"{path}.{method}"}))
