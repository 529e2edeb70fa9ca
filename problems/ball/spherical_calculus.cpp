#include "problems/ball/spherical_calculus.hpp"

#include <cmath>
#include <cstdlib>

namespace gwrm::ball {

using expression::Expr;
using expression::Function;

SphericalCalculus::SphericalCalculus(expression::Pool& pool)
    : pool_(pool),
      r_(pool.coordinate("r")),
      sine_(pool.applied(Function::sin, {pool.coordinate("theta")})),
      cosine_(pool.applied(Function::cos, {pool.coordinate("theta")})),
      phi_(pool.coordinate("phi")),
      r_sine_(pool.product(r_, sine_)) {}

Expr SphericalCalculus::d(Expr f, const char* axis) const {
  const int place = pool_.symbols().find_axis(axis);
  return (f->facts.axes >> place & 1u) == 0 ? pool_.zero() : pool_.derivative(f, axis, 1);
}

Expr SphericalCalculus::times(double factor, Expr f) const {
  return factor == 0.0 ? pool_.zero() : pool_.product(pool_.number(factor), f);
}

Expr SphericalCalculus::divergence(const VectorExpr& v) const {
  const Expr square = pool_.product(r_, r_);
  const Expr outward = over(d(pool_.product(square, v[0]), "r"), square);
  return pool_.sum(outward, over(pool_.sum(d(pool_.product(sine_, v[1]), "theta"), d(v[2], "phi")), r_sine_));
}

VectorExpr SphericalCalculus::gradient(Expr f) const {
  return {d(f, "r"), over(d(f, "theta"), r_), over(d(f, "phi"), r_sine_)};
}

VectorExpr SphericalCalculus::curl(const VectorExpr& v) const {
  return {over(pool_.difference(d(pool_.product(sine_, v[2]), "theta"), d(v[1], "phi")), r_sine_),
          over(pool_.difference(over(d(v[0], "phi"), sine_), d(pool_.product(r_, v[2]), "r")), r_),
          over(pool_.difference(d(pool_.product(r_, v[1]), "r"), d(v[0], "theta")), r_)};
}

Expr SphericalCalculus::dot(const VectorExpr& a, const VectorExpr& b) const {
  return pool_.sum(pool_.sum(pool_.product(a[0], b[0]), pool_.product(a[1], b[1])), pool_.product(a[2], b[2]));
}

VectorExpr SphericalCalculus::cross(const VectorExpr& a, const VectorExpr& b) const {
  const auto minor = [&](std::size_t i, std::size_t j) {
    return pool_.difference(pool_.product(a[i], b[j]), pool_.product(a[j], b[i]));
  };
  return {minor(1, 2), minor(2, 0), minor(0, 1)};
}

VectorExpr SphericalCalculus::times(double factor, const VectorExpr& v) const {
  return {times(factor, v[0]), times(factor, v[1]), times(factor, v[2])};
}

VectorExpr SphericalCalculus::times(Expr f, const VectorExpr& v) const {
  return {pool_.product(f, v[0]), pool_.product(f, v[1]), pool_.product(f, v[2])};
}

VectorExpr SphericalCalculus::sum(const VectorExpr& a, const VectorExpr& b) const {
  return {pool_.sum(a[0], b[0]), pool_.sum(a[1], b[1]), pool_.sum(a[2], b[2])};
}

VectorExpr SphericalCalculus::difference(const VectorExpr& a, const VectorExpr& b) const {
  return {pool_.difference(a[0], b[0]), pool_.difference(a[1], b[1]), pool_.difference(a[2], b[2])};
}

std::array<Expr, 3> SphericalCalculus::cartesian() const {
  return {pool_.product(r_sine_, pool_.applied(Function::cos, {phi_})),
          pool_.product(r_sine_, pool_.applied(Function::sin, {phi_})), pool_.product(r_, cosine_)};
}

// P_l = sum_k (-1)^k C(l, k) C(2l - 2k, l) x^(l - 2k) / 2^l, differentiated m times.
Expr SphericalCalculus::harmonic(int l, int m) const {
  const auto choose = [](int n, int k) {
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
  };
  const int order = std::abs(m);
  Expr sum = pool_.zero();
  for (int k = 0; 2 * k <= l - order; ++k) {
    const int power = l - 2 * k;
    // The product of binomial coefficients is a whole number.
    double factor = std::round(choose(l, k)) * std::round(choose(2 * l - 2 * k, l)) / std::pow(2.0, l);
    for (int i = 0; i < order; ++i) factor *= power - i;
    sum = pool_.sum(sum, times(k % 2 == 0 ? factor : -factor, pool_.raised(cosine_, pool_.number(power - order))));
  }
  const Expr polar = pool_.product(pool_.raised(sine_, pool_.number(order)), sum);
  if (m == 0) return polar;
  const Expr angle = pool_.product(pool_.number(order), phi_);
  return pool_.product(polar, pool_.applied(m > 0 ? Function::cos : Function::sin, {angle}));
}

}  // namespace gwrm::ball
