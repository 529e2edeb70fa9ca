// The device code of chains of rotations, run on the host, against the chain one rotation after the other with
// coefficients of its own in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/host_warps.cuh"
#include "kernels/quadruple.hpp"
#include "kernels/random_array.hpp"
//
#include "kernels/transform/rotation_chain.hpp"
#include "kernels/transform/rotation_steps.cuh"

namespace gwrm::rotation_kernels_test {
namespace {

using test::HostBlocks;
using test::Quadruple;

struct Rotation {
  Quadruple s, c;
};
Rotation rotation_of(RotationFamily family, Index order, Index index) {
  const Quadruple l = order, n = index;
  if (family == RotationFamily::jones_worland) {
    const Quadruple below = (2 * n + 2 * l + 3) * (n + l + 1);
    return {-test::square_root((n + 1) * (2 * n + 1) / below),
            test::square_root((2 * l + 1) * (2 * n + l + 2) / below)};
  }
  if (family == RotationFamily::energy) {
    const Quadruple below = 2 * n + 2 * l + 5;
    return {-2 * (n + 1) / below, test::square_root((2 * l + 3) * (4 * n + 2 * l + 7)) / below};
  }
  const Quadruple below = (n + 2 * l + 3) * (n + 2 * l + 4);
  return {test::square_root((n + 1) * (n + 2) / below), test::square_root((2 * l + 2) * (2 * n + 2 * l + 5) / below)};
}

// One column.
std::vector<Quadruple> rotated(const RotationChain& chain, Index n, std::vector<Quadruple> x, bool forward) {
  const Index d = chain.distance();
  for (Index turn = 0; turn < chain.n_pairs; ++turn) {
    const Index i = forward ? turn : chain.n_pairs - 1 - turn, count = n + d * (chain.n_pairs - 1 - i);
    for (Index step = 0; step < count; ++step) {
      const Index k = forward ? step : count - 1 - step;
      const Rotation r = rotation_of(chain.family, chain.first_order + 2 * i, k);
      const Quadruple p = x[at(k)], q = x[at(k + d)], s = forward ? r.s : -r.s;
      x[at(k)] = r.c * p - s * q;
      x[at(k + d)] = s * p + r.c * q;
    }
  }
  return x;
}

template <int kRows, int kColumns, int kWarps, int kDistance>
void expect_rotations(const RotationChain& chain, Index n, Index width) {
  for (const bool forward : {true, false}) {
    const Index n_rows = chain.n_rows(n), n_in = forward ? n_rows : n, n_out = forward ? n : n_rows;
    const rotations::WaveShape shape{chain.family, chain.first_order, chain.n_pairs, n_rows, kDistance,
                                     kRows,        kWarps * 32,       forward};
    std::vector<rotations::SineCosine> table;
    for (long long i = 0; i < shape.n_numbers(); ++i) table.push_back(rotations::wave_number(shape, i));
    const Array y = test::Random(1).array({n_rows, width});
    Array x = y;
    for (Index k = n_in; k < n_rows; ++k)
      for (Index c = 0; c < width; ++c) x.data[at(k * width + c)] = NAN;  // not read
    std::vector<double> handed(2 * kWarps * kDistance * kColumns);
    const auto run = [&](const rotations::RotatedColumns& columns) {
      HostBlocks::run(static_cast<unsigned>((width + kColumns - 1) / kColumns), kWarps * 32, [&] {
        rotations::rotate_columns<kRows, kColumns, kWarps, kDistance>(shape, n, columns, blockIdx.x * kColumns,
                                                                      table.data(), handed.data());
      });
    };
    // Columns one after the other, from one place to another.
    Array from({width, n_in}), to({width, n_out});
    for (Index c = 0; c < width; ++c)
      for (Index k = 0; k < n_in; ++k) from.data[at(c * n_in + k)] = y.data[at(k * width + c)];
    run({from.data.data(), to.data.data(), n_in, n_out, width, 1});
    run({x.data.data(), x.data.data(), n_rows, n_rows, width, width});
    for (Index c = 0; c < width; ++c) {
      std::vector<Quadruple> exact(at(n_rows), 0);
      for (Index k = 0; k < n_in; ++k) exact[at(k)] = y.data[at(k * width + c)];
      exact = rotated(chain, n, exact, forward);
      double error = 0.0, largest = 0.0;
      for (Index k = 0; k < n_out; ++k) {
        const double here = static_cast<double>(exact[at(k)] - x.data[at(k * width + c)]);
        error = here == here ? std::max(error, std::abs(here)) : INFINITY;
        largest = std::max(largest, std::abs(static_cast<double>(exact[at(k)])));
        ASSERT_EQ(to.data[at(c * n_out + k)], x.data[at(k * width + c)]);
      }
      // Rotations keep lengths: each pair adds its roundings as a random walk.
      const double l = static_cast<double>(chain.first_order + 2 * chain.n_pairs);
      EXPECT_LE(error, 2.5e-16 * (1.0 + std::sqrt(l)) * largest)
          << static_cast<int>(chain.family) << ", " << n << " rows, " << chain.n_pairs << " pairs, column " << c
          << (forward ? " forward" : " backward");
    }
  }
}

TEST(RotationKernels, IsTheChain) {
  for (const RotationFamily family : {RotationFamily::jones_worland, RotationFamily::energy})
    for (const Index n : {1, 2, 31, 32, 33, 90})
      for (const Index pairs : {1, 2, 33}) {
        expect_rotations<4, 2, 1, 1>({family, n % 2, pairs}, n, 3);
        expect_rotations<8, 1, 1, 1>({family, 0, pairs}, n, 1);
        expect_rotations<2, 1, 2, 1>({family, 1, pairs}, n, 2);
      }
}

TEST(RotationKernels, IsTheChainOfEveryOtherRow) {
  for (const Index n : {1, 2, 3, 31, 32, 33, 61})
    for (const Index pairs : {1, 2, 33}) {
      expect_rotations<4, 2, 1, 2>({RotationFamily::legendre, n % 2, pairs}, n, 3);
      expect_rotations<1, 1, 4, 2>({RotationFamily::legendre, 0, pairs}, n, 2);
    }
}

}  // namespace
}  // namespace gwrm::rotation_kernels_test
