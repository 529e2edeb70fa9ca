#!/usr/bin/env bash
# Runs of the program under valgrind's memcheck: reads of what was never written, reads and writes outside of what was
# allocated, lost memory.
#
#   tests/long/valgrind.sh GWRM [INPUT ...]     inputs of inputs/ by name; none: one of each problem module and an ODE
#
# Each must PASS with no error of memcheck and no byte lost for good. valgrind has no long double: the runs show as well
# that nothing waits for digits that the arithmetic does not have (core/extended_precision.hpp). No error of a library is
# suppressed: there is none in Debian 12's HDF5, OpenBLAS and libgomp. Some 15 s an input. Needs valgrind.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
gwrm=$(realpath "$1")
shift
inputs=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../inputs" && pwd)
[ $# -gt 0 ] || set -- burgers_degrees lorenz84 sbp_poisson bvp_paper
command -v valgrind >/dev/null || { echo 'valgrind is not installed' >&2; exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# One thread: valgrind runs one at a time, and spinning for the others takes all of it.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NO_COLOR=1
failed=0
for name in "$@"; do
  status=0
  valgrind --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    --log-file="$folder/$name.log" \
    "$gwrm" run "$inputs/$name.yaml" -o "$folder/$name.h5" >"$folder/$name.out" 2>&1 || status=$?
  errors=$(sed -n 's/.*ERROR SUMMARY: \([0-9,]*\) errors.*/\1/p' "$folder/$name.log" | tail -n 1)
  printf '%-24s exit status %d, errors of memcheck: %s\n' "$name" "$status" "${errors:-none counted}"
  [ "$status" -eq 0 ] && [ "$errors" = 0 ] && continue
  failed=1
  tail -n 20 "$folder/$name.out"
  tail -n 60 "$folder/$name.log"
done
exit $failed
