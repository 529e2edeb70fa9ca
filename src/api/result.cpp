#include <algorithm>
#include <utility>

#include "api/data.hpp"
#include "api/result_text.hpp"
#include "api/stored_range.hpp"
#include "expression/components.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/hdf5_file.hpp"
#include "output/judged_check.hpp"

namespace gwrm::api {
namespace {

std::string kind_of(const gwrm::Axis& axis) {
  if (axis.kind == AxisKind::space) return "space";
  if (axis.kind == AxisKind::parameter) return "parameter";
  return axis.kind == AxisKind::time ? "time" : axis.kind == AxisKind::mode ? "mode" : "branch";
}

std::vector<std::string> names_of(const Solution& solution, const std::vector<int>& axes) {
  std::vector<std::string> names;
  for (const int axis : axes) names.push_back(solution.axes[axis].name);
  return names;
}

std::vector<std::size_t> to_shape(const Shape& extents) {
  return {extents.begin(), extents.end()};
}

Field to_field(const SampledField& field, const Solution& solution) {
  return {field.name, field.expression, names_of(solution, field.axes), to_shape(field.values.shape),
          field.values.data};
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(static_cast<int>(ExitStatus::usage), message, "", 0, 0, message);
}

// Coordinates per axis of the answer: the points given, inside its range; the lower end where there are none.
GridPoints grid_of(const std::map<std::string, std::vector<double>>& points, const Solution& solution) {
  for (const auto& [name, list] : points) {
    const auto is_called_so = [&name = name](const gwrm::Axis& axis) { return axis.name == name; };
    if (std::none_of(solution.axes.begin(), solution.axes.end(), is_called_so))
      refuse("'" + name + "' is no dimension of this result");
    if (list.empty()) refuse("no points along " + name);
  }
  GridPoints grid;
  for (const gwrm::Axis& axis : solution.axes) {
    const auto given = points.find(axis.name);
    const StoredRange range = stored_range(axis, solution);
    grid.push_back(given == points.end() ? std::vector<double>{range.lower} : given->second);
    for (double& z : grid.back()) {
      if (!range.holds(z)) refuse(outside_text(axis, range, z));
      z = range.clamped(z);
    }
  }
  return grid;
}

}  // namespace

Result::Result(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

int Result::exit_status() const {
  return static_cast<int>(data_->outcome.status);
}

const std::string& Result::status() const {
  return data_->outcome.report.status;
}

const std::string& Result::reason() const {
  return data_->outcome.report.reason;
}

bool Result::complete() const {
  return data_->outcome.complete;
}

bool Result::verified() const {
  return verdict() == "PASS";
}

std::string Result::verdict() const {
  return data_->outcome.complete ? data_->outcome.report.verification.verdict() : "";
}

std::vector<Check> Result::checks() const {
  std::vector<Check> checks;
  for (const gwrm::Check& check : data_->outcome.report.verification.checks) {
    const JudgedTexts texts = judged_texts(check);
    checks.push_back({check.kind, check.subject, check.value, check.tolerance, check.judged, check.passed(),
                      judged_value(check), texts.value, texts.allowed});
  }
  return checks;
}

const std::vector<std::string>& Result::warnings() const {
  return data_->outcome.report.warnings;
}

std::string Result::report() const {
  return result_text(data_->outcome);
}

double Result::wall_seconds() const {
  return data_->outcome.report.wall_seconds;
}

std::vector<Axis> Result::axes() const {
  const Solution& solution = data_->outcome.solution;
  const GridPoints& grid = data_->outcome.grid;
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < solution.axes.size(); ++i) {
    const gwrm::Axis& axis = solution.axes[i];
    axes.push_back({axis.name, kind_of(axis), axis.lower, axis.upper, axis.map == MapKind::log, {}});
    if (i < grid.size()) axes.back().sampled = grid[i];
  }
  return axes;
}

std::vector<Field> Result::fields() const {
  std::vector<Field> fields;
  for (const SampledField& field : data_->outcome.fields) fields.push_back(to_field(field, data_->outcome.solution));
  return fields;
}

Field Result::field(const std::string& name) const {
  for (const SampledField& field : data_->outcome.fields)
    if (field.name == name) return to_field(field, data_->outcome.solution);
  refuse("this result has no sampled field '" + name + "': name it under output.fields of the case");
}

std::size_t Result::n_windows() const {
  return data_->outcome.solution.fields.empty() ? 0 : data_->outcome.solution.n_windows();
}

const std::vector<double>& Result::window_edges() const {
  return data_->outcome.solution.window_edges;
}

std::vector<AxisDescription> Result::subdomains(std::size_t window) const {
  if (window >= n_windows()) refuse("there is no window " + std::to_string(window) + " of coefficients");
  std::vector<AxisDescription> subdomains;
  for (const gwrm::AxisDescription& along : data_->outcome.solution.subdomains[window])
    subdomains.push_back({along.degree, along.edges});
  return subdomains;
}

std::vector<Coefficients> Result::coefficients(std::size_t window) const {
  if (window >= n_windows()) refuse("there is no window " + std::to_string(window) + " of coefficients");
  const Solution& solution = data_->outcome.solution;
  std::vector<Coefficients> coefficients;
  for (const FieldSolution& field : solution.fields) {
    const Array& array = field.windows[field.windows.size() == 1 ? 0 : window];
    coefficients.push_back({field.name, names_of(solution, field.axes), to_shape(array.shape), array.data});
  }
  return coefficients;
}

Values Result::evaluate(const std::string& expression, const std::map<std::string, std::vector<double>>& points) const {
  return with_public_errors([&] {
    const Turn turn;
    const Solution& solution = data_->outcome.solution;
    if (solution.fields.empty()) refuse("this result has sampled fields only, no coefficients to evaluate elsewhere");
    expression::Pool pool(symbols_of_answer(data_->the_case, solution));
    const GridPoints grid = grid_of(points, solution);
    const SourceText source = SourceText::from_argument(expression);
    const expression::Expr e = expression::lower(pool, expression::parse(pool, source));
    Values result;
    for (std::size_t i = 0; i < solution.axes.size(); ++i) {
      const std::string& name = solution.axes[i].name;
      if ((e->facts.axes >> i & 1u) != 0 && points.count(name) == 0)
        throw_case_error(source, 0, "this varies along " + name + ": give points along it");
      result.dims.push_back(name);
      result.shape.push_back(grid[i].size());
    }
    check_times(source, pool, e, solution);
    result.values = gwrm::evaluate(pool, solution, e, grid).data;
    return result;
  });
}

std::vector<Part> Result::parts(const std::string& expression) const {
  return with_public_errors([&] {
    const Turn turn;
    const Solution& solution = data_->outcome.solution;
    if (solution.fields.empty()) refuse("this result has sampled fields only, no coefficients to evaluate elsewhere");
    expression::Pool pool(symbols_of_answer(data_->the_case, solution));
    std::vector<Part> parts;
    for (expression::Component& part : expression::components(pool, SourceText::from_argument(expression)))
      parts.push_back({std::move(part.name), std::move(part.text)});
    return parts;
  });
}

void Result::write(const std::string& path, bool overwrite) const {
  with_public_errors([&] {
    const Turn turn;
    check_output_path(path, overwrite);
    write_hdf5(path, data_->outcome.output_data(), overwrite);
  });
}

}  // namespace gwrm::api
