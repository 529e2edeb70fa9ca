// The device code of the banded solvers, run on the host, against elimination with row exchanges in quadruple
// precision.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/banded_oracle.hpp"
#include "kernels/host_warps.cuh"
//
#include "kernels/banded/substitution_tables.hpp"
#include "kernels/banded/tridiagonal_steps.cuh"

namespace gwrm::banded_kernels_test {
namespace {

using banded::BatchOfRows;
using banded::SweepTables;
using test::BandedBatch;
using test::HostBlocks;
using test::Random;
using test::unit_of;

constexpr int kWarps = 2;
constexpr double kUnits = 150.0;  // of the samples' conditions, as in bidiagonal_test.cpp and tridiagonal_test.cpp

template <class Number>
Number coupling(Random& random, double size) {
  return number<Number>(size) * test::random_number<Number>(random);
}

unsigned blocks_of(Index batch) {
  return static_cast<unsigned>((batch + kWarps - 1) / kWarps);
}

template <class Number>
SweepTables<Number> view(const WarpTables<Number>& tables) {
  return {tables.scale.empty() ? nullptr : tables.scale.data(), tables.couplings.data(), tables.factors.data()};
}

template <class Number>
BatchOfRows<Number> rows_of(const BandedBatch<Number>& batch, std::vector<Number>& x) {
  x.assign(batch.y.size(), number<Number>(7.0));
  return {batch.y.data(), x.data(), batch.shape.n, batch.shape.batch};
}

// Shared bidiagonal matrix with a diagonal, both sides, both algorithms.
template <class Number, int kRows, int kDistance>
void expect_sweeps(Index n, Index n_systems) {
  Random random(static_cast<unsigned>(n + kRows));
  for (Side side : {Side::lower, Side::upper}) {
    const int offset = side == Side::lower ? -kDistance : kDistance;
    const auto batch = BandedBatch<Number>::make({n, n_systems}, true, {0, offset}, random, [&](int o, Index, Index) {
      return o == 0 ? number<Number>(2.0) : coupling<Number>(random, 1.8);
    });
    Sweep<Number> sweep{side, {}, {}, {}};
    for (Index i = 0; i < n; ++i) {
      sweep.scale.push_back(number<Number>(0.5));
      const bool exists = i + offset >= 0 && i + offset < n;
      (kDistance == 1 ? sweep.first : sweep.second)
          .push_back(exists ? number<Number>(0.5) * batch.entry(offset, i, 0) : number<Number>(0.0));
    }
    std::vector<Number> x;
    const BatchOfRows<Number> rows = rows_of(batch, x);
    const WarpTables<Number> tables = warp_tables(sweep, n, kRows, false);
    HostBlocks::run(blocks_of(n_systems), kWarps * 32,
                    [&] { banded::sweep_batch<kRows, kDistance, kWarps>(rows, side == Side::upper, view(tables)); });
    const std::string name = std::to_string(n) + " rows, " + std::to_string(kRows) + " a lane, distance " +
                             std::to_string(kDistance) + (side == Side::lower ? " lower" : " upper");
    EXPECT_LE(batch.error(x), kUnits * unit_of<Number>()) << name;
    if (n > 32 * kRows) continue;
    const WarpTables<Number> steps = reduction_tables(sweep, n, kRows);
    std::fill(x.begin(), x.end(), number<Number>(7.0));
    HostBlocks::run(blocks_of(n_systems), kWarps * 32, [&] {
      banded::reduce_batch<kRows, kDistance, kWarps>(rows, side == Side::upper, steps.scale.data(),
                                                     steps.couplings.data());
    });
    EXPECT_LE(batch.error(x), kUnits * unit_of<Number>()) << "cyclic reduction, " << name;
  }
}

// L U of a shared tridiagonal matrix: l, then scale and c / p. kTeam warps a system.
template <class Number, int kRows, int kTeam = 1>
void expect_down_and_up(Index n, Index n_systems) {
  Random random(static_cast<unsigned>(3 * n + kRows));
  std::vector<Number> l, scale, ratio;
  for (Index i = 0; i < n; ++i) {
    l.push_back(i == 0 ? number<Number>(0.0) : coupling<Number>(random, 0.6));
    scale.push_back(number<Number>(i % 2 == 0 ? 0.5 : -2.0));
    ratio.push_back(i + 1 == n ? number<Number>(0.0) : coupling<Number>(random, 0.6));
  }
  // A = L P (1 + ratio): the matrix whose factors these are, rounded once.
  const auto p = [&](Index i) { return number<Number>(i % 2 == 0 ? 2.0 : -0.5); };
  const auto at = [](const std::vector<Number>& v, Index i) { return v[static_cast<std::size_t>(i)]; };
  const auto batch =
      BandedBatch<Number>::make({n, n_systems}, true, {-1, 0, 1}, random, [&](int offset, Index i, Index) {
        if (offset < 0) return i == 0 ? number<Number>(0.0) : at(l, i) * p(i - 1);
        if (offset > 0) return at(ratio, i) * p(i);
        return i == 0 ? p(i) : p(i) + at(l, i) * p(i - 1) * at(ratio, i - 1);
      });
  std::vector<Number> x;
  const BatchOfRows<Number> rows = rows_of(batch, x);
  const WarpTables<Number> down = warp_tables(Sweep<Number>{Side::lower, {}, l, {}}, n, kRows, true, kTeam),
                           up = warp_tables(Sweep<Number>{Side::upper, scale, ratio, {}}, n, kRows, true, kTeam);
  const auto check = [&] {
    for (Index b = 0; b < n_systems; ++b)
      EXPECT_LE(batch.error(x, b), 4 * kUnits * unit_of<Number>())
          << n << " rows, " << kRows << " a lane, " << kTeam << " warps";
    std::fill(x.begin(), x.end(), number<Number>(7.0));
  };
  constexpr int kBlock = kTeam > 1 ? kTeam : kWarps;
  const auto blocks = [&](Index n_groups) { return static_cast<unsigned>((n_groups * kTeam + kBlock - 1) / kBlock); };
  std::vector<double> shared(banded::kDownAndUpWords<kRows, 2, kBlock, kTeam, Number>);
  HostBlocks::run(blocks(n_systems), kBlock * 32, [&] {
    banded::sweep_down_and_up<kRows, 1, kBlock, kTeam>(rows, view(down), view(up), shared.data());
  });
  check();
  HostBlocks::run(blocks((n_systems + 1) / 2), kBlock * 32, [&] {
    banded::sweep_down_and_up<kRows, 2, kBlock, kTeam>(rows, view(down), view(up), shared.data());
  });
  check();
}

// A matrix per system; system 1 has a zero on its diagonal.
template <class Number, int kRows, int kDistance>
void expect_own_bidiagonal(Index n, Index n_systems) {
  Random random(static_cast<unsigned>(5 * n + kRows));
  for (bool upper : {false, true})
    for (bool with_diagonal : {true, false}) {
      const int offset = upper ? kDistance : -kDistance;
      const std::vector<int> offsets = with_diagonal ? std::vector<int>{0, offset} : std::vector<int>{offset};
      auto batch = BandedBatch<Number>::make({n, n_systems}, false, offsets, random, [&](int o, Index, Index) {
        return o == 0 ? number<Number>(random.number(1.0, 2.0)) : coupling<Number>(random, 0.9);
      });
      if (with_diagonal && n_systems > 1) batch.set_entry(0, n / 2, 1, number<Number>(0.0));
      std::vector<Number> x;
      std::vector<int> status(static_cast<std::size_t>(n_systems), 7);
      const BatchOfRows<Number> rows = rows_of(batch, x);
      HostBlocks::run(blocks_of(n_systems), kWarps * 32, [&] {
        banded::solve_bidiagonal_batch<kRows, kDistance, kWarps>(
            rows, banded::BidiagonalView<Number>{batch.band(offset), batch.band(0), upper}, status.data());
      });
      for (Index b = 0; b < n_systems; ++b) {
        const bool singular = with_diagonal && b == 1;
        EXPECT_EQ(status[static_cast<std::size_t>(b)], singular ? 1 : 0);
        if (!singular) {
          EXPECT_LE(batch.error(x, b), kUnits * unit_of<Number>()) << n << " rows, " << kRows << " a lane";
        }
      }
      for (Index i = 0; i < n && with_diagonal && n_systems > 1; ++i)
        EXPECT_EQ(BandedNumber<Number>::size(x[batch.place(i, 1)]), 0.0);
    }
}

template <class Number, int kRows>
void expect_own_tridiagonal(Index n, Index n_systems) {
  Random random(static_cast<unsigned>(7 * n + kRows));
  const double size = std::is_same_v<Number, Complex> ? 0.35 : 0.5;
  auto batch = BandedBatch<Number>::make({n, n_systems}, false, {-1, 0, 1}, random, [&](int o, Index, Index) {
    return o == 0 ? number<Number>((random.number() < 0.0 ? -1.0 : 1.0) * random.number(1.1, 2.0))
                  : coupling<Number>(random, size);
  });
  if (n_systems > 1) batch.set_entry(0, n / 2, 1, number<Number>(0.0));
  const banded::TridiagonalView<Number> matrix{batch.band(-1), batch.band(0), batch.band(1)};
  const auto check = [&](const std::vector<Number>& x, const std::vector<int>& status, const char* name) {
    for (Index b = 0; b < n_systems; ++b) {
      EXPECT_EQ(status[static_cast<std::size_t>(b)], b == 1 ? 1 : 0) << name;
      if (b != 1) {
        EXPECT_LE(batch.error(x, b), kUnits * unit_of<Number>()) << name << n << " rows, " << kRows << " a lane";
      }
    }
    for (Index i = 0; i < n && n_systems > 1; ++i) EXPECT_EQ(BandedNumber<Number>::size(x[batch.place(i, 1)]), 0.0);
  };
  std::vector<Number> x;
  std::vector<int> status(static_cast<std::size_t>(n_systems), 7);
  const BatchOfRows<Number> rows = rows_of(batch, x);
  const auto hybrid = [&](auto team) {
    constexpr int kTeam = decltype(team)::value, kBlock = kTeam > 1 ? kTeam : kWarps, kPiece = 32 * kRows * kTeam;
    std::fill(x.begin(), x.end(), number<Number>(7.0));
    std::fill(status.begin(), status.end(), 7);
    using Room = banded::TridiagonalRoom<kRows, Number>;
    std::vector<banded::BlockBefore<Number>> before(static_cast<std::size_t>((n - 1) / kPiece * n_systems));
    std::vector<double> shared(banded::kOwnMatrixDoubles<Room, kBlock, kTeam>);
    HostBlocks::run(static_cast<unsigned>((n_systems * kTeam + kBlock - 1) / kBlock), kBlock * 32, [&] {
      banded::solve_own_matrices<Room, kBlock, kTeam, true>(rows, matrix, status.data(), before.data(), shared.data());
    });
    check(x, status, kTeam > 1 ? "hybrid of a team, " : "hybrid, ");
  };
  hybrid(std::integral_constant<int, 1>{});
  hybrid(std::integral_constant<int, 4>{});
  if constexpr (kRows <= 16)
    if (n <= 32 * kRows) {
      std::fill(x.begin(), x.end(), number<Number>(7.0));
      std::fill(status.begin(), status.end(), 7);
      HostBlocks::run(blocks_of(n_systems), kWarps * 32,
                      [&] { banded::reduce_tridiagonal_batch<kRows, kWarps>(rows, matrix, status.data()); });
      check(x, status, "cyclic reduction, ");
    }
}

TEST(BandedKernels, SweepsOfAnyLength) {
  for (Index n : {1, 2, 31, 32, 33, 255, 257}) {
    expect_sweeps<double, 1, 1>(n, 3);
    expect_sweeps<double, 2, 2>(n, 3);
    expect_sweeps<double, 8, 1>(n, 3);
    expect_sweeps<double, 24, 2>(n, 1);
    expect_sweeps<DoubleDouble, 2, 1>(n, 3);
    expect_sweeps<DoubleDouble, 8, 2>(n, 3);
  }
  for (Index n : {1000, 1025, 2048, 5000}) {
    expect_sweeps<double, 8, 2>(n, 3);
    expect_sweeps<double, 64, 1>(n, 3);
    expect_sweeps<double, 48, 1>(n, 1);
    expect_sweeps<DoubleDouble, 32, 1>(n, 1);
  }
}

TEST(BandedKernels, SweepsDownAndUp) {
  for (Index n : {1, 2, 31, 32, 33, 255, 257, 1000}) {
    if (n <= 32) expect_down_and_up<double, 1>(n, 3);
    if (n <= 64) expect_down_and_up<Complex, 2>(n, 3);
    expect_down_and_up<double, 32>(n, 3);
    expect_down_and_up<DoubleDouble, 32>(n, 1);
    expect_down_and_up<double, 8, 4>(n, 3);
    expect_down_and_up<Complex, 16, 2>(n, 3);
  }
  expect_down_and_up<double, 16, 4>(1025, 3);  // the last warp has no rows
  expect_down_and_up<double, 16, 4>(2048, 3);
  expect_down_and_up<DoubleDouble, 8, 8>(2000, 1);
}

TEST(BandedKernels, BidiagonalOfOwnMatrices) {
  for (Index n : {1, 2, 31, 32, 33, 255, 257, 1000}) {
    expect_own_bidiagonal<double, 1, 1>(n, 3);
    expect_own_bidiagonal<double, 2, 2>(n, 3);
    expect_own_bidiagonal<double, 16, 1>(n, 3);
    expect_own_bidiagonal<DoubleDouble, 8, 2>(n, 3);
  }
}

TEST(BandedKernels, TridiagonalOfOwnMatrices) {
  for (Index n : {1, 2, 31, 32, 33, 255, 257, 1000, 1025, 2048}) {
    if (n < 300) expect_own_tridiagonal<double, 1>(n, 3);
    expect_own_tridiagonal<double, 2>(n, 3);
    expect_own_tridiagonal<double, 16>(n, 3);
    expect_own_tridiagonal<double, 32>(n, 3);
    expect_own_tridiagonal<Complex, 8>(n, 3);
    expect_own_tridiagonal<DoubleDouble, 4>(n, 3);
  }
}

// A thread a system.
template <class Number>
void expect_interleaved(Index n, Index n_systems) {
  constexpr int kThreads = 64;
  Random random(static_cast<unsigned>(n));
  const auto run = [&](const std::function<void()>& kernel) {
    HostBlocks::run(static_cast<unsigned>((n_systems + kThreads - 1) / kThreads), kThreads, kernel);
  };
  const BandedShape shape{n, n_systems, BatchLayout::interleaved};
  std::vector<Number> x;
  std::vector<int> status(static_cast<std::size_t>(n_systems), 7);
  for (bool upper : {false, true})
    for (int distance : {1, 2}) {
      const int offset = upper ? distance : -distance;
      const auto batch = BandedBatch<Number>::make(shape, false, {0, offset}, random, [&](int o, Index, Index) {
        return o == 0 ? number<Number>(random.number(1.0, 2.0)) : coupling<Number>(random, 0.9);
      });
      const BatchOfRows<Number> rows = rows_of(batch, x);
      run([&] {
        banded::solve_bidiagonal_interleaved(rows,
                                             banded::BidiagonalView<Number>{batch.band(offset), batch.band(0), upper},
                                             distance, status.data(), kThreads);
      });
      EXPECT_LE(batch.error(x), kUnits * unit_of<Number>()) << n;
      // Shared, by rows of the first system; with both couplings there is no oracle of two offsets of one side here.
      std::vector<Number> s;
      for (Index i = 0; i < n; ++i) {
        const bool exists = i + offset >= 0 && i + offset < n;
        s.push_back(exists ? batch.entry(offset, i, 0) : number<Number>(0.0));
      }
      auto shared = batch;
      shared.shared = true;
      shared.bands = {{offset, s}};
      const banded::RowTables<Number> tables{nullptr, distance == 1 ? s.data() : nullptr,
                                             distance == 2 ? s.data() : nullptr};
      run([&] { banded::sweep_interleaved(rows, upper, tables, kThreads); });
      EXPECT_LE(shared.error(x), kUnits * unit_of<Number>()) << n;
    }
  auto batch = BandedBatch<Number>::make(shape, false, {-1, 0, 1}, random, [&](int o, Index, Index) {
    return o == 0 ? number<Number>(random.number(1.1, 2.0)) : coupling<Number>(random, 0.5);
  });
  if (n_systems > 1) batch.set_entry(0, n - 1, 1, number<Number>(0.0));
  const BatchOfRows<Number> rows = rows_of(batch, x);
  std::vector<Number> u(batch.size());
  run([&] {
    banded::solve_tridiagonal_interleaved(rows,
                                          banded::TridiagonalView<Number>{batch.band(-1), batch.band(0), batch.band(1)},
                                          status.data(), u.data(), kThreads);
  });
  for (Index b = 0; b < n_systems; ++b) {
    EXPECT_EQ(status[static_cast<std::size_t>(b)], b == 1 ? 1 : 0);
    if (b != 1) {
      EXPECT_LE(batch.error(x, b), kUnits * unit_of<Number>()) << n;
    }
  }
}

TEST(BandedKernels, InterleavedBatches) {
  for (Index n : {1, 2, 7, 8, 9, 33, 257}) {
    expect_interleaved<double>(n, 1);
    expect_interleaved<double>(n, 70);
    expect_interleaved<DoubleDouble>(n, 3);
  }
}

}  // namespace
}  // namespace gwrm::banded_kernels_test
