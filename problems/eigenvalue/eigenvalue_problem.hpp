// A case with `eigenvalue`: the modes of linear, homogeneous equations. modes.hpp finds them, mode_checks.hpp judges
// them, mode_solution.hpp makes one Solution of them.
//
// The modes that are asked for are the first of those that the equations have: eigenvalues of the matrices alone, which
// have no counterpart on finer subdomains, are passed over and told.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "problems/eigenvalue/missed_modes.hpp"
#include "problems/eigenvalue/mode_checks.hpp"
#include "problems/problem.hpp"
#include "problems/time_spectral/time_spectral.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

class EigenvalueProblem : public Problem {
 public:
  explicit EigenvalueProblem(const Case& the_case);
  Summary summary() const override { return summary_; }
  RunOutcome run(const Context& context, const RunControl& control) override;
  std::vector<Check> check_jacobian(const Context& context) const override { return steady_.check_jacobian(context); }
  // The first mode that the equations have; nothing where there is none. degrees: finer than the case's, so often.
  std::optional<Mode> leading(const Context& context, int refinements, const std::function<bool()>& interrupted) const;

  // What curves are made of (point_spectrum.hpp): the subdomains with degrees raised so often, and on them the matrices
  // and their eigenvalues in the order that is asked for.
  std::vector<AxisDescription> subdomains(int refinements) const;
  std::unique_ptr<const Pencil> pencil(const Context& context, const std::vector<AxisDescription>& subdomains) const;
  std::vector<Mode> candidates(const Context& context, const Pencil& pencil, const RunControl& control) const;
  // Whether eigenvalues near a number are found instead of all, by shift and invert: the candidates are then those near
  // `near`, the case's own number or any other.
  bool is_large(const Pencil& pencil) const;
  std::vector<Mode> candidates_near(const Context& context, const Pencil& pencil, std::complex<double> near,
                                    std::size_t n, const RunControl& control) const;
  std::complex<double> near() const;
  // Modes among those asked for that the subdomains with degrees raised so often do not show (missed_modes.hpp).
  std::vector<std::complex<double>> missed(const Context& context, int refinements, const RunControl& control) const;

 private:
  // Unknowns of which all eigenvalues are found, 25 n^3 operations, and left modes.
  static constexpr Index kMostDense = 1000;
  struct Found {
    std::vector<JudgedMode> modes;  // as asked for, or fewer
    std::vector<Mode> neighbours;   // of the matrices, in their order: what gaps are measured by
    int n_spurious = 0, n_unknown = 0;
    std::string failure;
  };
  Summary describe() const;
  void check_pencil() const;
  double order_of(std::complex<double> value) const;  // of the first mode that is asked for the smallest
  std::vector<Mode> sorted(std::vector<Mode> modes) const;
  std::size_t n_sought() const;
  std::vector<Mode> near_real_shift(const Context& context, const Pencil& pencil, double shift, std::size_t n,
                                    const RunControl& control) const;
  Found find(const Context& context, const Pencil& pencil, const Pencil& finer, const RunControl& control) const;
  // The equations with the smallest and with the largest eigenvalue in question as a constant.
  std::vector<Model> at_ends(const Found& found) const;
  SearchedModes searched(const Context& context, const std::vector<AxisDescription>& subdomains, const Found& found,
                         const RunControl& control) const;
  ErrorEstimate estimate_of(const Found& found) const;
  void deliver(const Pencil& pencil, const Pencil& finer, const Found& found, RunOutcome& outcome) const;

  const Case case_;
  const TimeSpectral steady_;  // with the eigenvalue as a constant: it finds what does not fit together in the case
  const Model model_;          // with it as the last unknown
  const SystemPlan plan_;
  const Model at_shift_;  // with it as a constant, the shift
  const SystemPlan shift_plan_;
  const Summary summary_;
};

std::unique_ptr<Problem> make_eigenvalue_problem(const Case& the_case);

}  // namespace gwrm
