// One window of time: the values of all unknowns at its Radau nodes.
//
// Formula   mass D + (h/2) Q (diffusion - terms) D = (h/2) Q (source - (diffusion - terms) v0),  V = v0 + D.
// Method    directly without terms (diffusion_solver.hpp), else GMRES with that as the preconditioner; its iterations
//           follow sqrt(h) max|u|: 6 to 16 below 3.4 (method/ball, section 6). Terms that do not change about the
//           axis: directly where that is cheaper (direct_windows.hpp). Products of fields: Newton's method
//           (window_equations.hpp), from the polynomial of the window before where that leaves less than a constant.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "basis/time_basis.hpp"
#include "problems/ball/ball_model.hpp"
#include "problems/ball/ball_terms.hpp"
#include "problems/ball/device/device_windows.hpp"
#include "problems/ball/diffusion_solver.hpp"
#include "problems/ball/direct_windows.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "problems/ball/krylov_memory.hpp"

namespace gwrm::ball {

struct WindowValues {
  Matrix rows;  // at the start and the nodes x unknowns
  int iterations = 0;
  std::string failure;  // of GMRES or Newton: what it left where; empty: solved
};

class WindowSolver {
 public:
  // n_alike: windows of one length that are expected, at least (direct_windows.hpp). device: null: the CPU; it takes
  // what it has a version of, and outlives the solver. MemoryError where it has no room.
  WindowSolver(const BallModel& model, const BallSpace& space, int n_alike = 1, WindowDevice* device = nullptr);

  // `homogeneous`: without the sources. Fails where the window is too long for GMRES or Newton. `tolerance`, if not 0:
  // that of the tail of a window that may be shortened; products of fields are not begun with where a first iterate
  // shows that it is missed by far.
  WindowValues solve(const std::vector<double>& state, double start, double end, bool homogeneous = false,
                     double tolerance = 0.0);
  void stop_when(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }
  // Chebyshev coefficients in t of the series: (K + 1) x series.
  Matrix coefficients(const Matrix& rows) const;
  // Newton's iteration in the next window starts from this one, as if it had been solved here: its rows.
  void follow(double start, double end, const Matrix& rows) {
    last_ = to_coefficients_ * rows, last_start_ = start, last_end_ = end;
  }
  // The last two of these in t, relative to all, of the field where they are most.
  double tail(const Matrix& coefficients) const;
  const BallTerms& terms() const { return terms_; }
  // The longest window from a state by sqrt(h / kappa) max|u| <= 3 of the flows that carry fields.
  double longest_window(const std::vector<double>& state) const;
  int n_factorisations() const { return n_factorisations_; }

 private:
  Matrix sources(double start, double h);
  // For windows of this length; the length, of windows that differ by rounding that of the first.
  double prepare(double h);
  GmresResult iterate(double length, const Matrix& right, Matrix& change) const;
  WindowValues solve_nonlinear(const std::vector<double>& state, double start, double end, double tolerance);

  const BallModel& model_;
  const BallSpace& space_;
  Index n_nodes_;
  TimeBasis time_;
  Matrix to_coefficients_;
  BallTerms terms_;
  DirectWindows direct_;
  EvolvingTerms evolving_;
  std::vector<double> source_;
  // The window solved last, for the start of Newton's iteration in the next.
  Matrix last_;  // Chebyshev coefficients of the unknowns
  double last_start_ = 0.0, last_end_ = 0.0;
  KrylovMemory memory_;
  std::unique_ptr<DeviceWindows> device_;    // null: the CPU
  std::unique_ptr<DiffusionSolver> solver_;  // on the CPU
  double length_ = 0.0;
  int n_factorisations_ = 0;
  std::function<bool()> interrupted_;
};

// T_k(s), k = 0 .. degree.
RowVector chebyshev_row(Index degree, double s);

}  // namespace gwrm::ball
