// Tables I and II of the paper: relative errors (its eq. 14) to the printed digits.
#include "kernels/recurrence/recurrence_paper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "kernels/random_array.hpp"

namespace gwrm::recurrence_paper_test {
namespace {

using std::numbers::pi;

struct PaperProblem {
  double (*f)(double);
  double (*u)(double);
};
const PaperProblem kP1{[](double x) { return (pi * pi / 4.0) * std::cos(pi / 2.0 * x); },
                       [](double x) { return std::cos(pi / 2.0 * x); }};
const PaperProblem kP2{[](double x) { return 20000.0 * std::exp(-100.0 * x * x) * (1.0 - 200.0 * x * x); },
                       [](double x) { return 100.0 * std::exp(-100.0 * x * x) - 100.0 * std::exp(-100.0); }};

template <class Value>
std::vector<Value> right_hand_side(const PaperProblem& problem, Index n) {
  const Value h = Value(1) / static_cast<Value>(n), h2 = h * h;
  std::vector<Value> d(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < d.size(); ++i)
    d[i] = h2 * static_cast<Value>(problem.f(static_cast<double>(h * static_cast<Value>(i))));
  d[0] *= Value(0.5);
  return d;
}

template <class Value>
double error_of(const PaperProblem& problem, PaperAlgorithm algorithm, Index n) {
  const Context context = Context::create(BackendChoice::cpu, 2);
  std::vector<Value> u = right_hand_side<Value>(problem, n);
  paper_recurrence(context, algorithm, square_columns(n), std::span<Value>(u));
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double exact = problem.u(static_cast<double>(i) / static_cast<double>(n));
    difference += (exact - u[i]) * (exact - u[i]);
    size += exact * exact;
  }
  return std::sqrt(difference / size);
}

// Seven printed digits.
void expect_printed(double error, double printed) {
  EXPECT_NEAR(error, printed, 0.51e-6 * std::pow(10.0, std::floor(std::log10(printed))));
}

TEST(PaperTables, A1DToAllPrintedDigits) {
  expect_printed(error_of<double>(kP1, PaperAlgorithm::a1d, 1 << 20), 1.930917e-13);
  expect_printed(error_of<double>(kP1, PaperAlgorithm::a1d, 1 << 22), 2.545430e-14);
  expect_printed(error_of<double>(kP2, PaperAlgorithm::a1d, 1 << 20), 1.314334e-11);
  expect_printed(error_of<double>(kP2, PaperAlgorithm::a1d, 1 << 22), 9.951346e-13);
}

TEST(PaperTables, A2DToAllPrintedDigitsOfTheFirstProblem) {
  expect_printed(error_of<double>(kP1, PaperAlgorithm::a2d, 1 << 20), 1.877603e-13);
  expect_printed(error_of<double>(kP1, PaperAlgorithm::a2d, 1 << 22), 1.265400e-14);
}

// The paper's device had another exp.
TEST(PaperTables, A2DOfTheSecondProblem) {
  EXPECT_NEAR(error_of<double>(kP2, PaperAlgorithm::a2d, 1 << 20), 1.312754e-11, 5e-16);
  EXPECT_NEAR(error_of<double>(kP2, PaperAlgorithm::a2d, 1 << 22), 8.205207e-13, 5e-17);
}

// Single precision: the size of the errors is the paper's, the digits depend on cosf.
TEST(PaperTables, SinglePrecision) {
  EXPECT_NEAR(error_of<float>(kP1, PaperAlgorithm::a1s, 1 << 20) / 1.732620e-04, 1.0, 0.05);
  const double hybrid = error_of<float>(kP1, PaperAlgorithm::a2sd, 1 << 20);
  const double single = error_of<float>(kP1, PaperAlgorithm::a2s, 1 << 20);
  EXPECT_NEAR(single / 6.381482e-07, 1.0, 0.3);
  EXPECT_NEAR(hybrid / 2.569113e-07, 1.0, 0.3);
}

// Columns of unequal number and length; whole numbers, so that every algorithm must give the same.
void expect_agreement(const Context& context) {
  test::Random random(3);
  for (const auto& [s, r] : {std::pair<Index, Index>{2, 1}, {2, 5}, {7, 3}, {16, 16}, {33, 31}}) {
    std::vector<double> sequential(static_cast<std::size_t>(s * r));
    for (double& value : sequential) value = std::round(random.number(-20.0, 20.0));
    std::vector<double> divided = sequential;
    std::vector<float> single(sequential.begin(), sequential.end()), hybrid = single;
    paper_recurrence(context, PaperAlgorithm::a1d, 1, std::span<double>(sequential));
    paper_recurrence(context, PaperAlgorithm::a2d, r, std::span<double>(divided));
    EXPECT_EQ(divided, sequential) << s << " x " << r;
    paper_recurrence(context, PaperAlgorithm::a2s, r, std::span<float>(single));
    paper_recurrence(context, PaperAlgorithm::a2sd, r, std::span<float>(hybrid));
    EXPECT_EQ(std::vector<double>(single.begin(), single.end()), sequential);
    EXPECT_EQ(std::vector<double>(hybrid.begin(), hybrid.end()), sequential);
  }
}

TEST(PaperAlgorithms, AgreeOnWholeNumbers) {
  expect_agreement(Context::create(BackendChoice::cpu, 2));
}

// The device adds the same numbers in the same order.
TEST(DevicePaperAlgorithms, AgreeWithTheCpu) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  const Context device = Context::create(BackendChoice::cuda), cpu = Context::create(BackendChoice::cpu, 2);
  expect_agreement(device);
  std::vector<double> expected = right_hand_side<double>(kP1, 1 << 16), found = expected;
  paper_recurrence(cpu, PaperAlgorithm::a2d, 256, std::span<double>(expected));
  paper_recurrence(device, PaperAlgorithm::a2d, 256, std::span<double>(found));
  EXPECT_EQ(found, expected);
}

TEST(PaperAlgorithms, RefuseWhatDoesNotFit) {
  const Context context = Context::create(BackendChoice::cpu, 1);
  std::vector<double> d(12);
  EXPECT_THROW(paper_recurrence(context, PaperAlgorithm::a2d, 5, std::span<double>(d)), ShapeError);
  EXPECT_THROW(paper_recurrence(context, PaperAlgorithm::a2d, 12, std::span<double>(d)), ShapeError);
  EXPECT_THROW(paper_recurrence(context, PaperAlgorithm::a1s, 1, std::span<double>(d)), ShapeError);
  EXPECT_EQ(square_columns(1 << 20), 1024);
  EXPECT_EQ(square_columns(12), 3);
  EXPECT_EQ(square_columns(13), 1);
}

}  // namespace
}  // namespace gwrm::recurrence_paper_test
