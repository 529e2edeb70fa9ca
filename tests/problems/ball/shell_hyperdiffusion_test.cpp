// Scalars with hyperdiffusion in a shell against determinants of j_l, y_l, i_l and k_l, and manufactured solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "problems/ball/growth.hpp"
#include "problems/ball/shell_basis.hpp"
#include "problems/ball/shell_functions.hpp"
#include "problems/convergence/manufactured.hpp"
#include "problems/registry.hpp"
#include "shell_oracles.hpp"

namespace gwrm::test::shell_hyperdiffusion_test {
namespace {

using namespace ball;

// i_l(x) = sqrt(pi/(2x)) I_(l+1/2)(x), k_l likewise; i_l' = l/x i_l + i_(l+1), k_l' = l/x k_l - k_(l+1).
Jet modified_jet(bool second_kind, unsigned l, double k, double r) {
  const double x = k * r;
  const auto g = [&](unsigned n) {
    return second_kind ? std::cyl_bessel_k(n + 0.5, x) : std::cyl_bessel_i(n + 0.5, x);
  };
  const double root = std::sqrt(3.14159265358979323846 / (2.0 * x)), value = root * g(l);
  return {value, k * (l / x * value + (second_kind ? -1.0 : 1.0) * root * g(l + 1)), 0.0};
}

// Of u = u' = 0 at 1 and a: a mode of ratio lap - lap lap with the rate ratio alpha^2 + alpha^4, where lap u is
// -alpha^2 u of two of the four functions, (alpha^2 + ratio) u of the others.
double clamped_determinant(unsigned l, double a, double ratio, double alpha) {
  const double beta = std::sqrt(alpha * alpha + ratio);
  Eigen::Matrix4d matrix;
  for (int i = 0; i < 2; ++i) {
    const double r = i == 0 ? 1.0 : a;
    const Jet jets[] = {bessel_jet(false, l, alpha, r), bessel_jet(true, l, alpha, r), modified_jet(false, l, beta, r),
                        modified_jet(true, l, beta, r)};
    for (int j = 0; j < 4; ++j) {
      matrix(2 * i, j) = jets[j].value;
      matrix(2 * i + 1, j) = jets[j].slope;
    }
  }
  for (int j = 0; j < 4; ++j) matrix.col(j) /= matrix.col(j).cwiseAbs().maxCoeff();
  return matrix.determinant();
}

double slowest_rate(unsigned l, double a, double ratio) {
  const double step = 0.05;
  double low = 1.0;
  while (clamped_determinant(l, a, ratio, low) * clamped_determinant(l, a, ratio, low + step) > 0.0) low += step;
  double high = low + step;
  const double at_low = clamped_determinant(l, a, ratio, low);
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2.0;
    (at_low * clamped_determinant(l, a, ratio, middle) <= 0.0 ? high : low) = middle;
  }
  return ratio * low * low + std::pow(low, 4);
}

TEST(ShellHyperdiffusion, RatesAreTheRootsOfTheDeterminants) {
  for (const double a : {0.2, 0.35, 0.8})
    for (const double ratio : {0.0, 40.0})
      for (const unsigned l : {0u, 1u, 4u}) {
        const ShellFunctions functions(a);
        const ShellBasis basis(functions, l, 28,
                               {{1.0, 0.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 1.0}, {1.0, 0.0, 0.0, a}, {0.0, 1.0, 0.0, a}},
                               {false, ratio});
        EXPECT_NEAR(basis.stiffness().front() / slowest_rate(l, a, ratio), 1.0, 1e-10) << a << " " << ratio << " " << l;
      }
}

// In units in which the radius is 2: kappa/R^2 and kappa_4/R^4.
TEST(ShellHyperdiffusion, GrowthRatesAreTheseRates) {
  for (const int l : {0, 2}) {
    const Case the_case = read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  radius: 2
  inner_radius: 0.7
  degree: {{t: 12, r: 20, l: {}, m: 0}}
  fields: {{u: {{diffusivity: 3, hyperdiffusion: 0.8}}}}
initial: {{u: "{}*((2 - r)*(r - 0.7))^2"}}
growth: {{modes: 3, tolerance: 1.0e-9}}
)yaml",
                                                     l, l == 0 ? "1" : "(3*z^2 - r^2)"),
                                         "test.yaml");
    const BallModel model(the_case);
    const GrowthResult found = find_growth(model, BallSpace(model.parts(), model.degrees()), {});
    const double known = -0.8 / 16.0 * slowest_rate(static_cast<unsigned>(l), 0.35, 3.0 / 4.0 * 16.0 / 0.8);
    double nearest = INFINITY;
    for (const GrowthMode& mode : found.modes) nearest = std::min(nearest, std::abs(mode.rate / known - 1.0));
    EXPECT_LE(nearest, 1e-9) << l;
  }
}

// Without terms the residual is taken on points, with a flow by test functions: both know it.
TEST(ShellHyperdiffusion, SourcesAndAllChecksKnowIt) {
  for (const char* const flow : {"", "  flow: {toroidal: {\"1,0\": \"(1 - r)*(r - 0.4)\"}}\n  terms: [advection]\n"}) {
    const Case the_case = manufactured(problem_modules(), read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [1, 1.4]}}
ball:
  inner_radius: 0.4
  degree: {{t: 10, r: 20, l: 8}}
{}  fields: {{u: {{diffusivity: 0.4, hyperdiffusion: 0.02}}}}
exact: {{u: "cos(t)*((1 - r)*(r - 0.4))^2*exp(r*sin(theta)*cos(phi))"}}
output: {{grid: {{t: 3, r: 5, theta: 5, phi: 6}}}}
verification: {{estimate: off, tolerance: 1.0e-6}}
)yaml",
                                                                                     flow),
                                                                         "test.yaml"));
    const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    EXPECT_LE(worst_error(outcome), 1e-7);
    EXPECT_LE(find_check(outcome, "residual").value, 1e-5);
    EXPECT_LE(find_check(outcome, "boundary").value, 1e-12);
  }
}

// Of a decay that four functions of r do not hold.
TEST(ShellHyperdiffusion, TooLowADegreeFails) {
  const auto run = [](int degree) {
    return run_case(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.001]}}
ball:
  inner_radius: 0.4
  degree: {{t: 8, r: {}, l: 1, m: 0}}
  tolerance: 1.0e-7
  fields: {{u: {{hyperdiffusion: 1, diffusivity: 0}}}}
initial: {{u: "((1 - r)*(r - 0.4))^4*exp(3*r)*z"}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
verification: {{tolerance: 1.0e-4}}
)yaml",
                                degree));
  };
  EXPECT_EQ(run(24).status, ExitStatus::converged);
  EXPECT_EQ(run(6).status, ExitStatus::unresolved);
}

// lap of lap E_n by differences of lap E_n.
TEST(ShellHyperdiffusion, TheBilaplacianIsTheLaplacianOfTheLaplacian) {
  const ShellFunctions functions(0.3);
  constexpr Index l = 2, kHighest = 7;
  constexpr double kStep = 1e-4, kAt = 0.57;
  const std::vector<double> radii = {kAt - kStep, kAt, kAt + kStep};
  const RadialTable table = functions.table(l, kHighest, radii);
  for (Index n = 0; n <= kHighest; ++n) {
    const double low = table.laplacian(n, 0), mid = table.laplacian(n, 1), high = table.laplacian(n, 2);
    const double known =
        (high - 2.0 * mid + low) / (kStep * kStep) + (high - low) / (kStep * kAt) - 6.0 * mid / (kAt * kAt);
    EXPECT_NEAR(table.bilaplacian(n, 1), known, 1e-4 * (1.0 + std::abs(known)));
  }
  // <E_j, lap lap E_n> of r^6: (42 - 6) (20 - 6) r^2.
  constexpr Index kSeries = 20;  // rounding grows with its eighth power
  const RadialNodes nodes = functions.nodes(2 * kSeries);
  const Matrix values = functions.table(l, kSeries - 1, nodes.radius).value;
  const auto series = [&](const auto& f) {
    RowVector at(values.cols());
    for (Index i = 0; i < at.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      at(i) = nodes.weight[k] * f(nodes.radius[k]);
    }
    return RowVector(at * values.transpose());
  };
  const RowVector given = series([](double r) { return std::pow(r, 6.0); });
  RowVector result(kSeries);
  functions.bilaplacian(l, kSeries, 1, given.data(), result.data());
  const RowVector known = series([](double r) { return 504.0 * r * r; });
  EXPECT_LE((result - known).norm(), 1e-7 * known.norm());
}

TEST(ShellHyperdiffusion, BadCasesAreRefusedWithTheirPlaceAndCure) {
  const auto refused = [](const std::string& field, const std::string& fragment, int degree = 8) {
    expect_refused_case(ball_case(fmt::format("  inner_radius: 0.35\n  degree: {{t: 4, r: {}, l: 2}}\n  fields: {{u: "
                                              "{}}}\n",
                                              degree, field)),
                        fragment);
  };
  refused("{hyperdiffusion: 1, boundary: value}", "`value` is one: take boundary: clamped");
  refused("{hyperdiffusion: 1, boundary: {outer: clamped, inner: value}}", "in a shell at both walls: take boundary");
  refused("{hyperdiffusion: 1, boundary: {outer: clamped}}", "in a shell at both walls: take boundary");
  refused("{boundary: {outer: value, inner: clamped}}", "give a factor in hyperdiffusion");
  refused("{boundary: clamped}", "give a factor in hyperdiffusion");
  refused("{hyperdiffusion: 1}", "raise r to 4", 3);
  EXPECT_NO_THROW(make_problem(read_case_text(
      ball_case("  inner_radius: 0.35\n  degree: {t: 4, r: 8, l: 2}\n  fields: {u: {hyperdiffusion: 1, boundary: "
                "{outer: clamped, inner: clamped}}}\n"),
      "test.yaml")));
}

}  // namespace
}  // namespace gwrm::test::shell_hyperdiffusion_test
