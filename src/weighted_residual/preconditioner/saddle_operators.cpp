#include "weighted_residual/preconditioner/saddle_operators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/saddle_laplacian.hpp"
#include "weighted_residual/preconditioner/smallest_pivots.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

class SaddleBuilder {
 public:
  explicit SaddleBuilder(const SaddleRows& rows)
      : rows_(rows),
        system_(rows.system),
        model_(system_.model()),
        discretisation_(system_.discretisation()),
        layout_(rows.layout),
        means_(rows.means),
        z_(rows.z),
        velocities_(rows.velocities) {}

  bool build(const Multiplier& multiplier, SaddlePair& pair) {
    pair.equation = multiplier.equation;
    pair.field = multiplier.field;
    add_couplings(pair);
    add_axes(pair);
    LaplacianParts parts = laplacian_parts(rows_, pair, common_);
    if (common_.empty()) return false;
    find_row_factors(pair);
    average_velocities();
    std::vector<Complex> gradient_factor(z_.size(), 0.0);  // d
    int n_factors = 0;
    for (std::vector<LaplacianPart>& axis : parts)
      for (LaplacianPart& part : axis) {
        weigh(part);
        if (!part.is_laplacian) continue;
        for (std::size_t k = 0; k < z_.size(); ++k) gradient_factor[k] += part.weights[k] * part.factor;
        ++n_factors;
      }
    if (n_factors == 0) return false;
    for (Complex& d : gradient_factor) d /= n_factors;
    if (!find_gauge(pair)) return false;
    if (!factor_laplacian(z_, parts, pair)) return false;
    return scale(pair, gradient_factor);
  }

 private:
  void add_couplings(SaddlePair& pair) {
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& row = system_.rows()[i];
      if (row.kind == RowBlock::Kind::mean) continue;
      if (row.kind == RowBlock::Kind::degree) {
        if (row.equation == pair.equation)
          pair.degrees.push_back(*separable_term(system_, layout_, i, row.terms.front(), means_));
        continue;
      }
      for (const RowTerm& term : row.terms) {
        const bool of_multiplier = term.integral < 0 && term.atom.field == pair.field;
        if (row.equation != pair.equation && !of_multiplier) continue;
        std::optional<SeparableTerm> coupling = separable_term(system_, layout_, i, term, means_);
        if (!coupling) continue;
        if (row.equation != pair.equation) {
          const std::size_t driven = rows_.velocity_of(model_.equations[at(row.equation)].field);
          if (std::find(pair.driven.begin(), pair.driven.end(), driven) == pair.driven.end())
            pair.driven.push_back(driven);
          pair.gradient.push_back(std::move(*coupling));
        } else {
          (of_multiplier ? pair.own : pair.divergence).push_back(std::move(*coupling));
        }
      }
    }
  }

  void add_axes(SaddlePair& pair) {
    const RowBlock& row = system_.rows()[at(pair.equation)];  // equations come first
    TensorField& field = pair.laplacian;
    field.unknowns = layout_.fields[at(pair.field)];
    field.rows = layout_.rows[at(pair.equation)];
    for (int axis : model_.fields[at(pair.field)].axes) {
      if (!model_.is_modal(axis)) continue;
      TensorAxis one;
      one.axis = axis;
      one.free = row.modes[at(axis)];
      const Index n = discretisation_.n_unknowns(axis);
      for (Index mode = 0; mode < n; ++mode)
        if (!std::binary_search(one.free.begin(), one.free.end(), mode)) one.closed.push_back(mode);
      const auto n_free = static_cast<Index>(one.free.size()), n_closed = static_cast<Index>(one.closed.size());
      one.lift = Matrix::Zero(n, n_free);
      for (Index j = 0; j < n_free; ++j) one.lift(one.free[static_cast<std::size_t>(j)], j) = 1.0;
      one.closed_from_free = Matrix::Zero(n_closed, n_free);
      field.extents.push_back(n);
      field.free_extents.push_back(n_free);
      field.axes.push_back(std::move(one));
      pair.constant.emplace_back(
          Matrix(discretisation_.test(axis).row_sums())(field.axes.back().free, Eigen::all).col(0));
    }
  }

  // The factor of p's derivative in the equation of each velocity, over that of the first one: all of an equation may
  // have been multiplied by a number, or have been brought to the other side.
  void find_row_factors(const SaddlePair& pair) {
    row_factors_.assign(velocities_.size(), 0.0);
    for (const RowBlock& row : system_.rows()) {
      if (row.kind != RowBlock::Kind::equation || !is_common(row)) continue;
      for (const RowTerm& term : row.terms)
        if (term.integral < 0 && term.atom.field == pair.field && derived_axis(model_, term) >= 0)
          row_factors_[rows_.velocity_of(model_.equations[at(row.equation)].field)] += row.scale * rows_.mean_of(term);
    }
    const double first = row_factors_[common_.front()];
    for (double& factor : row_factors_) factor = factor == 0.0 || first == 0.0 ? 1.0 : factor / first;
  }

  double row_factor(const RowBlock& row) const {
    return row_factors_[rows_.velocity_of(model_.equations[at(row.equation)].field)];
  }

  // m and n.
  void average_velocities() {
    mass_.assign(z_.size(), 0.0);
    diffusion_.assign(z_.size(), 0.0);
    for (std::size_t v : common_)
      for (std::size_t k = 0; k < z_.size(); ++k)
        mass_[k] += velocities_[v].mass[k] / row_factors_[v] / static_cast<double>(common_.size());
    int n_terms = 0;
    for (const RowBlock& row : system_.rows()) {
      if (row.kind != RowBlock::Kind::equation || !is_common(row)) continue;
      for (const RowTerm& term : row.terms) {
        if (!is_own(row, term)) continue;
        const int axis = derived_axis(model_, term);
        if (axis < 0 || term.atom.orders[axis] != 2) continue;
        for (std::size_t k = 0; k < z_.size(); ++k)
          diffusion_[k] += std::pow(z_[k], term.power) * row.scale * rows_.mean_of(term) / row_factor(row);
        ++n_terms;
      }
    }
    for (Complex& n : diffusion_) n /= std::max(1, n_terms);
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
      if (model_.is_modal(axis)) {
        const std::vector<double>& edges = discretisation_.subdomains(axis).edges;
        gravest_ += std::pow(std::numbers::pi / (edges.back() - edges.front()), 2);
      }
  }

  bool is_common(const RowBlock& row) const {
    const std::size_t v = rows_.velocity_of(model_.equations[at(row.equation)].field);
    return std::find(common_.begin(), common_.end(), v) != common_.end();
  }

  bool is_own(const RowBlock& row, const RowTerm& term) const {
    return term.integral < 0 && term.atom.field == model_.equations[at(row.equation)].field && !is_restricted(term);
  }

  // z^power, m/m_f times as much for an unknown whose own factor is another; of a condition as much as A has for the
  // longest wave, m + n L (m alone may vanish).
  void weigh(LaplacianPart& part) const {
    for (std::size_t k = 0; k < z_.size(); ++k) {
      const double row_factor = part.is_condition ? 1.0 : row_factors_[part.velocity];
      const Complex own = velocities_[part.velocity].mass[k] / row_factor;
      const Complex ratio = part.is_condition               ? mass_[k] - diffusion_[k] * gravest_
                            : own == 0.0 || mass_[k] == own ? 1.0
                                                            : mass_[k] / own;
      part.weights.push_back(std::pow(z_[k], part.power) * ratio / row_factor);
    }
  }

  // The row that fixes the mean of p.
  bool find_gauge(SaddlePair& pair) {
    for (const RowBlock& row : system_.rows()) {
      if (row.kind != RowBlock::Kind::mean || row.equation != pair.equation) continue;
      if (row.places != std::vector<Index>{0} || pair.has_kernel) return false;
      pair.has_kernel = true;
      std::vector<int> axes;
      for (const TensorAxis& axis : pair.laplacian.axes) axes.push_back(axis.axis);
      std::optional<SeparableFunctional> gauge =
          separable_functional(system_, row.terms, row.scale, pair.field, axes, means_);
      if (!gauge) return false;
      pair.gauge = std::move(*gauge);
    }
    if (!pair.has_kernel) return true;
    pair.gauge_of_one = 0.0;
    for (const SeparableFunctional::Term& term : pair.gauge.terms) {
      double product = term.factor;
      for (std::size_t d = 0; d < term.rows.size(); ++d)
        product *= term.rows[d](pair.laplacian.axes[d].free).dot(pair.constant[d]);
      pair.gauge_of_one += product;
    }
    return pair.gauge_of_one != 0.0;
  }

  // The factors of the Schur complement.
  bool scale(SaddlePair& pair, const std::vector<Complex>& gradient_factor) {
    const RowBlock& constraint = system_.rows()[at(pair.equation)];
    for (std::size_t k = 0; k < z_.size(); ++k) {
      const Complex d = gradient_factor[k], n = diffusion_[k], m = mass_[k];
      Complex c = 0.0;  // of p itself in c
      for (const RowTerm& term : constraint.terms)
        if (term.integral < 0 && term.atom.field == pair.field && derived_axis(model_, term) == -1)
          c += std::pow(z_[k], term.power) * constraint.scale * rows_.mean_of(term);
      const Complex with_own = d - c * n;
      if (with_own == 0.0) return false;
      pair.inverse.push_back((m + n * c * m / with_own) * d / with_own);
      pair.wind_factor.push_back(d / with_own);
      pair.identity.push_back(n / with_own);
      pair.laplacian.mass.push_back(-c * m * d / with_own);
      if (pair.has_kernel && c != 0.0) return false;
      // Also where a steady flow leaves a constant: then m, the factor of E^-1, vanishes.
      const auto [smallest, second] = smallest_pivots(pair.laplacian, z_[k], k);
      if (pair.has_kernel || smallest <= rounding(pair.laplacian) * second)
        pair.laplacian.mass.back() += kShift * second;
      if (!(second > 0.0)) return false;
    }
    add_wind(pair);
    if (holds_in_conditions(pair)) leave_out_diffusion(pair);
    return true;
  }

  // Whether conditions hold the multiplier (outflow).
  bool holds_in_conditions(const SaddlePair& pair) const {
    return std::any_of(model_.conditions.begin(), model_.conditions.end(), [&](const ConditionModel& condition) {
      return condition.equation != pair.equation &&
             std::any_of(condition.fields.begin(), condition.fields.end(),
                         [&](const expression::FieldOrders& entry) { return entry.field == pair.field; });
    });
  }

  // At an outflow p is z times the velocity's slope, and what diffusion adds to p inside is as large there: it is left
  // out where it is nothing inside.
  void leave_out_diffusion(SaddlePair& pair) const {
    constexpr double kNothing = 1e-6;
    for (std::size_t k = 0; k < z_.size(); ++k)
      if (std::abs(diffusion_[k]) * gravest_ <= kNothing * std::abs(mass_[k]))
        pair.identity[k] = pair.wind_factor[k] = 0.0;
  }

  // What an eigenvalue that vanishes comes out as, over the next one: second derivatives of series of degree N have
  // eigenvalues up to N^4 times the least, and the Schur form has them to the machine epsilon of the largest.
  static double rounding(const TensorField& laplacian) {
    const Index n = *std::max_element(laplacian.free_extents.begin(), laplacian.free_extents.end());
    return std::numeric_limits<double>::epsilon() * std::pow(static_cast<double>(n), 4);
  }

  // W of the velocities on the modes of p. A wind that diffusion carries away across the box is left out.
  void add_wind(SaddlePair& pair) {
    // Peclet number: the share of W in the Schur complement. GMRES gains about a digit in five iterations, and what
    // changes the preconditioner by a thousandth does not change their number.
    constexpr double kWeak = 1e-3;
    const RowBlock& constraint = system_.rows()[at(pair.equation)];
    pair.wind.resize(pair.laplacian.axes.size());
    for (const RowBlock& row : system_.rows()) {
      if (row.kind != RowBlock::Kind::equation || !is_common(row)) continue;
      for (const RowTerm& term : row.terms) {
        const int axis = is_own(row, term) ? derived_axis(model_, term) : -1;
        if (axis < 0 || term.atom.orders[axis] != 1 || term.coefficient < 0) continue;
        const std::vector<double>& edges = discretisation_.subdomains(axis).edges;
        const double speed = means_(term.coefficient, axis).cwiseAbs().maxCoeff() * (edges.back() - edges.front()) /
                             std::abs(row_factor(row));
        const double own = std::abs(diffusion_[0]) / std::abs(std::pow(z_[0], term.power));
        if (!(speed > kWeak * own)) continue;
        std::size_t d = 0;
        while (d < pair.wind.size() && pair.laplacian.axes[d].axis != axis) ++d;
        if (d == pair.wind.size() || (pair.wind_power != term.power && pair.has_wind)) continue;
        pair.has_wind = true;
        pair.wind_power = term.power;
        RowTerm of_multiplier = term;
        of_multiplier.atom.field = pair.field;
        const Matrix values =
            Matrix(rows_.tested(constraint, of_multiplier, axis)(Eigen::all, pair.laplacian.axes[d].free)) *
            (row.scale / constraint.scale / row_factor(row) / static_cast<double>(common_.size()));
        if (pair.wind[d].size() == 0)
          pair.wind[d] = values;
        else
          pair.wind[d] += values;
      }
    }
  }

  // Of the smallest eigenvalue but 0: the other components change by this share at most, and single precision, in which
  // E is solved, gives that of the constant to its epsilon over it. At its root both are alike, and far below what
  // averaging the coefficients costs.
  static constexpr double kShift = 3.5e-4;

  const SaddleRows& rows_;
  const WindowSystem& system_;
  const Model& model_;
  const Discretisation& discretisation_;
  const SpatialLayout& layout_;
  const CoefficientMeans& means_;
  const std::vector<Complex>& z_;
  const std::vector<TensorField>& velocities_;
  std::vector<std::size_t> common_;  // tensor fields that c and the gradient of p have in common
  std::vector<double> row_factors_;  // of the tensor fields
  std::vector<Complex> mass_, diffusion_;
  double gravest_ = 0.0;  // - L of the longest wave
};

}  // namespace

LuStatus saddle_pairs(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                      const std::vector<Complex>& z, const std::vector<TensorField>& velocities,
                      std::vector<SaddlePair>& pairs) {
  const SaddleRows rows{system, layout, means, z, velocities};
  for (const Multiplier& multiplier : system.model().multipliers) {
    pairs.emplace_back();
    if (!SaddleBuilder(rows).build(multiplier, pairs.back())) return LuStatus::singular;
  }
  return LuStatus::regular;
}

}  // namespace gwrm
