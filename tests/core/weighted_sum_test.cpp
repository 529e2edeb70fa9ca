// Sums side by side: with whole numbers they are exact in every order.
#include "core/weighted_sum.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gwrm::weighted_sum_test {
namespace {

std::vector<double> whole_numbers(Index n, Index seed) {
  std::vector<double> v;
  for (Index i = 0; i < n; ++i) v.push_back(static_cast<double>((i * 37 + seed * 11) % 101 - 50));
  return v;
}

TEST(WeightedSum, OfProductsOfAnyLength) {
  for (Index n = 0; n <= 40; ++n) {
    const std::vector<double> a = whole_numbers(n, 1), b = whole_numbers(n, 2);
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    EXPECT_EQ(sum_of_products(a.data(), b.data(), n), sum) << n;
  }
}

TEST(WeightedSum, AlongAnyDimension) {
  for (Index outer : {1, 3})
    for (Index n : {1, 7, 8, 21})
      for (Index inner : {1, 2, 9}) {
        const std::vector<double> a = whole_numbers(outer * n * inner, 3), weights = whole_numbers(n, 4);
        std::vector<double> sums(static_cast<std::size_t>(outer * inner), 1e300), expected(sums.size(), 0.0);
        for (Index o = 0; o < outer; ++o)
          for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < inner; ++i)
              expected[static_cast<std::size_t>(o * inner + i)] +=
                  weights[static_cast<std::size_t>(j)] * a[static_cast<std::size_t>((o * n + j) * inner + i)];
        weighted_sum(a.data(), weights.data(), outer, n, inner, sums.data());
        EXPECT_EQ(sums, expected) << outer << " " << n << " " << inner;
      }
}

}  // namespace
}  // namespace gwrm::weighted_sum_test
