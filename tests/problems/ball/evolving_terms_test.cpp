// Products of fields in the sphere against polynomials in x, y, z: derivatives and integrals of those are exact, and
// nothing is integrated by parts in what they are held against.
#include "problems/ball/evolving_terms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "polynomial.hpp"
#include "problems/ball/ball_terms.hpp"
#include "run_case.hpp"

namespace gwrm::test::evolving_terms_test {
namespace {

using namespace ball;

constexpr int kDegreeL = 2, kDegreeR = 2;

// Solid harmonics r^l P_l^m cos(m phi) or sin, l <= 2, but for positive factors.
Polynomial solid_harmonic(Index l, Index m) {
  const auto [x, y, z] = position();
  if (l == 0) return Polynomial(1.0);
  if (l == 1) return m == 0 ? z : m == 1 ? x : y;
  switch (m) {
    case 0:
      return 2.0 * z * z - x * x - y * y;
    case 1:
      return x * z;
    case -1:
      return y * z;
    case 2:
      return x * x - y * y;
    default:
      return x * y;
  }
}

// E_n Y_l^m in the unit ball: r^(2k) times the harmonic, made orthonormal.
std::vector<Polynomial> radial_functions(Index l, Index m) {
  const auto [x, y, z] = position();
  const Polynomial square = x * x + y * y + z * z;
  std::vector<Polynomial> functions;
  Polynomial next = solid_harmonic(l, m);
  for (int n = 0; n <= kDegreeR; ++n) {
    Polynomial f = next;
    for (int pass = 0; pass < 2; ++pass)
      for (const Polynomial& other : functions) f = f - (f * other).integral() * other;
    functions.push_back(1.0L / std::sqrt((f * f).integral()) * f);
    next = next * square;
  }
  return functions;
}

class Fields {
 public:
  Fields(const std::string& terms, double radius, const std::string& more = "")
      : radius_(radius),
        case_(read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  radius: {}
  degree: {{t: 2, r: {}, l: {}, m: {}}}
  fields:
    Theta: {{kind: scalar, boundary: slope}}
    C: {{kind: scalar{}}}
    U: {{kind: velocity, boundary: stress_free}}
    B: {{kind: magnetic, boundary: insulating, lorentz: 0.7}}
{}
)yaml",
                                         radius, kDegreeR, kDegreeL, kDegreeL, more, terms),
                             "test.yaml")),
        model_(case_),
        space_(model_.parts(), model_.degrees()),
        evolving_(model_, space_),
        linear_(model_, space_) {
    c_.resize(static_cast<std::size_t>(space_.unknowns().size()));
    for (std::size_t i = 0; i < c_.size(); ++i) c_[i] = std::cos(2.1 * static_cast<double>(i * i));
    for (Index l = 0; l <= kDegreeL; ++l)
      for (Index m = -l; m <= l; ++m) functions_[{l, m}] = radial_functions(l, m);
  }

  const BallSpace& space() const { return space_; }
  const std::vector<double>& c() const { return c_; }
  double radius() const { return radius_; }

  // The function of a part, with the argument in units of the radius.
  Polynomial of_part(std::size_t part, const std::vector<double>& c) const {
    std::vector<double> e(static_cast<std::size_t>(space_.series().size()));
    space_.to_series(c.data(), e.data());
    Polynomial f;
    for (Index l = space_.parts()[part].first_l(); l <= kDegreeL; ++l)
      for (Index order = 0; order < space_.series().n_orders(l); ++order)
        for (Index n = 0; n <= kDegreeR; ++n)
          f += e[static_cast<std::size_t>(space_.series().place(part, l, order) + n)] *
               functions_.at({l, space_.series().orders().of(order)})[static_cast<std::size_t>(n)];
    return f.of_radius(radius_);
  }
  PolynomialVector vector(std::size_t toroidal) const {
    return sum(curl(times(of_part(toroidal, c_), position())),
               curl(curl(times(of_part(toroidal + 1, c_), position()))));
  }

  std::vector<double> own(const std::vector<double>& c, double time = 0.0) const {
    std::vector<double> e(static_cast<std::size_t>(space_.series().size())), moments(e.size(), 0.0), y(c.size());
    space_.to_series(c.data(), e.data());
    if (linear_.any()) linear_.moments(e.data(), moments.data());
    if (evolving_.any()) evolving_.add_moments(evolving_.on_points(e.data()), time, moments.data());
    space_.test(moments.data(), y.data());
    return y;
  }
  std::vector<double> own_derivative(const std::vector<double>& c, const std::vector<double>& v) const {
    std::vector<double> e(static_cast<std::size_t>(space_.series().size())), of_v(e.size()), moments(e.size(), 0.0),
        y(c.size());
    space_.to_series(c.data(), e.data());
    space_.to_series(v.data(), of_v.data());
    const EvolvingTerms::Values at = evolving_.on_points(e.data());
    evolving_.add_derivative(at, evolving_.reaction_slopes(at, 0.0), evolving_.on_points(of_v.data()), moments.data());
    space_.test(moments.data(), y.data());
    return y;
  }

  // Every function of the space in the equations of a part against what it should be.
  template <class Oracle>
  void expect_part(std::size_t part, const Oracle& oracle) const {
    const std::vector<double> y = own(c_);
    double size = 0.0, worst = 0.0;
    const Layout& layout = space_.unknowns();
    for (Index l = space_.parts()[part].first_l(); l <= kDegreeL; ++l)
      for (Index i = layout.place(part, l); i < layout.place(part, l + 1); ++i) {
        std::vector<double> unit(c_.size(), 0.0);
        unit[static_cast<std::size_t>(i)] = 1.0;
        const auto truth = static_cast<double>(oracle(of_part(part, unit), static_cast<double>(l * (l + 1))));
        size = std::max(size, std::abs(truth));
        worst = std::max(worst, std::abs(y[static_cast<std::size_t>(i)] - truth));
      }
    EXPECT_GT(size, 1e-3);
    EXPECT_LE(worst, 1e-11 * size) << "part " << part;
  }

  // dU/dt = F, dB/dt = F, dTheta/dt = f in the weak form of the unit ball.
  void expect_force(std::size_t toroidal, const PolynomialVector& force) const {
    const double volume = std::pow(radius_, 3.0);
    expect_part(toroidal, [&](const Polynomial& phi, double both) {
      return dot(curl(times(phi, position())), force).integral(radius_) / both / volume;
    });
    expect_part(toroidal + 1, [&](const Polynomial& phi, double both) {
      return dot(curl(curl(times(phi, position()))), force).integral(radius_) / both / volume * radius_ * radius_;
    });
  }
  void expect_rate_of_field(std::size_t toroidal, const PolynomialVector& rate) const {
    const double volume = std::pow(radius_, 3.0);
    expect_part(toroidal, [&](const Polynomial& phi, double both) {
      return dot(curl(times(phi, position())), rate).integral(radius_) / both / volume;
    });
    expect_part(toroidal + 1, [&](const Polynomial& phi, double both) {
      return dot(times(phi, position()), rate).integral(radius_) / both / volume;
    });
  }
  void expect_scalar(std::size_t part, const Polynomial& rate) const {
    expect_part(part,
                [&](const Polynomial& phi, double) { return (phi * rate).integral(radius_) / std::pow(radius_, 3.0); });
  }

 private:
  double radius_;
  Case case_;
  BallModel model_;
  BallSpace space_;
  EvolvingTerms evolving_;
  BallTerms linear_;
  std::vector<double> c_;
  std::map<std::pair<Index, Index>, std::vector<Polynomial>> functions_;
};

constexpr std::size_t kTheta = 0, kC = 1, kU = 2, kB = 4;  // parts

class BallEvolvingTerms : public testing::TestWithParam<double> {};

TEST_P(BallEvolvingTerms, AdvectionIsThatOfTheGradient) {
  const Fields fields("  terms: [advection]", GetParam());
  const PolynomialVector u = fields.vector(kU);
  for (const std::size_t part : {kTheta, kC})
    fields.expect_scalar(part, -1.0 * dot(u, gradient(fields.of_part(part, fields.c()))));
}

TEST_P(BallEvolvingTerms, InductionIsTheCurlOfTheProduct) {
  const Fields fields("  terms: [induction]", GetParam());
  fields.expect_rate_of_field(kB, curl(cross(fields.vector(kU), fields.vector(kB))));
}

// (U . grad) U, whose gradient part the test functions do not see.
TEST_P(BallEvolvingTerms, InertiaIsThatOfTheConvectiveDerivative) {
  const Fields fields("  terms: [inertia]", GetParam());
  const PolynomialVector u = fields.vector(kU);
  PolynomialVector force;
  for (std::size_t i = 0; i < 3; ++i) force[i] = -1.0 * dot(u, gradient(u[i]));
  fields.expect_force(kU, force);
}

// (B . grad) B likewise, times the factor of the case.
TEST_P(BallEvolvingTerms, TheLorentzForceIsThatOfTension) {
  const Fields fields("  terms: [lorentz]", GetParam());
  const PolynomialVector b = fields.vector(kB);
  PolynomialVector force;
  for (std::size_t i = 0; i < 3; ++i) force[i] = 0.7 * dot(b, gradient(b[i]));
  fields.expect_force(kU, force);
}

TEST_P(BallEvolvingTerms, TheCoriolisForceHasItsParts) {
  const Fields fields("  terms: [coriolis]\n  rotation: 3", GetParam());
  const PolynomialVector u = fields.vector(kU);
  fields.expect_force(kU, {3.0 * u[1], -3.0 * u[0], Polynomial(0.0)});
}

TEST_P(BallEvolvingTerms, ReactionsAreTheirValues) {
  const Fields fields("", GetParam(), ", reaction: \"Theta*(1 - C) + 2*C^3 + x\"");
  const Polynomial theta = fields.of_part(kTheta, fields.c()), c = fields.of_part(kC, fields.c());
  fields.expect_scalar(kC, theta - theta * c + 2.0 * c * c * c + Polynomial::coordinate(0));
}

// A given flow: curl(t Y e_r) with t = r T; T = r cos(theta) = z and r^3 sin(2 theta)/2 cos(phi) = r x z.
TEST_P(BallEvolvingTerms, AdvectionByAGivenFlowIsThatOfTheGradient) {
  const std::string yaml = fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  radius: {}
  degree: {{t: 2, r: 2, l: 2}}
  fields: {{Theta: {{boundary: slope}}}}
  flow: {{toroidal: {{"1,0": "r^2"}}, poloidal: {{"1,1": "r^2*({:.17g} - r^2)"}}, factor: 2}}
  terms: [advection]
)yaml",
                                       GetParam(), GetParam() * GetParam());
  const Fields fields("  terms: [advection]", GetParam());  // its functions alone
  const Case the_case = read_case_text(yaml, "test.yaml");
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  const BallTerms terms(model, space);
  const auto [x, y, z] = position();
  const Polynomial square = x * x + y * y + z * z;
  const PolynomialVector flow =
      sum(curl(times(2.0 * z, position())),
          curl(curl(times(2.0 * x * (Polynomial(GetParam() * GetParam()) - square), position()))));
  std::vector<double> c(static_cast<std::size_t>(space.unknowns().size())), image(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::cos(2.1 * static_cast<double>(i * i));
  terms.apply(c.data(), image.data());
  std::vector<double> padded(fields.c().size(), 0.0);
  std::copy(c.begin(), c.end(), padded.begin());  // Theta is the first part of both
  const Polynomial rate = -1.0 * dot(flow, gradient(fields.of_part(kTheta, padded)));
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::vector<double> unit(padded.size(), 0.0);
    unit[i] = 1.0;
    EXPECT_NEAR(
        image[i],
        static_cast<double>((fields.of_part(kTheta, unit) * rate).integral(GetParam())) / std::pow(GetParam(), 3.0),
        1e-11)
        << i;
  }
}

// A given flow beside the velocity: fields are carried by both, and inertia is what the flow and U do to each other.
// The flow is that of the test above.
TEST_P(BallEvolvingTerms, AGivenFlowAddsItselfToTheVelocity) {
  const std::string flow = fmt::format(
      "  flow: {{toroidal: {{\"1,0\": \"r^2\"}}, poloidal: {{\"1,1\": \"r^2*({:.17g} - r^2)\"}}, factor: 2}}\n",
      GetParam() * GetParam());
  const auto [x, y, z] = position();
  const Polynomial square = x * x + y * y + z * z;
  const PolynomialVector given =
      sum(curl(times(2.0 * z, position())),
          curl(curl(times(2.0 * x * (Polynomial(GetParam() * GetParam()) - square), position()))));
  const Fields fields(flow + "  terms: [advection, induction, inertia]", GetParam());
  const PolynomialVector u = fields.vector(kU), both = sum(given, u);
  fields.expect_scalar(kTheta, -1.0 * dot(both, gradient(fields.of_part(kTheta, fields.c()))));
  fields.expect_rate_of_field(kB, curl(cross(both, fields.vector(kB))));
  PolynomialVector force;
  for (std::size_t i = 0; i < 3; ++i) force[i] = -1.0 * (dot(both, gradient(u[i])) + dot(u, gradient(given[i])));
  fields.expect_force(kU, force);
}

INSTANTIATE_TEST_SUITE_P(Radii, BallEvolvingTerms, testing::Values(1.0, 1.7));

// Of products a central difference of any step is the derivative; of other reactions one of a short step nearly.
TEST(BallEvolvingTermsDerivative, IsThatOfTheTerms) {
  const auto expect_derivative = [](const Fields& fields, double step, double tolerance) {
    std::vector<double> v(fields.c().size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(1.3 * static_cast<double>(i) + 0.4);
    const auto at = [&](double factor) {
      std::vector<double> c = fields.c();
      for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * v[i];
      return fields.own(c);
    };
    const std::vector<double> ahead = at(step), behind = at(-step), derivative = fields.own_derivative(fields.c(), v);
    double size = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      size = std::max(size, std::abs(derivative[i]));
      worst = std::max(worst, std::abs((ahead[i] - behind[i]) / (2.0 * step) - derivative[i]));
    }
    EXPECT_LE(worst, tolerance * size);
  };
  expect_derivative(Fields("  terms: [advection, induction, inertia, lorentz]", 1.3), 0.5, 1e-12);
  expect_derivative(Fields("", 1.0, ", reaction: \"C*(1 - C)*Theta\""), 1e-4, 1e-7);
  expect_derivative(Fields("", 1.0, ", reaction: \"exp(-C^2) + sin(Theta)*C\""), 1e-4, 1e-7);
}

}  // namespace
}  // namespace gwrm::test::evolving_terms_test
