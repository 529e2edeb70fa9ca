// The eigenvalues and modes at one value of a parameter, and how exact they are: what curves are made of.
//
// Small       pencils: all of them, each improved by dense factors, with its left mode (modes.hpp).
// Large       ones: those nearest to eigenvalue.near, and where modes that are followed lie beyond these, those
//             around each of them. They are as Arnoldi's method gives them. In place of left modes they have the dual
//             basis Z = W X (X^H W X)^{-1} of the modes X that were found, W the mean squares: what a mode nearby is
//             made of, to first order in the distance, but for a part beyond these, it tells as left modes do.
#pragma once

#include <memory>
#include <vector>

#include "problems/eigenvalue/eigenvalue_problem.hpp"
#include "problems/eigenvalue/mode_polisher.hpp"

namespace gwrm {

class PointSpectrum {
 public:
  // refinements: how often the degrees of the case are raised. followed: eigenvalues of a point nearby that have to be
  // among those found. control: its `interrupted` is asked.
  PointSpectrum(const Context& context, const Case& at_point, int refinements,
                const std::vector<std::complex<double>>& followed, const RunControl& control);

  const Pencil& pencil() const { return *pencil_; }
  const Pencil& finer() const { return *finer_; }
  const Case& at_point() const { return case_; }
  bool is_large() const { return own_ == nullptr; }
  // All of them, or those near, in the order that the case asks for, of complex pairs both: the conjugates stand
  // behind.
  const std::vector<Mode>& candidates() const { return candidates_; }

  // With its left mode, where there is one.
  Mode polished(const Mode& mode) const;
  // Against the finer subdomains; mode: polished.
  JudgedMode judged(const Mode& mode) const;
  // Whether it has a counterpart there, or is the matrices' own (mode_checks.hpp).
  bool is_of_equations(const JudgedMode& judged) const;
  // To the next eigenvalue.
  double gap(const Mode& mode) const;
  // P1^H y and P2^H y (none where the eigenvalue is not squared); the dual of a large pencil; empty: not known.
  std::vector<Eigen::VectorXcd> functionals(const Mode& mode) const;
  // The candidates whose eigenvalues are equal but for rounding: places in candidates().
  const std::vector<std::vector<std::size_t>>& clusters() const { return clusters_; }

 private:
  std::vector<Mode> neighbours(const Mode& mode) const;
  std::vector<Mode> found_around(const Pencil& pencil, const std::vector<std::complex<double>>& values) const;
  void set_duals();
  std::optional<Mode> counterpart(const Mode& mode, double size) const;

  const Context& context_;
  const Case case_;
  const EigenvalueProblem problem_;
  const RunControl& control_;
  std::unique_ptr<const Pencil> pencil_, finer_;
  std::unique_ptr<const ModePolisher> own_;
  mutable std::unique_ptr<const ModePolisher> other_;  // made when it is asked for
  mutable std::vector<Mode> finer_candidates_;         // likewise, of a large pencil
  std::vector<Mode> candidates_;
  std::vector<std::vector<std::size_t>> clusters_;
};

}  // namespace gwrm
