// The public header, used as a program would.
#include "api/gwrm.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <stdexcept>
#include <thread>

#include "api/stored_range.hpp"
#include "core/blas.hpp"
#include "core/threads.hpp"
#include "kernels/device/thread_team.hpp"
#include "output/hdf5_file.hpp"
#include "problems/registry.hpp"

namespace gwrm::api::api_test {
namespace {

const std::string kHeat = R"yaml(
title: heat
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-nu*pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 10, x: 14}, domains: {t: 2, x: 2}}
output: {grid: {t: 3, x: 5}, fields: {u: u, mass: "integral(u, x)"}}
)yaml";

double exact(double t, double x) {
  return std::exp(-0.1 * std::numbers::pi * std::numbers::pi * t) * std::sin(std::numbers::pi * x);
}

Result solved() {
  return Case::from_text(kHeat, "heat.yaml").run({.threads = 1});
}

template <class Work>
Error error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error";
  return Error(0, "", "", 0, 0, "");
}

TEST(Api, ACaseSaysWhatItIs) {
  const Case heat = Case::from_text(kHeat, "heat.yaml");
  EXPECT_EQ(heat.title(), "heat");
  EXPECT_EQ(heat.output_file(), "heat.h5");
  const Summary summary = heat.check();
  EXPECT_FALSE(summary.lines.empty());
  EXPECT_EQ(summary.system.front().name, "equation 1");
  EXPECT_GT(summary.n_unknowns, 0);
  EXPECT_EQ(Case::from_text(heat.text()).text(), heat.text());
}

TEST(Api, OverridesChangeKeys) {
  const std::string text = Case::from_text(kHeat, "heat", {{"resolution.degree.x", "9"}, {"title", "other"}}).text();
  EXPECT_EQ(Case::from_text(text).title(), "other");
  EXPECT_NE(text.find("9"), std::string::npos);
}

TEST(Api, AMistakeHasItsPlace) {
  const Error error = error_of([] { Case::from_text("domain: {t: [0, 1]}\nunknowns: [u]\nequatons: []\n", "a.yaml"); });
  EXPECT_EQ(error.exit_status(), 2);
  EXPECT_EQ(error.file(), "a.yaml");
  EXPECT_EQ(error.line(), 3);
  EXPECT_EQ(error.column(), 1);
  EXPECT_NE(error.message().find("equatons"), std::string::npos);
  EXPECT_EQ(error.message().find("a.yaml"), std::string::npos);
  EXPECT_NE(std::string(error.what()).find("a.yaml:3:1: error: " + error.message()), std::string::npos);

  EXPECT_EQ(error_of([] { Case::from_text("", "empty.yaml"); }).line(), 1);
  EXPECT_EQ(error_of([] { Case::from_text(kHeat, "heat", {{"resolution.degree.x", "few"}}); }).exit_status(), 2);
  EXPECT_EQ(error_of([] { Case::from_file("there is no such file.yaml"); }).exit_status(), 2);
}

TEST(Api, AnEquationThatDoesNotFitIsFoundByCheckAndRun) {
  const Case wrong = Case::from_text(kHeat, "heat.yaml", {{"boundary", "[\"v(x=0) = 0\", \"u(x=1) = 0\"]"}});
  EXPECT_EQ(error_of([&] { wrong.check(); }).exit_status(), 2);
  EXPECT_NE(error_of([&] { wrong.run(); }).message().find("v"), std::string::npos);
}

TEST(Api, ARunIsVerifiedAndHasItsFields) {
  const Result result = solved();
  EXPECT_EQ(result.exit_status(), 0);
  EXPECT_EQ(result.status(), "converged");
  EXPECT_TRUE(result.complete() && result.verified());
  bool has_error = false;
  for (const Check& check : result.checks()) {
    EXPECT_TRUE(check.ok) << check.kind << " " << check.subject;
    has_error = has_error || (check.kind == "error_max" && check.value > 0.0 && check.value < check.tolerance);
  }
  EXPECT_TRUE(has_error);
  EXPECT_NE(result.report().find("PASS"), std::string::npos);

  ASSERT_EQ(result.axes().size(), 2u);
  EXPECT_EQ(result.axes()[0].kind, "time");
  EXPECT_EQ(result.axes()[1].kind, "space");
  EXPECT_EQ(result.axes()[1].sampled.size(), 5u);
  const Field u = result.field("u");
  EXPECT_EQ(u.dims, (std::vector<std::string>{"t", "x"}));
  EXPECT_EQ(u.shape, (std::vector<std::size_t>{3, 5}));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_NEAR(u.values[5 * i + j], exact(result.axes()[0].sampled[i], result.axes()[1].sampled[j]), 1e-7);
  EXPECT_EQ(result.field("mass").dims, std::vector<std::string>{"t"});
  EXPECT_EQ(result.fields().size(), 2u);
  EXPECT_EQ(error_of([&] { (void)result.field("w"); }).exit_status(), 2);
}

TEST(Api, CoefficientsAreThoseOfTheWindows) {
  const Result result = solved();
  ASSERT_EQ(result.n_windows(), 2u);
  EXPECT_EQ(result.window_edges(), (std::vector<double>{0.0, 0.5, 1.0}));
  EXPECT_EQ(result.subdomains(1)[1].edges, (std::vector<double>{0.0, 0.5, 1.0}));
  const Coefficients u = result.coefficients(1).front();
  EXPECT_EQ(u.unknown, "u");
  EXPECT_EQ(u.shape, (std::vector<std::size_t>{11, 2 * 15}));
  double end = 0.0;  // u(t=1, x=0.5): all T_k and T_l are 1 at the upper ends of the first subdomain in x
  for (std::size_t k = 0; k < 11; ++k)
    for (std::size_t l = 0; l < 15; ++l) end += u.values[30 * k + l];
  EXPECT_NEAR(end, exact(1.0, 0.5), 1e-7);
  EXPECT_THROW((void)result.coefficients(2), Error);
}

TEST(Api, ExpressionsAreEvaluatedAnywhere) {
  const Result result = solved();
  const Values slope = result.evaluate("dx(u)", {{"t", {0.25, 1.0}}, {"x", {0.0}}});
  EXPECT_EQ(slope.shape, (std::vector<std::size_t>{2, 1}));
  EXPECT_NEAR(slope.values[1], std::numbers::pi * std::exp(-0.1 * std::numbers::pi * std::numbers::pi), 1e-5);
  EXPECT_NEAR(result.evaluate("integral(u(t=0), x)", {}).values[0], 2.0 / std::numbers::pi, 1e-8);
  EXPECT_THROW((void)result.evaluate("u", {{"t", {0.5}}}), Error);                // varies along x
  EXPECT_THROW((void)result.evaluate("u", {{"t", {0.5}}, {"x", {1.5}}}), Error);  // outside
  EXPECT_THROW((void)result.evaluate("u", {{"t", {0.5}}, {"x", {}}}), Error);     // nothing
  EXPECT_THROW((void)result.evaluate("u", {{"s", {0.5}}, {"x", {0.5}}}), Error);  // unknown
  EXPECT_EQ(error_of([&] { (void)result.evaluate("u +", {}); }).exit_status(), 2);
}

TEST(Api, AFileIsWrittenOnce) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "gwrm_api_test.h5";
  std::filesystem::remove(path);
  const Result result = solved();
  result.write(path.string());
  EXPECT_EQ(error_of([&] { result.write(path.string()); }).exit_status(), 8);
  result.write(path.string(), true);
  EXPECT_EQ(read_hdf5(path.string()).report.status, "converged");
  std::filesystem::remove(path);
}

TEST(Api, ARunCanBeWatchedAndStopped) {
  double last = -1.0;
  int asked = 0;
  RunOptions options;
  options.threads = 1;
  options.progress = [&](double done, const std::string&) { last = done; };
  options.interrupted = [&] { return ++asked < 0; };
  EXPECT_TRUE(Case::from_text(kHeat).run(options).verified());
  EXPECT_EQ(last, 1.0);
  EXPECT_GT(asked, 0);

  options.interrupted = [&] { return last == 0.5; };  // behind the first window
  last = 0.0;
  const Result half = Case::from_text(kHeat).run(options);
  EXPECT_EQ(half.exit_status(), 130);
  EXPECT_FALSE(half.complete() || half.verified());
  EXPECT_EQ(half.n_windows(), 1u);
  EXPECT_NEAR(half.evaluate("u", {{"t", {0.5}}, {"x", {0.5}}}).values[0], exact(0.5, 0.5), 1e-7);
}

TEST(Api, WhatACallbackThrowsComesOut) {
  RunOptions options;
  options.progress = [](double, const std::string&) { throw std::domain_error("enough"); };
  EXPECT_THROW((void)Case::from_text(kHeat).run(options), std::domain_error);
  options.progress = nullptr;
  options.interrupted = []() -> bool { throw std::domain_error("enough"); };
  EXPECT_THROW((void)Case::from_text(kHeat).run(options), std::domain_error);
}

// `map: log` on t spaces the windows, whose series are polynomials of t: u = (1 + log(1000 t))/t.
TEST(Api, AFileOverLogarithmicTimeIsEvaluated) {
  const std::string text =
      "domain: {t: {range: [0.001, 1000], map: log}}\nunknowns: [u]\nequations: [\"t*dt(u) = -u + 1/t\"]\n"
      "initial: {u: 1000}\nresolution: {tolerance: 1.0e-6}\n";
  const Result result = Case::from_text(text, "decay.yaml").run({.threads = 1});
  EXPECT_NEAR(result.evaluate("u", {{"t", {1.0}}}).values[0], 1.0 + std::log(1000.0), 1e-4);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "gwrm_api_log_test.h5";
  result.write(path.string(), true);
  EXPECT_NO_THROW((void)symbols_of_answer(read_case_text(text, "decay.yaml"), read_hdf5(path.string()).solution));
  std::filesystem::remove(path);
}

TEST(Api, NumbersOfThreadsComeBack) {
  set_loop_threads(3);
  set_blas_threads(2);
  const int blas = blas_threads();
  (void)solved();
  EXPECT_EQ(loop_threads(), 3);
  EXPECT_EQ(blas_threads(), blas);
  set_loop_threads(available_cores());
}

TEST(Api, ThreadsAreAtMostOneForEachCore) {
  int taken = 0;
  RunOptions options;
  options.threads = 1 << 20;
  options.progress = [&](double, const std::string&) { taken = loop_threads(); };
  EXPECT_EQ(Case::from_text(kHeat).run(options).exit_status(), 0);
  EXPECT_EQ(taken, available_cores());
}

TEST(Api, ThreadsOfTheCallerTakeTurns) {
  const Case heat = Case::from_text(kHeat);
  const Result alone = solved();
  const std::span<const double> expected = alone.field("u").values;
  std::atomic<int> same = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const Result result = heat.run({.threads = 1});
      const Field u = result.field("u");
      if (std::equal(u.values.begin(), u.values.end(), expected.begin(), expected.end())) ++same;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, 4);
}

TEST(Api, VectorsAndComplexNumbersAreTakenApart) {
  const Result result = Case::from_text(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [{name: psi, complex: true}, v]
equations: ["dt(psi) = 2*i*psi", "dt(v) = -v"]
initial: {psi: "1", v: "x"}
resolution: {degree: {t: 16, x: 2}}
output: {grid: {t: 2, x: 2}}
)yaml")
                            .run();
  ASSERT_TRUE(result.verified());
  const std::vector<Part> psi = result.parts("psi^2"), v = result.parts("v"), vector = result.parts("[v, psi]");
  ASSERT_EQ(psi.size(), 2u);
  EXPECT_EQ(psi[0].name, "re");
  EXPECT_EQ(psi[1].name, "im");
  const std::map<std::string, std::vector<double>> at{{"t", {0.25}}, {"x", {0.5}}};
  EXPECT_NEAR(result.evaluate(psi[0].expression, at).values[0], std::cos(1.0), 1e-11);
  EXPECT_NEAR(result.evaluate(psi[1].expression, at).values[0], std::sin(1.0), 1e-11);
  ASSERT_EQ(v.size(), 1u);
  EXPECT_EQ(v[0].name, "");
  EXPECT_EQ(v[0].expression, "v");
  ASSERT_EQ(vector.size(), 4u);
  EXPECT_EQ(vector[3].name, "2_im");
  EXPECT_NEAR(result.evaluate(vector[0].expression, at).values[0], 0.5 * std::exp(-0.25), 1e-11);
  EXPECT_NEAR(result.evaluate(vector[3].expression, at).values[0], std::sin(0.5), 1e-11);
  EXPECT_THROW((void)result.parts("psi + nothing"), Error);
}

TEST(Api, AProblemWithoutCoefficientsHasFields) {
  const Result result = Case::from_text(R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: 1024, source: "pi^2*sin(pi*x)"}
output: {grid: {x: 5}, fields: {u: u}}
)yaml")
                            .run();
  EXPECT_EQ(result.n_windows(), 0u);
  EXPECT_FALSE(result.fields().empty());
  EXPECT_THROW((void)result.evaluate("u", {{"x", {0.5}}}), Error);
}

}  // namespace
}  // namespace gwrm::api::api_test
