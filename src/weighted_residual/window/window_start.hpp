// What a window takes from the one before: its state, and a start for Newton.
#pragma once

#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// Initial values of the case projected on the modal axes.
State initial_state(const Context& context, const Model& model, const Discretisation& discretisation);

// The state on other subdomains (AxisBasis::conversion_from); time is not looked at.
State on_subdomains(const Context& context, const Model& model, State state, const std::vector<AxisDescription>& from,
                    const std::vector<AxisDescription>& to);

// A start of the iteration without a window before: fields with dt stay as they are, others take `guess` or 0.
std::vector<double> constant_start(const WindowSystem& system);

// From the window before (its solution x): fields with dt stay as they are, others keep their last value.
std::vector<double> constant_start(const WindowSystem& system, const WindowSystem& before, std::span<const double> x);

// The unknowns extrapolated by the polynomial of degree 4 through five Chebyshev points of the last half of the window
// before (docs/numerics.md 5.2).
std::vector<double> extrapolated_start(const WindowSystem& system, const WindowSystem& before,
                                       std::span<const double> x);

// From a solution of a longer or coarser window with the same start: its values at the new points.
std::vector<double> carried_start(const WindowSystem& system, const WindowSystem& attempt, std::span<const double> x);

// The state at time t of a window from its coefficients (those that `coefficients()` gives).
State state_at(const Model& model, const std::vector<Array>& coefficients, double start, double end, double t);

// The unknowns of a window that has these coefficients, to round-off, or of a part of it on finer subdomains.
// subdomains: per axis, those of the coefficients (time: the ends of their window).
std::vector<double> unknowns_from(const WindowSystem& system, const std::vector<Array>& coefficients,
                                  const std::vector<AxisDescription>& subdomains);

}  // namespace gwrm
