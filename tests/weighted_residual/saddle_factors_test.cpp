// The block factorisation that preconditions incompressible flow in boxes: against the whole Jacobian, and by the
// number of iterations that it leaves to GMRES.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <Eigen/Core>

#include "flow_equations.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"

namespace gwrm::saddle_factors_test {
namespace {

using test::Assembled;
using test::random_vector;

// Stokes flow in a box of side 2, one window of length 0.7. nu: of the fluid, per length of the window.
std::string stokes(int degree, double diffusion) {
  return fmt::format(R"yaml(
domain: {{t: [0, 0.7], x: [-1, 1], y: [-1, 1]}}
constants: {{nu: "{}/0.7"}}
unknowns: [u, v, p]
equations:
  - "dt(u) = -dx(p) + nu*lap(u)"
  - "dt(v) = -dy(p) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
initial: {{u: "0", v: "0"}}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0",
           "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0"]
resolution: {{degree: {{t: 4, x: {}, y: {}}}}}
)yaml",
                     diffusion, degree, degree);
}

Eigen::VectorXd as_vector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

// To reduce random forces in the equations with a time derivative.
int iterations(Assembled& a, double tolerance) {
  AveragedSolver solver(a.system, SpatialMethod::saddle);
  std::vector<double> v(static_cast<std::size_t>(a.system.size()), 0.0);
  const std::vector<double> random = random_vector(a.system.size(), 3);
  for (const RowBlock& row : a.system.rows())
    if (row.kind == RowBlock::Kind::equation && row.equation < 2)
      for (Index i = row.offset; i < row.offset + element_count(row.extents); ++i)
        v[static_cast<std::size_t>(i)] = random[static_cast<std::size_t>(i)];
  EXPECT_EQ(solver.linearise(std::vector<double>(v.size(), 0.0), true).status, LinearStatus::solved);
  const LinearOutcome outcome = solver.solve(v, tolerance);
  EXPECT_EQ(outcome.status, LinearStatus::solved);
  return outcome.iterations;
}

// J d = b for a random d: rows of conditions, constraints, degrees and means among them. Against d.
void expect_correction(Assembled& a, int at_most, double error = 1e-7) {
  AveragedSolver solver(a.system, SpatialMethod::saddle);
  std::vector<double> x = random_vector(a.system.size(), 11);
  for (double& value : x) value *= 0.1;
  const LinearOutcome linearised = solver.linearise(x, true);
  ASSERT_EQ(linearised.status, LinearStatus::solved) << linearised.detail;
  const Eigen::MatrixXd matrix = a.jacobian(x);
  const Eigen::VectorXd expected = as_vector(random_vector(a.system.size(), 61)), right = matrix * expected;
  std::vector<double> v(right.begin(), right.end());
  const LinearOutcome outcome = solver.solve(v, 1e-11);
  EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
  EXPECT_LE(outcome.iterations, at_most);
  EXPECT_LE((matrix * as_vector(v) - right).norm(), 1e-10 * right.norm());
  EXPECT_LE((as_vector(v) - expected).norm(), error * expected.norm());
}

// At most as many as a prototype in numpy, whatever the degree and the viscosity.
TEST(SaddleFactors, StokesFlowTakesFewIterations) {
  for (int degree : {16, 32, 64})
    for (double diffusion : {0.01, 1.0, 1.0e4}) {
      Assembled a(stokes(degree, diffusion));
      EXPECT_LE(iterations(a, 1e-6), 18) << "degree " << degree << ", nu h = " << diffusion;
    }
}

// Walls along y and x, so that the conditions of u along x come before those along y (corners).
constexpr const char* kWalls = R"yaml(
boundary: ["u(y=-1) = 0", "u(y=1) = (1-x^2)^2", "v(y=-1) = 0", "v(y=1) = 0",
           "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0"]
)yaml";
constexpr const char* kOutflow = R"yaml(
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0",
           "u(x=-1) = 1-y^2", "-p(x=1) + dx(u)(x=1) = 0", "v(x=-1) = 0", "dx(v)(x=1) = 0"]
)yaml";
constexpr const char* kPressure = R"yaml(
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0",
           "u(x=-1) = 1-y^2", "p(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0"]
)yaml";
constexpr const char* kPressures = R"yaml(
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0",
           "2*p(x=-1) = 1", "p(x=1) = 0", "v(x=-1) = 0", "dx(v)(x=1) = 0"]
)yaml";
constexpr const char* kSlip = R"yaml(
boundary: ["dy(u)(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0",
           "u(x=-1) = 0", "u(x=1) = 0", "dx(v)(x=-1) = 0", "dx(v)(x=1) = 0", "p(y=0, x=0.5) = 1"]
)yaml";

std::string flow(const std::string& boundary, int nodes = 3) {
  return fmt::format(R"yaml(
domain: {{t: [0, 0.7], x: [-1, 1], y: [-1, 1]}}
initial: {{u: "0", v: "0"}}
resolution: {{degree: {{t: {}, x: 8, y: 7}}}}
)yaml",
                     nodes) +
         test::flow_equations("") + boundary;
}

TEST(SaddleFactors, CorrectionsAreThoseOfTheWholeJacobian) {
  for (const char* boundary : {kWalls, kOutflow, kPressure, kPressures, kSlip}) {
    SCOPED_TRACE(boundary);
    Assembled a(flow(boundary));
    expect_correction(a, 60);
  }
}

// Pressure given at the outlet, with the tangential velocity or its slope: a number that does not grow with the degree,
// half as many more than where the viscous traction is given with it.
TEST(SaddleFactors, PressureAtAnOutlet) {
  const auto stokes_with = [](int degree, double diffusion, const std::string& u, const std::string& v) {
    std::string yaml = stokes(degree, diffusion);
    yaml.replace(yaml.find("u(x=1) = 0"), 10, u);
    return yaml.replace(yaml.find("v(x=1) = 0"), 10, v);
  };
  for (int degree : {16, 32})
    for (double diffusion : {1e-4, 0.01, 1.0e4}) {
      const auto count = [&](const std::string& u, const std::string& v) {
        Assembled a(stokes_with(degree, diffusion, u, v));
        return iterations(a, 1e-6);
      };
      for (const char* v : {"v(x=1) = 0", "dx(v)(x=1) = 0"}) {
        EXPECT_LE(count("-p(x=1) + nu*dx(u)(x=1) = 0", v), 24) << "degree " << degree << ", nu h = " << diffusion;
        EXPECT_LE(count("p(x=1) = 0", v), 32) << "degree " << degree << ", nu h = " << diffusion << ", " << v;
      }
    }
}

// Eigenvectors of time in double precision, and its triangular form, for which the blocks are applied as well.
TEST(SaddleFactors, ManyNodesInTime) {
  for (int nodes : {14, 18})
    for (const char* boundary : {kWalls, kPressure}) {
      SCOPED_TRACE(nodes);
      Assembled a(flow(boundary, nodes));
      expect_correction(a, 60);
    }
}

TEST(SaddleFactors, SteadyFlow) {
  for (const char* boundary : {kWalls, kPressure}) {
    SCOPED_TRACE(boundary);
    Assembled a(R"yaml(
domain: {x: [-1, 1], y: [-1, 1]}
unknowns: [u, v, p]
equations: ["u*dx(u) + v*dy(u) = -dx(p) + lap(u)", "u*dx(v) + v*dy(v) = -dy(p) + lap(v)", "dx(u) + dy(v) = 0"]
resolution: {degree: {x: 8, y: 9}}
)yaml" + std::string(boundary));
    expect_correction(a, 60);
  }
}

// As a user may write them: another order of equations and unknowns, an equation times a number, sides exchanged. The
// iterations are those of the equations as everybody writes them.
TEST(SaddleFactors, EquationsInAnyOrderWithAnyFactor) {
  const std::string u = "u*dx(u) + v*dy(u) = -dx(p) + lap(u)", v = "u*dx(v) + v*dy(v) = -dy(p) + lap(v)",
                    c = "dx(u) + dy(v) = 0", turned = "lap(v) - dy(p) = u*dx(v) + v*dy(v)",
                    scaled = "50*u*dx(v) + 50*v*dy(v) = -50*dy(p) + 50*lap(v)";
  const auto count = [](const std::string& unknowns, const std::vector<std::string>& equations) {
    Assembled a(fmt::format(R"yaml(
domain: {{x: [-1, 1], y: [-1, 1]}}
unknowns: {}
equations: ["{}", "{}", "{}"]
resolution: {{degree: {{x: 8, y: 9}}}}
)yaml",
                            unknowns, equations[0], equations[1], equations[2]) +
                kWalls);
    AveragedSolver solver(a.system, SpatialMethod::saddle);
    // The flow u = y, v = x, whatever the order.
    std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
    for (std::size_t f = 0; f < a.model.fields.size(); ++f) {
      const FieldLayout& layout = a.system.layouts()[f];
      if (a.model.fields[f].name == "u") x[static_cast<std::size_t>(layout.offset + layout.extents.back())] = 1.0;
      if (a.model.fields[f].name == "v") x[static_cast<std::size_t>(layout.offset + 1)] = 1.0;
    }
    const LinearOutcome linearised = solver.linearise(x, true);
    EXPECT_EQ(linearised.status, LinearStatus::solved) << linearised.detail;
    const Eigen::MatrixXd matrix = a.jacobian(x);
    Eigen::VectorXd expected(a.system.size());  // the same fields
    for (const FieldLayout& layout : a.system.layouts()) {
      const std::string& name = a.model.fields[static_cast<std::size_t>(&layout - a.system.layouts().data())].name;
      const Index n = element_count(layout.extents);
      expected.segment(layout.offset, n) = as_vector(random_vector(n, name == "u" ? 3 : name == "v" ? 5 : 7));
    }
    const Eigen::VectorXd right = matrix * expected;
    std::vector<double> r(right.begin(), right.end());
    const LinearOutcome outcome = solver.solve(r, 1e-11);
    EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
    EXPECT_LE((as_vector(r) - expected).norm(), 1e-7 * expected.norm());
    return outcome.iterations;
  };
  const int usual = count("[u, v, p]", {u, v, c});
  EXPECT_LE(usual, 40);
  EXPECT_NEAR(count("[u, v, p]", {u, c, v}), usual, 2);
  EXPECT_NEAR(count("[u, v, p]", {v, u, c}), usual, 2);
  EXPECT_NEAR(count("[p, v, u]", {u, v, c}), usual, 2);
  EXPECT_NEAR(count("[u, v, p]", {u, turned, "0 = dx(u) + dy(v)"}), usual, 3);
  EXPECT_NEAR(count("[u, v, p]", {u, scaled, c}), usual, 6);  // the norm of the residual is another
}

// Heat beside velocities; the force of buoyancy is not among what the blocks hold.
TEST(SaddleFactors, Boussinesq) {
  Assembled a(R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [-1, 1]}
unknowns: [u, v, p, T]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + lap(v) + 10*T"
  - "dx(u) + dy(v) = 0"
  - "dt(T) + u*dx(T) + v*dy(T) = lap(T)"
initial: {u: "0", v: "0", T: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0",
           "v(x=1) = 0", "T(x=-1) = 0", "T(x=1) = 1", "dy(T)(y=-1) = 0", "dy(T)(y=1) = 0"]
resolution: {degree: {t: 3, x: 7, y: 8}}
)yaml");
  expect_correction(a, 60);
}

// A constraint that holds its multiplier: no constant is free.
TEST(SaddleFactors, NearlyIncompressibleElasticity) {
  for (const char* stiffness : {"1e-3", "0.1"}) {
    Assembled a(fmt::format(R"yaml(
domain: {{x: [-1, 1], y: [-1, 1]}}
unknowns: [u, v, p]
equations: ["lap(u) = dx(p)", "lap(v) = dy(p)", "dx(u) + dy(v) = -{}*p"]
resolution: {{degree: {{x: 8, y: 9}}}}
)yaml",
                            stiffness) +
                kWalls);
    expect_correction(a, 40, 1e-5);  // the mean of p by 1e-3 alone
  }
}

// div u = 0 and div b = 0.
TEST(SaddleFactors, TwoConstraints) {
  Assembled a(R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [-1, 1]}
unknowns: [u, v, p, a, b, psi]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + a*dx(a) + b*dy(a) + lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + a*dx(b) + b*dy(b) + lap(v)"
  - "dx(u) + dy(v) = 0"
  - "dt(a) + u*dx(a) + v*dy(a) - a*dx(u) - b*dy(u) + dx(psi) = lap(a)"
  - "dt(b) + u*dx(b) + v*dy(b) - a*dx(v) - b*dy(v) + dy(psi) = lap(b)"
  - "dx(a) + dy(b) = 0"
initial: {u: "0", v: "0", a: "0", b: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0",
           "v(x=1) = 0", "dy(a)(y=-1) = 0", "dy(a)(y=1) = 0", "b(y=-1) = 0", "b(y=1) = 0", "a(x=-1) = 0", "a(x=1) = 0",
           "dx(b)(x=-1) = 0", "dx(b)(x=1) = 0"]
resolution: {degree: {t: 3, x: 7, y: 8}}
)yaml");
  expect_correction(a, 60);
}

TEST(SaddleFactors, ThreeDimensions) {
  Assembled a(R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [-1, 1], z: [-1, 1]}
unknowns: [u, v, w, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) + w*dz(u) = -dx(p) + lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) + w*dz(v) = -dy(p) + lap(v)"
  - "dt(w) + u*dx(w) + v*dy(w) + w*dz(w) = -dz(p) + lap(w)"
  - "dx(u) + dy(v) + dz(w) = 0"
initial: {u: "0", v: "0", w: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = (1-x^2)^2", "v(y=-1) = 0", "v(y=1) = 0", "w(y=-1) = 0", "w(y=1) = 0",
           "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0", "w(x=-1) = 0", "w(x=1) = 0",
           "u(z=-1) = 0", "u(z=1) = 0", "v(z=-1) = 0", "v(z=1) = 0", "w(z=-1) = 0", "w(z=1) = 0"]
resolution: {degree: {t: 2, x: 5, y: 6, z: 5}}
)yaml");
  expect_correction(a, 60);
}

// A wind through the box: less than half the iterations without its part in the Schur complement (55).
TEST(SaddleFactors, FlowThroughTheBox) {
  Assembled a(R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [-1, 1]}
constants: {U: "1/0.7", nu: "0.02/0.7"}
unknowns: [u, v, p]
equations:
  - "dt(u) + U*(1-y^2)*dx(u) = -dx(p) + nu*lap(u)"
  - "dt(v) + U*(1-y^2)*dx(v) = -dy(p) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
initial: {u: "0", v: "0"}
resolution: {degree: {t: 4, x: 32, y: 32}}
)yaml" + std::string(kWalls));
  EXPECT_LE(iterations(a, 1e-6), 28);
}

TEST(SaddleFactors, SaysWhatItDoesNotServe) {
  const auto reason = [](const std::string& yaml) {
    const Model model = build_model(test::case_of(yaml));
    return saddle_unsupported_reason(model, model.subdomains);
  };
  std::string divided = flow(kWalls);
  divided.replace(divided.find("y: 7}"), 5, "y: 7}, domains: {y: 2}");
  EXPECT_EQ(reason(divided), "p is lower along y, which is divided");
  std::string coupled = flow(kWalls);
  coupled.replace(coupled.find("y: [-1, 1]}"), 11, "y: [-1, 1], nu: [1, 2]}\nparameters: {method: coupled}");
  coupled.replace(coupled.find("y: 7}"), 5, "y: 7, nu: 2}");
  coupled.replace(coupled.find("lap(u)"), 6, "nu*lap(u)");
  EXPECT_EQ(reason(coupled), "the parameter nu is coupled");
  std::string pressure = flow(kOutflow);
  pressure.replace(pressure.find("-p(x=1) + dx(u)(x=1) = 0"), 24, "p(x=1) = dx(v)(x=1)");
  EXPECT_NE(reason(pressure).find("does not hold u"), std::string::npos) << reason(pressure);  // one of two
  for (const char* boundary : {kPressure, kPressures}) EXPECT_EQ(reason(flow(boundary)), "");
  EXPECT_EQ(reason(flow(kWalls)), "");
}

}  // namespace
}  // namespace gwrm::saddle_factors_test
