#include "problems/eigenvalue/pencil.hpp"

#include <fmt/format.h>

#include <cmath>

#include "problems/continuation/branch_window.hpp"

namespace gwrm {
namespace {

// Without structure, and the same on every machine.
Eigen::VectorXd anything(Index n) {
  Eigen::VectorXd v(n);
  for (Index i = 0; i < n; ++i)
    v(i) = std::cos(12.9898 * static_cast<double>(i + 1)) / (1.0 + 0.1 * static_cast<double>(i));
  return v;
}

}  // namespace

Pencil::Pencil(const Context& context, const Model& model, const SystemPlan& plan,
               const std::vector<AxisDescription>& subdomains)
    : window_(steady_window(context, model, plan, subdomains)),
      n_(window_.system.size() - 1),
      own_row_(free_row(window_.system)) {
  const BranchUnknowns unknowns = branch_unknowns(window_.system);
  shares_ = Eigen::Map<const Eigen::VectorXd>(unknowns.shares.data(), n_);
  const Eigen::VectorXd v = anything(n_);
  quadratic_ = (derivative(v, 1.0) - derivative(v, 0.0)).norm() > 0.0;
}

std::string Pencil::flaw() const {
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(n_), v = anything(n_);
  std::vector<double> x(static_cast<std::size_t>(n_ + 1), 0.0), f(x.size());
  for (const double l : {0.0, 1.0}) {
    x.back() = l;
    window_.system.residual(x, f);
    for (Index row = 0; row <= n_; ++row)
      if (row != own_row_ && f[static_cast<std::size_t>(row)] != 0.0)
        return fmt::format(
            "{} is not homogeneous: without the unknowns it leaves {:.3g}; every term of an eigenvalue "
            "problem holds an unknown",
            window_.system.describe_row(row), f[static_cast<std::size_t>(row)]);
  }
  const Eigen::VectorXd slopes[] = {derivative(v, 0.0), derivative(v, 1.0), derivative(v, 2.0)};
  const double size = slopes[2].norm(), bent = (slopes[2] - 2.0 * slopes[1] + slopes[0]).norm();
  if (size == 0.0) return "no equation holds the eigenvalue";
  if (!(bent <= 1e-12 * size)) return "the eigenvalue may stand in the equations by itself or squared, not otherwise";
  return {};
}

std::vector<double> Pencil::unknowns(const Eigen::VectorXd& v) const {
  std::vector<double> x(static_cast<std::size_t>(n_ + 1), 0.0);
  std::copy(v.begin(), v.end(), x.begin());
  return x;
}

Eigen::VectorXd Pencil::without_own_row(const std::vector<double>& f) const {
  Eigen::VectorXd result(n_);
  for (Index row = 0, i = 0; row <= n_; ++row)
    if (row != own_row_) result(i++) = f[static_cast<std::size_t>(row)];
  return result;
}

Eigen::VectorXd Pencil::derivative(const Eigen::VectorXd& v, double l) const {
  std::vector<double> x = unknowns(v), direction(x.size(), 0.0), f(x.size());
  x.back() = l;
  direction.back() = 1.0;
  window_.system.apply_jacobian(window_.system.linearise(x), direction, f);
  return without_own_row(f);
}

Eigen::VectorXd Pencil::apply(int power, const Eigen::VectorXd& v) const {
  if (power == 1) return derivative(v, 0.0);
  if (power == 2)
    return quadratic_ ? Eigen::VectorXd((derivative(v, 1.0) - derivative(v, 0.0)) / 2.0) : Eigen::VectorXd::Zero(n_);
  std::vector<double> f(static_cast<std::size_t>(n_ + 1));
  window_.system.residual(unknowns(v), f);
  return without_own_row(f);
}

Eigen::VectorXcd Pencil::apply(std::complex<double> l, const Eigen::VectorXcd& v) const {
  const auto term = [&](int power) -> Eigen::VectorXcd {
    return apply(power, v.real()) + std::complex<double>(0.0, 1.0) * apply(power, v.imag());
  };
  Eigen::VectorXcd result = term(0) + l * term(1);
  if (quadratic_) result += l * l * term(2);
  return result;
}

Eigen::VectorXcd Pencil::apply_derivative(std::complex<double> l, const Eigen::VectorXcd& v) const {
  const auto term = [&](int power) -> Eigen::VectorXcd {
    return apply(power, v.real()) + std::complex<double>(0.0, 1.0) * apply(power, v.imag());
  };
  Eigen::VectorXcd result = term(1);
  if (quadratic_) result += 2.0 * l * term(2);
  return result;
}

Eigen::MatrixXd Pencil::matrix(int power) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n_, n_);
  if (power == 0) {
    const std::vector<double> x(static_cast<std::size_t>(n_ + 1), 0.0);
    Eigen::MatrixXd whole(n_ + 1, n_ + 1);
    window_.system.jacobian(x, std::span<double>(whole.data(), static_cast<std::size_t>(whole.size())));
    for (Index row = 0, i = 0; row <= n_; ++row)
      if (row != own_row_) result.row(i++) = whole.row(row).head(n_);
  } else if (power == 1 || quadratic_) {
    for (Index j = 0; j < n_; ++j) result.col(j) = apply(power, Eigen::VectorXd::Unit(n_, j));
  }
  return result;
}

}  // namespace gwrm
