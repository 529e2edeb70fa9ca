// A kinematic dynamo in a shell with insulators outside and inside, against collocation at Chebyshev points in r and
// the induction equation's integrals over theta, by Gauss-Legendre sums, written here.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "problems/ball/growth.hpp"
#include "run_case.hpp"

namespace gwrm::test {
namespace {

using Number = std::complex<double>;
using Operator = Eigen::MatrixXcd;
constexpr double kPi = 3.14159265358979323846;
constexpr double kInner = 0.35;

// P_l^m(x) and its derivative with respect to theta, orthonormal on [-1, 1] in x.
std::pair<double, double> legendre(int l, int m, double x) {
  const double s = std::sqrt(1.0 - x * x);
  const auto plain = [&](int degree) {
    double before = 0.0, now = 1.0;
    for (int k = 1; k <= m; ++k) now *= (2.0 * k - 1.0) * s;
    if (degree < m) return 0.0;
    for (int k = m; k < degree; ++k) {
      const double next = ((2.0 * k + 1.0) * x * now - (k + m) * before) / (k - m + 1.0);
      before = now, now = next;
    }
    return now;
  };
  const double norm = std::sqrt((2.0 * l + 1.0) / 2.0 * std::tgamma(l - m + 1.0) / std::tgamma(l + m + 1.0));
  // s dP/dtheta = l x P_l - (l + m) P_(l-1)
  return {norm * plain(l), norm * (l * x * plain(l) - (l + m) * plain(l - 1)) / s};
}

// Nodes and weights on [-1, 1] from the eigenvalues of the Jacobi matrix.
std::pair<Eigen::VectorXd, Eigen::VectorXd> gauss(int n) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
  for (int k = 1; k < n; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = k / std::sqrt(4.0 * k * k - 1.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi);
  return {solver.eigenvalues(), 2.0 * solver.eigenvectors().row(0).cwiseAbs2().transpose()};
}

// The fastest growing mode of order m <= highest degree, u = Rm (curl(t P_2 e_r) + curl curl(s P_2 e_r)).
class Collocation {
 public:
  Collocation(int m, int highest, int n) : m_(m), highest_(highest), n_(n + 1) {
    Eigen::VectorXd x(n_);
    for (int i = 0; i < n_; ++i) x(i) = std::cos(kPi * i / n);
    r_ = (0.5 * (1.0 + kInner) + 0.5 * (1.0 - kInner) * x.array()).matrix();
    d_ = Eigen::MatrixXd::Zero(n_, n_);
    const auto weight = [&](int i) { return (i == 0 || i == n ? 2.0 : 1.0) * (i % 2 == 0 ? 1.0 : -1.0); };
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        if (i != j) d_(i, j) = weight(i) / weight(j) / (x(i) - x(j));
    for (int i = 0; i < n_; ++i) d_(i, i) = -d_.row(i).sum();
    d_ *= 2.0 / (1.0 - kInner);
  }

  Number fastest(double reynolds, const std::function<double(double)>& t,
                 const std::function<double(double)>& s) const {
    Eigen::VectorXd values_t(n_), values_s(n_);
    for (int i = 0; i < n_; ++i) values_t(i) = t(r_(i)), values_s(i) = s(r_(i));
    const Eigen::VectorXd slope = d_ * values_s;
    // u_r = f P_2, u_theta = g dP_2/dtheta, u_phi = h dP_2/dtheta
    const Eigen::VectorXd f = reynolds * 6.0 * values_s.cwiseQuotient(r_.cwiseAbs2()),
                          g = reynolds * slope.cwiseQuotient(r_), h = -reynolds * values_t.cwiseQuotient(r_);
    const int size = 2 * highest_of() * n_;
    Operator left = Operator::Zero(size, size), right = Operator::Identity(size, size);
    for (int l = m_; l <= highest_; ++l)
      for (int k = m_; k <= highest_; ++k) add_induction(l, k, f, g, h, left);
    for (int l = m_; l <= highest_; ++l) {
      const double both = l * (l + 1.0);
      const Eigen::MatrixXd laplacian = d_ * d_ + 2.0 * (r_.cwiseInverse().asDiagonal() * d_) -
                                        both * Eigen::MatrixXd(r_.cwiseAbs2().cwiseInverse().asDiagonal());
      for (const int part : {0, 1}) left.block(place(part, l), place(part, l), n_, n_) += laplacian.cast<Number>();
      for (const int at : {0, n_ - 1})
        for (const int part : {0, 1}) {
          const int row = place(part, l) + at;
          left.row(row).setZero();
          right.row(row).setZero();
          left(row, row) = 1.0;
          if (part == 0) continue;  // T = 0
          left.block(row, place(1, l), 1, n_) = d_.row(at).cast<Number>();
          left(row, row) += at == 0 ? l + 1.0 : -l / kInner;
        }
    }
    constexpr double kShift = 3.0;
    const Eigen::ComplexEigenSolver<Operator> solver((left - kShift * right).partialPivLu().solve(right), false);
    Number fastest = -1e9;
    for (Eigen::Index i = 0; i < solver.eigenvalues().size(); ++i) {
      const Number mu = solver.eigenvalues()(i);
      if (std::abs(mu) < 1e-5) continue;
      const Number sigma = kShift + 1.0 / mu;
      if (sigma.real() > fastest.real()) fastest = sigma;
    }
    return fastest;
  }

 private:
  int highest_of() const { return highest_ - m_ + 1; }
  int place(int part, int l) const { return (part * highest_of() + l - m_) * n_; }  // 0: T, 1: P

  // What T_k and P_k make of T_l and P_l by E = u x B: l (l+1) P_F Y = r.curl E, l (l+1) T_F Y = r.curl curl E.
  void add_induction(int l, int k, const Eigen::VectorXd& f, const Eigen::VectorXd& g, const Eigen::VectorXd& h,
                     Operator& left) const {
    const auto [x, w] = gauss(highest_ + 4);
    std::array<double, 8> a{};  // [1 .. 7]
    for (int j = 0; j < x.size(); ++j) {
      const double s = std::sqrt(1.0 - x(j) * x(j)), flow = (3.0 * x(j) * x(j) - 1.0) / 2.0, turned = -3.0 * x(j) * s;
      const auto [pl, dl] = legendre(l, m_, x(j));
      const auto [pk, dk] = legendre(k, m_, x(j));
      a[1] += w(j) * turned * pl * pk / s;
      a[2] += w(j) * turned * pl * dk;
      a[3] += w(j) * turned * pk * dl;
      a[4] += w(j) * flow * pk * dl / s;
      a[5] += w(j) * flow * dk * dl;
      a[6] += w(j) * flow * dk * pl / s;
      a[7] += w(j) * flow * pk * pl / (s * s);
    }
    const Number im(0.0, m_);
    const double both = l * (l + 1.0), of_k = k * (k + 1.0);
    // B_r, (r P)'/r from P_k; T from T_k.
    const Operator unit = Operator::Identity(n_, n_), over_r = r_.cwiseInverse().cast<Number>().asDiagonal(),
                   derivative = d_.cast<Number>(), of_r = r_.cast<Number>().asDiagonal();
    const Operator radial = of_k * over_r, spread = over_r * derivative * of_r;
    const Operator in_f = f.cast<Number>().asDiagonal(), in_g = g.cast<Number>().asDiagonal(),
                   in_h = h.cast<Number>().asDiagonal();
    for (const int part : {0, 1}) {
      const bool poloidal = part == 1;
      const Operator zero = Operator::Zero(n_, n_), b_r = poloidal ? radial : zero, q = poloidal ? spread : zero,
                     t = poloidal ? zero : unit;
      const Operator e_r = in_g * (im * a[1] * q - a[2] * t) - in_h * (a[2] * q + im * a[1] * t);
      const Operator e_theta = in_h * (a[3] * b_r) - in_f * (im * a[4] * q - a[5] * t),
                     e_phi = in_f * (a[6] * q + im * a[7] * t) - in_g * (a[1] * b_r);
      left.block(place(0, l), place(part, k), n_, n_) +=
          over_r * (e_r - (derivative * (of_r * (e_theta - im * e_phi))) / both);
      const Operator around = in_f * (a[5] * q + im * a[4] * t) - in_g * (a[3] * b_r),
                     along = in_h * (a[1] * b_r) - in_f * (im * a[7] * q - a[6] * t);
      left.block(place(1, l), place(part, k), n_, n_) -= (around + im * along) / both;
    }
  }

  int m_, highest_, n_;
  Eigen::VectorXd r_;
  Eigen::MatrixXd d_;
};

TEST(ShellDynamo, GrowsAsCollocationSays) {
  const auto shape = [](double r) { return r * r * std::sin(kPi * (r - kInner) / (1.0 - kInner)); };
  const Collocation collocation(1, 6, 24);
  bool decays = false, grows = false;
  for (const double reynolds : {40.0, 150.0}) {
    const Number known = collocation.fastest(reynolds, shape, [&](double r) { return 0.14 * shape(r); });
    const std::string text = "r^2*sin(pi*(r - 0.35)/0.65)";
    const Case the_case = read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  inner_radius: 0.35
  degree: {{t: 10, r: 20, l: 6, m: [1]}}
  fields: {{B: {{kind: magnetic}}}}
  flow: {{toroidal: {{"2,0": "{0}"}}, poloidal: {{"2,0": "0.14*{0}"}}, factor: {1}}}
  terms: [induction]
initial: {{B: {{toroidal: {{"1,1": "(1 - r)*(r - 0.35)", "2,1": "(1 - r)*(r - 0.35)"}}}}}}
growth: {{modes: 3, tolerance: 1.0e-8, window: 0.02}}
)yaml",
                                                     text, reynolds),
                                         "test.yaml");
    const ball::BallModel model(the_case);
    const ball::GrowthResult found = find_growth(model, ball::BallSpace(model.parts(), model.degrees()), {});
    ASSERT_FALSE(found.modes.empty()) << found.failure;
    EXPECT_NEAR(found.modes.front().rate, known.real(), 1e-6 * std::abs(known)) << reynolds;
    EXPECT_NEAR(found.modes.front().frequency, std::abs(known.imag()), 1e-6 * std::abs(known)) << reynolds;
    (known.real() > 0.0 ? grows : decays) = true;
  }
  EXPECT_TRUE(decays);
  EXPECT_TRUE(grows);
}

}  // namespace
}  // namespace gwrm::test
