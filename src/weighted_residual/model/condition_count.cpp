#include "weighted_residual/model/condition_count.hpp"

#include <algorithm>
#include <limits>

namespace gwrm {
namespace {

// Assignment of least total cost (square matrix), by successive shortest augmenting paths with row and column
// potentials (Kuhn 1955, Munkres 1957; O(n^3)). Returns the column of each row.
std::vector<std::size_t> cheapest_assignment(const std::vector<std::vector<double>>& cost) {
  const std::size_t n = cost.size(), none = n;
  std::vector<double> row_potential(n, 0.0), column_potential(n + 1, 0.0);
  std::vector<std::size_t> row_of(n + 1, none);  // column n is the virtual start of each path
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<double> distance(n, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> previous(n, n);
    std::vector<bool> visited(n + 1, false);
    std::size_t column = n;
    row_of[n] = row;
    while (row_of[column] != none) {
      visited[column] = true;
      const std::size_t current = row_of[column];
      std::size_t nearest = n;
      for (std::size_t j = 0; j < n; ++j) {
        if (visited[j]) continue;
        const double reduced = cost[current][j] - row_potential[current] - column_potential[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          previous[j] = column;
        }
        if (nearest == n || distance[j] < distance[nearest]) nearest = j;
      }
      const double step = distance[nearest];
      for (std::size_t j = 0; j <= n; ++j) {
        if (visited[j]) {
          row_potential[row_of[j]] += step;
          column_potential[j] -= step;
        } else if (j < n) {
          distance[j] -= step;
        }
      }
      column = nearest;
    }
    while (column != n) {  // shift the rows along the path
      row_of[column] = row_of[previous[column]];
      column = previous[column];
    }
  }
  std::vector<std::size_t> column_of(n);
  for (std::size_t j = 0; j < n; ++j) column_of[row_of[j]] = j;
  return column_of;
}

}  // namespace

std::vector<AssignedOrder> assigned_orders(const std::vector<std::vector<int>>& orders,
                                           const std::vector<int>& preferred) {
  const std::size_t n = orders.size();
  // Presence outweighs any order, an order outweighs all preferences.
  const double scale = static_cast<double>(n) + 1.0, absent = 1e6 * scale;
  std::vector<std::vector<double>> cost(n, std::vector<double>(n));
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t f = 0; f < n; ++f)
      cost[e][f] = (orders[e][f] == kAbsent ? absent : -scale * orders[e][f]) -
                   (preferred[e] == static_cast<int>(f) ? 1.0 : 0.0);
  const std::vector<std::size_t> field_of = cheapest_assignment(cost);
  std::vector<AssignedOrder> result(n);
  for (std::size_t e = 0; e < n; ++e) result[e] = {std::max(0, orders[e][field_of[e]]), static_cast<int>(field_of[e])};
  return result;
}

}  // namespace gwrm
