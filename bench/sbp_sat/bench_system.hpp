// The system of the paper's table 1, for the programs that time its solvers and their parts.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "problems/sbp_sat/grid_operator.hpp"

namespace gwrm::sbp {

inline double norm(const std::vector<double>& v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return std::sqrt(sum);
}

struct PaperSystem {
  Grid grid;
  std::vector<double> b;

  static Grid grid_of(Index n, int order) {
    Grid grid;
    grid.order = order;
    grid.tau = 13.0;
    const double h = 1.0 / static_cast<double>(n);
    grid.blocks = {{n + 1, n + 1, h, h, 0, {{1.0}, {1.0}, {}}}};
    grid.sides = {{0, {false, End::lower}, ConditionKind::dirichlet, {}},
                  {0, {false, End::upper}, ConditionKind::dirichlet, {}},
                  {0, {true, End::lower}, ConditionKind::flux, {}},
                  {0, {true, End::upper}, ConditionKind::flux, {}}};
    return grid;
  }
  PaperSystem(Index n, int order) : grid(grid_of(n, order)) {
    constexpr double pi = std::numbers::pi;
    const double h = 1.0 / static_cast<double>(n);
    std::vector<double> source;
    std::vector<std::vector<double>> data(4);
    for (Index j = 0; j <= n; ++j) {
      for (Index i = 0; i <= n; ++i) source.push_back(2 * pi * pi * std::sin(pi * h * static_cast<double>(i + j)));
      const double s = h * static_cast<double>(j);
      data[0].push_back(std::sin(pi * s));
      data[1].push_back(-std::sin(pi * s));
      data[2].push_back(-pi * std::cos(pi * s));
      data[3].push_back(-pi * std::cos(pi * s));
    }
    b = GridOperator(grid).right_hand_side(source, data);
  }
  double residual(const std::vector<double>& u) const {
    std::vector<double> r(b.size());
    GridOperator(grid).apply(u.data(), r.data());
    for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
    return norm(r) / norm(b);
  }
  // Against sin(pi (x + y)), in the norm of H.
  double error(const std::vector<double>& u) const {
    const Index n = grid.blocks.front().n_fast;
    const double h = grid.blocks.front().h_fast;
    const std::vector<double> weights = norm_weights(grid);
    double sum = 0.0;
    for (std::size_t k = 0; k < u.size(); ++k) {
      const auto point = static_cast<Index>(k);
      const double e = u[k] - std::sin(std::numbers::pi * h * static_cast<double>(point / n + point % n));
      sum += weights[k] * e * e;
    }
    return std::sqrt(sum);
  }
};

}  // namespace gwrm::sbp
