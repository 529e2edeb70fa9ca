#!/usr/bin/env bash
# Compiles the C++ files one by one, without unity builds and precompiled headers: each has to include what it uses.
#
#   single_files.sh            all of them, as the preset debug does (20 minutes on two cores)
#   single_files.sh --recent   the syntax of those that the last commits changed, at most 24 (the short form in CI)
#
# Needs the packages of ./bootstrap install. Exit status 1 if a file does not compile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ "${1:-}" != --recent ]; then
  cmake -S . -B build/single_files -G Ninja -DCMAKE_BUILD_TYPE=Release -DGWRM_UNITY_BUILD=OFF -DGWRM_WERROR=ON \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
  exec cmake --build build/single_files --parallel "$(nproc)"
fi

# The commands of all files; nothing is built.
cmake -S . -B build/single_files -G Ninja -DCMAKE_BUILD_TYPE=Release -DGWRM_UNITY_BUILD=OFF -DGWRM_WERROR=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_CXX_COMPILER_LAUNCHER= >/dev/null
git log -n 20 --name-only --format= --diff-filter=d -- '*.cpp' | awk '!seen[$0]++ && ++n <= 24' |
  python3 tests/long/compile_alone.py build/single_files/compile_commands.json
