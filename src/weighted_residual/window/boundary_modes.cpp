#include "weighted_residual/window/boundary_modes.hpp"

#include <algorithm>
#include <numeric>

namespace gwrm {
namespace {

// Sets that grow together.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // False: they were one set before.
  bool join(std::size_t a, std::size_t b) {
    const std::size_t from = root(a), to = root(b);
    parent_[from] = to;
    return from != to;
  }

 private:
  std::vector<std::size_t> parent_;
};

// A condition along the axis: what it requires of the modes of each unknown, largest entry 1. A field that it does not
// hold has an empty row.
struct ConditionRow {
  int equation = -1;
  std::vector<RowVector> of_field;
};

bool holds(const RowVector& row) {
  return row.size() > 0 && row.cwiseAbs().maxCoeff() > 0.0;
}

class BoundaryModes {
 public:
  BoundaryModes(const Model& model, const SystemPlan& plan, int axis, const AxisBasis& basis)
      : model_(model),
        plan_(plan),
        axis_(axis),
        basis_(basis),
        n_(basis.n_per_subdomain()),
        given_(model.equations.size(), std::vector<bool>(static_cast<std::size_t>(basis.n_coefficients()), false)) {}

  std::vector<std::vector<bool>> find() {
    read_conditions();
    std::vector<int> closed;
    for (int e = 0; e < static_cast<int>(model_.equations.size()); ++e)
      if (n_given(e) > 0) closed.push_back(e);
    JoinedSets groups(model_.equations.size());
    for (const ConditionRow& row : rows_)
      for (int e : closed)
        if (holds(row_of(row, e))) groups.join(static_cast<std::size_t>(row.equation), static_cast<std::size_t>(e));
    while (!closed.empty()) {
      const std::size_t root = groups.root(static_cast<std::size_t>(closed.front()));
      std::vector<int> group, others;
      for (int e : closed) (groups.root(static_cast<std::size_t>(e)) == root ? group : others).push_back(e);
      give(group);
      closed = std::move(others);
    }
    return std::move(given_);
  }

 private:
  int n_given(int equation) const { return model_.equations[at(equation)].n_conditions[axis_]; }
  const RowVector& row_of(const ConditionRow& row, int equation) const {
    return row.of_field[at(model_.equations[at(equation)].field)];
  }

  // Adds what a linearised condition asks of each mode along the axis. Coefficients that are not numbers count as 1:
  // only the pattern of the modes matters here.
  void add_modes(const std::vector<DirectionTerm>& terms, double factor, ConditionRow& row) const {
    for (const DirectionTerm& term : terms) {
      const double weight = factor * term.constant;
      if (term.integral >= 0) {
        const IntegralPlan& integral = plan_.integrals[term.integral];
        if (integral.axis != axis_)
          add_modes(integral.terms, weight, row);
        else
          add_integral(integral.terms, weight, row);
        continue;
      }
      if (!term.atom.restricted[axis_]) continue;
      RowVector& of_field = entries(row, term.atom.field);
      const BlockMatrix values = basis_.at(std::span(&term.atom.points[axis_], 1), term.atom.orders[axis_]);
      for (const MatrixBlock& block : values.blocks)
        of_field.segment(block.column, block.matrix->cols()) += weight * block.matrix->row(0);
    }
  }

  void add_integral(const std::vector<DirectionTerm>& terms, double factor, ConditionRow& row) const {
    for (const DirectionTerm& term : terms)
      if (term.integral >= 0)
        add_integral(plan_.integrals[term.integral].terms, factor * term.constant, row);
      else
        entries(row, term.atom.field) += factor * term.constant * basis_.integral_row();
  }

  RowVector& entries(ConditionRow& row, int field) const {
    RowVector& of_field = row.of_field[at(field)];
    if (of_field.size() == 0) of_field = RowVector::Zero(basis_.n_coefficients());
    return of_field;
  }

  void read_conditions() {
    for (const RowPlan& plan : plan_.rows) {
      if (!plan.is_condition) continue;
      const ConditionModel& condition = model_.conditions[plan.index];
      if (condition.axis != axis_ || condition.inner_edge) continue;
      ConditionRow row{condition.equation, std::vector<RowVector>(model_.fields.size())};
      add_modes(plan.terms, 1.0, row);
      double largest = 0.0;
      for (const RowVector& of_field : row.of_field)
        if (of_field.size() > 0) largest = std::max(largest, of_field.cwiseAbs().maxCoeff());
      for (RowVector& of_field : row.of_field)
        if (largest > 0.0) of_field /= largest;
      rows_.push_back(std::move(row));
    }
  }

  // Whether continuity and conditions close a ring of subdomains: without one the highest modes are independent.
  bool closes_ring(const std::vector<int>& group) const {
    const auto n_subdomains = static_cast<std::size_t>(basis_.n_subdomains());
    JoinedSets pieces(model_.equations.size() * n_subdomains);
    for (int e : group)
      for (std::size_t p = 1; p < n_subdomains; ++p)
        pieces.join(at(e) * n_subdomains + p - 1, at(e) * n_subdomains + p);
    for (const ConditionRow& row : rows_) {
      std::vector<std::size_t> touched;
      for (int e : group)
        for (std::size_t p = 0; holds(row_of(row, e)) && p < n_subdomains; ++p)
          if (row_of(row, e).segment(static_cast<Index>(p) * n_, n_).cwiseAbs().maxCoeff() > 0.0)
            touched.push_back(at(e) * n_subdomains + p);
      for (std::size_t i = 1; i < touched.size(); ++i)
        if (!pieces.join(touched[0], touched[i])) return true;
    }
    return false;
  }

  void give_highest(int equation) {
    for (Index p = 0; p < basis_.n_subdomains(); ++p)
      for (Index k = n_ - n_given(equation); k < n_; ++k)
        given_[at(equation)][static_cast<std::size_t>(p * n_ + k)] = true;
  }

  // The rows of a group: its conditions, then the continuity of its unknowns.
  Matrix joint_rows(const std::vector<int>& group) const {
    const Index n = basis_.n_coefficients();
    std::vector<RowVector> rows;
    for (const ConditionRow& condition : rows_) {
      if (std::find(group.begin(), group.end(), condition.equation) == group.end()) continue;
      RowVector& row = rows.emplace_back(RowVector::Zero(n * static_cast<Index>(group.size())));
      for (std::size_t i = 0; i < group.size(); ++i)
        if (const RowVector& own = row_of(condition, group[i]); own.size() > 0)
          row.segment(static_cast<Index>(i) * n, n) = own;
    }
    for (std::size_t i = 0; i < group.size(); ++i)
      for (int order = 0; order < n_given(group[i]); ++order) {
        const Matrix jumps = basis_.jump(order).dense();
        for (Index edge = 0; edge < jumps.rows(); ++edge) {
          RowVector& row = rows.emplace_back(RowVector::Zero(n * static_cast<Index>(group.size())));
          row.segment(static_cast<Index>(i) * n, n) = jumps.row(edge) / jumps.row(edge).cwiseAbs().maxCoeff();
        }
      }
    Matrix result(static_cast<Index>(rows.size()), n * static_cast<Index>(group.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) result.row(static_cast<Index>(i)) = rows[i];
    return result;
  }

  void give(const std::vector<int>& group) {
    std::vector<bool> lowered;
    for (int e : group) lowered.push_back(model_.equations[at(e)].evolves[at(axis_)]);
    if (std::none_of(lowered.begin(), lowered.end(), [](bool lower) { return lower; }) ||
        (basis_.n_subdomains() > 1 && !closes_ring(group))) {
      for (int e : group) give_highest(e);
      return;
    }
    const Matrix rows = joint_rows(group);
    std::vector<Vector> directions;
    const auto is_independent = [&](Index column_index) {  // of those taken so far, by Gram-Schmidt
      Vector column = rows.col(column_index);
      const double size = column.norm();
      for (const Vector& direction : directions) column -= direction.dot(column) * direction;
      if (size < 1e-8 || column.norm() < 1e-8 * size) return false;
      directions.push_back(column.normalized());
      return true;
    };
    for (const bool lower : {false, true})  // those that keep their highest modes come first
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (lowered[i] != lower) continue;
        const Index first = static_cast<Index>(i) * basis_.n_coefficients();
        if (!lower) {
          give_highest(group[i]);
          for (Index k = 0; k < basis_.n_coefficients(); ++k)
            if (given_[at(group[i])][static_cast<std::size_t>(k)]) is_independent(first + k);
          continue;
        }
        for (int round = 0; round < n_given(group[i]); ++round)
          for (Index p = 0; p < basis_.n_subdomains(); ++p) {
            const auto taken = [&](Index k) { return given_[at(group[i])][static_cast<std::size_t>(p * n_ + k)]; };
            Index k = n_ - 1;
            while (k >= 0 && (taken(k) || !is_independent(first + p * n_ + k))) --k;
            // Dependent conditions, or none on this unknown: the solver will name what nothing determines.
            if (k < 0)
              for (k = n_ - 1; taken(k);) --k;
            given_[at(group[i])][static_cast<std::size_t>(p * n_ + k)] = true;
          }
      }
  }

  const Model& model_;
  const SystemPlan& plan_;
  const int axis_;
  const AxisBasis& basis_;
  const Index n_;
  std::vector<ConditionRow> rows_;
  std::vector<std::vector<bool>> given_;  // of each equation
};

}  // namespace

std::vector<std::vector<Index>> interior_modes(const Model& model, const SystemPlan& plan, int axis,
                                               const AxisBasis& basis) {
  std::vector<std::vector<Index>> interior;
  for (const std::vector<bool>& given : BoundaryModes(model, plan, axis, basis).find()) {
    std::vector<Index>& modes = interior.emplace_back();
    for (Index k = 0; k < basis.n_coefficients(); ++k)
      if (!given[static_cast<std::size_t>(k)]) modes.push_back(k);
  }
  return interior;
}

}  // namespace gwrm
