#!/usr/bin/env python3
"""Solves with PETSc what `gwrm export CASE --matrix petsc` has written: NAME_A.petsc, NAME_b.petsc, NAME_map.json.

    [mpirun -n 2] python3 solve.py NAME [options of PETSc]

The solution goes to NAME_x.petsc, for `gwrm run CASE --solution NAME_x.petsc`. Symmetric positive systems are solved by
conjugate gradients with hypre's BoomerAMG, all others by MUMPS and a few steps of GMRES; -ksp_type, -pc_type, -ksp_rtol and
all other options of PETSc change that. Needs petsc4py (Debian: python3-petsc4py).
"""
import json
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
name = sys.argv[1]
with open(name + "_map.json", encoding="utf-8") as file:
    system = json.load(file)
if not system["matrix"].endswith(".petsc"):
    sys.exit(f"{name}: {system['matrix']} is no file of PETSc: export the case with --matrix petsc")


def read(kind, suffix):
    return kind.create().load(PETSc.Viewer().createBinary(name + suffix, "r"))


matrix, right = read(PETSc.Mat(), "_A.petsc"), read(PETSc.Vec(), "_b.petsc")
options = PETSc.Options()
solver = PETSc.KSP().create()
if system["kernel"] == "constants":
    matrix.setNullSpace(PETSc.NullSpace().create(constant=True))
    if not options.hasName("pc_hypre_boomeramg_relax_type_coarse"):  # elimination divides by the kernel's pivot
        options["pc_hypre_boomeramg_relax_type_coarse"] = "symmetric-SOR/Jacobi"
if system["positive_definite"] or system["kernel"] == "constants":
    matrix.setOption(PETSc.Mat.Option.SPD, True)
    solver.setType("cg")
    solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    solver.getPC().setType("hypre")
    solver.getPC().setHYPREType("boomeramg")
else:
    solver.setType("gmres")
    solver.getPC().setType("lu")
    solver.getPC().setFactorSolverType("mumps")
solver.setTolerances(rtol=1e-12, atol=0.0, max_it=1000)
solver.setOperators(matrix)
solver.setFromOptions()
solution = right.duplicate()
solver.solve(right, solution)
defect = right.duplicate()
matrix.mult(solution, defect)
defect.aypx(-1.0, right)
PETSc.Sys.Print(f"unknowns {matrix.getSize()[0]}, ranks {PETSc.COMM_WORLD.getSize()}, {solver.getType()} with "
                f"{solver.getPC().getType()}, iterations {solver.getIterationNumber()}, "
                f"|b - A x|/|b| = {defect.norm() / (right.norm() or 1.0):.1e}")
if solver.getConvergedReason() <= 0:
    PETSc.Sys.Print(f"not converged: reason {solver.getConvergedReason()} (-ksp_converged_reason says it in words)")
    sys.exit(1)
solution.view(PETSc.Viewer().createBinary(name + "_x.petsc", "w"))
