// The assembled system: residuals against an oracle that uses the polynomials alone; weightings against their reference
// figures; places named.
#include "weighted_residual/window/window_system.hpp"

#include <cmath>

#include "solver/dense_solver.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/assembled.hpp"

namespace gwrm::window_system_test {
namespace {

using test::Assembled;

// u' = i y u as two real equations over one window; |u(h)| / |u(0)| is |R(i y h)|. docs/numerics.md 2.1: radau never
// exceeds 1, the papers' chebyshev weighting reaches 1.3980 for K = 8.
double amplification(const std::string& weighting, int degree, double y) {
  Assembled a("schema: 1\ndomain: {t: [0, 0.7]}\nconstants: {y: " + std::to_string(y) + R"yaml(}
unknowns: [a, b]
equations: ["dt(a) = -y*b", "dt(b) = y*a"]
initial: {a: "0", b: "0"}
resolution: {degree: {t: )yaml" +
              std::to_string(degree) + "}}\ntime: {weighting: " + weighting + "}\n");
  a.state[0][0].data = {1.0};
  a.state[1][0].data = {0.0};
  WindowSystem system(a.context, a.model, a.plan, a.discretisation, a.state);
  std::vector<double> x(static_cast<std::size_t>(system.size()), 0.0);
  const auto lu = cpu::make_dense_lu();
  DenseSolver corrections(system, *lu);
  EXPECT_TRUE(succeeded(newton(system, x, {}, corrections).status));
  const State end = system.end_state(x);
  return std::hypot(end[0][0].data[0], end[1][0].data[0]);
}

TEST(Weighting, AmplificationOnTheImaginaryAxis) {
  for (const auto& [degree, reference] : {std::pair{4, 1.3576}, std::pair{8, 1.3980}}) {
    double radau = 0.0, chebyshev = 0.0;
    for (double y = 0.2; y < 400.0; y *= 1.02) {
      radau = std::max(radau, amplification("radau", degree, y));
      chebyshev = std::max(chebyshev, amplification("chebyshev", degree, y));
    }
    EXPECT_LE(radau, 1.0 + 1e-11);
    EXPECT_NEAR(chebyshev, reference, 2e-3);  // the sampling in y misses the very peak
  }
}

// The state enters as polynomials: with W = 0 the solution stays the initial state, whose residual is known in closed
// form.
TEST(Residual, OfAConstantStateIsTheProjectedRightHandSide) {
  Assembled a(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = u^2"]
initial: {u: "0"}
resolution: {degree: {t: 3, x: 4}}
)yaml");
  // u = x = T_1: u^2 = (1 + T_2)/2, so that dt(u) - u^2 has modes -1/2 and -1/2 at T_0 and T_2.
  a.state[0][0].data = {0.0, 1.0, 0.0, 0.0, 0.0};
  WindowSystem system(a.context, a.model, a.plan, a.discretisation, a.state);
  std::vector<double> x(static_cast<std::size_t>(system.size()), 0.0), f(x.size());
  system.residual(x, f);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 5; ++l) EXPECT_NEAR(f[k * 5 + l], l == 0 || l == 2 ? -0.5 : 0.0, 1e-15);
}

// A window large enough to be evaluated one point in time after the other.
TEST(Residual, OfAnIntegralOverTimeIsThatOfItsValue) {
  const auto residual = [](const std::string& source) {
    Assembled a(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: [0, 2]}
unknowns: [u]
equations: ["dt(u) = lap(u) + )yaml" +
                source + R"yaml("]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0"]
resolution: {degree: {t: 3, x: 31, y: 32}}
)yaml");
    const std::vector<double> x = test::random_vector(a.system.size(), 3);
    std::vector<double> f(x.size());
    a.system.residual(x, f);
    return f;
  };
  const std::vector<double> found = residual("1e4*integral(t*x, t)"), wanted = residual("1e4*0.245*x");
  double size = 0.0;
  for (double value : wanted) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(found[i], wanted[i], 1e-12 * size);
}

TEST(WindowSystem, NamesThePlaceThatIsNotFinite) {
  Assembled a(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = log(x)*u"]
initial: {u: "0"}
resolution: {degree: {t: 3, x: 4}}
)yaml");
  const std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
  const std::string text = a.system.locate_not_finite(x);
  EXPECT_NE(text.find("equation 1"), std::string::npos) << text;
  EXPECT_NE(text.find("x = 0"), std::string::npos) << text;  // the middle one of an odd number of Gauss points: log 0
}

}  // namespace
}  // namespace gwrm::window_system_test
