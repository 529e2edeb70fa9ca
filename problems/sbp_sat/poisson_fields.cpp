#include "problems/sbp_sat/poisson_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/sbp_sat/stencil_rows.hpp"
#include "problems/sbp_sat/multigrid.hpp"

namespace gwrm::sbp {
namespace {

// The first derivative along an axis on every block.
std::vector<double> slope(const Grid& grid, const std::vector<double>& u, int axis) {
  std::vector<double> result(u.size());
  for (const Block& block : grid.blocks) {
    const bool slow = axis == 0;
    const StencilRows d =
        sbp_derivative(grid.order, slow ? block.n_slow : block.n_fast, slow ? block.h_slow : block.h_fast);
    const Index n_lines = slow ? block.n_fast : block.n_slow, step = slow ? block.n_fast : 1;
    std::vector<double> line(static_cast<std::size_t>(d.n)), image(line.size());
    for (Index l = 0; l < n_lines; ++l) {
      const Index first = block.offset + (slow ? l : l * block.n_fast);
      for (Index k = 0; k < d.n; ++k) line[static_cast<std::size_t>(k)] = u[static_cast<std::size_t>(first + k * step)];
      stencil_rows_apply(d, line.data(), image.data());
      for (Index k = 0; k < d.n; ++k)
        result[static_cast<std::size_t>(first + k * step)] = image[static_cast<std::size_t>(k)];
    }
  }
  return result;
}

SampledField field_of(const std::string& name, const std::string& text, const PoissonModel& model,
                      std::vector<double> values) {
  SampledField field{name, text, {0, 1}, {}};
  field.values.shape = {static_cast<Index>(model.all_points.slow.size()),
                        static_cast<Index>(model.all_points.fast.size())};
  field.values.data = std::move(values);
  return field;
}

}  // namespace

CgFailure failure_of(const PoissonAnswer& answer, const Case& the_case, const SolverChoice& choice, const Grid& grid) {
  const std::string at_iteration =
      fmt::format("iteration {}, residual {:.2e} of {:.2e}", answer.iterations,
                  answer.residuals.empty() ? 0.0 : answer.residuals.back(), answer.right_hand_side);
  switch (answer.status) {
    case CgStatus::converged:
      return {};
    case CgStatus::stalled: {
      const bool other_helps = choice.solver != PoissonSolver::multigrid_cg && multigrid_applies(grid);
      return {ExitStatus::singular, "the linear system's iteration did not converge",
              fmt::format("conjugate gradients ended at {}: raise sbp_sat.max_iterations ({}){}", at_iteration,
                          section_of<SbpSatCase>(the_case).max_iterations,
                          other_helps ? ", or choose solver: multigrid_cg" : "")};
    }
    case CgStatus::not_definite:
      return {ExitStatus::singular, "the operator is not positive definite",
              fmt::format("found at {}: raise sbp_sat.tau, or check coefficient and conditions", at_iteration)};
    case CgStatus::not_finite:
      return {ExitStatus::not_finite, "NaN or Inf in the iteration",
              fmt::format("found at {}: check source, coefficient and boundary data", at_iteration)};
    case CgStatus::interrupted:
      break;
  }
  return {ExitStatus::interrupted, "interrupted", at_iteration};
}

FieldErrors errors_against_exact(const PoissonModel& model, const std::vector<double>& u,
                                 const std::vector<double>& weights) {
  double volume = 0.0, difference = 0.0, exact_sum = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    volume += weights[k];
    difference += weights[k] * (u[k] - model.exact[k]);
    exact_sum += weights[k] * model.exact[k];
  }
  // Determined but for a constant: neither error nor size has one.
  const double shift = model.pure_neumann ? difference / volume : 0.0;
  const double mean = model.pure_neumann ? exact_sum / volume : 0.0;
  double worst = 0.0, largest = 0.0, squares = 0.0, exact_squares = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double error = u[k] - model.exact[k] - shift;
    if (!(std::abs(error) <= worst)) worst = std::abs(error);
    const double exact = model.exact[k] - mean;
    largest = std::max(largest, std::abs(exact));
    squares += weights[k] * error * error;
    exact_squares += weights[k] * exact * exact;
  }
  const double size = exact_squares > 0.0 ? std::sqrt(exact_squares) : 1.0;
  return {worst / (largest > 0.0 ? largest : 1.0), std::sqrt(squares) / size, std::sqrt(squares)};
}

std::vector<SampledField> sampled_fields(const Case& the_case, const PoissonModel& model,
                                         const std::vector<double>& u) {
  const PointExpressions& expressions = *model.expressions;
  std::vector<SampledField> fields;
  const auto unknown = [&](const expression::Atom& atom) {
    for (const int axis : {0, 1})
      if (atom.orders[axis] == 1) return merge_blocks(model, slope(model.grid, u, axis));
    return merge_blocks(model, u);
  };
  for (const NamedExpression& named : the_case.output.fields)
    fields.push_back(field_of(named.name, named.text.text, model,
                              expressions.values(expressions.parse(named.text), model.all_points, unknown)));
  if (!expressions.is_mapped()) return fields;
  for (const int which : {0, 1}) {
    const std::string name = which == 0 ? "x" : "y";
    const bool taken = std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
    if (!taken)
      fields.push_back(field_of(name, expressions.mapping_text(which).text, model,
                                expressions.values(expressions.coordinate(which), model.all_points)));
  }
  return fields;
}

}  // namespace gwrm::sbp
