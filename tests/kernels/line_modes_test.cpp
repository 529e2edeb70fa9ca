// Eigenpairs of a line against their definition, split by symmetry and not, by LAPACK and on the device.
#include "kernels/line_modes.hpp"
#include "core/have_cuda.hpp"
#include "core/matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <string>

#include "core/errors.hpp"
#include "kernels/device_poisson.hpp"
#include "kernels/fast_diagonalisation.hpp"
#include "random_array.hpp"

namespace gwrm {
namespace {

using test::Random;

struct Line {
  std::string name;
  StencilRows a;
  std::vector<double> weights;

  Index n() const { return a.n; }
  Vector scale() const { return Eigen::Map<const Vector>(weights.data(), n()).cwiseSqrt().cwiseInverse(); }
  Matrix standard() const { return scale().asDiagonal() * dense(a) * scale().asDiagonal(); }
};

// A full matrix, random and positive definite; with `alike` the same from both ends.
Line random_line(Index n, bool alike) {
  Random random(static_cast<unsigned>(n));
  const Matrix factor = random.matrix(n, n);
  Matrix a = factor * factor.transpose() + Matrix::Identity(n, n);
  Line line{"random " + std::to_string(n) + (alike ? ", ends alike" : ""), {}, {}};
  for (Index i = 0; i < n; ++i) line.weights.push_back(random.number(0.5, 2.0));
  for (Index i = 0; i < n / 2 && alike; ++i)
    line.weights[at(static_cast<int>(n - 1 - i))] = line.weights[at(static_cast<int>(i))];
  if (alike) a = (a + Matrix(a.reverse())).eval();
  a = (a + Matrix(a.transpose())).eval();
  line.a.n = n;
  line.a.n_closure = line.a.closure_width = static_cast<int>(n);
  line.a.interior = {0.0};
  line.a.first.assign(a.data(), a.data() + a.size());
  return line;
}

// An SBP stiffness with one of: fluxes at both ends, Dirichlet conditions at both, Dirichlet and Robin.
Line sbp_line(int order, Index n, int conditions) {
  const double h = 2.0 / static_cast<double>(n - 1);
  Line line{"order " + std::to_string(order) + ", n " + std::to_string(n) + ", ends " + std::to_string(conditions),
            sbp_stiffness(order, n, h, 1.5), sbp_weights(order, n, h)};
  if (conditions > 0) add_dirichlet_end(line.a, order, h, 1.5, 13.0 * 1.5 / h, End::lower);
  if (conditions == 1) add_dirichlet_end(line.a, order, h, 1.5, 13.0 * 1.5 / h, End::upper);
  if (conditions == 2) add_to_corner(line.a, 0.7, End::upper);
  return line;
}

std::vector<Line> sample_lines() {
  std::vector<Line> lines;
  for (Index n : {1, 2, 3, 4, 17, 32, 33, 60})
    for (bool alike : {false, true}) lines.push_back(random_line(n, alike));
  for (int order : {2, 4, 6})
    for (Index n : {17, 18, 31, 64, 101})
      for (int conditions : {0, 1, 2}) lines.push_back(sbp_line(order, n, conditions));
  return lines;
}

// The definition, in the norm in which the problem is symmetric. Backward errors of divide and conquer are a few units
// in the last place of |S|.
void expect_eigenpairs(const Line& line, const LineModes& modes, const std::string& how) {
  const Index n = line.n();
  ASSERT_EQ(static_cast<Index>(modes.values.size()), n) << line.name;
  ASSERT_EQ(static_cast<Index>(modes.vectors.size()), n * n) << line.name;
  const Eigen::Map<const Matrix> v(modes.vectors.data(), n, n);
  const Eigen::Map<const Vector> weights(line.weights.data(), n), values(modes.values.data(), n);
  const Matrix a = dense(line.a);
  const double rounding = 1e-14 * std::sqrt(static_cast<double>(n));
  EXPECT_LE((v * weights.asDiagonal() * v.transpose() - Matrix::Identity(n, n)).norm(),
            rounding * std::sqrt(static_cast<double>(n)))
      << line.name << how;
  const Matrix residual =
      line.scale().asDiagonal() * (a * v.transpose() - weights.asDiagonal() * v.transpose() * values.asDiagonal());
  EXPECT_LE(residual.norm(), rounding * line.standard().norm()) << line.name << how;
}

// Sorted values of both, against the size of the largest.
void expect_equal_values(const Line& line, std::vector<double> found, std::vector<double> expected,
                         const std::string& how) {
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], 1e-14 * std::sqrt(static_cast<double>(line.n())) * expected.back())
        << line.name << how;
}

// Every vector even or odd to the last bit: even ones first.
void expect_parity(const Line& line, const LineModes& modes) {
  const Index n = line.n();
  const Eigen::Map<const Matrix> v(modes.vectors.data(), n, n);
  for (Index k = 0; k < n; ++k)
    for (Index p = 0; p < n; ++p) ASSERT_EQ(v(k, p), (k < n - n / 2 ? 1.0 : -1.0) * v(k, n - 1 - p)) << line.name;
}

TEST(LineModes, AreEigenpairs) {
  for (const Line& line : sample_lines()) {
    expect_eigenpairs(line, line_modes(line.a, line.weights), "");
    expect_eigenpairs(line, line_modes(line.a, line.weights, LineSplit::whole), ", whole");
  }
}

// Eigen's solver for the whole problem shares nothing with either.
TEST(LineModes, ValuesAreThoseOfAnIndependentSolver) {
  for (const Line& line : sample_lines()) {
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(line.standard()).eigenvalues().cwiseMax(0.0);
    const std::vector<double> expected(values.data(), values.data() + values.size());
    expect_equal_values(line, line_modes(line.a, line.weights).values, expected, "");
    expect_equal_values(line, line_modes(line.a, line.weights, LineSplit::whole).values, expected, ", whole");
  }
}

TEST(LineModes, AreEvenAndOddWhereTheEndsAreAlike) {
  for (Index n : {2, 3, 32, 33}) {
    const Line line = random_line(n, true);
    expect_parity(line, line_modes(line.a, line.weights));
  }
  for (int order : {2, 4, 6})
    for (Index n : {18, 101})
      for (int conditions : {0, 1}) {
        const Line line = sbp_line(order, n, conditions);
        expect_parity(line, line_modes(line.a, line.weights));
      }
}

// A matrix that is the same from both ends with weights that are not, and the other way round.
TEST(LineModes, AreNotSplitWhereTheEndsDiffer) {
  for (Index n : {6, 7}) {
    Line line = random_line(n, true);
    line.weights[0] *= 1.5;
    expect_eigenpairs(line, line_modes(line.a, line.weights), ", other weights");
    line = sbp_line(4, 33, 2);
    EXPECT_EQ(line_modes(line.a, line.weights).vectors, line_modes(line.a, line.weights, LineSplit::whole).vectors);
  }
}

TEST(LineModes, TheConstantHasTheEigenvalueZero) {
  for (int order : {2, 4, 6})
    for (LineSplit split : {LineSplit::automatic, LineSplit::whole}) {
      const Line line = sbp_line(order, 65, 0);
      const LineModes modes = line_modes(line.a, line.weights, split);
      EXPECT_EQ(std::count(modes.values.begin(), modes.values.end(), 0.0), 1) << order;
      EXPECT_EQ(modes.values[0], 0.0);
      for (Index p = 0; p < 65; ++p)
        EXPECT_NEAR(std::abs(modes.vectors[at(static_cast<int>(p))]), std::sqrt(0.5), 1e-11) << order;
    }
}

TEST(LineModes, AreIndependentOfUnits) {
  Line line = sbp_line(4, 40, 1);
  const LineModes modes = line_modes(line.a, line.weights);
  for (const int power : {-800, 900}) {
    Line scaled = line;
    for (auto* values : {&scaled.a.interior, &scaled.a.first, &scaled.a.last})
      for (double& value : *values) value = std::ldexp(value, power);
    const LineModes found = line_modes(scaled.a, scaled.weights);
    EXPECT_EQ(found.vectors, modes.vectors);
    for (std::size_t k = 0; k < found.values.size(); ++k)
      EXPECT_EQ(found.values[k], std::ldexp(modes.values[k], power));
  }
}

// Every way to ask gets the same answer to what has none.
template <class Modes>
void expect_refusals(Modes modes) {
  Line line = sbp_line(2, 24, 1);
  add_to_corner(line.a, -60.0 / line.weights[5], End::lower);
  add_to_corner(line.a, -60.0 / line.weights[5], End::upper);
  EXPECT_THROW(modes(line.a, line.weights), ShapeError) << "indefinite";
  line = sbp_line(4, 24, 1);
  line.a.interior[1] = std::nan("");
  EXPECT_THROW(modes(line.a, line.weights), ShapeError) << "NaN";
  line = sbp_line(4, 24, 2);
  line.a.first[0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(modes(line.a, line.weights), ShapeError) << "infinite";
  for (double weight : {0.0, -1.0, std::nan("")}) {
    line = sbp_line(2, 24, 1);
    line.weights[3] = weight;
    EXPECT_THROW(modes(line.a, line.weights), ShapeError) << "weight " << weight;
  }
  line.weights.pop_back();
  EXPECT_THROW(modes(line.a, line.weights), ShapeError) << "too few weights";
}

TEST(LineModes, RefuseWhatHasNone) {
  for (LineSplit split : {LineSplit::automatic, LineSplit::whole})
    expect_refusals([&](const StencilRows& a, const std::vector<double>& weights) { line_modes(a, weights, split); });
}

SeparableOperator separable(const Line& slow, const Line& fast) {
  return {slow.a, fast.a, slow.weights, fast.weights};
}

double relative_residual(const SeparableOperator& a, const std::vector<double>& b, const std::vector<double>& x) {
  std::vector<double> r(b.size());
  cpu::separable_apply(a, x.data(), r.data());
  const auto size = static_cast<Index>(b.size());
  const Eigen::Map<const Vector> given(b.data(), size), found(r.data(), size);
  return (given - found).norm() / given.norm();
}

// Equal operators share their modes; those that differ in one bit have their own.
TEST(LineModes, OfEqualDimensionsAreSolvedOnce) {
  const Line line = sbp_line(4, 40, 1);
  Line other = line;
  other.a.interior[0] = std::nextafter(other.a.interior[0], 0.0);
  EXPECT_TRUE(has_equal_lines(separable(line, line)));
  EXPECT_FALSE(has_equal_lines(separable(line, other)));
  EXPECT_FALSE(has_equal_lines(separable(line, sbp_line(4, 40, 0))));
  EXPECT_FALSE(has_equal_lines(separable(line, sbp_line(4, 41, 1))));
  other = line;
  other.weights[7] *= 2.0;
  EXPECT_FALSE(has_equal_lines(separable(line, other)));
  for (const SeparableOperator& a : {separable(line, line), separable(sbp_line(4, 40, 2), line)}) {
    Random random(5);
    const std::vector<double> b = random.array({a.size()}).data;
    std::vector<double> x(b.size());
    cpu::make_fast_diagonalisation(a)->solve(b.data(), x.data());
    EXPECT_LT(relative_residual(a, b, x), 1e-12);
  }
}

#if GWRM_HAVE_CUDA

class DeviceLineModes : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    context_ = Context::create(BackendChoice::cuda);
  }
  Context context_ = Context::create(BackendChoice::cpu);
};

TEST_F(DeviceLineModes, AreEigenpairs) {
  std::vector<Line> lines = sample_lines();
  for (Index n : {255, 256, 257}) lines.push_back(random_line(n, n == 256));
  for (int conditions : {1, 2}) lines.push_back(sbp_line(4, 515, conditions));
  for (const Line& line : lines)
    for (LineSplit split : {LineSplit::automatic, LineSplit::whole}) {
      const LineModes modes = cuda::line_modes(context_, line.a, line.weights, split, EigenSolver::device);
      const std::string how = split == LineSplit::whole ? ", whole" : "";
      expect_eigenpairs(line, modes, how);
      expect_equal_values(line, modes.values, line_modes(line.a, line.weights, split).values, how);
    }
}

TEST_F(DeviceLineModes, AreEvenAndOddWhereTheEndsAreAlike) {
  for (Index n : {2, 3, 300, 301}) {
    const Line line = random_line(n, true);
    expect_parity(line, cuda::line_modes(context_, line.a, line.weights, LineSplit::automatic, EigenSolver::device));
  }
}

// LAPACK's vectors only travel.
TEST_F(DeviceLineModes, FoundByTheHostAreThoseOfTheCpu) {
  for (int conditions : {0, 1, 2}) {
    const Line line = sbp_line(6, 65, conditions);
    const LineModes expected = line_modes(line.a, line.weights);
    const LineModes found = cuda::line_modes(context_, line.a, line.weights, LineSplit::automatic, EigenSolver::host);
    EXPECT_EQ(found.vectors, expected.vectors);
    EXPECT_EQ(found.values, expected.values);
  }
}

TEST_F(DeviceLineModes, AreTheSameInEveryRun) {
  const Line line = sbp_line(4, 700, 1);
  const auto modes = [&] {
    return cuda::line_modes(context_, line.a, line.weights, LineSplit::whole, EigenSolver::device);
  };
  const LineModes first = modes(), second = modes();
  EXPECT_EQ(first.vectors, second.vectors);
  EXPECT_EQ(first.values, second.values);
}

TEST_F(DeviceLineModes, RefuseWhatHasNone) {
  for (LineSplit split : {LineSplit::automatic, LineSplit::whole})
    expect_refusals([&](const StencilRows& a, const std::vector<double>& weights) {
      cuda::line_modes(context_, a, weights, split, EigenSolver::device);
    });
}

// 720 GB.
TEST_F(DeviceLineModes, ThatDoNotFitAreAMemoryError) {
  const Line line = sbp_line(2, 300000, 1);
  const auto modes = [&] {
    cuda::line_modes(context_, line.a, line.weights, LineSplit::automatic, EigenSolver::device);
  };
  EXPECT_THROW(modes(), MemoryError);
  const Line small = sbp_line(2, 30, 1);  // and nothing is left broken
  expect_eigenpairs(small,
                    cuda::line_modes(context_, small.a, small.weights, LineSplit::automatic, EigenSolver::device), "");
}

// Dimensions whose modes cuSOLVER finds: equal, split, whole.
TEST_F(DeviceLineModes, Solve) {
  const Index n = 2 * kDeviceEigenproblem + 3;
  for (int order : {2, 4, 6}) {
    const Line line = sbp_line(order, n, 1);
    for (const SeparableOperator& a : {separable(line, line), separable(sbp_line(order, 600, 2), line)}) {
      Random random(6);
      const std::vector<double> b = random.array({a.size()}).data;
      std::vector<double> x(b.size());
      const DeviceCgResult result = cuda::solve_by_fast_diagonalisation(context_, a, b, x, 2);
      EXPECT_EQ(result.status, DeviceCgStatus::converged);
      EXPECT_LT(relative_residual(a, b, x), 1e-12) << order;
    }
  }
}

#endif

}  // namespace
}  // namespace gwrm
