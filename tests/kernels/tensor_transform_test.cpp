#include "kernels/transform/tensor_transform.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"
#include "random_array.hpp"

namespace gwrm::tensor_transform_test {
namespace {

using test::Random;

// The definition: one sum over all indices for every output entry, in long double.
Array full_sum(const Array& x, const std::vector<const Matrix*>& matrices) {
  Shape shape = x.shape;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (matrices[d]) shape[d] = matrices[d]->rows();
  Array y(shape);
  for (Index out = 0; out < y.size(); ++out) {
    long double sum = 0.0L;
    for (Index in = 0; in < x.size(); ++in) {
      long double term = x.data[static_cast<std::size_t>(in)];
      Index rest_out = out, rest_in = in;
      for (std::size_t d = shape.size(); d-- > 0;) {
        const Index j = rest_out % shape[d], k = rest_in % x.shape[d];
        rest_out /= shape[d];
        rest_in /= x.shape[d];
        term *= matrices[d] ? static_cast<long double>((*matrices[d])(j, k)) : (j == k ? 1.0L : 0.0L);
      }
      sum += term;
    }
    y.data[static_cast<std::size_t>(out)] = static_cast<double>(sum);
  }
  return y;
}

double largest_difference(const Array& a, const Array& b) {
  double difference = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) difference = std::max(difference, std::abs(a.data[i] - b.data[i]));
  return difference;
}

class TensorTransform : public ::testing::Test {
 protected:
  Context context_ = Context::create(BackendChoice::cpu, 1);
  Random random_{11};
};

TEST_F(TensorTransform, IsTheFullSumInAnyNumberOfDimensions) {
  const std::vector<std::pair<Shape, Shape>> cases = {{{1}, {1}},
                                                      {{5}, {8}},
                                                      {{7}, {3}},
                                                      {{4, 6}, {9, 2}},
                                                      {{1, 7}, {3, 7}},
                                                      {{3, 4, 5}, {5, 1, 4}},
                                                      {{2, 3, 2, 4}, {3, 2, 5, 4}}};
  for (const auto& [from, to] : cases) {
    std::vector<Matrix> matrices;
    for (std::size_t d = 0; d < from.size(); ++d) matrices.push_back(random_.matrix(to[d], from[d]));
    std::vector<const Matrix*> pointers;
    for (const Matrix& matrix : matrices) pointers.push_back(&matrix);
    const Array x = random_.array(from);
    const Array y = tensor_transform(context_, x, pointers);
    EXPECT_EQ(y.shape, to);
    EXPECT_LE(largest_difference(y, full_sum(x, pointers)), 2e-15 * static_cast<double>(x.size()));
  }
}

TEST_F(TensorTransform, LeavesADimensionWithoutMatrixAlone) {
  const Array x = random_.array({3, 4, 5});
  const Matrix middle = random_.matrix(6, 4);
  EXPECT_LE(largest_difference(tensor_transform(context_, x, std::vector<const Matrix*>{nullptr, &middle, nullptr}),
                               full_sum(x, {nullptr, &middle, nullptr})),
            1e-15 * 4);
  EXPECT_EQ(tensor_transform(context_, x, std::vector<const Matrix*>(3, nullptr)).data, x.data);
}

TEST_F(TensorTransform, TakesTheMostShrinkingDimensionFirst) {
  const Matrix grow(9, 3), shrink(2, 8), keep(5, 5);
  const std::vector<const Matrix*> matrices = {&grow, &keep, nullptr, &shrink};
  EXPECT_EQ(tensor_transform_order({3, 5, 7, 8}, matrices), (std::vector<std::size_t>{3, 1, 0}));
}

TEST_F(TensorTransform, ReturnsFromThePointsToTheSameCoefficients) {
  const Shape shape = {33, 17};
  std::vector<Matrix> matrices;
  for (Index n : shape) {
    matrices.push_back(values_from_coefficients(n + 5, n - 1));
    matrices.push_back(coefficients_from_values(n - 1, n + 5));
  }
  const Array x = random_.array(shape);
  const Array values = tensor_transform(context_, x, std::vector<const Matrix*>{&matrices[0], &matrices[2]});
  const Array back = tensor_transform(context_, values, std::vector<const Matrix*>{&matrices[1], &matrices[3]});
  EXPECT_LE(largest_difference(back, x), 1e-14);
}

TEST_F(TensorTransform, IsAccurateToRoundOffAtDegree255) {
  const Index n = 256;
  const Matrix to_points = values_from_coefficients(n, n - 1), to_coefficients = coefficients_from_values(n - 1, n);
  const Array x = random_.array({n});
  const Array values = tensor_transform(context_, x, std::vector<const Matrix*>{&to_points});
  const Array back = tensor_transform(context_, values, std::vector<const Matrix*>{&to_coefficients});
  // 256 values of size sqrt(256 / 6), each off by a few eps, averaged.
  EXPECT_LE(largest_difference(back, x), 5e-15);
}

TEST_F(TensorTransform, RejectsWhatDoesNotFit) {
  const Matrix matrix(3, 4), empty(0, 4);
  const Array x({4, 2}), hollow({4, 0});
  EXPECT_THROW(tensor_transform(context_, x, std::vector<const Matrix*>{&matrix}), ShapeError);
  EXPECT_THROW(tensor_transform(context_, x, std::vector<const Matrix*>{nullptr, &matrix}), ShapeError);
  EXPECT_THROW(tensor_transform(context_, x, std::vector<const Matrix*>{&empty, nullptr}), ShapeError);
  EXPECT_THROW(tensor_transform(context_, hollow, std::vector<const Matrix*>{&matrix, nullptr}), ShapeError);
}

}  // namespace
}  // namespace gwrm::tensor_transform_test
