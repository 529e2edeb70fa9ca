#include "core/zeros.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gwrm::zeros_test {
namespace {

// Where the memory has been used before, too.
TEST(Zeros, AreThatManyOnAnyNumberOfThreads) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, (std::size_t{1} << 21) + 5})
    for (const int n_threads : {1, 2, 3}) {
      { const std::vector<double> used(n, 7.0); }
      const std::vector<double> numbers = zeros(n, n_threads);
      ASSERT_EQ(numbers.size(), n);
      EXPECT_TRUE(std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0.0; }));
    }
}

}  // namespace
}  // namespace gwrm::zeros_test
