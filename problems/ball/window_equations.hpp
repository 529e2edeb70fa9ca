// The equations of one window with products of fields, and Newton's corrections of it.
//
// Formula   unknowns V_j at the K Radau nodes,
//             f(V) = mass (V - v0) + (h/2) Q (kappa stiffness V - linear terms V - N(V) - source) = 0,
//           Q the integrals of basis/time_basis.hpp; J w = mass w + (h/2) Q (kappa stiffness w - linear w - N'(V) w).
// Method    newton() of solver/newton.hpp with GMRES, the direct solution of the diffusion as the preconditioner.
// Weights   of corrections: the root mean square of the field, all parts and nodes together; of a field near zero a
//           small part of the largest field's.
// Shapes    nodes x unknowns, row-major.
#pragma once

#include <string>
#include <vector>

#include "problems/ball/ball_terms.hpp"
#include "problems/ball/diffusion_solver.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "solver/gmres.hpp"
#include "solver/linear_solver.hpp"
#include "solver/nonlinear_system.hpp"

namespace gwrm::ball {

inline constexpr int kMostNewtonIterations = 60;  // of GMRES in a step

// Where it did not come so far.

// The weights of corrections, by field: squares and counts of the unknowns of each part, all nodes together.
std::vector<double> field_sizes(const BallSpace& space, const std::vector<double>& squares,
                                const std::vector<double>& counts);

// What is the same for all windows, and one window's data.
struct WindowData {
  const BallSpace& space;
  const BallTerms& terms;
  const EvolvingTerms& evolving;
  const DiffusionSolver& diffusion;
  const Matrix& integrals;           // Q, K x K
  const std::vector<double>& state;  // v0
  const std::vector<double>& times;  // of the nodes
  const Matrix& sources;             // <phi, source> at the nodes; no rows: none
  double half = 0.0;                 // h/2
};

class WindowEquations : public NonlinearSystem {
 public:
  explicit WindowEquations(const WindowData& data) : data_(data) {}

  Index size() const override { return n_nodes() * n_unknowns(); }
  void residual(std::span<const double> x, std::span<double> f) override;
  void jacobian(std::span<const double>, std::span<double>) override;  // ShapeError: it is never formed
  void weights(std::span<const double> x, std::span<double> w) const override;
  std::string describe_unknown(Index) const override { return "a coefficient"; }
  std::string locate_not_finite(std::span<const double>) override { return "the fields overflow"; }

  // Keeps the fields at x for products with the Jacobian there.
  void linearise(std::span<const double> x);
  void apply_jacobian(std::span<const double> w, std::span<double> y) const;

 private:
  Index n_nodes() const { return data_.space.degrees().t; }
  Index n_unknowns() const { return data_.space.unknowns().size(); }
  // y = mass (rows - v0, or rows) + (h/2) Q (kappa stiffness rows - rates).
  void assemble(std::span<const double> rows, const Matrix& rates, bool from_state, std::span<double> y) const;

  WindowData data_;
  std::vector<EvolvingTerms::Values> at_;  // by node
  std::vector<std::vector<std::vector<double>>> slopes_;
};

class WindowCorrections : public LinearSolver {
 public:
  // cycle: iterations of GMRES before it begins anew (krylov_memory.hpp).
  WindowCorrections(WindowEquations& equations, const DiffusionSolver& diffusion, int cycle)
      : equations_(equations), diffusion_(diffusion), cycle_(cycle) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override { diffusion_.solve(v.data(), v.data()); }
  bool is_direct() const override { return false; }
  int refresh_above() const override { return kMostNewtonIterations; }
  double reciprocal_condition() const override { return 0.0; }
  int iterations() const { return iterations_; }

 private:
  WindowEquations& equations_;
  const DiffusionSolver& diffusion_;
  int cycle_, iterations_ = 0;
};

}  // namespace gwrm::ball
