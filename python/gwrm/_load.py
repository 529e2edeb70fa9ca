"""Loads the compiled part, `core`, and sets its OpenMP and BLAS up for speed (src/cli/process_settings.hpp). With
GWRM_PROCESS_SETTINGS=off in the environment they are left as they are."""

import atexit
import os

_ON = os.environ.get("GWRM_PROCESS_SETTINGS") != "off"
# A thread of OpenMP waits for the others in a loop before it sleeps; libgomp's own 300 000 rounds are for machines that
# run nothing else. It reads the variable when it is loaded; nobody else is to see it.
_ROUNDS = {"GOMP_SPINCOUNT": "5000"} if _ON and not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & set(os.environ) else {}

os.environ.update(_ROUNDS)
try:
    from . import _core as core
finally:
    for _name in _ROUNDS:
        del os.environ[_name]
if _ON:
    core.take_best_blas_kernels()
atexit.register(core.end_process_if_threads_are_left)
