// Windows solved with J v on fewer points than the residual: the answer is that of the residual.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/time_spectral/window.hpp"
#include "weighted_residual/support_case.hpp"

namespace gwrm::fewer_points_test {
namespace {

struct Solved {
  Model model;
  SystemPlan plan;
  Context context = Context::create(BackendChoice::cpu, 1);
  Window window;
  NewtonResult result;

  explicit Solved(const std::string& yaml)
      : model(build_model(test::case_of(yaml))),
        plan(model),
        window(context, model, plan, model.subdomains, std::vector<double>(model.axes.size(), 0.0), 0.0, 0.2,
               initial_state(
                   context, model,
                   Discretisation(model, model.subdomains, std::vector<double>(model.axes.size(), 0.0), 0.0, 0.2))) {
    window.change_x() = constant_start(window.system);
  }
  void solve(LinearMethod method, double tolerance) {
    NewtonOptions options;
    options.tolerance = tolerance;
    SolverMemory memory;
    result = solve_window(window, method, options, memory, {});
  }
};

std::string plane(const std::string& basis, const std::string& rest) {
  return "schema: 1\ndomain: {t: [0, 0.2], x: {range: [0, 2*pi]" + basis + "}, y: {range: [0, 2*pi]" + basis + "}}\n" +
         rest;
}

const std::string kFlow = R"yaml(unknowns: [u, v]
equations:
  - "dt(u) = 0.2*lap(u) - u*dx(u) - v*dy(u) + 0.1*u^2*v"
  - "dt(v) = 0.2*lap(v) - u*dx(v) - v*dy(v)"
initial: {u: "cos(2*x) + sin(y)", v: "cos(x) - sin(2*y)"}
resolution: {degree: {t: 4, x: 5, y: 4}}
)yaml";

// 4 M + 1 points for three factors, 5/2 M + 1 for J v. The correction that ends the iteration is below 1e-10, and the
// next one smaller by GMRES's tolerance and by aliasing; the residual, formed on all points, is of its size times that
// of the operators, at most 1 + (h/2) 0.2 |k|^2 = 4 in weights of 1.
TEST(FewerPoints, TheResidualVanishesOnAllPoints) {
  Solved s(plane(", basis: fourier", kFlow));
  WindowSystem& fewer = s.window.on_fewer_points();
  ASSERT_NE(&fewer, &s.window.system);
  for (const auto& [axis, degree] : {std::pair(1, 4), std::pair(2, 5)}) {  // t, y, x
    EXPECT_EQ(s.window.discretisation.n_points(axis), 4 * degree + 1);
    EXPECT_EQ(fewer.discretisation().n_points(axis), (5 * degree + 1) / 2 + 1);
  }
  EXPECT_EQ(fewer.size(), s.window.system.size());
  s.solve(LinearMethod::wavenumber, 1e-10);
  ASSERT_TRUE(succeeded(s.result.status)) << s.result.detail;
  std::vector<double> f(s.window.x().size());
  s.window.system.residual(s.window.x(), f);
  for (double value : f) ASSERT_LE(std::abs(value), 1e-9);
  // The two systems differ: on fewer points the answer would be another.
  fewer.residual(s.window.x(), f);
  double largest = 0.0;
  for (double value : f) largest = std::max(largest, std::abs(value));
  EXPECT_GT(largest, 1e-7);
}

TEST(FewerPoints, AreLeftAloneWhereTheyDoNotPay) {
  Solved linear(plane(", basis: fourier",
                      "unknowns: [u]\nequations: [\"dt(u) = lap(u) + cos(x)*dx(u)\"]\ninitial: {u: \"sin(x)\"}\n"
                      "resolution: {degree: {t: 3, x: 4, y: 3}}\n"));
  EXPECT_EQ(&linear.window.on_fewer_points(), &linear.window.system);
  Solved line(
      "schema: 1\ndomain: {t: [0, 0.2], x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
      "equations: [\"dt(u) = dx(u,2) - u*dx(u)\"]\ninitial: {u: \"sin(x)\"}\n"
      "resolution: {degree: {t: 3, x: 4}}\n");
  EXPECT_EQ(&line.window.on_fewer_points(), &line.window.system);
}

}  // namespace
}  // namespace gwrm::fewer_points_test
