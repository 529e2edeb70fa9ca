// Incompressible flow in velocity and pressure: exact solutions, in periodic boxes, beside one pair of walls and in
// boxes.
#include <algorithm>
#include <cmath>

#include "flow_equations.hpp"
#include "problems/time_spectral/verification.hpp"
#include "run_case.hpp"

namespace gwrm::incompressible_flow_test {
namespace {

using test::find_check;
using test::replaced;
using test::run_case;

const std::string kTaylorGreen = R"yaml(
domain: {t: [0, 2], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
constants: {nu: 0.1}
)yaml" + test::flow_equations("nu*") +
                                 R"yaml(
initial: {u: "cos(x)*sin(y)", v: "-sin(x)*cos(y)"}
exact:
  u: "cos(x)*sin(y)*exp(-2*nu*t)"
  v: "-sin(x)*cos(y)*exp(-2*nu*t)"
  p: "7 - (cos(2*x) + cos(2*y))/4*exp(-4*nu*t)"
resolution: {degree: {t: 6, x: 4, y: 4}, domains: {t: 8}}
)yaml";

// The 7 in `exact` is a mean, which is the program's to choose. No wave but (1, 1) in u: errors are those of time
// alone.
TEST(IncompressibleFlow, TaylorGreenDecays) {
  const RunOutcome outcome = run_case(kTaylorGreen);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(find_check(outcome, "error_max", "u").value, 1e-10);
  EXPECT_LT(find_check(outcome, "error_max", "p less its mean").value, 1e-10);
  EXPECT_LT(find_check(outcome, "residual", "equation 3").value, 1e-14);  // div u over |grad u|
  EXPECT_NEAR(test::value_at(outcome.solution, "integral(integral(p, x), y)", {{"t", 1.0}}), 0.0, 1e-13);
}

const std::string kKovasznay = R"yaml(
domain: {x: [-0.5, 1], y: [-0.5, 1.5]}
constants: {Re: 40, a: "Re/2 - sqrt(Re^2/4 + 4*pi^2)"}
)yaml" + test::flow_equations("1/Re*", test::Flow::steady) +
                               R"yaml(
boundary:
  - "u(x=-0.5) = 1 - exp(-0.5*a)*cos(2*pi*y)"
  - "v(x=-0.5) = a/(2*pi)*exp(-0.5*a)*sin(2*pi*y)"
  - "u(x=1) = 1 - exp(a)*cos(2*pi*y)"
  - "v(x=1) = a/(2*pi)*exp(a)*sin(2*pi*y)"
  - "u(y=-0.5) = 1 + exp(a*x)"
  - "v(y=-0.5) = 0"
  - "u(y=1.5) = 1 + exp(a*x)"
  - "v(y=1.5) = 0"
exact:
  u: "1 - exp(a*x)*cos(2*pi*y)"
  v: "a/(2*pi)*exp(a*x)*sin(2*pi*y)"
  p: "-exp(2*a*x)/2"
resolution: {degree: {x: N, y: N}}
verification: {estimate: off}
)yaml";

std::string kovasznay(int degree) {
  return replaced(kKovasznay, "{x: N, y: N}", "{x: " + std::to_string(degree) + ", y: " + std::to_string(degree) + "}");
}

constexpr double kLargestSpeed = 2.6188;  // 1 + exp(-a/2), u in the corner: errors are relative to it

// Largest errors of u in a prototype with the same spaces and rows (numpy, written independently): at most twice them.
TEST(IncompressibleFlow, KovasznayConvergesAsThePrototype) {
  for (const auto& [degree, error] : {std::pair{8, 1.8e-1}, {12, 8.9e-4}, {16, 1.3e-6}, {20, 7.3e-10}}) {
    const Check u = find_check(run_case(kovasznay(degree)), "error_max", "u");
    EXPECT_LT(u.value * kLargestSpeed, 2.0 * error) << degree;
    EXPECT_GT(u.value * kLargestSpeed, 0.2 * error) << degree;
  }
}

// "Do nothing" and pressure with the tangential velocity: within a factor of 1.2 of given velocities, in u and v.
TEST(IncompressibleFlow, KovasznayWithOutflow) {
  const std::string given = kovasznay(16);
  const std::string nothing =
      replaced(replaced(given, "u(x=1) = 1 - exp(a)*cos(2*pi*y)",
                        "-p(x=1) + dx(u)(x=1)/Re = exp(2*a)/2 - a*exp(a)*cos(2*pi*y)/Re"),
               "v(x=1) = a/(2*pi)*exp(a)*sin(2*pi*y)", "dx(v)(x=1)/Re = a^2/(2*pi)*exp(a)*sin(2*pi*y)/Re");
  const std::string pressure = replaced(given, "u(x=1) = 1 - exp(a)*cos(2*pi*y)", "p(x=1) = -exp(2*a)/2");
  const RunOutcome closed = run_case(given);
  for (const std::string& open : {nothing, pressure}) {
    const RunOutcome outcome = run_case(open);
    for (const char* field : {"u", "v"})
      EXPECT_LT(find_check(outcome, "error_max", field).value, 1.2 * find_check(closed, "error_max", field).value);
    EXPECT_LT(find_check(outcome, "error_max", "p").value, 1e-6);  // with its mean: the outflow fixes it
  }
}

// Continuous at an inner edge: u, v, the normal derivative of the tangential velocity, and p.
TEST(IncompressibleFlow, KovasznayOnSubdomains) {
  const RunOutcome outcome = run_case(replaced(kovasznay(12), "{x: 12, y: 12}", "{x: 12, y: 12}, domains: {y: 2}"));
  EXPECT_LT(find_check(outcome, "error_max", "u").value, 1e-7);
  EXPECT_LT(find_check(outcome, "error_max", "p").value, 1e-6);
}

// Where four subdomains meet the normal stress stands in place of p, along both directions. Even and odd degrees (of
// the rows with p alone one is a sum of the others), unequal subdomains, three of them; errors fall as with a degree of
// twice as much and more on one domain.
TEST(IncompressibleFlow, KovasznayOnSubdomainsThatMeet) {
  const auto errors = [](int degree, const std::string& domains) {
    const RunOutcome outcome =
        run_case(replaced(kovasznay(degree), "}}\nverification", "}, domains: {" + domains + "}}\nverification"));
    EXPECT_TRUE(outcome.complete) << outcome.report.reason;
    return std::pair(find_check(outcome, "error_max", "u").value,
                     find_check(outcome, "error_max", "p less its mean").value);
  };
  const auto [u8, p8] = errors(8, "x: 2, y: 2");
  const auto [u9, p9] = errors(9, "x: 2, y: [-0.5, 0.3, 1.5]");
  const auto [u12, p12] = errors(12, "x: [-0.5, 0.1, 1], y: 2");
  const auto [u7, p7] = errors(7, "x: 2, y: 3");
  EXPECT_LT(u8, 1e-3);
  EXPECT_LT(u9, 1e-3);
  EXPECT_LT(u7, 1e-3);
  EXPECT_LT(u12, 1e-7);
  EXPECT_LT(p8, 1e-2);
  EXPECT_LT(p9, 1e-2);
  EXPECT_LT(p7, 1e-2);
  EXPECT_LT(p12, 1e-6);
}

TEST(IncompressibleFlow, SubdomainsThatMeetNeedAConstantViscosity) {
  const std::string yaml = replaced(kovasznay(8), "}}\nverification", "}, domains: {x: 2, y: 2}}\nverification");
  try {
    (void)run_case(replaced(yaml, "1/Re*lap(u)", "(1 + x)/Re*lap(u)"));
    FAIL() << "not refused";
  } catch (const CaseError& error) {
    test::expect_holds(error.what(), "the factors of dx(p) and dx(u,2) in this equation are no constants");
  }
}

// A wave that decays between walls that follow it, exact for the nonlinear equations: u, v of Taylor and Green in
// 0 <= y <= 1, periodic along x. data: of equations and walls, through the estimate of the run.
const std::string kWallsThatMove = R"yaml(
domain: {t: [0, 0.5], x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}
constants: {nu: 0.1}
)yaml" + test::flow_equations("nu*") +
                                   R"yaml(
initial: {u: "cos(x)*sin(y)", v: "-sin(x)*cos(y)"}
boundary:
  - "u(y=0) = 0"
  - "u(y=1) = cos(x)*sin(1)*exp(-2*nu*t)"
  - "v(y=0) = -sin(x)*exp(-2*nu*t)"
  - "v(y=1) = -sin(x)*cos(1)*exp(-2*nu*t)"
exact:
  u: "cos(x)*sin(y)*exp(-2*nu*t)"
  v: "-sin(x)*cos(y)*exp(-2*nu*t)"
  p: "-(cos(2*x) + cos(2*y))/4*exp(-4*nu*t)"
resolution: {degree: {t: 6, x: 4, y: 12}, domains: {t: 4}}
)yaml";

TEST(IncompressibleFlow, ChannelWithWallsThatMove) {
  const RunOutcome outcome = run_case(kWallsThatMove);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  test::expect_holds(outcome.report.linear_solver, "wavenumber by wavenumber");
  EXPECT_LT(find_check(outcome, "error_max", "u").value, 1e-10);
  EXPECT_LT(find_check(outcome, "error_max", "p less its mean").value, 1e-7);
  // Odd and even degrees: which row the mean of p replaces differs.
  const RunOutcome odd = run_case(replaced(kWallsThatMove, "y: 12}", "y: 13}"));
  EXPECT_LT(find_check(odd, "error_max", "u").value, 1e-10);
}

// In three dimensions between walls, on subdomains from wall to wall: exact by its forces, polynomials of
// degree four across.
constexpr const char* kChannelInThreeDimensions = R"yaml(
domain: {t: [0, 0.5], x: {range: [0, 2*pi], basis: fourier}, z: {range: [0, 2*pi], basis: fourier}, y: [-1, 1]}
constants: {nu: 0.1}
definitions:
  U: "exp(-t)*cos(x)*cos(z)*dy((1 - y^2)^2)"
  V: "exp(-t)*sin(x)*cos(z)*(1 - y^2)^2"
  P: "exp(-t)*sin(x)*y"
unknowns: [u, v, w, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) + w*dz(u) = -dx(p) + nu*lap(u) + dt(U) + U*dx(U) + V*dy(U) + dx(P) - nu*lap(U)"
  - "dt(v) + u*dx(v) + v*dy(v) + w*dz(v) = -dy(p) + nu*lap(v) + dt(V) + U*dx(V) + V*dy(V) + dy(P) - nu*lap(V)"
  - "dt(w) + u*dx(w) + v*dy(w) + w*dz(w) = -dz(p) + nu*lap(w)"
  - "dx(u) + dy(v) + dz(w) = 0"
initial: {u: "cos(x)*cos(z)*dy((1 - y^2)^2)", v: "sin(x)*cos(z)*(1 - y^2)^2", w: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "w(y=-1) = 0", "w(y=1) = 0"]
exact: {u: "U", v: "V", w: "0", p: "P"}
resolution: {degree: {t: 8, x: 2, z: 2, y: 7}, domains: {y: [-1, 0.2, 1]}}
verification: {tolerance: 1.0e-8}
)yaml";

TEST(IncompressibleFlow, ChannelInThreeDimensionsOnSubdomains) {
  const RunOutcome outcome = run_case(kChannelInThreeDimensions);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  test::expect_holds(outcome.report.linear_solver, "wavenumber by wavenumber");
  for (const char* velocity : {"u", "v", "w"})
    EXPECT_LT(find_check(outcome, "error_max", velocity).value, 1e-9) << velocity;
  EXPECT_LT(find_check(outcome, "error_max", "p less its mean").value, 1e-7);

  // The terms of w's equation are errors of the others, 1e-9, and its residual is no smaller. A wrong velocity and a
  // wrong force of 1e-6 are found.
  const auto residual_of_w = [](const std::string& yaml, const Solution& solution) {
    const Case the_case = read_case_text(yaml, "test.yaml");
    const Check check = verify(the_case, build_model(the_case), solution).checks[2];
    EXPECT_EQ(check.kind, "residual");
    EXPECT_TRUE(check.judged);
    return check.value / check.tolerance;
  };
  EXPECT_LT(residual_of_w(kChannelInThreeDimensions, outcome.solution), 0.5);
  EXPECT_GT(
      residual_of_w(replaced(kChannelInThreeDimensions, "nu*lap(w)", "nu*lap(w) + 1.0e-6*sin(x)"), outcome.solution),
      10.0);
  Solution wrong = outcome.solution;
  wrong.fields[2].windows[0].data[2] += 1e-6;
  EXPECT_GT(residual_of_w(kChannelInThreeDimensions, wrong), 10.0);
}

// The same Jacobian by the dense solver: the answers agree to the tolerance of the iteration.
TEST(IncompressibleFlow, DenseAndWavenumberAgree) {
  const std::string coarse = replaced(kWallsThatMove, "{t: 6, x: 4, y: 12}, domains: {t: 4}", "{t: 3, x: 2, y: 8}");
  const auto with = [&](const std::string& solver) {
    return run_case(coarse + "solver: {newton: {tolerance: 1.0e-11}, linear: " + solver + "}\n");
  };
  const RunOutcome dense = with("dense"), iterated = with("wavenumber"), averaged = with("averaged");
  for (std::size_t f = 0; f < 3; ++f)
    for (std::size_t k = 0; k < dense.solution.fields[f].windows[0].data.size(); ++k) {
      const double value = dense.solution.fields[f].windows[0].data[k];
      EXPECT_NEAR(iterated.solution.fields[f].windows[0].data[k], value, 1e-10);
      EXPECT_NEAR(averaged.solution.fields[f].windows[0].data[k], value, 1e-10);
    }
}

// Radau's order at the end for u and p with K nodes, walls that move: at least K for u (2 K - 2 was seen), K - 1 for p.
TEST(IncompressibleFlow, OrderInTime) {
  const auto errors = [](int windows) {
    const RunOutcome outcome =
        run_case(replaced(replaced(kWallsThatMove, "{t: 6, x: 4, y: 12}, domains: {t: 4}",
                                   "{t: 3, x: 4, y: 14}, domains: {t: " + std::to_string(windows) + "}"),
                          "nu: 0.1", "nu: 1"));
    const auto at_end = [&](const std::string& what) {
      return std::abs(test::value_at(outcome.solution, what, {{"t", 0.5}, {"x", 0.7}, {"y", 0.4}}));
    };
    return std::pair(at_end("u - cos(x)*sin(y)*exp(-2*t)"), at_end("dx(p) - sin(2*x)/2*exp(-4*t)"));
  };
  const auto [u_coarse, p_coarse] = errors(2);
  const auto [u_fine, p_fine] = errors(4);
  EXPECT_GT(std::log2(u_coarse / u_fine), 3.0);
  EXPECT_GT(std::log2(p_coarse / p_fine), 2.0);
}

// There p is solved for once more, from the velocities: the nodes leave ten times the error (5.9e-4 in its gradient
// with two windows).
TEST(IncompressibleFlow, PressureAtTheEndOfWindows) {
  const auto error = [](int windows) {
    const RunOutcome outcome =
        run_case(replaced(replaced(kWallsThatMove, "{t: 6, x: 4, y: 12}, domains: {t: 4}",
                                   "{t: 3, x: 4, y: 14}, domains: {t: " + std::to_string(windows) + "}"),
                          "nu: 0.1", "nu: 1"));
    double largest = 0.0;
    for (double y : {0.0, 0.4, 1.0})
      largest = std::max(largest, std::abs(test::value_at(outcome.solution, "dx(p) - sin(2*x)/2*exp(-4*t)",
                                                          {{"t", 0.5}, {"x", 0.7}, {"y", y}})));
    return largest;
  };
  const double coarse = error(2), fine = error(4);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_GT(std::log2(coarse / fine), 3.0);
}

// A decaying flow through a box that is left where the pressure alone is given, with the tangential velocity or its
// slope: by block LU factors, to the exact solution, pressure with its mean. data: through the estimate of the run.
TEST(IncompressibleFlow, PressureGivenAtAnOutlet) {
  const std::string box = R"yaml(
domain: {t: [0, 0.5], x: [0, 1.5], y: [0, 1]}
constants: {nu: 0.1}
)yaml" + test::flow_equations("nu*") +
                          R"yaml(
initial: {u: "cos(x)*sin(y)", v: "-sin(x)*cos(y)"}
boundary:
  - "u(x=0) = sin(y)*exp(-2*nu*t)"
  - "p(x=1.5) = -(cos(3) + cos(2*y))/4*exp(-4*nu*t)"
  - "v(x=0) = 0"
  - "v(x=1.5) = -sin(1.5)*cos(y)*exp(-2*nu*t)"
  - "u(y=0) = 0"
  - "u(y=1) = cos(x)*sin(1)*exp(-2*nu*t)"
  - "v(y=0) = -sin(x)*exp(-2*nu*t)"
  - "v(y=1) = -sin(x)*cos(1)*exp(-2*nu*t)"
exact:
  u: "cos(x)*sin(y)*exp(-2*nu*t)"
  v: "-sin(x)*cos(y)*exp(-2*nu*t)"
  p: "-(cos(2*x) + cos(2*y))/4*exp(-4*nu*t)"
resolution: {degree: {t: 6, x: 12, y: 11}, domains: {t: 4}}
)yaml";
  for (const std::string& yaml :
       {box, replaced(box, "v(x=1.5) = -sin(1.5)*cos(y)*exp(-2*nu*t)", "dx(v)(x=1.5) = -cos(1.5)*cos(y)*exp(-2*nu*t)"),
        replaced(box, "p(x=1.5) = -(cos(3) + cos(2*y))/4*exp(-4*nu*t)",
                 "-3*p(x=1.5) = 3*(cos(3) + cos(2*y))/4*exp(-4*nu*t)")}) {
    const RunOutcome outcome = run_case(yaml);
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    test::expect_holds(outcome.report.linear_solver, "block LU");
    EXPECT_LT(find_check(outcome, "error_max", "u").value, 1e-9);
    EXPECT_LT(find_check(outcome, "error_max", "p").value, 1e-7);
  }
}

// What make_problem says of a case that it refuses; empty if it takes it.
std::string message_of(const std::string& yaml) {
  try {
    (void)make_problem(read_case_text(yaml, "test.yaml"));
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

// Through walls along y, at a time that is not the first: refused. A source in the constraint may make up for it.
TEST(IncompressibleFlow, NetFluxIsRefused) {
  const std::string flux =
      replaced(kWallsThatMove, "v(y=0) = -sin(x)*exp(-2*nu*t)", "v(y=0) = -sin(x)*exp(-2*nu*t) + 0.01*t");
  test::expect_holds(message_of(flux), "net flux -0.0314 through the boundary contradicts equation 3");
  EXPECT_EQ(message_of(replaced(flux, "dx(u) + dy(v) = 0", "dx(u) + dy(v) = -0.01*t")), "");
  const std::string box = replaced(kovasznay(8), "u(x=1) = 1 - exp(a)*cos(2*pi*y)", "u(x=1) = 1.1");
  test::expect_holds(message_of(box), "net flux 0.2 through the boundary contradicts equation 3");
  EXPECT_EQ(message_of(kovasznay(8)), "");
  EXPECT_EQ(message_of(replaced(box, "u(x=1) = 1.1", "-p(x=1) + dx(u)(x=1)/Re = 0")), "");
}

// A flow whose pressure is zero: nothing but rounding is there to converge in it.
TEST(IncompressibleFlow, PressureThatIsZero) {
  for (const char* degree : {"6", "12"}) {
    const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u, v, p]
equations: ["-lap(u) + dx(p) = 0", "-lap(v) + dy(p) = 0", "dx(u) + dy(v) = 0.5"]
boundary: ["u(x=0) = 0", "u(x=1) = 0.5", "u(y=0) = 0.5*x", "u(y=1) = 0.5*x",
           "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
exact: {u: "x/2", v: "0", p: "0"}
resolution: {degree: {x: )yaml" + std::string(degree) +
                                        ", y: " + degree + "}}\n");
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  }
}

// v and p are zero, and round-off of theirs at the walls is no fault.
TEST(IncompressibleFlow, FlowAlongWallsThatOscillates) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: {range: [0, 1], basis: fourier}, y: [-1, 1]}
unknowns: [u, v, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + lap(u)/5 + sin(2*t)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + lap(v)/5"
  - "dx(u) + dy(v) = 0"
initial: {u: "0", v: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
resolution: {tolerance: 1.0e-6}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

TEST(IncompressibleFlow, InitialValuesWithADivergenceAreRefused) {
  const auto with = [](const std::string& v) {
    return replaced(kTaylorGreen, "v: \"-sin(x)*cos(y)\"}", "v: \"" + v + "\"}");
  };
  test::expect_holds(message_of(with("-1.01*sin(x)*cos(y)")), "the initial values contradict this constraint by 0.005");
  EXPECT_EQ(message_of(with("-(1 + 1e-9)*sin(x)*cos(y)")), "");
}

// Those with a small divergence are projected, and it is said: without that p would be 1e-7/h, 1e-3 in these windows.
TEST(IncompressibleFlow, InitialValuesWithASmallDivergenceAreProjected) {
  const RunOutcome outcome =
      run_case(replaced(replaced(kTaylorGreen, "v: \"-sin(x)*cos(y)\"}", "v: \"-(1 + 1e-7)*sin(x)*cos(y)\"}"),
                        "{t: 8}}", "{t: [0, 1.0e-4, 1.0e-3, 1.0e-2, 0.1, 0.5, 1, 1.5, 2]}}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(find_check(outcome, "error_max", "p less its mean").value, 1e-6);
  EXPECT_TRUE(std::any_of(outcome.report.warnings.begin(), outcome.report.warnings.end(), [](const std::string& text) {
    return text.find(
               "the initial values contradict equation 3 by 5e-08 of its terms: the run starts from the nearest") !=
           std::string::npos;
  }));
}

// Windows and degrees by a tolerance, subdomains among them.
TEST(IncompressibleFlow, ConvectionByATolerance) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 0.1], x: {range: [0, 2*pi/3.117], basis: fourier}, y: [0, 1]}
constants: {Ra: 5000, Pr: 1, k: 3.117}
unknowns: [u, v, p, T]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + Pr*lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + Pr*lap(v) + Pr*Ra*T"
  - "dx(u) + dy(v) = 0"
  - "dt(T) + u*dx(T) + v*dy(T) = lap(T)"
initial: {u: "-0.1*2*pi/k*sin(pi*y)*cos(pi*y)*sin(k*x)", v: "0.1*sin(pi*y)^2*cos(k*x)", T: "1 - y"}
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0", "T(y=0) = 1", "T(y=1) = 0"]
resolution: {tolerance: 1.0e-4}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

}  // namespace
}  // namespace gwrm::incompressible_flow_test
