#include "problems/eigenvalue/mode_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/eigenvalue/mode_solution.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/tails.hpp"
#include "problems/time_spectral/verification.hpp"

namespace gwrm {
namespace {

constexpr int kLastLevels = 2;     // as of every tail that is judged
constexpr double kNothing = 1e-8;  // an unknown this small beside the others is rounding

// Rounding, relative (-u'' + c u', c = 20 .. 50: 5e-16 to 9e-16 times the condition number). Two eigenvalues are one if
// ten times as much parts them.
constexpr double kModeRounding = 1e-15, kPartedByRounding = 1e-14, kPartedShare = 0.1;
constexpr double kLeastDefective = 1e4, kMostConditionKnown = 1e12;  // condition numbers

// Of each kind and subject the largest, with the mode that it is of.
void keep_worst(std::vector<Check>& worst, Check check, std::size_t mode, std::vector<std::size_t>& of_mode) {
  const auto same = std::find_if(worst.begin(), worst.end(), [&](const Check& other) {
    return other.kind == check.kind && other.subject == check.subject;
  });
  if (same == worst.end()) {
    worst.push_back(std::move(check));
    of_mode.push_back(mode);
  } else if (std::isnan(check.value) || check.value > same->value) {
    of_mode[static_cast<std::size_t>(same - worst.begin())] = mode;
    *same = std::move(check);
  }
}

double residual_of(const Pencil& finer, std::complex<double> value, const Eigen::VectorXcd& v) {
  double size = 0.0;
  std::complex<double> factor = 1.0;
  for (int power = 0; power < 3; ++power, factor *= value)
    size += std::abs(factor) * std::hypot(finer.apply(power, v.real()).norm(), finer.apply(power, v.imag()).norm());
  return size == 0.0 ? 0.0 : finer.apply(value, v).norm() / size;
}

std::vector<Check> tails_of(const Case& the_case, const Pencil& pencil, const Mode& mode) {
  const Model& model = pencil.system().model();
  const std::vector<AxisDescription> subdomains = pencil.system().discretisation().subdomains();
  std::vector<Check> checks;
  for (std::size_t f = 0; f + 1 < model.fields.size(); ++f) {
    const FieldModel& field = model.fields[f];
    Array sizes = pencil.system().coefficients(pencil.unknowns(mode.vector.real()), static_cast<int>(f));
    const Array imaginary = pencil.system().coefficients(pencil.unknowns(mode.vector.imag()), static_cast<int>(f));
    for (std::size_t i = 0; i < sizes.data.size(); ++i) sizes.data[i] = std::hypot(sizes.data[i], imaginary.data[i]);
    const double largest = largest_magnitude(sizes.data);
    if (largest == 0.0) continue;
    for (int axis : field.axes) {
      const std::vector<double> tails =
          subdomain_tails(sizes, axis, subdomains[axis], kLastLevels + field.n_lower[axis]);
      checks.push_back({"tail", fmt::format("{} along {}", field.name, model.axes[axis].name),
                        *std::max_element(tails.begin(), tails.end()) / largest, the_case.verification.tail});
    }
  }
  return checks;
}

}  // namespace

double separation_of(const std::vector<Mode>& modes, std::size_t k) {
  std::vector<double> others;
  for (std::size_t j = 0; j < modes.size(); ++j)
    if (j != k) others.push_back(std::abs(modes[j].value - modes[k].value));
  std::sort(others.begin(), others.end());
  if (others.empty()) return std::abs(modes[k].value);
  return others.size() == 1 ? others[0] : (others[0] + others[1]) / 2.0;
}

double size_of(const std::vector<Mode>& modes, std::size_t k) {
  return std::max(std::abs(modes[k].value), separation_of(modes, k));
}

RoundingOfMode rounding_of(const std::vector<Mode>& modes, std::size_t k) {
  const double condition = std::min(modes[k].condition, kMostConditionKnown), size = size_of(modes, k);
  RoundingOfMode rounding{kModeRounding * condition * size, 0.0};
  if (!(condition > kLeastDefective)) return rounding;
  double gap = modes[k].value.imag() != 0.0 ? 2.0 * std::abs(modes[k].value.imag()) : HUGE_VAL;  // to its conjugate
  for (std::size_t j = 0; j < modes.size(); ++j)
    if (j != k) gap = std::min(gap, std::abs(modes[j].value - modes[k].value));
  if (kPartedByRounding * condition * size >= kPartedShare * gap) rounding = {gap, gap / size};
  return rounding;
}

std::vector<double> distances(const Pencil& pencil, const Mode& mode, const Pencil& finer, const Mode& other) {
  const Model& model = pencil.system().model();
  const Eigen::VectorXcd v = carried(pencil, mode.vector, finer);
  const Eigen::VectorXd shares = finer.shares();
  const std::complex<double> factor = (other.vector.conjugate().array() * shares.array() * v.array()).sum() /
                                      (shares.array() * other.vector.array().abs2()).sum();
  const Eigen::VectorXcd moved = v - factor * other.vector;
  std::vector<std::vector<double>> points;
  for (const AxisDescription& along : finer.system().discretisation().subdomains()) points.push_back(places(along));
  std::vector<double> sizes, errors, result;
  for (int f = 0; f + 1 < static_cast<int>(model.fields.size()); ++f) {
    sizes.push_back(mode_values(finer, v, f, points).cwiseAbs().maxCoeff());
    errors.push_back(mode_values(finer, moved, f, points).cwiseAbs().maxCoeff());
  }
  const double largest = largest_magnitude(sizes);
  for (std::size_t f = 0; f < sizes.size(); ++f)
    result.push_back(relative_error(errors[f], sizes[f] > kNothing * largest ? sizes[f] : largest));
  return result;
}

std::vector<Check> check_modes(const Case& the_case, const Pencil& pencil, const Pencil& finer,
                               const std::vector<Mode>& modes) {
  std::vector<Check> worst;
  std::vector<std::size_t> of_mode;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (modes[k].value.imag() == 0.0) {
      const Case steady = case_with_eigenvalue_at(the_case, modes[k].value.real());
      for (Check& check : verify(steady, build_model(steady), steady_mode(pencil, modes[k])).checks)
        keep_worst(worst, std::move(check), k, of_mode);
      continue;
    }
    keep_worst(
        worst,
        {"residual", "the equations", residual_of(finer, modes[k].value, carried(pencil, modes[k].vector, finer)),
         the_case.verification.residual},
        k, of_mode);
    for (Check& check : tails_of(the_case, pencil, modes[k])) keep_worst(worst, std::move(check), k, of_mode);
  }
  for (std::size_t i = 0; i < worst.size(); ++i) worst[i].subject += fmt::format(" (mode {})", of_mode[i]);
  return worst;
}

std::vector<Check> check_known_values(const Case& the_case, const Solution& solution) {
  std::vector<Check> checks;
  expression::Pool pool(mode_symbols(the_case, solution.axes, names_of(the_case, solution)));
  for (const ReferenceValue& known : the_case.verification.values) {
    std::string place;
    GridPoints points;
    for (const Axis& axis : solution.axes) points.push_back({axis.kind == AxisKind::mode ? 0.0 : axis.lower});
    bool inside = true;
    for (const auto& [name, z] : known.at)
      for (std::size_t axis = 0; axis < solution.axes.size(); ++axis)
        if (solution.axes[axis].name == name) {
          points[axis] = {z};
          inside = inside && z >= solution.axes[axis].lower && z <= solution.axes[axis].upper;
          place += fmt::format("{}{}={:g}", place.empty() ? "(" : ", ", name, z);
        }
    Check check{"value", known.expr.text + (place.empty() ? "" : place + ")"), std::numeric_limits<double>::quiet_NaN(),
                the_case.verification.tolerance};
    if (inside) try {
        const double value =
            evaluate(pool, solution, expression::lower(pool, expression::parse(pool, known.expr)), points).data.front();
        const double size = std::abs(known.value);
        check.value = std::abs(value - known.value) / (size > 0.0 ? size : 1.0);
      } catch (const CaseError&) {  // of complex modes a name that only real ones have, or the other way round
        check.subject += ": no such name among these modes";
      }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace gwrm
