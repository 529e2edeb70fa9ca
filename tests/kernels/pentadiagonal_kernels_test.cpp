// The device code of the pentadiagonal solvers, run on the host, against elimination with row exchanges in quadruple
// precision.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/banded_matrices.hpp"
#include "kernels/banded_oracle.hpp"
#include "kernels/host_warps.cuh"
//
#include "kernels/banded/pentadiagonal_steps.cuh"
#include "kernels/banded/product_rows.cuh"
#include "kernels/banded/second_order_steps.cuh"
#include "kernels/banded/substitution_tables.hpp"

namespace gwrm::pentadiagonal_kernels_test {
namespace {

using banded::BatchOfRows;
using test::BandedBatch;
using test::HostBlocks;
using test::Random;
using test::unit_of;

constexpr int kWarps = 2;
constexpr double kUnits = 150.0;  // dominant rows: condition below 40, each row a few roundings

unsigned blocks_of(Index batch) {
  return static_cast<unsigned>((batch + kWarps - 1) / kWarps);
}

template <class Number>
BatchOfRows<Number> rows_of(const BandedBatch<Number>& batch, std::vector<Number>& x) {
  x.assign(batch.y.size(), number<Number>(7.0));
  return {batch.y.data(), x.data(), batch.shape.n, batch.shape.batch};
}

// Sum of the moduli beside the diagonal below .9 of it; numbers that are not looked at are NaN.
template <class Number>
BandedBatch<Number> sample(const BandedShape& shape, Random& random) {
  return BandedBatch<Number>::make(shape, false, {-2, -1, 0, 1, 2}, random, [&](int o, Index i, Index) {
    if (i + o < 0 || i + o >= shape.n) return number<Number>(NAN);
    if (o == 0) return number<Number>((random.number() < 0.0 ? -1.0 : 1.0) * random.number(1.1, 2.0));
    return number<Number>(std::is_same_v<Number, Complex> ? 0.17 : 0.25) * test::random_number<Number>(random);
  });
}

template <class Number>
void expect_all_but_one(const BandedBatch<Number>& batch, const std::vector<Number>& x, const std::vector<int>& status,
                        const std::string& name) {
  for (Index b = 0; b < batch.shape.batch; ++b) {
    EXPECT_EQ(status[static_cast<std::size_t>(b)], b == 1 ? 1 : 0) << name;
    if (b != 1) {
      EXPECT_LE(batch.error(x, b), kUnits * unit_of<Number>()) << name;
    }
  }
  for (Index i = 0; i < batch.shape.n && batch.shape.batch > 1; ++i)
    EXPECT_EQ(BandedNumber<Number>::size(x[batch.place(i, 1)]), 0.0) << name;
}

// A matrix per system; system 1 has a zero on its diagonal.
template <class Number, int kRows>
void expect_own(Index n, Index n_systems) {
  Random random(static_cast<unsigned>(7 * n + kRows));
  auto batch = sample<Number>({n, n_systems}, random);
  if (n_systems > 1) batch.set_entry(0, n / 2, 1, number<Number>(0.0));
  const banded::PentadiagonalView<Number> matrix{
      {batch.band(-2), batch.band(-1), batch.band(0), batch.band(1), batch.band(2)}};
  std::vector<Number> x;
  std::vector<int> status(static_cast<std::size_t>(n_systems), 7);
  const BatchOfRows<Number> rows = rows_of(batch, x);
  const std::string name = std::to_string(n) + " rows, " + std::to_string(kRows) + " a lane";
  const auto hybrid = [&](auto team) {
    constexpr int kTeam = decltype(team)::value, kBlock = kTeam > 1 ? kTeam : kWarps, kPiece = 32 * kRows * kTeam;
    std::fill(x.begin(), x.end(), number<Number>(7.0));
    std::fill(status.begin(), status.end(), 7);
    using Room = banded::PentadiagonalRoom<kRows, Number>;
    std::vector<banded::BlockBefore<banded::Square<Number>>> before(
        static_cast<std::size_t>((n - 1) / kPiece * n_systems));
    std::vector<double> shared(banded::kOwnMatrixDoubles<Room, kBlock, kTeam>);
    HostBlocks::run(static_cast<unsigned>((n_systems * kTeam + kBlock - 1) / kBlock), kBlock * 32, [&] {
      banded::solve_own_matrices<Room, kBlock, kTeam, true>(rows, matrix, status.data(), before.data(), shared.data());
    });
    expect_all_but_one(batch, x, status, std::to_string(kTeam) + " warps, hybrid, " + name);
  };
  hybrid(std::integral_constant<int, 1>{});
  hybrid(std::integral_constant<int, 4>{});
  if constexpr (kRows <= 8)
    if (n <= 32 * kRows) {
      std::fill(x.begin(), x.end(), number<Number>(7.0));
      std::fill(status.begin(), status.end(), 7);
      HostBlocks::run(blocks_of(n_systems), kWarps * 32,
                      [&] { banded::reduce_pentadiagonal_batch<kRows / 2, kWarps>(rows, matrix, status.data()); });
      expect_all_but_one(batch, x, status, "cyclic reduction, " + name);
    }
}

TEST(PentadiagonalKernels, OwnMatrices) {
  for (Index n : {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 257, 1000, 1025, 2048}) {
    if (n < 300) expect_own<double, 2>(n, 3);
    expect_own<double, 4>(n, 3);
    expect_own<double, 16>(n, 3);
    expect_own<double, 8>(n, 2);
    expect_own<double, 32>(n, 2);
    if (n < 300) expect_own<DoubleDouble, 4>(n, 2);
    if (n < 300) expect_own<Complex, 4>(n, 2);
  }
}

TEST(PentadiagonalKernels, InterleavedBatches) {
  constexpr int kThreads = 64;
  for (Index n : {1, 2, 3, 4, 5, 7, 33, 257})
    for (Index n_systems : {1, 70}) {
      Random random(static_cast<unsigned>(n));
      auto batch = sample<double>({n, n_systems, BatchLayout::interleaved}, random);
      if (n_systems > 1) batch.set_entry(0, n - 1, 1, 0.0);
      std::vector<double> x, u(2 * batch.size());
      std::vector<int> status(static_cast<std::size_t>(n_systems), 7);
      const BatchOfRows<double> rows = rows_of(batch, x);
      HostBlocks::run(static_cast<unsigned>((n_systems + kThreads - 1) / kThreads), kThreads, [&] {
        banded::solve_pentadiagonal_interleaved(
            rows,
            banded::PentadiagonalView<double>{
                {batch.band(-2), batch.band(-1), batch.band(0), batch.band(1), batch.band(2)}},
            status.data(), u.data(), kThreads);
      });
      expect_all_but_one(batch, x, status, std::to_string(n) + " interleaved");
    }
}

// Two couplings of one side, in the order of the sweep or down and up in registers.
template <class Number>
struct Factor {
  Sweep<Number> sweep;
  std::vector<int> offsets;
};
template <class Number>
Factor<Number> factor(Side side, Index n, Random& random) {
  Factor<Number> result{{side, {}, {}, {}}, side == Side::lower ? std::vector<int>{-2, -1} : std::vector<int>{1, 2}};
  for (Index i = 0; i < n; ++i) {
    const Index before = side == Side::lower ? i : n - 1 - i;
    const auto coupling = [&](bool exists) {
      const double size = std::is_same_v<Number, Complex> ? 0.32 : 0.45;
      return exists ? number<Number>(size) * test::random_number<Number>(random) : number<Number>(0.0);
    };
    result.sweep.scale.push_back(number<Number>(1.0));
    result.sweep.first.push_back(coupling(before >= 1));
    result.sweep.second.push_back(coupling(before >= 2));
  }
  return result;
}
template <class Number>
Number entry_of(const Sweep<Number>& sweep, int o, Index i) {
  const auto& values = std::abs(o) == 1 ? sweep.first : sweep.second;
  return o == 0 ? number<Number>(1.0) : values[static_cast<std::size_t>(i)];
}
template <class Number>
banded::SecondOrderTables<Number> view(const SecondOrderWarpTables<Number>& tables) {
  return {tables.scale.empty() ? nullptr : tables.scale.data(), tables.first.data(), tables.second.data(),
          tables.matrices.data()};
}

// kTeam warps a system down and up.
template <class Number, int kRows, int kTeam = 1>
void expect_sweeps(Index n, Index n_systems) {
  Random random(static_cast<unsigned>(n + kRows));
  const std::string name = std::to_string(n) + " rows, " + std::to_string(kRows) + " a lane";
  for (Side side : {Side::lower, Side::upper}) {
    const Factor<Number> made = factor<Number>(side, n, random);
    const auto batch =
        BandedBatch<Number>::make({n, n_systems}, true, {-2, -1, 0, 1, 2}, random, [&](int o, Index i, Index) {
          return (side == Side::lower) == (o > 0) && o != 0 ? number<Number>(0.0) : entry_of(made.sweep, o, i);
        });
    std::vector<Number> x;
    const BatchOfRows<Number> rows = rows_of(batch, x);
    const auto tables = second_order_tables(made.sweep, n, kRows, false);
    HostBlocks::run(blocks_of(n_systems), kWarps * 32,
                    [&] { banded::second_order_batch<kRows, kWarps>(rows, side == Side::upper, view(tables)); });
    EXPECT_LE(batch.error(x), kUnits * unit_of<Number>()) << name << (side == Side::lower ? " lower" : " upper");
  }
  if (n > 32 * kRows * kTeam) return;
  // A = L U in quadruple precision, rounded once: what it lacks is a rounding of its entries.
  const Factor<Number> l = factor<Number>(Side::lower, n, random), u = factor<Number>(Side::upper, n, random);
  const auto batch =
      BandedBatch<Number>::make({n, n_systems}, true, {-2, -1, 0, 1, 2}, random, [&](int o, Index i, Index) {
        test::Quadruple real = 0, imaginary = 0;
        const Index j = i + o;
        for (Index k = std::max<Index>({0, i - 2, j - 2}); k <= std::min(i, j) && j >= 0 && j < n; ++k) {
          auto low = test::parts(entry_of(l.sweep, static_cast<int>(k - i), i)),
               high = test::parts(entry_of(u.sweep, static_cast<int>(j - k), k));
          low.resize(2, 0);
          high.resize(2, 0);
          real += low[0] * high[0] - low[1] * high[1];
          imaginary += low[0] * high[1] + low[1] * high[0];
        }
        if constexpr (std::is_same_v<Number, Complex>)
          return Complex{static_cast<double>(real), static_cast<double>(imaginary)};
        else
          return test::from_quadruple<Number>(real);
      });
  std::vector<Number> x;
  const BatchOfRows<Number> rows = rows_of(batch, x);
  const auto down = second_order_tables(l.sweep, n, kRows, true, kTeam),
             up = second_order_tables(u.sweep, n, kRows, true, kTeam);
  constexpr int kBlock = kTeam > 1 ? kTeam : kWarps;
  const auto solve = [&](auto beside) {
    constexpr int kSystems = decltype(beside)::value;
    const Index n_warps = (n_systems + kSystems - 1) / kSystems * kTeam;
    std::vector<double> shared(banded::kSecondOrderWords<kRows, kSystems, kBlock, kTeam, Number>);
    std::fill(x.begin(), x.end(), number<Number>(7.0));
    HostBlocks::run(static_cast<unsigned>((n_warps + kBlock - 1) / kBlock), kBlock * 32, [&] {
      banded::second_order_down_and_up<kRows, kSystems, kBlock, kTeam>(rows, view(down), view(up), shared.data());
    });
    EXPECT_LE(batch.error(x), 10 * kUnits * unit_of<Number>())
        << name << " down and up, " << kTeam << " warps, " << kSystems << " systems";
  };
  solve(std::integral_constant<int, 1>{});
  solve(std::integral_constant<int, 2>{});
}

TEST(PentadiagonalKernels, SweepsWithTwoCouplings) {
  for (Index n : {1, 2, 3, 31, 32, 33, 255, 257, 1000}) {
    if (n < 300) expect_sweeps<double, 1>(n, 3);
    expect_sweeps<double, 2>(n, 3);
    expect_sweeps<double, 8>(n, 3);
    expect_sweeps<double, 32>(n, 2);
    expect_sweeps<double, 8, 4>(n, 3);
    if (n < 300) expect_sweeps<DoubleDouble, 4>(n, 2);
    if (n < 300) expect_sweeps<Complex, 4>(n, 2);
  }
  expect_sweeps<double, 8, 8>(2000, 3);
  expect_sweeps<DoubleDouble, 4, 4>(500, 1);
  expect_sweeps<Complex, 4, 4>(500, 2);
}

// Row by row against the definition.
TEST(PentadiagonalKernels, Products) {
  for (const bool contiguous : {true, false})
    for (const bool shared : {true, false}) {
      const BandedShape shape{33, 3, contiguous ? BatchLayout::contiguous : BatchLayout::interleaved};
      Random random(5);
      auto batch = sample<double>(shape, random);
      if (shared) {
        for (auto& [o, values] : batch.bands) {
          std::vector<double> first;
          for (Index i = 0; i < shape.n; ++i) first.push_back(values[batch.place(i, 0)]);
          values = first;
        }
        batch.shared = true;
      }
      const double* bands[5] = {batch.band(-2), nullptr, batch.band(0), batch.band(1), batch.band(2)};
      const banded::ProductShape lines{contiguous ? shape.batch : shape.n, contiguous ? shape.n : shape.batch,
                                       contiguous, shared};
      for (Index b = 0; b < shape.batch; ++b)
        for (Index i = 0; i < shape.n; ++i) {
          test::Quadruple sum = 0, size = 0;
          for (int o : {-2, 0, 1, 2}) {
            if (i + o < 0 || i + o >= shape.n) continue;
            const test::Quadruple term =
                static_cast<test::Quadruple>(batch.entry(o, i, b)) * batch.y[batch.place(i + o, b)];
            sum += term;
            size += term < 0 ? -term : term;
          }
          const double got = banded::product_row(lines, bands, batch.y.data(), contiguous ? b : i, contiguous ? i : b);
          EXPECT_LE(std::abs(static_cast<double>(got - sum)), 5 * 0x1p-53 * static_cast<double>(size)) << i;
        }
    }
}

}  // namespace
}  // namespace gwrm::pentadiagonal_kernels_test
