#include "problems/sbp_sat/poisson_data_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "expression/lowering.hpp"
#include "expression/substitute.hpp"
#include "problems/sbp_sat/side_conditions.hpp"

namespace gwrm::sbp {
namespace {

using expression::Expr;
using expression::SampledAxis;
using Intervals = std::vector<std::vector<int>>;  // as SbpSatCase::intervals

constexpr int kMostHalvings = 8;  // that are advised: grids of more points are not solved

class DataOfCase {
 public:
  DataOfCase(const Case& the_case, const PointExpressions& expressions)
      : case_(the_case), expressions_(expressions), pool_(expressions.pool()) {}

  std::vector<Data> collect() {
    const SbpSatCase& section = section_of<SbpSatCase>(case_);
    data_.add(of_grid(expressions_.parse_known(section.source)), "the source");
    for (const NamedExpression& entry : section.coefficient)
      data_.add(of_grid(expressions_.parse_known(entry.text)), "the coefficient " + entry.name);
    if (expressions_.is_mapped())
      for (const int which : {0, 1}) add_slopes(which);
    for (const SideCondition& condition : read_side_conditions(case_, expressions_)) add_condition(condition);
    for (const NamedExpression& exact : case_.exact)
      data_.add_exact(of_grid(expressions_.parse_known(exact.text)), exact.name);
    return data_.take();
  }

 private:
  // x and y replaced by their mapping.
  Expr of_grid(Expr e) const {
    if (!expressions_.is_mapped()) return e;
    std::vector<Expr> replacements(pool_.symbols().fields.size(), nullptr);
    for (const int which : {0, 1})
      replacements[static_cast<std::size_t>(pool_.symbols().find_field(which == 0 ? "x" : "y"))] =
          expressions_.coordinate(which);
    return expression::lower(pool_, expression::substitute(pool_, e, replacements));
  }

  void add_slopes(int which) {
    for (const Axis& axis : pool_.symbols().axes)
      data_.add(expression::lower(pool_, pool_.derivative(expressions_.coordinate(which), axis.name, 1)),
                fmt::format("the mapping's d{}({})", axis.name, which == 0 ? "x" : "y"));
  }

  // At the points of its side, where one coordinate is a number.
  void add_condition(const SideCondition& condition) {
    const Axis& across = case_.domain[condition.side.across_slow ? 0 : 1].axis;
    const double at = condition.side.end == End::lower ? across.lower : across.upper;
    const Expr there = pool_.restriction(of_grid(condition.residual), {{across.name, pool_.number(at)}});
    data_.add_residual(pool_, expression::lower(pool_, there), shortened(condition.text.text));
  }

  const Case& case_;
  const PointExpressions& expressions_;
  expression::Pool& pool_;
  DataCollection data_;
};

// The points of all blocks along each dimension, every interval divided into 2^halvings.
std::vector<SampledAxis> axes_of(const SbpSatCase& section, const Intervals& intervals, int halvings) {
  std::vector<SampledAxis> axes;
  for (std::size_t d = 0; d < intervals.size(); ++d) {
    const std::vector<double>& edges = section.edges[d];
    std::vector<double> points;
    for (std::size_t part = 0; part < intervals[d].size(); ++part) {
      const double lower = edges[part], length = edges[part + 1] - lower;
      const Index n = Index{intervals[d][part]} << halvings;
      for (Index i = 0; i < n; ++i) points.push_back(lower + length * static_cast<double>(i) / static_cast<double>(n));
    }
    points.push_back(edges.back());
    axes.emplace_back(std::move(points), edges);
  }
  return axes;
}

// The intervals of the run, divided along the dimensions of `at`.
Intervals divided(Intervals intervals, const std::vector<std::pair<int, double>>& at, int halvings) {
  for (const auto& [axis, z] : at)
    for (int& n : intervals[static_cast<std::size_t>(axis)]) n <<= halvings;
  return intervals;
}

}  // namespace

std::string intervals_text(const Case& the_case, const Intervals& intervals) {
  std::string text;
  for (std::size_t d = intervals.size(); d-- > 0;) {
    const std::string listed = fmt::format("{}", fmt::join(intervals[d], ", "));
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", the_case.domain[d].axis.name,
                        intervals[d].size() == 1 ? listed : "[" + listed + "]");
  }
  return "{" + text + "}";
}

void check_poisson_data(const Case& the_case, const PoissonModel& model, const Intervals& intervals,
                        std::vector<Check>& checks, std::vector<std::string>& warnings) {
  const SbpSatCase& section = section_of<SbpSatCase>(the_case);
  const expression::Pool& pool = model.expressions->pool();
  const std::vector<Data> data = DataOfCase(the_case, *model.expressions).collect();
  const auto shown_by = [&](Expr e, const std::vector<std::pair<int, double>>& at) {
    const int halvings =
        halvings_that_show(pool, e, kMostHalvings, [&](int k) { return axes_of(section, section.intervals, k); });
    return halvings > kMostHalvings ? std::string()
                                    : fmt::format("sbp_sat.intervals: {} would show it",
                                                  intervals_text(the_case, divided(section.intervals, at, halvings)));
  };
  report_unseen(find_unseen_data(pool, data, axes_of(section, intervals, 0), shown_by, kMaxDataBoxes), checks,
                warnings);
}

}  // namespace gwrm::sbp
