#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <regex>

#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::resolved_text_test {
namespace {

using testing::kFullCase;
using testing::kLargeCase;
using testing::kShortCase;

std::string text_of(const std::vector<NamedExpression>& list) {
  std::string result;
  for (const NamedExpression& item : list) result += item.name + " = " + item.text.text + ";";
  return result;
}

std::string text_of(const std::vector<SourceText>& list) {
  std::string result;
  for (const SourceText& item : list) result += item.text + ";";
  return result;
}

// Everything but the places in the file and its name, bit by bit.
void expect_equal(const Case& a, const Case& b) {
  EXPECT_EQ(a.schema, b.schema);
  EXPECT_EQ(a.module, b.module);
  EXPECT_EQ(a.title, b.title);
  ASSERT_EQ(a.domain.size(), b.domain.size());
  for (std::size_t i = 0; i < a.domain.size(); ++i) {
    EXPECT_EQ(a.domain[i].axis.name, b.domain[i].axis.name);
    EXPECT_EQ(a.domain[i].axis.kind, b.domain[i].axis.kind);
    EXPECT_EQ(a.domain[i].axis.lower, b.domain[i].axis.lower);
    EXPECT_EQ(a.domain[i].axis.upper, b.domain[i].axis.upper);
    EXPECT_EQ(a.domain[i].axis.map, b.domain[i].axis.map);
    EXPECT_EQ(a.domain[i].degree, b.domain[i].degree);
    EXPECT_EQ(a.domain[i].edges, b.domain[i].edges);
  }
  ASSERT_EQ(a.constants.size(), b.constants.size());
  for (std::size_t i = 0; i < a.constants.size(); ++i) {
    EXPECT_EQ(a.constants[i].name, b.constants[i].name);
    EXPECT_EQ(a.constants[i].value, b.constants[i].value);
  }
  ASSERT_EQ(a.unknowns.size(), b.unknowns.size());
  for (std::size_t i = 0; i < a.unknowns.size(); ++i) {
    EXPECT_EQ(a.unknowns[i].name, b.unknowns[i].name);
    EXPECT_EQ(a.unknowns[i].dims, b.unknowns[i].dims);
  }
  ASSERT_EQ(a.initial.size(), b.initial.size());
  for (std::size_t i = 0; i < a.initial.size(); ++i) {
    EXPECT_EQ(a.initial[i].field, b.initial[i].field);
    EXPECT_EQ(a.initial[i].order, b.initial[i].order);
    EXPECT_EQ(a.initial[i].text.text, b.initial[i].text.text);
  }
  EXPECT_EQ(text_of(a.equations), text_of(b.equations));
  EXPECT_EQ(text_of(a.boundary), text_of(b.boundary));
  EXPECT_EQ(text_of(a.exact), text_of(b.exact));
  EXPECT_EQ(text_of(a.guess), text_of(b.guess));
  EXPECT_EQ(a.time.weighting, b.time.weighting);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.solver.newton.tolerance, b.solver.newton.tolerance);
  EXPECT_EQ(a.solver.newton.max_iterations, b.solver.newton.max_iterations);
  EXPECT_EQ(a.solver.newton.globalisation, b.solver.newton.globalisation);
  EXPECT_EQ(a.solver.linear, b.solver.linear);
  EXPECT_EQ(a.solver.predictor, b.solver.predictor);
  EXPECT_EQ(a.solver.product, b.solver.product);
  EXPECT_EQ(a.solver.memory_gb, b.solver.memory_gb);
  EXPECT_EQ(a.resolution.tolerance, b.resolution.tolerance);
  EXPECT_EQ(a.resolution.max_windows, b.resolution.max_windows);
  EXPECT_EQ(a.resolution.max_domains, b.resolution.max_domains);
  EXPECT_EQ(a.resolution.max_degree, b.resolution.max_degree);
  EXPECT_EQ(a.resolution.first_window, b.resolution.first_window);
  EXPECT_EQ(a.resolution.start, b.resolution.start);
  EXPECT_EQ(a.continuation.parameter, b.continuation.parameter);
  EXPECT_EQ(a.continuation.from, b.continuation.from);
  EXPECT_EQ(a.continuation.to, b.continuation.to);
  EXPECT_EQ(a.continuation.method, b.continuation.method);
  EXPECT_EQ(a.continuation.step, b.continuation.step);
  EXPECT_EQ(a.continuation.max_points, b.continuation.max_points);
  EXPECT_EQ(a.backend, b.backend);
  EXPECT_EQ(a.verification.tolerance, b.verification.tolerance);
  EXPECT_EQ(a.verification.tail, b.verification.tail);
  EXPECT_EQ(a.verification.residual, b.verification.residual);
  ASSERT_EQ(a.verification.values.size(), b.verification.values.size());
  for (std::size_t i = 0; i < a.verification.values.size(); ++i) {
    EXPECT_EQ(a.verification.values[i].expr.text, b.verification.values[i].expr.text);
    EXPECT_EQ(a.verification.values[i].at, b.verification.values[i].at);
    EXPECT_EQ(a.verification.values[i].value, b.verification.values[i].value);
  }
  EXPECT_EQ(a.output.file, b.output.file);
  ASSERT_EQ(a.output.grid.size(), b.output.grid.size());
  for (std::size_t i = 0; i < a.output.grid.size(); ++i) {
    EXPECT_EQ(a.output.grid[i].axis, b.output.grid[i].axis);
    EXPECT_EQ(a.output.grid[i].count, b.output.grid[i].count);
    EXPECT_EQ(a.output.grid[i].points, b.output.grid[i].points);
  }
  EXPECT_EQ(text_of(a.output.fields), text_of(b.output.fields));
  EXPECT_EQ(a.output.statistics, b.output.statistics);
  EXPECT_EQ(a.output.coefficients, b.output.coefficients);
  EXPECT_EQ(a.convergence.vary, b.convergence.vary);
}

void expect_fixed_point(const std::string& text, const std::string& name) {
  const Case first = read_case_text(text, name);
  const Case second = read_case_text(first.resolved_text, "resolved.yaml");
  expect_equal(first, second);
  EXPECT_EQ(first.resolved_text, second.resolved_text);
}

TEST(ResolvedText, FullCase) {
  expect_fixed_point(kFullCase, "burgers.yaml");
}
TEST(ResolvedText, ShortCase) {
  expect_fixed_point(kShortCase, "name with \" and \\ in it.yaml");
}
TEST(ResolvedText, LargeCase) {
  expect_fixed_point(kLargeCase, "large.yaml");
}

TEST(ResolvedText, Distributions) {
  for (const char* axis :
       {"{distribution: normal, mean: 1/3, deviation: 0.1}", "{distribution: lognormal, mu: -1/3, sigma: 0.1}",
        "{distribution: lognormal, mean: 1/3, deviation: 0.1}", "{distribution: uniform, range: [1/3, 1]}",
        "{distribution: uniform, range: [1/3, 1], map: log}", "{distribution: beta, range: [0, 1/3], a: 1/3, b: 2}",
        "{distribution: beta, range: [0, 1/3], mean: 0.1, deviation: 0.05}"}) {
    const std::string text = testing::replaced(kFullCase, "{range: [0.02, 0.2], map: log}", axis);
    expect_fixed_point(text, "a.yaml");
    const Case first = read_case_text(text, "a.yaml"), second = read_case_text(first.resolved_text, "b.yaml");
    EXPECT_EQ(first.domain[1].basis, second.domain[1].basis);
    EXPECT_NE(first.domain[1].basis, kChebyshev);
  }
}

TEST(ResolvedText, AutomaticCase) {
  expect_fixed_point(testing::kAutomaticCase, "a.yaml");
}
TEST(ResolvedText, AutomaticCaseWithoutAnyDegree) {
  const std::string text = testing::replaced(testing::kAutomaticCase, "  degree: {t: 6}\n", "");
  expect_fixed_point(text, "a.yaml");
  EXPECT_EQ(read_case_text(text, "a.yaml").resolved_text.find("\n  degree:"), std::string::npos);
}
TEST(ResolvedText, BranchCase) {
  expect_fixed_point(testing::kBranchCase, "a.yaml");
  expect_fixed_point(testing::kBranchCase + "  from: -1/3\n  method: natural\n  step: 1/7\n  points: 50\n", "a.yaml");
}
TEST(ResolvedText, WordsOtherThanTheDefaults) {
  expect_fixed_point(kShortCase +
                         "  domains: {x: [0, 1, pi], t: 3}\n"
                         "solver: {linear: tensor, predictor: constant, newton: {globalisation: anderson}}\n"
                         "output: {statistics: none, coefficients: none}\n",
                     "a.yaml");
}

TEST(ResolvedText, SpellsDefaultsOut) {
  const std::string text = read_case_text(kShortCase, "heat.yaml").resolved_text;
  for (const char* line :
       {"  weighting: radau\n", "    tolerance: 1.0e-12\n", "    max_iterations: 30\n", "backend: auto\n",
        "  file: \"heat.h5\"\n", "    t: 41\n", "  residual: 0.001\n", "  method: auto\n", "  predictor: extrapolate\n",
        "    windows: 100000\n", "    domains: 1024\n", "    degree: 640\n", "  first_window: 0\n", "  start: 0\n",
        "  error: off\n", "  statistics: auto\n", "  coefficients: all\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  for (const char* line : {"  tolerance:", "continue:"})  // keys whose absence is their default
    EXPECT_EQ(text.substr(0, text.find("\nsolver:")).find(line), std::string::npos) << line << text;
}

TEST(ResolvedText, NoSampledFields) {
  expect_fixed_point(kShortCase + "output: {fields: {}}\n", "a.yaml");
}

TEST(ResolvedText, NumbersKeepTheirBits) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0), exponent(-300.0, 300.0);
  for (int i = 0; i < 200; ++i) {
    const double value = mantissa(random) * std::pow(10.0, exponent(random));
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    const Case first = read_case_text(kShortCase + "constants: {a: " + digits + "}\n", "a.yaml");
    ASSERT_EQ(first.constants.at(0).value, value);
    ASSERT_EQ(read_case_text(first.resolved_text, "b.yaml").constants.at(0).value, value);
  }
}

// The patterns of YAML 1.1 (yaml.org/type/float.html, int.html): what matches neither is text for PyYAML.
TEST(ResolvedText, NumbersAreNumbersForReadersOfYaml11) {
  const std::regex number(R"([-+]?(([0-9]+)?\.[0-9]*([eE][-+][0-9]+)?|0|[1-9][0-9]*))");
  int n_with_exponent = 0;
  const auto check = [&](const std::string& text) {
    static const std::regex quoted(R"("(\\.|[^"\\])*")"), plain(R"([^\s,\[\]{}:]+)");
    const std::string rest = std::regex_replace(text, quoted, "");
    for (std::sregex_iterator word(rest.begin(), rest.end(), plain), end; word != end; ++word) {
      const std::string token = word->str();
      char* behind = nullptr;
      std::strtod(token.c_str(), &behind);
      if (*behind != '\0' || token == "-") continue;  // no number
      EXPECT_TRUE(std::regex_match(token, number)) << token << "\n" << text;
      n_with_exponent += token.find('e') != std::string::npos ? 1 : 0;
    }
  };
  for (const auto& entry : std::filesystem::directory_iterator(GWRM_SOURCE_DIR "/inputs"))
    if (entry.path().extension() == ".yaml") check(read_case(entry.path().string()).resolved_text);
  check(read_case_text(kShortCase + "constants: {a: 1e-12, b: 3E20, c: -2.5e-7, d: 1e300}\n"
                                    "output: {grid: {x: [1e-9, 1]}}\n"
                                    "convergence: {vary: {solver.newton.tolerance: [1e-3, 1.5e-4, 1e-5]}}\n",
                       "a.yaml")
            .resolved_text);
  EXPECT_GE(n_with_exponent, 8);
  // An expression of the constant e5 stays one.
  EXPECT_NE(read_case_text(kShortCase + "constants: {e5: 2}\nconvergence: {vary: {x: [8-e5, 12]}}\n", "a.yaml")
                .resolved_text.find("8-e5"),
            std::string::npos);
}

TEST(ResolvedText, LongListsOfEdgesAndPoints) {
  std::string edges = "[0";
  double at = 0;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> step(0.001, 0.009);
  for (int i = 0; i < 200; ++i) edges += ", " + std::to_string(at += step(random));
  expect_fixed_point(kShortCase + "  domains: {t: " + edges + ", 2]}\noutput: {grid: {t: " + edges + "]}}\n", "a.yaml");
}

TEST(ResolvedText, AnyTextSurvives) {
  for (const std::string title : {"", " ", "null", "true", "1", "a: b", "# no comment", "'", "\\", "- x", "*a", "&b",
                                  "!c", "%d", "line\\nbreak", "\\0\\a\\x7f\\u2028 \\x85", "{}", "@`", "---"})
    expect_fixed_point(kShortCase + "title: \"" + (title == "\\" ? "\\\\" : title) + "\"\n", "a.yaml");
}

}  // namespace
}  // namespace gwrm::resolved_text_test
