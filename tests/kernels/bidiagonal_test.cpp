// Bidiagonal systems against elimination with row exchanges in quadruple precision.
#include "kernels/banded/bidiagonal.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/banded_checks.hpp"
#include "kernels/banded_matrices.hpp"

namespace gwrm::bidiagonal_test {
namespace {

using test::BandedBatch;
using test::BandedSolver;
using test::bidiagonal_families;
using test::BidiagonalFamily;
using test::Random;

template <class Number>
void expect_all(const BandedSolver& solver, BandedVariant contiguous, const std::vector<Index>& batches) {
  for (const auto& family : bidiagonal_families<Number>())
    test::expect_all<Number>(solver, family, contiguous, batches);
}

void expect_large_batches(const BandedSolver& solver) {
  for (const auto& family : bidiagonal_families<double>())
    for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
      test::expect_solutions<double>(solver, family, {257, 1000, layout}, BandedVariant::automatic);
}

template <class Number>
void expect_status(const BandedSolver& solver) {
  for (const auto& family : bidiagonal_families<Number>())
    for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
      if (family.with_diagonal) test::expect_status<Number>(solver, family, {33, 5, layout}, BandedVariant::automatic);
}

// Isolated solves with the connection matrices, N = 1000, right-hand sides in (-1, 1): the figures of back substitution
// with correctly rounded coefficients (largest error, not relative), which other random numbers leave within a factor
// of 3.
struct TableRow {
  bool upper;
  double beta, error;
};
constexpr TableRow kTable[] = {{true, -0.5, 3.1e-14}, {true, 0.5, 2.1e-14},   {false, 1.5, 1.6e-14},
                               {false, 8.5, 6.8e-15}, {true, 128.5, 1.3e-15}, {true, 1000.5, 3.8e-16}};

template <class Number>
void expect_table(const BandedSolver& solver, BandedVariant variant) {
  const BandedShape shape{1000, 4, BatchLayout::contiguous};
  for (const TableRow& row : kTable) {
    const test::JacobiConnection connection{-0.5, row.beta};
    const BidiagonalFamily<Number> family{row.upper ? Side::upper : Side::lower, 1, false};
    Random random(static_cast<unsigned>(row.beta + 1.0));
    // (V c)_n = g_n c_n + z_{n+1} c_{n+1}; M = V^T. With a unit diagonal and s = z / g rounded once, as transforms have
    // it.
    auto batch = BandedBatch<Number>::make(shape, true, {family.offset()}, random, [&](int, Index i, Index) {
      return test::from_quadruple<Number>(connection.z(row.upper ? i + 1 : i) / connection.g(i));
    });
    for (Number& value : batch.y) value = number<Number>(random.number());
    const auto x = solver.solved(family, batch, variant).x;
    double error = 0.0;
    for (Index b = 0; b < shape.batch; ++b) {
      const auto exact = batch.solution(b);
      for (Index i = 0; i < shape.n; ++i) {
        const test::Quadruple difference = test::parts(x[batch.place(i, b)])[0] - exact[static_cast<std::size_t>(i)];
        error = std::max(error, std::abs(static_cast<double>(difference)));
      }
    }
    const bool wide = std::is_same_v<Number, DoubleDouble>;
    EXPECT_LE(error, wide ? 6e-30 : 3.0 * row.error) << row.beta << " " << name_of(variant);
  }
}

TEST(Bidiagonal, SolvesEveryFormDouble) {
  expect_all<double>(BandedSolver{}, BandedVariant::automatic, {1, 3, 70});
}

TEST(Bidiagonal, SolvesEveryFormDoubleDouble) {
  expect_all<DoubleDouble>(BandedSolver{}, BandedVariant::automatic, {3});
}

TEST(Bidiagonal, SolvesLargeBatches) {
  expect_large_batches(BandedSolver{});
}

TEST(Bidiagonal, ZeroOnTheDiagonalIsAStatus) {
  expect_status<double>(BandedSolver{});
  expect_status<DoubleDouble>(BandedSolver{});
}

TEST(Bidiagonal, ConnectionMatricesAreWithinTheTable) {
  expect_table<double>(BandedSolver{}, BandedVariant::automatic);
  expect_table<DoubleDouble>(BandedSolver{}, BandedVariant::automatic);
}

TEST(Bidiagonal, RefusesWhatIsNoBatch) {
  const Context context = Context::create(BackendChoice::cpu);
  const std::vector<double> off(4, 0.5);
  std::vector<double> y(4, 1.0), x(4);
  const auto solve = [&](const BandedShape& shape, Bidiagonal<double> matrix,
                         BandedVariant variant = BandedVariant::automatic) {
    solve_bidiagonal(context, shape, matrix, y.data(), x.data(), nullptr, variant);
  };
  EXPECT_THROW(solve({0, 1}, {off.data()}), ShapeError);
  EXPECT_THROW(solve({4, -1}, {off.data()}), ShapeError);
  EXPECT_THROW(solve({4, 1}, {}), ShapeError);
  EXPECT_THROW(solve({4, 1}, {off.data(), nullptr, Side::lower, 3}), ShapeError);
  EXPECT_THROW(solve({4, 1}, {off.data()}, BandedVariant::thread), ShapeError);
  EXPECT_THROW(solve({4, 1, BatchLayout::interleaved}, {off.data()}, BandedVariant::hybrid), ShapeError);
  EXPECT_THROW(make_bidiagonal_plan<double>(context, {0, 1}, {off.data()}), ShapeError);
  EXPECT_NO_THROW(solve({4, 0}, {off.data()}));
  EXPECT_NO_THROW(solve({4, 1}, {off.data()}));
}

#if GWRM_HAVE_CUDA
class DeviceBidiagonal : public test::DeviceTest {};

TEST_F(DeviceBidiagonal, SolvesEveryForm) {
  for (BandedVariant variant : {BandedVariant::hybrid, BandedVariant::cyclic_reduction})
    expect_all<double>(BandedSolver{context_}, variant, {1, 3, 70});
  expect_all<DoubleDouble>(BandedSolver{context_}, BandedVariant::hybrid, {3});
}

TEST_F(DeviceBidiagonal, SolvesLargeBatches) {
  expect_large_batches(BandedSolver{context_});
}

TEST_F(DeviceBidiagonal, ZeroOnTheDiagonalIsAStatus) {
  expect_status<double>(BandedSolver{context_});
}

TEST_F(DeviceBidiagonal, ConnectionMatricesAreWithinTheTable) {
  for (BandedVariant variant : {BandedVariant::hybrid, BandedVariant::cyclic_reduction})
    expect_table<double>(BandedSolver{context_}, variant);
  expect_table<DoubleDouble>(BandedSolver{context_}, BandedVariant::hybrid);
}
#endif

}  // namespace
}  // namespace gwrm::bidiagonal_test
