// The device code that makes and applies the systems along a bounded axis, wavenumber by wavenumber, run on the host,
// against the LU of the whole spatial operator, which is assembled from points.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <bit>
#include <cmath>

#include "kernels/host_warps.cuh"
#include "weighted_residual/wavenumber_cases.hpp"
//
#include "weighted_residual/device/wavenumber_lines.cuh"

namespace gwrm::wavenumber_lines_test {
namespace {

using test::Averaged;
using Complex = std::complex<double>;

double2* numbers(Complex* values) {
  return reinterpret_cast<double2*>(values);
}

class WavenumberLines : public ::testing::TestWithParam<test::SpaceCase> {
 protected:
  WavenumberLines() : system_(GetParam().yaml) {
    const CoefficientMeans means = coefficient_means(system_.a.system, system_.averages);
    EXPECT_EQ(wavenumber_operators(system_.a.system, system_.layout, means, operators_), LuStatus::regular);
    if (system_.a.system.discretisation().time() == nullptr) z_ = {0.0};
    EXPECT_EQ(wavenumber_line_tables(operators_, tables_), LuStatus::regular);
    for (std::vector<LinePlace>* places : {&tables_.rows, &tables_.fields})
      for (LinePlace& place : *places) place.mode_stride = system_.layout.size;
    lines_ = cuda::wavenumber_lines(tables_, static_cast<int>(z_.size()));
    lines_.rows = tables_.rows.data();
    lines_.fields = tables_.fields.data();
    lines_.row_of = tables_.row_of.data();
    lines_.field_of = tables_.field_of.data();
    lines_.begins = tables_.begins.data();
    lines_.terms = tables_.terms.data();
    lines_.values = tables_.values.data();
    lines_.z = numbers(z_.data());
    if (!tables_.all_take_part) lines_.units = tables_.units.data();
  }

  ComplexMatrix block(int mode, int matrix) {
    ComplexMatrix result(tables_.n, tables_.n);
    std::vector<double2> factors(tables_.terms.size());
    test::HostBlocks::run(1, cuda::kLineThreads,
                          [&] { cuda::make_line_block(lines_, mode, matrix, factors.data(), numbers(result.data())); });
    return result;
  }

  template <int n_served>
  void apply(Complex* inverses, Complex* right, Complex* solutions) {
    test::HostBlocks::run(
        static_cast<unsigned>(lines_.n_modes * lines_.n_matrices * cuda::row_tiles(lines_)), cuda::kLineThreads,
        [&] { cuda::apply_inverses<n_served>(lines_, numbers(inverses), numbers(right), numbers(solutions)); });
  }

  Averaged system_;
  WavenumberOperators operators_;
  std::vector<Complex> z_{{0.05, 0.0}, {0.02, 0.03}};
  WavenumberLineTables tables_;
  cuda::WavenumberLines lines_;
};
INSTANTIATE_TEST_SUITE_P(Cases, WavenumberLines, ::testing::ValuesIn(test::line_cases()),
                         [](const auto& what) { return what.param.name; });

// Round-off times the condition of the operators: up to 1e5 where a short step leaves the pressure alone.
TEST_P(WavenumberLines, InvertTheWholeOperator) {
  const Index n = system_.layout.size, n_z = static_cast<Index>(z_.size());
  const auto square = static_cast<std::size_t>(tables_.n * tables_.n);
  const auto n_matrices = static_cast<std::size_t>(lines_.n_matrices);
  std::vector<Complex> inverses(z_.size() * n_matrices * square, Complex(NAN, NAN));
  for (std::size_t which = 0; which < z_.size() * n_matrices; ++which) {
    const ComplexMatrix s = block(static_cast<int>(which / n_matrices), static_cast<int>(which % n_matrices));
    const ComplexMatrix inverse = Eigen::MatrixXcd(s).fullPivLu().inverse();
    std::copy_n(inverse.data(), square, inverses.begin() + static_cast<Index>(which * square));
  }
  ComplexVector b(n * n_z), x = ComplexVector::Constant(b.size(), Complex(NAN, NAN));
  for (Index k = 0; k < n_z; ++k) b.segment(k * n, n) = test::random_complex(n, 5 + static_cast<unsigned>(k));
  const auto all = z_.size() * static_cast<std::size_t>(lines_.n_vectors * lines_.n);
  std::vector<Complex> right(all, Complex(NAN, NAN)), solutions = right;
  const auto everywhere = [&](const auto& body) {
    for (int mode = 0; mode < lines_.n_modes; ++mode)
      for (int w = 0; w < lines_.n_vectors; ++w)
        for (int i = 0; i < lines_.n; ++i) body(mode, w, i);
  };
  everywhere([&](int mode, int w, int i) {
    const double2 value = cuda::right_hand_side(lines_, numbers(b.data()), mode, w, i);
    right[static_cast<std::size_t>((mode * lines_.n_vectors + w) * lines_.n + i)] = {value.x, value.y};
  });
  switch (std::popcount(tables_.mirrored)) {
    case 0:
      apply<1>(inverses.data(), right.data(), solutions.data());
      break;
    case 1:
      apply<2>(inverses.data(), right.data(), solutions.data());
      break;
    default:
      apply<4>(inverses.data(), right.data(), solutions.data());
  }
  everywhere([&](int mode, int w, int j) {
    cuda::leave_solution(lines_, numbers(solutions.data()), mode, w, j, numbers(x.data()));
  });
  for (Index k = 0; k < n_z; ++k) {
    const ComplexVector expected =
        system_.operator_at(z_[static_cast<std::size_t>(k)]).fullPivLu().solve(ComplexVector(b.segment(k * n, n)));
    EXPECT_LE((x.segment(k * n, n) - expected).norm(), 1e-10 * expected.norm()) << k;
  }
}

// Bit 0 is the first of the axes: t, z, y, x. A mean flow along an axis leaves no mirror.
TEST_P(WavenumberLines, FindTheMirrors) {
  const std::string name = GetParam().name;
  const bool along_one = name == "Convection" || name == "MeansAlongOneOfTwoAxes" ||
                         name == "ChannelInThreeDimensions" || name == "ChannelFlowInThreeDimensions";
  EXPECT_EQ(tables_.mirrored, name == "StokesInThreeDimensions" ? 3u : along_one ? 1u : 0u);
}

TEST(WavenumberLinesAlone, TellWhatMirrorsAre) {
  // u changes its sign with x where v and p do not: the block of -k is that of k with these signs.
  const Averaged system(test::kFlows[0].yaml);
  WavenumberOperators operators;
  WavenumberLineTables tables;
  ASSERT_EQ(wavenumber_operators(system.a.system, system.layout, coefficient_means(system.a.system, system.averages),
                                 operators),
            LuStatus::regular);
  ASSERT_EQ(wavenumber_line_tables(operators, tables), LuStatus::regular);
  ASSERT_EQ(tables.mirrored, 1u);
  const ComplexMatrix at_k = operators.block({0.02, 0.03}, {2, 0, 0});
  ComplexMatrix mirrored = operators.block({0.02, 0.03}, {-2, 0, 0});
  for (Index i = 0; i < mirrored.rows(); ++i)
    for (Index j = 0; j < mirrored.cols(); ++j) {
      const unsigned odd = tables.rows[static_cast<std::size_t>(tables.row_of[static_cast<std::size_t>(i)])].odd ^
                           tables.fields[static_cast<std::size_t>(tables.field_of[static_cast<std::size_t>(j)])].odd;
      if (odd != 0) mirrored(i, j) = -mirrored(i, j);
    }
  EXPECT_EQ(mirrored, at_k);
  EXPECT_EQ(tables.n_matrices(), 5);
  EXPECT_EQ(tables.n_vectors(), 9);
}

}  // namespace
}  // namespace gwrm::wavenumber_lines_test
