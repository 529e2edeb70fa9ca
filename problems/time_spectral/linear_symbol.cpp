#include "problems/time_spectral/linear_symbol.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "core/errors.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/substitute.hpp"
#include "expression/tape.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using Complex = std::complex<double>;

constexpr double kWaves = 1e4;           // k times the axis's length
constexpr double kDecay = 0.1;           // -Re lambda / |lambda| of what decays
constexpr double kInfiniteWave = 1e-13;  // of the largest 1/|lambda - sigma|: a constraint

// coefficient lambda^m (i k)^n in one place of the matrices.
struct SymbolTerm {
  Index row, column;
  double coefficient;
  int in_time, in_space;
};

// Along the axis, of a wave; nothing for what is no part of one.
bool is_part_of_wave(const Model& model, const expression::Atom& atom, int axis) {
  for (std::size_t a = 0; a < model.axes.size(); ++a)
    if (atom.restricted[a] ||
        (static_cast<int>(a) != axis && static_cast<int>(a) != model.time_axis() && atom.orders[a] > 0))
      return false;
  return true;
}

// lambda and all that is larger than `least`, of the polynomial in lambda.
std::vector<Complex> eigenvalues_at(const std::vector<SymbolTerm>& terms, Index n, int order, double k) {
  const Index size = n * order;
  const double sigma_size = kWaves * kWaves;
  const Complex sigma = sigma_size * std::exp(Complex(0.0, 0.7));
  // (lambda E - A) (v, lambda v, ..) = 0: the last block row has the equations.
  Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(size, size), e = Eigen::MatrixXcd::Zero(size, size);
  for (Index i = 0; i + n < size; ++i) {
    a(i, i + n) = 1.0;
    e(i, i) = 1.0;
  }
  for (const SymbolTerm& term : terms) {
    const Complex value = term.coefficient * std::pow(Complex(0.0, k), term.in_space);
    const Index row = size - n + term.row;
    if (term.in_time == order)
      e(row, size - n + term.column) += value;
    else
      a(row, n * term.in_time + term.column) -= value;
  }
  for (Index row = 0; row < size; ++row) {
    const double largest = std::max(a.row(row).cwiseAbs().maxCoeff(), sigma_size * e.row(row).cwiseAbs().maxCoeff());
    if (!(largest > 0.0) || !std::isfinite(largest)) return {};
    a.row(row) /= largest;
    e.row(row) /= largest;
  }
  const Eigen::FullPivLU<Eigen::MatrixXcd> lu(a - sigma * e);
  if (!lu.isInvertible()) return {};
  const Eigen::MatrixXcd inverse = lu.solve(e);
  if (!inverse.allFinite()) return {};
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(inverse, false);
  if (solver.info() != Eigen::Success) return {};
  double largest = 0.0;
  for (const Complex& mu : solver.eigenvalues()) largest = std::max(largest, std::abs(mu));
  std::vector<Complex> found;
  for (const Complex& mu : solver.eigenvalues())
    if (std::abs(mu) > kInfiniteWave * largest) found.push_back(sigma + 1.0 / mu);
  return found;
}

}  // namespace

std::optional<double> value_at(const expression::Pool& pool, Expr lowered, const std::vector<double>& point) {
  const std::array<Expr, 1> outputs{lowered};
  const expression::Tape tape(pool, outputs);
  if (tape.has_integral()) return std::nullopt;
  std::vector<Array> leaves;
  for (Expr leaf : tape.leaves()) {
    Array value(Shape(point.size(), 1));
    value.data.front() = point[static_cast<std::size_t>(pool.symbols().find_axis(leaf->name))];
    leaves.push_back(std::move(value));
  }
  return tape.evaluate(leaves, {}).front().data.front();
}

std::optional<LinearSymbol> linear_symbol(const Model& model, int axis, const std::vector<Expr>& values,
                                          const std::vector<double>& point) {
  expression::Pool& pool = *model.pool;
  const int time = model.time_axis();
  const double length =
      model.axes[static_cast<std::size_t>(axis)].upper - model.axes[static_cast<std::size_t>(axis)].lower;
  const double duration = model.window_edges.back() - model.window_edges.front();
  std::vector<Index> index(model.fields.size(), -1);
  Index n = 0;
  int order = 0;
  for (std::size_t f = 0; f < model.fields.size(); ++f)
    if (model.fields[f].depends_on(axis)) {
      index[f] = n++;
      order = std::max(order, model.fields[f].time_order);
    }
  if (n == 0 || order == 0) return std::nullopt;
  std::vector<SymbolTerm> terms;
  try {
    for (const EquationModel& equation : model.equations) {
      const Index row = index[static_cast<std::size_t>(equation.field)];
      if (row < 0) continue;
      for (const expression::LinearTerm& term : collect(pool, frechet(pool, equation.residual))) {
        if (!expression::is_atom(term.leaf)) continue;
        const expression::Atom atom = expression::atom_of(pool, term.leaf);
        const Index column = index[static_cast<std::size_t>(atom.field)];
        if (column < 0 || !is_part_of_wave(model, atom, axis)) continue;
        const Expr frozen = expression::lower(pool, expression::substitute(pool, term.coefficient, values));
        const std::optional<double> value = value_at(pool, frozen, point);
        if (!value || !std::isfinite(*value)) return std::nullopt;
        const int in_time = atom.orders[static_cast<std::size_t>(time)],
                  in_space = atom.orders[static_cast<std::size_t>(axis)];
        if (in_time > order) return std::nullopt;
        terms.push_back(
            {row, column, *value * std::pow(duration, -in_time) * std::pow(length, -in_space), in_time, in_space});
      }
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  const std::vector<Complex> waves = eigenvalues_at(terms, n, order, kWaves);
  if (waves.empty()) return std::nullopt;
  LinearSymbol symbol;
  Complex fastest = 0.0;
  for (const Complex& lambda : waves) {
    if (!(std::abs(lambda) > std::sqrt(kWaves))) continue;
    if (!(lambda.real() < -kDecay * std::abs(lambda))) {
      symbol.behaviour = JumpBehaviour::travels;
      return symbol;
    }
    if (lambda.real() < fastest.real()) fastest = lambda;
  }
  if (fastest.real() == 0.0) return symbol;
  symbol.behaviour = JumpBehaviour::parabolic;
  double slower = 0.0;  // the same wave at a tenth of the wave number
  for (const Complex& lambda : eigenvalues_at(terms, n, order, 0.1 * kWaves)) slower = std::min(slower, lambda.real());
  symbol.order = slower < 0.0 ? std::max(1.0, std::round(std::log10(fastest.real() / slower))) : 2.0;
  symbol.diffusivity = -fastest.real() / duration * std::pow(length / kWaves, symbol.order);
  symbol.speed = std::abs(fastest.imag()) / duration * length / kWaves;
  return symbol;
}

}  // namespace gwrm
