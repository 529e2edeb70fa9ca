// The eigenvalues and modes at one value of a parameter, and how exact they are: what curves are made of.
#pragma once

#include <memory>
#include <vector>

#include "problems/eigenvalue/eigenvalue_problem.hpp"
#include "problems/eigenvalue/mode_polisher.hpp"

namespace gwrm {

class PointSpectrum {
 public:
  // refinements: how often the degrees of the case are raised. control: its `interrupted` is asked.
  PointSpectrum(const Context& context, const Case& at_point, int refinements, const RunControl& control);

  const Pencil& pencil() const { return *pencil_; }
  const Pencil& finer() const { return *finer_; }
  const Case& at_point() const { return case_; }
  // All of them in the order that the case asks for, of complex pairs both: the conjugates stand behind.
  const std::vector<Mode>& candidates() const { return candidates_; }

  // With its left mode, where there is one.
  Mode polished(const Mode& mode) const;
  // Against the finer subdomains; mode: polished.
  JudgedMode judged(const Mode& mode) const;
  // Whether it has a counterpart there, or is the matrices' own (mode_checks.hpp).
  bool is_of_equations(const JudgedMode& judged) const;
  // To the next eigenvalue.
  double gap(const Mode& mode) const;
  // P1^H y and P2^H y (empty where the eigenvalue is not squared).
  std::vector<Eigen::VectorXcd> functionals(const Eigen::VectorXcd& left) const;
  // The candidates whose eigenvalues are equal but for rounding: places in candidates().
  const std::vector<std::vector<std::size_t>>& clusters() const { return clusters_; }

 private:
  std::vector<Mode> neighbours(const Mode& mode) const;

  const Case case_;
  const EigenvalueProblem problem_;
  std::unique_ptr<const Pencil> pencil_, finer_;
  std::unique_ptr<const ModePolisher> own_;
  mutable std::unique_ptr<const ModePolisher> other_;  // made when it is asked for
  std::vector<Mode> candidates_;
  std::vector<std::vector<std::size_t>> clusters_;
};

}  // namespace gwrm
