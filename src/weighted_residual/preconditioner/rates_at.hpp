// The rates dt(u) of a system with constraints, and the unknowns that keep these (multipliers,
// is_fixed_by_constraint()), at one time, from the state u there.
//
// Formula   m a + G q = F(u, t),   D a = dc/dt,   B a = dg/dt,   a = dt(u): the equations with the state known, and the
//           constraints and conditions differentiated in time (Hairer, Lubich, Roche 1989: p is a function of u).
//           Time derivatives are those of polynomials through points of a small part of a window on one side of the
//           time: data may have a kink or a jump there.
// Solved    as an implicit Euler step too short for anything else to count (instantaneous_factors.hpp). Units: a in
//           those of u per time, q in its own.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weighted_residual/preconditioner/instantaneous_factors.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

class SideOfTime {
 public:
  enum class Side { before, after };
  // The state at t, of a window of this length that ends or starts there.
  SideOfTime(const Context& context, const Model& model, const SystemPlan& plan,
             const std::vector<AxisDescription>& subdomains, const std::vector<double>& parameter_values, double t,
             double length, Side side, State state);

  ShortWindow& at_time() const { return *at_time_; }     // one node
  ShortWindow* nearby() const { return nearby_.get(); }  // whose rows are differentiated; null: no data depend on time
  RowVector slopes(InstantaneousSystem& nearby) const;   // of the rows in time at t, the state being as it is

 private:
  double t_;
  std::unique_ptr<State> state_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<ShortWindow> at_time_, nearby_;
};

// The unknowns of side.at_time() in the order of its layout: a, q in the coefficients of their series. instantaneous:
// that of side.at_time(); slopes: empty where there is no nearby(). solved: the last change of the unknowns that keep
// the constraints, relative, that ends the iteration; accepted: up to which they are taken, nothing above.
std::optional<std::vector<double>> rates_at(InstantaneousSystem& instantaneous, const RowVector& slopes,
                                            const SideOfTime& side, const Model& model, double solved, double accepted);

}  // namespace gwrm
