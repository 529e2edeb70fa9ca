#include "problems/data_files/answer_function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>

#include "case/case_reader.hpp"
#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "output/evaluate_points.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr double kSameCoordinate = 1e-9;  // of the length of an axis
constexpr int kHighestOrder = 8;

class AnswerFunction : public expression::DataFunction {
 public:
  // `places`: of each of the function's axes, which of the solution's it is; `fixed`: a coordinate on every other.
  AnswerFunction(Solution solution, expression::Symbols symbols, const SourceText& text, std::vector<std::string> axes,
                 std::vector<std::size_t> places, std::vector<double> fixed)
      : solution_(std::move(solution)),
        pool_(std::move(symbols)),
        value_(expression::lower(pool_, expression::parse(pool_, text))),
        axes_(std::move(axes)),
        places_(std::move(places)),
        fixed_(std::move(fixed)) {}

  const std::vector<std::string>& axes() const override { return axes_; }
  int highest_order(std::size_t) const override { return kHighestOrder; }
  std::string why_no_higher_order(std::size_t) const override {
    return fmt::format("no more than {} derivatives of data are formed", kHighestOrder);
  }

  void on_grid(std::span<const std::span<const double>> points, std::span<const int> orders,
               std::span<double> values) const override {
    const std::lock_guard lock(mutex_);
    GridPoints grid;
    for (double z : fixed_) grid.push_back({z});
    for (std::size_t i = 0; i < places_.size(); ++i) grid[places_[i]] = inside(i, points[i]);
    const Array all = evaluate(pool_, solution_, derivative(orders), grid, true);
    // The solution's axes may stand in another order.
    std::vector<Index> strides(grid.size(), 1);
    for (std::size_t a = grid.size(); a-- > 1;) strides[a - 1] = strides[a] * std::ssize(grid[a]);
    for (std::size_t v = 0; v < values.size(); ++v) {
      Index from = 0;
      auto rest = static_cast<Index>(v);
      for (std::size_t i = places_.size(); i-- > 0; rest /= std::ssize(points[i]))
        from += rest % std::ssize(points[i]) * strides[places_[i]];
      values[v] = all.data[static_cast<std::size_t>(from)];
    }
  }

  void at_points(std::span<const std::span<const double>> points, std::span<const int> orders,
                 std::span<double> values) const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::vector<double>> own;
    for (double z : fixed_) own.push_back({z});
    for (std::size_t i = 0; i < places_.size(); ++i) own[places_[i]] = inside(i, points[i]);
    ScatteredPoints scattered{values.size(), {own.begin(), own.end()}};
    const Expr e = derivative(orders);
    const auto found = evaluate_points(pool_, solution_, std::span<const Expr>(&e, 1), scattered, 1);
    std::copy(found.front().begin(), found.front().end(), values.begin());
  }

  std::vector<double> sampling(std::size_t axis) const override {
    constexpr int kPerDegree = 4;
    const std::size_t place = places_[axis];
    std::vector<double> all;
    for (const std::vector<AxisDescription>& window : solution_.subdomains) {
      const AxisDescription& along = window[place];
      const int n = kPerDegree * (along.degree + 1);
      for (std::size_t s = 0; s + 1 < along.edges.size(); ++s)
        for (int i = 0; i <= n; ++i)
          all.push_back(along.edges[s] +
                        (along.edges[s + 1] - along.edges[s]) * 0.5 * (1.0 - std::cos(std::numbers::pi * i / n)));
      if (static_cast<int>(place) != solution_.windowed_axis() && all.size() > kMostSamples) break;
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  static constexpr std::size_t kMostSamples = 10000;

  // Points at the ends may lie outside by rounding.
  std::vector<double> inside(std::size_t axis, std::span<const double> points) const {
    const Axis& along = solution_.axes[places_[axis]];
    std::vector<double> result;
    for (double z : points) result.push_back(std::clamp(z, along.lower, along.upper));
    return result;
  }

  Expr derivative(std::span<const int> orders) const {
    Expr& known = derivatives_[{orders.begin(), orders.end()}];
    if (known != nullptr) return known;
    known = value_;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (orders[i] > 0) known = pool_.derivative(known, solution_.axes[places_[i]].name, orders[i]);
    return known = expression::lower(pool_, known);
  }

  Solution solution_;
  mutable std::mutex mutex_;
  mutable expression::Pool pool_;
  Expr value_;
  mutable std::map<std::vector<int>, Expr> derivatives_;
  std::vector<std::string> axes_;
  std::vector<std::size_t> places_;
  std::vector<double> fixed_;
};

std::string names_of_unknowns(const Solution& solution) {
  std::vector<std::string> names;
  for (const FieldSolution& field : solution.fields) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Of one unknown what the run has estimated; of an expression the largest of its unknowns' errors is a guess only.
double error_of(const RunReport& report, const std::vector<std::string>& fields) {
  double error = 0.0;
  if (report.verification.estimate.status != ErrorEstimate::Status::made)
    return std::numeric_limits<double>::quiet_NaN();
  for (const FieldError& known : report.verification.estimate.fields)
    if (std::find(fields.begin(), fields.end(), known.field) != fields.end()) error = std::max(error, known.total());
  return error;
}

}  // namespace

ReportedFunction function_of_answer(const CaseFormat& format, const Case& the_case, const DataCase& data) {
  StoredRun run = read_hdf5(data.file);
  const Solution& solution = run.solution;
  if (solution.fields.empty())
    throw CaseError(
        "this result of gwrm has no coefficients that could be evaluated: run it again with output: "
        "{coefficients: all}; results of modules that have none can be named by a dataset of their samples");
  const Case earlier = read_case_text(format, run.report.case_text, data.file);
  if (earlier.continuation.active())
    throw CaseError(
        "this result is a branch over a parameter, which is not evaluated here: solve the point of it that "
        "is wanted, and name that result");
  if (data.dataset.empty() && solution.fields.size() != 1)
    throw CaseError("dataset: which unknown is not said; the result has: " + names_of_unknowns(solution));
  std::string wanted = data.dataset.empty() ? solution.fields.front().name : data.dataset;
  for (const NamedExpression& field : earlier.output.fields)  // what it has sampled is an expression of its unknowns
    if (field.name == wanted) wanted = field.text.text;
  expression::Symbols symbols = earlier.symbols();
  check_symbols(symbols, solution);
  const SourceText text = SourceText::from_argument(wanted, "dataset");
  expression::Pool pool(symbols);
  const Expr e = expression::lower(pool, expression::parse(pool, text));

  std::vector<std::string> axes;
  std::vector<std::size_t> places;
  std::vector<double> fixed;
  std::string text_of_fixed;
  for (std::size_t a = 0; a < solution.axes.size(); ++a) {
    const Axis& axis = solution.axes[a];
    const std::string name = name_in_domain(data, axis.name);
    fixed.push_back(axis.lower);
    if ((e->facts.axes >> a & 1u) == 0) continue;
    const auto at = std::find_if(data.at.begin(), data.at.end(), [&](const auto& p) { return p.first == axis.name; });
    if (at != data.at.end()) {
      if (at->second < axis.lower || at->second > axis.upper)
        throw CaseError(fmt::format("at: {} = {:g} is outside the result's [{:g}, {:g}]", axis.name, at->second,
                                    axis.lower, axis.upper));
      fixed.back() = at->second;
    } else if (const bool is_time = axis.kind == AxisKind::time;
               is_time && (data.at_one_time || (!data.axes.empty() && std::find(data.axes.begin(), data.axes.end(),
                                                                                name) == data.axes.end()))) {
      fixed.back() = solution.window_edges.empty() ? axis.upper : solution.window_edges.back();
    } else {
      const auto own = std::find_if(the_case.domain.begin(), the_case.domain.end(),
                                    [&](const AxisCase& other) { return other.axis.name == name; });
      if (own == the_case.domain.end())
        throw CaseError(
            fmt::format("{0} varies along {1}, which is no dimension of this case: give one coordinate of "
                        "it, at: {{{1}: ..}}, or say which dimension it is, dimensions: {{{2}: {1}}}",
                        wanted, axis.name, the_case.domain.back().axis.name));
      const double slack = kSameCoordinate * (axis.upper - axis.lower);
      if (own->axis.lower < axis.lower - slack || own->axis.upper > axis.upper + slack)
        throw CaseError(
            fmt::format("the result has {0} in [{1:g}, {2:g}], and the domain {0} in [{3:g}, {4:g}]: it has "
                        "to cover the domain",
                        axis.name, axis.lower, axis.upper, own->axis.lower, own->axis.upper));
      continue;
    }
    text_of_fixed += fmt::format("{}{} = {:g}", text_of_fixed.empty() ? " at " : ", ", axis.name, fixed.back());
  }
  for (const AxisCase& own : the_case.domain)
    for (std::size_t a = 0; a < solution.axes.size(); ++a)
      if (name_in_domain(data, solution.axes[a].name) == own.axis.name && (e->facts.axes >> a & 1u) != 0 &&
          text_of_fixed.find(" " + solution.axes[a].name + " = ") == std::string::npos) {
        axes.push_back(own.axis.name);
        places.push_back(a);
      }
  std::vector<std::string> fields;
  for (Expr atom : expression::atoms_in(e))
    fields.push_back(symbols.fields[static_cast<std::size_t>(expression::atom_of(pool, atom).field)].name);

  ReportedFunction result;
  result.report.error = error_of(run.report, fields);
  result.report.text = fmt::format("an earlier answer{}, evaluated", text_of_fixed);
  if (!run.report.verification.passed()) {
    result.report.error = std::numeric_limits<double>::quiet_NaN();
    result.report.caution = "the verification of that result has failed";
  }
  result.function = std::make_shared<const AnswerFunction>(std::move(run.solution), std::move(symbols), text,
                                                           std::move(axes), std::move(places), std::move(fixed));
  return result;
}

}  // namespace gwrm
