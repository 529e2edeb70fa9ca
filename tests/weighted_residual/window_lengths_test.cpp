// Windows that are meant to be equally long have one length, to the bit, and the lengths add up to the whole time.
#include "weighted_residual/model/window_lengths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace gwrm::window_lengths_test {
namespace {

std::vector<double> equal_edges(double lower, double upper, int n) {
  std::vector<double> edges;
  for (int i = 0; i <= n; ++i) edges.push_back(lower + (upper - lower) * (static_cast<double>(i) / n));
  return edges;
}

std::set<double> lengths_of(const std::vector<double>& edges) {
  const WindowLengths lengths(edges);
  std::set<double> found;
  for (std::size_t i = 1; i < edges.size(); ++i) found.insert(lengths.of(edges[i - 1], edges[i]));
  return found;
}

TEST(WindowLengths, EqualPartsHaveOneLength) {
  EXPECT_NE(0.3 - 0.2, 0.2 - 0.1);  // what there is to mend
  for (int n : {1, 3, 10, 100, 977, 100000})
    for (const auto& [lower, upper] :
         {std::pair(0.0, 1.0), std::pair(0.0, 0.3), std::pair(-7.1, 11.3), std::pair(1000.0, 1001.0)}) {
      const std::vector<double> edges = equal_edges(lower, upper, n);
      const std::set<double> found = lengths_of(edges);
      ASSERT_EQ(found.size(), 1u) << n << " parts of " << lower << " .. " << upper;
      // The mean: a phase does not drift by the rounding of one edge times the number of windows.
      EXPECT_NEAR(*found.begin() * n, edges.back() - edges.front(), 4e-16 * (upper - lower)) << n;
    }
}

TEST(WindowLengths, OfOneWindowIsTheDifference) {
  EXPECT_EQ(WindowLengths({0.1, 0.4}).of(0.1, 0.4), 0.4 - 0.1);
  EXPECT_EQ(WindowLengths().of(0.1, 0.4), 0.4 - 0.1);
}

TEST(WindowLengths, WindowsOfOtherLengthsStayApart) {
  EXPECT_EQ(lengths_of({0, 0.1, 0.2, 0.5, 0.6, 1}).size(), 3u);
  EXPECT_EQ(lengths_of({0, 0.1, 0.2 + 1e-14, 0.3}).size(), 3u);
  std::vector<double> growing{1.0};
  for (int i = 0; i < 1000; ++i) growing.push_back(growing.back() * 1.01);
  EXPECT_EQ(lengths_of(growing).size(), 1000u);
}

// A window in which Newton fails is halved, and its halves.
TEST(WindowLengths, HalvesAreHalvesOfThem) {
  const std::vector<double> edges = equal_edges(0.0, 1.0, 10);
  const WindowLengths lengths(edges);
  const double whole = lengths.of(0.0, edges[1]);
  for (std::size_t i = 1; i < edges.size(); ++i) {
    double start = edges[i - 1];
    for (double part = 2.0; part <= 1024.0; part *= 2.0) {
      const double middle = 0.5 * (start + edges[i]);
      EXPECT_EQ(lengths.of(start, middle), whole / part) << i << " " << part;
      EXPECT_EQ(lengths.of(middle, edges[i]), whole / part) << i << " " << part;
      start = middle;
    }
  }
}

}  // namespace
}  // namespace gwrm::window_lengths_test
