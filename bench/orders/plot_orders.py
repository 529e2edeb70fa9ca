#!/usr/bin/env python3
"""Compares measured times with the orders of the formulas: time ~ N^p, p fitted per family of benchmarks.

Reads result files of chebyshev_product_bench and system_bench, made with one thread and, for medians, repetitions:

    export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
    taskset -c 0 chebyshev_product_bench --benchmark_repetitions=5 --benchmark_out=product.json
    taskset -c 0 system_bench --benchmark_repetitions=5 --benchmark_out=system.json
    python3 plot_orders.py product.json system.json --text --png orders.png

(taskset, because a context that is told no number of threads takes all the cores it may run on.)

Prints a table: family, order of the formula, fitted order. The fit is a least-squares line through log(time) over
log(N) for the larger half of the sizes; below, fixed costs hide the order. Of every size the median counts.
"""
import argparse
import json
import math
import statistics
import sys

# Family: (panel, orders of the formula, formula); two orders where the term of the lower has by far the larger
# constant. N: coefficients per dimension, K: time nodes, M ~ 3N/2: points, n: unknowns. The derivations stand beside
# the benchmarks.
FAMILIES = {
    "product/cpu_direct_1d": ("Products", (2,), "sum over N pairs for N coefficients"),
    "product/cpu_transform_1d": ("Products", (2,), "M x N matrices"),
    "product/cpu_direct_2d": ("Products", (4,), "sum over N^2 pairs for N^2 coefficients"),
    "product/cpu_transform_2d": ("Products", (2, 3), "N^2 cosines + N^3 in matrix products"),
    "product/cuda_direct_1d": ("Products on the device", (2,), "sum over N pairs for N coefficients"),
    "product/cuda_transform_1d": ("Products on the device", (2,), "M x N matrices"),
    "product/cuda_direct_2d": ("Products on the device", (4,), "sum over N^2 pairs for N^2 coefficients"),
    "product/cuda_transform_2d": ("Products on the device", (2, 3), "N^2 cosines + N^3 in matrix products"),
    "evaluation_clenshaw": ("Evaluation", (1,), "3 N per point, 64 points"),
    "evaluation/grid_1d": ("Evaluation", (2,), "N x N cosines on N points"),
    "evaluation/grid_2d": ("Evaluation", (2, 3), "N^2 cosines + N^3 in matrix products"),
    "evaluation_prepared": ("Evaluation", (3,), "2 N^3 multiply-adds, cosines given, 2-D"),
    "residual/burgers_1d": ("Residual of Burgers' equation", (2,), "K N M"),
    "residual/burgers_2d": ("Residual of Burgers' equation", (3,), "K N M (N + M)"),
    "jacobian": ("Newton step", (3,), "n^2 M, n = K N"),
    "factorisation": ("Newton step", (3,), "2/3 n^3"),
}
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
MARKS = "ox+*#@"


def read_times(paths, clock):
    """{family: [(N, median seconds)]}, sorted by N. Runs that failed or were skipped are named and left out."""
    samples, left_out = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            runs = json.load(file)["benchmarks"]
        for run in runs:
            name, _, size = run["run_name"].removesuffix("/real_time").rpartition("/")
            if run.get("error_occurred"):
                left_out.setdefault((name, run.get("error_message")), set()).add(int(size))
                continue
            aggregate = run["run_type"] == "aggregate"
            if aggregate and run["aggregate_name"] != "median":
                continue
            seconds = run[f"{clock}_time"] * SECONDS[run["time_unit"]]
            single, medians = samples.setdefault((name, int(size)), ([], []))
            (medians if aggregate else single).append(seconds)
    for (name, why), sizes in left_out.items():
        print(f"{name} left out at N = {', '.join(map(str, sorted(sizes)))}: {why}", file=sys.stderr)
    families = {}
    for (name, size), (single, medians) in sorted(samples.items()):
        families.setdefault(name, []).append((size, statistics.median(single or medians)))
    return dict(sorted(families.items(), key=lambda item: rank(item[0])))


def rank(family):
    return list(FAMILIES).index(family) if family in FAMILIES else len(FAMILIES)


def panel_of(family):
    return FAMILIES[family][0] if family in FAMILIES else "Others"


def order_text(family):
    return "-".join(str(order) for order in FAMILIES[family][1])


def larger_half(points):
    return points[len(points) // 2:] if len(points) > 3 else points


def fit_exponent(points):
    """Slope and constant of log(time) over log(N) by least squares; None for fewer than two sizes."""
    if len(points) < 2:
        return None
    x = [math.log(n) for n, _ in points]
    y = [math.log(t) for _, t in points]
    x_mean, y_mean = statistics.fmean(x), statistics.fmean(y)
    slope = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)
    return slope, y_mean - slope * x_mean


def format_time(seconds):
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def print_table(families):
    width = max(len(name) for name in families)
    print(f"{'family':{width}}  formula  fitted  sizes fitted  time at largest  formula's count")
    for name, points in families.items():
        half, fit = larger_half(points), fit_exponent(larger_half(points))
        order, formula = (order_text(name), FAMILIES[name][2]) if name in FAMILIES else ("-", "")
        fitted = f"{fit[0]:.2f}" if fit else "-"
        sizes = f"{half[0][0]}..{half[-1][0]}"
        print(f"{name:{width}}  {order:>7}  {fitted:>6}  {sizes:>12}  {format_time(half[-1][1]):>15}  {formula}")


def panels_of(families):
    panels = {}
    for name, points in families.items():
        panels.setdefault(panel_of(name), {})[name] = points
    return panels


def text_plot(title, families, columns=64, rows=18):
    """Both axes logarithmic, one mark per family, '.' on the line of the formula's order through the largest size."""
    points = [point for family in families.values() for point in family]
    x_low, x_high = (math.log10(f(n for n, _ in points)) for f in (min, max))
    y_low, y_high = math.floor(math.log10(min(t for _, t in points))), math.ceil(math.log10(max(t for _, t in points)))
    cells = [[" "] * (columns + 1) for _ in range(rows + 1)]

    def put(x, y, mark):
        column = round((x - x_low) / ((x_high - x_low) or 1.0) * columns)
        row = round((y_high - y) / ((y_high - y_low) or 1) * rows)
        if 0 <= column <= columns and 0 <= row <= rows:
            cells[row][column] = mark

    legend = []
    for mark, (name, family) in zip(MARKS * len(families), families.items()):
        if name in FAMILIES:
            n_last, t_last = family[-1]
            first, steps = math.log10(larger_half(family)[0][0]), 2 * columns
            for order in FAMILIES[name][1]:
                for i in range(steps + 1):
                    x = first + (math.log10(n_last) - first) * i / steps
                    put(x, math.log10(t_last) + order * (x - math.log10(n_last)), ".")
            fit = fit_exponent(larger_half(family))
            legend.append(f"{mark} {name} (formula {order_text(name)}" + (f", fitted {fit[0]:.2f})" if fit else ")"))
        else:
            legend.append(f"{mark} {name}")
    for mark, family in zip(MARKS * len(families), families.values()):
        for n, t in family:
            put(math.log10(n), math.log10(t), mark)

    print(f"\n{title}: time over N, both logarithmic; '.' the formula's order through the largest size")
    for i, row in enumerate(cells):
        decade = y_high - i * (y_high - y_low) / rows
        label = ""
        if i in {round((y_high - d) / ((y_high - y_low) or 1) * rows) for d in range(y_low, y_high + 1)}:
            label = format_time(10.0 ** round(decade))
        print(f"{label:>8} |" + "".join(row).rstrip())
    print(" " * 9 + "+" + "-" * (columns + 1))
    ticks = [" "] * (columns + 8)
    sizes = sorted({n for n, _ in points})
    free_from = 0
    for n in sizes:
        column = round((math.log10(n) - x_low) / ((x_high - x_low) or 1.0) * columns)
        if column >= free_from:
            ticks[column:column + len(str(n))] = str(n)
            free_from = column + len(str(n)) + 1
    print(" " * 10 + "".join(ticks).rstrip() + "   N")
    for line in legend:
        print("          " + line)


def save_plot(families, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels = panels_of(families)
    n_columns = 1 if len(panels) == 1 else 2
    n_rows = -(-len(panels) // n_columns)
    figure, axes = pyplot.subplots(n_rows, n_columns, figsize=(6.4 * n_columns, 4.8 * n_rows), squeeze=False,
                                   layout="constrained")
    for axis in axes.flat[len(panels):]:
        axis.set_visible(False)
    for axis, (title, members) in zip(axes.flat, panels.items()):
        for i, (name, points) in enumerate(members.items()):
            sizes, times = zip(*points)
            fit = fit_exponent(larger_half(points))
            label = f"{name}: fitted {fit[0]:.2f}" if fit else name
            if name in FAMILIES:
                label += f", formula {order_text(name)}"
            axis.loglog(sizes, times, marker="os^Dv"[i % 5], color=f"C{i}", label=label)
            if name in FAMILIES:
                half = [n for n, _ in larger_half(points)]
                for order in FAMILIES[name][1]:
                    axis.loglog(half, [times[-1] * (n / sizes[-1]) ** order for n in half], "--", color="0.35",
                                linewidth=1.2, zorder=3)
        axis.plot([], [], "--", color="0.35", linewidth=1.2, label="order of the formula")
        axis.set_title(title)
        axis.set_xlabel("unknowns n" if title == "Newton step" else "coefficients per dimension N")
        axis.set_ylabel("median time (s)")
        axis.grid(True, which="major", alpha=0.4)
        ticks = sorted({n for points in members.values() for n, _ in points})
        axis.set_xticks(ticks, [str(n) for n in ticks], rotation=45 if len(ticks) > 7 else 0)
        axis.minorticks_off()
        low, high = axis.get_ylim()  # room for the legend above the data
        axis.set_ylim(low, high * (high / low) ** (0.08 * (len(members) + 1)))
        axis.legend(fontsize=8, loc="upper left")
    figure.suptitle("Measured times against the orders of the formulas")
    figure.savefig(path, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="JSON files written with --benchmark_out")
    parser.add_argument("--clock", choices=("real", "cpu"), default="real",
                        help="cpu: for one thread on a machine that others use too (default: real)")
    parser.add_argument("--png", help="save the log-log plot here (needs matplotlib)")
    parser.add_argument("--text", action="store_true", help="print log-log plots of characters")
    arguments = parser.parse_args()
    families = read_times(arguments.results, arguments.clock)
    if not families:
        sys.exit("no times in " + ", ".join(arguments.results))
    print_table(families)
    if arguments.text:
        for title, members in panels_of(families).items():
            text_plot(title, members)
    if arguments.png:
        save_plot(families, arguments.png)


if __name__ == "__main__":
    main()
