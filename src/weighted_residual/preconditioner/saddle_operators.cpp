#include "weighted_residual/preconditioner/saddle_operators.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/linear_algebra/complex_schur.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/smallest_pivots.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// The only axis of space along which a term is differentiated; -1: none; -2: several.
int derived_axis(const Model& model, const RowTerm& term) {
  int derived = -1;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis) || term.atom.orders[axis] == 0) continue;
    if (derived >= 0) return -2;
    derived = axis;
  }
  return derived;
}

bool is_restricted(const RowTerm& term) {
  return std::any_of(term.atom.restricted.begin(), term.atom.restricted.end(), [](bool one) { return one; });
}

class Builder {
 public:
  Builder(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
          const std::vector<Complex>& z, const std::vector<TensorField>& velocities)
      : system_(system),
        model_(system.model()),
        discretisation_(system.discretisation()),
        layout_(layout),
        means_(means),
        z_(z),
        velocities_(velocities) {}

  bool build(const Multiplier& multiplier, SaddlePair& pair) {
    pair.equation = multiplier.equation;
    pair.field = multiplier.field;
    add_couplings(pair);
    add_axes(pair);
    std::vector<std::vector<Part>> parts(pair.laplacian.axes.size());  // of E, per axis
    find_parts(pair, parts);
    if (common_.empty()) return false;
    average_velocities();
    std::vector<Complex> gradient_factor(z_.size(), 0.0);  // d
    int n_factors = 0;
    for (std::vector<Part>& axis : parts)
      for (Part& part : axis) {
        weigh(part);
        if (!part.is_laplacian) continue;
        for (std::size_t k = 0; k < z_.size(); ++k) gradient_factor[k] += part.weights[k] * part.factor;
        ++n_factors;
      }
    if (n_factors == 0) return false;
    for (Complex& d : gradient_factor) d /= n_factors;
    if (!find_gauge(pair)) return false;
    if (!factor(pair, parts)) return false;
    return scale(pair, gradient_factor);
  }

 private:
  // What one term of c and one of p's in the equation of its unknown add to E along an axis.
  struct Part {
    Matrix matrix;
    double factor = 1.0;  // of d, where both are derivatives
    bool is_laplacian = false, is_condition = false;
    int power = 0;
    std::size_t velocity = 0;      // place among the tensor fields
    std::vector<Complex> weights;  // per z
  };

  std::size_t velocity_of(int field) const {
    std::size_t i = 0;
    while (i < velocities_.size() && velocities_[i].unknowns != layout_.fields[at(field)]) ++i;
    return i;
  }

  double mean_of(const RowTerm& term) const { return term.coefficient < 0 ? 1.0 : means_(term.coefficient, -1)(0); }

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
          const std::size_t driven = velocity_of(model_.equations[at(row.equation)].field);
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

  Matrix tested(const RowBlock& row, const RowTerm& term, int axis) const {
    const Matrix test = row.tests[at(axis)].dense();
    Matrix values = values_along(system_, term, axis, means_);
    if (values.rows() == 1 && test.cols() > 1) values = values.replicate(test.cols(), 1).eval();
    return row.scale * (test * values);
  }

  void find_parts(SaddlePair& pair, std::vector<std::vector<Part>>& parts) {
    const RowBlock& constraint = system_.rows()[at(pair.equation)];
    for (const RowTerm& divergence : constraint.terms) {
      if (divergence.integral >= 0 || divergence.atom.field == pair.field || is_restricted(divergence)) continue;
      const std::size_t v = velocity_of(divergence.atom.field);
      if (v == velocities_.size()) continue;
      for (std::size_t i = 0; i < system_.rows().size(); ++i) {
        const RowBlock& row = system_.rows()[i];
        if (row.kind == RowBlock::Kind::mean || row.equation == pair.equation ||
            model_.equations[at(row.equation)].field != divergence.atom.field)
          continue;
        for (const RowTerm& gradient : row.terms)
          if (gradient.integral < 0 && gradient.atom.field == pair.field)
            add_part(pair, constraint, divergence, v, i, gradient, parts);
      }
    }
  }

  void add_part(const SaddlePair& pair, const RowBlock& constraint, const RowTerm& divergence, std::size_t v,
                std::size_t block, const RowTerm& gradient, std::vector<std::vector<Part>>& parts) {
    const RowBlock& row = system_.rows()[block];
    const TensorField& velocity = velocities_[v];
    const int first = derived_axis(model_, divergence), second = derived_axis(model_, gradient);
    const bool is_condition = row.kind != RowBlock::Kind::equation;
    int axis = second >= 0 ? second : first;
    const TensorConditions* condition = nullptr;
    if (is_condition) {
      for (const TensorConditions& one : velocity.conditions)
        if (one.rows == layout_.rows[block]) condition = &one;
      if (condition == nullptr) return;
      axis = velocity.axes[condition->d].axis;
    }
    if (axis < 0 || first == -2 || second == -2 || (first >= 0 && first != axis) || (second >= 0 && second != axis))
      return;  // not along one axis
    std::size_t d = 0, own = 0;
    while (d < pair.laplacian.axes.size() && pair.laplacian.axes[d].axis != axis) ++d;
    while (own < velocity.axes.size() && velocity.axes[own].axis != axis) ++own;
    if (d == pair.laplacian.axes.size() || own == velocity.axes.size()) return;
    const TensorAxis& free = pair.laplacian.axes[d];
    Part part;
    part.velocity = v;
    part.is_condition = is_condition;
    part.power = divergence.power + gradient.power - (is_condition ? condition->power : 0);
    const Matrix left = tested(constraint, divergence, axis);
    const Matrix right = Matrix(tested(row, gradient, axis)(Eigen::all, free.free));
    if (is_condition) {
      part.matrix = left * velocity.axes[own].particular.middleCols(condition->first, condition->count) * right;
    } else {
      part.matrix = left * velocity.axes[own].lift * right;
      part.is_laplacian = first == axis && second == axis;
      part.factor = constraint.scale * mean_of(divergence) * row.scale * mean_of(gradient);
      if (std::find(common_.begin(), common_.end(), v) == common_.end()) common_.push_back(v);
    }
    parts[d].push_back(std::move(part));
  }

  // m, n and which of the tensor fields count.
  void average_velocities() {
    mass_.assign(z_.size(), 0.0);
    diffusion_.assign(z_.size(), 0.0);
    for (std::size_t v : common_)
      for (std::size_t k = 0; k < z_.size(); ++k)
        mass_[k] += velocities_[v].mass[k] / static_cast<double>(common_.size());
    int n_terms = 0;
    for (const RowBlock& row : system_.rows()) {
      if (row.kind != RowBlock::Kind::equation || !is_common(row)) continue;
      for (const RowTerm& term : row.terms) {
        if (!is_own(row, term)) continue;
        const int axis = derived_axis(model_, term);
        if (axis < 0 || term.atom.orders[axis] != 2) continue;
        for (std::size_t k = 0; k < z_.size(); ++k)
          diffusion_[k] += std::pow(z_[k], term.power) * row.scale * mean_of(term);
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
    const std::size_t v = velocity_of(model_.equations[at(row.equation)].field);
    return std::find(common_.begin(), common_.end(), v) != common_.end();
  }

  bool is_own(const RowBlock& row, const RowTerm& term) const {
    return term.integral < 0 && term.atom.field == model_.equations[at(row.equation)].field && !is_restricted(term);
  }

  // z^power, m/m_f times as much for an unknown whose own factor is another; of a condition as much as A has for the
  // longest wave, m + n L (m alone may vanish).
  void weigh(Part& part) const {
    for (std::size_t k = 0; k < z_.size(); ++k) {
      const Complex own = velocities_[part.velocity].mass[k];
      const Complex ratio = part.is_condition               ? mass_[k] - diffusion_[k] * gravest_
                            : own == 0.0 || mass_[k] == own ? 1.0
                                                            : mass_[k] / own;
      part.weights.push_back(std::pow(z_[k], part.power) * ratio);
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

  // E along each axis in Schur form: one real matrix for all z where the parts differ by a factor that depends on z,
  // and that a power where it is one.
  bool factor(SaddlePair& pair, const std::vector<std::vector<Part>>& parts) {
    for (std::size_t d = 0; d < parts.size(); ++d) {
      TensorAxis& axis = pair.laplacian.axes[d];
      if (parts[d].empty()) return false;
      const Part& first = parts[d].front();
      const auto n = static_cast<Index>(axis.free.size());
      const bool common = std::all_of(parts[d].begin(), parts[d].end(),
                                      [&](const Part& part) { return is_real_multiple(part.weights, first.weights); });
      if (pair.has_kernel && !common) return false;
      if (!common) {
        axis.single_power = -1;
        for (std::size_t k = 0; k < z_.size(); ++k) {
          Eigen::MatrixXcd e = Eigen::MatrixXcd::Zero(n, n);
          for (const Part& part : parts[d]) e += part.weights[k] * part.matrix;
          if (!add_form(axis, e, {1.0})) return false;
        }
        continue;
      }
      Eigen::MatrixXd e = Eigen::MatrixXd::Zero(n, n);
      for (const Part& part : parts[d]) e += (part.weights[0] / first.weights[0]).real() * part.matrix;
      if (pair.has_kernel) pair.left_null.push_back(left_null(e));
      const std::vector<Complex> powers = powers_of_z(first.power);
      axis.single_power = is_real_multiple(first.weights, powers) ? first.power : -1;
      if (axis.single_power >= 0) e *= (first.weights[0] / powers[0]).real();
      if (!add_form(axis, e.cast<Complex>(), axis.single_power >= 0 ? std::vector<Complex>{1.0} : first.weights))
        return false;
    }
    return true;
  }

  // l^T E = 0, by inverse iteration: a rounding error in place of the vanishing pivot is what makes it converge at
  // once.
  static Vector left_null(const Eigen::MatrixXd& e) {
    Eigen::MatrixXd shifted = e.transpose();
    shifted.diagonal().array() += std::numeric_limits<double>::epsilon() * e.cwiseAbs().maxCoeff();
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(shifted);
    Vector l = Vector::Ones(e.rows());
    for (int i = 0; i < 4; ++i) l = Vector(lu.solve(l)).normalized();
    return l;
  }

  // A Schur form, and that of its multiples.
  static bool add_form(TensorAxis& axis, const Eigen::MatrixXcd& e, const std::vector<Complex>& factors) {
    if (!e.allFinite()) return false;
    const ComplexSchur schur = complex_schur(e);
    for (Complex one : factors) {
      axis.unitary.push_back(schur.unitary);
      axis.triangle.emplace_back(one * schur.triangle);
    }
    return schur.converged;
  }

  std::vector<Complex> powers_of_z(int power) const {
    std::vector<Complex> powers;
    for (Complex z : z_) powers.push_back(std::pow(z, power));
    return powers;
  }

  // One real factor for all z.
  static bool is_real_multiple(const std::vector<Complex>& a, const std::vector<Complex>& b) {
    constexpr double kRoundOff = 1e-12;
    const Complex factor = a[0] / b[0];
    if (!(std::abs(factor.imag()) <= kRoundOff * std::abs(factor))) return false;
    for (std::size_t k = 1; k < a.size(); ++k)
      if (!(std::abs(a[k] - factor * b[k]) <= kRoundOff * std::abs(a[k]))) return false;
    return true;
  }

  // The factors of the Schur complement.
  bool scale(SaddlePair& pair, const std::vector<Complex>& gradient_factor) {
    const RowBlock& constraint = system_.rows()[at(pair.equation)];
    for (std::size_t k = 0; k < z_.size(); ++k) {
      const Complex d = gradient_factor[k], n = diffusion_[k], m = mass_[k];
      Complex c = 0.0;  // of p itself in c
      for (const RowTerm& term : constraint.terms)
        if (term.integral < 0 && term.atom.field == pair.field && derived_axis(model_, term) == -1)
          c += std::pow(z_[k], term.power) * constraint.scale * mean_of(term);
      const Complex with_own = d - c * n;
      if (with_own == 0.0) return false;
      pair.inverse.push_back((m + n * c * m / with_own) * d / with_own);
      pair.wind_factor.push_back(d / with_own);
      pair.identity.push_back(n / with_own);
      pair.laplacian.mass.push_back(-c * m * d / with_own);
      if (pair.has_kernel && c != 0.0) return false;
      // Also where a steady flow leaves a constant: then m, the factor of E^-1, vanishes.
      const auto [smallest, second] = smallest_pivots(pair.laplacian, z_[k], k);
      if (pair.has_kernel || smallest <= kZero * second) pair.laplacian.mass.back() += kShift * second;
      if (!(second > 0.0)) return false;
    }
    add_wind(pair);
    return true;
  }

  // W of the velocities on the modes of p. A wind that diffusion carries away across the box is left out.
  void add_wind(SaddlePair& pair) {
    constexpr double kWeak = 1e-3;  // Peclet number
    const RowBlock& constraint = system_.rows()[at(pair.equation)];
    pair.wind.resize(pair.laplacian.axes.size());
    for (const RowBlock& row : system_.rows()) {
      if (row.kind != RowBlock::Kind::equation || !is_common(row)) continue;
      for (const RowTerm& term : row.terms) {
        const int axis = is_own(row, term) ? derived_axis(model_, term) : -1;
        if (axis < 0 || term.atom.orders[axis] != 1 || term.coefficient < 0) continue;
        const std::vector<double>& edges = discretisation_.subdomains(axis).edges;
        const double speed = means_(term.coefficient, axis).cwiseAbs().maxCoeff() * (edges.back() - edges.front());
        const double own = std::abs(diffusion_[0]) / std::abs(std::pow(z_[0], term.power));
        if (!(speed > kWeak * own)) continue;
        std::size_t d = 0;
        while (d < pair.wind.size() && pair.laplacian.axes[d].axis != axis) ++d;
        if (d == pair.wind.size() || (pair.wind_power != term.power && pair.has_wind)) continue;
        pair.has_wind = true;
        pair.wind_power = term.power;
        RowTerm of_multiplier = term;
        of_multiplier.atom.field = pair.field;
        const Matrix values = Matrix(tested(constraint, of_multiplier, axis)(Eigen::all, pair.laplacian.axes[d].free)) *
                              (row.scale / constraint.scale / static_cast<double>(common_.size()));
        if (pair.wind[d].size() == 0)
          pair.wind[d] = values;
        else
          pair.wind[d] += values;
      }
    }
  }

  // Of the smallest eigenvalue but 0: single precision solves with it, and the others hardly notice.
  static constexpr double kShift = 1e-3;
  static constexpr double kZero = 1e-12;

  const WindowSystem& system_;
  const Model& model_;
  const Discretisation& discretisation_;
  const SpatialLayout& layout_;
  const CoefficientMeans& means_;
  const std::vector<Complex>& z_;
  const std::vector<TensorField>& velocities_;
  std::vector<std::size_t> common_;  // tensor fields that c and the gradient of p have in common
  std::vector<Complex> mass_, diffusion_;
  double gravest_ = 0.0;  // - L of the longest wave
};

}  // namespace

LuStatus saddle_pairs(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                      const std::vector<Complex>& z, const std::vector<TensorField>& velocities,
                      std::vector<SaddlePair>& pairs) {
  for (const Multiplier& multiplier : system.model().multipliers) {
    pairs.emplace_back();
    if (!Builder(system, layout, means, z, velocities).build(multiplier, pairs.back())) return LuStatus::singular;
  }
  return LuStatus::regular;
}

}  // namespace gwrm
