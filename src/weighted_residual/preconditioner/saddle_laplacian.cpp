#include "weighted_residual/preconditioner/saddle_laplacian.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/linear_algebra/complex_schur.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// Powers of z and sums of a few of them, each to a few units in the last place, are multiples of one another to this.
constexpr double kEigenvalueRoundOff = 1e-12;

// block: of the rows that hold `gradient`; v: of the velocity that both are about.
void add_part(const SaddleRows& rows, const SaddlePair& pair, const RowTerm& divergence, std::size_t v,
              std::size_t block, const RowTerm& gradient, LaplacianParts& parts, std::vector<std::size_t>& common) {
  const RowBlock& constraint = rows.system.rows()[at(pair.equation)];
  const RowBlock& row = rows.system.rows()[block];
  const TensorField& velocity = rows.velocities[v];
  const int first = derived_axis(rows.system.model(), divergence), second = derived_axis(rows.system.model(), gradient);
  const bool is_condition = row.kind != RowBlock::Kind::equation;
  int axis = second >= 0 ? second : first;
  const TensorConditions* condition = nullptr;
  if (is_condition) {
    for (const TensorConditions& one : velocity.conditions)
      if (one.rows == rows.layout.rows[block]) condition = &one;
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
  LaplacianPart part;
  part.velocity = v;
  part.is_condition = is_condition;
  part.power = divergence.power + gradient.power - (is_condition ? condition->power : 0);
  const Matrix left = rows.tested(constraint, divergence, axis);
  const Matrix right = Matrix(rows.tested(row, gradient, axis)(Eigen::all, free.free));
  if (is_condition) {
    part.matrix = left * velocity.axes[own].particular.middleCols(condition->first, condition->count) * right;
  } else {
    part.matrix = left * velocity.axes[own].lift * right;
    part.is_laplacian = first == axis && second == axis;
    part.factor = constraint.scale * rows.mean_of(divergence) * row.scale * rows.mean_of(gradient);
    if (std::find(common.begin(), common.end(), v) == common.end()) common.push_back(v);
  }
  parts[d].push_back(std::move(part));
}

// l^T E = 0, by inverse iteration: a rounding error in place of the vanishing pivot is what makes it converge at
// once.
Vector left_null(const Eigen::MatrixXd& e) {
  Eigen::MatrixXd shifted = e.transpose();
  shifted.diagonal().array() += std::numeric_limits<double>::epsilon() * e.cwiseAbs().maxCoeff();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(shifted);
  Vector l = Vector::Ones(e.rows());
  for (int i = 0; i < 4; ++i) l = Vector(lu.solve(l)).normalized();
  return l;
}

// A Schur form, and that of its multiples.
bool add_form(TensorAxis& axis, const Eigen::MatrixXcd& e, const std::vector<Complex>& factors) {
  if (!e.allFinite()) return false;
  const ComplexSchur schur = complex_schur(e);
  for (Complex one : factors) {
    axis.unitary.push_back(schur.unitary);
    axis.triangle.emplace_back(one * schur.triangle);
  }
  return schur.converged;
}

std::vector<Complex> powers_of(const std::vector<Complex>& all, int power) {
  std::vector<Complex> powers;
  for (Complex z : all) powers.push_back(std::pow(z, power));
  return powers;
}

// One real factor for all z.
bool is_real_multiple(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  const Complex factor = a[0] / b[0];
  if (!(std::abs(factor.imag()) <= kEigenvalueRoundOff * std::abs(factor))) return false;
  for (std::size_t k = 1; k < a.size(); ++k)
    if (!(std::abs(a[k] - factor * b[k]) <= kEigenvalueRoundOff * std::abs(a[k]))) return false;
  return true;
}

}  // namespace

std::size_t SaddleRows::velocity_of(int field) const {
  std::size_t i = 0;
  while (i < velocities.size() && velocities[i].unknowns != layout.fields[at(field)]) ++i;
  return i;
}

double SaddleRows::mean_of(const RowTerm& term) const {
  return term.coefficient < 0 ? 1.0 : means(term.coefficient, -1)(0);
}

Matrix SaddleRows::tested(const RowBlock& row, const RowTerm& term, int axis) const {
  const Matrix test = row.tests[at(axis)].dense();
  Matrix values = values_along(system, term, axis, means);
  if (values.rows() == 1 && test.cols() > 1) values = values.replicate(test.cols(), 1).eval();
  return row.scale * (test * values);
}

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

LaplacianParts laplacian_parts(const SaddleRows& rows, const SaddlePair& pair, std::vector<std::size_t>& common) {
  LaplacianParts parts(pair.laplacian.axes.size());
  const RowBlock& constraint = rows.system.rows()[at(pair.equation)];
  for (const RowTerm& divergence : constraint.terms) {
    if (divergence.integral >= 0 || divergence.atom.field == pair.field || is_restricted(divergence)) continue;
    const std::size_t v = rows.velocity_of(divergence.atom.field);
    if (v == rows.velocities.size()) continue;
    for (std::size_t i = 0; i < rows.system.rows().size(); ++i) {
      const RowBlock& row = rows.system.rows()[i];
      if (row.kind == RowBlock::Kind::mean || row.equation == pair.equation ||
          rows.system.model().equations[at(row.equation)].field != divergence.atom.field)
        continue;
      for (const RowTerm& gradient : row.terms)
        if (gradient.integral < 0 && gradient.atom.field == pair.field)
          add_part(rows, pair, divergence, v, i, gradient, parts, common);
    }
  }
  return parts;
}

bool factor_laplacian(const std::vector<Complex>& z, const LaplacianParts& parts, SaddlePair& pair) {
  for (std::size_t d = 0; d < parts.size(); ++d) {
    TensorAxis& axis = pair.laplacian.axes[d];
    if (parts[d].empty()) return false;
    const LaplacianPart& first = parts[d].front();
    const auto n = static_cast<Index>(axis.free.size());
    const bool common = std::all_of(parts[d].begin(), parts[d].end(), [&](const LaplacianPart& part) {
      return is_real_multiple(part.weights, first.weights);
    });
    if (pair.has_kernel && !common) return false;
    if (!common) {
      axis.single_power = -1;
      for (std::size_t k = 0; k < z.size(); ++k) {
        Eigen::MatrixXcd e = Eigen::MatrixXcd::Zero(n, n);
        for (const LaplacianPart& part : parts[d]) e += part.weights[k] * part.matrix;
        if (!add_form(axis, e, {1.0})) return false;
      }
      continue;
    }
    Eigen::MatrixXd e = Eigen::MatrixXd::Zero(n, n);
    for (const LaplacianPart& part : parts[d]) e += (part.weights[0] / first.weights[0]).real() * part.matrix;
    if (pair.has_kernel) pair.left_null.push_back(left_null(e));
    const std::vector<Complex> powers = powers_of(z, first.power);
    axis.single_power = is_real_multiple(first.weights, powers) ? first.power : -1;
    if (axis.single_power >= 0) e *= (first.weights[0] / powers[0]).real();
    if (!add_form(axis, e.cast<Complex>(), axis.single_power >= 0 ? std::vector<Complex>{1.0} : first.weights))
      return false;
  }
  return true;
}

}  // namespace gwrm
