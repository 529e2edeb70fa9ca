// resolution.tolerance: what the program is left to choose, what it is held to, and the mistakes on the way.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::automatic_resolution_test {
namespace {

using testing::expect_error;
using testing::kAutomaticCase;
using testing::kShortCase;
using testing::replaced;

TEST(AutomaticResolution, KeepsWhatIsGiven) {
  const Case c = read_case_text(kAutomaticCase, "a.yaml");
  EXPECT_TRUE(c.resolution.automatic());
  EXPECT_EQ(c.resolution.tolerance, 1e-8);
  EXPECT_EQ(c.resolution.max_windows, 500);
  EXPECT_EQ(c.resolution.max_domains, 40);
  EXPECT_EQ(c.resolution.max_degree, 64);
  EXPECT_EQ(c.resolution.first_window, 0.125);
  EXPECT_EQ(c.resolution.start, 0.0);
  EXPECT_EQ(read_case_text(replaced(kAutomaticCase, "first_window: 1/8", "start: 1/16"), "a.yaml").resolution.start,
            0.0625);
  ASSERT_EQ(c.domain.size(), 3u);
  EXPECT_EQ(c.domain[0].degree, 6);
  EXPECT_EQ(c.domain[1].degree, -1);
  EXPECT_EQ(c.domain[2].degree, -1);
  EXPECT_EQ(c.domain[0].edges, (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  EXPECT_EQ(c.domain[2].edges, (std::vector<double>{0, 0.9, 1}));
}

TEST(AutomaticResolution, NeedsNothingButATolerance) {
  const std::string text = replaced(kShortCase, "  degree: {t: 6, x: 12}\n", "  tolerance: 1e-6\n");
  const Case c = read_case_text(text, "a.yaml");
  EXPECT_EQ(c.domain[0].degree, -1);
  EXPECT_EQ(c.domain[1].degree, -1);
  EXPECT_EQ(c.domain[0].edges, (std::vector<double>{0, 2}));
  const Case empty = read_case_text(text + "  degree: {}\n", "a.yaml");
  EXPECT_EQ(empty.domain[1].degree, -1);
}

TEST(AutomaticResolution, TimeByTheClockIsUnlimitedUnlessGiven) {
  EXPECT_EQ(read_case_text(kAutomaticCase, "a.yaml").resolution.max_seconds, 0.0);
  const Case c = read_case_text(replaced(kAutomaticCase, "degree: 64}", "degree: 64, time: 10*60}"), "a.yaml");
  EXPECT_EQ(c.resolution.max_seconds, 600.0);
  EXPECT_EQ(read_case_text(c.resolved_text, "a.yaml").resolution.max_seconds, 600.0);
}

TEST(AutomaticResolution, BoundsOfTheTolerance) {
  for (const char* good : {"1e-14", "0.999", "10^-8"})
    EXPECT_NO_THROW(read_case_text(kShortCase + "  tolerance: " + good + "\n", "a.yaml")) << good;
}

// Without a tolerance the limits limit nothing: a file may keep them while its degrees are fixed.
TEST(AutomaticResolution, LimitsAreLegalWithoutATolerance) {
  const Case c =
      read_case_text(kShortCase + "  domains: {x: 8}\n  limits: {domains: 4}\n  first_window: 0\n", "a.yaml");
  EXPECT_FALSE(c.resolution.automatic());
  EXPECT_EQ(c.resolution.max_domains, 4);
  EXPECT_EQ(c.domain[1].edges.size(), 9u);
}

struct Mistake {
  std::string from, to;  // the change to the automatic case
  int line;
  std::vector<std::string> told;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.to;
}

class BadResolution : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadResolution, IsToldAtItsLine) {
  const Mistake& mistake = GetParam();
  expect_error(replaced(kAutomaticCase, mistake.from, mistake.to), mistake.line, mistake.told);
}

const std::string kBounds = "is out of range: must be at least 1e-14 and less than 1";

const Mistake kMistakes[] = {
    {"1.0e-8", "-1.0e-8", 8, {"-1e-08 " + kBounds, "as 1.0e-8", "leave the key out"}},
    {"1.0e-8", "0", 8, {"0 " + kBounds, "leave the key out to choose every degree yourself"}},
    {"1.0e-8", "1", 8, {"1 " + kBounds, "the relative accuracy"}},
    {"1.0e-8", "9.9e-15", 8, {"9.9e-15 " + kBounds}},
    {"1.0e-8", "[1.0e-8]", 8, {"`resolution.tolerance`: expected a number, found a list"}},
    {"1.0e-8", "", 8, {"`resolution.tolerance`: expected a number, found nothing"}},
    {"  tolerance: 1.0e-8\n  degree: {t: 6}\n", "", 7, {"`degree` is missing", "or give resolution.tolerance instead"}},
    {"  tolerance: 1.0e-8\n", "", 8, {"the dimension `nu` needs a degree", "or give resolution.tolerance instead"}},
    {"degree: {t: 6}", "degree: {t: 0}", 9, {"the degree in t must be at least 1"}},
    {"degree: {t: 6}", "degree: {t: -1}", 9, {"-1 is out of range: must be between 0 and 100000"}},
    {"degree: {t: 6}", "degree: {y: 6}", 9, {"`y` is no dimension of this case"}},
    {"domains: {t: 4", "domains: {t: 501", 10, {"501 windows of `t`", "limit of 500: raise resolution.limits.windows"}},
    {"x: [0, 0.9, 1]", "x: 41", 10, {"41 subdomains of `x`", "limit of 40: raise resolution.limits.domains"}},
    {"x: [0, 0.9, 1]", "nu: 2", 10, {"parameter subdomains are not available"}},
    {"windows: 500", "windows: 0", 11, {"0 is out of range: must be between 1 and 10000000"}},
    {"windows: 500", "window: 500", 11, {"unknown key `window` in `resolution.limits`", "`windows`"}},
    {"degree: 64", "degree: 64.5", 11, {"expected a whole number, found 64.5"}},
    {"domains: 40", "domains: 0", 11, {"0 is out of range"}},
    {"domains: 40", "time: -1", 11, {"-1 is out of range: must be at least 0"}},
    {"{windows: 500, domains: 40, degree: 64}", "100", 11, {"`resolution.limits`: expected a map", "found `100`"}},
    {"1/8", "-1/8", 12, {"-0.125 is out of range: must be at least 0"}},
    {"1/8", "2.5", 12, {"a first window of 2.5 is longer than all of `t`, 2"}},
    {"  tolerance: 1.0e-8\n  degree: {t: 6}",
     "  degree: {t: 6, nu: 3, x: 8}",
     11,
     {"give resolution.tolerance", "domains: {t: 8}"}},
};

INSTANTIATE_TEST_SUITE_P(Table, BadResolution, ::testing::ValuesIn(kMistakes));

TEST(BadAutomaticResolution, FirstWindowNeedsTime) {
  expect_error(
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [u = 0]\nresolution:\n  tolerance: 1e-8\n  first_window: 0.1\n",
      6, {"first_window needs the dimension t"});
}

TEST(BadAutomaticResolution, StartNeedsATolerance) {
  expect_error(kShortCase + "  start: 0.1\n", 9, {"start is for automatic runs"});
}

TEST(BadAutomaticResolution, ResultWithoutContent) {
  expect_error(kShortCase + "output:\n  coefficients: none\n  fields: {}\n", 10,
               {"nothing would be kept: name a field"});
}

}  // namespace
}  // namespace gwrm::automatic_resolution_test
