#include "problems/ball/shell_basis.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"
#include "problems/ball/shell_functions.hpp"

namespace gwrm::ball {
namespace {

using Real = long double;
using Table = LegendreOfShell::Table;
using Square = Eigen::MatrixXd;

constexpr double kNoDecay = 1e-10;  // of rates in units of kappa / R^2: rounding

// The factors f_kj, (highest + 1) x functions: of neighbours' values in the conditions, each as large as the largest,
// what is orthogonal to all of them.
Table combinations(const ShellFunctions& functions, Index l, Index highest,
                   const std::vector<WallCondition>& conditions) {
  const auto n_conditions = static_cast<Index>(conditions.size());
  Table rows(n_conditions, highest + 1);
  for (Index n = 0; n <= highest; ++n)
    for (Index i = 0; i < n_conditions; ++i) {
      const WallCondition& condition = conditions[static_cast<std::size_t>(i)];
      const auto [value, slope, curvature] = functions.wall_values(condition.wall, l, n);
      rows(i, n) = static_cast<Real>(condition.value) * value + static_cast<Real>(condition.slope) * slope +
                   static_cast<Real>(condition.curvature) * curvature;
    }
  Table factors = Table::Zero(highest + 1, highest + 1 - n_conditions);
  using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  for (Index k = 0; k < factors.cols(); ++k) {
    Small columns = rows.middleCols(k, n_conditions + 1).transpose();
    for (Index i = 0; i < n_conditions; ++i)
      if (const Real size = columns.col(i).cwiseAbs().maxCoeff(); size > 0) columns.col(i) /= size;
    const Small orthogonal = Eigen::ColPivHouseholderQR<Small>(columns).householderQ();
    factors.col(k).segment(k, n_conditions + 1) = orthogonal.col(n_conditions);
  }
  return factors;
}

// v_k and derivatives of the combinations, functions x radii.
struct Values {
  Square value, slope, curvature;

  Values(const ShellFunctions& functions, const Table& factors, std::span<const double> radii) {
    const LegendreOfShell p(functions.inner(), factors.rows() - 1, radii);
    const auto combined = [&](const Table& table) -> Square { return (factors.transpose() * table).cast<double>(); };
    value = combined(p.value), slope = combined(p.slope), curvature = combined(p.curvature);
  }
};

Square gram(const Square& a, const Vector& weights) {
  return a * weights.asDiagonal() * a.transpose();
}

// Adds factor g g^T, g the values of all functions.
void add_at_wall(double factor, const Square& g, Index wall, Square& form) {
  form.noalias() += factor * g.col(wall) * g.col(wall).transpose();
}

}  // namespace

ShellBasis::ShellBasis(const ShellFunctions& functions, Index l, Index highest, std::vector<WallCondition> conditions,
                       const FourthOrder& equation)
    : RadialBasis(l, highest, std::move(conditions)) {
  const auto at_inner = std::count_if(conditions_.begin(), conditions_.end(),
                                      [](const WallCondition& condition) { return condition.wall < 1.0; });
  if ((n_conditions() != 2 && n_conditions() != 4) || 2 * at_inner != n_conditions())
    throw ShapeError("radial functions of a shell take one or two conditions at each wall");
  const bool two_each = n_conditions() == 4, of_curl = two_each && equation.of_curl;
  const Table factors = combinations(functions, l, highest, conditions_);
  const RadialNodes nodes = functions.nodes(2 * highest);
  const auto n_nodes = static_cast<Index>(nodes.radius.size());
  const Values inside(functions, factors, nodes.radius);
  const double walls[] = {1.0, functions.inner()};
  const Values outside(functions, factors, walls);
  const auto both = static_cast<double>(l * (l + 1));
  Vector weights(n_nodes), over_square(n_nodes);  // of dr, dr/r^2
  for (Index j = 0; j < n_nodes; ++j) {
    const double r = nodes.radius[static_cast<std::size_t>(j)];
    weights(j) = nodes.weight[static_cast<std::size_t>(j)] / (r * r);
    over_square(j) = weights(j) / (r * r);
  }
  const Square l2 = gram(inside.value, weights),
               gradients = gram(inside.slope, weights) + both * gram(inside.value, over_square);
  Square stiffness = gradients;
  if (two_each) {
    const Vector over_r2 = over_square.cwiseQuotient(weights);
    stiffness = gram(inside.curvature - both * inside.value * over_r2.asDiagonal(), weights);
  }
  for (const WallCondition& condition : conditions_) {
    const Index wall = condition.wall < 1.0 ? 1 : 0;
    const double side = wall == 0 ? 1.0 : -1.0;
    if (two_each && condition.curvature != 0.0)
      add_at_wall(-side * 2.0 / condition.wall, outside.slope, wall, stiffness);
    if (!two_each && condition.slope != 0.0)
      add_at_wall(-side * (1.0 / condition.wall - condition.value / condition.slope), outside.value, wall, stiffness);
  }
  if (two_each && !of_curl) stiffness += equation.diffusion * gradients;
  const Square& mass = of_curl ? gradients : l2;
  const Square weight = mass + stiffness;
  const Vector scale = weight.diagonal().cwiseSqrt().cwiseInverse();
  const auto scaled = [&](const Square& form) -> Square { return scale.asDiagonal() * form * scale.asDiagonal(); };
  const Eigen::GeneralizedSelfAdjointEigenSolver<Square> solver(scaled(mass), scaled(weight));
  if (solver.info() != Eigen::Success || !(solver.eigenvalues().minCoeff() > 0.0))
    throw Error(ExitStatus::singular,
                "the radial functions of the shell are dependent to rounding: take a lower degree");
  const Vector mu = solver.eigenvalues().reverse();
  Square own =
      scale.asDiagonal() * solver.eigenvectors().rowwise().reverse() * mu.cwiseSqrt().cwiseInverse().asDiagonal();
  // A sign that does not hang on the eigenvalue solver's.
  for (Index k = 0; k < own.cols(); ++k) {
    Index largest = 0;
    own.col(k).cwiseAbs().maxCoeff(&largest);
    if (own(largest, k) < 0.0) own.col(k) *= -1.0;
  }
  series_ = factors.cast<double>() * own;
  const auto n = static_cast<std::size_t>(n_functions());
  for (Index k = 0; k < mu.size(); ++k) {
    const double rate = 1.0 / mu(k) - 1.0;
    stiffness_.push_back(rate < kNoDecay ? 0.0 : rate);
  }
  const std::vector<double> ones(n, 1.0), zeros(n, 0.0);
  if (of_curl) {
    gradients_ = {ones, zeros, zeros};
    inverse_ = (own.transpose() * l2 * own).llt().solve(Square::Identity(own.cols(), own.cols()));
  } else {
    mass_ = {ones, zeros, zeros};
    gradients_ = {two_each ? zeros : stiffness_, zeros, zeros};
  }
}

void ShellBasis::to_series(const double* c, double* e) const {
  Eigen::Map<Vector>(e, highest() + 1).noalias() = series_ * Eigen::Map<const Vector>(c, n_functions());
}

void ShellBasis::test(const double* e, double* c) const {
  Eigen::Map<Vector>(c, n_functions()).noalias() = series_.transpose() * Eigen::Map<const Vector>(e, highest() + 1);
}

void ShellBasis::nearest(double* c, Index count) const {
  if (inverse_.size() == 0) return;
  Eigen::Map<Eigen::MatrixXd> columns(c, n_functions(), count);
  const Eigen::MatrixXd given = columns;
  columns.noalias() = inverse_ * given;
}

}  // namespace gwrm::ball
