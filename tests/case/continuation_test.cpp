// continue: the branch over a constant, its defaults and its mistakes.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::continuation_test {
namespace {

using testing::expect_error;
using testing::kBranchCase;
using testing::replaced;

TEST(ContinuationSection, Defaults) {
  const Continuation branch = read_case_text(kBranchCase, "a.yaml").continuation;
  EXPECT_TRUE(branch.active());
  EXPECT_EQ(branch.parameter, "lam");
  EXPECT_EQ(branch.from, 0.5);  // the value in `constants`
  EXPECT_EQ(branch.to, 3.5);
  EXPECT_EQ(branch.method, ContinuationMethod::arclength);
  EXPECT_EQ(branch.step, 0.0);
  EXPECT_EQ(branch.max_points, 500);
}

TEST(ContinuationSection, EveryKey) {
  const std::string text = kBranchCase + "  from: 8*half\n  method: natural\n  step: half/10\n  points: 2*100\n";
  const Continuation branch = read_case_text(text, "a.yaml").continuation;
  EXPECT_EQ(branch.from, 4.0);  // downwards: from > to
  EXPECT_EQ(branch.to, 3.5);
  EXPECT_EQ(branch.method, ContinuationMethod::natural);
  EXPECT_EQ(branch.step, 0.05);
  EXPECT_EQ(branch.max_points, 200);
}

// A name that only holds the parameter's name is another constant.
TEST(ContinuationSection, ConstantsWithSimilarNames) {
  EXPECT_NO_THROW(
      read_case_text(replaced(kBranchCase, "  half: 1/2\n", "  lamb: 2\n  half: lamb/4 + 0*lamb\n"), "a.yaml"));
}

struct Mistake {
  std::string from, to;  // the change to the branch case
  int line;
  std::vector<std::string> told;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.to;
}

class BadContinuation : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadContinuation, IsToldAtItsLine) {
  const Mistake& mistake = GetParam();
  expect_error(replaced(kBranchCase, mistake.from, mistake.to), mistake.line, mistake.told);
}

const Mistake kMistakes[] = {
    {"  parameter: lam\n", "", 10, {"the key `parameter` is missing in `continue`"}},
    {"  to: 3.5\n", "", 10, {"the key `to` is missing in `continue`"}},
    {"parameter: lam", "parameter: lma", 11, {"`lma` is no constant of this case; did you mean `lam`?"}},
    {"parameter: lam", "parameter: u", 11, {"`u` is no constant of this case", "lam, half"}},
    {"constants:\n  lam: 0.5\n  half: 1/2\n", "", 8, {"the case has no constants", "constants: {lam: 1}"}},
    {"to: 3.5", "to: 1/2", 12, {"the branch ends where it begins, at `lam` = 0.5", "another value than `from`"}},
    {"to: 3.5", "to: 3.5\n  from: 7*half", 12, {"the branch ends where it begins, at `lam` = 3.5"}},
    {"to: 3.5", "to: many", 12, {"many"}},
    {"to: 3.5", "to: 3.5\n  step: -0.1", 13, {"-0.1 is out of range: must be at least 0"}},
    {"to: 3.5", "to: 3.5\n  step: 4", 13, {"a first step of 4 is longer than the way from 0.5 to 3.5"}},
    {"to: 3.5", "to: 3.5\n  points: 1", 13, {"1 is out of range: must be between 2 and 100000"}},
    {"to: 3.5", "to: 3.5\n  points: 2.5", 13, {"expected a whole number"}},
    {"to: 3.5", "to: 3.5\n  method: moore", 13, {"`moore` is not one of its words", "natural, arclength"}},
    {"to: 3.5", "until: 3.5", 12, {"unknown key `until` in `continue`", "known here: `parameter`"}},
    {"continue:\n  parameter: lam\n  to: 3.5", "continue: lam", 10, {"`continue`: expected a map", "found `lam`"}},
    {"continue:", "output: {fields: {lam: lam}}\ncontinue:", 10, {"`lam` is the dimension of the branch"}},
    {"half: 1/2", "half: 2*lam", 5, {"`half` is made from `lam`", "write its expression into the equations"}},
};

INSTANTIATE_TEST_SUITE_P(Table, BadContinuation, ::testing::ValuesIn(kMistakes));

TEST(BadContinuationDomain, HasTime) {
  const std::string text = replaced(kBranchCase, "  x: [0, 1]\n", "  x: [0, 1]\n  t: [0, 1]\n");
  expect_error(replaced(text, "x: 16", "x: 16, t: 4"), 11,
               {"`continue` follows steady solutions, and the domain has t"});
}

TEST(BadContinuationDomain, HasAParameter) {
  const std::string text = replaced(kBranchCase, "  x: [0, 1]\n", "  x: [0, 1]\n  a: [0, 1]\n");
  expect_error(replaced(text, "x: 16", "x: 16, a: 4"), 11,
               {"`continue` works without parameter dimensions: make `a` a constant"});
}

}  // namespace
}  // namespace gwrm::continuation_test
