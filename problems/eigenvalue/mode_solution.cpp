#include "problems/eigenvalue/mode_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/eigenvalue/complex_shift.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/eigenvalue/left_modes.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/sampling.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {
namespace {

const std::complex<double> kI(0.0, 1.0);

// Of two places where a mode is equally large but for rounding, the first.
constexpr double kEquallyLarge = 1e-6;

int n_unknowns(const Pencil& pencil) {
  return static_cast<int>(pencil.system().model().fields.size()) - 1;
}

// Of a real vector, with one extent per axis that the field has.
Array coefficients(const Pencil& pencil, const Eigen::VectorXd& vector, int field) {
  Array result = pencil.system().coefficients(pencil.unknowns(vector), field);
  const std::vector<AxisDescription> subdomains = pencil.system().discretisation().subdomains();
  result.shape.clear();
  for (int axis : pencil.system().model().fields[field].axes) result.shape.push_back(subdomains[axis].n_coefficients());
  return result;
}

std::vector<Eigen::VectorXd> real_parts(const Eigen::VectorXcd& vector, bool is_complex) {
  if (!is_complex) return {vector.real()};
  return {vector.real(), vector.imag()};
}

// "dx(u) + v" -> "dx(u_re) + v_re": what a linear expression is of the real parts.
SourceText with_parts(const Case& the_case, const SourceText& source, const std::string& part) {
  std::string result;
  const std::string& text = source.text;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const std::string word = text.substr(begin, std::max<std::size_t>(end - begin, 1));
    result += word;
    const bool is_unknown = word == eigenvalue_of(the_case)->name ||
                            std::any_of(the_case.unknowns.begin(), the_case.unknowns.end(),
                                        [&](const UnknownCase& unknown) { return unknown.name == word; });
    if (is_unknown) result += part;
    begin += word.size();
  }
  return SourceText::from_argument(result, "output.fields");
}

bool is_linear(const Case& the_case, const std::vector<Axis>& axes, const SourceText& text) {
  expression::Pool pool(mode_symbols(the_case, axes, {}));
  return expression::lower(pool, expression::parse(pool, text))->facts.degree <= 1;
}

}  // namespace

bool any_complex(const std::vector<Mode>& modes) {
  return std::any_of(modes.begin(), modes.end(), [](const Mode& mode) { return mode.value.imag() != 0.0; });
}

namespace {

// parameter: null where there is none; then each series has one mode.
Solution solution_of(const Case& the_case, const Pencil& pencil, const Axis* parameter, const AxisDescription& along_it,
                     const std::vector<ModeSeries>& modes) {
  const Model& model = pencil.system().model();
  const bool is_complex = std::any_of(modes.begin(), modes.end(), any_complex);
  const bool has_left = std::all_of(modes.begin(), modes.end(), have_left_functions);
  const int n_fields = n_unknowns(pencil);
  const double last = static_cast<double>(modes.size()) - 0.5;
  Solution solution;
  solution.axes.push_back({kModeAxis, AxisKind::mode, -0.5, last, MapKind::linear});
  if (parameter != nullptr) solution.axes.push_back(*parameter);
  const int n_before = static_cast<int>(solution.axes.size());
  solution.axes.insert(solution.axes.end(), model.axes.begin(), model.axes.end());
  // The unknowns, the eigenvalue, the left modes.
  for (int f = 0; f <= (has_left ? 2 * n_fields : n_fields); ++f) {
    const bool is_value = f == n_fields;
    const FieldModel* unknown =
        is_value ? nullptr : &model.fields[static_cast<std::size_t>(f > n_fields ? f - n_fields - 1 : f)];
    std::vector<int> axes(static_cast<std::size_t>(n_before));
    std::iota(axes.begin(), axes.end(), 0);
    if (unknown != nullptr)
      for (int axis : unknown->axes) axes.push_back(axis + n_before);
    const std::string name = is_value       ? eigenvalue_of(the_case)->name
                             : f > n_fields ? left_name(unknown->name)
                                            : unknown->name;
    for (const std::string& part : parts_of(name, is_complex)) solution.fields.push_back({part, axes, {}});
  }
  // One array of all along the parameter, the first axis behind the mode.
  const auto put_together = [&](const std::vector<Array>& arrays) {
    Array all;
    all.shape = {1};
    if (parameter != nullptr) all.shape.push_back(static_cast<Index>(arrays.size()));
    all.shape.insert(all.shape.end(), arrays.front().shape.begin(), arrays.front().shape.end());
    for (const Array& array : arrays) all.data.insert(all.data.end(), array.data.begin(), array.data.end());
    return all;
  };
  solution.window_edges.push_back(-0.5);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double middle = static_cast<double>(k);
    solution.window_edges.push_back(middle + 0.5);
    solution.subdomains.push_back({{0, {middle - 0.5, middle + 0.5}}});
    if (parameter != nullptr) solution.subdomains.back().push_back(along_it);
    for (const AxisDescription& subdomains : pencil.system().discretisation().subdomains())
      solution.subdomains.back().push_back(subdomains);
    auto field = solution.fields.begin();
    const std::size_t n_parts = is_complex ? 2 : 1;
    for (int f = 0; f <= (has_left ? 2 * n_fields : n_fields); ++f) {
      const bool is_value = f == n_fields;
      std::vector<std::vector<Array>> parts(n_parts);
      for (const Mode& term : modes[k]) {
        const Eigen::VectorXcd value = is_value       ? Eigen::VectorXcd::Constant(1, term.value)
                                       : f > n_fields ? term.left_functions
                                                      : term.vector;
        const std::vector<Eigen::VectorXd> real = real_parts(value, is_complex);
        for (std::size_t part = 0; part < n_parts; ++part)
          parts[part].push_back(is_value ? Array(Shape{}, real[part](0))
                                         : coefficients(pencil, real[part], f > n_fields ? f - n_fields - 1 : f));
      }
      for (const std::vector<Array>& part : parts) (field++)->windows.push_back(put_together(part));
    }
  }
  return solution;
}

}  // namespace

Solution mode_solution(const Case& the_case, const Pencil& pencil, const std::vector<Mode>& modes) {
  std::vector<ModeSeries> series;
  for (const Mode& mode : modes) series.push_back({mode});
  return solution_of(the_case, pencil, nullptr, {}, series);
}

Solution mode_solution(const Case& the_case, const Pencil& pencil, const Axis& parameter,
                       const AxisDescription& along_it, const std::vector<ModeSeries>& modes) {
  return solution_of(the_case, pencil, &parameter, along_it, modes);
}

Solution steady_mode(const Pencil& pencil, const Mode& mode) {
  const Model& model = pencil.system().model();
  Solution solution;
  solution.axes = model.axes;
  solution.subdomains = {pencil.system().discretisation().subdomains()};
  for (int f = 0; f < n_unknowns(pencil); ++f)
    solution.fields.push_back(
        {model.fields[f].name, model.fields[f].axes, {coefficients(pencil, mode.vector.real(), f)}});
  return solution;
}

Eigen::VectorXcd mode_values(const Pencil& pencil, const Eigen::VectorXcd& vector, int field,
                             const std::vector<std::vector<double>>& points) {
  const WindowSystem& system = pencil.system();
  const auto values = [&](const Eigen::VectorXd& part) -> Eigen::VectorXd {
    const Array array =
        values_at(system.context(), system.model(), system.model().fields[field],
                  system.coefficients(pencil.unknowns(part), field), system.discretisation().subdomains(), points);
    return Eigen::Map<const Eigen::VectorXd>(array.data.data(), array.size());
  };
  return values(vector.real()) + kI * values(vector.imag());
}

void normalise(const Pencil& pencil, Mode& mode) {
  const std::vector<AxisDescription> subdomains = pencil.system().discretisation().subdomains();
  std::vector<std::vector<double>> points;
  for (const AxisDescription& along : subdomains) points.push_back(places(along));
  std::complex<double> largest = 0.0;
  for (int f = 0; f < n_unknowns(pencil); ++f)
    for (const std::complex<double> value : mode_values(pencil, mode.vector, f, points))
      if (std::abs(value) > (1.0 + kEquallyLarge) * std::abs(largest)) largest = value;
  if (largest != 0.0) mode.vector /= largest;
  if (mode.value.imag() == 0.0) mode.vector.imag().setZero();
}

Eigen::VectorXcd carried(const Pencil& from, const Eigen::VectorXcd& vector, const Pencil& to) {
  const auto part = [&](const Eigen::VectorXd& of) -> Eigen::VectorXd {
    const std::vector<double> x = from.unknowns(of);
    std::vector<Array> arrays;
    for (int f = 0; f <= n_unknowns(from); ++f) arrays.push_back(from.system().coefficients(x, f));
    const std::vector<double> result = unknowns_from(to.system(), arrays, from.system().discretisation().subdomains());
    return Eigen::Map<const Eigen::VectorXd>(result.data(), to.size());
  };
  return part(vector.real()) + kI * part(vector.imag());
}

void sample_modes(const Case& the_case, const std::vector<ModeNumbers>& extra, RunOutcome& outcome) {
  const Solution& solution = outcome.solution;
  const std::string& name = eigenvalue_of(the_case)->name;
  const bool is_complex = solution.find_field(name) == nullptr;
  std::vector<double> numbers;
  for (std::size_t k = 0; k < solution.n_windows(); ++k) numbers.push_back(static_cast<double>(k));

  Case sampled = the_case;
  sampled.output.grid.push_back({kModeAxis, 0, numbers});
  std::vector<NamedExpression> fields;
  for (const NamedExpression& field : the_case.output.fields) {
    if (!is_complex)
      fields.push_back(field);
    else if (is_linear(the_case, solution.axes, field.text))
      for (const char* part : {"_re", "_im"})
        fields.push_back({field.name + part, with_parts(the_case, field.text, part)});
    else
      outcome.report.warnings.push_back(
          fmt::format("the field {} is not linear in the unknowns, and modes are complex: it is not sampled; write it "
                      "with {}_re and {}_im in gwrm eval",
                      field.name, the_case.unknowns.front().name, the_case.unknowns.front().name));
  }
  std::vector<std::string> own = {name};
  if (names_of(the_case, solution).has_left)
    for (const UnknownCase& unknown : the_case.unknowns) own.push_back(left_name(unknown.name));
  for (const std::string& of : own)
    for (const std::string& part : parts_of(of, is_complex))
      fields.push_back({part, SourceText::from_argument(part, "eigenvalue")});
  sampled.output.fields = std::move(fields);

  Model names;
  names.pool = std::make_shared<expression::Pool>(mode_symbols(the_case, solution.axes, names_of(the_case, solution)));
  names.axes = solution.axes;
  sample_fields(sampled, names, outcome);
  for (const ModeNumbers& of : extra) {
    const bool taken = std::any_of(outcome.fields.begin(), outcome.fields.end(),
                                   [&](const SampledField& field) { return field.name == of.name; });
    if (taken) continue;
    SampledField field{of.name, of.expression, {0}, Array(Shape{static_cast<Index>(of.values.size())}), of.error_of};
    field.values.data = of.values;
    outcome.fields.push_back(std::move(field));
  }
}

}  // namespace gwrm
