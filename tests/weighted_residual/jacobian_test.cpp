// The linearised rows, for every kind of term the language has and any division into subdomains: the dense Jacobian
// against differences of the residual, the matrix-free product against the dense one.
#include <cmath>
#include <regex>

#include "weighted_residual/assembled.hpp"

namespace gwrm::jacobian_test {
namespace {

using test::Assembled;
using test::random_vector;

struct JacobianCase {
  std::string name;
  std::string yaml;  // N stands for the number of subdomains of each axis of space
};

void PrintTo(const JacobianCase& what, std::ostream* out) {
  *out << what.name;
}

const std::vector<JacobianCase> kCases = {{"NonlinearPde", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = 0.1*(1 + x*t)*dx(u,2) - u*dx(u) + exp(u)*sin(x)"]
initial: {u: "0"}
boundary: ["u(x=-1)^2 + dx(u)(x=-1) = t", "u(x=2) = u(x=0.5)"]
resolution: {degree: {t: 4, x: 6}, domains: {x: N}}
)yaml"},
                                          {"ChebyshevWeighting", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = dx(u^2*dx(u)) + u"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0"]
resolution: {degree: {t: 4, x: 5}, domains: {x: N}}
time: {weighting: chebyshev}
)yaml"},
                                          {"SecondOrderInTimeWithConstraint", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u, q]
equations: ["dt(u,2) + u*dt(u) = dx(q)", "q = dx(u) + u^3"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "q(x=1) = u(x=1)"]
resolution: {degree: {t: 4, x: 5}, domains: {x: N}}
)yaml"},
                                          {"MixedDerivativeAndDtOnTheRight", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u]
equations: ["dt(u - dx(u,2)) + (1 + u)*dx(u) = dt(u)^2"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 3, x: 6}, domains: {x: N}}
)yaml"},
                                          {"RobinAndDtInACondition", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + u^2*x"]
initial: {u: "0"}
boundary: ["2*u(x=0) - 3*dx(u)(x=0) = t", "dt(u)(x=1) + (1 + t)*dx(u)(x=1) = u(x=1)^2"]
resolution: {degree: {t: 4, x: 5}, domains: {x: N}}
)yaml"},
                                          {"PeriodicTwoFields", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + v*dx(u) = 0.1*dx(u,2)", "dt(v) + u*dx(v) = 0.2*dx(v,2) + u*v"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = u(x=1)", "dx(u)(x=0) = dx(u)(x=1)", "v(x=0) = v(x=1)", "dx(v)(x=0) = dx(v)(x=1)"]
resolution: {degree: {t: 3, x: 6}, domains: {x: N}}
)yaml"},
                                          {"ThirdAndFourthOrder", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 2]}
unknowns: [u, w]
equations: ["dt(u) + 6*u*dx(u) + dx(u,3) = w", "dt(w) = -dx(w,4) + u*w"]
initial: {u: "0", w: "0"}
boundary: ["u(x=0) = 0", "u(x=2) = 0", "dx(u)(x=2) = 0", "w(x=0) = 0", "dx(w,2)(x=0) = t", "w(x=2) = 0", "dx(w)(x=2) = u(x=1)"]
resolution: {degree: {t: 3, x: 7}, domains: {x: N}}
)yaml"},
                                          {"FieldWithoutSpaceAndIntegral", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u, {name: c, dims: [t]}, {name: r, dims: [t]}]
equations: ["dt(u) = dx(u,2) + c*u*x", "dt(r) = -r^2 + integral(u^2, x) + u(x=0.3)", "integral(u*x, x) = r + c^2"]
initial: {u: "0", r: "0"}
boundary: ["u(x=0) = r", "integral(u^2, x) = 1 + t"]
resolution: {degree: {t: 3, x: 6}, domains: {x: N}}
)yaml"},
                                          {"IntegralsLinearNonlinearAndNested", R"yaml(schema: 1
domain: {t: [0, 0.7], y: [0, 1], x: [0, 2]}
unknowns: [u, {name: c, dims: [t]}]
equations:
  - "dt(u) = lap(u) + c*u + x*integral(u^2*sin(x), x) + u*integral(integral(x*u^2, x)*u(x=0), y)"
  - "integral(integral(u, x), y) = 1 + c^2"
initial: {u: "0"}
boundary: ["u(x=0) = 0", "integral(u^2, x) = 1", "u(y=0) = u(y=1)", "dy(u)(y=0) = dy(u)(y=1)"]
resolution: {degree: {t: 2, y: 3, x: 4}, domains: {x: N}}
)yaml"},
                                          {"SubdomainsInTwoDirections", R"yaml(schema: 1
domain: {t: [0, 0.7], y: [0, 1], x: [0, 2]}
unknowns: [u, {name: s, dims: [t, y]}]
equations: ["dt(u) = lap(u) - u*dx(u) + s*dy(u)", "dt(s) = dy(s,2) + integral(u, x)"]
initial: {u: "0", s: "0"}
boundary: ["u(x=0) = s", "dx(u)(x=2) + u(x=2)^2 = y", "u(y=0) = u(y=1)", "dy(u)(y=0) = dy(u)(y=1)",
           "s(y=0) = 0", "dy(s)(y=1) = t"]
resolution: {degree: {t: 2, y: 4, x: 3}, domains: {x: N, y: N}}
)yaml"},
                                          {"CoupledParameterAndScalar", R"yaml(schema: 1
domain: {t: [0, 0.7], p: {range: [0.5, 2], map: log}, x: [0, 1]}
unknowns: [u, {name: c, dims: []}]
equations: ["dt(u) = p*dx(u,2) + c*u^2", "integral(integral(u(t=0.7), x), p) = c^3"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = p"]
resolution: {degree: {t: 3, p: 2, x: 4}, domains: {x: N}}
parameters: {method: coupled}
)yaml"},
                                          {"SteadyLogMap", R"yaml(schema: 1
domain: {x: {range: [0.5, 4], map: log}}
unknowns: [u, v]
equations: ["x*dx(u,2) + dx(u) = v^2 + x", "dx(v) = u*v"]
boundary: ["dx(u)(x=0.5) = 0", "u(x=4) = 0", "v(x=1) = 1 + u(x=0.5)"]
resolution: {degree: {x: 6}, domains: {x: N}}
)yaml"},
                                          {"SteadyThreeDimensions", R"yaml(schema: 1
domain: {x: [0, 1], y: [0, 1], z: [0, 1]}
unknowns: [u]
equations: ["lap(u) = u^2 + x*y"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "dy(u)(y=0) = 0", "u(y=1) = 0", "u(z=0) = u(z=1)", "dz(u)(z=0) = dz(u)(z=1)"]
resolution: {degree: {x: 3, y: 3, z: 4}, domains: {z: N}}
)yaml"}};

class Jacobian : public ::testing::TestWithParam<std::tuple<JacobianCase, int>> {
 protected:
  Assembled a_{
      std::regex_replace(std::get<0>(GetParam()).yaml, std::regex("\\bN\\b"), std::to_string(std::get<1>(GetParam())))};
  std::vector<double> x_ = random_vector(a_.system.size(), 11);

  Eigen::VectorXd residual(const Eigen::VectorXd& x) {
    Eigen::VectorXd f(x.size());
    a_.system.residual({x.data(), x_.size()}, {f.data(), x_.size()});
    return f;
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, Jacobian, ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Values(1, 2, 3)),
                         [](const auto& what) {
                           return std::get<0>(what.param).name + std::to_string(std::get<1>(what.param));
                         });

// Terms with constant coefficients act on wavenumbers by factors; the matrix is made of values at points all the same.
const std::vector<JacobianCase> kPeriodic = {{"PeriodicBox", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u, v]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = 0.2*lap(u) - (1 + t)*dx(dy(u)) + 0.03*dx(v,3) + cos(2*pi*y)"
  - "dt(v) + u*dx(v) = (0.2 + 0.05*cos(2*pi*y))*lap(v) - (v - 3*dy(u))/2 + v^2*u - (u + 1)*0.3 + 0.1*t"
initial: {u: "0", v: "0"}
resolution: {degree: {t: 2, x: 3, y: 2}}
)yaml"},
                                             {"PeriodicBoxWithAGauge", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, pi], basis: fourier}}
unknowns: [w, psi, {name: c, dims: [t]}]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = 0.1*lap(w)", "lap(psi) + w = c", "integral(integral(psi, x), y) = 0"]
initial: {w: "0"}
resolution: {degree: {t: 2, x: 2, y: 3}}
)yaml"},
                                             {"PeriodicLineSecondOrderInTime", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u,2) + 0.1*dt(u) + dx(u,4) - t^2*dx(u) = u^3 + u(x=0.5) + u(t=0.7)"]
initial: {u: "0", "dt(u)": "0"}
resolution: {degree: {t: 3, x: 4}}
)yaml"},
                                             {"PeriodicChannel", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = lap(u) + 2*dx(u)"]
initial: {u: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 2, x: 3, y: 4}}
)yaml"}};

INSTANTIATE_TEST_SUITE_P(Periodic, Jacobian, ::testing::Combine(::testing::ValuesIn(kPeriodic), ::testing::Values(1)),
                         [](const auto& what) { return std::get<0>(what.param).name; });

// Central differences: error O(h^2) + eps/h, 1e-6 of the matrix with h = 1e-6.
TEST_P(Jacobian, IsTheDerivativeOfTheResidual) {
  const Eigen::MatrixXd matrix = a_.jacobian(x_);
  const double tolerance = 1e-6 * matrix.cwiseAbs().maxCoeff(), h = 1e-6;
  ASSERT_GT(tolerance, 0.0);
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(x_.data(), a_.system.size());
  for (Index j = 0; j < matrix.cols(); ++j) {
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(x.size(), j);
    const Eigen::VectorXd difference = (residual(x + step) - residual(x - step)) / (2.0 * h);
    Index i = 0;
    ASSERT_LE((matrix.col(j) - difference).cwiseAbs().maxCoeff(&i), tolerance)
        << a_.system.describe_row(i) << " / " << a_.system.describe_unknown(j);
  }
}

// Sums of as many terms as there are unknowns and points, each rounded: 1e-13 of the largest product.
TEST_P(Jacobian, ProductNeedsNoMatrix) {
  const Eigen::MatrixXd matrix = a_.jacobian(x_);
  const Linearisation at_x = a_.system.linearise(x_);
  for (unsigned seed : {21u, 22u, 23u}) {
    const std::vector<double> v = random_vector(a_.system.size(), seed);
    Eigen::VectorXd product(a_.system.size());
    a_.system.apply_jacobian(at_x, v, {product.data(), v.size()});
    const Eigen::Map<const Eigen::VectorXd> direction(v.data(), a_.system.size());
    const Eigen::VectorXd expected = matrix * direction;
    const double size = (matrix.cwiseAbs() * direction.cwiseAbs()).maxCoeff();
    Index i = 0;
    EXPECT_LE((product - expected).cwiseAbs().maxCoeff(&i), 1e-13 * size) << a_.system.describe_row(i);
  }
}

// Every row and unknown has one place, without gap, and a name.
TEST_P(Jacobian, RowsAreAsManyAsUnknowns) {
  Index rows = 0, unknowns = 0;
  for (const RowBlock& row : a_.system.rows()) {
    EXPECT_EQ(row.offset, rows);
    rows += element_count(row.extents);
    for (std::size_t axis = 0; axis < row.extents.size(); ++axis) {
      EXPECT_EQ(row.tests[axis].rows, row.extents[axis]);
      EXPECT_EQ(static_cast<Index>(row.modes[axis].size()), row.extents[axis]);
    }
  }
  for (const FieldLayout& layout : a_.system.layouts()) {
    EXPECT_EQ(layout.offset, unknowns);
    unknowns += element_count(layout.extents);
  }
  EXPECT_EQ(rows, a_.system.size());
  EXPECT_EQ(unknowns, a_.system.size());
  for (Index i = 0; i < a_.system.size(); ++i) {
    EXPECT_FALSE(a_.system.describe_row(i).empty());
    EXPECT_FALSE(a_.system.describe_unknown(i).empty());
  }
}

}  // namespace
}  // namespace gwrm::jacobian_test
