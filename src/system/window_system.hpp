// The GWRM equations of one time window at one point of the collocated parameters, as a NonlinearSystem.
//
// Unknowns  field by field in the order of the case file; of each a tensor with n_unknowns entries along the axes it
// has, in
//           the program's order (t, parameters, z, y, x), the last fastest: system/time_basis.hpp says what they are in
//           time, in space they are plain Chebyshev coefficients.
// Rows      equation by equation, then condition by condition. An equation is formed pointwise on the points of all
// axes and
//           projected; along an axis on which its order is m, the m modes that its conditions there determine
//           (system/closed_modes.hpp: the highest, but for parity) are theirs (tau method; eq. (3) and the paragraph
//           after eq. (5) of Lindvall 2019). Where several axes have conditions, one along axis a keeps all modes of
//           the axes before a and leaves out the determined ones of those after it, so that rows and unknowns agree and
//           nothing is said twice at the corners.
#pragma once

#include <string>
#include <vector>

#include "solver/nonlinear_system.hpp"
#include "system/discretisation.hpp"
#include "system/system_plan.hpp"

namespace gwrm {

// u and its time derivatives at the start of a window: per field, per order m < time_order, the coefficients along its
// modal axes (one extent per axis of the model, 1 along time and absent axes).
using State = std::vector<std::vector<Array>>;

class WindowSystem : public NonlinearSystem {
 public:
  WindowSystem(const Context& context, const Model& model, const SystemPlan& plan, const Discretisation& discretisation,
               const State& state);

  Index size() const override { return size_; }
  bool is_linear() const override { return model_.linear; }
  void residual(std::span<const double> x, std::span<double> f) override;
  void jacobian(std::span<const double> x, std::span<double> matrix) override;
  void weights(std::span<const double> x, std::span<double> w) const override;
  std::string describe_row(Index row) const override;
  std::string describe_unknown(Index column) const override;
  std::string locate_not_finite(std::span<const double> x) override;

  // Chebyshev coefficients of a field in the window, degree + 1 extents along its axes, 1 elsewhere.
  Array coefficients(std::span<const double> x, int field) const;
  // The state at the end of the window.
  State end_state(std::span<const double> x) const;
  // A start for the iteration: fields with dt stay as they are, others take `guess`, or `previous` at its end if given.
  std::vector<double> start(const WindowSystem* previous, std::span<const double> previous_x) const;

 private:
  struct Layout {
    Shape extents;  // per axis, 1 where absent
    Index offset = 0;
  };
  struct RowBlock {
    Shape extents;
    Index offset = 0;
    std::vector<Matrix> tests;              // per axis
    std::vector<std::vector<Index>> modes;  // per axis: the mode of each row
  };
  struct Leaf {
    int field = -1;              // -1: a coordinate
    std::vector<Matrix> trials;  // per axis
    Array fixed;                 // the coordinate's values, or the share of the initial state (empty: none)
  };

  void lay_out_fields();
  void lay_out_rows();
  std::vector<Leaf> make_leaves(const expression::Tape& tape) const;
  Array field_tensor(std::span<const double> x, int field) const;
  std::vector<Array> leaf_values(const std::vector<Leaf>& leaves, std::span<const double> x) const;
  void add_terms(const std::vector<DirectionTerm>& terms, const std::vector<Array>& coefficients,
                 const std::vector<Matrix>& tests, const std::vector<Matrix>& integral_jacobians, double* target,
                 Index n_target_rows, Index first_row) const;
  std::vector<Matrix> integral_jacobians(const std::vector<Array>& coefficients) const;
  const EquationModel& equation_of(const RowPlan& row) const;
  const SourceText& text_of(const RowPlan& row) const;
  std::string modes_text(const Shape& extents, const std::vector<Index>& modes) const;

  const Context& context_;
  const Model& model_;
  const SystemPlan& plan_;
  const Discretisation& discretisation_;
  const State& state_;
  Index size_ = 0;
  std::vector<Layout> layouts_;
  std::vector<RowBlock> rows_;
  std::vector<Leaf> residual_leaves_, jacobian_leaves_;
};

}  // namespace gwrm
