// The assembled system: the analytic Jacobian against differences on random states, for every kind of term the language
// has; residuals against an oracle that uses the polynomials alone; weightings against their reference figures.
#include "system/window_system.hpp"

#include <cmath>
#include <random>

#include "solver/newton.hpp"
#include "system/support_case.hpp"

namespace gwrm {
namespace {

using test::case_of;

struct Assembled {
  Model model;
  SystemPlan plan;
  Context context;
  Discretisation discretisation;
  State state;
  WindowSystem system;

  explicit Assembled(const std::string& yaml, unsigned seed = 7)
      : model(build_model(case_of(yaml))),
        plan(model),
        context(Context::create(BackendChoice::cpu, 1)),
        discretisation(model, parameters(model), 0.0, 0.7),
        state(random_state(model, discretisation, seed)),
        system(context, model, plan, discretisation, state) {}

  static std::vector<double> parameters(const Model& model) { return std::vector<double>(model.axes.size(), 0.37); }
  static State random_state(const Model& model, const Discretisation& discretisation, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    State state;
    for (const FieldModel& field : model.fields) {
      state.emplace_back();
      Shape shape(model.axes.size(), 1);
      for (int axis : field.axes)
        if (model.is_modal(axis)) shape[static_cast<std::size_t>(axis)] = discretisation.n_unknowns(axis);
      for (int m = 0; m < field.time_order; ++m) {
        Array a(shape);
        for (double& v : a.data) v = uniform(generator);
        state.back().push_back(a);
      }
    }
    return state;
  }
};

std::vector<double> random_vector(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (double& v : x) v = uniform(generator);
  return x;
}

// Every column of the Jacobian against central differences: error O(h^2) + eps/h, 1e-6 of the matrix with h = 1e-6.
void expect_jacobian_matches(const std::string& yaml) {
  Assembled a(yaml);
  const Index n = a.system.size();
  const std::vector<double> x = random_vector(n, 11);
  std::vector<double> matrix(static_cast<std::size_t>(n * n), 0.0), plus(static_cast<std::size_t>(n)),
      minus(static_cast<std::size_t>(n));
  a.system.jacobian(x, matrix);
  double largest = 0.0;
  for (double v : matrix) largest = std::max(largest, std::abs(v));
  ASSERT_GT(largest, 0.0);
  const double h = 1e-6;
  for (Index j = 0; j < n; ++j) {
    std::vector<double> moved = x;
    moved[static_cast<std::size_t>(j)] = x[static_cast<std::size_t>(j)] + h;
    a.system.residual(moved, plus);
    moved[static_cast<std::size_t>(j)] = x[static_cast<std::size_t>(j)] - h;
    a.system.residual(moved, minus);
    for (Index i = 0; i < n; ++i) {
      const double difference = (plus[static_cast<std::size_t>(i)] - minus[static_cast<std::size_t>(i)]) / (2.0 * h);
      ASSERT_NEAR(matrix[static_cast<std::size_t>(i + j * n)], difference, 1e-6 * largest)
          << a.system.describe_row(i) << " / " << a.system.describe_unknown(j);
    }
  }
}

TEST(Jacobian, NonlinearPde) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = 0.1*(1 + x*t)*dx(u,2) - u*dx(u) + exp(u)*sin(x)"]
initial: {u: "0"}
boundary: ["u(x=-1)^2 + dx(u)(x=-1) = t", "u(x=2) = u(x=0.5)"]
resolution: {degree: {t: 4, x: 6}}
)yaml");
}

TEST(Jacobian, ChebyshevWeighting) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = dx(u^2*dx(u)) + u"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0"]
resolution: {degree: {t: 4, x: 5}}
time: {weighting: chebyshev}
)yaml");
}

TEST(Jacobian, SecondOrderInTimeSystemWithConstraint) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u, q]
equations: ["dt(u,2) + u*dt(u) = dx(q)", "q = dx(u) + u^3"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "q(x=1) = u(x=1)"]
resolution: {degree: {t: 4, x: 5}}
)yaml");
}

TEST(Jacobian, MixedDerivativeAndDtOnTheRight) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u]
equations: ["dt(u - dx(u,2)) + (1 + u)*dx(u) = dt(u)^2"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 3, x: 6}}
)yaml");
}

TEST(Jacobian, IntegralsLinearNonlinearAndNested) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {t: [0, 0.7], y: [0, 1], x: [0, 2]}
unknowns: [u, {name: c, dims: [t]}]
equations:
  - "dt(u) = lap(u) + c*u + x*integral(u^2*sin(x), x) + u*integral(integral(x*u^2, x)*u(x=0), y)"
  - "integral(integral(u, x), y) = 1 + c^2"
initial: {u: "0"}
boundary: ["u(x=0) = 0", "integral(u^2, x) = 1", "u(y=0) = u(y=1)", "dy(u)(y=0) = dy(u)(y=1)"]
resolution: {degree: {t: 2, y: 3, x: 4}}
)yaml");
}

TEST(Jacobian, CoupledParameterAndScalar) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {t: [0, 0.7], p: {range: [0.5, 2], map: log}, x: [0, 1]}
unknowns: [u, {name: c, dims: []}]
equations: ["dt(u) = p*dx(u,2) + c*u^2", "integral(integral(u(t=0.7), x), p) = c^3"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = p"]
resolution: {degree: {t: 3, p: 2, x: 4}}
parameters: {method: coupled}
)yaml");
}

TEST(Jacobian, SteadyThreeDimensions) {
  expect_jacobian_matches(R"yaml(schema: 1
domain: {x: [0, 1], y: [0, 1], z: [0, 1]}
unknowns: [u]
equations: ["lap(u) = u^2 + x*y"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "dy(u)(y=0) = 0", "u(y=1) = 0", "u(z=0) = u(z=1)", "dz(u)(z=0) = dz(u)(z=1)"]
resolution: {degree: {x: 3, y: 3, z: 4}}
)yaml");
}

// u' = i y u as two real equations over one window; |u(h)| / |u(0)| is |R(i y h)|. numerics.md 1.2: radau never exceeds
// 1, the papers' chebyshev weighting reaches 1.3980 for K = 8.
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
  EXPECT_TRUE(succeeded(newton(system, x, {}, *lu).status));
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
}  // namespace gwrm
