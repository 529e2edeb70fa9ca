// Which linear solver a window gets, and why.
#pragma once

#include <optional>
#include <string>

#include "case/case.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"
#include "weighted_residual/preconditioner/banded_rows.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

enum class LinearMethod {
  dense,       // LU of the whole Jacobian (solver/dense_solver.hpp)
  lagged,      // GMRES, preconditioned by the LU of the window's first Jacobian
               // (weighted_residual/preconditioner/lagged_solver.hpp)
  averaged,    // GMRES, time-averaged preconditioner, one LU of all space per time eigenvalue
               // (weighted_residual/preconditioner/averaged_solver.hpp)
  condensed,   // the same, space condensed subdomain by subdomain
  tensor,      // the same, the separable part of the spatial operator inverted axis by axis
  banded,      // LU of a banded matrix with a dense border: linear, one interval of high degree
               // (weighted_residual/preconditioner/banded_solver.hpp)
  sparse,      // LU of the whole Jacobian, sparse: large systems of ordinary differential equations with few couplings
               // (weighted_residual/preconditioner/sparse_solver.hpp)
  cells,       // LU of the whole Jacobian, cell by cell of the grid of subdomains: steady, several axes of space
               // (weighted_residual/preconditioner/cell_solver.hpp)
  wavenumber,  // as tensor, wavenumber by wavenumber along Fourier axes
  saddle       // as tensor, constraints and their multipliers eliminated by blocks
};

// Whether the whole Jacobian is factored.
inline bool is_dense(LinearMethod method) {
  return method == LinearMethod::dense || method == LinearMethod::lagged;
}

struct LinearChoice {
  LinearMethod method = LinearMethod::dense;
  std::string reason;
  int coefficient_degree = kHighestCoefficientDegree;  // banded: of the equations' coefficients along the axis
};

// Unknowns of one window: in all, and in space alone.
struct WindowSize {
  double unknowns = 0.0;
  double spatial = 0.0;
};
WindowSize window_size(const Model& model, const std::vector<AxisDescription>& subdomains);

// Of the banded solver: half the width of its band, about (order + degree of the coefficients) fields K.
double band_half_width(const Model& model, const std::vector<AxisDescription>& subdomains, int coefficient_degree);

// CaseError if the case names a solver that cannot serve these equations.
LinearChoice choose_linear_method(const Case& the_case, const Model& model, const SystemPlan& plan,
                                  const std::vector<AxisDescription>& subdomains);

// What to try where a method turned out not to serve: a singular approximation, or a Krylov iteration that stagnates.
// False: nothing is left that fits into memory and time.
bool more_robust(LinearMethod& method, const Model& model, const SystemPlan& plan,
                 const std::vector<AxisDescription>& subdomains);

// "averaged Jacobian, condensed subdomains: GMRES ..." for the log, `check` and the file.
std::string describe(const LinearChoice& choice);

// True if the shares of work that several threads could share are too small to be worth it.
bool one_thread_suffices(LinearMethod method, const Model& model, const std::vector<AxisDescription>& subdomains,
                         std::size_t n_parameter_points);

// The preconditioner by which a device solves windows of this method; nothing: it does not take them.
std::optional<SpatialMethod> device_method(LinearMethod method, const Model& model, const SystemPlan& plan,
                                           const std::vector<AxisDescription>& subdomains);

// True if a device is faster than the CPU, its start included.
bool device_pays(LinearMethod method, const Model& model, const SystemPlan& plan,
                 const std::vector<AxisDescription>& subdomains);

}  // namespace gwrm
