#!/usr/bin/env python3
"""What one window on P ranks is expected to take beside one: the model of docs/scaling.md, from measured numbers.

    rank_model.py [--degrees 10,140,140,140] [--fields 3] [--ranks 2,8,64] [--iterations 11]
                  [--seconds 1.4] [--preconditioner 0.3] [--fixed 0] [--host 8] [--link 330] [--network 48] [--latency 50]

The solve takes, on one rank, --seconds for --iterations applications of J and of the preconditioner, whose share of the
time is --preconditioner. On P ranks, with N unknowns in K nodes of n_z coefficients (n^d in all) of F fields:

    work      (1 - s) a + s b over P; a, b: how unequal the shares are, planes (K m of them, m = 3/2 n_z points) and pairs
              (ceil(K/2) F): ceil(x/P) P/x
    bytes     8 N (1 - 1/P) [2 . 2 ceil(K/2)/K + (m/n_z) (Z + E)] an iteration, Z = 4 pairs of derivatives read of a
              field, E = 1 equation of it (src/weighted_residual/window/window_layouts.hpp); a rank sends its P-th, to
              the ranks of its host over the link, to others over the network, one after the other
    messages  4 exchanges and 3 sums an iteration, --latency microseconds each

--fixed: seconds that do not fall with the ranks. --link, --network: GB/s of a rank in one direction.
"""
import argparse
import math


def efficiency(options, n_ranks):
    """Speed-up over the number of ranks, and seconds: work, link, network, messages."""
    k, *axes = options.degrees
    m = 1.5 * axes[0]
    unknowns = options.fields * k * math.prod(axes)

    def unequal(things):
        return math.ceil(things / n_ranks) * n_ranks / things

    share = options.preconditioner
    pairs = math.ceil(k / 2) * options.fields
    work = options.seconds / n_ranks * ((1 - share) * unequal(k * m) + share * unequal(pairs))
    numbers = 4 * math.ceil(k / 2) / k + 1.5 * (4 + 1)
    sent = 8 * unknowns * (1 - 1 / n_ranks) * numbers * options.iterations / n_ranks
    near = (min(options.host, n_ranks) - 1) / (n_ranks - 1) if n_ranks > 1 else 0.0
    link, network = sent * near / options.link / 1e9, sent * (1 - near) / options.network / 1e9
    messages = 7 * options.iterations * options.latency * 1e-6 if n_ranks > 1 else 0.0
    total = work + link + network + messages + options.fixed
    return (options.seconds + options.fixed) / total / n_ranks, work, link, network, messages


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--degrees", default="10,140,140,140", help="K, then the coefficients along z, y, x")
    parser.add_argument("--fields", type=int, default=3)
    parser.add_argument("--ranks", default="1,2,4,8,64,1000")
    parser.add_argument("--iterations", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=1.4)
    parser.add_argument("--preconditioner", type=float, default=0.3)
    parser.add_argument("--fixed", type=float, default=0.0)
    parser.add_argument("--host", type=int, default=8, help="ranks of a host")
    parser.add_argument("--link", type=float, default=330.0)
    parser.add_argument("--network", type=float, default=48.0)
    parser.add_argument("--latency", type=float, default=50.0, help="microseconds")
    options = parser.parse_args()
    options.degrees = [int(text) for text in options.degrees.split(",")]
    print("ranks  efficiency  speed-up   seconds: work      link      network   messages")
    for text in options.ranks.split(","):
        n_ranks = int(text)
        ratio, *parts = efficiency(options, n_ranks)
        seconds = "".join(f"{part:<10.4f}" for part in parts)
        print(f"{n_ranks:5d}  {ratio:10.2f}  {ratio * n_ranks:8.1f}            {seconds}")


if __name__ == "__main__":
    main()
