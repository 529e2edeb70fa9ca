#!/usr/bin/env python3
"""Tables 2 and 3 of the SBP-SAT paper, measured anew, from the lines of the two benches.

    for n in 8 16 32 64 128 256 512 1024; do sbp_sat_bench $n; done > solvers.jsonl
    sbp_sat_parts_bench 8 16 32 64 128 256 512 1024 2048 4096 8192 > parts.jsonl
    python3 plot_sbp_sat.py solvers.jsonl parts.jsonl                    Markdown tables on stdout
    python3 plot_sbp_sat.py solvers.jsonl parts.jsonl --png sbp_sat.png

Of lines for the same thing the last one counts. Table 2: the parts of one conjugate gradient iteration, each by itself,
and their shares. Table 3: conjugate gradients with a stored matrix and without one, and one product A u.
"""
import argparse
import json

PARTS = ["direction", "dot", "step"]
STORED, FREE = ["CSR", "ELLPACK"], "matrix-free"


def read(paths):
    """{intervals: {part: us}} and {intervals: {method: line}}."""
    parts, solvers = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in filter(None, map(str.strip, file)):
                record = json.loads(line)
                if "part" in record:
                    parts.setdefault(record["intervals"], {})[record["part"]] = record["us"]
                elif record["order"] == 2:
                    solvers.setdefault(record["intervals"], {})[record["method"]] = record
    return parts, solvers


def number(value):
    return "" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def shares(of_size, form):
    """[(part, us)] of an iteration in separate kernels."""
    return [("product", of_size["product, " + form])] + [(part, of_size[part]) for part in PARTS]


def table_2(parts, sizes):
    print("| intervals | A u in the form | product | p = r + beta p | dot | x, r, r.r | sum, us |\n|---|---|---|---|---|---|---|")
    for n in sizes:
        for form in [FREE, *STORED]:
            row = shares(parts[n], form)
            total = sum(time for _, time in row)
            print(f"| {n} | {form} | " + " | ".join(f"{number(time)} ({100 * time / total:.0f} %)" for _, time in row) +
                  f" | {number(total)} |")
    print()


def table_3(parts, solvers):
    print("| intervals | iterations | CSR, ms | ELLPACK, ms | one kernel per iteration, ms | one kernel, ms | "
          "A u: CSR, us | ELLPACK, us | matrix-free, us | CSR / matrix-free |\n" + "|---" * 10 + "|")
    for n in sorted(parts):
        of_size = solvers.get(n, {})
        whole = {method: line for method, line in of_size.items() if line["residual"] < 1.1e-10}
        times = [number(whole[name]["solve_ms"]) if name in whole else ""
                 for name in ("CG, CSR", "CG, ELLPACK", "CG, graph", "CG, one kernel on the chip")]
        iterations = whole["CG, graph"]["iterations"] if "CG, graph" in whole else ""
        products = [parts[n]["product, " + form] for form in [*STORED, FREE]]
        print(f"| {n} | {iterations} | " + " | ".join(times) + " | " + " | ".join(map(number, products)) +
              f" | {products[0] / products[2]:.1f} |")
    print()


def plot(parts, solvers, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (products, iterations, bars) = pyplot.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for form in [FREE, *STORED]:
        points = [((n + 1)**2, of_size["product, " + form]) for n, of_size in sorted(parts.items())]
        products.loglog(*zip(*points), "o-", markersize=3, label=form)
    products.set(title="One product A u", xlabel="unknowns", ylabel="microseconds")
    for method, label in (("CG, CSR", "CSR"), ("CG, ELLPACK", "ELLPACK"), ("CG, graph", "one kernel per iteration"),
                          ("CG, one kernel on the chip", "one kernel for all")):
        points = [((n + 1)**2, 1e3 * lines[method]["ms_per_iteration"]) for n, lines in sorted(solvers.items())
                  if method in lines]
        if points:
            iterations.loglog(*zip(*points), "o-", markersize=3, label=label)
    iterations.set(title="One iteration of conjugate gradients", xlabel="unknowns", ylabel="microseconds")
    names, colours = ["product", *PARTS], ("C0", "C2", "C1", "C3")
    labels = []
    for n in [n for n in (1024, 4096) if n in parts]:
        for form in [FREE, *STORED]:
            start = 0.0
            row = shares(parts[n], form)
            total = sum(time for _, time in row)
            for (_, time), colour in zip(row, colours):
                bars.barh(len(labels), 100 * time / total, left=start, color=colour)
                start += 100 * time / total
            labels.append(f"{n}, {form}")
    bars.set_yticks(range(len(labels)), labels)
    bars.invert_yaxis()
    bars.set(title="Shares in separate kernels", xlabel="per cent")
    bars.legend([pyplot.Rectangle((0, 0), 1, 1, color=colour) for colour in colours],
                ["A p", "p = r + beta p", "p.A p", "x, r, r.r"], fontsize=8, ncol=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    for panel in (products, iterations):
        panel.grid(True, which="major", alpha=0.3)
        panel.legend(fontsize=8)
    figure.savefig(path, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="output of sbp_sat_bench and sbp_sat_parts_bench, of one device")
    parser.add_argument("--png", help="draw the plots into this file")
    options = parser.parse_args()
    parts, solvers = read(options.files)
    table_2(parts, [n for n in (1024, 4096) if n in parts])
    table_3(parts, solvers)
    if options.png:
        plot(parts, solvers, options.png)


if __name__ == "__main__":
    main()
