#!/usr/bin/env python3
"""Checks the rules of the source tree: layers, third-party headers, CUDA syntax, length and form of files.

    layers_test.py ROOT        checks the tree
    layers_test.py --self-test plants one violation of each rule in a temporary tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile
import unittest

# Lowest first: a file may include its own folder or one of a lower rank. Two folders of one rank do not see each other.
RANKS = [["core"], ["kernels", "expression"], ["case"], ["spectral", "solver"], ["output"], ["system"], ["problems"],
         ["api"], ["cli"]]
RANK = {layer: rank for rank, layers in enumerate(RANKS) for layer in layers}
TOP_LEVEL = {"kernels", "problems"}  # the other layers lie below src/

# Third-party headers and the only layer that may include them; None: no layer, only device files.
THIRD_PARTY = [
    (re.compile(r"yaml-cpp/"), "case"),
    (re.compile(r"(H5|hdf5)\w*\.h"), "output"),
    (re.compile(r"CLI/"), "cli"),
    (re.compile(r"spdlog/"), "core"),
    (re.compile(r"(cuda|cublas|cusolver|cusparse|cufft|nvrtc|cub/|thrust/)"), None),
]
HOST_FILES = {".cpp", ".hpp"}
DEVICE_FILES = {".cu", ".cuh"}
TEXT_FILES = HOST_FILES | DEVICE_FILES | {".py", ".sh", ".yaml", ".cmake", ".txt", ".md", ".json"}
MAX_LINES = 450

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
DEFAULT_LOG = re.compile(r"\bspdlog::(trace|debug|info|warn|error|critical|default_logger)\b")
CUDA_SYNTAX = re.compile(r"<<<|\b__(global|device|shared|host|launch_bounds|constant)__")
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|work|tmp|Users|mnt)/")
SKIPPED_FOLDERS = {"build", ".git", ".venv", "__pycache__", ".pytest_cache"}


def layer_of(path):
    """The layer of a path relative to the root, or None for tests, docs and the like."""
    parts = path.parts
    if parts[0] in TOP_LEVEL:
        return parts[0]
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


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
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        if layer in RANK:
            other = layer_of_include(name, path, root)
            if other not in (None, layer) and RANK[other] >= RANK[layer]:
                yield number, f"{layer} must not include {other}: {name}"
        for pattern, owner in THIRD_PARTY:
            if not pattern.match(name):
                continue
            if owner is None and path.suffix not in DEVICE_FILES:
                yield number, f"{name} belongs in .cu and .cuh files"
            if owner is not None and layer is not None and layer != owner:
                yield number, f"{name} belongs in {owner}, not in {layer}"


def check_source(path, text, root):
    lines = text.splitlines()
    code = strip_comments(text).splitlines()
    if layer_of(path) is not None and layer_of(path) not in RANK:
        yield 1, f"{layer_of(path)} is not a layer"
    yield from check_includes(path, lines, root)
    if path.suffix in HOST_FILES:
        for number, line in enumerate(code, 1):
            if CUDA_SYNTAX.search(re.sub(r'"(?:\\.|[^"\\])*"', '""', line)):
                yield number, "CUDA syntax belongs in .cu and .cuh files"
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
    for path in files_of(root):
        text = (root / path).read_text(encoding="utf-8")
        found = []
        if path.suffix in HOST_FILES | DEVICE_FILES:
            n_sources += 1
            found += check_source(path, text, root)
        found += [(number, "a path of one machine") for number, line in enumerate(text.splitlines(), 1)
                  if MACHINE_PATH.search(line)]
        violations += [f"{path}:{number}: {message}" for number, message in found]
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
        "kernels/foo.hpp": '#pragma once\n#include "core/errors.hpp"  // a launch is written foo<<<n, m>>>\n',
        "kernels/foo_cuda.cu": '#include <cuda_runtime.h>\n#include "kernels/foo.hpp"\n__global__ void foo() {}\n',
        "problems/heat/heat.cpp": '#include "kernels/foo.hpp"\nconst char* s = "a << b // c";\n',
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
        self.expect_one("kernels/bar.cpp", '#include "case/case.hpp"\n', "kernels must not include case")

    def test_sideways_include(self):
        self.expect_one("src/expression/e.cpp", '#include "kernels/foo.hpp"\n', "expression must not include kernels")

    def test_unknown_layer(self):
        self.expect_one("src/misc/misc.cpp", "\n", "misc is not a layer")

    def test_third_party(self):
        self.expect_one("src/system/s.cpp", "#include <yaml-cpp/yaml.h>\n", "belongs in case")
        self.expect_one("src/case/c.cpp", "#include <H5public.h>\n", "belongs in output")
        self.expect_one("src/output/c.cpp", "#include <CLI/CLI.hpp>\n", "belongs in cli")
        self.expect_one("kernels/k.cpp", "#include <cublas_v2.h>\n", "belongs in .cu")

    def test_default_log(self):
        self.expect_one("src/core/k.cpp", 'void f() { spdlog::warn("x"); }\n', "logger()")
        self.expect_one("src/system/k.cpp", "#include <spdlog/spdlog.h>\n", "belongs in core")

    def test_cuda_syntax(self):
        self.expect_one("kernels/k.cpp", "\nvoid f() { k<<<1, 2>>>(); }\n", "k.cpp:2: CUDA syntax")
        self.expect_one("src/core/k.hpp", "#pragma once\n__device__ int i;\n", "CUDA syntax")

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
