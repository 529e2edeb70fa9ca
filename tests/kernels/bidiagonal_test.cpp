// Bidiagonal systems against elimination with row exchanges in quadruple precision.
#include "kernels/banded/bidiagonal.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/banded_matrices.hpp"
#include "kernels/banded_oracle.hpp"
#include "kernels/banded_solver.hpp"

namespace gwrm {
namespace {

using test::BandedBatch;
using test::BandedSolver;
using test::kBandedSizes;
using test::Random;
using test::unit_of;

struct Form {
  Side side;
  int distance;
  bool with_diagonal;
  int offset() const { return side == Side::lower ? -distance : distance; }
  std::vector<int> offsets() const {
    return with_diagonal ? std::vector<int>{0, offset()} : std::vector<int>{offset()};
  }
  std::string name() const {
    return std::string(side == Side::lower ? "lower " : "upper ") + std::to_string(distance) +
           (with_diagonal ? " with diagonal" : " unit");
  }
};

std::vector<Form> forms() {
  std::vector<Form> all;
  for (Side side : {Side::lower, Side::upper})
    for (int distance : {1, 2})
      for (bool with_diagonal : {false, true}) all.push_back({side, distance, with_diagonal});
  return all;
}

template <class Number>
Bidiagonal<Number> view(const BandedBatch<Number>& batch, const Form& form) {
  return {batch.band(form.offset()), batch.band(0), form.side, form.distance};
}

// |off| <= .9 |diagonal|: the condition is at most 19 (1 + s + s^2 + .. times 1 + s), each row has four roundings.
template <class Number>
BandedBatch<Number> sample(const BandedShape& shape, bool shared, const Form& form, Random& random) {
  return BandedBatch<Number>::make(shape, shared, form.offsets(), random, [&](int offset, Index, Index) {
    const double sign = random.number() < 0.0 ? -1.0 : 1.0;
    return offset == 0 ? number<Number>(sign * random.number(1.0, 2.0))
                       : number<Number>(0.9) * test::random_number<Number>(random);
  });
}
constexpr double kUnits = 80.0;

template <class Number>
void expect_solutions(const BandedSolver& solver, const BandedShape& shape, BandedVariant variant) {
  Random random(static_cast<unsigned>(7 * shape.n + shape.batch));
  for (const Form& form : forms())
    for (bool shared : {true, false}) {
      const auto batch = sample<Number>(shape, shared, form, random);
      const std::string name = form.name() + (shared ? ", shared, " : ", own, ") + std::to_string(shape.batch) +
                               " of " + std::to_string(shape.n) + " " + name_of(variant);
      for (bool in_place : {false, true}) {
        std::vector<BandedStatus> status(static_cast<std::size_t>(shape.batch), BandedStatus::singular);
        const std::vector<Number> x =
            shared ? solver.bidiagonal_shared(shape, view(batch, form), batch.y, variant, in_place)
                   : solver.bidiagonal(shape, view(batch, form), batch.y, status, variant, in_place);
        EXPECT_LE(batch.error(x), kUnits * unit_of<Number>()) << name;
        EXPECT_LE(in_place ? batch.residual(x) : 0.0, kUnits * unit_of<Number>() * 20) << name;
        if (!shared) {
          EXPECT_EQ(std::count(status.begin(), status.end(), BandedStatus::solved), shape.batch) << name;
        }
      }
    }
}

template <class Number>
void expect_all(const BandedSolver& solver, BandedVariant contiguous, const std::vector<Index>& batches) {
  for (Index n : kBandedSizes)
    for (Index batch : batches) {
      if (n * batch > 300000) continue;
      if (n > 2048 && contiguous == BandedVariant::cyclic_reduction) continue;  // whole systems in registers alone
      expect_solutions<Number>(solver, {n, batch, BatchLayout::contiguous}, contiguous);
      expect_solutions<Number>(solver, {n, batch, BatchLayout::interleaved}, BandedVariant::automatic);
    }
}

// A zero on the diagonal of one system leaves the others alone.
template <class Number>
void expect_status(const BandedSolver& solver, const BandedShape& shape, BandedVariant variant) {
  Random random(3);
  for (const Form& form : forms()) {
    if (!form.with_diagonal) continue;
    for (Index row : {Index{0}, shape.n / 2, shape.n - 1}) {
      auto batch = sample<Number>(shape, false, form, random);
      batch.set_entry(0, row, 1, number<Number>(0.0));
      std::vector<BandedStatus> status(static_cast<std::size_t>(shape.batch), BandedStatus::singular);
      const auto x = solver.bidiagonal(shape, view(batch, form), batch.y, status, variant, false);
      for (Index b = 0; b < shape.batch; ++b) {
        EXPECT_EQ(status[static_cast<std::size_t>(b)], b == 1 ? BandedStatus::singular : BandedStatus::solved)
            << form.name();
        EXPECT_LE(b == 1 ? 0.0 : batch.error(x, b), kUnits * unit_of<Number>()) << form.name();
      }
      for (Index i = 0; i < shape.n; ++i) EXPECT_EQ(BandedNumber<Number>::size(x[batch.place(i, 1)]), 0.0);
      auto shared = sample<Number>(shape, true, form, random);
      shared.set_entry(0, row, 0, number<Number>(0.0));
      EXPECT_EQ(solver.bidiagonal_shared_status(shape, view(shared, form), variant), BandedStatus::singular);
      for (const Number& value : solver.bidiagonal_shared(shape, view(shared, form), shared.y, variant, false))
        EXPECT_EQ(BandedNumber<Number>::size(value), 0.0);
    }
  }
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
    const Form form{row.upper ? Side::upper : Side::lower, 1, false};
    Random random(static_cast<unsigned>(row.beta + 1.0));
    // (V c)_n = g_n c_n + z_{n+1} c_{n+1}; M = V^T. With a unit diagonal and s = z / g rounded once, as transforms have
    // it.
    auto batch = BandedBatch<Number>::make(shape, true, {form.offset()}, random, [&](int, Index i, Index) {
      return test::from_quadruple<Number>(connection.z(row.upper ? i + 1 : i) / connection.g(i));
    });
    for (Number& value : batch.y) value = number<Number>(random.number());
    const auto x = solver.bidiagonal_shared(shape, view(batch, form), batch.y, variant, false);
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
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
    expect_solutions<double>(BandedSolver{}, {257, 1000, layout}, BandedVariant::automatic);
}

TEST(Bidiagonal, ZeroOnTheDiagonalIsAStatus) {
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved}) {
    expect_status<double>(BandedSolver{}, {33, 5, layout}, BandedVariant::automatic);
    expect_status<DoubleDouble>(BandedSolver{}, {33, 5, layout}, BandedVariant::automatic);
  }
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
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
    expect_solutions<double>(BandedSolver{context_}, {257, 1000, layout}, BandedVariant::automatic);
}

TEST_F(DeviceBidiagonal, ZeroOnTheDiagonalIsAStatus) {
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
    expect_status<double>(BandedSolver{context_}, {33, 5, layout}, BandedVariant::automatic);
}

TEST_F(DeviceBidiagonal, ConnectionMatricesAreWithinTheTable) {
  for (BandedVariant variant : {BandedVariant::hybrid, BandedVariant::cyclic_reduction})
    expect_table<double>(BandedSolver{context_}, variant);
  expect_table<DoubleDouble>(BandedSolver{context_}, BandedVariant::hybrid);
}
#endif

}  // namespace
}  // namespace gwrm
