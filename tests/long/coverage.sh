#!/usr/bin/env bash
# Lines and branches of src and problems that the tests reach, by gcov.
#
#   tests/long/coverage.sh FOLDER [CTEST-ARGUMENT ...]     e.g.  tests/long/coverage.sh build/coverage -LE cuda
#
# Builds everything with --coverage in FOLDER, runs the tests (those that the arguments of ctest select; none: all but those
# that measure memory or take it away), and prints a table per folder and the files below 80 %. What FOLDER holds is used again.
# GWRM_COVERAGE_TARGETS names what is built ("gwrm output_tests"), GWRM_JOBS limits the compilations, GWRM_PYTHON is the
# Python of the tests that open result files. Half an hour on two cores. Needs g++ and its gcov.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- -E 'case.memory|OutputMemory|case.library|case.failing_allocations'

# Counters that threads share are counted exactly; Eigen takes too long without any optimisation.
cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -DNDEBUG --coverage -fprofile-update=atomic' \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON ${GWRM_PYTHON:+-DGWRM_PYTHON="$GWRM_PYTHON"} >/dev/null
# shellcheck disable=SC2086  # several targets
ninja -C "$folder" -j "${GWRM_JOBS:-$(nproc)}" ${GWRM_COVERAGE_TARGETS:-} >"$folder/build.log" ||
  { tail -n 30 "$folder/build.log" >&2; exit 1; }
find "$folder" -name '*.gcda' -delete
tests=0
(cd "$folder" && ctest -j "${GWRM_JOBS:-$(nproc)}" --timeout 900 "$@" >ctest.log) || tests=$?
tail -n 3 "$folder/ctest.log"
python3 "$source/tests/long/coverage_table.py" "$source" "$folder"
[ "$tests" -eq 0 ] || { echo "some tests failed: $folder/ctest.log"; exit 1; }
