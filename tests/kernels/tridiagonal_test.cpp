// Tridiagonal systems against elimination with row exchanges in quadruple precision.
#include "kernels/banded/tridiagonal.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/banded_checks.hpp"
#include "kernels/banded_matrices.hpp"

namespace gwrm::tridiagonal_test {
namespace {

using test::BandedBatch;
using test::BandedSolver;
using test::Random;
using test::TridiagonalFamily;

template <class Number>
void expect_all(const BandedSolver& solver, BandedVariant contiguous, const std::vector<Index>& batches) {
  test::expect_all<Number>(solver, TridiagonalFamily<Number>{}, contiguous, batches);
}

void expect_large_batches(const BandedSolver& solver) {
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
    test::expect_solutions<double>(solver, TridiagonalFamily<double>{}, {257, 1000, layout}, BandedVariant::automatic);
}

// A zero on the diagonal, or one that elimination meets, of one system.
template <class Number>
void expect_status(const BandedSolver& solver, const BandedShape& shape, BandedVariant variant) {
  const TridiagonalFamily<Number> family;
  test::expect_status<Number>(solver, family, shape, variant);
  Random random(5);
  // [1 1; 1 1] in the first two rows, the rest decoupled: no pivot in the second.
  auto batch = test::sample<Number>(family, shape, false, random);
  for (int offset : {-1, 0, 1})
    for (Index row : {Index{0}, Index{1}})
      batch.set_entry(offset, row, 1, number<Number>(row + offset > 1 ? 0.0 : 1.0));
  batch.set_entry(-1, 2, 1, number<Number>(0.0));
  const auto status = solver.solved(family, batch, variant).status;
  EXPECT_EQ(status[0], BandedStatus::solved);
  EXPECT_EQ(status[1], BandedStatus::singular);
}

// M + h lambda K in the ball, stiffness scaled to one: the condition grows as N^2, the figures of ball.md, section 3.
void expect_ball(const BandedSolver& solver, BandedVariant variant) {
  struct Bound {
    Index n;
    double error;
  };
  for (const Bound& bound : {Bound{64, 2e-14}, Bound{512, 3e-13}, Bound{1024, 6e-13}}) {
    if (variant == BandedVariant::cyclic_reduction && bound.n > 512) continue;
    for (int l : {1, 20, 1000})
      for (double h : {0.0, 1e-6, 1e-3, 10.0}) {
        const test::BallDiffusion ball{l};
        const BandedShape shape{bound.n, 2, BatchLayout::contiguous};
        Random random(31);
        const auto matrix = [&](int offset, Index i, Index) {
          if (offset == 0) return static_cast<double>(ball.diagonal(i) + h);
          const Index lower_row = offset < 0 ? i - 1 : i;
          return lower_row < 0 ? 0.0 : static_cast<double>(ball.next(lower_row));
        };
        for (bool shared : {true, false}) {
          if (shared && variant == BandedVariant::cyclic_reduction) continue;
          const auto batch = BandedBatch<double>::make(shape, shared, {-1, 0, 1}, random, matrix);
          const auto x = solver.solved(TridiagonalFamily<double>{}, batch, variant).x;
          EXPECT_LE(batch.error(x), bound.error)
              << "n " << bound.n << " l " << l << " h " << h << " " << name_of(variant);
        }
      }
  }
}

// Time integrals: 2 k mu a_k + tau (a_{k-1} - a_{k+1}): not dominant, but with pivots that only grow.
void expect_time_integrals(const BandedSolver& solver, BandedVariant variant) {
  for (double mu : {1e-6, 1e-3, 1.0, 1e3}) {
    const BandedShape shape{257, 2, BatchLayout::contiguous};
    Random random(37);
    const auto batch = BandedBatch<double>::make(shape, false, {-1, 0, 1}, random, [&](int offset, Index i, Index) {
      return offset == 0 ? 2.0 * static_cast<double>(i + 1) * mu : offset < 0 ? 1.0 : -1.0;
    });
    const auto x = solver.solved(TridiagonalFamily<double>{}, batch, variant).x;
    // The couplings alone are singular in an odd number of rows: the condition is up to 1e4 for the smallest mu.
    // Reduction throughout eliminates neighbours on both sides, which needs dominant rows: it loses what these lack.
    const double bound = variant == BandedVariant::cyclic_reduction ? 1e-9 : 1e-12;
    EXPECT_LE(batch.error(x), bound) << mu << " " << name_of(variant);
  }
}

TEST(Tridiagonal, SolvesEverySizeDouble) {
  expect_all<double>(BandedSolver{}, BandedVariant::automatic, {1, 3, 70});
}

TEST(Tridiagonal, SolvesEverySizeDoubleDouble) {
  expect_all<DoubleDouble>(BandedSolver{}, BandedVariant::automatic, {3});
}

TEST(Tridiagonal, SolvesEverySizeComplex) {
  expect_all<Complex>(BandedSolver{}, BandedVariant::automatic, {1, 3});
}

TEST(Tridiagonal, SolvesLargeBatches) {
  expect_large_batches(BandedSolver{});
}

TEST(Tridiagonal, ZeroPivotIsAStatus) {
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved}) {
    expect_status<double>(BandedSolver{}, {33, 5, layout}, BandedVariant::automatic);
    expect_status<DoubleDouble>(BandedSolver{}, {33, 5, layout}, BandedVariant::automatic);
    expect_status<Complex>(BandedSolver{}, {33, 5, layout}, BandedVariant::automatic);
  }
}

TEST(Tridiagonal, BallMatricesAreWithinTheirBounds) {
  expect_ball(BandedSolver{}, BandedVariant::automatic);
  expect_time_integrals(BandedSolver{}, BandedVariant::automatic);
}

TEST(Tridiagonal, RefusesWhatIsNoBatch) {
  const Context context = Context::create(BackendChoice::cpu);
  const std::vector<double> a(4, 0.1), b(4, 1.0);
  std::vector<double> y(4, 1.0), x(4), workspace(4);
  const auto solve = [&](const BandedShape& shape, Tridiagonal<double> matrix) {
    solve_tridiagonal(context, shape, matrix, y.data(), x.data(), nullptr, workspace.data());
  };
  EXPECT_THROW(solve({0, 1}, {a.data(), b.data(), a.data()}), ShapeError);
  EXPECT_THROW(solve({4, -1}, {a.data(), b.data(), a.data()}), ShapeError);
  EXPECT_THROW(solve({4, 1}, {nullptr, b.data(), a.data()}), ShapeError);
  EXPECT_THROW(make_tridiagonal_plan<double>(context, {0, 1}, {a.data(), b.data(), a.data()}), ShapeError);
  EXPECT_NO_THROW(solve({4, 0}, {}));
  EXPECT_NO_THROW(solve({4, 1}, {a.data(), b.data(), a.data()}));
}

#if GWRM_HAVE_CUDA
class DeviceTridiagonal : public test::DeviceTest {};

TEST_F(DeviceTridiagonal, SolvesEverySize) {
  expect_all<double>(BandedSolver{context_}, BandedVariant::hybrid, {1, 3, 70});
  expect_all<DoubleDouble>(BandedSolver{context_}, BandedVariant::hybrid, {3});
  expect_all<Complex>(BandedSolver{context_}, BandedVariant::hybrid, {1, 3});
}

TEST_F(DeviceTridiagonal, CyclicReductionSolvesWhatFits) {
  expect_all<double>(BandedSolver{context_}, BandedVariant::cyclic_reduction, {1, 3, 70});
  expect_all<Complex>(BandedSolver{context_}, BandedVariant::cyclic_reduction, {3});
}

TEST_F(DeviceTridiagonal, SolvesLargeBatches) {
  expect_large_batches(BandedSolver{context_});
}

TEST_F(DeviceTridiagonal, ZeroPivotIsAStatus) {
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
    expect_status<double>(BandedSolver{context_}, {33, 5, layout}, BandedVariant::automatic);
  expect_status<double>(BandedSolver{context_}, {33, 5, BatchLayout::contiguous}, BandedVariant::cyclic_reduction);
}

TEST_F(DeviceTridiagonal, BallMatricesAreWithinTheirBounds) {
  for (BandedVariant variant : {BandedVariant::hybrid, BandedVariant::cyclic_reduction}) {
    expect_ball(BandedSolver{context_}, variant);
    expect_time_integrals(BandedSolver{context_}, variant);
  }
}
#endif

}  // namespace
}  // namespace gwrm::tridiagonal_test
