// The device code that solves wavenumber by wavenumber, run on the host, against the LU of the whole spatial operator,
// which is assembled from points.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <cmath>

#include "kernels/host_warps.cuh"
#include "weighted_residual/wavenumber_cases.hpp"
//
#include "weighted_residual/device/wavenumber_cells.cuh"

namespace gwrm::wavenumber_cells_test {
namespace {

using test::Averaged;
using Complex = std::complex<double>;

class WavenumberCells : public ::testing::TestWithParam<test::SpaceCase> {
 protected:
  WavenumberCells() : system_(GetParam().yaml) {
    const CoefficientMeans means = coefficient_means(system_.a.system, system_.averages);
    EXPECT_EQ(wavenumber_operators(system_.a.system, system_.layout, means, operators_), LuStatus::regular);
    if (system_.a.system.discretisation().time() == nullptr) z_ = {0.0};
    EXPECT_EQ(wavenumber_tables(operators_, z_, tables_), LuStatus::regular);
  }

  // Blocks for F fields, D axes with odd derivatives, by all cells: false if one is singular.
  template <int F, int D>
  bool solve(const cuda::WavenumberBlocks& b) {
    bool regular = true;
    for (int mode = 0; mode < b.n_modes; ++mode)
      for (long long cell = 0; cell < cuda::cells_of(b); ++cell) {
        cuda::solve_cell<F, D>(b, mode, cell);
        regular = cuda::is_regular_cell<F, D>(b, mode, cell) && regular;
      }
    return regular;
  }
  template <int F>
  bool solve(const cuda::WavenumberBlocks& b) {
    switch (b.n_odd) {
      case 0:
        return solve<F, 0>(b);
      case 1:
        return solve<F, 1>(b);
      case 2:
        return solve<F, 2>(b);
      default:
        return solve<F, 3>(b);
    }
  }
  bool solve(const cuda::WavenumberBlocks& b, bool filled_up) {
    if (filled_up) return solve<kMaxWavenumberFields>(b);
    switch (b.n_fields) {
      case 1:
        return solve<1>(b);
      case 2:
        return solve<2>(b);
      default:
        return solve<3>(b);
    }
  }

  Averaged system_;
  WavenumberOperators operators_;
  std::vector<Complex> z_{{0.05, 0.0}, {0.02, 0.03}, {0.001, 0.002}, {0.3, -0.2}};
  WavenumberTables tables_;
};
INSTANTIATE_TEST_SUITE_P(Cases, WavenumberCells, ::testing::ValuesIn(test::periodic_cases()),
                         [](const auto& what) { return what.param.name; });

// Round-off times the condition of the operators, which is at most 1e4 here.
TEST_P(WavenumberCells, InvertTheWholeOperator) {
  const Index n = system_.layout.size, n_z = static_cast<Index>(z_.size());
  ComplexVector b(n * n_z);
  for (Index k = 0; k < n_z; ++k) b.segment(k * n, n) = test::random_complex(n, 5 + static_cast<unsigned>(k));
  for (bool filled_up : {false, true}) {
    ComplexVector x = ComplexVector::Constant(b.size(), Complex(NAN, NAN));
    cuda::WavenumberBlocks blocks = cuda::wavenumber_blocks(operators_);
    blocks.n_modes = static_cast<int>(n_z);
    blocks.n_terms = static_cast<int>(tables_.powers.size());
    blocks.begins = tables_.begins.data();
    blocks.powers = tables_.powers.data();
    blocks.factors = reinterpret_cast<const cuda::WavenumberNumber*>(tables_.factors.data());
    if (!tables_.all_take_part) blocks.units = tables_.units.data();
    for (std::size_t i = 0; i < operators_.rows.size(); ++i) {
      blocks.rows[i].data = reinterpret_cast<cuda::WavenumberNumber*>(b.data() + operators_.rows[i].offset);
      blocks.fields[i].data = reinterpret_cast<cuda::WavenumberNumber*>(x.data() + operators_.fields[i].offset);
      blocks.rows[i].mode_stride = blocks.fields[i].mode_stride = n;
    }
    EXPECT_TRUE(solve(blocks, filled_up));
    for (Index k = 0; k < n_z; ++k) {
      const ComplexVector expected =
          system_.operator_at(z_[static_cast<std::size_t>(k)]).fullPivLu().solve(ComplexVector(b.segment(k * n, n)));
      EXPECT_LE((x.segment(k * n, n) - expected).norm(), 1e-11 * expected.norm()) << k << " " << filled_up;
    }
  }
}

// Steady Poisson on a torus: nothing fixes the mean.
TEST(WavenumberCellsAlone, FindASingularBlock) {
  const Averaged system(R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["lap(u) = 0"]
resolution: {degree: {x: 3, y: 3}}
)yaml");
  WavenumberOperators operators;
  WavenumberTables tables;
  ASSERT_EQ(wavenumber_operators(system.a.system, system.layout, coefficient_means(system.a.system, system.averages),
                                 operators),
            LuStatus::regular);
  ASSERT_EQ(wavenumber_tables(operators, {0.0}, tables), LuStatus::regular);
  cuda::WavenumberBlocks blocks = cuda::wavenumber_blocks(operators);
  blocks.n_terms = static_cast<int>(tables.powers.size());
  blocks.begins = tables.begins.data();
  blocks.powers = tables.powers.data();
  blocks.factors = reinterpret_cast<const cuda::WavenumberNumber*>(tables.factors.data());
  ASSERT_EQ(blocks.n_odd, 0);
  EXPECT_FALSE((cuda::is_regular_cell<1, 0>(blocks, 0, 0)));
  for (long long cell = 1; cell < cuda::cells_of(blocks); ++cell)
    EXPECT_TRUE((cuda::is_regular_cell<1, 0>(blocks, 0, cell))) << cell;
}

// Columns and rows of very different size, and pivots off the diagonal.
TEST(WavenumberCellsAlone, EliminateWithPivots) {
  constexpr int F = 4;
  cuda::WavenumberNumber s[F][F], x[F];
  Eigen::MatrixXcd a(F, F);
  const ComplexVector numbers = test::random_complex(F * F + F, 3);
  for (int i = 0; i < F; ++i)
    for (int j = 0; j < F; ++j) {
      a(i, j) = i == j ? Complex(0.0) : numbers(i * F + j) * std::pow(1e6, i - 2 * j);
      s[i][j] = {a(i, j).real(), a(i, j).imag()};
    }
  ComplexVector expected = numbers.tail(F);
  for (int j = 0; j < F; ++j) expected(j) *= std::pow(1e6, 2 * j);  // so that each counts on the right-hand side
  const Eigen::VectorXcd right = a * Eigen::VectorXcd(expected);
  for (int i = 0; i < F; ++i) x[i] = {right(i).real(), right(i).imag()};
  ASSERT_TRUE((cuda::eliminate<F>(s, x)));
  for (int i = 0; i < F; ++i) {
    EXPECT_NEAR(x[i].re, expected(i).real(), 1e-12 * std::abs(expected(i))) << i;
    EXPECT_NEAR(x[i].im, expected(i).imag(), 1e-12 * std::abs(expected(i))) << i;
  }
  cuda::WavenumberNumber dependent[2][2] = {{{1.0, 2.0}, {3.0, 4.0}}, {{2.0, 4.0}, {6.0, 8.0}}}, y[2] = {};
  EXPECT_FALSE((cuda::eliminate<2>(dependent, y)));
}

}  // namespace
}  // namespace gwrm::wavenumber_cells_test
