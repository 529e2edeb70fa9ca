// Eigenvalues of fourth order, whose matrices hold numbers N^8 apart: the tones of beams against the roots of their
// determinants.
#include <cmath>
#include <string>
#include <vector>

#include "run_case.hpp"

namespace gwrm::beam_modes_test {
namespace {

constexpr int kTones = 20;

// The k-th root b of cos b = `right`/cosh b, near (k + 1/2) pi: Newton's method from there, in long double. A clamped
// and a free end: -1, counted from 0; two clamped ends: 1, from 1. The eigenvalue of u'''' = lam u on [0, 1] is b^4.
double tone(int k, long double right) {
  const long double pi = 3.14159265358979323846264338327950288L;
  long double b = (static_cast<long double>(k) + 0.5L) * pi;
  for (int step = 0; step < 50; ++step)
    b -= (std::cos(b) - right / std::cosh(b)) / (-std::sin(b) + right * std::sinh(b) / (std::cosh(b) * std::cosh(b)));
  return static_cast<double>(b * b * b * b);
}

std::string beam(const std::string& equations, const std::string& unknowns, const std::string& conditions, int degree) {
  return "domain: {x: [0, 1]}\nunknowns: [" + unknowns + "]\neigenvalue: {name: lam, modes: 20}\nequations: [" +
         equations + "]\nboundary: [" + conditions + "]\nresolution: {degree: {x: " + std::to_string(degree) +
         "}}\nverification: {tolerance: 1.0e-10}\n";
}

void expect_tones(const std::string& yaml, int first, long double right, double bound) {
  const RunOutcome outcome = test::run_case(yaml);
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  for (const SampledField& field : outcome.fields) {
    if (field.name != "lam") continue;
    ASSERT_EQ(field.values.data.size(), static_cast<std::size_t>(kTones));
    for (int k = 0; k < kTones; ++k)
      EXPECT_NEAR(field.values.data[static_cast<std::size_t>(k)] / tone(k + first, right), 1.0, bound) << k;
  }
}

TEST(BeamModes, TheFirstToneIsThatOfTheBooks) {  // Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1
  EXPECT_NEAR(std::pow(tone(0, -1.0L), 0.25), 1.87510407, 5e-9);
  EXPECT_NEAR(std::pow(tone(1, 1.0L), 0.25), 4.73004074, 5e-9);
}

TEST(BeamModes, ClampedAndFree) {
  expect_tones(beam("\"dx(u,4) = lam*u\"", "u",
                    "\"u(x=0) = 0\", \"dx(u)(x=0) = 0\", \"dx(u,2)(x=1) = 0\", \"dx(u,3)(x=1) = 0\"", 64),
               0, -1.0L, 1e-11);
}

TEST(BeamModes, ClampedAndFreeInDeflectionAndMoment) {
  expect_tones(beam("\"dx(m,2) = lam*u\", \"dx(u,2) = m\"", "u, m",
                    "\"u(x=0) = 0\", \"dx(u)(x=0) = 0\", \"m(x=1) = 0\", \"dx(m)(x=1) = 0\"", 64),
               0, -1.0L, 1e-12);
}

TEST(BeamModes, Clamped) {
  expect_tones(
      beam("\"dx(u,4) = lam*u\"", "u", "\"u(x=0) = 0\", \"dx(u)(x=0) = 0\", \"u(x=1) = 0\", \"dx(u)(x=1) = 0\"", 64), 1,
      1.0L, 1e-11);
}

}  // namespace
}  // namespace gwrm::beam_modes_test
