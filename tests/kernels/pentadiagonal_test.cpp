// Pentadiagonal systems against elimination with row exchanges in quadruple precision.
#include "kernels/banded/pentadiagonal.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/banded/banded_product.hpp"
#include "kernels/banded_checks.hpp"
#include "kernels/banded_matrices.hpp"

namespace gwrm::pentadiagonal_test {
namespace {

using test::BandedBatch;
using test::BandedSolver;
using test::PentadiagonalFamily;
using test::Random;

template <class Number>
void expect_all(const BandedSolver& solver, BandedVariant contiguous, const std::vector<Index>& batches) {
  test::expect_all<Number>(solver, PentadiagonalFamily<Number>{}, contiguous, batches);
}
template <class Number>
void expect_status(const BandedSolver& solver, BandedVariant variant) {
  for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
    test::expect_status<Number>(solver, PentadiagonalFamily<Number>{}, {33, 5, layout}, variant);
}

// The same system by elimination with row exchanges in double: what can be had.
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

// M + h, M the mass of hyperdiffusion: not dominant, positive definite, condition up to 1e8 at h = 0. The bounds are
// those of reduction row by row (2e-13 from h = 1e-5 on), or ten times what exchanges reach.
void expect_ball(const BandedSolver& solver, BandedVariant variant) {
  for (Index n : {Index{64}, Index{512}})
    for (int l : {1, 20, 1000})
      for (double h : {0.0, 1e-5, 1e-2, 10.0}) {
        const test::BallHyperdiffusion ball{l};
        Random random(31);
        const BandedShape shape{n, 1, BatchLayout::contiguous};
        for (bool shared : {true, false}) {
          if (n > PentadiagonalFamily<double>::most_rows(shared, variant)) continue;
          const auto batch =
              BandedBatch<double>::make(shape, shared, {-2, -1, 0, 1, 2}, random, [&](int o, Index i, Index) {
                const Index row = std::min(i, i + o);
                return row < 0 ? 0.0 : static_cast<double>(ball.mass(row, std::abs(o)) + (o == 0 ? h : 0.0));
              });
          const double bound = h >= 1e-5 ? 2e-13 : 10 * error_with_exchanges(batch);
          EXPECT_LE(batch.error(solver.solved(PentadiagonalFamily<double>{}, batch, variant).x, 0), bound)
              << "n " << n << " l " << l << " h " << h << (shared ? " shared " : " own ") << name_of(variant);
        }
      }
}

// Of a matrix that couples rows of equal parity alone, and of triangular ones.
void expect_special_bands(const BandedSolver& solver, BandedVariant variant) {
  for (const std::vector<int>& kept : {std::vector<int>{-2, 0, 2}, {-1, 0, 1}, {-2, -1, 0}, {0, 1, 2}, {0}})
    for (bool shared : {true, false}) {
      const BandedShape shape{257, 3, BatchLayout::contiguous};
      if (shape.n > PentadiagonalFamily<double>::most_rows(shared, variant)) continue;
      Random random(41);
      const PentadiagonalFamily<double> family;
      const auto batch =
          BandedBatch<double>::make(shape, shared, family.offsets(), random, [&](int offset, Index, Index) {
            const bool is_kept = std::find(kept.begin(), kept.end(), offset) != kept.end();
            return is_kept ? family.entry(offset, random) : 0.0;
          });
      EXPECT_LE(batch.error(solver.solved(family, batch, variant).x), family.kUnits * 0x1p-53) << name_of(variant);
    }
}

TEST(Pentadiagonal, SolvesEverySizeDouble) {
  expect_all<double>(BandedSolver{}, BandedVariant::automatic, {1, 3, 70});
}

TEST(Pentadiagonal, SolvesEverySizeDoubleDouble) {
  expect_all<DoubleDouble>(BandedSolver{}, BandedVariant::automatic, {3});
}

TEST(Pentadiagonal, SolvesEverySizeComplex) {
  expect_all<Complex>(BandedSolver{}, BandedVariant::automatic, {1, 3});
}

TEST(Pentadiagonal, ZeroPivotIsAStatus) {
  expect_status<double>(BandedSolver{}, BandedVariant::automatic);
  expect_status<DoubleDouble>(BandedSolver{}, BandedVariant::automatic);
  expect_status<Complex>(BandedSolver{}, BandedVariant::automatic);
}

TEST(Pentadiagonal, BallMatricesAreWithinTheirBounds) {
  expect_ball(BandedSolver{}, BandedVariant::automatic);
}

TEST(Pentadiagonal, TakesFewerBands) {
  expect_special_bands(BandedSolver{}, BandedVariant::automatic);
}

TEST(Pentadiagonal, RefusesWhatIsNoBatch) {
  const Context context = Context::create(BackendChoice::cpu);
  const std::vector<double> a(4, 0.1), b(4, 1.0);
  std::vector<double> y(4, 1.0), x(4), workspace(8);
  const auto solve = [&](const BandedShape& shape, Pentadiagonal<double> matrix) {
    solve_pentadiagonal(context, shape, matrix, y.data(), x.data(), nullptr, workspace.data());
  };
  const Pentadiagonal<double> matrix{a.data(), a.data(), b.data(), a.data(), a.data()};
  EXPECT_THROW(solve({0, 1}, matrix), ShapeError);
  EXPECT_THROW(solve({4, -1}, matrix), ShapeError);
  EXPECT_THROW(solve({4, 1}, {a.data(), nullptr, b.data(), a.data(), a.data()}), ShapeError);
  EXPECT_THROW(make_pentadiagonal_plan(context, {4, 1}, matrix, BandedVariant::cyclic_reduction), ShapeError);
  EXPECT_NO_THROW(solve({4, 0}, {}));
  EXPECT_NO_THROW(solve({4, 1}, matrix));
}

// Against the definition in quadruple precision; missing bands are zero, entries outside are not looked at.
template <class Number>
void expect_products(const Context& context) {
  for (Index n : {1, 2, 3, 33, 257})
    for (Index n_systems : {1, 70})
      for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved})
        for (bool shared : {true, false}) {
          const BandedShape shape{n, n_systems, layout};
          Random random(static_cast<unsigned>(n));
          const auto batch =
              BandedBatch<Number>::make(shape, shared, {-2, 0, 1, 2}, random, [&](int o, Index i, Index) {
                return i + o < 0 || i + o >= n ? number<Number>(NAN) : test::random_number<Number>(random);
              });
          std::map<int, ContextArray<Number>> bands;
          ProductBands<Number> matrix{{}, shared};
          for (const auto& [offset, values] : batch.bands)
            matrix.bands[offset + 2] =
                bands.emplace(offset, ContextArray<Number>(context, values)).first->second.data();
          ContextArray<Number> x(context, batch.y), y(context, std::vector<Number>(batch.size()));
          banded_product(context, shape, matrix, x.data(), y.data());
          const std::vector<Number> got = y.values();
          double worst = 0.0;
          for (Index b : {Index{0}, n_systems - 1})
            for (Index i = 0; i < n; ++i) {
              std::vector<test::Quadruple> sum(2, 0);
              for (const auto& [o, values] : batch.bands) {
                if (i + o < 0 || i + o >= n) continue;
                auto a = test::parts(batch.entry(o, i, b)), v = test::parts(batch.y[batch.place(i + o, b)]);
                a.resize(2, 0);
                v.resize(2, 0);
                sum[0] += a[0] * v[0] - a[1] * v[1];
                sum[1] += a[0] * v[1] + a[1] * v[0];
              }
              auto parts = test::parts(got[batch.place(i, b)]);
              parts.resize(2, 0);
              for (std::size_t p : {std::size_t{0}, std::size_t{1}}) {
                const double error = std::abs(static_cast<double>(parts[p] - sum[p]));
                worst = error <= worst ? worst : error;
              }
            }
          EXPECT_LE(worst, 20 * test::unit_of<Number>()) << n << " x " << n_systems;  // four terms below 2 in modulus
        }
}

TEST(BandedProduct, IsItsDefinition) {
  const Context context = Context::create(BackendChoice::cpu);
  expect_products<double>(context);
  expect_products<DoubleDouble>(context);
  expect_products<Complex>(context);
}

#if GWRM_HAVE_CUDA
class DevicePentadiagonal : public test::DeviceTest {};

TEST_F(DevicePentadiagonal, SolvesEverySize) {
  for (BandedVariant variant : {BandedVariant::hybrid, BandedVariant::cyclic_reduction}) {
    expect_all<double>(BandedSolver{context_}, variant, {1, 3, 70});
    expect_all<DoubleDouble>(BandedSolver{context_}, variant, {3});
    expect_all<Complex>(BandedSolver{context_}, variant, {1, 3});
  }
}

TEST_F(DevicePentadiagonal, ZeroPivotIsAStatus) {
  expect_status<double>(BandedSolver{context_}, BandedVariant::automatic);
  expect_status<double>(BandedSolver{context_}, BandedVariant::cyclic_reduction);
  expect_status<Complex>(BandedSolver{context_}, BandedVariant::automatic);
}

TEST_F(DevicePentadiagonal, BallMatricesAreWithinTheirBounds) {
  for (BandedVariant variant : {BandedVariant::hybrid, BandedVariant::cyclic_reduction}) {
    expect_ball(BandedSolver{context_}, variant);
    expect_special_bands(BandedSolver{context_}, variant);
  }
}

class DeviceBandedProduct : public test::DeviceTest {};

TEST_F(DeviceBandedProduct, IsItsDefinition) {
  expect_products<double>(context_);
  expect_products<DoubleDouble>(context_);
  expect_products<Complex>(context_);
}
#endif

}  // namespace
}  // namespace gwrm::pentadiagonal_test
