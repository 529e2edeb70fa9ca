// Random damage to a good file gives a Case or a CaseError, nothing else.
#include <gtest/gtest.h>

#include <exception>
#include <random>
#include <string>

#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::mutation_test {
namespace {

std::string damaged(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  static const std::string telling = "[]{}:,#&*!|>'\"%@`-?~ \t\n\r\\()=.0$<";
  const std::size_t n_changes = 1 + below(4);
  for (std::size_t i = 0; i < n_changes && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text[at] = telling[below(telling.size())];
        break;
      case 2:
        text.insert(at, 1, telling[below(telling.size())]);
        break;
      case 3:
        text.erase(at, 1 + below(20));
        break;
      case 4:
        text.insert(at, text.substr(below(text.size()), 1 + below(30)));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

TEST(Mutations, GiveACaseOrACaseError) {
  std::mt19937 random(20);
  int n_good = 0, n_bad = 0;
  for (int i = 0; i < 5000; ++i) {
    static const std::string* const cases[] = {&testing::kFullCase,   &testing::kLargeCase,  &testing::kAutomaticCase,
                                               &testing::kBranchCase, &testing::kVectorCase, &testing::kEigenvalueCase};
    const std::string text = damaged(*cases[i % 5], random);
    try {
      const Case c = read_case_text(text, "m.yaml");
      ++n_good;
      ASSERT_EQ(read_case_text(c.resolved_text, "r.yaml").resolved_text, c.resolved_text) << text;
    } catch (const CaseError& error) {
      ++n_bad;
      ASSERT_EQ(std::string(error.what()).rfind("m.yaml", 0), 0u) << error.what() << "\n" << text;
    } catch (const std::exception& error) {
      FAIL() << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(n_good, 100);  // else the damage is too coarse to reach the readers of the sections
  EXPECT_GT(n_bad, 1000);
}

TEST(Mutations, OfOverrides) {
  std::mt19937 random(21);
  int n_bad = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string argument = damaged("solver.newton={tolerance: 1e-8, max_iterations: [3, 4]}", random);
    try {
      read_case_text(testing::kFullCase, "m.yaml", {parse_override(argument)});
    } catch (const CaseError&) {
      ++n_bad;
    }
  }
  EXPECT_GT(n_bad, 1000);
}

TEST(Mutations, RandomBytes) {
  std::mt19937 random(22);
  for (int i = 0; i < 2000; ++i) {
    std::string text(std::uniform_int_distribution<std::size_t>(1, 200)(random), '\0');
    for (char& c : text) c = static_cast<char>(random() % (i % 2 == 0 ? 256u : 128u));
    EXPECT_THROW(read_case_text(text, "m.yaml"), CaseError);
  }
}

}  // namespace
}  // namespace gwrm::mutation_test
