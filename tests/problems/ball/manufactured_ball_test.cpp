// --manufactured of problem: ball: sources against those of computer algebra and of polynomials, errors that fall with
// every degree, exact fields that are none.
#include "problems/ball/manufactured_ball.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "problems/ball/ball_model.hpp"
#include "problems/convergence/manufactured.hpp"
#include "problems/registry.hpp"

namespace gwrm::test::manufactured_ball_test {
namespace {

using namespace ball;

Case made(const std::string& yaml) {
  return manufactured(problem_modules(), read_case_text(yaml, "test.yaml"));
}

RunOutcome run_made(const std::string& yaml) {
  return make_problem(made(yaml))->run(Context::create(BackendChoice::cpu, 1), {});
}

// Components of curl(T r) + curl curl(P r) along r, theta, phi, by the language's own derivatives: T, P of r, theta,
// phi.
std::string components(const std::string& name, const std::string& toroidal, const std::string& poloidal,
                       const std::string& in_time) {
  const std::string surface =
      fmt::format("(dtheta(sin(theta)*dtheta({0}))/sin(theta) + dphi({0},2)/sin(theta)^2)", "(" + poloidal + ")");
  return fmt::format(
      "  {0}_r: \"-{3}*{4}/r\"\n"
      "  {0}_theta: \"{3}*(dr(r*dtheta({2}))/r + dphi({1})/sin(theta))\"\n"
      "  {0}_phi: \"{3}*(dr(r*dphi({2}))/(r*sin(theta)) - dtheta({1}))\"\n",
      name, "(" + toroidal + ")", "(" + poloidal + ")", in_time, surface);
}

const std::string kX = "r*sin(theta)*cos(phi)", kY = "r*sin(theta)*sin(phi)", kZ = "r*cos(theta)";

// All terms at once beside a given flow, in a sphere or a shell. Walls: no slip, insulator or perfect conductor, no
// heat.
std::string dynamo(int t, int r, int l, const std::string& more, const std::string& boundary, const std::string& wall,
                   const std::string& flow_wall) {
  const std::string magnetic_toroidal = boundary == "insulating" ? wall : flow_wall;
  return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.3]}}
constants: {{kappa: 0.5}}
ball:
  degree: {{t: {}, r: {}, l: {}}}
{}
  windows: 1
  fields:
    Theta: {{buoyancy: 5, background: 2, diffusivity: kappa, reaction: "Theta*(1 - C) + x"}}
    C: {{boundary: slope, reaction: "-Theta*C^2"}}
    U: {{kind: velocity, diffusivity: 0.7}}
    B: {{kind: magnetic, boundary: {}, lorentz: 1.5, diffusivity: 0.8}}
  flow: {{toroidal: {{"1,0": "r^2*{}", "2,1": "r^3*{}"}}, poloidal: {{"1,-1": "r^2*{}"}}, factor: 0.5}}
  terms: [buoyancy, background, advection, induction, inertia, lorentz, coriolis]
  rotation: 3
exact:
  Theta: "{}*(1 + x*sin(2*t))*exp(z/2)"
  C: "1 + cos(t)*({})^2*y"
{}{}
output: {{grid: {{t: 3, r: [0.45, 0.6, 0.85, 1], theta: [0.4, 1.3, 2.5], phi: 6}}}}
verification: {{estimate: off, tolerance: 1, residual: 1, tail: 1}}
)yaml",
                     t, r, l, more, boundary, wall, wall, wall, wall, wall,
                     components("U", flow_wall + "*" + kZ + "*exp(" + kX + ")", flow_wall + "*" + kX, "sin(3*t)"),
                     components("B", magnetic_toroidal + "*" + kY, flow_wall + "*exp(" + kZ + ")", "cos(2*t)"));
}

double error_of(const std::string& yaml) {
  const RunOutcome outcome = run_made(yaml);
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  return worst_error(outcome);
}

TEST(BallManufactured, ErrorsOfAllTermsAreSpectral) {
  const auto error = [](int t, int r, int l) {
    return error_of(dynamo(t, r, l, "", "insulating", "(1 - r^2)", "(1 - r^2)^2"));
  };
  const double finest = error(6, 5, 7);
  EXPECT_LE(finest, 1e-5);
  EXPECT_GT(error(3, 5, 7), 10.0 * finest);
  EXPECT_GT(error(6, 2, 7), 10.0 * finest);
  EXPECT_GT(error(6, 5, 4), 10.0 * finest);
}

TEST(BallManufactured, ShellsHaveThem) {
  const std::string wall = "((1 - r)*(r - 0.4))";
  for (const char* boundary : {"insulating", "conducting"}) {
    const auto error = [&](int t, int r, int l) {
      return error_of(dynamo(t, r, l, "  inner_radius: 0.4\n", boundary, wall, wall + "^2*10"));
    };
    const double fine = error(6, 11, 6);
    EXPECT_LE(fine, 1e-3) << boundary;
    EXPECT_GT(error(6, 6, 6), 3.0 * fine) << boundary;
  }
}

// u = sin(t) (1 - r^2) z of any radius: u_t - kappa lap u + kappa_4 lap lap u by hand, lap((R^2 - r^2) z) = -10 z.
TEST(BallManufactured, SourcesOfScalarsAreThoseByHand) {
  const Case the_case = made(R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  radius: 2
  degree: {t: 4, r: 8, l: 3}
  fields: {u: {diffusivity: 0.3, source: "17*x", reaction: "u^2 + y"}}
exact: {u: "sin(t)*(4 - r^2)*z"}
)yaml");
  const BallModel model(the_case);
  const SpherePoints points{{0.1, 0.45, 0.9}, {0.4, 1.9, 2.8}, {0.3, 2.0, 5.1}};
  const double time = 0.7;
  const std::vector<double> own =
      model.expressions().finite_values(model.section().fields.front().source, time, points);
  std::size_t at = 0;
  for (const double phi : points.phi)
    for (const double theta : points.theta)
      for (const double x : points.r) {
        const double r = 2.0 * x, z = r * std::cos(theta), y = r * std::sin(theta) * std::sin(phi);
        const double u = std::sin(time) * (4.0 - r * r) * z;
        EXPECT_NEAR(own[at++], std::cos(time) * (4.0 - r * r) * z + 3.0 * std::sin(time) * z - u * u - y, 1e-12);
      }
}

// What is made is a case like any other: written, read, and with the initial values of the exact fields.
TEST(BallManufactured, TheCaseIsCompleteAndKept) {
  const std::string yaml = dynamo(4, 6, 4, "", "insulating", "(1 - r^2)", "(1 - r^2)^2");
  const Case the_case = made(yaml);
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  EXPECT_TRUE(section_of<BallCase>(the_case).fields.back().initial_vector.is_there());
  EXPECT_NE(the_case.title.find("anufactured"), std::string::npos);
}

// With hyperdiffusion, and with a time at which nothing begins with zero.
TEST(BallManufactured, HyperdiffusionIsTakenWithIt) {
  EXPECT_LE(error_of(R"yaml(
problem: ball
domain: {t: [1, 1.4]}
ball:
  degree: {t: 10, r: 9, l: 8}
  fields: {u: {diffusivity: 0.4, hyperdiffusion: 0.02}}
exact: {u: "cos(t)*(1 - r^2)^2*exp(x)"}
output: {grid: {t: 3, r: 5, theta: 5, phi: 6}}
verification: {estimate: off, tolerance: 1, residual: 1, tail: 1}
)yaml"),
            1e-7);
}

void expect_no_solution(const std::string& section, const std::string& exact, const std::string& fragment) {
  const std::string yaml = ball_case("  degree: {t: 4, r: 8, l: 4}\n" + section, "exact: {" + exact + "}\n");
  try {
    made(yaml);
    ADD_FAILURE() << yaml;
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("test.yaml:"), std::string::npos) << error.what();
  }
}

TEST(BallManufactured, ExactFieldsThatAreNoneAreRefused) {
  const auto scalar = [](const std::string& field) { return "  fields: {u: " + field + "}\n"; };
  expect_no_solution(scalar("{}"), "u: \"x\"", "u = 0 at the surface: it misses by");
  expect_no_solution(scalar("{}"), "u: \"u*(1 - r^2)\"", "no unknown");
  expect_no_solution(scalar("{}") + "", "", "needs `exact` of every unknown");
  expect_no_solution(scalar("{boundary: slope}"), "u: \"x\"", "dr(u) = 0 at the surface");
  expect_no_solution(scalar("{boundary: robin, robin: 2}"), "u: \"(1 - r^2)*x\"", "dr(u) + 2*u = 0");
  expect_no_solution(scalar("{hyperdiffusion: 1}"), "u: \"(1 - r^2)*x\"", "dr(u) = 0 at the surface");
  expect_no_solution("  inner_radius: 0.5\n" + scalar("{}"), "u: \"1 - r^2\"", "u = 0 at the inner wall");
  expect_no_solution(scalar("{}"), "u: \"t*(1 - r^2) + (t - 1)*t*x\"", "at all times");
  const std::string velocity = "  fields: {U: {kind: velocity}}\n", zero = "U_theta: \"0\", U_phi: ";
  expect_no_solution(velocity, "U_r: \"0\", U_theta: \"0\"", "add exact: {U_phi: ...}");
  expect_no_solution(velocity, "U_r: \"x*(1 - r^2)^2\", " + zero + "\"0\"", "these components have a divergence");
  expect_no_solution(velocity, "U_r: \"0\", " + zero + "\"r*sin(theta)\"", "U = 0 at the surface");
  expect_no_solution("  fields: {U: {kind: velocity, boundary: stress_free}}\n",
                     "U_r: \"0\", " + zero + "\"r^2*sin(theta)\"", "no stress along U");
  const std::string magnetic = "  fields: {B: {kind: magnetic}}\n";
  expect_no_solution(magnetic, "B_r: \"0\", B_theta: \"0\", B_phi: \"r*sin(theta)\"", "curl(B)_r = 0 at the surface");
  expect_no_solution(magnetic, "B_r: \"cos(theta)\", B_theta: \"-sin(theta)\", B_phi: \"0\"",
                     "a potential field outside");
  expect_no_solution("  fields: {B: {kind: magnetic, boundary: conducting}}\n",
                     "B_r: \"cos(theta)\", B_theta: \"-sin(theta)\", B_phi: \"0\"", "B_r = 0 at the surface");
}

// Derivatives in a case are taken of functions whose coordinates are known.
TEST(BallManufactured, DerivativesInMixedCoordinatesAreRefused) {
  const std::string degree = "  degree: {t: 4, r: 8, l: 4}\n";
  expect_refused_case(ball_case(degree + "  fields: {u: {source: \"dr(x*r)\"}}\n"), "as r*sin(theta)*cos(phi)");
  expect_refused_case(ball_case(degree + "  fields: {u: {source: \"dx(r^2)\"}}\n"), "a function of both");
  expect_refused_case(ball_case(degree + "  fields: {u: {source: \"lap(r^2)\"}}\n"), "no Cartesian coordinate");
  EXPECT_NO_THROW(make_problem(
      read_case_text(ball_case(degree + "  fields: {u: {source: \"dx(x*z) + dr(r^2)*t\"}}\n"), "test.yaml")));
}

// curl((1 - r^2) e_z) = -2 (-y, x, 0) as an initial field and as a source, by Cartesian and spherical components.
TEST(BallManufactured, VectorsByTheirComponentsAreFieldsByTheirParts) {
  const auto run = [](const std::string& source, const std::string& initial,
                      const std::string& verification = "estimate: off, tolerance: 1.0e-5, tail: 1, residual: 1") {
    return run_case(
        "problem: ball\ndomain: {t: [0, 0.2]}\nball:\n  radius: 2\n  degree: {t: 8, r: 10, l: 3}\n"
        "  windows: 2\n  fields: {B: {kind: magnetic, diffusivity: 2" +
        source +
        "}}\n"
        "initial: {B: " +
        initial +
        "}\noutput: {grid: {t: 3, r: [0.5, 1.2, 2], theta: 3, phi: 4}}\n"
        "verification: {" +
        verification + "}\n");
  };
  const auto expect_same = [](const RunOutcome& a, const RunOutcome& b, double tolerance) {
    ASSERT_EQ(a.fields.size(), b.fields.size());
    double size = 0.0, worst = 0.0;
    for (std::size_t f = 0; f < a.fields.size(); ++f)
      for (std::size_t i = 0; i < a.fields[f].values.data.size(); ++i) {
        size = std::max(size, std::abs(a.fields[f].values.data[i]));
        worst = std::max(worst, std::abs(a.fields[f].values.data[i] - b.fields[f].values.data[i]));
      }
    EXPECT_GT(size, 0.1);
    EXPECT_LE(worst, tolerance * size);
  };
  // T = (4 - r^2) r P_1: T (-y, x, 0)/z ... of curl(T r) = -r x grad T.
  const RunOutcome parts = run("", "{toroidal: {\"1,0\": \"r*(4 - r^2)\"}, poloidal: {\"2,1\": \"r^2*(28/5 - r^2)\"}}");
  EXPECT_EQ(parts.status, ExitStatus::converged) << parts.report.reason;
  // P = q 3 x z/r^2 with q = r^2 (28/5 - r^2): B_r = 6 P/r, (r P)'/r dY/dtheta, ..
  const std::string poloidal_r = "18*x*z/r*(28/5 - r^2)", spread = "(3*28/5 - 5*r^2)*r*3";
  const RunOutcome spherical =
      run("", "{r: \"" + poloidal_r + "\", theta: \"" + spread +
                  "*cos(2*theta)*cos(phi)\", phi: \"(4 - r^2)*r*sin(theta) - " + spread + "*cos(theta)*sin(phi)\"}");
  EXPECT_LE(find_check(spherical, "initial").value, 1e-12);
  expect_same(parts, spherical, 1e-11);
  // A source that keeps the field of T = (4 - r^2) z: -kappa lap T = 20 z, T (-y, x, 0)/z.
  const RunOutcome kept =
      run(", source: {x: \"-20*y\", y: \"20*x\"}", "{x: \"-y*(4 - r^2)\", y: \"x*(4 - r^2)\"}", "tolerance: 1.0e-5");
  EXPECT_EQ(kept.status, ExitStatus::converged) << kept.report.reason;
  for (const SampledField& field : kept.fields)
    if (field.name == "B_phi") {
      const auto& values = field.values;
      const std::size_t n = values.data.size() / 3;
      double size = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        size = std::max(size, std::abs(values.data[i]));
        EXPECT_NEAR(values.data[i], values.data[2 * n + i], 1e-10);
      }
      EXPECT_GT(size, 1.0);
    }
  // With a divergence neither is one.
  EXPECT_GT(find_check(run(", source: {x: \"x*(4 - r^2)\"}", "{y: \"0\", x: \"-y*(4 - r^2)\"}"), "data").value, 1e-3);
}

}  // namespace
}  // namespace gwrm::test::manufactured_ball_test
