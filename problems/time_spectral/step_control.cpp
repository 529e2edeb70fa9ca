#include "problems/time_spectral/step_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "core/counted.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "problems/time_spectral/graded_subdomains.hpp"
#include "problems/time_spectral/initial_degrees.hpp"
#include "weighted_residual/model/characteristic_walls.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

constexpr double kSafety = 0.9;
constexpr double kMinShrink = 0.2;
constexpr int kMergedModes = 4;  // of a merged expansion
constexpr double kMergeBelow = 0.02;
constexpr double kMaxDegreeGrowth = 2.0;
constexpr double kShortenTo = 0.5;      // of the tolerance: initial values
constexpr double kCoarsenBelow = 1e-3;  // degrees fall where the tail is this far below the tolerance
constexpr double kMaxByDecay = 2.5;     // where the decay of the series is known
// In two and three dimensions an axis is divided where a series would have to be longer than this, or where its halves
// together need fewer coefficients.
constexpr int kLongestSeries = 96;
constexpr int kMinSubdomainDegree = 24;
constexpr double kHalfAsLong = 0.6;  // the degree that half a subdomain needs over that of the whole
// Bisection stops here: a front this thin is a shock to any polynomial.
constexpr double kShortestSubdomain = 1e-7;

}  // namespace

StepTolerances step_tolerances_at_corners(double tolerance) {
  return {0.3 * tolerance, tolerance / 3.0};
}

// Realised errors of runs with one axis of space or none (bench/peers/tolerance_runs.py): 0.001 to 0.5 T with these
// tails at T = 1e-3 .. 1e-11; a chaotic solution took 1.4 T with a tail of T in time. In two and three dimensions
// what is cut off adds up over the axes: errors of 7 to 10 T on the periodic Burgers problems for a tail of T, of 2 to
// 3 T on those whose values are given on the walls.
StepTolerances step_tolerances(const Model& model, double tolerance) {
  if (model.n_modal_axes() > 1) return {0.3 * tolerance, tolerance / (keeps_its_values_on_walls(model) ? 6.0 : 15.0)};
  return {0.5 * tolerance, tolerance};
}

double next_length(double h, double eta, double tolerance, double K, double most_growth) {
  if (eta == 0.0) return most_growth * h;
  return h * std::clamp(kSafety * std::pow(tolerance / eta, 1.0 / K), kMinShrink, most_growth);
}

double initial_rate(Window& probe) {
  WindowSystem& system = probe.system;
  std::vector<double> x(static_cast<std::size_t>(system.size()), 0.0), f(x.size());
  system.residual(x, f);
  double change = 0.0, size = 0.0;
  for (const RowBlock& row : system.rows())
    if (row.kind == RowBlock::Kind::equation)
      for (Index i = 0; i < element_count(row.extents); ++i) {
        const double value = f[static_cast<std::size_t>(row.offset + i)];
        change = std::max(change, std::abs(value));
      }
  for (const auto& field : probe.state)
    for (const Array& value : field)
      for (double v : value.data) size = std::max(size, std::abs(v));
  return size > 0.0 && std::isfinite(change) ? change / size : 0.0;
}

// The degree that brings the tail to half the tolerance: by the decay found at the end of the series, else as if the
// tail were that of a geometric series from 1 on.
static int needed_degree(int degree, double tail, double decay, double tolerance) {
  const double wanted = std::log(tail / (0.5 * tolerance));
  double factor = kMaxDegreeGrowth;
  if (decay > 0.0)
    return std::max(degree + 2, static_cast<int>(
                                    std::ceil(degree * std::clamp(1.0 + wanted / (decay * degree), 1.1, kMaxByDecay))));
  if (tail < 0.5) factor = std::log(0.5 * tolerance) / std::log(tail);
  return std::max(degree + 2, static_cast<int>(std::ceil(degree * std::clamp(factor, 1.1, kMaxDegreeGrowth))));
}

// Degrees of one axis in two and three dimensions: `longer` is what the worst subdomain needs as it is, `divided` what
// is needed once the subdomains above the tolerance are bisected, whose coefficients then fall twice as fast.
struct DegreeChoice {
  int longer = 0, divided = 0;
  Index n_divided = 0;  // subdomains after that
};
static DegreeChoice choose_degree(const AxisDescription& subdomains, const std::vector<double>& tails,
                                  const std::vector<double>& decays, const EndPowers& powers, double tolerance) {
  DegreeChoice choice{subdomains.degree, kMinSubdomainDegree, subdomains.n_subdomains()};
  for (std::size_t p = 0; p < tails.size(); ++p) {
    const double decay = decays.empty() ? 0.0 : decays[p];
    if (tails[p] > tolerance) {
      const double power = std::max(p == 0 ? powers[0] : 0.0, p + 1 == tails.size() ? powers[1] : 0.0);
      int needed = needed_degree(subdomains.degree, tails[p], decay, tolerance);
      if (power > 0.0)
        needed = std::clamp(degree_by_power(subdomains.degree, tails[p], power, tolerance), needed,
                            static_cast<int>(kMaxByDecay * subdomains.degree));
      choice.longer = std::max(choice.longer, needed);
      choice.divided = std::max(choice.divided, static_cast<int>(std::ceil(kHalfAsLong * needed)));
      ++choice.n_divided;
    } else {
      const double spare = decay > 0.0 && tails[p] > 0.0 ? std::log(0.5 * tolerance / tails[p]) / decay : 0.0;
      choice.divided = std::max(choice.divided, subdomains.degree - std::max(0, static_cast<int>(spare)));
    }
  }
  return choice;
}

bool refine(const Model& model, const Tails& tails, double tolerance, const Case::Resolution& limits,
            std::vector<AxisDescription>& subdomains, std::string& limit) {
  bool changed = false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    const std::vector<double>& of_axis = tails.space[axis];
    AxisDescription& mine = subdomains[axis];
    const std::string& name = model.axes[axis].name;
    if (of_axis.empty() || *std::max_element(of_axis.begin(), of_axis.end()) <= tolerance) continue;
    const auto basis = make_basis(mine);
    const bool stays_whole = model.axes[axis].kind == AxisKind::parameter || !basis->can_be_divided() ||
                             is_lower_beside_another(model, axis) || is_closed_by_equation(model, axis);
    const EndPowers powers = tails.powers.empty() ? EndPowers{} : tails.powers[axis];
    if (model.n_modal_axes() > 1 && !stays_whole) {
      AxisDescription toward_ends = graded(mine, of_axis, powers, tolerance, limits.max_degree);
      if (toward_ends != mine && toward_ends.n_subdomains() <= limits.max_domains) {
        mine = std::move(toward_ends);
        changed = true;
        continue;
      }
    }
    if (model.n_modal_axes() > 1 || stays_whole) {
      const DegreeChoice choice = choose_degree(
          mine, of_axis, tails.decay.empty() ? std::vector<double>{} : tails.decay[axis], powers, tolerance);
      if (stays_whole && mine.degree >= limits.max_degree)
        limit = fmt::format("degree {} along {} is not enough (resolution.limits.degree)", mine.degree, name);
      const Index n_longer = mine.n_subdomains() * basis->n_below(choice.longer + 1),
                  n_divided = choice.n_divided * basis->n_below(choice.divided + 1);
      if (stays_whole || (choice.longer <= std::min(kLongestSeries, limits.max_degree) && n_longer <= n_divided)) {
        mine.degree = std::min(choice.longer, limits.max_degree);
        changed = true;
        continue;
      }
      mine.degree = std::min({choice.divided, kLongestSeries, limits.max_degree});
    }
    const double shortest = kShortestSubdomain * (mine.edges.back() - mine.edges.front());
    AxisDescription finer = mine;
    finer.edges = {mine.edges.front()};
    for (std::size_t p = 0; p < of_axis.size(); ++p) {
      const double lower = mine.edges[p], upper = mine.edges[p + 1];
      if (of_axis[p] > tolerance) {
        if (upper - lower < 2.0 * shortest)
          limit =
              fmt::format("the solution is not smooth near {} = {:.9g}: subdomains of length {:.1e} do not resolve it",
                          name, 0.5 * (lower + upper), upper - lower);
        finer.edges.push_back(0.5 * (lower + upper));
      }
      finer.edges.push_back(upper);
    }
    if (finer.n_subdomains() > limits.max_domains)
      limit = fmt::format("{} along {} {} not enough (resolution.limits.domains)",
                          counted(mine.n_subdomains(), "subdomain"), name, mine.n_subdomains() == 1 ? "is" : "are");
    mine = std::move(finer);
    changed = true;
  }
  return changed;
}

void coarsen(const Model& model, std::span<const std::unique_ptr<Window>> windows, const FieldScales& sizes,
             double tolerance, std::vector<AxisDescription>& subdomains, std::span<const int> levels) {
  const int time = model.time_axis();
  // Per point and field, the coefficients in space at the end of the window.
  std::vector<std::pair<int, Array>> ends;
  for (const auto& window : windows)
    for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
      const Array& a = window->coefficients()[at(f)];
      if (time >= 0 && model.fields[f].depends_on(time))
        ends.emplace_back(
            f, block_transform(window->system.context(), a, at(time),
                               BlockMatrix(window->discretisation.basis(time).at_positions(std::array{1.0}))));
      else
        ends.emplace_back(f, a);
    }
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    AxisDescription& mine = subdomains[axis];
    const auto tail_on = [&](const AxisDescription& candidate, int n_levels, Index subdomain) {
      double worst = 0.0;
      for (const auto& [f, a] : ends) {
        if (!model.fields[f].depends_on(axis)) continue;
        const Array on = block_transform(windows.front()->system.context(), a, at(axis), conversion(mine, candidate));
        worst = std::max(worst, subdomain_tails(on, axis, candidate, n_levels)[static_cast<std::size_t>(subdomain)] /
                                    sizes.of(f, windows.front()->length()));
      }
      return worst;
    };
    if ((model.n_modal_axes() > 1 && mine.n_subdomains() == 1) || !make_basis(mine)->can_be_divided()) {
      const int degree = std::max(model.subdomains[axis].degree, mine.degree * 4 / 5);
      if (degree < mine.degree &&
          tail_on(mine, mine.degree + 1 - degree + tail_levels(levels, axis), 0) < kCoarsenBelow * tolerance)
        mine.degree = degree;
      continue;
    }
    for (Index p = 0; p + 1 < mine.n_subdomains();) {
      AxisDescription merged = mine;
      merged.edges.erase(merged.edges.begin() + p + 1);
      if (are_siblings(mine, model.subdomains[axis], p) && tail_on(merged, kMergedModes, p) < kMergeBelow * tolerance) {
        for (auto& [f, a] : ends)
          if (model.fields[f].depends_on(axis))
            a = block_transform(windows.front()->system.context(), a, at(axis), conversion(mine, merged));
        mine = std::move(merged);
        p += 1;
      } else {
        ++p;
      }
    }
  }
}

}  // namespace gwrm
