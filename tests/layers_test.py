#!/usr/bin/env python3
"""Checks the rules of the source tree: layers, third-party headers, CUDA syntax, length and form of files.

    layers_test.py ROOT        checks the tree
    layers_test.py --self-test plants one violation of each rule in a temporary tree and expects each to be found
"""
import os
import pathlib
import re
import sys
import tempfile
import unittest

# Lowest first: a file may include its own folder or one of a lower rank. Two folders of one rank do not see each other.
RANKS = [["core"], ["kernels", "expression"], ["case"], ["basis", "solver"], ["output"], ["weighted_residual"],
         ["problems"], ["api"], ["cli"], ["bench"]]
RANK = {layer: rank for rank, layers in enumerate(RANKS) for layer in layers}
TOP_LEVEL = {"kernels", "problems", "bench"}  # the other layers lie below src/

# The rooms of a layer in the same order. A file that lies in none of them is named by its stem; every folder and every such
# file of these layers has to stand here.
ROOMS = {
    "kernels": [["device"], ["linear_algebra"], ["banded"], ["transform"], ["product", "sbp_sat", "recurrence", "stencil"]],
    "weighted_residual": [["model"], ["window"], ["preconditioner"], ["device"]],
    "problems": [["problem", "stored_answer", "data_files"], ["module", "window_journal"], ["manufactured_data", "finer_grid", "unseen_data", "spare_accuracy", "needed_intervals", "given_solution", "task_farm"], ["time_spectral", "sbp_sat", "recurrence_bvp", "ball"],
                 ["continuation"], ["eigenvalue", "convergence", "sweep", "time_estimate"], ["registry"]],
    "bench": [["measure"], ["products", "banded", "transforms", "stencil", "sbp_sat", "recurrence", "orders", "root_solvers", "link", "peers"], ["gwrm_bench"]],
}
ROOM_RANK = {layer: {room: rank for rank, rooms in enumerate(ranks) for room in rooms} for layer, ranks in ROOMS.items()}

# Third-party headers and the only layer that may include them; None: no layer, only device files.
THIRD_PARTY = [
    (re.compile(r"yaml-cpp/"), ("case",)),
    (re.compile(r"(H5|hdf5)\w*\.h"), ("output",)),
    (re.compile(r"CLI/"), ("cli", "bench")),  # where programs are
    (re.compile(r"nanobind/"), ("python",)),  # no layer: python/bindings
    (re.compile(r"spdlog/"), ("core",)),
    (re.compile(r"mpi\.h$"), ("core",)),
    (re.compile(r"(cuda|cublas|cusolver|cusparse|cufft|nvrtc|cub/|thrust/)"), None),
]
# Layers whose .cuh headers say in a line of their own which header's operations they hold for the device, more than one
# with a comma between, or why there is nothing to name; what differs may follow a semicolon.
#     // Contract: kernels/linear_algebra/gram_schmidt.hpp
#     // Device only: on the host a clock will do.
DEVICE_LAYERS = {"kernels", "weighted_residual"}
CONTRACT = re.compile(r"// (Contract|Device only): *([^;]*)")

# What only one basis of an axis is made of, and the layers that may include it: all others ask basis/axis_basis.hpp. The
# products of Chebyshev series are in kernels, what measures them and their parts is in bench.
ONE_BASIS = re.compile(r"basis/(chebyshev|chebyshev_basis|fourier_basis|low_degree|radau|reference_matrices|ultraspherical(_band)?)\.hpp$"
                       r"|kernels/transform/chebyshev_matrices\.hpp$")
KNOWS_ONE_BASIS = {"basis", "kernels", "bench", None}  # None: tests
# Has to come before other headers of Eigen, in every file of a program; the peers are programs of their own.
EIGEN_STORAGE = "core/matrix_storage.hpp"
HOST_FILES = {".cpp", ".hpp"}
DEVICE_FILES = {".cu", ".cuh"}
TEXT_FILES = HOST_FILES | DEVICE_FILES | {".py", ".sh", ".yaml", ".cmake", ".txt", ".md", ".json"}
MAX_LINES = 450

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
DEFAULT_LOG = re.compile(r"\bspdlog::(trace|debug|info|warn|error|critical|default_logger)\b")
CUDA_SYNTAX = re.compile(r"<<<|\b__(global|device|shared|host|launch_bounds|constant)__")
# A thread that finds no memory to note the destructor of such an object is ended by glibc, and the process with it.
THREAD_LOCAL = re.compile(r"\bthread_local\b")
THREAD_SCRATCH = "core/thread_scratch.hpp"
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|work|tmp|Users|mnt)/")
SKIPPED_FOLDERS = {"build", ".git", ".venv", "__pycache__", ".pytest_cache"}


def layer_of(path):
    """The layer of a path relative to the root, or None for tests, docs and the like."""
    parts = path.parts
    if parts[0] in TOP_LEVEL:
        return parts[0]
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def room_of(path, layer):
    """The room of a file within its layer: a folder, or the stem of a file that lies in none."""
    parts = path.parts[path.parts.index(layer) + 1:]
    return parts[0] if len(parts) > 1 else path.stem


def room_of_include(name, path, layer, root):
    """The room that an include of the file's own layer names."""
    if (root / path.parent / name).is_file():
        return room_of(pathlib.PurePath(os.path.normpath(path.parent / name)), layer)
    return room_of(pathlib.PurePath(name), layer)


def layer_of_include(name, path, root):
    """The layer an include names; include directories are the root, src and the file's own folder."""
    first = name.split("/")[0]
    if (root / path.parent / name).is_file():
        return layer_of(path)
    return first if first in RANK and ((root / "src" / name).is_file() or (root / name).is_file()) else None


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)
    text = re.sub(r'("(?:\\.|[^"\\\n])*")|//[^\n]*', lambda match: match.group(1) or "", text)
    return text


def check_includes(path, lines, root):
    layer = layer_of(path)
    storage_included = path.name == pathlib.PurePath(EIGEN_STORAGE).name or "peers" in path.parts
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        storage_included = storage_included or name == EIGEN_STORAGE
        if name.startswith("Eigen/") and not storage_included:
            yield number, f"{EIGEN_STORAGE} comes before {name}"
        if layer in RANK:
            other = layer_of_include(name, path, root)
            if other not in (None, layer) and RANK[other] >= RANK[layer]:
                yield number, f"{layer} must not include {other}: {name}"
            if other == layer and layer in ROOMS:
                room, inner = room_of(path, layer), room_of_include(name, path, layer, root)
                ranks = ROOM_RANK[layer]
                if room in ranks and inner in ranks and room != inner and ranks[inner] >= ranks[room]:
                    yield number, f"{layer}/{room} must not include {layer}/{inner}: {name}"
        if ONE_BASIS.search(name) and layer not in KNOWS_ONE_BASIS:
            yield number, f"{layer} asks an AxisBasis, not {name}"
        for pattern, owner in THIRD_PARTY:
            if not pattern.match(name):
                continue
            if owner is None and path.suffix not in DEVICE_FILES:
                yield number, f"{name} belongs in .cu and .cuh files"
            if owner is not None and layer is not None and layer not in owner:
                yield number, f"{name} belongs in {' and '.join(owner)}, not in {layer}"


def check_contract(path, lines, root):
    found = [(number, *match.groups()) for number, line in enumerate(lines, 1) if (match := CONTRACT.match(line))]
    if len(found) != 1:
        yield 1, 'a device header has one line "// Contract: HEADER" or one "// Device only: REASON"'
        return
    number, kind, text = found[0]
    if kind == "Device only" and not text:
        yield number, "why is it for the device only?"
    for name in map(str.strip, text.split(",") if kind == "Contract" else []):
        if not name.endswith(".hpp") or not (root / name).is_file():
            yield number, f"no header {name} from the root of the tree"


def anonymous_names(text):
    """(line, name, signature) of each definition in an anonymous namespace; what may stand twice has equal signatures
    that begin with "using" (the same alias). Relies on the form that clang-format gives: such definitions begin in the
    first column."""
    lines = strip_comments(text).splitlines()
    namespaces = []
    for number, (line, whole) in enumerate(zip(lines, text.splitlines()), 1):
        if match := re.match(r"(?:inline )?namespace( [\w:]+)? \{", line):
            namespaces.append(match.group(1))
        elif whole.startswith("}  // namespace") and namespaces:
            namespaces.pop()
        if None not in namespaces or not re.match(r"[A-Za-z]", line):
            continue
        line = re.sub(r"^template <.*?>(?= \w)", "", line).strip()
        if re.match(r"(namespace|template|typedef|static_assert|extern|public|private|TEST)\b|[A-Z_]+\(|using (namespace )?[\w:]+[;,]|\w+ \w+;", line):
            continue
        # Further names of one line: constexpr int kA = 1, kB = 2; enum { kA, kB }.
        more = r"\b(k[A-Z]\w*)" if line.startswith("enum ") else r", (k[A-Z]\w*)(?:\[\w*\])* = "
        yield from ((number, name, "variable") for name in re.findall(more, line))
        if match := re.match(r"(?:struct|class|enum class|enum|union) (?:alignas\(\w+\) )?(\w+)", line):
            yield number, match.group(1), "type"
        elif match := re.match(r"using (\w+) =", line):
            yield number, match.group(1), line
        elif match := re.match(r"[^(={;]*?(\w+)(?:\[\w*\])* ?(=|\{|;)", re.sub(r"<[^()=]*>", "", line)):
            yield number, match.group(1), "variable"
        elif match := re.search(r"(?<!::)\b(\w+)\((.*)", line):
            parameters = match.group(2)
            while ")" not in parameters and number < len(lines):
                parameters += " " + lines[number].strip()
                number += 1
            types = [re.sub(r" ?\w+( = .*)?$", "", one.strip()) for one in re.split(r",(?![^<]*>)", parameters.split(")")[0])]
            yield number, match.group(1), f"({', '.join(types)})"


def check_folder_names(sources):
    """Two files of a folder may be compiled as one (cmake/unity.cmake): a name in the anonymous namespace of one means
    nothing else in another. Tests have a namespace each instead. `sources`: path -> text."""
    owners = {}
    for path, text in sources.items():
        if path.suffix != ".cpp" or "peers" in path.parts:
            continue
        if path.parts[0] == "tests":
            if path.stem.endswith("_test") and not re.search(rf"^namespace [\w:]+::{path.stem} {{$", text, flags=re.M):
                yield f"{path}:1: a test has a namespace of its own, named as the file: gwrm::{path.stem}"
            continue
        for line, name, signature in anonymous_names(text):
            known = owners.setdefault((path.parent, name), [])
            for other, place, old in known:
                if other != path and clash(signature, old):
                    yield f"{path}:{line}: {name} is also a name of {other.name}:{place}: rename one, or share it"
                    break
            known.append((path, line, signature))


def clash(a, b):
    if a.startswith("using") and b.startswith("using"):
        return a != b
    return a == b or not (a.startswith("(") and b.startswith("("))  # overloads have other parameters


def check_source(path, text, root):
    lines = text.splitlines()
    code = strip_comments(text).splitlines()
    if layer_of(path) is not None and layer_of(path) not in RANK:
        yield 1, f"{layer_of(path)} is not a layer"
    if layer_of(path) in ROOMS and room_of(path, layer_of(path)) not in ROOM_RANK[layer_of(path)]:
        yield 1, f"{room_of(path, layer_of(path))} is not a room of {layer_of(path)}"
    yield from check_includes(path, lines, root)
    if path.suffix == ".cuh" and layer_of(path) in DEVICE_LAYERS:
        yield from check_contract(path, lines, root)
    if path.suffix in HOST_FILES:
        for number, line in enumerate(code, 1):
            if CUDA_SYNTAX.search(re.sub(r'"(?:\\.|[^"\\])*"', '""', line)):
                yield number, "CUDA syntax belongs in .cu and .cuh files"
            if layer_of(path) is not None and THREAD_LOCAL.search(line) and not str(path).endswith(THREAD_SCRATCH):
                yield number, f"what a thread keeps comes from {THREAD_SCRATCH}"
    for number, line in enumerate(code, 1):
        if DEFAULT_LOG.search(line):
            yield number, "spdlog's default log prints to stdout in programs of others: use logger() of core/log.hpp"
    if path.suffix in {".hpp", ".cuh"} and not any(line.strip() == "#pragma once" for line in code):
        yield 1, "a header needs #pragma once"
    if len(lines) > MAX_LINES:
        yield len(lines), f"longer than {MAX_LINES} lines: split it by idea"


def files_of(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.is_file() and not SKIPPED_FOLDERS & set(relative.parts[:-1]):
            if path.suffix in TEXT_FILES or (len(relative.parts) <= 2 and path.name in {"bootstrap", "run"}):
                yield relative


def check_tree(root):
    """All violations as "file:line: message"."""
    root = pathlib.Path(root)
    violations = []
    n_sources = 0
    sources = {}
    for path in files_of(root):
        text = (root / path).read_text(encoding="utf-8")
        found = []
        if path.suffix in HOST_FILES | DEVICE_FILES:
            n_sources += 1
            sources[path] = text
            found += check_source(path, text, root)
        found += [(number, "a path of one machine") for number, line in enumerate(text.splitlines(), 1)
                  if MACHINE_PATH.search(line)]
        violations += [f"{path}:{number}: {message}" for number, message in found]
    violations += check_folder_names(sources)
    if n_sources == 0:
        violations.append(f"{root}: no source files found")
    return violations


class SelfTest(unittest.TestCase):
    """Every rule must be able to fail, and a clean tree must pass."""

    CLEAN = {
        "src/core/errors.hpp": "#pragma once\n",
        "src/case/case.hpp": '#pragma once\n#include "core/errors.hpp"\n',
        "src/case/reader.cpp": '#include <yaml-cpp/yaml.h>\n#include "case/case.hpp"\n',
        "src/output/file.cpp": "#include <hdf5.h>\n",
        "src/cli/main.cpp": "#include <CLI/CLI.hpp>\n",
        "kernels/product/foo.hpp": '#pragma once\n#include "core/errors.hpp"  // a launch is written foo<<<n, m>>>\n',
        "kernels/product/foo_cuda.cu":
            '#include <cuda_runtime.h>\n#include "kernels/product/foo.hpp"\n__global__ void foo() {}\n',
        "kernels/product/foo_device.cuh":
            "// Foo.\n//\n// Contract: kernels/product/foo.hpp; in device memory.\n#pragma once\n",
        "kernels/device/bar.cuh": "// Device only: the CPU has no bars.\n#pragma once\n",
        "problems/problem.hpp": "#pragma once\n",
        "problems/sbp_sat/heat.cpp":
            '#include "kernels/product/foo.hpp"\n#include "problems/problem.hpp"\nconst char* s = "a << b // c";\n',
    }

    def violations(self, planted=None):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.CLEAN, **(planted or {})}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check_tree(folder)

    def expect_one(self, name, text, fragment):
        found = self.violations({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(fragment, found[0])
        self.assertTrue(found[0].startswith(name), found[0])

    def test_clean_tree(self):
        self.assertEqual(self.violations(), [])

    def test_empty_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(check_tree(folder)), 1)

    def test_upward_include(self):
        self.expect_one("src/core/log.cpp", '#include "case/case.hpp"\n', "core must not include case")
        self.expect_one("kernels/product/bar.cpp", '#include "case/case.hpp"\n', "kernels must not include case")

    def test_sideways_include(self):
        self.expect_one("src/expression/e.cpp", '#include "kernels/product/foo.hpp"\n',
                        "expression must not include kernels")

    def test_rooms(self):
        self.expect_one("kernels/device/d.cpp", '#include "kernels/product/foo.hpp"\n',
                        "kernels/device must not include kernels/product")
        self.expect_one("kernels/sbp_sat/s.cpp", '#include "kernels/product/foo.hpp"\n',
                        "kernels/sbp_sat must not include kernels/product")
        self.expect_one("problems/recurrence_bvp/r.cpp", '#include "../sbp_sat/heat.cpp"\n',
                        "problems/recurrence_bvp must not include problems/sbp_sat")
        self.expect_one("problems/problem.cpp", '#include "problems/sbp_sat/heat.cpp"\n',
                        "problems/problem must not include problems/sbp_sat")
        self.expect_one("kernels/misc/m.cpp", "\n", "misc is not a room of kernels")
        self.expect_one("problems/solve.cpp", "\n", "solve is not a room of problems")

    def test_unknown_layer(self):
        self.expect_one("src/misc/misc.cpp", "\n", "misc is not a layer")

    def test_third_party(self):
        self.expect_one("src/weighted_residual/window/s.cpp", "#include <yaml-cpp/yaml.h>\n", "belongs in case")
        self.expect_one("src/case/c.cpp", "#include <H5public.h>\n", "belongs in output")
        self.expect_one("src/output/c.cpp", "#include <CLI/CLI.hpp>\n", "belongs in cli")
        self.expect_one("src/api/a.cpp", "#include <nanobind/nanobind.h>\n", "belongs in python")
        self.assertEqual(self.violations({"python/bindings/m.cpp": "#include <nanobind/nanobind.h>\n"}), [])
        self.expect_one("kernels/product/k.cpp", "#include <cublas_v2.h>\n", "belongs in .cu")

    def test_one_basis(self):
        clean = {"src/basis/chebyshev.hpp": "#pragma once\n", "kernels/transform/chebyshev_matrices.hpp": "#pragma once\n",
                 "bench/orders/o.cpp": '#include "basis/chebyshev.hpp"\n',
                 "src/basis/b.cpp": '#include "kernels/transform/chebyshev_matrices.hpp"\n',
                 "tests/basis/b.cpp": '#include "basis/chebyshev.hpp"\n'}
        self.assertEqual(self.violations(clean), [])
        for header in ("basis/chebyshev.hpp", "kernels/transform/chebyshev_matrices.hpp"):
            found = self.violations({**clean, "src/output/o.cpp": f'#include "{header}"\n'})
            self.assertEqual(found, [f"src/output/o.cpp:1: output asks an AxisBasis, not {header}"])

    def test_eigen_storage(self):
        clean = {"src/core/matrix_storage.hpp": "#pragma once\n#include <Eigen/Core>\n",
                 "src/solver/s.cpp": '#include "core/matrix_storage.hpp"\n\n#include <Eigen/LU>\n'}
        self.assertEqual(self.violations(clean), [])
        self.expect_one("src/solver/s.cpp", '#include <Eigen/LU>\n#include "core/matrix_storage.hpp"\n',
                        "core/matrix_storage.hpp comes before Eigen/LU")

    def test_default_log(self):
        self.expect_one("src/core/k.cpp", 'void f() { spdlog::warn("x"); }\n', "logger()")
        self.expect_one("src/weighted_residual/window/k.cpp", "#include <spdlog/spdlog.h>\n", "belongs in core")

    def test_cuda_syntax(self):
        self.expect_one("kernels/product/k.cpp", "\nvoid f() { k<<<1, 2>>>(); }\n", "k.cpp:2: CUDA syntax")
        self.expect_one("src/core/k.hpp", "#pragma once\n__device__ int i;\n", "CUDA syntax")

    def test_thread_local(self):
        self.assertEqual(self.violations({"src/core/thread_scratch.hpp": "#pragma once\nthread_local int* own;\n"}), [])
        self.expect_one("kernels/product/k.cpp", "\nvoid f() { thread_local Buffer own; }\n", "k.cpp:2: what a thread keeps")

    def test_contract(self):
        name, end = "kernels/product/k.cuh", "#pragma once\n"
        contract, reason = "// Contract: kernels/product/foo.hpp\n", "// Device only: why not.\n"
        self.expect_one(name, end, "a device header has one line")
        self.expect_one(name, contract + reason + end, "a device header has one line")
        self.expect_one(name, "// Contract: kernels/product/gone.hpp\n" + end, "no header kernels/product/gone.hpp")
        self.expect_one(name, "// Contract: kernels/product/foo.hpp, foo.hpp\n" + end, "no header foo.hpp")
        self.expect_one(name, "// Contract: kernels/product/foo_cuda.cu\n" + end, "foo_cuda.cu from the root")
        self.expect_one(name, "// Device only:\n" + end, "why is it for the device only")
        self.expect_one("src/weighted_residual/device/k.cuh", end, "a device header has one line")

    def test_folder_names(self):
        def clashes(a, b):
            files = {f"src/case/{name}.cpp": f"namespace gwrm {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace gwrm\n"
                     for name, text in (("a", a), ("b", b))}
            return len(self.violations(files))

        function = "double f(int i) {\n  return i;\n}"
        self.assertEqual(clashes("constexpr int kMost = 1;", "constexpr int kMost = 2;"), 1)
        self.assertEqual(clashes("constexpr int kMost[] = {1};", "const std::vector<int> kMost = {2};"), 1)
        self.assertEqual(clashes("struct Item {\n  int i;\n};", "class Item {\n  int i;\n};"), 1)
        self.assertEqual(clashes(function, function), 1)
        self.assertEqual(clashes(function, function.replace("int i", "int j = 0")), 1)
        self.assertEqual(clashes(function, function.replace("int", "long")), 0)  # overloads
        self.assertEqual(clashes(function, "double f = 0.0;"), 1)
        self.assertEqual(clashes("constexpr int kA = 1, kB = 2;", "constexpr int kB = 2;"), 1)
        self.assertEqual(clashes("enum Kind { kA, kB };", "constexpr int kB = 2, kC = 3;"), 1)
        self.assertEqual(clashes("template <class T>\nT g(T a) {\n  return a;\n}", "template <class T>\nT g(T b) {\n  return b;\n}"), 1)
        self.assertEqual(clashes("using Number = double;", "using Number = double;"), 0)
        self.assertEqual(clashes("using Number = double;", "using Number = float;"), 1)
        self.assertEqual(clashes("using expression::Expr;", "using expression::Expr;"), 0)
        self.assertEqual(clashes("// int f(int i);", function), 0)
        self.expect_one("tests/case/a_test.cpp", "namespace gwrm {\n}  // namespace gwrm\n", "gwrm::a_test")
        self.assertEqual(self.violations({"tests/case/a_test.cpp": "namespace gwrm::a_test {\n"}), [])

    def test_pragma_once(self):
        self.expect_one("src/core/k.hpp", "// #pragma once\n", "#pragma once")

    def test_length(self):
        self.expect_one("src/core/long.cpp", "\n" * (MAX_LINES + 1), "longer than")

    def test_machine_path(self):
        self.expect_one("inputs/a.yaml", "file: " + "/".join(["", "home", "me", "a.h5"]) + "\n", "path of one machine")


def main():
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    violations = check_tree(sys.argv[1])
    print("\n".join(violations) or "the source tree keeps its rules")
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
