// Jacobi's count of conditions: known systems, and all permutations on random small ones.
#include "weighted_residual/model/condition_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace gwrm::condition_count_test {
namespace {

using Orders = std::vector<std::vector<int>>;

std::vector<int> orders_of(const std::vector<AssignedOrder>& assigned) {
  std::vector<int> orders;
  for (const AssignedOrder& one : assigned) orders.push_back(one.order);
  return orders;
}

int sum_of(const std::vector<AssignedOrder>& assigned) {
  const std::vector<int> orders = orders_of(assigned);
  return std::accumulate(orders.begin(), orders.end(), 0);
}

TEST(ConditionCount, KnownSystems) {
  const auto orders = [](const Orders& of, const std::vector<int>& preferred) {
    return orders_of(assigned_orders(of, preferred));
  };
  EXPECT_EQ(orders({{3}}, {0}), (std::vector<int>{3}));                   // KdV
  EXPECT_EQ(orders({{2, 0}, {0, 2}}, {0, 1}), (std::vector<int>{2, 2}));  // reaction and diffusion
  EXPECT_EQ(orders({{0, 1}, {1, 0}}, {0, 1}), (std::vector<int>{1, 1}));  // acoustics
  EXPECT_EQ(orders({{0, 1}, {0, 2}}, {0, 1}), (std::vector<int>{0, 2}));  // dt(u) = -dx(w), dx(w,2) = u
  // Incompressible flow along x, unknowns u v p: momentum x, momentum y, div.
  EXPECT_EQ(sum_of(assigned_orders({{2, kAbsent, 1}, {kAbsent, 2, 0}, {1, 0, kAbsent}}, {0, 1, 2})), 4);
}

// What is continuous across subdomains: the unknown whose derivative was counted, u in the equation of its own flux.
TEST(ConditionCount, TellsTheUnknownOfEachOrder) {
  const std::vector<AssignedOrder> acoustics = assigned_orders({{0, 1}, {1, 0}}, {0, 1});
  EXPECT_EQ(acoustics[0].field, 1);
  EXPECT_EQ(acoustics[1].field, 0);
  const std::vector<AssignedOrder> diffusion = assigned_orders({{2, 0}, {0, 2}}, {1, 0});
  EXPECT_EQ(diffusion[0].field, 0);
  EXPECT_EQ(diffusion[1].field, 1);
}

TEST(ConditionCount, IsTheLargestOverAllPermutations) {
  std::mt19937 generator(3);
  std::uniform_int_distribution<int> order(0, 4), size(1, 6), coin(0, 4);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const int n = size(generator);
    Orders orders(at(n), std::vector<int>(at(n)));
    std::vector<int> preferred(at(n)), permutation(at(n));
    std::iota(preferred.begin(), preferred.end(), 0);
    std::iota(permutation.begin(), permutation.end(), 0);
    for (int e = 0; e < n; ++e)
      for (int f = 0; f < n; ++f) orders[e][f] = e != f && coin(generator) == 0 ? kAbsent : order(generator);
    int best = 0;
    do {
      int sum = 0;
      bool possible = true;
      for (int e = 0; e < n; ++e) {
        const int o = orders[e][permutation[e]];
        possible = possible && o != kAbsent;
        sum += o;
      }
      if (possible) best = std::max(best, sum);
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    const std::vector<AssignedOrder> found = assigned_orders(orders, preferred);
    EXPECT_EQ(sum_of(found), best);
    std::vector<bool> taken(at(n), false);
    for (int e = 0; e < n; ++e) {
      ASSERT_GE(found[e].field, 0);
      EXPECT_FALSE(taken[found[e].field]) << "an unknown assigned twice";
      taken[found[e].field] = true;
      EXPECT_EQ(found[e].order, std::max(0, orders[e][found[e].field]));
    }
  }
}

}  // namespace
}  // namespace gwrm::condition_count_test
