// Which eigenvalues of the matrices come into question: all of them, or those near a number by shift and invert.
#include <algorithm>
#include <cmath>

#include "problems/continuation/branch_window.hpp"
#include "problems/eigenvalue/complex_shift.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/eigenvalue/eigenvalue_problem.hpp"
#include "problems/time_spectral/window_linear_solver.hpp"

namespace gwrm {
namespace {

constexpr int kSpareModes = 4;  // of Arnoldi's method: what may turn out spurious
constexpr double kRitzTolerance = 1e-13, kRitzResidual = 1e-11;
constexpr int kMostShifts = 3;  // aside from an eigenvalue
constexpr double kAside = 0.01, kTooNear = 1e-5;

// In the upper half plane, where the modes are.
std::complex<double> target(const EigenvalueCase& eigenvalue) {
  return {eigenvalue.near.real(), std::abs(eigenvalue.near.imag())};
}

}  // namespace

std::vector<Mode> EigenvalueProblem::sorted(std::vector<Mode> modes) const {
  const auto key = [&](const Mode& mode) {
    switch (eigenvalue_of(case_)->which) {
      case WhichModes::largest_real:
        return -mode.value.real();
      case WhichModes::nearest:
        return std::abs(mode.value - target(*eigenvalue_of(case_)));
      case WhichModes::smallest_magnitude:
        break;
    }
    return std::abs(mode.value);
  };
  std::stable_sort(modes.begin(), modes.end(), [&](const Mode& a, const Mode& b) { return key(a) < key(b); });
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

}  // namespace gwrm
