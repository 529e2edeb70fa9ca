// Radau rules and time modes where long double arithmetic has no more digits than double, as under valgrind: here the
// x87 is told to round to 53 bits, while the compiler still believes in 64.
#include "core/extended_precision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "basis/radau.hpp"
#include "basis/time_modes.hpp"

#if defined(__x86_64__) && defined(__linux__)
#include <fpu_control.h>
#define GWRM_TEST_HAS_X87
#endif

namespace gwrm::extended_precision_test {
namespace {

TEST(ExtendedPrecision, IsThatOfTheTypeWhereNothingIsEmulated) {
  EXPECT_EQ(extended_epsilon(), std::numeric_limits<long double>::epsilon());
}

#ifdef GWRM_TEST_HAS_X87

class RoundingToDouble {
 public:
  RoundingToDouble() {
    _FPU_GETCW(before_);
    fpu_control_t word = static_cast<fpu_control_t>((before_ & ~_FPU_EXTENDED) | _FPU_DOUBLE);
    _FPU_SETCW(word);
  }
  ~RoundingToDouble() { _FPU_SETCW(before_); }
  RoundingToDouble(const RoundingToDouble&) = delete;
  RoundingToDouble& operator=(const RoundingToDouble&) = delete;

 private:
  fpu_control_t before_ = 0;
};

TEST(ExtendedPrecision, IsThatOfTheControlWord) {
  const RoundingToDouble rounding;
  EXPECT_EQ(extended_epsilon(), static_cast<long double>(std::numeric_limits<double>::epsilon()));
  EXPECT_FALSE(has_extended_precision());
}

// The largest error of what the rules are by definition: sum of weights 2, Q 1 = tau + 1, V V^-1 = I, the last relative
// to the condition of the eigenvectors (time_modes.hpp).
double largest_error(Index K) {
  const Radau& rule = radau(K);
  const double weights = std::abs(rule.weights.sum() - 2.0);
  const double integrals =
      (rule.integration * Vector::Ones(K) - (rule.nodes.array() + 1.0).matrix()).cwiseAbs().maxCoeff();
  const TimeModes& modes = time_modes(std::min<Index>(K, 20));
  const Index n = modes.backward.rows();
  const double condition = modes.triangle.size() > 0 ? 1.0 : std::pow(10.0, 0.58 * static_cast<double>(n));
  const double identity = (modes.backward * modes.forward - Matrix::Identity(n, n)).cwiseAbs().maxCoeff() / condition;
  return std::max({weights, integrals, identity});
}

// In a process of its own: rules are kept, and other tests have made them with all digits.
TEST(ExtendedPrecisionDeathTest, RulesDoWithoutIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto make_rules = [] {
    const RoundingToDouble rounding;
    try {
      for (Index K = 1; K <= 200; K += K < 64 ? 1 : 17)
        if (const double error = largest_error(K); !(error <= 4e-15 * static_cast<double>(K))) {  // sums of K terms
          std::fprintf(stderr, "K = %d: %g\n", static_cast<int>(K), error);
          std::exit(1);
        }
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::exit(2);
    }
    std::exit(0);
  };
  EXPECT_EXIT(make_rules(), ::testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace gwrm::extended_precision_test
