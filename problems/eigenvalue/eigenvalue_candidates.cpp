// Which eigenvalues of the matrices come into question: all of them, or those near a number by shift and invert.
#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "problems/continuation/branch_window.hpp"
#include "problems/eigenvalue/complex_shift.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/eigenvalue/eigenvalue_problem.hpp"
#include "problems/eigenvalue/search_subdomains.hpp"
#include "problems/time_spectral/window_linear_solver.hpp"

namespace gwrm {
namespace {

constexpr int kSpareModes = 4;  // of Arnoldi's method: what may turn out spurious
constexpr double kRitzTolerance = 1e-13, kRitzResidual = 1e-11;
constexpr int kMostShifts = 3;  // aside from an eigenvalue
constexpr double kAside = 0.01, kTooNear = 1e-5;
constexpr std::size_t kSpareOfSearch = 2;
constexpr int kMostSearchSteps = 30;                       // products for each mode that is sought
constexpr double kSearchMargin = 0.02, kShiftAhead = 0.1;  // of the size of an eigenvalue

// In the upper half plane, where the modes are.
std::complex<double> target(const EigenvalueCase& eigenvalue) {
  return {eigenvalue.near.real(), std::abs(eigenvalue.near.imag())};
}

}  // namespace

double EigenvalueProblem::order_of(std::complex<double> value) const {
  switch (eigenvalue_of(case_)->which) {
    case WhichModes::largest_real:
      return -value.real();
    case WhichModes::nearest:
      return std::abs(value - target(*eigenvalue_of(case_)));
    case WhichModes::smallest_magnitude:
      break;
  }
  return std::abs(value);
}

std::vector<Mode> EigenvalueProblem::sorted(std::vector<Mode> modes) const {
  std::stable_sort(modes.begin(), modes.end(),
                   [&](const Mode& a, const Mode& b) { return order_of(a.value) < order_of(b.value); });
  return modes;
}

bool EigenvalueProblem::is_large(const Pencil& pencil) const {
  return pencil.size() * (pencil.is_quadratic() ? 2 : 1) > kMostDense;
}

std::vector<Mode> EigenvalueProblem::candidates(const Context& context, const Pencil& pencil,
                                                const RunControl& control) const {
  if (!is_large(pencil)) return sorted(all_modes(pencil, eigenvalue_of(case_)->near.real()));
  return sorted(candidates_near(context, pencil, near(), n_sought(), control));
}

std::vector<Mode> EigenvalueProblem::candidates_near(const Context& context, const Pencil& pencil,
                                                     std::complex<double> near, std::size_t n,
                                                     const RunControl& control) const {
  double shift = near.real();
  std::vector<Mode> beside;  // earlier shifts
  const auto with_those_beside = [&](const std::vector<Mode>& modes) {
    add_others(beside, shift, modes);
    return beside;
  };
  for (int attempt = 0; near.imag() == 0.0; ++attempt) {
    const std::vector<Mode> modes = near_real_shift(context, pencil, shift, n, control);
    if (attempt == kMostShifts || (control.interrupted && control.interrupted())) return with_those_beside(modes);
    std::vector<double> distances;
    for (const Mode& mode : modes) distances.push_back(std::abs(mode.value - shift));
    std::sort(distances.begin(), distances.end());
    // An eigenvalue itself, or so near one that rounding of its mu hides the others: between it and the next.
    if (modes.empty()) {
      shift += kAside * std::max(1.0, std::abs(shift));
    } else if (distances.size() > 1 && distances[0] < kTooNear * distances[1]) {
      const auto nearest = std::min_element(modes.begin(), modes.end(), [&](const Mode& a, const Mode& b) {
        return std::abs(a.value - shift) < std::abs(b.value - shift);
      });
      add_others(beside, shift, {*nearest});
      shift += 0.4 * distances[1];
    } else {
      return with_those_beside(modes);
    }
  }
  return modes_near_by_pairs(context, case_, at_shift_, shift_plan_, pencil, near, n, kRitzResidual,
                             control.interrupted);
}

std::complex<double> EigenvalueProblem::near() const {
  return target(*eigenvalue_of(case_));
}

std::vector<Mode> EigenvalueProblem::near_real_shift(const Context& context, const Pencil& pencil, double shift,
                                                     std::size_t n, const RunControl& control) const {
  const bool is_own = shift == eigenvalue_of(case_)->near.real();
  const std::optional<Model> other =
      is_own ? std::nullopt : std::optional<Model>(build_model(case_with_eigenvalue_at(case_, shift)));
  const std::optional<SystemPlan> other_plan = is_own ? std::nullopt : std::optional<SystemPlan>(std::in_place, *other);
  const Model& model = is_own ? at_shift_ : *other;
  const SystemPlan& plan = is_own ? shift_plan_ : *other_plan;
  Window window = steady_window(context, model, plan, pencil.system().discretisation().subdomains());
  const LinearChoice choice = choose_linear_method(case_, model, plan, window.discretisation.subdomains());
  SolverMemory memory;
  std::vector<Mode> modes;
  with_linear_solver(window, choice.method, memory, [&](LinearSolver& solver) {
    const std::vector<double> anywhere(static_cast<std::size_t>(pencil.size()), 0.0);
    if (solver.linearise(anywhere, true).status != LinearStatus::solved) return;
    const ShiftInverse inverse = [&](Eigen::VectorXd& v) {
      const std::span<double> values(v.data(), static_cast<std::size_t>(v.size()));
      return solver.solve(values, KrylovTolerance(kRitzTolerance)).status == LinearStatus::solved;
    };
    modes = modes_near(pencil, shift, inverse, n, kRitzResidual, control.interrupted);
  });
  return modes;
}

std::size_t EigenvalueProblem::n_sought() const {
  return static_cast<std::size_t>(eigenvalue_of(case_)->modes + kSpareModes);
}

std::vector<Model> EigenvalueProblem::at_ends(const Found& found) const {
  double lower = HUGE_VAL, upper = -HUGE_VAL;
  for (const JudgedMode& judged : found.modes) {
    const double value = judged.mode.value.real();
    lower = std::min(lower, value);
    upper = std::max(upper, value);
    if (eigenvalue_of(case_)->which == WhichModes::largest_real) continue;
    lower = std::min(lower, 2.0 * near().real() - value);
    upper = std::max(upper, 2.0 * near().real() - value);
  }
  std::vector<Model> models;
  for (const double value : {lower, upper}) models.push_back(build_model(case_with_eigenvalue_at(case_, value)));
  return models;
}

SearchedModes EigenvalueProblem::searched(const Context& context, const std::vector<AxisDescription>& subdomains,
                                          const Found& found, const RunControl& control) const {
  if (found.modes.empty() || !can_be_searched(model_) || case_.solver.linear != LinearSolverChoice::automatic)
    return {};
  const LogTime time("search for missed modes");
  const std::vector<Model> models = at_ends(found);
  double last = -HUGE_VAL, ahead = -HUGE_VAL;
  for (const JudgedMode& judged : found.modes) {
    last = std::max(last, order_of(judged.mode.value) - kSearchMargin * judged.size);
    ahead = std::max(ahead, judged.mode.value.real() + kShiftAhead * judged.size);
  }
  const std::complex<double> shift = eigenvalue_of(case_)->which == WhichModes::largest_real ? ahead : near();
  const std::size_t n = found.modes.size() + kSpareOfSearch;
  std::vector<std::complex<double>> values[2];
  for (const int more : {0, 1}) {
    const std::vector<AxisDescription> finer =
        search_subdomains({&models.front(), &models.back()}, subdomains, case_.verification.tolerance, 2 * more);
    if (finer.empty() || (control.interrupted && control.interrupted())) return {};
    const Pencil pencil(context, model_, plan_, finer);
    RunControl limited = control;  // each product of Arnoldi's method asks
    limited.interrupted = [&, steps = kMostSearchSteps * static_cast<int>(n)]() mutable {
      return --steps < 0 || (control.interrupted && control.interrupted());
    };
    for (const Mode& mode : candidates_near(context, pencil, shift, n, limited)) values[more].push_back(mode.value);
  }
  return compare_searched(found.modes, values[0], values[1],
                          [&](std::complex<double> value) { return order_of(value) < last; });
}

std::vector<std::complex<double>> EigenvalueProblem::missed(const Context& context, int refinements,
                                                            const RunControl& control) const {
  if (!can_be_searched(model_)) return {};
  const std::vector<AxisDescription> subdomains = this->subdomains(refinements);
  const std::unique_ptr<const Pencil> own = pencil(context, subdomains),
                                      finer = pencil(context, this->subdomains(refinements + 1));
  return searched(context, subdomains, find(context, *own, *finer, control), control).missed;
}

}  // namespace gwrm
