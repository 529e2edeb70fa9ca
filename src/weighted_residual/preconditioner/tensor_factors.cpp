// The separable part of the spatial operators, inverted axis by axis: for two and three axes of space.
//
// Of the averaged equation of each unknown only its own terms count: those without derivatives with their mean, those
// with derivatives along one axis a with their mean or their profile along a. This is  S(z) = m(z) + sum_a A_a(z),
// tensor products with the identity along the other axes. The conditions along axis a are B_a u = r_a, so that
//   u = Z_a v + M_a r_a,   v the free modes,  Z_a = [I; -B_c^{-1} B_f],  M_a = [0; B_c^{-1}]   (free rows first),
// axis after axis, and the projected equation keeps the free modes only: its mass is the identity. With the Schur forms
// A_a Z_a = U_a T_a U_a^H the sum is solved backwards along every axis (Bartels and Stewart 1972 for two; the same
// recursion for more). Unlike eigenvectors this stands advection at any Peclet number (docs/numerics.md 3.1, 4.3).
// Cost per solve: one matrix product and one triangular solve along each axis, n^(1 + 1/d) operations.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "core/thread_errors.hpp"
#include "kernels/linear_algebra/block_product.hpp"
#include "kernels/linear_algebra/complex_schur.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/natural_condition.hpp"
#include "weighted_residual/preconditioner/tensor_pivots.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// Which Schur form of which axis of which field.
struct SchurPlace {
  std::size_t field = 0, d = 0, k = 0;
};
struct SchurTask {
  Eigen::MatrixXcd matrix;
  std::vector<SchurPlace> places;
  bool converged = true;
};
// Values at the points of an axis and what its test functions make of them.
struct Projection {
  int axis = -1;
  std::vector<Index> free;
  Matrix values, result;
};

class TensorBuilder {
 public:
  TensorBuilder(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means)
      : system_(system),
        model_(system.model()),
        discretisation_(system.discretisation()),
        layout_(layout),
        means_(means),
        n_powers_(highest_power(system) + 1) {}

  LuStatus build(const std::vector<Complex>& z, std::vector<TensorField>& fields) {
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& row = system_.rows()[i];
      if (row.kind != RowBlock::Kind::equation) continue;
      TensorField solver;
      field_ = model_.equations[row.equation].field;
      if (multiplier_of(model_, field_) != nullptr) continue;  // saddle_operators.hpp
      solver.unknowns = layout_.fields[field_];
      solver.rows = layout_.rows[i];
      solver.mass_powers.assign(at(n_powers_), 0.0);
      for (int axis : model_.fields[field_].axes)
        if (model_.is_modal(axis)) add_axis(row, axis, solver);
      solver.order = corner_order(row.equation, solver.axes);
      for (const RowTerm& term : row.terms) add_term(term, solver);
      if (!finite_) return LuStatus::not_finite;
      if (!close(row, solver)) return LuStatus::singular;
      collect_matrices(solver, z, fields.size());
      orders_.emplace_back();
      for (const TensorAxis& axis : solver.axes)
        orders_.back().push_back(model_.equations[at(row.equation)].orders[at(axis.axis)]);
      fields.push_back(std::move(solver));
    }
    if (!factor(fields)) return LuStatus::singular;
    return pivots_are_regular(fields, orders_, z, system_.context().n_threads()) ? LuStatus::regular
                                                                                 : LuStatus::singular;
  }

 private:
  void add_axis(const RowBlock& row, int axis, TensorField& solver) {
    TensorAxis result;
    result.axis = axis;
    result.free = row.modes[axis];
    std::vector<bool> is_free(static_cast<std::size_t>(discretisation_.n_unknowns(axis)), false);
    for (Index mode : result.free) is_free[static_cast<std::size_t>(mode)] = true;
    for (std::size_t k = 0; k < is_free.size(); ++k)
      if (!is_free[k]) result.closed.push_back(static_cast<Index>(k));
    result.operators.assign(at(n_powers_), Matrix());
    solver.extents.push_back(discretisation_.n_unknowns(axis));
    solver.free_extents.push_back(static_cast<Index>(result.free.size()));
    solver.axes.push_back(std::move(result));
  }

  std::vector<std::size_t> corner_order(int equation, const std::vector<TensorAxis>& axes) const {
    std::vector<std::size_t> order(axes.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<int>& ranks = model_.equations[at(equation)].corner_ranks;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[at(axes[a].axis)] < ranks[at(axes[b].axis)]; });
    return order;
  }

  // Mean of a coefficient over all axes but one (-1: all).
  Vector profile(const RowTerm& term, int axis) {
    Vector mean = means_(term.coefficient, axis);
    finite_ = finite_ && mean.allFinite();
    return mean;
  }

  void add_term(const RowTerm& term, TensorField& solver) {
    if (term.integral >= 0 || term.atom.field != field_) return;
    int derived = -1;
    for (std::size_t d = 0; d < solver.axes.size(); ++d) {
      const int axis = solver.axes[d].axis;
      if (term.atom.restricted[axis]) return;
      if (term.atom.orders[axis] == 0) continue;
      if (derived >= 0) return;  // a mixed derivative is not separable
      derived = static_cast<int>(d);
    }
    // Without a derivative: its mean goes to m_p.
    if (derived < 0) {
      solver.mass_powers[term.power] += profile(term, -1)(0);
      return;
    }
    // With derivatives along a: P_f diag(g_a) E to A_a^(p), P_f the test with the free modes, g_a the profile along a.
    TensorAxis& axis = solver.axes[derived];
    const Vector g = profile(term, axis.axis);
    const BlockMatrix trial = discretisation_.trial(axis.axis, term.atom, model_.fields[field_]);
    Matrix values = trial.dense();
    if (g.size() == 1)
      values *= g(0);
    else
      values = g.asDiagonal() * values;
    Matrix& sum = axis.operators[term.power];
    if (sum.size() == 0) sum = Matrix::Zero(static_cast<Index>(axis.free.size()), trial.cols);
    sum += projected(axis, std::move(values));
  }

  // Values at the points of an axis, tested with its free modes. Fields that are carried by the same flow have the same
  // values: they are projected once.
  const Matrix& projected(const TensorAxis& axis, Matrix values) {
    for (const Projection& known : projections_)
      if (known.axis == axis.axis && known.free == axis.free && known.values.cols() == values.cols() &&
          known.values == values)
        return known.result;
    Matrix result = multiply(discretisation_.test(axis.axis, axis.free), values);
    projections_.push_back({axis.axis, axis.free, std::move(values), std::move(result)});
    return projections_.back().result;
  }

  // A Z, Z being the unit matrix but for the rows of the closed modes.
  static Matrix on_interior_modes(const Matrix& a, const TensorAxis& axis) {
    Matrix result = a(Eigen::all, axis.free);
    if (!axis.closed.empty()) result += Matrix(a(Eigen::all, axis.closed)) * axis.closed_from_free;
    return result;
  }

  // Conditions and continuity of the equation: B along each axis, its part on the closed modes inverted.
  bool close(const RowBlock& equation, TensorField& solver) {
    // B_a: all conditions and continuity rows along a, one below the other.
    std::vector<Matrix> rows;
    for (const TensorAxis& axis : solver.axes)
      rows.emplace_back(Matrix::Zero(0, discretisation_.n_unknowns(axis.axis)));
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& block = system_.rows()[i];
      if (block.kind == RowBlock::Kind::equation || block.equation != equation.equation) continue;
      const int axis = block.line_axis >= 0 ? block.line_axis : model_.conditions[block.index].axis;
      std::size_t d = 0;
      while (d < solver.axes.size() && solver.axes[d].axis != axis) ++d;
      if (d == solver.axes.size()) return false;
      const Index count = block.line_axis >= 0 ? block.extents[axis] : 1;
      Matrix values = Matrix::Zero(count, discretisation_.n_unknowns(axis));
      int power = 0;
      for (const RowTerm& term : block.terms) add_condition(term, axis, block.scale, field_, values, power);
      if (const std::optional<NaturalTerm> natural = natural_term(system_, means_, block, axis))
        add_condition(natural->term, axis, block.scale * natural->factor, field_, values, power);
      Matrix& all = rows[d];
      solver.conditions.push_back({d, layout_.rows[i], all.rows(), count, power});
      all.conservativeResize(all.rows() + count, Eigen::NoChange);
      all.bottomRows(count) = values;
    }
    for (std::size_t d = 0; d < solver.axes.size(); ++d) {
      TensorAxis& axis = solver.axes[d];
      const Index n = discretisation_.n_unknowns(axis.axis), n_closed = static_cast<Index>(axis.closed.size());
      if (rows[d].rows() != n_closed) return false;
      // Z_a and M_a from B_c u_c + B_f u_f = r: with the rows scaled by D, u_c = -(D B_c)^{-1} D B_f v + (D B_c)^{-1} D
      // r.
      axis.conditions = rows[d];
      axis.lift = Matrix::Zero(n, n - n_closed);
      axis.particular = Matrix::Zero(n, n_closed);
      for (std::size_t j = 0; j < axis.free.size(); ++j) axis.lift(axis.free[j], static_cast<Index>(j)) = 1.0;
      axis.closed_from_free = Matrix::Zero(n_closed, n - n_closed);
      if (n_closed == 0) continue;
      // Rows brought to size 1 for the test of independence.
      const Vector scale = rows[d].rowwise().lpNorm<Eigen::Infinity>();
      if (!(scale.minCoeff() > 0.0)) return false;
      const Matrix b = scale.cwiseInverse().asDiagonal() * rows[d];
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(Eigen::MatrixXd(b(Eigen::all, axis.closed)));
      if (!lu.isInvertible()) return false;
      axis.closed_from_free = -lu.solve(Eigen::MatrixXd(b(Eigen::all, axis.free)));
      const Matrix inverse = lu.solve(Eigen::MatrixXd(scale.cwiseInverse().asDiagonal()));
      for (Index c = 0; c < n_closed; ++c) {
        axis.lift.row(axis.closed[static_cast<std::size_t>(c)]) = axis.closed_from_free.row(c);
        axis.particular.row(axis.closed[static_cast<std::size_t>(c)]) = inverse.row(c);
      }
    }
    return true;
  }

  // Adds what the term asks of the field along the axis; p is taken to be the same for all terms of a condition.
  void add_condition(const RowTerm& term, int axis, double scale, int field, Matrix& values, int& power) {
    if (term.integral >= 0 || term.atom.field != field) return;
    const double g = scale * (term.coefficient < 0 ? 1.0 : profile(term, -1)(0));
    if (term.line_axis == axis) {
      values += g * term.line.dense();
    } else if (term.atom.restricted[axis]) {
      values += g * discretisation_.trial(axis, term.atom, model_.fields[field]).dense();
    }
    power = term.power;
  }

  // The matrices whose Schur forms the axes of a field want.
  void collect_matrices(TensorField& solver, const std::vector<Complex>& z, std::size_t field) {
    // m(z) = sum_p z^p m_p.
    for (Complex value : z) {
      Complex mass = 0.0, power = 1.0;
      for (double m : solver.mass_powers) {
        mass += power * m;
        power *= value;
      }
      solver.mass.push_back(mass);
    }
    for (std::size_t d = 0; d < solver.axes.size(); ++d) {
      TensorAxis& axis = solver.axes[d];
      // A_a(z) Z_a = sum_p z^p A_a^(p) Z_a. Where only one p occurs (diffusion of dt(u): p = 1) a single Schur form,
      // scaled by z^p, serves all z.
      int n_used = 0;
      for (int p = 0; p < n_powers_; ++p)
        if (axis.operators[p].size() > 0) {
          ++n_used;
          axis.single_power = p;
        }
      const Index n = static_cast<Index>(axis.free.size());
      if (n_used <= 1) {
        const Matrix a =
            n_used == 0 ? Matrix(Matrix::Zero(n, n)) : on_interior_modes(axis.operators[axis.single_power], axis);
        if (n_used == 0) axis.single_power = 0;
        add_task(a.cast<Complex>(), {field, d, 0});
        axis.unitary.resize(1);
        axis.triangle.resize(1);
        continue;
      }
      axis.single_power = -1;
      axis.unitary.resize(z.size());
      axis.triangle.resize(z.size());
      for (std::size_t k = 0; k < z.size(); ++k) {
        Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(n, n);
        Complex power = 1.0;
        for (const Matrix& op : axis.operators) {
          if (op.size() > 0) a += power * on_interior_modes(op, axis).cast<Complex>();
          power *= z[k];
        }
        add_task(std::move(a), {field, d, k});
      }
    }
  }

  // Fields that are carried by the same flow have the same operators: each matrix is factored once.
  void add_task(Eigen::MatrixXcd a, const SchurPlace& place) {
    for (SchurTask& task : tasks_)
      if (task.matrix.rows() == a.rows() && task.matrix == a) {
        task.places.push_back(place);
        return;
      }
    tasks_.push_back({std::move(a), {place}, true});
  }

  bool factor(std::vector<TensorField>& fields) {
    const auto n_tasks = static_cast<int>(tasks_.size());
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(system_.context().n_threads())
    for (int i = 0; i < n_tasks; ++i)
      errors.run([&] {
        SchurTask& task = tasks_[i];
        const ComplexSchur schur = complex_schur(task.matrix);
        task.converged = schur.converged;
        for (const SchurPlace& place : task.places) {
          TensorAxis& axis = fields[place.field].axes[place.d];
          axis.unitary[place.k] = schur.unitary;
          axis.triangle[place.k] = schur.triangle;
        }
      });
    errors.rethrow();
    return std::all_of(tasks_.begin(), tasks_.end(), [](const SchurTask& task) { return task.converged; });
  }

  const WindowSystem& system_;
  const Model& model_;
  const Discretisation& discretisation_;
  const SpatialLayout& layout_;
  const CoefficientMeans& means_;
  bool finite_ = true;
  std::vector<std::vector<int>> orders_;  // of each field's equation, along each of its axes
  std::vector<SchurTask> tasks_;
  std::deque<Projection> projections_;  // references to them stay
  int n_powers_;
  int field_ = -1;  // of the equation at hand
};

}  // namespace

LuStatus tensor_operators(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                          const std::vector<Complex>& z, std::vector<TensorField>& fields) {
  return TensorBuilder(system, layout, means).build(z, fields);
}

CoefficientMeans coefficient_means(const WindowSystem& system, const std::vector<Array>& averages) {
  return [&system, &averages](int coefficient, int axis) {
    Array a = averages[coefficient];
    for (int other = 0; other < static_cast<int>(a.shape.size()); ++other) {
      if (other == axis || a.shape[other] == 1) continue;
      const Vector& weights = system.discretisation().weights()[other];
      a = weighted_sum(a, at(other), weights / weights.sum());
    }
    return Vector(Eigen::Map<const Vector>(a.data.data(), a.size()));
  };
}

FactorResult tensor_factors(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages,
                            const std::vector<Complex>& z, Precision precision) {
  for (const Array& average : averages)
    for (double value : average.data)
      if (!std::isfinite(value)) return {nullptr, LuStatus::not_finite};
  if (!system.model().multipliers.empty()) return {nullptr, LuStatus::singular};
  std::vector<TensorField> fields;
  const LuStatus status = tensor_operators(system, layout, coefficient_means(system, averages), z, fields);
  if (status != LuStatus::regular) return {nullptr, status};
  return {make_tensor_solver(std::move(fields), z, precision), LuStatus::regular};
}

}  // namespace gwrm
