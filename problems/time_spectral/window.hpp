// One time window at one parameter point, with everything it needs to live on its own, and its solution.
#pragma once

#include <memory>
#include <vector>

#include "core/shared_array.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "problems/time_spectral/linear_method.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/device/device_solver.hpp"
#include "weighted_residual/preconditioner/banded_factors.hpp"
#include "weighted_residual/preconditioner/cell_solver.hpp"
#include "weighted_residual/preconditioner/shared_preconditioner.hpp"
#include "weighted_residual/preconditioner/sparse_solver.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {

struct Window {
  Discretisation discretisation;
  State state;
  WindowSystem system;  // refers to the two above: a Window stays where it is

  Window(const Context& context, const Model& model, const SystemPlan& plan,
         const std::vector<AxisDescription>& subdomains, const std::vector<double>& parameter_values, double start,
         double end, State initial)
      : discretisation(model, subdomains, parameter_values, start, end),
        state(std::move(initial)),
        system(context, model, plan, discretisation, state) {}
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Its unknowns; to change them is to forget what follows from them.
  const std::vector<double>& x() const { return *x_; }
  std::vector<double>& change_x() {
    coefficients_.clear();
    sizes_in_time_.clear();
    if (x_.use_count() > 1) x_ = std::make_shared<std::vector<double>>(*x_);
    return *x_;
  }
  // Those of a field, which outlive the window and its changes. All owners are of one thread.
  SharedArray shared_unknowns(int field) const {
    const FieldLayout& layout = system.layouts()[at(field)];
    return {layout.extents, {x_, x_->data() + layout.offset}};
  }
  // The coefficients of each field, and the sizes of its coefficients in time (tails.hpp; of no field without time):
  // found when they are first asked for, which tails, the next length and the next degrees do one after the other.
  const std::vector<Array>& coefficients() const;
  const std::vector<double>& sizes_in_time(int field) const;
  // Coefficients that nobody will ask for again are not kept.
  std::vector<Array> own_coefficients() const;

  // Its equations on fewer points (Discretisation::Points): J v of a Newton iteration whose residual is that of
  // `system`, aliasing in J being as small as the last coefficients; `system` itself where that does not pay. Made when
  // it is asked for.
  WindowSystem& on_fewer_points();

  double start() const { return discretisation.time() ? discretisation.time()->start() : 0.0; }
  double end() const { return discretisation.time() ? discretisation.time()->end() : 1.0; }
  double length() const { return discretisation.time() ? discretisation.time()->length() : 1.0; }

 private:
  struct OnFewerPoints {
    Discretisation discretisation;
    WindowSystem system;
    OnFewerPoints(Discretisation points, const WindowSystem& exact, const State& state)
        : discretisation(std::move(points)),
          system(exact.context(), exact.model(), exact.plan(), discretisation, state) {}
  };
  std::shared_ptr<std::vector<double>> x_ = std::make_shared<std::vector<double>>();
  mutable std::vector<Array> coefficients_;
  mutable std::vector<std::vector<double>> sizes_in_time_;
  std::unique_ptr<OnFewerPoints> fewer_points_;
};

// What the solves of one parameter point keep from window to window.
struct SolverMemory {
  std::unique_ptr<DenseLu> lu;                    // dense method
  std::shared_ptr<const SpatialFactors> factors;  // of the last window
  std::shared_ptr<const BandedFactors> banded;    // likewise
  std::shared_ptr<SparseFactors> sparse;          // sparse method
  std::shared_ptr<CellTree> cells;                // cells method
  double factored_length = 0.0;                   // of the window they belong to; 0: none
  bool served = false;                            // a solve has ended with them
  std::vector<AxisDescription> factored_subdomains;
  std::shared_ptr<DeviceSolver>
      device;  // takes the windows that it has a method for (device_method()); shared by all points; null: the CPU
  bool device_required = false;                   // else a window that does not fit there is solved on the CPU
  std::shared_ptr<DeviceFactors> device_factors;  // behind the device: they go first
  bool keeps_device_factors = true;               // from window to window; there is room for those of one point
  // To windows whose Jacobian is another, too, and whose length is equal but for rounding: for estimates. In a march
  // only those of the same length to the bit take over, so that an answer does not depend on where a run was continued.
  bool lends_factors = false;
  // Of windows that ranks share (shared_windows.hpp), whose memory is another one than that of windows in one process.
  std::shared_ptr<SharedFactors> shared;
};

// Which of the factors in `memory` serve this window: those of one of equal length on the same subdomains, or even of
// the same Jacobian (linear, autonomous).
struct KnownFactors {
  bool same_shape = false, same_matrix = false;
};
KnownFactors known_factors(const Window& window, const SolverMemory& memory);
// Those that it has left are good for later ones.
void keep_factors(const Window& window, SolverMemory& memory);

// Where short windows beside those that are solved by this method are (multipliers_at_end.hpp, consistent_state.hpp).
InstantaneousPlace instantaneous_place(const SolverMemory& memory, LinearMethod method, const Model& model,
                                       const SystemPlan& plan, const std::vector<AxisDescription>& subdomains);

// What the discretisation leaves out of window.x(): the largest of its tails, relative to the fields' sizes.
double truncation_level(const Window& window);

// Solves the window from window.x(). Factors are reused where the Jacobian is the same as before (linear, autonomous,
// same length and subdomains). then: is given the linear solver of a window that was solved on the CPU.
NewtonResult solve_window(Window& window, LinearMethod method, const NewtonOptions& options, SolverMemory& memory,
                          const std::function<bool()>& interrupted,
                          const std::function<void(LinearSolver&)>& then = {});

// The window with these unknowns, which were found elsewhere.
NewtonResult take_solution(Window& window, const std::vector<double>& x);

// Factors that solve_window() finds in `memory`, before the window is known: where its Jacobian depends on its length
// and subdomains only (linear, autonomous). `window`: any of that length.
void factor_ahead(Window& window, LinearMethod method, SolverMemory& memory);

// Where an initial value or guess is not finite on the points of the first window; empty if nowhere.
std::string locate_bad_data(const Model& model, const Discretisation& discretisation);

}  // namespace gwrm
