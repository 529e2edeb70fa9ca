#!/usr/bin/env python3
"""Tables and plots of the lines that `gwrm-bench` prints.

    gwrm-bench --backend cuda > cuda.jsonl
    gwrm-bench --backend cpu > cpu.jsonl
    python3 plot_products.py cuda.jsonl cpu.jsonl            Markdown tables on stdout
    python3 plot_products.py cuda.jsonl cpu.jsonl --png products.png

Tables: one row per shape and batch with the time of one product by every variant; the sizes of Lindvall, "GPU accelerated
product of Chebyshev series" (2019), Tables 1 and 2, beside the printed times. Plot: his Figure 3, the speed-up over the
CPU, and the time over the size. Lines whose result was wrong are named and left out.
"""
import argparse
import json
import sys

VARIANTS = ["monolithic", "stride", "direct", "matrices", "fourier", "auto"]
PAPER = {  # milliseconds on a Tesla K80 and a Xeon E5-2623 v3, as printed
    "200": {"CPU": 0.109, "monolithic": 0.118, "stride": 0.033},
    "400": {"CPU": 0.196, "monolithic": 0.160, "stride": 0.037},
    "100x100": {"CPU": 170.0, "monolithic": 0.044, "stride": 0.004},
    "200x200": {"CPU": 1093.0, "monolithic": 0.048, "stride": 0.005},
}


def read(paths):
    """{(backend, precision, shape, batch): {variant: line}} and the ceilings {backend: line}."""
    works, ceilings = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in filter(None, map(str.strip, file)):
                record = json.loads(line)
                if record["operation"] == "ceilings":
                    ceilings[record["backend"]] = record
                elif record["operation"] == "product":
                    if not record["right"]:
                        print(f"left out, wrong: {line}", file=sys.stderr)
                        continue
                    key = (record["backend"], record["precision"], record["shape"], record["batch"])
                    works.setdefault(key, {})[record["variant"]] = record
    return works, ceilings


def time_text(record):
    if record is None:
        return ""
    time = record["median_us"]
    return f"{time:.2f}" if time < 10 else f"{time:.1f}" if time < 100 else f"{time:.0f}"


def table(works, backend, precision):
    rows = [key for key in works if key[:2] == (backend, precision)]
    if not rows:
        return
    print("| shape | batch | " + " | ".join(VARIANTS) + " | auto runs as | of the ceiling | largest error |")
    print("|---" * (len(VARIANTS) + 5) + "|")
    for key in rows:
        lines = works[key]
        best = lines.get("auto") or min(lines.values(), key=lambda line: line["median_us"])
        ceiling = max(best["of_matrix_ceiling"], best["of_copy_ceiling"])
        error = max(line["error"] for line in lines.values())
        print(f"| {key[2]} | {key[3]} | " + " | ".join(time_text(lines.get(variant)) for variant in VARIANTS) +
              f" | {best['runs_as']} | {100 * ceiling:.0f} % | {error:.1e} |")
    print()


def paper_tables(works):
    print("| coefficients | | printed, ms | measured, ms | error |")
    print("|---|---|---|---|---|")
    for shape, printed in PAPER.items():
        for name, time in printed.items():
            backend, variant = ("cpu", "stride") if name == "CPU" else ("cuda", name)
            line = works.get((backend, "double", shape, 1), {}).get(variant)
            if line:
                print(f"| {shape} | {name} | {time} | {line['median_us'] / 1e3:.4g} | {line['error']:.1e} |")
    print()


def squares(works, backend, dimensions):
    """[(n, lines)] of the shapes n x ... x n, one product each."""
    found = []
    for (of_backend, precision, shape, batch), lines in works.items():
        extents = shape.split("x")
        if of_backend == backend and precision == "double" and batch == 1 and len(extents) == dimensions and len(
                set(extents)) == 1:
            found.append((int(extents[0]), lines))
    return sorted(found, key=lambda entry: entry[0])


def plot(works, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 2, figsize=(11, 8))
    for column, dimensions in enumerate((1, 2)):
        cpu = {n: lines["stride"]["median_us"] for n, lines in squares(works, "cpu", dimensions) if "stride" in lines}
        device = squares(works, "cuda", dimensions)
        for variant in ("monolithic", "stride", "direct", "auto"):
            ratios = [(n, cpu[n] / lines[variant]["median_us"]) for n, lines in device if n in cpu and variant in lines]
            if ratios:
                panels[0][column].plot(*zip(*ratios), "o-", markersize=3, label=variant)
        for variant in VARIANTS:
            times = [(n, lines[variant]["median_us"]) for n, lines in device if variant in lines]
            if times:
                panels[1][column].loglog(*zip(*times), "o-", markersize=3, label=variant)
        panels[0][column].set(title=f"{dimensions}-D: speed-up over the CPU's sums (all its cores)", yscale="log",
                              xlabel="coefficients per dimension")
        panels[1][column].set(title=f"{dimensions}-D: one product", xlabel="coefficients per dimension",
                              ylabel="microseconds")
        for row in (0, 1):
            panels[row][column].grid(True, which="major", alpha=0.3)
            if panels[row][column].lines:
                panels[row][column].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="output of gwrm-bench")
    parser.add_argument("--png", help="draw the plots into this file")
    options = parser.parse_args()
    works, ceilings = read(options.files)
    for backend, line in ceilings.items():
        print(f"{line['device']}, {line['version']} ({line['revision']}): copy {line['copy_gbytes_per_s']:.0f} GB/s, "
              f"matrix product {line['matrix_gflops']:.0f} GFLOP/s\n")
        for precision in ("double", "single"):
            table(works, backend, precision)
    if {"cpu", "cuda"} <= ceilings.keys():
        paper_tables(works)
    if options.png:
        plot(works, options.png)


if __name__ == "__main__":
    main()
