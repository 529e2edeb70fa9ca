// The verification of solutions in subdomains, made by hand: an exact one passes, and one wrong coefficient is found
// wherever it is.
#include "problems/time_spectral/verification.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "basis/axis_map.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"
#include "problems/registry.hpp"

namespace gwrm::verification_subdomains_test {
namespace {

const std::string kHeat = R"yaml(
domain: {t: [0, 1], x: [0, 2]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "cos(x)"}
boundary: ["u(x=0) = exp(-t)", "u(x=2) = exp(-t)*cos(2)"]
exact: {u: "exp(-t)*cos(x)"}
resolution: {degree: {t: 10, x: 10}, domains: {t: 3}}
)yaml";

// exp(-t) cos(x) interpolated at the Gauss points of every window and subdomain.
Solution heat_solution(const Model& model) {
  Solution s;
  s.axes = model.axes;
  s.window_edges = {0.0, 0.25, 0.5, 1.0};
  s.subdomains = {{{10, {0.0, 0.25}}, {10, {0.0, 0.25, 1.0, 2.0}}},
                  {{9, {0.25, 0.5}}, {10, {0.0, 0.25, 1.0, 2.0}}},
                  {{11, {0.5, 1.0}}, {14, {0.0, 2.0}}}};
  FieldSolution u{"u", {0, 1}, {}};
  const auto series = [](const AxisDescription& subdomains, Index p, double (*f)(double)) {
    const Index n = subdomains.degree + 1;
    const auto subdomain = static_cast<std::size_t>(p);
    const Vector z =
        AxisMap(subdomains.edges[subdomain], subdomains.edges[subdomain + 1]).from_reference(gauss_points(n));
    return Vector(coefficients_from_values(n - 1, n) * z.unaryExpr(f));
  };
  for (const auto& window : s.subdomains) {
    Array a({window[0].n_coefficients(), window[1].n_coefficients()});
    const Vector in_t = series(window[0], 0, [](double t) { return std::exp(-t); });
    for (Index p = 0; p < window[1].n_subdomains(); ++p) {
      const Vector in_x = series(window[1], p, [](double x) { return std::cos(x); });
      for (Index i = 0; i < in_t.size(); ++i)
        for (Index k = 0; k < in_x.size(); ++k)
          a.data[static_cast<std::size_t>(i * a.shape[1] + p * in_x.size() + k)] = in_t(i) * in_x(k);
    }
    u.windows.push_back(a);
  }
  s.fields = {u};
  return s;
}

class SubdomainsVerification : public ::testing::Test {
 protected:
  const Case the_case = read_case_text(kHeat, "test.yaml");
  const Model model = build_model(the_case);
  Solution solution = heat_solution(model);

  double check(const std::string& kind, const std::string& fragment = "") const {
    const Verification verification = verify(the_case, model, solution);
    for (const Check& c : verification.checks)
      if (c.kind == kind && c.subject.find(fragment) != std::string::npos) return c.value;
    ADD_FAILURE() << "no check " << kind << " " << fragment;
    return 0.0;
  }
  double& coefficient(std::size_t window, Index i, Index k) {
    Array& a = solution.fields[0].windows[window];
    return a.data[static_cast<std::size_t>(i * a.shape[1] + k)];
  }
};

// Interpolation errors are below 1e-12; second derivatives lose (K^2 / length)^2.
TEST_F(SubdomainsVerification, OfTheExactSolution) {
  EXPECT_LE(check("residual"), 1e-9);
  EXPECT_LE(check("error_max"), 1e-11);
  EXPECT_LE(check("error_l2"), 1e-11);
  EXPECT_LE(check("initial"), 1e-11);
  EXPECT_LE(check("boundary", "x=2"), 1e-11);
  EXPECT_LE(check("tail", "along t"), 1e-9);
  EXPECT_LE(check("tail", "along x"), 1e-9);
}

// The second subdomain of the second window is too high by 0.01. Largest magnitude 1; squares integrated:
// 0.01^2 * 0.25 * 0.75 against int exp(-2t) dt int cos^2 x dx.
TEST_F(SubdomainsVerification, AWrongSubdomainIsFoundInBothNorms) {
  coefficient(1, 0, 11) += 0.01;
  const double exact = (1 - std::exp(-2.0)) / 2 * (1 + std::sin(4.0) / 4);
  EXPECT_NEAR(check("error_max"), 0.01,
              1e-4);  // the largest |u| is missed by the first point's distance from t = x = 0
  EXPECT_NEAR(check("error_l2"), 0.01 * std::sqrt(0.25 * 0.75 / exact), 1e-10);
  EXPECT_LE(check("residual"), 1e-9);  // a constant solves the equation
  EXPECT_LE(check("initial"), 1e-11);
}

// u too steep in t by e T_1 in the second window, a quarter of the time: the residual there is 8 e everywhere in x. In
// the mean over time that is 2 e (in the root mean square it would be 4 e), against |u_t| + |u_xx| = 2 exp(-t) |cos x|.
TEST_F(SubdomainsVerification, AResidualCountsForAsLongAsItLasts) {
  constexpr double e = 1e-6;
  for (const Index first : {0, 11, 22}) coefficient(1, 1, first) += e;
  const double size = 2 * (1 - std::exp(-1.0)) * std::sqrt((1 + std::sin(4.0) / 4) / 2);
  EXPECT_NEAR(check("residual") / (2 * e / size), 1.0, 1e-4);  // the error's own share in |u_t| is of order e
}

// The last coefficient of one subdomain, T_10 in x, of one window.
TEST_F(SubdomainsVerification, ATailOfOneSubdomainIsFound) {
  coefficient(1, 0, 21) = 1e-3;
  const double tail = check("tail", "along x");
  EXPECT_GT(tail, 1e-3 / 1.1);  // the field's largest coefficient is below that of cos(x), at most 1.1
  EXPECT_LE(check("tail", "along t"), 1e-9);
  EXPECT_GT(check("residual"), 1e-2);
}

TEST_F(SubdomainsVerification, TheStartAndTheEndsAreThoseOfTheirSubdomains) {
  coefficient(0, 0, 22) += 0.01;  // the last subdomain of the first window
  EXPECT_NEAR(check("initial"), 0.01, 1e-4);
  EXPECT_NEAR(check("boundary", "x=2"), 0.01, 1e-3);
  EXPECT_LE(check("boundary", "x=0"), 1e-11);
}

}  // namespace
}  // namespace gwrm::verification_subdomains_test
