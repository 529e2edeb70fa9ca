#!/usr/bin/env python3
"""gwrm-bench on the CPU: its lines are JSON with right results, the table script reads them, mistakes are refused.

    bench_lines.py GWRM_BENCH GWRM PLOT_PRODUCTS
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def main():
    program, gwrm, script = sys.argv[1:]
    bench = run(program, "--backend", "cpu", "--shape", "9", "--shape", "5x6", "--shape", "3x4x2", "--batch", "1",
                "--batch", "3", "--precision", "double", "--precision", "single")
    assert bench.returncode == 0, bench.stderr
    lines = [json.loads(line) for line in bench.stdout.splitlines()]
    assert lines[0]["operation"] == "ceilings" and lines[0]["copy_gbytes_per_s"] > 0
    products = lines[1:]
    variants = {"monolithic", "stride", "direct", "matrices", "auto"}
    found = {(line["precision"], line["shape"], line["batch"], line["variant"]) for line in products}
    wanted = {(precision, shape, batch, variant) for precision in ("double", "single")
              for shape in ("9", "5x6", "3x4x2") for batch in (1, 3) for variant in variants}
    assert found == wanted, found ^ wanted
    for line in products:
        assert line["right"] and line["error"] <= (1e-14 if line["precision"] == "double" else 1.2e-7), line
        assert 0 < line["minimum_us"] <= line["median_us"] and line["gflops"] > 0, line
        assert line["revision"] and line["device"].startswith("cpu"), line

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cpu.jsonl")
        path.write_text(bench.stdout, encoding="utf-8")
        tables = run(sys.executable, script, str(path))
    assert tables.returncode == 0, tables.stderr
    assert "| 5x6 | 3 |" in tables.stdout, tables.stdout

    for options, fragment in ((["--shape", "5y6"], "200x200"), (["--shape", "0"], "'0'"), (["--batch", "2"], "--shape"),
                              (["--shape", "4", "--variant", "fast"], "monolithic"),
                              (["--shape", "4", "--precision", "half"], "double")):
        mistake = run(program, "--backend", "cpu", *options)
        assert mistake.returncode == 2 and fragment in mistake.stderr + mistake.stdout, (options, mistake)

    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            status = subprocess.run([program, "--backend", "cpu", "--shape", "8x8"], stdout=full, timeout=120).returncode
        assert status == 8, status
    moved = run(gwrm, "bench", "--shape", "8x8")
    assert moved.returncode == 2 and "gwrm-bench" in moved.stderr, moved

    transforms(program)
    spherical(program)
    fourier_and_stencils(program)


def transforms(program):
    def lines_of(*options):
        bench = run(program, "--backend", "cpu", "--threads", "1", *options)
        assert bench.returncode == 0, bench.stderr
        lines = [json.loads(line) for line in bench.stdout.splitlines()]
        measured = [line for line in lines if "variant" in line]
        for line in measured:
            assert line["right"] and line["error"] <= 3e-15 and 0 < line["minimum_us"] <= line["median_us"], line
        return measured, [line for line in lines if line["operation"].endswith("_crossover")]

    measured, crossovers = lines_of("--operation", "connection", "--shape", "64", "--batch", "3")
    assert {(line["kind"], line["transposed"], line["variant"]) for line in measured} == {
        (kind, transposed, variant) for kind in ("legendre_to_chebyshev", "chebyshev_to_legendre")
        for transposed in (False, True) for variant in ("direct", "toeplitz_hankel")}, measured
    assert [line["batch"] for line in crossovers] == [3] and "toeplitz_hankel_from" in crossovers[0]
    measured, crossovers = lines_of("--operation", "jones_worland", "--shape", "20x7", "--batch", "2")
    assert {(line["direction"], line["variant"]) for line in measured} == {
        (direction, variant) for direction in ("forward", "backward")
        for variant in ("rotations", "pairs", "quadrature")}, measured
    assert {line["direction"] for line in crossovers} == {"forward", "backward"}
    assert all("rotations_up_to_l" in line for line in crossovers)
    for options, fragment in ((["connection", "--shape", "2000000"], "1048576"),
                              (["connection", "--variant", "fast"], "toeplitz_hankel"),
                              (["connection", "--precision", "single"], "double"),
                              (["jones_worland", "--shape", "64"], "NxL"),
                              (["jones_worland", "--variant", "fast"], "rotations")):
        mistake = run(program, "--backend", "cpu", "--operation", *options)
        assert mistake.returncode == 2 and fragment in mistake.stderr + mistake.stdout, (options, mistake)


def spherical(program):
    for operation, variants in (("legendre", ["synthesis", "analysis", "rotations_synthesis", "rotations_analysis"]),
                                ("spherical", ["synthesis", "analysis", "vector_synthesis", "vector_analysis"])):
        bench = run(program, "--backend", "cpu", "--operation", operation, "--shape", "40", "--batch", "2",
                    "--threads", "1")
        assert bench.returncode == 0, bench.stderr
        ceilings, *lines = [json.loads(line) for line in bench.stdout.splitlines()]
        assert ceilings["operation"] == "ceilings" and [line["variant"] for line in lines] == variants, lines
        for line in lines:
            assert 0 < line["of_matrix_ceiling"] < 2, line
            assert line["right"] and line["error"] <= 1e-14 and 0 < line["minimum_us"] <= line["median_us"], line
    for options, fragment in ((["legendre", "--shape", "5000"], "4095"), (["legendre", "--variant", "fast"], "analysis"),
                              (["spherical", "--precision", "single"], "double")):
        mistake = run(program, "--operation", *options)
        assert mistake.returncode == 2 and fragment in mistake.stderr + mistake.stdout, (options, mistake)


def fourier_and_stencils(program):
    def lines_of(*options):
        bench = run(program, "--backend", "cpu", "--threads", "1", *options)
        assert bench.returncode == 0, bench.stderr
        lines = [json.loads(line) for line in bench.stdout.splitlines()]
        assert lines[0]["operation"] == "ceilings", lines[0]
        for line in lines[1:]:
            assert line["operation"] == options[1] and line["right"], line
            assert 0 < line["minimum_us"] <= line["median_us"] and line["of_copy_ceiling"] > 0, line
        return lines[1:]

    kinds = [f"{name}_{number}" for name in ("cosine", "sine") for number in range(1, 5)]
    lines = lines_of("--operation", "dct", "--shape", "24", "--batch", "5")
    assert [(line["variant"], line["layout"]) for line in lines] == [
        (kind, layout) for kind in kinds for layout in ("contiguous", "interleaved")], lines
    assert all(line["error"] <= 3e-15 and line["outputs_checked"] == 32 for line in lines), lines

    lines = lines_of("--operation", "fourier", "--shape", "3x40x5", "--shape", "20x125x1", "--shape", "2x16x17")
    assert [(line["shape"], line["degree"], line["variant"]) for line in lines] == [
        (shape, degree, variant) for shape, degree in (("3x40x5", 13), ("20x125x1", 41), ("2x16x17", 5))
        for variant in ("synthesis", "synthesis_matrix", "analysis", "analysis_matrix")], lines
    assert all(line["error"] <= 3e-15 and line["outputs_checked"] >= 22 for line in lines), lines

    lines = lines_of("--operation", "isolated", "--shape", "1000x0", "--shape", "1000x700")
    assert [line["order"] for line in lines] == [0, 700] and all(line["right"] for line in lines), lines
    assert lines[1]["error"] < 2e-15 < lines[0]["error"] < 2e-13, lines  # the report's figure 4.7: 5e-14 and 5e-16

    lines = lines_of("--operation", "nonuniform", "--shape", "40", "--shape", "9x12", "--shape", "5x6x8", "--batch", "30")
    assert [(line["shape"], line["tolerance"], line["variant"]) for line in lines] == [
        (shape, tolerance, variant) for shape in ("40", "9x12", "5x6x8") for tolerance in (1e-6, 1e-12)
        for variant in ("points", "type_1", "type_2", "type_1_clustered")], lines
    assert all(line["points"] == 30 and line["error"] <= 10 * line["tolerance"] + 1e-13 for line in lines), lines

    bench = run(program, "--backend", "cpu", "--threads", "1", "--operation", "scattered", "--shape", "9", "--shape", "5x7",
                "--shape", "3x1x5", "--batch", "40")
    assert bench.returncode == 0, bench.stderr
    lines = [json.loads(line) for line in bench.stdout.splitlines()]
    assert [(line["shape"], line["variant"]) for line in lines] == [
        (shape, variant) for shape in ("9", "5x7", "3x1x5") for variant in ("sums", "transforms", "automatic")], lines
    assert all(line["right"] and line["points"] == 40 and line["error"] <= 1e-13 for line in lines), lines
    assert all(line["error"] <= 1e-15 for line in lines if line["variant"] == "sums"), lines

    lines = lines_of("--operation", "stencil", "--shape", "7x6x20")
    assert [(line["variant"], line["boundary"]) for line in lines] == [
        (variant, boundary) for variant in ("order_2", "order_4") for boundary in ("periodic", "one_sided")], lines
    assert all(line["error"] <= 4e-15 and line["points_checked"] == 125 for line in lines), lines

    for options, fragment in ((["dct", "--shape", "2000000"], "1048576"), (["dct", "--shape", "1"], "cosine_1"),
                              (["dct", "--variant", "cosine_5"], "sine_4"), (["dct", "--precision", "single"], "double"),
                              (["fourier", "--shape", "200"], "12x200x200"), (["fourier", "--batch", "3"], "--shape"),
                              (["fourier", "--shape", "2x3x4"], "points"),
                              (["nonuniform", "--shape", "2x2x2x2"], "three dimensions"),
                              (["nonuniform", "--shape", "9000x9000"], "67108864"),
                              (["nonuniform", "--variant", "type_3"], "type_2"),
                              (["nonuniform", "--shape", "8", "--variant", "type_1_paper"], "type_1_clustered"),
                              (["nonuniform", "--precision", "single"], "double"),
                              (["scattered", "--shape", "8x9"], "odd numbers"),
                              (["scattered", "--variant", "type_2"], "automatic"),
                              (["stencil", "--shape", "8x8"], "NZxNYxNX"), (["stencil", "--shape", "8x5x8"], "6 points"),
                              (["stencil", "--shape", "2000x2000x2000"], "1073741824"),
                              (["stencil", "--batch", "2"], "one grid"), (["stencil", "--variant", "order_3"], "order_4"),
                              (["stencil", "--precision", "complex"], "double")):
        mistake = run(program, "--backend", "cpu", "--operation", *options)
        assert mistake.returncode == 2 and fragment in mistake.stderr + mistake.stdout, (options, mistake)


if __name__ == "__main__":
    main()
