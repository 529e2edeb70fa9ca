#!/usr/bin/env python3
"""Figures 4.6, 4.7 and 4.9 of the report on polynomial transforms, from the lines that `gwrm-bench` prints.

    gwrm-bench --operation bidiagonal --backend cuda --shape 16 .. --batch 100 .. > bidiagonal.jsonl
    gwrm-bench --operation stencil --backend cuda > stencil.jsonl
    gwrm-bench --operation isolated --backend cuda > errors.jsonl
    gwrm-bench --operation isolated --backend cpu > errors_cpu.jsonl
    python3 plot_report.py bidiagonal.jsonl stencil.jsonl errors.jsonl errors_cpu.jsonl --png report.png

4.6: speed of bidiagonal solves (16 bytes a row) over the rows, by the number of systems. 4.7: largest error against
quadruple precision over the order, of elimination and of cyclic reduction. 4.9: points a second of the sum of three
second differences over the side of the cube. Hollow markers are what the report's figures show of an A100, read off
them. Lines whose result was wrong are named and left out.
"""
import argparse
import json
import sys

# Read off the report's figures (A100).
PRINTED_46 = {(512, 10000): 1.25, (1024, 10000): 1.0, (2048, 10000): 0.97, (512, 100): 0.1}          # TB/s
PRINTED_47 = {(1000, 0): 5e-14, (1000, 7): 1e-14, (1000, 150): 1e-15, (1000, 700): 5.5e-16}         # (n, order): error
PRINTED_49 = {(2, 256): 37.5, (2, 512): 37.5, (2, 1024): 33.4, (4, 256): 35.0, (4, 1024): 26.2}      # Gpoint/s


def lines_of(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in filter(None, map(str.strip, file)):
                record = json.loads(line)
                if record["operation"] == "ceilings":
                    yield record
                elif record.get("right"):
                    yield record
                else:
                    print(f"left out, wrong: {line}", file=sys.stderr)


def draw_speed(axis, records):
    ours = [r for r in records if r["operation"] == "bidiagonal" and r["backend"] == "cuda"
            and r["matrix"] == "shared" and r["layout"] == "contiguous" and r["variant"] == "hybrid"]
    for batch in sorted({r["batch"] for r in ours}):
        points = sorted((r["rows"], 16e-12 * r["rows_per_s"]) for r in ours if r["batch"] == batch)
        axis.plot(*zip(*points), marker="o", markersize=3, label=f"{batch} systems")
    for ceiling in (r for r in records if r["operation"] == "ceilings" and r["backend"] == "cuda"):
        axis.axhline(1e-3 * ceiling["copy_gbytes_per_s"], color="0.6", linestyle=":")
        break
    axis.plot(*zip(*[(n, v) for (n, _), v in PRINTED_46.items()]), "kd", fillstyle="none", label="report, A100")
    axis.set(xscale="log", yscale="log", xlabel="rows", ylabel="TB/s, 16 bytes a row", title="bidiagonal solves (4.6)")
    axis.legend(fontsize=7)


def draw_errors(axis, records):
    ours = [r for r in records if r["operation"] == "isolated" and r["rows"] == 1000]
    for key in sorted({(r["backend"], r["variant"]) for r in ours}):
        points = sorted((max(r["order"], 0.5), r["error"]) for r in ours if (r["backend"], r["variant"]) == key)
        axis.plot(*zip(*points), marker="o", markersize=3, label=f"{key[1]} ({key[0]})")
    axis.plot(*zip(*[(max(l, 0.5), v) for (_, l), v in PRINTED_47.items()]), "kd", fillstyle="none", label="report")
    axis.set(xscale="log", yscale="log", xlabel="order l", ylabel="largest error",
             title="connection matrices, 1000 rows (4.7)")
    axis.legend(fontsize=7)


def draw_stencil(axis, records):
    ours = [r for r in records if r["operation"] == "stencil" and r["backend"] == "cuda" and r["boundary"] == "periodic"]
    for order in (2, 4):
        points = sorted((int(r["shape"].split("x")[0]), 1e-9 * r["points_per_s"]) for r in ours
                        if r["variant"] == f"order_{order}")
        if points:
            axis.plot(*zip(*points), marker="o", markersize=3, label=f"order {order}")
        printed = sorted((side, v) for (o, side), v in PRINTED_49.items() if o == order)
        axis.plot(*zip(*printed), "kd" if order == 2 else "ks", fillstyle="none", label=f"order {order}, report, A100")
    axis.set(xscale="log", xlabel="points a side", ylabel="Gpoint/s", title="second differences (4.9)")
    axis.legend(fontsize=7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--png", required=True)
    arguments = parser.parse_args()
    records = list(lines_of(arguments.files))
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 3, figsize=(13, 4))
    draw_speed(axes[0], records)
    draw_errors(axes[1], records)
    draw_stencil(axes[2], records)
    figure.tight_layout()
    figure.savefig(arguments.png, dpi=110)


if __name__ == "__main__":
    main()
