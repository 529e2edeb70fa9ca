#!/usr/bin/env python3
"""tests/cases/ranks_without_memory.py with more trials, on three ranks, too, and of flows, steady problems and points of a
parameter.

    ranks_without_memory.py GWRM MPIRUN LIBRARY [--trials N] [--seed N] [--seconds S] [--jobs N] [NAME ...]
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cases"))
import ranks_without_memory as short  # noqa: E402
import run_ranks  # noqa: E402
import window_ranks  # noqa: E402

MORE = [
    short.Subject("windows, rank 0 of 3", window_ranks.PLANE, 3, 0),
    short.Subject("windows, rank 2 of 3", window_ranks.PLANE, 3, 2),
    short.Subject("windows, limit of rank 2 of 3", short.LARGE, 3, 2, limit=True),
    short.Subject("flow, rank 0 of 2", window_ranks.FLOW, 2, 0),
    short.Subject("flow, rank 1 of 3", window_ranks.FLOW, 3, 1),
    short.Subject("steady, rank 0 of 3", window_ranks.STEADY, 3, 0),
    short.Subject("points, rank 0 of 2", run_ranks.BURGERS, 2, 0),
    short.Subject("points, rank 2 of 3", run_ranks.BURGERS, 3, 2),
]

if __name__ == "__main__":
    sys.exit(short.main(short.SUBJECTS + MORE, 100, __doc__))
