#include "problems/time_spectral/tails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "basis/levels.hpp"
#include "core/parallel_loop.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kTimes = 9;  // at which space is looked at
constexpr int kMinDegreeForDecay = 16;
constexpr double kLeastTailShare = 1e-6;  // of what a field is compared with
// Of tails from one window to the next; below round-off they say nothing.
constexpr double kMaxExpectedGrowth = 10.0, kRoundOff = 1e-13;
// In two and three dimensions tails are weighed as if all series fell at least by this per degree.
constexpr double kUsualDecay = 0.2, kMaxWeight = 20.0;

// Values at kTimes instants from start to end, from the coefficients in t.
Matrix instants(const AxisDescription& time) {
  std::array<double, kTimes> positions{};
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] = -1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(kTimes - 1);
  return make_basis(time)->at_positions(positions);
}

// Largest size of the last two coefficients in t as functions of space.
double time_tail(const Context& context, const Array& a, int time, const Model& model,
                 const std::vector<AxisDescription>& subdomains) {
  const Index first = make_basis(subdomains[time])->n_below(std::max(0, subdomains[time].degree - 1));
  Array last;  // time is the first axis
  last.shape = a.shape;
  last.shape[time] -= first;
  last.data.assign(a.data.begin() + first * (a.size() / a.shape[time]), a.data.end());
  const std::vector<double> sizes = sizes_in_time(context, last, time, model, subdomains);
  return *std::max_element(sizes.begin(), sizes.end());
}

// Fall of the logarithm of the largest coefficients per level on each subdomain, from three quarters of the degree to
// the last levels.
std::vector<double> subdomain_decays(const Array& a, int axis, const AxisDescription& subdomains) {
  std::vector<double> decays(static_cast<std::size_t>(subdomains.n_subdomains()), 0.0);
  const int degree = subdomains.degree, before = 3 * degree / 4;
  if (degree < kMinDegreeForDecay) return decays;
  const std::vector<double> last = subdomain_tails(a, axis, subdomains, kTailModes);
  const std::vector<double> earlier =
      largest_levels(a, at(axis), *make_basis(subdomains), before + 1 - kTailModes, before + 1);
  for (std::size_t p = 0; p < decays.size(); ++p)
    if (last[p] > 0.0 && earlier[p] > last[p]) decays[p] = std::log(earlier[p] / last[p]) / (degree - before);
  return decays;
}

// Where a field's tail at an end is the largest so far, its power counts there.
void take_powers(EndPowers& powers, const std::vector<double>& tails, const EndPowers& others,
                 const std::vector<double>& own, double size) {
  if (tails.empty() || own.front() / size > tails.front()) powers[0] = others[0];
  if (tails.empty() || own.back() / size > tails.back()) powers[1] = others[1];
}

void take_larger(std::vector<double>& tails, const std::vector<double>& others, double size) {
  tails.resize(others.size(), 0.0);
  for (std::size_t i = 0; i < others.size(); ++i) tails[i] = std::max(tails[i], others[i] / size);
}

// What a series that ends with the tail leaves out is their sum, 1 / (1 - exp(-decay)) times the tail: slowly falling
// series count for more than their last coefficients. (On the periodic Burgers problem, nu = 0.03, a series with decay
// 0.03 and a tail of 2e-8 erred 30 times as much as subdomains with decay 0.2 and the same tail.)
void weigh_by_decay(const Model& model, Tails& tails) {
  if (model.n_modal_axes() < 2) return;
  for (std::size_t axis = 0; axis < tails.space.size(); ++axis)
    for (std::size_t p = 0; p < tails.decay[axis].size(); ++p)
      if (const double decay = tails.decay[axis][p]; decay > 0.0)
        tails.space[axis][p] *= std::clamp((1.0 - std::exp(-kUsualDecay)) / (1.0 - std::exp(-decay)), 1.0, kMaxWeight);
}

void take_smaller(std::vector<double>& decays, const std::vector<double>& others) {
  if (decays.empty()) decays = others;
  for (std::size_t i = 0; i < others.size(); ++i) decays[i] = std::min(decays[i], others[i]);
}

}  // namespace

std::vector<double> sizes_in_time(const Context& context, const Array& a, int time, const Model& model,
                                  const std::vector<AxisDescription>& subdomains) {
  const Index n_levels = a.shape[time];  // time is the first axis
  std::vector<int> divided;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && a.shape[axis] > 1) divided.push_back(axis);
  Index n = divided.empty() ? 1 : make_basis(subdomains[divided.front()])->n_per_subdomain();
  Array at_points;
  const Array* values = &a;
  if (divided.size() > 1) {
    for (int axis : divided) {  // values at about as many points as there are coefficients
      const auto basis = make_basis(subdomains[axis]);
      at_points = block_transform(context, *values, at(axis), basis->synthesis(basis->n_points(1), 0));
      values = &at_points;
    }
    n = 1;
  }
  std::vector<double> sizes(static_cast<std::size_t>(n_levels), 0.0);
  auto value = values->data.begin();
  for (double& size : sizes)
    for (Index i = 0; i < values->size() / n_levels; i += n) {
      double sum = 0.0;
      for (Index l = 0; l < n; ++l) sum += std::abs(*value++);
      size = std::max(size, sum);
    }
  return sizes;
}

std::vector<double> subdomain_tails(const Array& a, int axis, const AxisDescription& subdomains, int n_levels) {
  return largest_tails(a, at(axis), *make_basis(subdomains), n_levels);
}

int tail_levels(std::span<const int> levels, int axis) {
  return levels.empty() ? kTailModes : std::max(kTailModes, levels[static_cast<std::size_t>(axis)]);
}

void FieldScales::update(const Window& window) {
  update(window.system.model(), window.coefficients(), window.discretisation.subdomains(),
         window.system.context().n_threads());
}

void FieldScales::update(const Model& model, const std::vector<Array>& coefficients,
                         const std::vector<AxisDescription>& subdomains, int n_threads) {
  constexpr Index kWorthThreads = 1000000;  // numbers
  Index n = 0;
  for (const Array& of_field : coefficients) n += of_field.size();
  const bool in_threads = n_threads > 1 && n > kWorthThreads;
  for_each_index(std::ssize(sizes_), in_threads, n_threads, [&](Index i) {
    const auto f = static_cast<std::size_t>(i);
    // The largest of the subdomains matters, not how many there are.
    Index n_subdomains = 1;
    for (int axis : model.fields[f].axes)
      if (model.is_modal(axis)) n_subdomains *= subdomains[axis].n_subdomains();
    double sum = 0.0;
    for (double value : coefficients[f].data) sum += value * value;
    sizes_[f] = std::max(sizes_[f], std::sqrt(sum / static_cast<double>(n_subdomains)));
  });
  find_small_by_units();
}

void FieldScales::update(const std::vector<double>& sizes) {
  for (std::size_t f = 0; f < sizes.size(); ++f) sizes_[f] = std::max(sizes_[f], sizes[f]);
  find_small_by_units();
}

void FieldScales::find_small_by_units() {
  const double largest = *std::max_element(sizes_.begin(), sizes_.end());
  const bool any_small = std::any_of(sizes_.begin(), sizes_.end(),
                                     [&](double size) { return size > 0.0 && size <= kLeastTailShare * largest; });
  if (any_small && !coupling_) coupling_ = std::make_shared<const SizeCoupling>(*model_);
  by_units_ = any_small ? coupling_->small_by_units(sizes_, kLeastTailShare) : std::vector<bool>(sizes_.size(), false);
}

namespace {

// v(x=0) = u(x=1): values of the second unknown become those of the first.
std::vector<std::vector<int>> values_from(const Model& model) {
  std::vector<std::vector<int>> from(model.fields.size());
  for (const ConditionModel& condition : model.conditions) {
    const expression::Expr e = condition.residual;
    if (condition.axis < 0 || condition.equation < 0 || e->op != expression::Op::subtract ||
        !expression::is_atom(e->args[0]) || !expression::is_atom(e->args[1]))
      continue;
    const expression::Atom a = expression::atom_of(*model.pool, e->args[0]),
                           b = expression::atom_of(*model.pool, e->args[1]);
    const int own = model.equations[at(condition.equation)].field;
    if (a.field == b.field || (a.field != own && b.field != own) || a.orders != b.orders) continue;
    from[at(own)].push_back(a.field == own ? b.field : a.field);
  }
  for (std::size_t f = 0; f < from.size(); ++f)  // and theirs
    for (std::size_t i = 0; i < from[f].size(); ++i)
      for (int further : std::vector<int>(from[at(from[f][i])]))
        if (further != static_cast<int>(f) && std::find(from[f].begin(), from[f].end(), further) == from[f].end())
          from[f].push_back(further);
  return from;
}

}  // namespace

FieldScales::FieldScales(const Model& model)
    : model_(&model),
      sizes_(model.fields.size(), 0.0),
      by_units_(sizes_.size(), false),
      from_(values_from(model)),
      multipliers_(sizes_of_multipliers(model)) {
  for (const FieldModel& field : model.fields)
    is_zero_.push_back(field.exact != nullptr && expression::is_zero(field.exact));
}

double FieldScales::of(int field, double window_length) const {
  const double largest = *std::max_element(sizes_.begin(), sizes_.end());
  if (is_zero_[field] && largest > 0.0) return largest;
  double compared = by_units_[at(field)] ? 0.0 : largest;
  for (const SizeOfMultiplier& multiplier : multipliers_)
    if (multiplier.field == field)
      compared = std::max(compared, largest * multiplier.factor / std::pow(window_length, multiplier.time_order));
  double own = sizes_[at(field)];
  for (int other : from_[at(field)]) own = std::max(own, sizes_[at(other)]);
  return largest > 0.0 ? std::max(own, kLeastTailShare * compared) : 1.0;
}

Tails measure_tails(const Window& window, const FieldScales& sizes, std::span<const int> levels,
                    const std::vector<bool>& ignored, const std::vector<Array>* coefficients) {
  const Model& model = window.system.model();
  const int time = model.time_axis();
  const std::vector<AxisDescription> subdomains = window.discretisation.subdomains();
  Tails tails;
  tails.space.resize(model.axes.size());
  tails.decay.resize(model.axes.size());
  tails.powers.resize(model.axes.size());
  tails.time_of.resize(model.fields.size(), 0.0);
  double worst = 0.0;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    if (!ignored.empty() && ignored[at(f)]) continue;
    const Array& all = coefficients != nullptr ? (*coefficients)[at(f)] : window.coefficients()[at(f)];
    const double size = sizes.of(f, window.length());
    Array at_instants;
    if (time >= 0 && model.fields[f].depends_on(time)) {
      const double tail = time_tail(window.system.context(), all, time, model, subdomains) / size;
      tails.time_of[at(f)] = tail;
      if (!(tail <= tails.time)) {
        tails.time = tail;
        tails.worst_time = model.fields[f].name;
      }
      at_instants = block_transform(window.system.context(), all, at(time), BlockMatrix(instants(subdomains[time])));
    }
    const Array& a = at_instants.data.empty() ? all : at_instants;
    for (int axis : model.fields[f].axes) {
      if (!model.is_modal(axis)) continue;
      std::vector<double>& of_axis = tails.space[axis];
      const ShorterSeries shorter(a, at(axis), subdomains[axis], model.fields[f].n_lower[at(axis)]);
      const Array& series = shorter.coefficients();
      const AxisDescription& on = shorter.description();
      const std::vector<double> own = subdomain_tails(series, axis, on, tail_levels(levels, axis));
      take_powers(tails.powers[axis], of_axis, end_powers(series, axis, on), own, size);
      take_larger(of_axis, own, size);
      take_smaller(tails.decay[axis], subdomain_decays(series, axis, on));
      for (std::size_t p = 0; p < own.size(); ++p) {
        const double tail = own[p] / size;
        if (!(tail <= worst)) {
          worst = tail;
          tails.worst_space = fmt::format("{} along {}, {:.6g} to {:.6g}", model.fields[f].name, model.axes[axis].name,
                                          subdomains[axis].edges[p], subdomains[axis].edges[p + 1]);
        }
      }
    }
  }
  weigh_by_decay(model, tails);
  return tails;
}

Tails measure_state(const Model& model, const std::vector<AxisDescription>& subdomains, const State& state) {
  Tails tails;
  tails.space.resize(model.axes.size());
  double worst = 0.0;
  for (std::size_t f = 0; f < state.size(); ++f)
    for (const Array& a : state[f]) {
      double size = 0.0;
      for (double value : a.data) size = std::max(size, std::abs(value));
      for (int axis : model.fields[f].axes) {
        if (!model.is_modal(axis)) continue;
        const std::vector<double> own = subdomain_tails(a, axis, subdomains[axis], kTailModes);
        tails.space[axis].resize(own.size(), 0.0);
        for (std::size_t p = 0; p < own.size(); ++p) {
          const double tail = size > 0.0 ? own[p] / size : 0.0;
          tails.space[axis][p] = std::max(tails.space[axis][p], tail);
          if (tail <= worst) continue;
          worst = tail;
          tails.worst_space =
              fmt::format("the initial value of {} along {}, {:.6g} to {:.6g}", model.fields[f].name,
                          model.axes[axis].name, subdomains[axis].edges[p], subdomains[axis].edges[p + 1]);
        }
      }
    }
  return tails;
}

Tails expected_tails(const Window& window, const FieldScales& sizes, double next, std::span<const int> levels) {
  const Model& model = window.system.model();
  const int time = model.time_axis();
  const std::vector<AxisDescription> subdomains = window.discretisation.subdomains();
  const auto in_time = make_basis(subdomains[time]);
  const double spans = next / (0.5 * (window.end() - window.start()));
  Tails tails;
  tails.space.resize(model.axes.size());
  tails.decay.resize(model.axes.size());
  tails.powers.resize(model.axes.size());
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    if (!model.fields[f].depends_on(time)) continue;
    const Array& a = window.coefficients()[at(f)];
    const auto at_instant = [&](double tau) {
      return block_transform(window.system.context(), a, at(time),
                             BlockMatrix(in_time->at_positions(std::span(&tau, 1))));
    };
    const Array middle = at_instant(0.0), end = at_instant(1.0);
    for (int axis : model.fields[f].axes) {
      if (!model.is_modal(axis)) continue;
      const int n_lower = model.fields[f].n_lower[at(axis)];
      const ShorterSeries of_end(end, at(axis), subdomains[axis], n_lower),
          of_middle(middle, at(axis), subdomains[axis], n_lower);
      const Array &at_end = of_end.coefficients(), &at_middle = of_middle.coefficients();
      const AxisDescription& mine = of_end.description();
      std::vector<double> expected = subdomain_tails(at_end, axis, mine, tail_levels(levels, axis));
      std::vector<double> decays = subdomain_decays(at_end, axis, mine);
      const std::vector<double> before = subdomain_tails(at_middle, axis, mine, tail_levels(levels, axis));
      const std::vector<double> decays_before = subdomain_decays(at_middle, axis, mine);
      for (std::size_t p = 0; p < expected.size(); ++p) {
        if (expected[p] < kRoundOff * sizes.of(f, window.length()) || before[p] == 0.0) continue;
        expected[p] *= std::clamp(std::pow(expected[p] / before[p], spans), 1.0, kMaxExpectedGrowth);
        decays[p] = std::max(0.5 * decays[p], decays[p] + spans * std::min(0.0, decays[p] - decays_before[p]));
      }
      take_powers(tails.powers[axis], tails.space[axis], end_powers(at_end, axis, mine), expected,
                  sizes.of(f, window.length()));
      take_larger(tails.space[axis], expected, sizes.of(f, window.length()));
      take_smaller(tails.decay[axis], decays);
    }
  }
  weigh_by_decay(model, tails);
  return tails;
}

Tails largest_of(const Tails& a, const Tails& b) {
  Tails result = a.time >= b.time ? a : b;
  const auto worst = [](const Tails& t) {
    double value = 0.0;
    for (const auto& axis : t.space)
      for (double tail : axis) value = std::max(value, tail);
    return value;
  };
  result.worst_space = worst(a) >= worst(b) ? a.worst_space : b.worst_space;
  result.time_of = a.time_of;
  for (std::size_t f = 0; f < result.time_of.size() && f < b.time_of.size(); ++f)
    result.time_of[f] = std::max(a.time_of[f], b.time_of[f]);
  result.powers = a.powers;
  for (std::size_t axis = 0; axis < b.powers.size() && axis < a.powers.size(); ++axis)
    if (!b.space[axis].empty()) take_powers(result.powers[axis], a.space[axis], b.powers[axis], b.space[axis], 1.0);
  for (std::size_t axis = 0; axis < a.space.size(); ++axis)
    for (std::size_t p = 0; p < a.space[axis].size(); ++p)
      result.space[axis][p] = std::max(a.space[axis][p], b.space[axis][p]);
  for (std::size_t axis = 0; axis < result.decay.size() && axis < b.decay.size(); ++axis) {
    result.decay[axis] = a.decay.size() > axis ? a.decay[axis] : std::vector<double>{};
    take_smaller(result.decay[axis], b.decay[axis]);
  }
  return result;
}

}  // namespace gwrm
