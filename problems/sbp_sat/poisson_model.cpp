#include "problems/sbp_sat/poisson_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/sbp_sat/sbp_tables.hpp"
#include "problems/sbp_sat/block_coefficients.hpp"

namespace gwrm::sbp {
namespace {

// Interfaces belong to both blocks. What jumps there is meant as the limit from inside: data are taken this part of a
// block's length further in.
constexpr double kInside = 1e-13;

std::vector<double> coordinates(double lower, double upper, int n) {
  std::vector<double> values;
  for (int i = 0; i <= n; ++i) values.push_back(lower + (upper - lower) * i / n);
  values.back() = upper;
  return values;
}

// The same with ends that are interfaces moved inside.
std::vector<double> inside(std::vector<double> values, bool lower_is_interface, bool upper_is_interface) {
  const double length = values.back() - values.front();
  if (lower_is_interface) values.front() += kInside * length;
  if (upper_is_interface) values.back() -= kInside * length;
  return values;
}

using Intervals = std::vector<std::vector<int>>;  // as SbpSatCase::intervals

class Builder {
 public:
  Builder(const Case& the_case, Intervals intervals)
      : case_(the_case), sbp_(section_of<SbpSatCase>(the_case)), intervals_(std::move(intervals)) {
    model_.expressions = std::make_unique<PointExpressions>(the_case);
    model_.grid.order = sbp_.order;
    model_.grid.tau = sbp_.tau;
  }

  PoissonModel build() {
    const std::vector<SideCondition> conditions = read_side_conditions(case_, *model_.expressions);
    add_blocks();
    check_sizes();
    add_interfaces();
    for (const SideCondition& condition : conditions) add_side(condition);
    check_tau();
    check_output_expressions();
    model_.pure_neumann = model_.grid.all_flux();
    return std::move(model_);
  }

 private:
  Index blocks_along(int axis) const { return static_cast<Index>(intervals_[axis].size()); }
  int block_number(Index j, Index i) const { return static_cast<int>(j * blocks_along(1) + i); }

  void add_blocks() {
    Grid& grid = model_.grid;
    Index offset = 0;
    for (std::size_t j = 0; j < intervals_[0].size(); ++j)
      for (std::size_t i = 0; i < intervals_[1].size(); ++i) {
        Block block;
        Points points{part(0, j), part(1, i)};
        block.n_slow = static_cast<Index>(points.slow.size());
        block.n_fast = static_cast<Index>(points.fast.size());
        block.h_slow = (points.slow.back() - points.slow.front()) / intervals_[0][j];
        block.h_fast = (points.fast.back() - points.fast.front()) / intervals_[1][i];
        block.offset = offset;
        offset += block.size();
        grid.blocks.push_back(std::move(block));
        model_.points.push_back(std::move(points));
        add_values(j, i);
      }
    for (std::size_t b = 0; b < grid.blocks.size(); ++b) grid.blocks[b].c = coefficients_[b].c;
    expand_mixed_constants();
    add_merged_points();
  }

  std::vector<double> part(int axis, std::size_t number) const {
    const std::vector<double>& edges = sbp_.edges[axis];
    return coordinates(edges[number], edges[number + 1], intervals_[axis][number]);
  }

  void add_values(std::size_t j, std::size_t i) {
    const Points& points = model_.points.back();
    const Points inner{inside(points.slow, j > 0, j + 1 < intervals_[0].size()),
                       inside(points.fast, i > 0, i + 1 < intervals_[1].size())};
    const PointExpressions& expressions = *model_.expressions;
    coefficients_.push_back(block_coefficients(case_, expressions, inner));
    std::vector<double> source = expressions.finite_values(sbp_.source, inner, "the source");
    for (std::size_t k = 0; k < coefficients_.back().jacobian.size(); ++k)
      source[k] *= coefficients_.back().jacobian[k];
    model_.source.insert(model_.source.end(), source.begin(), source.end());
    for (const NamedExpression& exact : case_.exact) {
      const std::vector<double> values = expressions.finite_values(exact.text, inner, "the exact solution");
      model_.exact.insert(model_.exact.end(), values.begin(), values.end());
    }
  }

  // A block whose entries are partly constant: all of them point by point.
  void expand_mixed_constants() {
    for (Block& block : model_.grid.blocks) {
      Coefficients& c = block.c;
      if (c.constant() && c.cross.empty()) continue;
      for (std::vector<double>* values : {&c.slow, &c.fast})
        if (values->size() == 1) values->assign(static_cast<std::size_t>(block.size()), values->front());
    }
  }

  void add_merged_points() {
    for (const int axis : {0, 1}) {
      std::vector<double>& all = axis == 0 ? model_.all_points.slow : model_.all_points.fast;
      for (std::size_t number = 0; number < intervals_[axis].size(); ++number) {
        const std::vector<double> values = part(axis, number);
        (axis == 0 ? model_.first_slow : model_.first_fast).push_back(all.empty() ? 0 : all.size() - 1);
        all.insert(all.end(), values.begin() + (all.empty() ? 0 : 1), values.end());
      }
    }
  }

  void check_sizes() const {
    const Index least = model_.grid.least_intervals();
    for (std::size_t d = 0; d < 2; ++d)
      for (int n : intervals_[d])
        if (n < least)
          throw_case_error(sbp_.intervals_where, 0,
                           fmt::format("{} intervals along {} are too few: order {}{} needs at least {}", n,
                                       case_.domain[d].axis.name, sbp_.order,
                                       model_.grid.constant() ? "" : " with this coefficient", least));
  }

  void check_tau() const {
    const double bound = model_.grid.penalty_bound();
    if (sbp_.tau == 0.0 || sbp_.tau > bound) return;
    throw_case_error(sbp_.tau_where, 0,
                     fmt::format("tau must be larger than {:.4g} for order {}{}, or the operator is not positive "
                                 "definite; leave it out for twice that value",
                                 bound, sbp_.order, model_.grid.constant() ? "" : " with a variable coefficient"));
  }

  void add_interfaces() {
    for (Index j = 0; j < blocks_along(0); ++j)
      for (Index i = 0; i < blocks_along(1); ++i) {
        if (i > 0) model_.grid.interfaces.push_back({block_number(j, i - 1), block_number(j, i), false});
        if (j > 0) model_.grid.interfaces.push_back({block_number(j - 1, i), block_number(j, i), true});
      }
  }

  // The sides of all blocks that make up one side of the domain.
  void add_side(const SideCondition& condition) {
    const bool across_slow = condition.side.across_slow, lower = condition.side.end == End::lower;
    const Index n_parts = blocks_along(across_slow ? 1 : 0), last = blocks_along(across_slow ? 0 : 1) - 1;
    for (Index k = 0; k < n_parts; ++k) {
      const Index across = lower ? 0 : last;
      const int block = across_slow ? block_number(across, k) : block_number(k, across);
      BoundarySide side{block, condition.side, condition.kind(), {}};
      model_.data.push_back(data_of(condition, side, k > 0, k + 1 < n_parts));
      model_.grid.sides.push_back(std::move(side));
    }
  }

  // g of the side's points; sets kappa.
  std::vector<double> data_of(const SideCondition& condition, BoundarySide& side, bool lower_cut,
                              bool upper_cut) const {
    const Block& block = model_.grid.blocks[side.block];
    const Points& all = model_.points[side.block];
    const bool across_slow = side.side.across_slow, lower = side.side.end == End::lower;
    Points points = all;
    std::vector<double>& across = across_slow ? points.slow : points.fast;
    across = {lower ? across.front() : across.back()};
    std::vector<double>& along = across_slow ? points.fast : points.slow;
    along = inside(along, lower_cut, upper_cut);
    const ConditionValues values = condition_values(*model_.expressions, condition, points);
    const SideLayout layout(block, side.side);
    std::vector<double> g;
    for (Index m = 0; m < layout.n; ++m) {
      const auto k = static_cast<std::size_t>(m);
      if (side.kind == ConditionKind::dirichlet) {
        if (values.value[k] == 0.0) fail_at(condition, points, m, "the factor of the unknown is zero");
        g.push_back(values.known[k] / values.value[k]);
        continue;
      }
      const double scale =
          flux_scale(condition, values, side, layout.first - block.offset + m * layout.along, points, m);
      g.push_back(scale * values.known[k]);
      side.kappa.push_back(scale * values.value[k]);
      if (side.kappa.back() < 0.0)
        fail_at(condition, points, m,
                fmt::format("flux + kappa u = g with kappa = {:g}, which must not be negative: the flux is the outward "
                            "one, check the signs",
                            side.kappa.back()));
    }
    const bool no_kappa = std::all_of(side.kappa.begin(), side.kappa.end(), [](double value) { return value == 0.0; });
    if (no_kappa) side.kappa.clear();
    return g;
  }

  // The factor that makes the condition's derivatives, or its `flux`, the outward flux per length of the grid's
  // coordinate.
  double flux_scale(const SideCondition& condition, const ConditionValues& values, const BoundarySide& side,
                    Index point, const Points& points, Index m) const {
    const auto k = static_cast<std::size_t>(m);
    const bool across_slow = side.side.across_slow;
    if (condition.has_flux) {
      if (values.flux[k] == 0.0) fail_at(condition, points, m, "the factor of `flux` is zero");
      const BlockCoefficients& own = coefficients_[side.block];
      const std::vector<double>& length = across_slow ? own.fast_length : own.slow_length;
      return (length.empty() ? 1.0 : length[static_cast<std::size_t>(point)]) / values.flux[k];
    }
    const Coefficients& c = model_.grid.blocks[side.block].c;
    const double outward = side.side.end == End::lower ? -1.0 : 1.0;
    const double normal = outward * coefficient_at(across_slow ? c.slow : c.fast, point);
    const double tangential = outward * coefficient_at(c.cross, point);
    const double given_normal = across_slow ? values.slow[k] : values.fast[k];
    const double given_tangential = across_slow ? values.fast[k] : values.slow[k];
    if (given_normal == 0.0) fail_at(condition, points, m, "there is no derivative across the side");
    const double scale = normal / given_normal;
    if (std::abs(scale * given_tangential - tangential) > 1e-9 * std::abs(normal))
      fail_at(condition, points, m,
              "the derivatives are not a multiple of the flux n.C grad u, and no other condition is available: write "
              "`flux`");
    return scale;
  }

  [[noreturn]] void fail_at(const SideCondition& condition, const Points& points, Index m,
                            const std::string& message) const {
    throw_case_error(condition.text, 0, fmt::format("{} (at {})", message, model_.expressions->point_text(points, m)));
  }

  void check_output_expressions() const {
    for (const NamedExpression& field : case_.output.fields)
      for (expression::Expr leaf : expression::atoms_in(model_.expressions->parse(field.text))) {
        const expression::Atom atom = expression::atom_of(model_.expressions->pool(), leaf);
        const bool restricted = atom.restricted[0] || atom.restricted[1];
        if (atom.field == 1 || restricted || atom.orders[0] + atom.orders[1] > 1)
          throw_case_error(field.text, 0,
                           "output fields of this problem hold the unknown and its first derivatives only");
      }
    if (!case_.verification.values.empty())
      throw_case_error(case_.verification.values.front().expr, 0,
                       "verification.values are not available with this problem: give `exact`");
  }

  const Case& case_;
  const SbpSatCase& sbp_;
  const Intervals intervals_;
  PoissonModel model_;
  std::vector<BlockCoefficients> coefficients_;
};

}  // namespace

Index PoissonModel::merged(std::size_t block, Index j, Index i) const {
  const std::size_t slow = first_slow[block / first_fast.size()], fast = first_fast[block % first_fast.size()];
  return (static_cast<Index>(slow) + j) * static_cast<Index>(all_points.fast.size()) + static_cast<Index>(fast) + i;
}

PoissonModel build_poisson_model(const Case& the_case) {
  return Builder(the_case, section_of<SbpSatCase>(the_case).intervals).build();
}

PoissonModel outline_poisson_model(const Case& the_case) {
  constexpr int kMaxIntervals = 32;  // more than any scheme's least
  const Intervals& wanted = section_of<SbpSatCase>(the_case).intervals;
  Intervals few = wanted;
  for (std::vector<int>& counts : few)
    for (int& n : counts) n = std::min(n, kMaxIntervals);
  PoissonModel model = Builder(the_case, few).build();
  model.points.clear();
  model.source.clear();
  model.data.clear();
  model.exact.clear();
  model.all_points = {};
  const std::size_t n_fast = wanted[1].size();
  Index offset = 0;
  for (std::size_t b = 0; b < model.grid.blocks.size(); ++b) {
    Block& block = model.grid.blocks[b];
    const int slow = wanted[0][b / n_fast], fast = wanted[1][b % n_fast];
    block.h_slow *= static_cast<double>(block.n_slow - 1) / slow;
    block.h_fast *= static_cast<double>(block.n_fast - 1) / fast;
    block.n_slow = slow + 1;
    block.n_fast = fast + 1;
    block.offset = offset;
    offset += block.size();
  }
  return model;
}

double points_of(const Case& the_case) {
  double n = 1.0;
  for (const std::vector<int>& counts : section_of<SbpSatCase>(the_case).intervals) {
    double along = 0.0;
    for (int intervals : counts) along += intervals + 1.0;
    n *= along;
  }
  return n;
}

std::vector<double> merge_blocks(const PoissonModel& model, const std::vector<double>& values) {
  std::vector<double> sums(static_cast<std::size_t>(model.all_points.size()), 0.0);
  std::vector<int> counts(sums.size(), 0);
  for (std::size_t b = 0; b < model.grid.blocks.size(); ++b) {
    const Block& block = model.grid.blocks[b];
    for (Index j = 0; j < block.n_slow; ++j)
      for (Index i = 0; i < block.n_fast; ++i) {
        const auto place = static_cast<std::size_t>(model.merged(b, j, i));
        sums[place] += values[static_cast<std::size_t>(block.offset + j * block.n_fast + i)];
        ++counts[place];
      }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] /= counts[k];
  return sums;
}

}  // namespace gwrm::sbp
