// The device code of systems that have a matrix each, run on the host, with matrices of spectral methods that are not
// dominant, within the bounds of the solvers (tridiagonal_test.cpp, pentadiagonal_test.cpp).
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/banded_matrices.hpp"
#include "kernels/banded_oracle.hpp"
#include "kernels/host_warps.cuh"
//
#include "kernels/banded/pentadiagonal_steps.cuh"
#include "kernels/banded/tridiagonal_steps.cuh"

namespace gwrm::own_matrices_kernels_test {
namespace {

using test::BandedBatch;
using test::HostBlocks;
using test::Random;

// The solution by a team of kTeam warps (by one, of a block of two, for kTeam = 1).
template <class Room, int kTeam, class Matrix>
std::vector<double> solved(const BandedBatch<double>& batch, const Matrix& matrix) {
  constexpr int kWarps = kTeam > 1 ? kTeam : 2;
  const Index n = batch.shape.n;
  std::vector<double> x(batch.y.size(), 7.0), shared(banded::kOwnMatrixDoubles<Room, kWarps, kTeam>);
  std::vector<int> status(x.size() / static_cast<std::size_t>(n), 7);
  std::vector<banded::BlockBefore<typename Room::Block>> before(x.size());
  const banded::BatchOfRows<double> rows{batch.y.data(), x.data(), n, batch.shape.batch};
  HostBlocks::run(static_cast<unsigned>((batch.shape.batch * kTeam + kWarps - 1) / kWarps), kWarps * 32, [&] {
    banded::solve_own_matrices<Room, kWarps, kTeam, true>(rows, matrix, status.data(), before.data(), shared.data());
  });
  for (int of_system : status) EXPECT_EQ(of_system, 0);
  return x;
}

template <int kRows, int kTeam, class Entry>
void expect_tridiagonal(Index n, double bound, const std::string& name, const Entry& entry) {
  Random random(37);
  const auto batch = BandedBatch<double>::make({n, 2}, false, {-1, 0, 1}, random, entry);
  const banded::TridiagonalView<double> matrix{batch.band(-1), batch.band(0), batch.band(1)};
  EXPECT_LE(batch.error(solved<banded::TridiagonalRoom<kRows, double>, kTeam>(batch, matrix)), bound)
      << name << ", " << n << " rows, " << kRows << " a lane, " << kTeam << " warps";
}

template <int kRows, int kTeam>
void expect_diffusion(Index n, double bound) {
  for (int l : {1, 20, 1000})
    for (double h : {0.0, 1e-6, 1e-3, 10.0}) {
      const test::BallDiffusion ball{l};
      expect_tridiagonal<kRows, kTeam>(n, bound, "diffusion " + std::to_string(h), [&](int offset, Index i, Index) {
        if (offset == 0) return static_cast<double>(ball.diagonal(i) + h);
        const Index lower_row = offset < 0 ? i - 1 : i;
        return lower_row < 0 ? 0.0 : static_cast<double>(ball.next(lower_row));
      });
    }
}

// 2 k mu a_k + a_{k-1} - a_{k+1}: pivots that only grow from a first one that may be small; condition up to 1e4.
template <int kRows, int kTeam>
void expect_time_integrals() {
  for (double mu : {1e-6, 1e-3, 1.0, 1e3})
    expect_tridiagonal<kRows, kTeam>(
        257, 1e-12, "time integrals " + std::to_string(mu), [&](int offset, Index i, Index) {
          return offset == 0 ? 2.0 * static_cast<double>(i + 1) * mu : offset < 0 ? 1.0 : -1.0;
        });
}

TEST(OwnMatricesKernels, DiffusionInTheBall) {
  expect_diffusion<2, 1>(64, 2e-14);
  expect_diffusion<8, 2>(512, 3e-13);
  expect_diffusion<16, 2>(1024, 6e-13);
}

TEST(OwnMatricesKernels, TimeIntegrals) {
  expect_time_integrals<1, 1>();
  expect_time_integrals<8, 1>();
  expect_time_integrals<8, 2>();
  expect_time_integrals<4, 4>();
  expect_time_integrals<16, 2>();
}

// By elimination with row exchanges in double: what can be had.
double error_with_exchanges(const BandedBatch<double>& batch) {
  test::BandElimination<double> band(batch.shape.n, 2, 2);
  std::vector<double> x(static_cast<std::size_t>(batch.shape.n));
  for (Index i = 0; i < batch.shape.n; ++i) {
    x[static_cast<std::size_t>(i)] = batch.y[batch.place(i, 0)];
    for (int offset = -2; offset <= 2; ++offset)
      if (i + offset >= 0 && i + offset < batch.shape.n) band(i, i + offset) = batch.entry(offset, i, 0);
  }
  x = band.solution(x);
  x.resize(batch.size());
  return batch.error(x, 0);
}

template <int kRows, int kTeam>
void expect_hyperdiffusion(Index n) {
  for (int l : {1, 20, 1000})
    for (double h : {0.0, 1e-5, 1e-2, 10.0}) {
      const test::BallHyperdiffusion ball{l};
      Random random(31);
      const auto batch =
          BandedBatch<double>::make({n, 1}, false, {-2, -1, 0, 1, 2}, random, [&](int o, Index i, Index) {
            const Index row = std::min(i, i + o);
            return row < 0 ? 0.0 : static_cast<double>(ball.mass(row, std::abs(o)) + (o == 0 ? h : 0.0));
          });
      const banded::PentadiagonalView<double> matrix{
          {batch.band(-2), batch.band(-1), batch.band(0), batch.band(1), batch.band(2)}};
      const double bound = h >= 1e-5 ? 2e-13 : 10 * error_with_exchanges(batch);
      EXPECT_LE(batch.error(solved<banded::PentadiagonalRoom<kRows, double>, kTeam>(batch, matrix), 0), bound)
          << n << " rows, " << kRows << " a lane, " << kTeam << " warps, l " << l << ", h " << h;
    }
}

TEST(OwnMatricesKernels, HyperdiffusionInTheBall) {
  expect_hyperdiffusion<2, 1>(64);
  expect_hyperdiffusion<8, 2>(512);
  expect_hyperdiffusion<16, 1>(512);
}

}  // namespace
}  // namespace gwrm::own_matrices_kernels_test
