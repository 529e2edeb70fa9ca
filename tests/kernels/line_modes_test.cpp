// Eigenpairs of a line against their definition, split by symmetry and not, by LAPACK and on the device.
#include "kernels/sbp_sat/line_modes.hpp"
#include "core/have_cuda.hpp"
#include "core/matrix.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <string>

#include "core/errors.hpp"
#include "device_test.hpp"
#include "sample_lines.hpp"

namespace gwrm::line_modes_test {
namespace {

using test::Line;
using test::random_line;
using test::sbp_line;

std::vector<Line> sample_lines() {
  std::vector<Line> lines;
  for (Index n : {1, 2, 3, 4, 17, 32, 33, 60})
    for (bool alike : {false, true}) lines.push_back(random_line(n, alike));
  for (int order : {2, 4, 6})
    for (Index n : {17, 18, 31, 64, 101})
      for (int conditions : {0, 1, 2}) lines.push_back(sbp_line(order, n, conditions));
  return lines;
}

// A vector per row and its value, of all parts one behind the other.
struct WholeModes {
  Matrix vectors;
  std::vector<double> values;
};

WholeModes whole(const LineModes& modes) {
  const EvenOddSplit& fold = modes.fold;
  WholeModes all{Matrix::Zero(fold.n, fold.n), {}};
  Index row = 0;
  for (int p = 0; p < fold.n_parts; ++p)
    for (int k = 0; k < fold.size(p); ++k, ++row) {
      const double* vector = modes.vectors.data() + at(p * fold.pitch + k) * at(fold.pitch);
      for (int i = 0; i < fold.size(p); ++i) {
        all.vectors(row, i) = vector[i];
        if (fold.n_parts == 2) all.vectors(row, fold.n - 1 - i) = p == 0 ? vector[i] : -vector[i];
      }
      all.values.push_back(modes.values[p * fold.pitch + k]);
    }
  return all;
}

// What parts do not fill.
void expect_empty_places(const LineModes& modes) {
  const EvenOddSplit& fold = modes.fold;
  ASSERT_EQ(modes.vectors.size(), at(fold.n_parts) * at(fold.pitch) * at(fold.pitch));
  ASSERT_EQ(modes.values.size(), at(fold.extent()));
  for (int p = 0; p < fold.n_parts; ++p)
    for (int k = 0; k < fold.pitch; ++k) {
      EXPECT_EQ(std::isinf(modes.values[p * fold.pitch + k]), k >= fold.size(p));
      for (int i = 0; i < fold.pitch; ++i) {
        if (k < fold.size(p) && i < fold.size(p)) continue;
        ASSERT_EQ(modes.vectors[at(p * fold.pitch + k) * at(fold.pitch) + at(i)], 0.0);
      }
    }
}

// The definition, in the norm in which the problem is symmetric. Backward errors of divide and conquer are a few units
// in the last place of |S|.
void expect_eigenpairs(const Line& line, const LineModes& modes, const std::string& how) {
  const Index n = line.n();
  expect_empty_places(modes);
  const auto [v, all_values] = whole(modes);
  ASSERT_EQ(v.rows(), n) << line.name;
  const Eigen::Map<const Vector> weights(line.weights.data(), n), values(all_values.data(), n);
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

// Two parts; that their vectors are eigenvectors says the rest.
void expect_halves(const Line& line, const LineModes& modes) {
  EXPECT_EQ(modes.fold, EvenOddSplit(static_cast<int>(line.n()), true)) << line.name;
  expect_eigenpairs(line, modes, ", halves");
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
    expect_equal_values(line, whole(line_modes(line.a, line.weights)).values, expected, "");
    expect_equal_values(line, whole(line_modes(line.a, line.weights, LineSplit::whole)).values, expected, ", whole");
  }
}

TEST(LineModes, AreEvenAndOddWhereTheEndsAreAlike) {
  for (Index n : {2, 3, 32, 33}) {
    const Line line = random_line(n, true);
    expect_halves(line, line_modes(line.a, line.weights));
  }
  for (int order : {2, 4, 6})
    for (Index n : {18, 101})
      for (int conditions : {0, 1}) {
        const Line line = sbp_line(order, n, conditions);
        expect_halves(line, line_modes(line.a, line.weights));
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
      const auto [vectors, values] = whole(line_modes(line.a, line.weights, split));
      EXPECT_EQ(std::count(values.begin(), values.end(), 0.0), 1) << order;
      EXPECT_EQ(values[0], 0.0);
      for (Index p = 0; p < 65; ++p) EXPECT_NEAR(std::abs(vectors(0, p)), std::sqrt(0.5), 1e-11) << order;
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

#if GWRM_HAVE_CUDA

class DeviceLineModes : public test::DeviceTest {};

TEST_F(DeviceLineModes, AreEigenpairs) {
  std::vector<Line> lines = sample_lines();
  for (Index n : {255, 256, 257}) lines.push_back(random_line(n, n == 256));
  for (int conditions : {1, 2}) lines.push_back(sbp_line(4, 515, conditions));
  for (const Line& line : lines)
    for (LineSplit split : {LineSplit::automatic, LineSplit::whole}) {
      const LineModes modes = cuda::line_modes(context_, line.a, line.weights, split, EigenSolver::device);
      const std::string how = split == LineSplit::whole ? ", whole" : "";
      expect_eigenpairs(line, modes, how);
      expect_equal_values(line, whole(modes).values, whole(line_modes(line.a, line.weights, split)).values, how);
    }
}

TEST_F(DeviceLineModes, AreEvenAndOddWhereTheEndsAreAlike) {
  for (Index n : {2, 3, 300, 301}) {
    const Line line = random_line(n, true);
    expect_halves(line, cuda::line_modes(context_, line.a, line.weights, LineSplit::automatic, EigenSolver::device));
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

// 360 GB.
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

#endif

}  // namespace
}  // namespace gwrm::line_modes_test
