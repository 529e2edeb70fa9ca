// Products of fields in a shell against polynomials in x, y, z, whose derivatives are exact and nothing of which is
// integrated by parts; whole runs whose sources are such polynomials.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "polynomial.hpp"
#include "problems/ball/ball_terms.hpp"
#include "problems/ball/evolving_terms.hpp"

namespace gwrm::test::shell_terms_test {
namespace {

using namespace ball;

constexpr double kInner = 0.5;

Polynomial square() {
  const auto [x, y, z] = position();
  return x * x + y * y + z * z;
}
// (1 - r^2)(r^2 - a^2), zero at both walls.
Polynomial bump() {
  return (Polynomial(1.0) - square()) * (square() - Polynomial(kInner * kInner));
}
PolynomialVector field_of(const Polynomial& toroidal, const Polynomial& poloidal) {
  return sum(curl(times(toroidal, position())), curl(curl(times(poloidal, position()))));
}
// Halves of halves: a sum is nested no deeper than the logarithm of its length.
std::string sum_of(const std::vector<std::string>& terms, std::size_t first, std::size_t last) {
  if (last - first == 1) return terms[first];
  const std::size_t middle = (first + last) / 2;
  return "(" + sum_of(terms, first, middle) + " + " + sum_of(terms, middle, last) + ")";
}
std::string text_of(const Polynomial& p) {
  std::vector<std::string> terms;
  for (const auto& [powers, value] : p.terms())
    if (std::abs(value) > 1e-13L) {
      terms.push_back(fmt::format("({:.17g})", static_cast<double>(value)));
      const char* const names[] = {"x", "y", "z"};
      for (std::size_t i = 0; i < 3; ++i)
        if (powers[i] > 0) terms.back() += fmt::format("*{}^{}", names[i], powers[i]);
    }
  return terms.empty() ? "0" : sum_of(terms, 0, terms.size());
}

// What a case makes of given fields: the rates of its parts as functions of the space.
class Rates {
 public:
  explicit Rates(const std::string& fields_and_terms)
      : case_(read_case_text("problem: ball\ndomain: {t: [0, 1]}\nball:\n  inner_radius: 0.5\n"
                             "  degree: {t: 2, r: 40, l: 6}\n" +
                                 fields_and_terms,
                             "test.yaml")),
        model_(case_),
        space_(model_.parts(), model_.degrees()),
        e_(static_cast<std::size_t>(space_.series().size()), 0.0) {}

  // The part is the polynomial; of solid harmonics up to l = 2 times functions of r^2.
  void set(std::size_t part, const Polynomial& f) {
    const SphereQuadrature quadrature(space_.radial(), space_.degrees(), {0, 40, 8, 8});
    quadrature.moments(space_.series(), part, values(f, quadrature.points()), e_.data());
  }
  void make() {
    std::vector<double> moments(e_.size(), 0.0);
    const BallTerms linear(model_, space_);
    if (linear.any()) linear.moments(e_.data(), moments.data());
    const EvolvingTerms evolving(model_, space_);
    if (evolving.any()) evolving.add_moments(evolving.on_points(e_.data()), 0.0, moments.data());
    rate_.resize(e_.size());
    space_.to_series(space_.project(moments).data(), rate_.data());
  }
  void expect_scalar(std::size_t part, const Polynomial& truth) const {
    const SphereTransform transform(space_.radial(), space_.degrees(), points());
    compare(transform.scalar(space_.series(), part, rate_.data()), values(truth, points()));
  }
  void expect_vector(std::size_t toroidal, const PolynomialVector& truth) const {
    const SphereTransform transform(space_.radial(), space_.degrees(), points());
    const Components own = vector_values(transform, space_.series(), toroidal, 1.0, rate_.data());
    std::array<std::vector<double>, 3> cartesian;
    for (std::size_t i = 0; i < 3; ++i) cartesian[i] = values(truth[i], points());
    std::vector<double> all, wanted;
    std::size_t at = 0;
    for (double phi : points().phi)
      for (double theta : points().theta)
        for (std::size_t k = 0; k < points().r.size(); ++k, ++at) {
          const double s = std::sin(theta), c = std::cos(theta), x = cartesian[0][at], y = cartesian[1][at],
                       z = cartesian[2][at], out = x * std::cos(phi) + y * std::sin(phi);
          wanted.insert(wanted.end(), {s * out + c * z, c * out - s * z, y * std::cos(phi) - x * std::sin(phi)});
          all.insert(all.end(), {own[0][at], own[1][at], own[2][at]});
        }
    compare(all, wanted);
  }

 private:
  static SpherePoints points() { return {{0.53, 0.71, 0.93}, {0.4, 1.3, 2.6}, {0.2, 1.9, 4.1}}; }
  static std::vector<double> values(const Polynomial& f, const SpherePoints& at) {
    std::vector<double> result;
    for (double phi : at.phi)
      for (double theta : at.theta)
        for (double r : at.r)
          result.push_back(static_cast<double>(
              f.value(r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi), r * std::cos(theta))));
    return result;
  }
  static void compare(const std::vector<double>& own, const std::vector<double>& truth) {
    double worst = 0.0, size = 0.0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      worst = std::max(worst, std::abs(own[i] - truth[i]));
      size = std::max(size, std::abs(truth[i]));
    }
    EXPECT_GT(size, 1e-3);
    EXPECT_LE(worst, 1e-10 * size);
  }

  Case case_;
  BallModel model_;
  BallSpace space_;
  std::vector<double> e_, rate_;
};

// Fields that vanish so well at the walls that their products meet all conditions.
struct Fields {
  Polynomial toroidal_u, poloidal_u, toroidal_b, poloidal_b, theta;

  Fields() {
    const auto [x, y, z] = position();
    const Polynomial q = bump();
    toroidal_u = 20.0 * q * q * (x * z + y);
    poloidal_u = 90.0 * q * q * q * (z + 0.5 * x * y);
    toroidal_b = 15.0 * q * q * (y * z + 0.3 * x);
    poloidal_b = 70.0 * q * q * q * (x + z * x);
    theta = 9.0 * q * q * (x * y + z);
  }
  PolynomialVector u() const { return field_of(toroidal_u, poloidal_u); }
  PolynomialVector b() const { return field_of(toroidal_b, poloidal_b); }
};

TEST(ShellTerms, AVelocityInducesTheCurlOfTheProductAndCarriesScalars) {
  const Fields fields;
  for (const char* const boundary : {"insulating", "conducting"}) {
    Rates rates(
        fmt::format("  fields: {{T: {{}}, U: {{kind: velocity}}, B: {{kind: magnetic, boundary: {}}}}}\n"
                    "  terms: [induction, advection]\n",
                    boundary));
    rates.set(0, fields.theta);
    rates.set(1, fields.toroidal_u);
    rates.set(2, fields.poloidal_u);
    rates.set(3, fields.toroidal_b);
    rates.set(4, fields.poloidal_b);
    rates.make();
    rates.expect_scalar(0, -1.0 * dot(fields.u(), gradient(fields.theta)));
    rates.expect_vector(3, curl(cross(fields.u(), fields.b())));
  }
}

// u = curl(t Y e_r) + curl curl(s Y e_r): T = t/r, P = s/r; T = q^2 y has t = r^2 q^2 of P_1^1 sin(phi).
TEST(ShellTerms, AGivenFlowDoesTheSame) {
  const Fields fields;
  const auto [x, y, z] = position();
  const Polynomial q = bump();
  const PolynomialVector u = field_of(20.0 * q * q * y, 90.0 * q * q * q * z);
  const std::string bump_text = "((1 - r^2)*(r^2 - 0.25))";
  Rates rates("  fields: {T: {}, B: {kind: magnetic}}\n  flow: {toroidal: {\"1,-1\": \"10*r^2*" + bump_text +
              "^2\"}, poloidal: {\"1,0\": \"45*r^2*" + bump_text +
              "^3\"}, factor: 2}\n  terms: [induction, advection]\n");
  rates.set(0, fields.theta);
  rates.set(1, fields.toroidal_b);
  rates.set(2, fields.poloidal_b);
  rates.make();
  rates.expect_scalar(0, -1.0 * dot(u, gradient(fields.theta)));
  rates.expect_vector(1, curl(cross(u, fields.b())));
}

// Theta = sin(2t) Q and U = sin(3t) V, V without slip, in a shell: the sources are what is left of Boussinesq's
// equations with rotation, of the pressure nothing. Exact in the space, so that the error is that of time.
TEST(ShellTerms, AManufacturedConvectionIsFound) {
  const auto [x, y, z] = position();
  const Polynomial q = bump(), theta = 10.0 * q * (x + 0.5 * x * z + Polynomial(0.2));
  const PolynomialVector v = field_of(5.0 * q * (z + 0.4 * x * y), 20.0 * q * q * (x + 0.3 * y));
  const auto laplacian = [](const Polynomial& f) {
    return f.derivative(0).derivative(0) + f.derivative(1).derivative(1) + f.derivative(2).derivative(2);
  };
  constexpr double kViscosity = 0.5, kBuoyancy = 5.0, kBeta = 2.0, kContrast = 3.0, kRotation = 4.0;
  std::array<std::string, 3> force, exact;
  for (std::size_t i = 0; i < 3; ++i) {
    const Polynomial turned = i == 0 ? v[1] : i == 1 ? -1.0 * v[0] : Polynomial();
    force[i] = fmt::format("3*cos(3*t)*({}) + sin(3*t)*({}) + sin(3*t)^2*({}) - sin(2*t)*({})", text_of(v[i]),
                           text_of(-kViscosity * laplacian(v[i]) - kRotation * turned), text_of(dot(v, gradient(v[i]))),
                           text_of(kBuoyancy * theta * position()[i]));
    exact[i] = text_of(v[i]);
  }
  // -U . grad T_0 = (beta + C/r^3) U . r, C = D a/(1 - a).
  const std::string source =
      fmt::format("2*cos(2*t)*({}) - sin(2*t)*({}) + sin(2*t)*sin(3*t)*({}) - sin(3*t)*({:.17g} + {:.17g}/r^3)*({})",
                  text_of(theta), text_of(laplacian(theta)), text_of(dot(v, gradient(theta))), kBeta,
                  kContrast * kInner / (1.0 - kInner), text_of(dot(v, position())));
  const auto yaml = [&](const std::string& terms) {
    return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.3]}}
ball:
  inner_radius: 0.5
  degree: {{t: 10, r: 12, l: 4}}
  windows: 1
  fields:
    Theta: {{kind: scalar, buoyancy: {}, background: {}, contrast: {}, source: "{}"}}
    U: {{kind: velocity, diffusivity: {}, source: {{x: "{}", y: "{}", z: "{}"}}}}
  terms: {}
  rotation: {}
exact:
  Theta: "sin(2*t)*({})"
  U_r: "sin(3*t)*(sin(theta)*(cos(phi)*({}) + sin(phi)*({})) + cos(theta)*({}))"
  U_phi: "sin(3*t)*(cos(phi)*({}) - sin(phi)*({}))"
output: {{grid: {{t: 3, r: 4, theta: 4, phi: 5}}}}
verification: {{estimate: off, tolerance: 1.0e-5}}
)yaml",
                       kBuoyancy, kBeta, kContrast, source, kViscosity, force[0], force[1], force[2], terms, kRotation,
                       text_of(theta), exact[0], exact[1], exact[2], exact[1], exact[0]);
  };
  expect_exact(yaml("[buoyancy, background, advection, inertia, coriolis]"), 1e-9);
  // Each of the terms is needed for that.
  EXPECT_GT(worst_error(run_case(yaml("[buoyancy, background, advection, coriolis]"))), 1e-5);
}

TEST(ShellTerms, FlowAndFieldExchangeTheirEnergy) {
  expect_energy_exchanged([](const std::string& terms) {
    return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.02]}}
ball:
  inner_radius: 0.5
  degree: {{t: 6, r: 24, l: 8, m: 0}}
  windows: 4
  fields:
    U: {{kind: velocity, diffusivity: 1.0e-6, boundary: stress_free}}
    B: {{kind: magnetic, diffusivity: 1.0e-6, boundary: conducting, lorentz: 3}}
  terms: {}
initial:
  U: {{toroidal: {{"1,0": "4*r", "2,0": "200*r*(3/4*r^2 - r^3/3 - r/2)"}}}}
  B: {{poloidal: {{"2,0": "20*((1 - r)*(r - 0.5))^2"}}}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
verification: {{estimate: off}}
)yaml",
                       terms);
  });
}

// A force that the space does not hold fails; the gradient of anything is none.
TEST(ShellTerms, ForcesThatTheHarmonicsDoNotHoldFail) {
  const auto run = [](const std::string& force) {
    return run_case(
        "problem: ball\ndomain: {t: [0, 0.3]}\nball:\n  inner_radius: 0.5\n"
        "  degree: {t: 8, r: 16, l: 3, m: 2}\n  tolerance: 1.0e-7\n"
        "  fields: {U: {kind: velocity, source: " +
        force + "}}\noutput: {grid: {t: 2, r: 3, theta: 3, phi: 3}}\nverification: {tolerance: 1.0e-3}\n");
  };
  const std::string still = "y*(1 - r^2)*(r^2 - 1/4)", turned = "x*(1 - r^2)*(r^2 - 1/4)";
  EXPECT_EQ(run("{x: \"-" + still + "\", y: \"" + turned + "\"}").status, ExitStatus::converged);
  EXPECT_EQ(run("{x: \"7*x^6 - " + still + "\", y: \"" + turned + "\"}").status, ExitStatus::converged);
  const RunOutcome unseen = run("{x: \"-" + still + "\", y: \"" + turned + " + 3*z^7\"}");
  EXPECT_EQ(unseen.status, ExitStatus::unresolved);
  EXPECT_GT(find_check(unseen, "data").value, 1e-3);
}

}  // namespace
}  // namespace gwrm::test::shell_terms_test
