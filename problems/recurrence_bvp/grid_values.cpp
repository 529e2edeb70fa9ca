#include "problems/recurrence_bvp/grid_values.hpp"

#include <algorithm>
#include <cmath>

#include "expression/lowering.hpp"
#include "expression/printer.hpp"

namespace gwrm {
namespace {

constexpr Index kFinestSlope = Index{1} << 14;  // intervals of the differences at most

// Weights of the values at 0, 1, 2, 3, 4 for the slope at j (in steps): the derivative of the polynomial through them.
constexpr double kSlopeWeights[5][5] = {{-25.0 / 12, 4.0, -3.0, 4.0 / 3, -1.0 / 4},
                                        {-1.0 / 4, -5.0 / 6, 3.0 / 2, -1.0 / 2, 1.0 / 12},
                                        {1.0 / 12, -2.0 / 3, 0.0, 2.0 / 3, -1.0 / 12},
                                        {-1.0 / 12, 1.0 / 2, -3.0 / 2, 5.0 / 6, 1.0 / 4},
                                        {1.0 / 4, -4.0 / 3, 3.0, -4.0, 25.0 / 12}};

}  // namespace

GridValues::GridValues(const BvpModel& model, const GridSolution& solution, SourceAt source)
    : model_(model), solution_(solution), source_(std::move(source)) {}

Index GridValues::nearest(double x) const {
  const double i = std::round((x - model_.grid.lower) / model_.grid.step());
  return std::clamp<Index>(static_cast<Index>(i), 0, model_.grid.intervals);
}

std::vector<double> GridValues::solution(const std::vector<Index>& points) const {
  std::vector<double> u(points.size());
  solution_.gather(points, u.data());
  return u;
}

std::vector<double> GridValues::slope(const std::vector<Index>& points) const {
  const Index n = model_.grid.intervals, stride = std::max<Index>(1, n / kFinestSlope);
  std::vector<Index> stencil;
  std::vector<std::size_t> places;  // of the point within its stencil
  for (Index i : points) {
    const Index place = std::clamp<Index>(i / stride, 0, 2);
    const Index behind = (n - i) / stride;
    const Index j = behind >= 2 ? place : std::max<Index>(place, 4 - behind);
    places.push_back(static_cast<std::size_t>(j));
    for (Index k = 0; k < 5; ++k) stencil.push_back(i + (k - j) * stride);
  }
  const std::vector<double> u = solution(stencil);
  std::vector<double> slopes(points.size(), 0.0);
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (std::size_t k = 0; k < 5; ++k) slopes[p] += kSlopeWeights[places[p]][k] * u[5 * p + k];
    slopes[p] /= static_cast<double>(stride) * model_.grid.step();
  }
  return slopes;
}

std::vector<double> GridValues::atom(const expression::Atom& atom, const SourceText& text,
                                     const std::vector<Index>& points) const {
  const std::vector<Index> where = atom.restricted.at(0) ? std::vector<Index>{nearest(atom.points.at(0))} : points;
  switch (atom.orders.at(0)) {
    case 0:
      return solution(where);
    case 1:
      return slope(where);
    case 2: {  // from the equation
      std::vector<double> values = solution(where), f = source(where);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = model_.reaction * values[i] - f[i];
      return values;
    }
    default:
      throw_case_error(text, 0, "problem: recurrence_bvp knows the solution and its first two derivatives, no higher");
  }
}

std::vector<double> GridValues::evaluate(const expression::Expr e, const SourceText& text,
                                         const std::vector<Index>& points) const {
  const expression::Tape tape(*model_.pool, std::span<const expression::Expr>(&e, 1));
  std::vector<Array> leaves;
  for (const expression::Expr leaf : tape.leaves()) {
    std::vector<double> values;
    if (leaf->op == expression::Op::coordinate)
      for (Index i : points) values.push_back(model_.grid.point(i));
    else
      values = atom(expression::atom_of(*model_.pool, leaf), text, points);
    Array array;
    array.shape = {static_cast<Index>(values.size())};
    array.data = std::move(values);
    leaves.push_back(std::move(array));
  }
  Array result = tape.evaluate(leaves, {}).front();
  if (result.size() == 1) result.data.resize(points.size(), result.data.front());
  return std::move(result.data);
}

}  // namespace gwrm
