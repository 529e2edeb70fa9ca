// The numbers that a check prints show why it passes or fails.
#include "output/judged_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace gwrm::judged_check_test {
namespace {

Check estimate(double value, double tolerance) {
  return {"estimate", "u", value, tolerance, true, kEstimateMargin};
}

TEST(JudgedCheck, AnEstimateIsMultipliedByItsMargin) {
  const JudgedTexts texts = judged_texts(estimate(8.9e-7, 1e-6));
  EXPECT_EQ(texts.value, "1.3e-06");
  EXPECT_EQ(texts.allowed, "1.0e-06");
  EXPECT_DOUBLE_EQ(judged_value(estimate(8.9e-7, 1e-6)), 1.335e-6);
}

TEST(JudgedCheck, WhatIsOnlyReportedIsNot) {
  Check check = estimate(8.9e-7, 1e-6);
  check.judged = false;
  EXPECT_EQ(judged_value(check), 8.9e-7);
  EXPECT_EQ(judged_texts(check).value, "8.9e-07");
}

TEST(JudgedCheck, TheTextsCompareAsTheNumbersDo) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  for (const double tolerance : {1e-6, 1.249e-3, 0.3, 1.0 / 3.0})
    for (const double factor : {0.1, 0.96, 0.9999, 1.0 - kEps, 1.0, 1.0 + 2 * kEps, 1.0001, 1.04, 7.0})
      for (const double margin : {1.0, kEstimateMargin}) {
        const Check check{"estimate", "u", factor * tolerance / margin, tolerance, true, margin};
        const JudgedTexts texts = judged_texts(check);
        EXPECT_EQ(std::stod(texts.value) <= std::stod(texts.allowed), check.passed())
            << texts.value << " " << texts.allowed;
      }
  EXPECT_EQ(judged_texts({"tail", "u", 1.04e-6, 1e-6}).value, "1.04e-06");
}

TEST(JudgedCheck, NotANumberIsPrintedAsIs) {
  EXPECT_EQ(judged_texts(estimate(std::nan(""), 1e-6)).value, "nan");
  EXPECT_EQ(judged_texts(estimate(std::numeric_limits<double>::infinity(), 1e-6)).value, "inf");
}

}  // namespace
}  // namespace gwrm::judged_check_test
