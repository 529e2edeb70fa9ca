#include "problems/time_spectral/data_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "expression/lowering.hpp"
#include "expression/printer.hpp"
#include "expression/tape.hpp"
#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/distribution_text.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr Index kFirstPoints = 4096, kMostPoints = 65536;
constexpr double kLevelRounding = 1e-14;  // of the largest term
constexpr double kFallsFast = 20.0;       // of what is behind half the degree, over that behind the whole one
constexpr int kShortSeries = 16;          // series that gain nothing by being shorter
constexpr double kKinkFalls = 1.2;        // ditto: at least, where levels follow one another
constexpr double kMissed = 1e-3;          // of the size: at points between
constexpr double kMostCoefficients = 400.0, kMostTimes = 4.0;
// Fractions of the other axes: irrational, so that nothing vanishes there by symmetry, and both ends.
constexpr double kPlaces[] = {0.0, 0.2763932, 0.5413927, 0.8196601, 1.0};
constexpr double kBetweenPoints[] = {0.0313717, 0.1471628, 0.2718282, 0.3183099, 0.4669201, 0.5772157,
                                     0.6180340, 0.7320508, 0.8414710, 0.9159656, 0.9694774};

bool is_periodic_axis(const Model& model, int axis) {
  return model.axes[static_cast<std::size_t>(axis)].kind == AxisKind::space && model.is_modal(axis) &&
         make_basis(model.subdomains[static_cast<std::size_t>(axis)])->is_periodic();
}

// The points of a series of the data along the axis.
Vector series_points(const Model& model, int axis, Index n) {
  const AxisDescription& description = model.subdomains[static_cast<std::size_t>(axis)];
  return make_basis(likely_part(description))->grid(n).points;
}

std::vector<double> other_places(const Model& model, int axis, std::size_t n_others) {
  const Axis& along = model.axes[static_cast<std::size_t>(axis)];
  double lower = along.lower, upper = along.upper;
  if (axis == model.time_axis()) {
    lower = model.window_edges.front();
    upper = model.window_edges.back();
  } else if (distribution_of(model.subdomains[static_cast<std::size_t>(axis)])) {
    const std::vector<double> likely = likely_part(model.subdomains[static_cast<std::size_t>(axis)]).edges;
    lower = likely.front();
    upper = likely.back();
  }
  std::vector<double> places;
  const std::size_t step = n_others > 1 ? 2 : 1;
  for (std::size_t i = 0; i < std::size(kPlaces); i += step) places.push_back(lower + kPlaces[i] * (upper - lower));
  return places;
}

// Values of expressions at `along` of one axis: lines x points each, a line per combination of places of the others.
std::vector<std::vector<double>> lines_of(const Model& model, std::span<const Expr> expressions, int axis,
                                          std::span<const double> along) {
  const expression::Tape tape(*model.pool, expressions);
  const std::size_t n_axes = model.axes.size();
  std::vector<Array> leaves;
  Shape shape(n_axes, 1);
  for (Expr leaf : tape.leaves()) {
    const auto i = static_cast<std::size_t>(model.pool->symbols().find_axis(leaf->name));
    Array values{Shape(n_axes, 1)};
    values.data = static_cast<int>(i) == axis ? std::vector<double>(along.begin(), along.end())
                                              : other_places(model, static_cast<int>(i), tape.leaves().size() - 1);
    values.shape[i] = shape[i] = static_cast<Index>(values.data.size());
    leaves.push_back(std::move(values));
  }
  std::vector<std::vector<double>> all;
  for (const Array& result : tape.evaluate(leaves, {})) {
    Index outer = 1, inner = 1;
    for (std::size_t i = 0; i < n_axes; ++i) (static_cast<int>(i) < axis ? outer : inner) *= result.shape[i];
    const Index n = result.shape[static_cast<std::size_t>(axis)];
    inner /= n;
    std::vector<double> lines;
    for (Index o = 0; o < outer; ++o)
      for (Index k = 0; k < inner; ++k)
        for (Index i = 0; i < n; ++i) lines.push_back(result.data[static_cast<std::size_t>((o * n + i) * inner + k)]);
    if (n == 1) {  // a term that does not vary along the axis
      std::vector<double> repeated;
      for (double value : lines) repeated.insert(repeated.end(), along.size(), value);
      lines = std::move(repeated);
    }
    all.push_back(std::move(lines));
  }
  return all;
}

// Coefficients of every line, lines x (2 M + 1) or lines x n.
std::vector<double> coefficients_of(const std::vector<double>& lines, Index n, bool periodic) {
  const Index n_lines = static_cast<Index>(lines.size()) / n;
  if (periodic) {
    const FourierSeries series(FourierSeries::Kind::analysis, (n - 1) / 2, n, 0);
    std::vector<double> a(static_cast<std::size_t>(n_lines * series.n_coefficients()));
    series.apply(1.0, lines.data(), n_lines, 1, a.data());
    return a;
  }
  std::vector<double> a(lines.size());
  cpu::cosine_transform(CosinePlan(CosineKind::cosine_2, n), lines.data(), n, a.data(), n, n_lines, 1,
                        {2.0 / static_cast<double>(n), 0.5});
  return a;
}

// [level], of one line.
std::vector<double> levels_of(std::span<const double> line, bool periodic) {
  if (!periodic) {
    std::vector<double> levels;
    for (double a : line) levels.push_back(std::abs(a));
    return levels;
  }
  std::vector<double> levels{std::abs(line[0])};
  for (std::size_t k = 1; k < line.size(); k += 2) levels.push_back(std::hypot(line[k], line[k + 1]));
  return levels;
}

struct Along {
  const Model& model;
  int axis;
  bool periodic;
};

// Whether the coefficients, cut where nothing follows, give the data at points between.
bool agrees_between(const Along& of, Expr e, std::span<const double> coefficients, Index n_per_line, int degree,
                    double scale) {
  AxisDescription description = likely_part(of.model.subdomains[static_cast<std::size_t>(of.axis)]);
  description.degree = degree;
  const auto basis = make_basis(description);
  std::vector<double> points;
  const double lower = description.edges.front(), upper = description.edges.back();
  for (double fraction : kBetweenPoints) points.push_back(lower + fraction * (upper - lower));
  const Matrix rows = basis->rows_at(0, points, 0);
  const std::vector<double> values = lines_of(of.model, std::span(&e, 1), of.axis, points).front();
  const auto n_points = static_cast<Index>(points.size());
  for (Index line = 0; line * n_points < static_cast<Index>(values.size()); ++line)
    for (Index i = 0; i < n_points; ++i) {
      double sum = 0.0;
      for (Index k = 0; k < rows.cols(); ++k)
        sum += rows(i, k) * coefficients[static_cast<std::size_t>(line * n_per_line + k)];
      const double value = values[static_cast<std::size_t>(line * n_points + i)];
      if (std::isfinite(value) && std::abs(sum - value) > kMissed * scale) return false;
    }
  return true;
}

double largest_of_all(const std::vector<double>& values) {
  double largest = 0.0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// order: of the derivative that divides the levels of a source, else 0. An empty series: constant along the axis, or
// undefined somewhere.
DataSeries series_along(const Along& of, const Data& data, int order) {
  DataSeries result{of.axis,
                    data.initial,
                    data.exact,
                    data.terms.empty() && !data.initial && !data.exact,
                    data.where + ": " + shortened(expression::print(data.e)),
                    {}};
  for (Index n = kFirstPoints; n <= kMostPoints; n *= 4) {
    const Vector points = series_points(of.model, of.axis, n);
    std::vector<Expr> expressions{data.e};
    expressions.insert(expressions.end(), data.terms.begin(), data.terms.end());
    const std::vector<std::vector<double>> lines =
        lines_of(of.model, expressions, of.axis, std::span(points.data(), static_cast<std::size_t>(n)));
    double largest_term = 0.0;
    for (const std::vector<double>& term : lines) {
      if (std::any_of(term.begin(), term.end(), [](double value) { return !std::isfinite(value); })) return result;
      largest_term = std::max(largest_term, largest_of_all(term));
    }
    const double scale = largest_of_all(lines.front());
    if (!(scale > 1e-13 * largest_term)) return result;  // rounding of terms that cancel
    const std::vector<double> coefficients = coefficients_of(lines.front(), n, of.periodic);
    const auto n_lines = static_cast<Index>(lines.front().size()) / n;
    const Index n_per_line = static_cast<Index>(coefficients.size()) / n_lines;
    std::vector<std::vector<double>> levels;
    for (Index line = 0; line < n_lines; ++line)
      levels.push_back(
          levels_of(std::span(coefficients)
                        .subspan(static_cast<std::size_t>(line * n_per_line), static_cast<std::size_t>(n_per_line)),
                    of.periodic));
    const std::size_t n_levels = levels.front().size();
    std::vector<double> worst(n_levels, 0.0);
    for (std::vector<double>& line : levels)
      for (std::size_t k = 0; k < n_levels; ++k) {
        if (line[k] <= kLevelRounding * largest_term) line[k] = 0.0;
        worst[k] = std::max(worst[k], line[k]);
      }
    const auto dominant = std::max<std::ptrdiff_t>(1, std::max_element(worst.begin(), worst.end()) - worst.begin());
    const auto counts_for = [&](std::size_t k) {
      const double ratio = static_cast<double>(dominant) / static_cast<double>(k);
      return k > static_cast<std::size_t>(dominant) ? std::pow(ratio, order) : 1.0;
    };
    result.behind.assign(n_levels, 0.0);
    for (const std::vector<double>& line : levels) {
      double sum = 0.0;
      for (std::size_t k = n_levels; k-- > 1;) {
        sum += counts_for(k) * line[k] / scale;
        result.behind[k - 1] = std::max(result.behind[k - 1], sum);
      }
    }
    std::size_t last = n_levels - 1;
    while (last > 0 && worst[last] == 0.0) --last;
    result.is_resolved =
        last <= n_levels / 2 && agrees_between(of, data.e, coefficients, n_per_line, static_cast<int>(last), scale);
    if (result.is_resolved) break;
    // A kink or a jump: more points show no more.
    const double half = result.behind[n_levels / 2], quarter = result.behind[n_levels / 4];
    if (n > kFirstPoints && quarter > kKinkFalls * half && quarter < kFallsFast * half) break;
  }
  return result;
}

// How often the equation that a source drives differentiates along an axis: at least so often in every unknown.
int order_of_source(const Model& model, const Data& data, int axis) {
  if (data.equation < 0) return 0;
  const EquationModel& equation = model.equations[static_cast<std::size_t>(data.equation)];
  int order = equation.orders[static_cast<std::size_t>(axis)];
  for (const expression::AtomUse& use : expression::atom_uses(*model.pool, equation.residual))
    order = std::min(order, static_cast<int>(use.atom.orders[static_cast<std::size_t>(axis)]));
  return order;
}

// The highest degree that a run may choose along an axis.
int most_degree(const Case::Resolution& resolution, const Model& model, int axis) {
  return highest_degree(model.subdomains[static_cast<std::size_t>(axis)], resolution.max_degree);
}

void raise(const Case::Resolution& resolution, const Model& model, const DataSeries& series,
           std::vector<AxisDescription>& subdomains) {
  const double share = kDataShare * resolution.tolerance;
  const int needed = series.degree_for(share);
  int& degree = subdomains[static_cast<std::size_t>(series.axis)].degree;
  if (!series.falls_slowly(share) && needed <= most_degree(resolution, model, series.axis))
    degree = std::max(degree, needed);
}

std::vector<AxisDescription> lowest_degrees(const Solution& answer) {
  std::vector<AxisDescription> lowest = answer.subdomains.front();
  for (const std::vector<AxisDescription>& window : answer.subdomains)
    for (std::size_t axis = 0; axis < lowest.size(); ++axis)
      if (window[axis].degree < lowest[axis].degree) lowest[axis] = window[axis];
  return lowest;
}

// Of what an answer depends on.
std::vector<DataSeries> series_that_act(const Model& model, bool with_initial) {
  std::vector<Data> data = data_of(model);
  std::erase_if(data, [&](const Data& each) { return each.exact || (each.initial && !with_initial); });
  return series_of_data(model, data);
}

UnresolvedData unresolved_on(const Case& the_case, const Model& model, const std::vector<DataSeries>& all,
                             const std::vector<AxisDescription>& subdomains, bool sees_data) {
  const double tolerance = the_case.verification.tolerance;
  std::vector<AxisDescription> finer = subdomains;
  if (the_case.verification.estimate != EstimateChoice::off) {
    for (int axis = 0; axis < static_cast<int>(finer.size()); ++axis)
      if (model.is_modal(axis))
        finer[static_cast<std::size_t>(axis)].degree = finer_degree(finer[static_cast<std::size_t>(axis)].degree);
    if (sees_data) finer = with_unseen_data(model, data_degrees(model, all, tolerance), subdomains, finer);
  }
  UnresolvedData found;
  for (const DataSeries& series : all) {
    const auto axis = static_cast<std::size_t>(series.axis);
    if (!is_periodic_axis(model, series.axis) || series.falls_slowly(kDataShare * tolerance)) continue;
    const int degree = subdomains[axis].degree;
    const double behind = series.behind_degree(degree), unseen = series.behind_degree(finer[axis].degree);
    if (behind <= tolerance) continue;
    const std::string& name = model.axes[axis].name;
    std::string text = fmt::format(
        "{}: waves shorter than those of degree {} along {} make {:.2g} of it; resolution.degree.{}: {} resolves it",
        series.text, degree, name, behind, name, series.degree_for(kDataShare * tolerance));
    if (unseen > tolerance)
      found.checks.push_back({"data", std::move(text), unseen, tolerance});
    else
      found.hints.push_back(std::move(text));
  }
  return found;
}

}  // namespace

int DataSeries::degree_for(double share) const {
  const auto found = std::find_if(behind.begin(), behind.end(), [&](double rest) { return rest <= share; });
  return found == behind.end() ? -1 : static_cast<int>(found - behind.begin());
}

double DataSeries::behind_degree(int degree) const {
  return degree < static_cast<int>(behind.size()) ? behind[static_cast<std::size_t>(degree)] : 0.0;
}

int DataSeries::most_skipped(double share) const {
  int most = 0, skipped = 0;
  for (int level = 1; level <= degree_for(share); ++level) {
    const double own = behind[static_cast<std::size_t>(level - 1)] - behind[static_cast<std::size_t>(level)];
    skipped = own > share ? 0 : skipped + 1;
    most = std::max(most, skipped);
  }
  return most > 0 ? most + 1 : 0;
}

bool DataSeries::falls_slowly(double share) const {
  const int degree = degree_for(share);
  if (degree < 0 || 2 * degree > static_cast<int>(behind.size())) return true;
  if (degree <= kShortSeries) return false;
  return behind[static_cast<std::size_t>(degree / 2)] < kFallsFast * behind[static_cast<std::size_t>(degree)];
}

bool has_data_series(const Model& model, int axis) {
  const auto i = static_cast<std::size_t>(axis);
  return is_periodic_axis(model, axis) ||
         (model.axes[i].kind == AxisKind::parameter && model.subdomains[i].n_subdomains() == 1);
}

std::vector<DataSeries> series_of_data(const Model& model, std::span<const Data> data) {
  std::vector<DataSeries> all;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!has_data_series(model, axis)) continue;
    const Along along{model, axis, is_periodic_axis(model, axis)};
    for (const Data& each : data) {
      if ((each.e->facts.axes >> axis & 1u) == 0) continue;
      DataSeries series = series_along(along, each, along.periodic ? order_of_source(model, each, axis) : 0);
      if (!series.behind.empty()) all.push_back(std::move(series));
    }
  }
  return all;
}

DataDegrees data_degrees(const Model& model, std::span<const DataSeries> series, double tolerance) {
  const double share = kDataShare * tolerance;
  DataDegrees degrees{std::vector<int>(model.axes.size(), 0), std::vector<int>(model.axes.size(), 0)};
  for (const DataSeries& each : series) {
    if (each.falls_slowly(share)) continue;
    const auto axis = static_cast<std::size_t>(each.axis);
    degrees.resolving[axis] = std::max(degrees.resolving[axis], each.degree_for(share));
    if (is_periodic_axis(model, each.axis) && (each.multiplies || !model.linear))
      degrees.skipped[axis] = std::max(degrees.skipped[axis], each.most_skipped(share));
  }
  return degrees;
}

Model with_degrees_of_data(const Case& the_case, Model model) {
  if (!the_case.resolution.automatic()) return model;
  for (const DataSeries& series : series_of_data(model, data_of(model))) {
    const bool in_space = model.axes[static_cast<std::size_t>(series.axis)].kind == AxisKind::space;
    if ((series.initial && in_space) || the_case.domain[static_cast<std::size_t>(series.axis)].degree >= 0) continue;
    raise(the_case.resolution, model, series, model.subdomains);
  }
  return model;
}

void resolve_initial_data(const Case::Resolution& resolution, const Model& model,
                          std::vector<AxisDescription>& subdomains) {
  std::vector<Data> initial = data_of(model);
  std::erase_if(initial, [](const Data& data) { return !data.initial; });
  for (const DataSeries& series : series_of_data(model, initial))
    if (is_periodic_axis(model, series.axis)) raise(resolution, model, series, subdomains);
}

std::vector<int> levels_that_show(const Case::Resolution& resolution, const Model& model) {
  DataDegrees degrees = data_degrees(model, series_of_data(model, data_of(model)), resolution.tolerance);
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (const auto i = static_cast<std::size_t>(axis);
        degrees.resolving[i] + degrees.skipped[i] > most_degree(resolution, model, axis))
      degrees.skipped[i] = 0;
  return degrees.skipped;
}

std::string beyond_limits(const Case::Resolution& resolution, const Model& model, double allowed) {
  const double share = kDataShare * resolution.tolerance;
  for (const DataSeries& series : series_of_data(model, data_of(model))) {
    const int most = most_degree(resolution, model, series.axis);
    if (series.exact || series.falls_slowly(share) || series.degree_for(share) <= most ||
        series.behind_degree(most) <= allowed)
      continue;
    return fmt::format("{} needs degree {} along {}; raise resolution.limits.degree, which is {}", series.text,
                       series.degree_for(share), model.axes[static_cast<std::size_t>(series.axis)].name, most);
  }
  return {};
}

std::vector<AxisDescription> with_unseen_data(const Model& model, const DataDegrees& data,
                                              const std::vector<AxisDescription>& of_run,
                                              std::vector<AxisDescription> finer) {
  const auto n_coefficients = [&](const std::vector<AxisDescription>& subdomains) {
    double n = 1.0;
    for (int axis = 0; axis < static_cast<int>(subdomains.size()); ++axis)
      if (model.is_modal(axis)) n *= static_cast<double>(subdomains[static_cast<std::size_t>(axis)].n_coefficients());
    return n;
  };
  const double most = std::max(kMostTimes * n_coefficients(finer), kMostCoefficients);
  for (std::size_t axis = 0; axis < finer.size(); ++axis) {
    if (!is_periodic_axis(model, static_cast<int>(axis))) continue;
    for (const int degree : {data.resolving[axis], of_run[axis].degree + data.skipped[axis]}) {
      if (degree <= finer[axis].degree) continue;
      std::vector<AxisDescription> raised = finer;
      raised[axis].degree = degree;
      if (n_coefficients(raised) <= most) finer = std::move(raised);
    }
  }
  return finer;
}

UnresolvedData unresolved_data(const Case& the_case, const Model& model, const std::vector<AxisDescription>& subdomains,
                               bool sees_data) {
  return unresolved_on(the_case, model, series_that_act(model, true), subdomains, sees_data);
}

UnresolvedData unresolved_data(const Case& the_case, const Model& model, const Solution& answer) {
  UnresolvedData found = unresolved_data(the_case, model, answer.subdomains.front(), true);
  if (answer.subdomains.size() == 1) return found;
  UnresolvedData later = unresolved_on(the_case, model, series_that_act(model, false), lowest_degrees(answer), true);
  found.checks.insert(found.checks.end(), later.checks.begin(), later.checks.end());
  found.hints.insert(found.hints.end(), later.hints.begin(), later.hints.end());
  return found;
}

}  // namespace gwrm
