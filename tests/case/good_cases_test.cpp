#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::good_cases_test {
namespace {

using std::numbers::pi;
using testing::kFullCase;
using testing::kLargeCase;
using testing::kShortCase;
using testing::replaced;

std::vector<std::string> names(const Case& c) {
  std::vector<std::string> result;
  for (const AxisCase& axis : c.domain) result.push_back(axis.axis.name);
  return result;
}

TEST(GoodCases, ReadsTheDocumentedExample) {
  const Case c = read_case_text(kFullCase, "dir/burgers.yaml");
  EXPECT_EQ(c.path, "dir/burgers.yaml");
  EXPECT_EQ(c.title, "Viscous Burgers, the viscosity as a third dimension");
  EXPECT_EQ(names(c), (std::vector<std::string>{"t", "nu", "x"}));
  EXPECT_EQ(c.domain[0].axis.kind, AxisKind::time);
  EXPECT_EQ(c.domain[1].axis.kind, AxisKind::parameter);
  EXPECT_EQ(c.domain[1].axis.map, MapKind::log);
  EXPECT_EQ(c.domain[1].axis.lower, 0.02);
  EXPECT_EQ(c.domain[1].axis.upper, 0.2);
  EXPECT_EQ(c.domain[1].degree, 8);
  EXPECT_EQ(c.domain[2].axis.kind, AxisKind::space);
  EXPECT_EQ(c.domain[2].degree, 24);
  EXPECT_EQ(c.domain[0].edges, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(c.domain[2].edges, (std::vector<double>{0, 1}));
  ASSERT_EQ(c.constants.size(), 1u);
  EXPECT_EQ(c.constants[0].value, 0.25);
  ASSERT_EQ(c.unknowns.size(), 1u);
  EXPECT_EQ(c.unknowns[0].dims, (std::vector<std::string>{"t", "nu", "x"}));
  ASSERT_EQ(c.boundary.size(), 2u);
  EXPECT_EQ(c.boundary[1].text, "u(x=1) = 0");
  EXPECT_EQ(c.boundary[1].line, 18);
  ASSERT_EQ(c.output.fields.size(), 2u);
  EXPECT_EQ(c.output.fields[1].name, "slope");
  ASSERT_EQ(c.convergence.vary.size(), 1u);
  EXPECT_EQ(c.convergence.vary[0].sizes, (std::vector<double>{8, 12, 16, 24, 32}));
}

TEST(GoodCases, ExpressionsKnowTheirPlace) {
  const Case c = read_case_text(kFullCase, "burgers.yaml");
  const SourceText& equation = c.equations.at(0);
  EXPECT_EQ(equation.text, "dt(u) = nu*dx(u,2) - u*dx(u)");
  EXPECT_EQ(equation.file, "burgers.yaml");
  EXPECT_EQ(equation.line, 13);
  EXPECT_EQ(equation.column, 5);  // the opening quote
  EXPECT_EQ(equation.line_text, "  - \"dt(u) = nu*dx(u,2) - u*dx(u)\"");
  EXPECT_EQ(c.initial.at(0).key.line, 15);
  EXPECT_EQ(c.initial.at(0).key.column, 3);
  EXPECT_EQ(c.initial.at(0).text.column, 6);
}

TEST(GoodCases, DefaultsOfAShortCase) {
  const Case c = read_case_text(kShortCase, "some/where/heat.case.yaml");
  EXPECT_EQ(c.schema, 1);
  EXPECT_EQ(c.module, "time_spectral");
  EXPECT_EQ(c.title, "");
  EXPECT_EQ(c.time.weighting, Weighting::radau);
  EXPECT_EQ(c.parameters, ParameterMethod::automatic);
  EXPECT_EQ(c.solver.newton.tolerance, 1e-12);
  EXPECT_EQ(c.solver.newton.max_iterations, 30);
  EXPECT_EQ(c.solver.newton.globalisation, GlobalisationChoice::natural);
  EXPECT_EQ(c.solver.linear, LinearSolverChoice::automatic);
  EXPECT_EQ(c.solver.predictor, PredictorChoice::extrapolate);
  EXPECT_EQ(c.solver.product, ProductChoice::automatic);
  EXPECT_EQ(c.solver.memory_gb, 0.0);
  EXPECT_EQ(c.backend, BackendChoice::automatic);
  EXPECT_EQ(c.verification.tolerance, 1e-6);
  EXPECT_EQ(c.verification.tail, 1e-4);
  EXPECT_EQ(c.verification.residual, 1e-3);
  EXPECT_EQ(c.output.file, "heat.case.h5");
  ASSERT_EQ(c.output.grid.size(), 2u);
  EXPECT_EQ(c.output.grid[0].count, 41);
  EXPECT_EQ(c.output.grid[1].count, 101);
  ASSERT_EQ(c.output.fields.size(), 1u);
  EXPECT_EQ(c.output.fields[0].name, "u");
  EXPECT_EQ(c.output.fields[0].text.text, "u");
  EXPECT_TRUE(c.constants.empty() && c.boundary.empty() && c.initial.empty() && c.exact.empty() && c.guess.empty());
  EXPECT_EQ(c.domain[1].axis.upper, pi);
  EXPECT_FALSE(c.resolution.automatic());
  EXPECT_EQ(c.resolution.max_windows, 100000);
  EXPECT_EQ(c.resolution.max_domains, 1024);
  EXPECT_EQ(c.resolution.max_degree, 640);
  EXPECT_EQ(c.resolution.first_window, 0.0);
  EXPECT_EQ(c.resolution.start, 0.0);
  EXPECT_FALSE(c.continuation.active());
  EXPECT_EQ(c.output.statistics, StatisticsChoice::automatic);
  EXPECT_EQ(c.output.coefficients, CoefficientsChoice::all);
}

TEST(GoodCases, EveryKeyOfALargeCase) {
  const Case c = read_case_text(kLargeCase, "large.yaml");
  EXPECT_EQ(c.title, "Quotes \" and # and : and unicode \xCE\xBD\tin a title");
  EXPECT_EQ(names(c), (std::vector<std::string>{"t", "p", "q", "z", "x"}));
  EXPECT_DOUBLE_EQ(c.constants.at(1).value, 2 * pi / 3);
  EXPECT_DOUBLE_EQ(c.domain[4].axis.lower, -2 * pi);
  EXPECT_EQ(c.domain[0].edges, (std::vector<double>{0, 0.1, 1.0 / 3}));
  EXPECT_EQ(c.domain[2].degree, 0);
  EXPECT_EQ(c.unknowns[0].dims, names(c));
  EXPECT_EQ(c.unknowns[1].dims, (std::vector<std::string>{"t", "x"}));
  EXPECT_TRUE(c.unknowns[2].dims.empty());
  EXPECT_EQ(c.unknowns[2].where.line, 16);
  EXPECT_EQ(c.equations[1].text, "dt(v,2) = dx(v,2) + sin(x)\n");
  ASSERT_EQ(c.initial.size(), 3u);
  EXPECT_EQ(c.initial[2].field, "v");
  EXPECT_EQ(c.initial[2].order, 1);
  EXPECT_EQ(c.guess.at(0).text.text, "1.5");
  EXPECT_EQ(c.time.weighting, Weighting::chebyshev);
  EXPECT_EQ(c.parameters, ParameterMethod::coupled);
  EXPECT_DOUBLE_EQ(c.solver.newton.tolerance, 1e-14);
  EXPECT_EQ(c.solver.newton.max_iterations, 7);
  EXPECT_EQ(c.solver.newton.globalisation, GlobalisationChoice::sir);
  EXPECT_EQ(c.solver.linear, LinearSolverChoice::dense);
  EXPECT_EQ(c.solver.product, ProductChoice::transform);
  EXPECT_EQ(c.solver.memory_gb, 1.5);
  EXPECT_EQ(c.backend, BackendChoice::cpu);
  ASSERT_EQ(c.verification.values.size(), 2u);
  EXPECT_EQ(c.verification.values[0].at[0].second, 1.0 / 3);
  EXPECT_DOUBLE_EQ(c.verification.values[0].at[1].second, 2 * pi / 3);
  EXPECT_EQ(c.verification.values[0].value, -0.3);
  EXPECT_TRUE(c.verification.values[1].at.empty());
  ASSERT_EQ(c.output.grid.size(), 5u);
  EXPECT_EQ(c.output.grid[1].points, (std::vector<double>{2}));
  EXPECT_EQ(c.output.grid[1].count, 0);
  EXPECT_EQ(c.output.grid[2].count, 9);   // q: a parameter
  EXPECT_EQ(c.output.grid[3].count, 33);  // z: one of two space dimensions
  EXPECT_EQ(c.output.grid[4].points.front(), c.domain[4].axis.lower);
}

TEST(GoodCases, SymbolsAreInTheProgramsOrder) {
  const expression::Symbols symbols = read_case_text(kLargeCase, "large.yaml").symbols();
  ASSERT_EQ(symbols.axes.size(), 5u);
  EXPECT_EQ(symbols.axes[3].name, "z");
  EXPECT_EQ(symbols.fields.at(1).dims, (std::vector<std::string>{"t", "x"}));
  EXPECT_EQ(symbols.constants.at(2).name, "tiny");
}

TEST(GoodCases, WindowEdgesAreSnappedToTheEnds) {
  const Case c = read_case_text(kShortCase + "  domains: {t: [1e-13, 0.5, 2*(1 + 1e-13)]}\n", "a.yaml");
  EXPECT_EQ(c.domain[0].edges, (std::vector<double>{0, 0.5, 2}));
}

TEST(GoodCases, WindowsOfALogAxisAreEqualInTheLogarithm) {
  const std::string text = replaced(kShortCase, "[0, 2]", "{range: [1, 100], map: log}") + "  domains: {t: 2}\n";
  const Case c = read_case_text(text, "a.yaml");
  ASSERT_EQ(c.domain[0].edges.size(), 3u);
  EXPECT_NEAR(c.domain[0].edges[1], 10.0, 1e-13);  // rounding of one pow
}

TEST(GoodCases, SpaceIsDividedAsTimeIs) {
  const Case equal = read_case_text(kShortCase + "  domains: {x: 4}\n", "a.yaml");
  EXPECT_EQ(equal.domain[1].edges, (std::vector<double>{0, pi / 4, pi / 2, 0.75 * pi, pi}));  // exact: powers of 2
  const Case listed = read_case_text(kShortCase + "  domains: {x: [0, pi/3, 3, pi]}\n", "a.yaml");
  EXPECT_EQ(listed.domain[1].edges, (std::vector<double>{0, pi / 3, 3, pi}));
  EXPECT_EQ(listed.domain[0].edges, (std::vector<double>{0, 2}));
  EXPECT_EQ(listed.domain[1].degree, 12);
}

TEST(GoodCases, WordsOfTheSolverAndTheOutput) {
  const auto with = [](const std::string& key, const std::string& word) {
    return read_case_text(kShortCase, "a.yaml", {{key, word}});
  };
  EXPECT_EQ(with("solver.newton.globalisation", "anderson").solver.newton.globalisation, GlobalisationChoice::anderson);
  EXPECT_EQ(with("solver.linear", "averaged").solver.linear, LinearSolverChoice::averaged);
  EXPECT_EQ(with("solver.linear", "banded").solver.linear, LinearSolverChoice::banded);
  EXPECT_EQ(with("solver.linear", "sparse").solver.linear, LinearSolverChoice::sparse);
  EXPECT_EQ(with("solver.linear", "tensor").solver.linear, LinearSolverChoice::tensor);
  EXPECT_EQ(with("solver.predictor", "constant").solver.predictor, PredictorChoice::constant);
  EXPECT_EQ(with("output.statistics", "none").output.statistics, StatisticsChoice::none);
  EXPECT_EQ(with("output.coefficients", "none").output.coefficients, CoefficientsChoice::none);
}

TEST(GoodCases, InitialValuesMayNameAParameter) {
  const std::string text = replaced(kShortCase, "  x: [0, pi]\n", "  x: [0, pi]\n  a: [0.5, 1.5]\n");
  const Case c = read_case_text(replaced(text, "x: 12", "x: 12, a: 4") + "initial: {u: \"a*sin(x)\"}\n", "a.yaml");
  EXPECT_EQ(c.initial.at(0).text.text, "a*sin(x)");
  EXPECT_EQ(c.symbols().axes.at(1).kind, AxisKind::parameter);
}

TEST(GoodCases, WindowsLineEndsAndByteOrderMark) {
  std::string text = "\xEF\xBB\xBF";
  for (char ch : kShortCase) text += ch == '\n' ? std::string("\r\n") : std::string(1, ch);
  const Case c = read_case_text(text, "a.yaml");
  EXPECT_EQ(c.equations[0].line_text, "  - \"dt(u) = dx(u,2)\"");
  EXPECT_EQ(c.equations[0].line, 6);
}

TEST(GoodCases, ReadsAFile) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "gwrm_case_reader_test.yaml";
  std::ofstream(path) << kShortCase;
  const Case c = read_case(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(c.path, path.string());
  EXPECT_EQ(c.output.file, "gwrm_case_reader_test.h5");
}

// Every case the program comes with, whatever is added to the folder.
TEST(GoodCases, ReadsTheInputs) {
  int n_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GWRM_SOURCE_DIR "/inputs")) {
    if (entry.path().extension() != ".yaml") continue;
    ++n_files;
    EXPECT_NO_THROW(read_case(entry.path().string())) << entry.path();
  }
  EXPECT_GT(n_files, 0);
}

TEST(GoodCases, ThousandsOfUnknownsAreReadInTimeThatGrowsWithThem) {
  constexpr int n = 5000;
  std::string unknowns, equations, initial;
  for (int i = 0; i < n; ++i) {
    unknowns += fmt::format("{}u{}", i > 0 ? ", " : "", i);
    equations += fmt::format("  - \"dt(u{}) = -u{}\"\n", i, (i + 1) % n);
    initial += fmt::format("  u{}: \"1\"\n", i);
  }
  const std::string text = "schema: 1\ndomain: {t: [0, 1]}\nunknowns: [" + unknowns + "]\nequations:\n" + equations +
                           "initial:\n" + initial + "resolution: {degree: {t: 8}}\n";
  const std::clock_t began = std::clock();
  const Case the_case = read_case_text(text, "large.yaml");
  EXPECT_LT(static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, 2.0);
  ASSERT_EQ(the_case.unknowns.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(the_case.initial.back().field, "u4999");
  // The list of names is one line of 39 kB: each of them keeping a copy took 200 MB.
  EXPECT_LT(the_case.unknowns.back().where.line_text.size(), 3000u);
}

}  // namespace
}  // namespace gwrm::good_cases_test
