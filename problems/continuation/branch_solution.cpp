#include "problems/continuation/branch_solution.hpp"

#include <algorithm>

#include "basis/hermite_cubic.hpp"
#include "problems/continuation/branch_case.hpp"
#include "problems/time_spectral/sampling.hpp"

namespace gwrm {
namespace {

constexpr int kCubic = 3;

Shape shape_of(const FieldModel& field, const std::vector<AxisDescription>& subdomains) {
  Shape shape;
  for (int axis : field.axes) shape.push_back(subdomains[axis].n_coefficients());
  return shape;
}

// The coefficients of one field over one step.
Array step_coefficients(const WindowSystem& system, int field, const BranchPoint& a, const BranchPoint& b) {
  const std::vector<AxisDescription> subdomains = system.discretisation().subdomains();
  Shape shape = shape_of(system.model().fields[field], subdomains);
  const Index count = element_count(shape);
  shape.insert(shape.begin(), kCubic + 1);
  Array coefficients(shape);
  const auto first = static_cast<std::size_t>(system.layouts()[field].offset);
  const double half = (b.s - a.s) / 2.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto cubic =
        hermite_cubic(a.x[first + i], b.x[first + i], half * a.tangent[first + i], half * b.tangent[first + i]);
    for (std::size_t k = 0; k <= kCubic; ++k) coefficients.data[k * static_cast<std::size_t>(count) + i] = cubic[k];
  }
  return coefficients;
}

// "sqrt(integral(integral(u^2, x), y))"; of a number its magnitude.
std::string norm_text(const UnknownCase& unknown) {
  if (unknown.dims.empty()) return "abs(" + unknown.name + ")";
  std::string text = unknown.name + "^2";
  for (const std::string& axis : unknown.dims) text = "integral(" + text + ", " + axis + ")";
  return "sqrt(" + text + ")";
}

}  // namespace

Solution steady_solution(const WindowSystem& system, std::span<const double> x) {
  const Model& model = system.model();
  Solution solution;
  solution.axes = model.axes;
  solution.subdomains = {system.discretisation().subdomains()};
  for (int f = 0; f + 1 < static_cast<int>(model.fields.size()); ++f) {
    const FieldModel& field = model.fields[f];
    Array coefficients = system.coefficients(x, f);
    coefficients.shape = shape_of(field, solution.subdomains.front());
    solution.fields.push_back({field.name, field.axes, {std::move(coefficients)}});
  }
  return solution;
}

Solution branch_solution(const WindowSystem& system, const std::vector<BranchPoint>& points) {
  const Model& model = system.model();
  Solution solution;
  solution.axes.push_back({kBranchAxis, AxisKind::arc_length, 0.0, points.back().s, MapKind::linear});
  solution.axes.insert(solution.axes.end(), model.axes.begin(), model.axes.end());
  for (const FieldModel& field : model.fields) {
    FieldSolution over_branch{field.name, {0}, {}};
    for (int axis : field.axes) over_branch.axes.push_back(axis + 1);
    solution.fields.push_back(std::move(over_branch));
  }
  for (const BranchPoint& point : points) solution.window_edges.push_back(point.s);
  for (std::size_t w = 0; w + 1 < points.size(); ++w) {
    solution.subdomains.push_back({{kCubic, {points[w].s, points[w + 1].s}}});
    for (const AxisDescription& subdomains : system.discretisation().subdomains())
      solution.subdomains.back().push_back(subdomains);
    for (int f = 0; f < static_cast<int>(model.fields.size()); ++f)
      solution.fields[f].windows.push_back(step_coefficients(system, f, points[w], points[w + 1]));
  }
  return solution;
}

void sample_branch(const Case& the_case, const std::vector<BranchPoint>& points, RunOutcome& outcome) {
  Case sampled = the_case;
  std::vector<NamedExpression>& fields = sampled.output.fields;
  const auto add = [&](const std::string& name, const std::string& text) {
    const bool taken =
        std::any_of(fields.begin(), fields.end(), [&](const NamedExpression& field) { return field.name == name; }) ||
        std::any_of(the_case.domain.begin(), the_case.domain.end(),
                    [&](const AxisCase& axis) { return axis.axis.name == name; });
    if (!taken) fields.push_back({name, SourceText::from_argument(text, "continue")});
  };
  add(the_case.continuation.parameter, the_case.continuation.parameter);
  for (const UnknownCase& unknown : the_case.unknowns) add("norm_" + unknown.name, norm_text(unknown));
  sampled.output.grid.push_back({kBranchAxis, 0, outcome.solution.window_edges});

  Model names;
  names.pool = std::make_shared<expression::Pool>(branch_symbols(the_case, outcome.solution.axes));
  names.axes = outcome.solution.axes;
  sample_fields(sampled, names, outcome);
  for (SampledField& field : outcome.fields)  // without the round-off of a polynomial: `to` is `to`
    if (field.name == the_case.continuation.parameter)
      for (std::size_t i = 0; i < points.size(); ++i) field.values.data[i] = points[i].x.back();
  const bool taken = std::any_of(outcome.fields.begin(), outcome.fields.end(),
                                 [](const SampledField& field) { return field.name == "fold"; });
  if (taken) return;
  SampledField folds{"fold", "1 where the branch turns back", {0}, Array(Shape{static_cast<Index>(points.size())})};
  for (std::size_t i = 0; i < points.size(); ++i) folds.values.data[i] = points[i].fold ? 1.0 : 0.0;
  outcome.fields.push_back(std::move(folds));
}

}  // namespace gwrm
