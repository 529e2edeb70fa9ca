// Grids and data for the tests of the SBP-SAT operators: the problem of the paper, and grids with everything variable.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/matrix.hpp"
#include "problems/sbp_sat/grid_operator.hpp"

namespace gwrm::test {

using PointFunction = std::function<double(double slow, double fast)>;

inline std::vector<double> sampled(const sbp::Block& block, double slow0, double fast0, const PointFunction& f) {
  std::vector<double> values;
  for (Index j = 0; j < block.n_slow; ++j)
    for (Index i = 0; i < block.n_fast; ++i)
      values.push_back(f(slow0 + static_cast<double>(j) * block.h_slow, fast0 + static_cast<double>(i) * block.h_fast));
  return values;
}

inline sbp::Block unit_block(int n_slow, int n_fast, Index offset = 0) {
  sbp::Block block;
  block.n_slow = n_slow + 1;
  block.n_fast = n_fast + 1;
  block.h_slow = 1.0 / n_slow;
  block.h_fast = 1.0 / n_fast;
  block.offset = offset;
  block.c = {{1.0}, {1.0}, {}};
  return block;
}

// -Lap u = 2 pi^2 sin(pi (x + y)) on the unit square, Dirichlet data at the sides of x, fluxes at those of y; slow: y.
struct PaperProblem {
  sbp::Grid grid;
  std::vector<double> source;
  std::vector<std::vector<double>> data;
  std::vector<double> exact;
};

inline PaperProblem paper_problem(int n, int order = 2, double tau = 13.0) {
  constexpr double pi = std::numbers::pi;
  PaperProblem problem;
  problem.grid.order = order;
  problem.grid.tau = tau;
  problem.grid.blocks = {unit_block(n, n)};
  using sbp::ConditionKind;
  problem.grid.sides = {{0, {false, End::lower}, ConditionKind::dirichlet, {}},
                        {0, {false, End::upper}, ConditionKind::dirichlet, {}},
                        {0, {true, End::lower}, ConditionKind::flux, {}},
                        {0, {true, End::upper}, ConditionKind::flux, {}}};
  const auto exact = [](double y, double x) { return std::sin(pi * (x + y)); };
  problem.exact = sampled(problem.grid.blocks[0], 0, 0, exact);
  for (double u : problem.exact) problem.source.push_back(2 * pi * pi * u);
  problem.data.resize(4);
  for (int i = 0; i <= n; ++i) {
    const double s = i / static_cast<double>(n);
    problem.data[0].push_back(std::sin(pi * s));
    problem.data[1].push_back(-std::sin(pi * s));
    problem.data[2].push_back(-pi * std::cos(pi * s));
    problem.data[3].push_back(-pi * std::cos(pi * s));
  }
  return problem;
}

inline double error_in_h(const sbp::Grid& grid, const std::vector<double>& u, const std::vector<double>& exact) {
  const std::vector<double> weights = sbp::norm_weights(grid);
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += weights[i] * (u[i] - exact[i]) * (u[i] - exact[i]);
  return std::sqrt(sum);
}

inline Matrix dense(const CsrMatrix& a) {
  Matrix result = Matrix::Zero(a.n, a.n);
  for (Index i = 0; i < a.n; ++i)
    for (auto k = a.row_start[static_cast<std::size_t>(i)]; k < a.row_start[static_cast<std::size_t>(i) + 1]; ++k)
      result(i, a.columns[static_cast<std::size_t>(k)]) = a.values[static_cast<std::size_t>(k)];
  return result;
}

inline Matrix dense(const SymmetricOperator& a) {
  const Index n = a.size();
  Matrix columns(n, n);
  std::vector<double> unit(static_cast<std::size_t>(n), 0.0);
  for (Index i = 0; i < n; ++i) {
    unit[static_cast<std::size_t>(i)] = 1.0;
    a.apply(unit.data(), columns.data() + i * n);
    unit[static_cast<std::size_t>(i)] = 0.0;
  }
  return columns.transpose();
}

// 2 x 2 blocks of different spacing, a full and variable C that jumps between them, and every kind of condition.
// Numbers of intervals: n, n + more, n + 2 more.
inline sbp::Grid general_grid(int order, int n, double tau = 0.0, bool cross = true, int more = 1) {
  sbp::Grid grid;
  grid.order = order;
  grid.tau = tau;
  Index offset = 0;
  for (int b = 0; b < 4; ++b) {
    const bool upper_slow = b / 2 == 1, upper_fast = b % 2 == 1;
    sbp::Block block = unit_block(upper_slow ? n + more : n, upper_fast ? n + 2 * more : n, offset);
    const double jump = std::pow(10.0, b % 3);
    block.c.slow = sampled(block, 0, 0, [&](double s, double f) { return jump * (1.5 + 0.3 * s + 0.2 * f); });
    block.c.fast = sampled(block, 0, 0, [&](double s, double f) { return jump * (1.2 + 0.5 * s * f); });
    if (cross)
      block.c.cross = sampled(block, 0, 0, [&](double s, double f) { return jump * (0.3 - 0.4 * s + 0.2 * f); });
    offset += block.size();
    grid.blocks.push_back(block);
  }
  grid.interfaces = {{0, 1, false}, {2, 3, false}, {0, 2, true}, {1, 3, true}};
  using sbp::ConditionKind;
  const auto robin = [&](int block, sbp::Side side) {
    sbp::BoundarySide result{block, side, ConditionKind::flux, {}};
    const auto n_points = sbp::SideLayout(grid.blocks[block], side).n;
    for (Index m = 0; m < n_points; ++m) result.kappa.push_back(0.5 + 0.01 * static_cast<double>(m));
    return result;
  };
  grid.sides = {{0, {true, End::lower}, ConditionKind::dirichlet, {}},
                {1, {true, End::lower}, ConditionKind::flux, {}},
                {0, {false, End::lower}, ConditionKind::dirichlet, {}},
                robin(2, {false, End::lower}),
                {1, {false, End::upper}, ConditionKind::dirichlet, {}},
                {3, {false, End::upper}, ConditionKind::flux, {}},
                robin(2, {true, End::upper}),
                {3, {true, End::upper}, ConditionKind::dirichlet, {}}};
  return grid;
}

}  // namespace gwrm::test
