// problem: sbp_sat_poisson from the case file to the result: errors and orders of convergence, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "output/hdf5_file.hpp"
#include "run_case.hpp"

namespace gwrm::sbp_sat_poisson_test {
namespace {

using namespace test;

std::string case_text(const std::string& section, const std::string& boundary, const std::string& exact,
                      const std::string& domain = "{x: [0, 1], y: [0, 1]}") {
  return "problem: sbp_sat_poisson\ndomain: " + domain + "\nunknowns: [u]\nsbp_sat: {" + section + "}\nboundary: [" +
         boundary + "]\nexact: {u: \"" + exact + "\"}\nverification: {tolerance: 1}\n";
}

std::string paper_case(const std::string& numbers) {
  return case_text("tau: 13, source: \"2*pi^2*sin(pi*(x + y))\", " + numbers,
                   "\"u(x=0) = sin(pi*y)\", \"u(x=1) = -sin(pi*y)\", \"dy(u)(y=0) = pi*cos(pi*x)\", "
                   "\"dy(u)(y=1) = -pi*cos(pi*x)\"",
                   "sin(pi*(x + y))");
}

double error_of(const std::string& yaml) {
  const RunOutcome outcome = run_case(yaml);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.status << " " << outcome.report.reason;
  return find_check(outcome, "error_h").value;
}

// Table 1 of the paper, as an exact solution of the discrete problem has it.
TEST(SbpSatPoisson, ErrorsOfThePaper) {
  for (const auto& [n, error] : {std::pair{64, 1.078700281e-04}, {128, 2.696196037e-05}, {256, 6.740166176e-06}})
    EXPECT_NEAR(error_of(paper_case("intervals: " + std::to_string(n))), error, 5e-9 * error) << n;
  EXPECT_NEAR(error_of(paper_case("order: 4, intervals: 64")), 1.094838302e-07, 1e-6 * 1.1e-07);
  EXPECT_NEAR(error_of(paper_case("order: 6, intervals: 64")), 5.846949197e-09, 1e-3 * 5.8e-09);
}

TEST(SbpSatPoisson, EverySolverGivesTheSame) {
  const double expected = error_of(paper_case("intervals: 32"));
  for (const char* choice : {"solver: multigrid_cg", "solver: jacobi_cg", "solver: cg", "solver: cg, operator: csr",
                             "solver: jacobi_cg, operator: ell", "solver: multigrid_cg, operator: csr",
                             "solver: jacobi_cg, reduction: single", "solver: fast_diagonalisation"})
    EXPECT_NEAR(error_of(paper_case(std::string("intervals: 32, ") + choice)), expected, 1e-8 * expected) << choice;
}

TEST(SbpSatPoisson, EndsByTheErrorBound) {
  const RunOutcome outcome = run_case(paper_case("intervals: 64, solver: cg, algebraic_error: 1.0e-6"));
  EXPECT_EQ(outcome.status, ExitStatus::converged);
  EXPECT_LE(outcome.report.newton.back().correction, 1e-6);
  EXPECT_GT(outcome.report.newton[outcome.report.newton.size() - 2].correction, 1e-6);
  // The bound holds: what is left beside the discretisation's own error is smaller.
  EXPECT_NEAR(find_check(outcome, "error_h").value, 1.078700281e-04, 1e-6);
}

double order_between(const std::function<std::string(int)>& yaml, int n) {
  return std::log2(error_of(yaml(n)) / error_of(yaml(2 * n)));
}

// A variable full matrix on a rectangle of different spacing, with every kind of condition.
// Each tolerance ends the iteration of Hestenes and Stiefel that the paper has as Algorithm 1: the counts are those of
// plain conjugate gradients (docs/sbp-sat.md, Table 3: 221 for 1e-10), and a smaller tolerance takes more iterations.
TEST(SbpSatPoisson, KeepsTheTolerance) {
  for (const char* tolerance : {"1", "1e-3"}) {  // of the verification, to which the iteration pays no attention
    int before = 0;
    for (const auto& [stop, expected] :
         {std::pair{"0.5", 1}, {"1e-2", 28}, {"1e-4", 116}, {"1e-6", 163}, {"1e-8", 189}, {"1e-10", 221}}) {
      const RunOutcome outcome =
          run_case(replaced(paper_case(fmt::format("intervals: 64, solver: cg, tolerance: {}", stop)),
                            "verification: {tolerance: 1}", fmt::format("verification: {{tolerance: {}}}", tolerance)));
      const int found = outcome.report.n_linear_iterations;
      EXPECT_NEAR(found, expected, 2) << stop << " " << tolerance;
      EXPECT_GT(found, before) << stop << " " << tolerance;
      EXPECT_LE(find_check(outcome, "system").value, std::stod(stop)) << tolerance;
      EXPECT_EQ(outcome.report.linear_solver.find("correction"), std::string::npos) << stop << " " << tolerance;
      before = found;
    }
  }
}

// With the default tolerance |b|, large by C, hides what the iteration leaves where C is small: a correction, whose
// iterations are shown apart, brings the error down to that of the scheme.
TEST(SbpSatPoisson, CorrectsTheDefaultTolerance) {
  const std::string coefficient = "(1 + (1e9 - 1)*step(x - 0.5))";
  const auto run_with = [&](const std::string& key) {
    return run_case(
        replaced(case_text("order: 6, intervals: 96, blocks: {x: [0, 0.5, 1]}, solver: jacobi_cg, coefficient: \"" +
                               coefficient + "\", source: \"5*pi^2*sin(2*pi*x)*sin(pi*y)\"" + key,
                           "\"u(x=0) = 1\", \"u(x=1) = 1\", \"u(y=0) = 1\", \"u(y=1) = 1\"",
                           "1 + sin(2*pi*x)*sin(pi*y)/" + coefficient),
                 "verification: {tolerance: 1}", "verification: {tolerance: 1e-8}"));
  };
  const RunOutcome corrected = run_with(""), loose = run_with(", tolerance: 1e-11");
  EXPECT_EQ(corrected.status, ExitStatus::converged) << corrected.report.reason;
  expect_holds(corrected.report.linear_solver, "then one correction for rounding of");
  EXPECT_EQ(loose.report.linear_solver.find("correction"), std::string::npos);
  EXPECT_LT(loose.report.n_linear_iterations, corrected.report.n_linear_iterations);
}

TEST(SbpSatPoisson, OrdersWithAFullMatrix) {
  for (const auto& [order, rate] : {std::pair{2, 1.95}, {4, 3.6}, {6, 5.0}}) {
    const auto yaml = [&, p = order](int n) {
      return case_text("order: " + std::to_string(p) + ", intervals: {x: " + std::to_string(n) +
                           ", y: " + std::to_string(n + n / 2) +
                           "}, coefficient: {xx: \"2 + x\", xy: \"0.5*y\", yy: \"1 + x*y\"}, "
                           "source: \"-(cos(x)*exp(y) - (2 + x)*sin(x)*exp(y) + 0.5*y*cos(x)*exp(y) + "
                           "0.5*cos(x)*exp(y) + 0.5*y*cos(x)*exp(y) + x*sin(x)*exp(y) + (1 + x*y)*sin(x)*exp(y))\"",
                       "\"u(x=0) = 0\", \"flux(x=1) + u(x=1) = (3*cos(1) + 0.5*y*sin(1) + sin(1))*exp(y)\", "
                       "\"u(y=0) = sin(x)\", \"flux(y=2) = (cos(x) + (1 + 2*x)*sin(x))*exp(2)\"",
                       "sin(x)*exp(y)", "{x: [0, 1], y: [0, 2]}");
    };
    EXPECT_GT(order_between(yaml, 24), rate) << order;
  }
}

TEST(SbpSatPoisson, OrdersAcrossAJump) {
  for (const auto& [order, rate] : {std::pair{2, 1.9}, {4, 3.9}, {6, 5.2}}) {
    const auto yaml = [p = order](int n) {
      const std::string count = std::to_string(n);
      return case_text("order: " + std::to_string(p) + ", intervals: " + count +
                           ", blocks: {x: [0, 0.5, 1], y: [0, 0.25, 1]}, coefficient: \"1 + 9999*step(x - 0.5)\", "
                           "source: \"5*pi^2*sin(2*pi*x)*sin(pi*y)\"",
                       "\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"",
                       "sin(2*pi*x)*sin(pi*y)/(1 + 9999*step(x - 0.5))");
    };
    EXPECT_GT(order_between(yaml, 24), rate) << order;
  }
}

TEST(SbpSatPoisson, OrdersOnARing) {
  for (const auto& [order, rate] : {std::pair{2, 1.9}, {4, 3.6}, {6, 5.0}}) {
    const auto yaml = [p = order](int n) {
      return case_text("order: " + std::to_string(p) + ", intervals: {r: " + std::to_string(n) + ", s: " +
                           std::to_string(2 * n) + "}, mapping: {x: \"r*cos(s)\", y: \"r*sin(s)\"}, source: \"0\"",
                       "\"u(r=1) = exp(x)*sin(y)\", \"flux(r=2) = exp(x)*(cos(s)*sin(y) + sin(s)*cos(y))\", "
                       "\"u(s=0) = 0\", \"flux(s=pi/2) + u(s=pi/2) = exp(x)*(0 - sin(y)) + exp(x)*sin(y)\"",
                       "exp(x)*sin(y)", "{r: [1, 2], s: [0, pi/2]}");
    };
    EXPECT_GT(order_between(yaml, 20), rate) << order;
  }
}

TEST(SbpSatPoisson, PureNeumann) {
  const std::string sides = "\"dx(u)(x=0) = 0\", \"dx(u)(x=1) = 0\", \"dy(u)(y=0) = 0\", \"dy(u)(y=1) = 0\"";
  const std::string exact = "cos(pi*x)*cos(2*pi*y)";
  for (const char* solver : {"auto", "cg", "jacobi_cg", "multigrid_cg"}) {
    const RunOutcome outcome = run_case(
        case_text("intervals: 48, order: 4, source: \"5*pi^2*cos(pi*x)*cos(2*pi*y)\", solver: " + std::string(solver),
                  sides, exact));
    EXPECT_EQ(outcome.status, ExitStatus::converged) << solver << outcome.report.reason;
    EXPECT_LT(find_check(outcome, "error_max").value, 3e-5) << solver;
  }
  const std::string unbalanced = case_text("intervals: 48, source: \"1 + x\"", sides, "0");
  try {
    run_case(unbalanced);
    FAIL();
  } catch (const CaseError& error) {
    expect_holds(error.what(), "balance");
    expect_holds(error.what(), "test.yaml:4:");
  }
}

// Fluxes on all sides leave the constants in the kernel: what rounding adds of them to the residual is not to be
// preconditioned. Sizes that broke down at 1e-7 of the start; two blocks with a jump of 1000.
TEST(SbpSatPoisson, PureNeumannByMultigrid) {
  const std::string sides = "\"flux(x=0) = 0\", \"flux(x=1) = 0\", \"flux(y=0) = 0\", \"flux(y=1) = 0\"";
  const std::string source = "pi*sin(pi*x)*cos(pi*y) + 2*pi^2*(1+x)*cos(pi*x)*cos(pi*y)";
  for (const auto& [order, intervals] : {std::pair{2, 112}, {2, 176}, {6, 64}, {6, 80}, {6, 20}}) {
    const RunOutcome outcome = run_case(case_text(
        fmt::format("intervals: {}, order: {}, coefficient: \"1+x\", source: \"{}\"", intervals, order, source), sides,
        "cos(pi*x)*cos(pi*y)"));
    EXPECT_EQ(outcome.status, ExitStatus::converged) << order << " " << intervals << " " << outcome.report.reason;
    EXPECT_LE(outcome.report.n_linear_iterations, order == 2 ? 10 : 16) << order << " " << intervals;
    EXPECT_LT(find_check(outcome, "error_max").value, order == 2 ? 5e-4 : 1e-4) << order << " " << intervals;
  }
  for (const auto& [order, intervals] : {std::pair{2, 32}, {2, 128}, {4, 96}, {6, 20}}) {
    const std::string section = fmt::format(
        "intervals: {}, order: {}, blocks: {{x: [0, 0.5, 1]}}, coefficient: \"1+999*step(x-0.5)\", "
        "source: \"cos(2*pi*x) + cos(pi*y)\"",
        intervals, order);
    const RunOutcome outcome = run_case(replaced(case_text(section, sides, "0"), "exact: {u: \"0\"}\n", ""));
    EXPECT_EQ(outcome.status, ExitStatus::converged) << order << " " << intervals << " " << outcome.report.reason;
    EXPECT_LE(outcome.report.n_linear_iterations, 25) << order << " " << intervals;
  }
}

TEST(SbpSatPoisson, TellsWhatIsOutOfBalance) {
  const std::string sides = "\"flux(x=0) = 0\", \"flux(x=1) = 0\", \"flux(y=0) = 0\", \"flux(y=1) = 0\"";
  const auto warnings = [&](const std::string& source) {
    return run_case(case_text("intervals: 16, source: \"" + source + "\"", sides, "0")).report.warnings;
  };
  EXPECT_EQ(warnings("5*pi^2*cos(pi*x)*cos(2*pi*y)").size(), 1u);  // that the mean is set to 0
  const auto told = warnings("x + y - 0.99");
  ASSERT_EQ(told.size(), 2u);
  expect_holds(told.back(), "of the size of the data");
}

// The constant that the solution is determined up to makes no error small.
TEST(SbpSatPoisson, PureNeumannErrorsAreOfWhatVaries) {
  const std::string sides = "\"flux(x=0) = 0\", \"flux(x=1) = 0\", \"flux(y=0) = 0\", \"flux(y=1) = 0\"";
  const RunOutcome outcome =
      run_case(case_text("intervals: 32, source: \"x + y - 1\"", sides, "cos(pi*x)*cos(pi*y) + 1e5"));
  EXPECT_GT(find_check(outcome, "error_max").value, 0.5);
  EXPECT_GT(find_check(outcome, "error_l2").value, 0.5);
}

TEST(SbpSatPoisson, ResultFile) {
  const RunOutcome outcome = run_case(paper_case("intervals: {x: 16, y: 24}, blocks: {y: [0, 0.5, 1]}") +
                                      "output: {fields: {u: u, twice: \"2*u + x\", slope: \"dy(u)\"}}\n");
  ASSERT_EQ(outcome.fields.size(), 3u);
  EXPECT_EQ(outcome.grid[0].size(), 49u);
  EXPECT_EQ(outcome.grid[1].size(), 17u);
  EXPECT_EQ(outcome.grid[0][24], 0.5);
  const std::size_t point = 30 * 17 + 5;
  EXPECT_NEAR(outcome.fields[1].values.data[point], 2 * outcome.fields[0].values.data[point] + 5.0 / 16, 1e-14);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(outcome.fields[2].values.data[point], pi * std::cos(pi * (5.0 / 16 + 30.0 / 48)), 0.02);
  const std::string path = std::filesystem::temp_directory_path() / "gwrm_sbp_sat_test.h5";
  write_hdf5(path, outcome.output_data(), true);
  const StoredRun stored = read_hdf5(path);
  EXPECT_EQ(stored.report.newton.size(), outcome.report.newton.size());
  EXPECT_EQ(stored.solution.axes.size(), 2u);
  EXPECT_TRUE(stored.solution.fields.empty());
  std::remove(path.c_str());
}

TEST(SbpSatPoisson, ResolvedTextReadsBack) {
  const Case once = read_case_text(paper_case("order: 4, intervals: 8, coefficient: {xx: 2, xy: \"x/4\"}"), "test.yaml",
                                   {{"sbp_sat.intervals", "16"}});
  EXPECT_EQ(read_case_text(once.resolved_text, "again.yaml").resolved_text, once.resolved_text);
}

struct Mistake {
  std::string from, to;
  ExitStatus status;
  std::vector<std::string> fragments;
};

TEST(SbpSatPoisson, MistakesAreTold) {
  const std::string good = paper_case("order: 4, intervals: 24, coefficient: \"1 + x\"");
  EXPECT_NO_THROW(make_problem(read_case_text(good, "test.yaml")));
  const std::vector<Mistake> mistakes = {
      {"intervals: 24", "intervals: 10", ExitStatus::usage, {"test.yaml:4:", "10 intervals", "at least 11"}},
      {"24, coefficient: \"1 + x\"", "11, coefficient: {xy: 0.3}", ExitStatus::usage, {"11 intervals", "at least 12"}},
      {"tau: 13", "tau: 3.9", ExitStatus::usage, {"larger than 3.99"}},
      {"1 + x", "x - 0.5", ExitStatus::usage, {"must be positive", "x = 0"}},
      {"1 + x\"", "1\", blocks: {x: [0, 0.7]}", ExitStatus::usage, {"must fill `x` from 0 to 1"}},
      {"1 + x\"", "1\", blocks: {x: [0, 0.7, 0.5, 1]}", ExitStatus::usage, {"must increase"}},
      {"intervals: 24", "intervals: {x: [24, 24], y: 24}", ExitStatus::usage, {"2 numbers of intervals for 1 block"}},
      {"2*pi^2*sin(pi*(x + y))", "sqrt(x - 0.5)", ExitStatus::not_finite, {"the source is", "nan at x = 0"}},
      {"2*pi^2*sin(pi*(x + y))", "u", ExitStatus::usage, {"must not hold `u`"}},
      {"order: 4", "order: 3", ExitStatus::usage, {"2, 4 or 6"}},
      {"\"u(x=0) = sin(pi*y)\", ", "", ExitStatus::usage, {"the side x=0 has no condition"}},
      {"\"u(x=0) = sin(pi*y)\"", "\"u(x=1) = 0\"", ExitStatus::usage, {"has a condition already"}},
      {"\"u(x=0) = sin(pi*y)\"", "\"u(x=0) = u(x=1)\"", ExitStatus::usage, {"periodic"}},
      {"\"u(x=0) = sin(pi*y)\"", "\"u(x=0)^2 = 1\"", ExitStatus::usage, {"linear"}},
      {"\"u(x=0) = sin(pi*y)\"", "\"u(x=0.5) = 1\"", ExitStatus::usage, {"no side of the domain"}},
      {"\"u(x=0) = sin(pi*y)\"", "\"flux(x=0) - u(x=0) = 1\"", ExitStatus::usage, {"kappa = -1", "not be negative"}},
      {"\"u(x=0) = sin(pi*y)\"", "\"dy(u)(x=0) = 1\"", ExitStatus::usage, {"no derivative across the side"}},
      {"order: 4", "order: 4, solver: fast_diagonalisation", ExitStatus::usage, {"choose multigrid_cg"}},
      {"order: 4", "order: 4, mapping: {x: \"x\", y: \"y\"}", ExitStatus::usage, {"is a dimension of the domain"}},
      {"x: [0, 1], y: [0, 1]", "x: [0, 1]", ExitStatus::usage, {"two dimensions"}},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string text = replaced(good, mistake.from, mistake.to);
    try {
      make_problem(read_case_text(text, "test.yaml"));
      ADD_FAILURE() << "accepted: " << mistake.to;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), mistake.status) << error.what();
      for (const std::string& fragment : mistake.fragments) expect_holds(error.what(), fragment);
    }
  }
}

TEST(SbpSatPoisson, DegenerateMapping) {
  const auto with = [](const std::string& mapping) {
    return case_text("intervals: 24, source: \"0\", mapping: {" + mapping + "}",
                     "\"u(r=0) = 0\", \"u(r=1) = 0\", \"u(s=0) = 0\", \"u(s=1) = 0\"", "0", "{r: [0, 1], s: [0, 1]}");
  };
  for (const auto& [mapping, word] :
       {std::pair{"x: \"r*cos(s)\", y: \"r*sin(s)\"", "degenerates"}, {"x: \"(r - 0.4)^2\", y: s", "folds"}}) {
    try {
      make_problem(read_case_text(with(mapping), "test.yaml"));
      ADD_FAILURE() << mapping;
    } catch (const CaseError& error) {
      expect_holds(error.what(), word);
    }
  }
}

TEST(SbpSatPoisson, IntegralsAreRefused) {
  const auto with = [](const std::string& source, const std::string& condition) {
    return case_text("intervals: 24, source: \"" + source + "\"",
                     "\"u(x=0) = " + condition + "\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"", "0");
  };
  EXPECT_NO_THROW(make_problem(read_case_text(with("x*y", "y"), "test.yaml")));
  for (const std::string& text : {with("integral(sin(x), x)*y", "0"), with("0", "integral(sin(y), y)")}) {
    try {
      make_problem(read_case_text(text, "test.yaml"));
      ADD_FAILURE() << text;
    } catch (const CaseError& error) {
      expect_holds(error.what(), "integrals are not computed here");
    }
  }
}

// Before anything of that size is made; the estimate is told all the same.
TEST(SbpSatPoisson, TooMuchMemoryIsRefusedWithAnEstimate) {
  const auto expect_refused = [](const std::string& text, const std::vector<std::string>& fragments) {
    const auto problem = make_problem(read_case_text(text, "test.yaml"));
    try {
      problem->run(Context::create(BackendChoice::cpu, 1), {});
      ADD_FAILURE() << "no error: " << text;
    } catch (const MemoryError& error) {
      for (const std::string& fragment : fragments) expect_holds(error.what(), fragment);
    }
    return problem->summary();
  };
  const std::string largest = paper_case("order: 4, intervals: 1000000");
  const Summary summary = expect_refused(largest, {"1000002000001 unknowns", "take fewer intervals"});
  EXPECT_EQ(summary.n_unknowns, Index{1000001} * 1000001);
  EXPECT_GT(summary.memory_bytes, std::size_t{8} * 1000001 * 1000001);
  expect_refused(replaced(largest, "order: 4", "order: 4, coefficient: \"1 + x\", blocks: {x: [0, 0.5, 1]}"),
                 {"2000004000002 unknowns"});
  EXPECT_THROW(make_problem(read_case_text(replaced(largest, "pi^2", "log(-1)"), "test.yaml")), Error);
  for (const char* intervals : {"256", "2048"}) {
    const std::string text = paper_case(std::string("solver: multigrid_cg, operator: csr, intervals: ") + intervals) +
                             "solver: {memory: 1.0e-3}\n";
    expect_refused(text, {"there are 1.0 MB", "raise solver.memory"});
  }
  expect_refused(paper_case("solver: multigrid_cg, intervals: 256") + "solver: {memory: 7.0e-3}\n",
                 {"sbp_sat.solver: jacobi_cg"});
}

// A large grid has the same outline as the one that is made of it.
TEST(SbpSatPoisson, LargeGridsAreEstimatedWell) {
  for (const char* scheme : {"order: 2", "order: 4, coefficient: \"1 + x*y\""}) {
    const std::string text = paper_case(std::string(scheme) + ", blocks: {x: [0, 0.5, 1]}, intervals: 1024");
    const Summary made = make_problem(read_case_text(text, "test.yaml"))->summary();
    const Summary outlined = make_problem(read_case_text(text + "solver: {memory: 1.0e-3}\n", "test.yaml"))->summary();
    EXPECT_EQ(made.n_unknowns, outlined.n_unknowns);
    EXPECT_EQ(made.memory_bytes, outlined.memory_bytes);
    EXPECT_EQ(made.linear_solver, outlined.linear_solver);
  }
}

TEST(SbpSatPoisson, ChecksOfSidesNameTheirBlock) {
  const RunOutcome outcome =
      run_case(case_text("intervals: 8, blocks: {x: [0, 0.25, 1], y: [0, 0.5, 1]}, source: \"1\"",
                         "\"u(x=0) = 0\", \"flux(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"", "x"));
  for (const char* place : {"u(x=0, y=0 .. 0.5),", "u(x=0, y=0.5 .. 1),", "u(y=0, x=0 .. 0.25),",
                            "u(y=0, x=0.25 .. 1),", "u(y=1, x=0 .. 0.25),", "u(y=1, x=0.25 .. 1),"})
    find_check(outcome, "boundary", place);
  find_check(run_case(case_text("intervals: 8, blocks: {x: [0, 0.25, 1]}, source: \"1\"",
                                "\"u(x=0) = 0\", \"flux(x=1) = 0\", \"flux(y=0) = 0\", \"flux(y=1) = 0\"", "x")),
             "boundary", "u(x=0), imposed weakly");
}

TEST(SbpSatPoisson, SaysWhenTheIterationFails) {
  const RunOutcome stalled = run_case(paper_case("intervals: 32, solver: cg, max_iterations: 5"));
  EXPECT_EQ(stalled.status, ExitStatus::singular);
  expect_holds(stalled.report.reason, "max_iterations (5), or choose solver: multigrid_cg");
  // Multigrid is no advice where it runs already, or cannot.
  for (const char* numbers :
       {"intervals: 32, order: 4, coefficient: \"1 + 9*x\", solver: multigrid_cg, max_iterations: 2",
        "intervals: 301, solver: cg, max_iterations: 2"}) {
    const std::string reason = run_case(paper_case(numbers)).report.reason;
    expect_holds(reason, "max_iterations (2)");
    EXPECT_EQ(reason.find("multigrid_cg"), std::string::npos) << reason;
  }
  EXPECT_FALSE(stalled.complete);
  RunControl control;
  control.interrupted = [] { return true; };
  EXPECT_EQ(run_case(paper_case("intervals: 32, solver: cg"), control).status, ExitStatus::interrupted);
}

}  // namespace
}  // namespace gwrm::sbp_sat_poisson_test
