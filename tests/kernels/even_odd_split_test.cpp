// Folded values against matrices of the definition.
#include "kernels/sbp_sat/even_odd_split.hpp"
#include "core/have_cuda.hpp"
#include "core/matrix.hpp"

#include <gtest/gtest.h>

#include "random_array.hpp"

namespace gwrm::even_odd_split_test {
namespace {

using test::Random;

// extent x n: the part of x that every place gets.
Matrix fold_matrix(const EvenOddSplit& fold) {
  Matrix matrix = Matrix::Zero(fold.extent(), fold.n);
  for (int i = 0; i < fold.n; ++i) {
    const int mirror = fold.n - 1 - i;
    if (fold.n_parts == 1) matrix(i, i) = 1.0;
    if (fold.n_parts == 2) matrix(std::min(i, mirror), i) = 1.0;
    if (fold.n_parts == 2 && i != mirror) matrix(fold.pitch + std::min(i, mirror), i) = i < mirror ? 1.0 : -1.0;
  }
  return matrix;
}

std::vector<std::pair<EvenOddSplit, EvenOddSplit>> samples() {
  std::vector<std::pair<EvenOddSplit, EvenOddSplit>> all;
  for (const auto& [slow, fast] : {std::pair(1, 1),
                                   {2, 1},
                                   {1, 2},
                                   {3, 2},
                                   {2, 3},
                                   {8, 16},
                                   {17, 15},
                                   {31, 33},
                                   {32, 257},
                                   {255, 64},
                                   {150, 151},
                                   {301, 256}})
    for (bool halves_of_slow : {false, true})
      for (bool halves_of_fast : {false, true})
        all.push_back({EvenOddSplit(slow, halves_of_slow && slow > 1), EvenOddSplit(fast, halves_of_fast && fast > 1)});
  return all;
}

template <class Fold, class Unfold>
void expect_definition(Fold fold, Unfold unfold) {
  Random random(7);
  for (const auto& [slow, fast] : samples()) {
    const std::string name = std::to_string(slow.n) + " in " + std::to_string(slow.n_parts) + ", " +
                             std::to_string(fast.n) + " in " + std::to_string(fast.n_parts);
    const Matrix x = random.matrix(slow.n, fast.n), parts = random.matrix(slow.extent(), fast.extent());
    const Matrix from_slow = fold_matrix(slow), from_fast = fold_matrix(fast);
    Matrix folded = Matrix::Constant(slow.extent(), fast.extent(), 7.0);
    fold(slow, fast, x, folded);
    const Matrix expected = from_slow * x * from_fast.transpose();
    EXPECT_LT((folded - expected).cwiseAbs().maxCoeff(), 1e-15 * 8.0) << name;
    EXPECT_EQ((expected.array() == 0.0).select(folded, 0.0).cwiseAbs().maxCoeff(), 0.0) << name;
    Matrix unfolded = Matrix::Constant(slow.n, fast.n, 7.0);
    unfold(slow, fast, parts, unfolded);
    EXPECT_LT((unfolded - from_slow.transpose() * parts * from_fast).cwiseAbs().maxCoeff(), 1e-15 * 8.0) << name;
  }
}

TEST(EvenOddSplit, SizesAddUp) {
  for (int n = 1; n < 70; ++n)
    for (bool halves : {false, true}) {
      const EvenOddSplit fold(n, halves);
      EXPECT_EQ(fold.size(0) + (halves ? fold.size(1) : 0), n);
      EXPECT_GE(fold.pitch, fold.size(0));
      EXPECT_LT(fold.pitch, fold.size(0) + EvenOddSplit::kAlignment);
      EXPECT_EQ(fold.pitch % EvenOddSplit::kAlignment, 0);
    }
}

TEST(EvenOddSplit, IsTheDefinition) {
  expect_definition([](const EvenOddSplit& slow, const EvenOddSplit& fast, const Matrix& x,
                       Matrix& folded) { cpu::fold(slow, fast, x.data(), folded.data()); },
                    [](const EvenOddSplit& slow, const EvenOddSplit& fast, const Matrix& folded, Matrix& x) {
                      cpu::unfold(slow, fast, folded.data(), x.data());
                    });
}

#if GWRM_HAVE_CUDA
TEST(DeviceEvenOddSplit, IsTheDefinition) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  const Context context = Context::create(BackendChoice::cuda);
  const auto values_of = [](const Matrix& m) { return std::vector<double>(m.data(), m.data() + m.size()); };
  expect_definition(
      [&](const EvenOddSplit& slow, const EvenOddSplit& fast, const Matrix& x, Matrix& folded) {
        std::vector<double> parts;
        cuda::fold(context, slow, fast, values_of(x), parts);
        ASSERT_EQ(static_cast<Index>(parts.size()), folded.size());
        std::copy(parts.begin(), parts.end(), folded.data());
      },
      [&](const EvenOddSplit& slow, const EvenOddSplit& fast, const Matrix& folded, Matrix& x) {
        const std::vector<double> before = values_of(x);  // to which it adds
        std::vector<double> values = before;
        cuda::unfold(context, slow, fast, values_of(folded), values);
        for (std::size_t k = 0; k < values.size(); ++k) x.data()[k] = values[k] - before[k];
      });
}
#endif

}  // namespace
}  // namespace gwrm::even_odd_split_test
