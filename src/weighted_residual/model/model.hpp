// The user's problem as checked, lowered expressions: what each equation, condition and field is to the discretisation.
// Independent of windows, points and the values of parameters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "expression/lowering.hpp"
#include "output/solution.hpp"
#include "weighted_residual/model/window_lengths.hpp"

namespace gwrm {

struct FieldModel {
  std::string name;
  std::vector<int> axes;                  // indices into Model::axes, ascending
  int time_order = 0;                     // highest dt on this field anywhere; 0: no initial value
  std::vector<expression::Expr> initial;  // per order 0..time_order-1, lowered
  expression::Expr guess = nullptr;       // start of the Newton iteration where there is no initial value, or null
  expression::Expr exact = nullptr;       // or null
  std::vector<int> n_lower;               // per axis: modes that it has less than the axis (multipliers.hpp)
  bool depends_on(int axis) const;
  std::uint32_t axes_mask() const;  // bit a: it depends on axis a
};

struct EquationModel {
  SourceText text;
  expression::Expr left = nullptr, right = nullptr;  // as written
  expression::Expr residual = nullptr;               // lowered left - right
  std::vector<expression::FieldOrders> fields;       // the unknowns in it
  int field = -1;                                    // the unknown whose rows it fills
  std::vector<int> orders;                           // per axis: of its highest derivative (condition_count.hpp)
  std::vector<int> n_conditions;                     // per axis: that it takes, and gives up as many modes for
  std::vector<bool> evolves;        // per axis: its own unknown does, at each of its modes (orders_of_equations.hpp)
  std::vector<int> closing_fields;  // per axis: the unknown that is continuous across subdomains
  std::vector<int> corner_ranks;  // per axis: conditions along axes of higher rank are said at all of a corner's modes
};

struct ConditionModel {
  SourceText text;
  expression::Expr left = nullptr, right = nullptr;
  expression::Expr residual = nullptr;  // lowered left - right
  std::vector<expression::FieldOrders> fields;
  int axis = -1;               // the dimension it closes; -1: mean_axes
  std::vector<int> mean_axes;  // the axes over which it fixes a mean: periodic ones, or all of a multiplier
  int equation = -1;           // whose highest modes along that axis, or coefficient 0 along these axes, it replaces
  bool equation_at_end =
      false;  // the program's: that equation itself, at an end of the axis (characteristic_walls.hpp)
  // Where it holds at an inner edge of subdomains (inner_conditions.hpp): in place of the continuity of the order-th
  // derivative of the unknown that closes the equation.
  std::optional<double> inner_edge;
  int order = 0;
};

// An unknown that keeps a constraint (multipliers.hpp).
struct Multiplier {
  int equation = -1, field = -1;
  bool mean_zero = false;  // the program has added the condition that its mean vanishes
};

struct Model {
  std::shared_ptr<expression::Pool> pool;
  std::vector<Axis> axes;
  std::vector<AxisDescription> subdomains;  // per axis: degree and division at the start (time: of a window)
  std::vector<double> window_edges;         // empty without time; the windows at the start of an automatic run
  WindowLengths window_lengths;             // of fixed windows; an automatic run makes its own equal to the bit
  std::vector<FieldModel> fields;
  std::vector<EquationModel> equations;
  std::vector<ConditionModel> conditions;  // those of the case, then the means of multipliers and continuous fluxes
  std::vector<Multiplier> multipliers;
  Weighting weighting = Weighting::radau;
  bool parameters_coupled = false;   // parameters as dimensions of one system, eq. (2); else solved point by point
  bool has_eigenvalue = false;       // a number in the equations is an eigenvalue (Case::has_eigenvalue)
  bool linear = false;               // affine in all unknowns: one Newton step
  bool whole_time = false;           // needs all times at once: a restriction or integral in t, an unknown without t
  bool autonomous_jacobian = false;  // linear, and no coefficient depends on t
  std::vector<std::string> warnings;

  int time_axis() const;          // index or -1
  bool is_modal(int axis) const;  // expanded inside one system (space, coupled parameters), not time
  int n_modal_axes() const;
  bool is_collocated(int axis) const;               // a parameter solved point by point
  std::string axes_text(std::uint32_t mask) const;  // "t, x"
};

// Parses, lowers, pairs equations with unknowns and counts conditions. CaseError with position for everything that does
// not fit together.
Model build_model(const Case& the_case);

}  // namespace gwrm
