// The GWRM equations of one time window at one point of the collocated parameters, as a NonlinearSystem.
//
// Unknowns  field by field in the order of the case file; of each a tensor with n_unknowns entries along the axes it
//           has, in the program's order (t, parameters, z, y, x), the last fastest: basis/time_basis.hpp says what
//           they are in time, in space they are coefficients in the basis of the axis, subdomain after subdomain.
// Rows      equation by equation, then condition by condition, then the continuity across subdomains. An equation is
//           formed pointwise on the points of all axes and projected; along an axis on which it takes m conditions, the
//           m modes that its conditions there determine (weighted_residual/window/boundary_modes.hpp: the highest, but
//           for parity) are theirs (tau method; eq. (3) and the paragraph after eq. (5) of Lindvall 2019), in every
//           subdomain. Where several axes have conditions, one along axis a keeps all modes of the axes before a and
//           leaves out the determined ones of those after it, so that rows and unknowns agree and nothing is said twice
//           at the corners; before and after by EquationModel::corner_ranks. A condition that fixes a mean over
//           periodic axes, or of a multiplier (ConditionModel::mean_axes), is written over the rows of its equation for
//           coefficient 0 along these axes. Where SystemPlan::series is there, nonlinear terms are products of series
//           instead (series_evaluation.hpp), with the same rows. Continuity: the m - 1 derivatives of the equation's
//           closing field (condition_count.hpp) at every inner edge, but those in whose place a condition holds there
//           (model/inner_conditions.hpp). Degree: an unknown that has fewer modes along an
//           axis (FieldModel::n_lower) has as many numbers as the others, the last of each subdomain zero; these rows
//           say so, in place of the highest modes of its equation.
// CPU       where SystemPlan::symbols takes the rows apart, the CPU evaluates them so; atoms, leaves and terms of the
//           whole rows are there for the preconditioners and for another backend.
// Basis     rows in the basis of every axis; where SystemPlan::banded_axis says so in its banded form (basis/
//           banded_form.hpp), m its highest derivative: linear terms with coefficients constant along the axis then act
//           on the coefficients directly.
// Scaling   a condition that holds no more than the s-fold time integral of the unknowns is divided by (h/2)^s, so that
//           residuals of equations and conditions compare.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/nonlinear_system.hpp"
#include "weighted_residual/model/system_plan.hpp"
#include "weighted_residual/window/atom_values.hpp"
#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {

// One term of a linearised row: coefficient * direction, or coefficient * integral of such terms.
struct RowTerm {
  int coefficient = -1;  // index among the coefficients; -1: the number 1
  int direction = -1;    // index of its atom's values among those of the directions
  int integral = -1;     // index into SystemPlan::integrals
  int power = 0;         // time integrals between the unknowns and it: the power of lambda h/2 in a time eigenvector
  int line_axis = -1;    // along this axis not the atom's values but what `line` makes of its coefficients:
  BlockMatrix line;      // jumps at the inner edges, or the highest coefficients
  expression::Atom atom;
};

// One banded term of a row (SystemPlan::banded_axis).
struct BandedRowTerm {
  RowTerm term;           // its direction and value are the coefficients along the banded axis, not values at points
  int value = -1;         // index of the coefficients among the field values
  int coefficient = -1;   // index among the outputs of the residual tape
  BlockMatrix operation;  // rows x n_unknowns along the banded axis
};

// One term of a row that acts on each wavenumber by a factor (SystemPlan::symbols): coefficient * D a, a the
// coefficients of its field, (D a)_j = prod_axes factor[j] a_{source[j]}.
struct SymbolRowTerm {
  int coefficient = -1;   // index among the coefficients of the linearised rows ...
  int value = -1;         // ... and among the outputs of the residual's tape
  int of_values = -1;     // index of a among the values that the residual reads
  int of_direction = -1;  // and among those of the directions
  struct Axis {
    std::vector<double> factors;
    bool swaps = false;  // sines and cosines: the source of 2 k - 1 is 2 k, and the other way round
  };
  std::vector<Axis> axes;  // the modal ones, ascending
};

// The rows of one equation, condition or continuity, or of the degree of a multiplier.
struct RowBlock {
  enum class Kind { equation, condition, continuity, mean, degree } kind = Kind::equation;
  int index = 0;                          // into Model::equations or conditions
  int equation = 0;                       // in place of whose modes it stands, or itself
  int line_axis = -1;                     // continuity, degree: the axis whose inner edges or modes it is about
  Shape extents;                          // per axis
  Index offset = 0;                       // of its first row; mean: of the first row of its equation
  std::vector<Index> places;              // mean: which rows of its equation at one time these are, ascending
  std::vector<BlockMatrix> tests;         // per axis
  std::vector<std::vector<Index>> modes;  // per axis: the mode of each row
  double scale = 1.0;
  std::vector<RowTerm> terms;
  std::vector<BandedRowTerm> banded;
  std::vector<RowTerm> cpu_terms;  // what the CPU forms on the points: `terms`, or without `symbols`
  std::vector<SymbolRowTerm> symbols;
  int value = -1;        // continuity, degree: index of what vanishes among the field values
  int other_value = -1;  // ... or of what vanishes with it, their sum
};

class SeriesEvaluation;
struct SeriesLinearisation;

// The coefficients of the linearised rows at one iterate.
struct Linearisation {
  std::vector<Array> coefficients;                      // as SystemPlan::jacobian_tape gives them, at the points
  std::shared_ptr<const SeriesLinearisation> series{};  // with SystemPlan::series what J v takes instead
};

// The m of C^(m) in which an equation is written along SystemPlan::banded_axis: the highest derivative in it. (Its
// share of the conditions, EquationModel::orders, may be less: dt(u) = dx(w), dx(w,2) = u has 0 and 2.)
int basis_order(const Model& model, const RowPlan& row, int axis);

class WindowSystem : public NonlinearSystem {
 public:
  WindowSystem(const Context& context, const Model& model, const SystemPlan& plan, const Discretisation& discretisation,
               const State& state);

  Index size() const override { return size_; }
  bool is_linear() const override { return model_.linear; }
  void residual(std::span<const double> x, std::span<double> f) override;
  void jacobian(std::span<const double> x, std::span<double> matrix) override;
  LuStatus factor_jacobian(std::span<const double> x, DenseLu& lu) override;
  void weights(std::span<const double> x, std::span<double> w) const override;
  std::string describe_row(Index row) const override;
  std::string describe_unknown(Index column) const override;
  std::string locate_not_finite(std::span<const double> x) override;

  // f = the rows of the equations that have these values, one array for each, at the points of the window in place of
  // their residuals (extent 1: constant along the axis); 0 in the rows of conditions and continuity.
  void project_equations(const std::vector<Array>& values, std::span<double> f) const;

  Linearisation linearise(std::span<const double> x) const;
  // The same into the memory of another.
  void linearise(std::span<const double> x, Linearisation& at_x) const;
  // J(x) v without the matrix: one evaluation of the linearised rows. Cost: that of a residual. With SystemPlan::series
  // one thread may call it at a time.
  void apply_jacobian(const Linearisation& at_x, std::span<const double> v, std::span<double> result) const;

  // Coefficients of a field in the window: n_coefficients extents along its axes, 1 elsewhere.
  Array coefficients(std::span<const double> x, int field) const;
  // The unknowns of a field as a tensor (layouts()).
  Array unknowns_of(std::span<const double> x, int field) const;
  // The state at the end of the window.
  State end_state(std::span<const double> x) const;

  // Where the i-th row of a block stands in the residual.
  Index place_of(const RowBlock& row, Index i) const;

  const Context& context() const { return context_; }
  const Model& model() const { return model_; }
  const SystemPlan& plan() const { return plan_; }
  const Discretisation& discretisation() const { return discretisation_; }
  const std::vector<FieldLayout>& layouts() const { return layouts_; }
  const std::vector<RowBlock>& rows() const { return rows_; }
  const std::vector<std::vector<RowTerm>>& integral_terms() const { return integral_terms_; }
  const State& state() const { return state_; }
  // Sizes of the fields against which corrections are judged, from the root mean squares of their unknowns.
  std::vector<double> field_weights(std::vector<double> sizes) const;

  // What another backend evaluates: the atoms of residual and coefficients, those of the directions, and where the
  // leaves of the plan's tapes come from.
  struct Leaf {
    int value = -1;                   // index among the field values; -1: a coordinate or data
    Array fixed;                      // their values at the points
    expression::Expr data = nullptr;  // of data what they are
  };
  const AtomValues& values() const { return values_; }
  const AtomValues& directions() const { return directions_; }
  const std::vector<Leaf>& residual_leaves() const { return with_data(residual_leaves_); }
  const std::vector<Leaf>& jacobian_leaves() const { return with_data(jacobian_leaves_); }
  // `fixed` of data may be empty in these: for who evaluates them in parts.
  const std::vector<Leaf>& residual_sources() const { return residual_leaves_.all; }
  const std::vector<Leaf>& jacobian_sources() const { return jacobian_leaves_.all; }

 private:
  void lay_out_fields();
  void lay_out_rows();
  bool can_go_time_by_time() const;
  const std::vector<std::vector<Index>>& modes_left(int axis);  // to each equation by its conditions
  void add_row(RowBlock block, int closed_axis);
  void add_mean(RowBlock block, const std::vector<int>& axes);
  Index next_offset() const;
  void add_continuity();
  void add_degrees();
  void add_line_rows(RowBlock::Kind kind, int equation, int field, int axis, int key, const BlockMatrix& line,
                     BlockMatrix slope, std::optional<double> stress);
  int add_line_term(RowBlock& block, int field, int key, const BlockMatrix& line, double factor);
  std::vector<RowTerm> row_terms(const std::vector<DirectionTerm>& terms, AtomValues& directions) const;
  void take_symbols(RowBlock& row, const SymbolPlan::Row& plan);
  void scale_rows();
  // Of a tape. Data may vary along all axes: their values are found when they are first asked for.
  struct Leaves {
    mutable std::vector<Leaf> all;
    mutable std::once_flag found;
  };
  void make_leaves(const expression::Tape& tape, AtomValues& values, Leaves& leaves) const;
  const std::vector<Leaf>& with_data(const Leaves& leaves) const;
  // Calls body(time) for every point in time, or once with -1 where the rows cannot be evaluated time by time. Several
  // threads may call it at once.
  template <class Body>
  void for_each_time(const Body& body) const;
  // Below, -1 for all points in time at once.
  static std::vector<ArrayView> leaf_values(const std::vector<Leaf>& leaves, const std::vector<ArrayView>& values,
                                            Index time);
  Index row_size(const RowBlock& row, Index time) const;
  void apply_tests(const RowBlock& row, const BandedRowTerm* banded, ArrayView values, Index time,
                   double* target) const;
  void project_mean(const RowBlock& row, const ArrayView& values, Index time, std::span<double> f) const;
  void project(const RowBlock& row, const ArrayView& values, Index time, std::span<double> f) const;
  void add_banded(const RowBlock& row, const BandedRowTerm& term, const ArrayView& coefficient, const ArrayView& values,
                  Index time, std::span<double> f) const;
  // f[rows] += the term, or its share at one point in time.
  void add_symbol(const RowBlock& row, const SymbolRowTerm& term, const ArrayView& coefficient, const ArrayView& values,
                  Index time, std::span<double> f) const;
  const expression::Tape& cpu_residual_tape() const {
    return plan_.symbols ? plan_.symbols->residual_tape : plan_.residual_tape;
  }
  void write_in_banded_form(RowBlock& row, const RowPlan& plan);
  const SourceText& text_of(const RowBlock& row) const;
  std::string modes_text(const Shape& extents, const std::vector<Index>& modes) const;

  const Context& context_;
  const Model& model_;
  const SystemPlan& plan_;
  const Discretisation& discretisation_;
  const State& state_;
  Index size_ = 0;
  bool time_by_time_ = false;  // rows hold values at their own point in time only, and each is worth a loop
  std::vector<FieldLayout> layouts_;
  std::vector<std::vector<std::vector<Index>>> modes_left_;  // per axis, where it has been asked for
  std::vector<RowBlock> rows_;
  std::vector<std::vector<RowTerm>> integral_terms_;  // per SystemPlan::integrals
  std::vector<std::vector<RowTerm>> cpu_integral_terms_;
  AtomValues values_, directions_;
  Leaves residual_leaves_, jacobian_leaves_;
  // What the CPU reads: atoms of the residual, of the coefficients, of the directions; the leaves of its tapes.
  AtomValues cpu_values_, cpu_coefficients_, cpu_directions_;
  Leaves cpu_residual_leaves_, cpu_jacobian_leaves_;
  std::shared_ptr<SeriesEvaluation> series_;  // null: on the points
};

}  // namespace gwrm
