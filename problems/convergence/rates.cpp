#include "problems/convergence/rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/errors.hpp"
#include "core/straight_line.hpp"

namespace gwrm {
namespace {

constexpr double kNoRate = std::numeric_limits<double>::quiet_NaN();
constexpr double kMinError = 1e-300;       // an error of 0 has no logarithm
constexpr double kUnresolved = 0.1;        // errors of the solution's own size follow no law yet
constexpr double kRoundingCeiling = 1e-8;  // above it a level that stays is not taken for rounding
constexpr double kSurelyRounding = 1e-13;  // below it a single level is
constexpr double kStays = 3.0;             // rounding errors scatter: a floor falls by less than this factor
constexpr double kMissed = 3.0;            // and the law of the levels before lies below it by this factor
constexpr double kPlateauStays = 1.5;      // the same for a plateau that is no rounding
constexpr double kPlateauMissed = 10.0;
constexpr std::size_t kMinLevels = 4;  // levels are fitted where there are so many, and not
constexpr std::size_t kLeftOut = 3;    // the first third of more: it is not asymptotic yet
constexpr double kFalls = 1.5;         // over all fitted levels, or there is no law
constexpr double kHighestOrder = 15;   // beyond it a power is only another curve through few points
constexpr double kClearly = 1.5;       // ln of the likelihood ratio of the laws: odds of 4.5 to 1

double log_error(double e) {
  return std::log(std::max(e, kMinError));
}

// ln e = a - rate x over [first, end).
template <class Abscissa>
LawFit fit(std::span<const double> sizes, std::span<const double> errors, std::size_t first, std::size_t end,
           Abscissa x) {
  if (end < first + 2) return {kNoRate, kNoRate, kNoRate};
  std::vector<double> abscissas, ordinates;
  for (std::size_t i = first; i < end; ++i) {
    abscissas.push_back(x(sizes[i]));
    ordinates.push_back(log_error(errors[i]));
  }
  const StraightLine line(abscissas, ordinates);
  return {-line.slope, std::exp(line.at(0.0)), line.rms};
}

LawFit fit_algebraic(std::span<const double> sizes, std::span<const double> errors, std::size_t first,
                     std::size_t end) {
  const double direction = sizes.size() > 1 && sizes[1] < sizes[0] ? -1.0 : 1.0;
  return fit(sizes, errors, first, end, [&](double N) { return direction * std::log(N); });
}

LawFit fit_exponential(std::span<const double> sizes, std::span<const double> errors, std::size_t first,
                       std::size_t end) {
  if (sizes.size() > 1 && sizes[1] < sizes[0]) return {kNoRate, kNoRate, kNoRate};
  return fit(sizes, errors, first, end, [](double N) { return N; });
}

ConvergenceLaw choose(const LawFit& algebraic, const LawFit& exponential, std::size_t n_levels) {
  if (n_levels < 2) return ConvergenceLaw::none;
  if (std::isnan(exponential.rate)) return ConvergenceLaw::algebraic;
  if (n_levels == 2) return ConvergenceLaw::undecided;  // both laws pass through two points
  // Deviations taken for normal errors: the likelihoods are (1/deviation)^n.
  const double odds = static_cast<double>(n_levels) * std::log(algebraic.deviation / exponential.deviation);
  const bool is_a_power = algebraic.rate < kHighestOrder;
  if (odds > kClearly || (!is_a_power && odds > -kClearly)) return ConvergenceLaw::exponential;
  if (odds < -kClearly && is_a_power) return ConvergenceLaw::algebraic;
  return ConvergenceLaw::undecided;
}

// What the levels [0, before) let expect at size N; the law that fits them better speaks.
double expected(std::span<const double> sizes, std::span<const double> errors, std::size_t before, double N) {
  const LawFit algebraic = fit_algebraic(sizes, errors, 0, before);
  const LawFit exponential = fit_exponential(sizes, errors, 0, before);
  const double direction = sizes[1] < sizes[0] ? -1.0 : 1.0;
  const double by_order = algebraic.constant * std::exp(-direction * algebraic.rate * std::log(N));
  if (std::isnan(exponential.rate)) return by_order;
  const double by_rate = exponential.constant * std::exp(-exponential.rate * N);
  // Two levels cannot tell the laws apart: the slower one is the careful guess.
  if (before == 2) return std::max(by_order, by_rate);
  return exponential.deviation < algebraic.deviation ? by_rate : by_order;
}

bool stays(std::span<const double> errors, std::size_t from, double factor) {
  return std::all_of(errors.begin() + static_cast<std::ptrdiff_t>(from), errors.end(),
                     [&](double e) { return std::max(e, kMinError) * factor > errors[from]; });
}

// The first level of the floor, or errors.size().
std::size_t floor_start(std::span<const double> sizes, std::span<const double> errors, bool& is_rounding) {
  const std::size_t n = errors.size();
  is_rounding = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (errors[i] > kRoundingCeiling || !stays(errors, i, kStays)) continue;
    if (errors[i] < kSurelyRounding && (i > 0 || n == 1)) return i;
    if (i + 1 == n || i < 1) continue;
    if (expected(sizes, errors, std::max<std::size_t>(i, 2), sizes[n - 1]) * kMissed < errors[n - 1]) return i;
  }
  is_rounding = false;
  for (std::size_t i = 2; i + 1 < n; ++i)
    if (stays(errors, i, kPlateauStays) && expected(sizes, errors, i, sizes[n - 1]) * kPlateauMissed < errors[n - 1])
      return i;
  return n;
}

void check(std::span<const double> sizes, std::span<const double> errors) {
  if (sizes.size() != errors.size()) throw ShapeError("as many errors as sizes");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool ordered = i < 2 || (sizes[i] > sizes[i - 1]) == (sizes[1] > sizes[0]);
    if (!(sizes[i] > 0.0) || !std::isfinite(errors[i]) || errors[i] < 0.0 || !ordered ||
        (i > 0 && sizes[i] == sizes[i - 1]))
      throw ShapeError("rates need monotonic positive sizes and finite errors");
  }
}

}  // namespace

ObservedRates observe_rates(std::span<const double> sizes, std::span<const double> errors) {
  check(sizes, errors);
  const std::size_t n = sizes.size();
  ObservedRates result;
  result.orders.assign(n, kNoRate);
  result.rates.assign(n, kNoRate);
  for (std::size_t i = 1; i < n; ++i) {
    const double fall = log_error(errors[i - 1]) - log_error(errors[i]);
    result.orders[i] = fall / std::abs(std::log(sizes[i] / sizes[i - 1]));
    if (sizes[i] > sizes[i - 1]) result.rates[i] = fall / (sizes[i] - sizes[i - 1]);
  }
  result.end = floor_start(sizes, errors, result.floor_is_rounding);
  result.floor = kNoRate;
  if (result.end < n)
    result.floor = *std::max_element(errors.begin() + static_cast<std::ptrdiff_t>(result.end), errors.end());
  while (result.end - result.first > 3 && errors[result.first] > kUnresolved) ++result.first;
  const std::size_t n_left = result.end - result.first;
  if (n_left > kMinLevels) result.first += std::min(n_left / kLeftOut, n_left - kMinLevels);
  result.algebraic = fit_algebraic(sizes, errors, result.first, result.end);
  result.exponential = fit_exponential(sizes, errors, result.first, result.end);
  result.law = choose(result.algebraic, result.exponential, result.end - result.first);
  if (result.end - result.first >= 2 && errors[result.end - 1] * kFalls > errors[result.first])
    result.law = ConvergenceLaw::none;
  return result;
}

std::string law_text(const ObservedRates& rates, std::span<const double> sizes, const std::string& size_name) {
  const std::size_t n_levels = rates.end - rates.first;
  std::string text;
  const std::string& N = size_name;
  const std::string algebraic =
      fmt::format("e ~ {:.2g} {}^{:.2f}", rates.algebraic.constant, N,
                  sizes.size() > 1 && sizes[1] < sizes[0] ? rates.algebraic.rate : -rates.algebraic.rate);
  const std::string exponential =
      fmt::format("e ~ {:.2g} exp({:.3g} {}), a factor of {:.3g} per unit of {}", rates.exponential.constant,
                  -rates.exponential.rate, N, std::exp(rates.exponential.rate), N);
  switch (rates.law) {
    case ConvergenceLaw::none:
      text = n_levels < 2 ? "no law: fewer than two levels above the floor" : "no law: the error does not fall";
      break;
    case ConvergenceLaw::algebraic:
      text = fmt::format("algebraic of order {:.3g}: {}", rates.algebraic.rate, algebraic);
      break;
    case ConvergenceLaw::exponential:
      text = fmt::format("exponential: {}", exponential);
      break;
    case ConvergenceLaw::undecided:
      text = fmt::format("undecided between {} and {}", algebraic, exponential);
      break;
  }
  if (n_levels >= 3 && !std::isnan(rates.exponential.deviation))
    text += fmt::format(
        "; over the {} levels {} = {:.10g} to {:.10g} ln e is off a straight line by {:.2g} against {}, by {:.2g} "
        "against "
        "ln {}",
        n_levels, N, sizes[rates.first], sizes[rates.end - 1], rates.exponential.deviation, N,
        rates.algebraic.deviation, N);
  else if (n_levels >= 2)
    text += fmt::format("; over the {} levels {} = {:.10g} to {:.10g}", n_levels, N, sizes[rates.first],
                        sizes[rates.end - 1]);
  if (rates.end < sizes.size())
    text += fmt::format("; from {} = {:.10g} on {} at {:.1e}", N, sizes[rates.end],
                        rates.floor_is_rounding ? "the round-off floor" : "held up by something that is not varied",
                        rates.floor);
  return text;
}

}  // namespace gwrm
