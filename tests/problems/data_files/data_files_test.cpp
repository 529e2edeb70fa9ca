// Data of files: what they are between their points, the error that is told, how they enter equations and the verdict,
// and what is said of files that do not serve. The files are written here.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "output/checksum.hpp"
#include "output/hdf5_file.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/run_case.hpp"

namespace gwrm {
namespace {

using std::numbers::pi;
using test::find_check;
using test::run_case;

// A folder of its own, gone with the test.
class DataFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("gwrm_data_{}_{}", ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                          static_cast<const void*>(this));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  // Columns x and k of a function.
  template <class Function>
  std::string table(const std::string& name, const std::vector<double>& points, Function k) const {
    std::string text = "x,k\n";
    for (double x : points) text += fmt::format("{},{}\n", x, k(x));
    return write(name, text);
  }

  template <class Function>
  std::string table(const std::string& name, const std::vector<double>& xs, const std::vector<double>& ys,
                    Function k) const {
    std::string text = "y,x,k\n";
    for (double y : ys)
      for (double x : xs) text += fmt::format("{},{},{}\n", y, x, k(x, y));
    return write(name, text);
  }

  std::filesystem::path folder_;
};

std::vector<double> equal(double lower, double upper, int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(lower + (upper - lower) * i / (n - 1));
  return points;
}

std::vector<double> extremes(double lower, double upper, int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(lower + (upper - lower) * 0.5 * (1.0 - std::cos(pi * i / (n - 1))));
  return points;
}

std::vector<double> zeros(double lower, double upper, int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(lower + (upper - lower) * 0.5 * (1.0 - std::cos(pi * (i + 0.5) / n)));
  return points;
}

// The case is a frame: it names k, and is not solved.
Case frame(const std::string& domain, const std::string& data) {
  return read_case_text("domain: " + domain + "\nunknowns: [u]\nequations: [\"u = 1\"]\ndata: {k: {" + data +
                            "}}\nresolution: {tolerance: 1.0e-6}\n",
                        "frame.yaml");
}

std::string text_of(const Case& the_case) {
  return describe_data_files(the_case).front().second;
}

double reported_error(const Case& the_case) {
  std::vector<Check> checks;
  std::vector<std::string> warnings;
  check_data_files(the_case, 1.0, checks, warnings);
  EXPECT_EQ(checks.size(), 1u);
  return checks.front().value;
}

double at(const Case& the_case, const std::vector<double>& point, std::vector<int> orders = {}) {
  orders.resize(point.size(), 0);
  return the_case.data.front().function->at(point, orders);
}

template <class Function>
double worst(const Case& the_case, double lower, double upper, Function k, int order = 0) {
  double largest = 0.0;
  for (int i = 0; i <= 997; ++i) {
    const double x = lower + (upper - lower) * i / 997;
    largest = std::max(largest, std::abs(at(the_case, {x}, {order}) - k(x)));
  }
  return largest;
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// ---- what stands between the points

TEST_F(DataFiles, SplinesOfEqualPointsConvergeWithTheSixthOrderAndTellTheirError) {
  const auto k = [](double x) { return std::exp(std::sin(4.0 * x)); };
  double before = 0.0;
  for (int n : {41, 81, 161}) {
    const Case the_case = frame("{x: [0, 2]}", "file: " + table("k.csv", equal(0.0, 2.0, n), k));
    EXPECT_HOLDS(text_of(the_case), "splines of degree 5");
    const double error = worst(the_case, 0.0, 2.0, k) / std::exp(1.0), told = reported_error(the_case);
    if (before > 0.0) {
      EXPECT_GT(before / error, 40.0) << n;
    }
    EXPECT_GT(told, error) << n;         // told: it is no less ...
    EXPECT_LT(told, 50.0 * error) << n;  // ... and of that size
    before = error;
  }
}

TEST_F(DataFiles, ExtremesAndZerosOfChebyshevPolynomialsGiveAPolynomial) {
  const auto k = [](double x) { return 1.0 / (1.0 + x * x); };
  for (const auto& points : {extremes(-1.0, 3.0, 41), zeros(-1.0, 3.0, 41)}) {
    const Case the_case = frame("{x: [-1, 3]}", "file: " + table("k.csv", points, k));
    EXPECT_HOLDS(text_of(the_case), "a polynomial of degree 40");
    const double error = worst(the_case, -1.0, 3.0, k);
    EXPECT_LT(error, 1e-6);
    EXPECT_GT(reported_error(the_case), 0.3 * error);
    EXPECT_LT(reported_error(the_case), 1e3 * error);
  }
}

TEST_F(DataFiles, EqualPointsAroundAPeriodGiveSinesAndCosinesWithAndWithoutTheLastOne) {
  const auto k = [](double x) { return std::exp(std::cos(x - 1.0)); };
  for (bool closed : {false, true}) {
    std::vector<double> points = equal(0.25, 0.25 + 2.0 * pi, 41);  // elsewhere on the circle
    if (!closed) points.pop_back();
    const Case the_case = frame("{x: {range: [0, 2*pi], basis: fourier}}", "file: " + table("k.csv", points, k));
    EXPECT_HOLDS(text_of(the_case), "sines and cosines up to wavenumber 19");
    EXPECT_LT(worst(the_case, 0.0, 2.0 * pi, k), 1e-13);
    EXPECT_LT(worst(
                  the_case, 0.0, 2.0 * pi, [&](double x) { return -std::sin(x - 1.0) * k(x); }, 1),
              1e-11);
    EXPECT_LT(reported_error(the_case), 1e-12);
  }
}

TEST_F(DataFiles, UnequalPointsAroundAPeriodGiveASplineThatCloses) {
  const auto k = [](double x) { return 2.0 + std::sin(x); };
  std::vector<double> points;
  for (int i = 0; i < 60; ++i) points.push_back(2.0 * pi * (i / 60.0 + 0.05 * std::sin(2.0 * pi * i / 60.0)));
  const Case the_case = frame("{x: {range: [0, 2*pi], basis: fourier}}", "file: " + table("k.csv", points, k));
  EXPECT_HOLDS(text_of(the_case), "splines of degree 5");
  EXPECT_LT(worst(the_case, 0.0, 2.0 * pi, k), 3e-7);
  EXPECT_NEAR(at(the_case, {0.0}, {1}), at(the_case, {2.0 * pi}, {1}), 1e-7);
}

TEST_F(DataFiles, ScatteredPointsAroundAPeriodAreFitted) {
  std::string text = "x,y,k\n";
  for (int i = 0; i < 300; ++i) {
    const double x = 2.0 * pi * std::fmod((i + 1) * 0.7548776662466927, 1.0);
    const double y = 2.0 * pi * std::fmod((i + 1) * 0.5698402909980532, 1.0);
    text += fmt::format("{},{},{}\n", x, y, 1.0 + std::sin(x) * std::cos(2.0 * y));
  }
  const std::string periodic = "{range: [0, 2*pi], basis: fourier}";
  const Case two = frame("{x: " + periodic + ", y: " + periodic + "}", "file: " + write("two.csv", text));
  EXPECT_HOLDS(text_of(two), "300 scattered points, fitted by least squares");
  for (double x : {0.1, 2.0, 5.5})
    for (double y : {0.4, 3.0}) EXPECT_NEAR(at(two, {y, x}), 1.0 + std::sin(x) * std::cos(2.0 * y), 1e-10);
  EXPECT_HOLDS(
      message_of([&] { frame("{x: " + periodic + ", y: [0, 7]}", "file: " + path("two.csv")); }),
      "300 points that make no grid: that serves along periodic dimensions (basis: fourier) alone, and y is none");
}

TEST_F(DataFiles, AGridIsAFunctionOfAllItsDimensionsWhateverTheOrderOfItsPoints) {
  const auto k = [](double x, double y) { return std::sin(x) * std::exp(-2.0 * y) + x; };
  table("k.csv", equal(0.0, 1.0, 50), extremes(0.0, 2.0, 21), k);
  const Case the_case = frame("{x: [0, 1], y: [0, 2]}", "file: " + path("k.csv"));
  ASSERT_EQ(the_case.data.front().axes, (std::vector<std::string>{"y", "x"}));
  EXPECT_HOLDS(text_of(the_case), "21 x 50 points; along y a polynomial of degree 20, along x splines of degree 5");
  for (double x : {0.0, 0.123, 0.9, 1.0})
    for (double y : {0.0, 0.7, 1.99}) {
      EXPECT_NEAR(at(the_case, {y, x}), k(x, y), 1e-10);
      EXPECT_NEAR(at(the_case, {y, x}, {1, 0}), -2.0 * std::sin(x) * std::exp(-2.0 * y), 1e-9);
      EXPECT_NEAR(at(the_case, {y, x}, {1, 2}), 2.0 * std::sin(x) * std::exp(-2.0 * y), 1e-5);
    }
  // On a grid and at points the same.
  const std::vector<double> ys{0.1, 0.5, 1.7}, xs{0.2, 0.9};
  const std::vector<std::span<const double>> grid{ys, xs};
  std::vector<double> values(6);
  the_case.data.front().function->on_grid(grid, std::vector<int>{0, 1}, values);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(values[2 * i + j], at(the_case, {ys[i], xs[j]}, {0, 1}), 1e-12);
}

TEST_F(DataFiles, FurtherDimensionsAreTakenAtOneCoordinate) {
  std::string text = "depth,x,k\n";
  for (double depth : {0.0, 1.0, 2.0, 3.0})
    for (double x : equal(0.0, 1.0, 20)) text += fmt::format("{},{},{}\n", depth, x, depth * depth + std::sin(x));
  write("k.csv", text);
  const Case the_case = frame("{x: [0, 1]}", "file: " + path("k.csv") + ", at: {depth: 1.5}");
  ASSERT_EQ(the_case.data.front().axes, std::vector<std::string>{"x"});
  EXPECT_NEAR(at(the_case, {0.3}), 2.25 + std::sin(0.3), 1e-8);
  EXPECT_HOLDS(message_of([&] { frame("{x: [0, 1]}", "file: " + path("k.csv") + ", at: {depth: 4}"); }),
               "at: depth = 4 is outside the file's coordinates, 0 to 3");
}

TEST_F(DataFiles, DimensionsMayHaveOtherNamesInTheFile) {
  std::string text = "lon,lat,k\n";
  for (double lat : equal(0.0, 2.0, 20))
    for (double lon : equal(0.0, 1.0, 24)) text += fmt::format("{},{},{}\n", lon, lat, std::sin(lon) * std::exp(-lat));
  write("k.csv", text);
  const std::string domain = "{x: [0, 1], y: [0, 2]}", file = "file: " + path("k.csv");
  const Case the_case = frame(domain, file + ", dimensions: {x: lon, y: lat}");
  ASSERT_EQ(the_case.data.front().axes, (std::vector<std::string>{"y", "x"}));
  EXPECT_NEAR(at(the_case, {1.3, 0.4}), std::sin(0.4) * std::exp(-1.3), 1e-6);
  const Case again = read_case_text(the_case.resolved_text, "b.h5");
  EXPECT_EQ(again.resolved_text, the_case.resolved_text);
  EXPECT_NEAR(at(again, {1.3, 0.4}), std::sin(0.4) * std::exp(-1.3), 1e-6);
  const Case line = frame("{x: [0, 1]}", file + ", dimensions: {x: lon}, at: {lat: 0.5}");
  EXPECT_NEAR(at(line, {0.4}), std::sin(0.4) * std::exp(-0.5), 1e-6);

  const auto told = [&](const std::string& data) { return message_of([&] { frame(domain, data); }); };
  EXPECT_HOLDS(told(file), "dimensions: {");
  EXPECT_HOLDS(told(file + ", dimensions: {y: lat}"), "(a coordinate among them is a dimension with another name");
  EXPECT_HOLDS(told(file + ", dataset: k, dimensions: {x: lon, z: lat}"), "`z`");
  EXPECT_HOLDS(told(file + ", dimensions: {x: lon, y: lon}"), "`x` and `y` cannot both be `lon` of the file");
  EXPECT_HOLDS(told(file + ", dimensions: {x: lon, y: lat}, at: {lat: 1}"), "not both");
}

// Numbers of Fowler, Noll and Vo's own list of test vectors (64 bits, FNV-1a).
TEST_F(DataFiles, ChecksumsAreThoseOfFnv1a) {
  EXPECT_EQ(checksum_of_file(write("empty", "")), "fnv1a64:cbf29ce484222325");
  EXPECT_EQ(checksum_of_file(write("a", "a")), "fnv1a64:af63dc4c8601ec8c");
  EXPECT_EQ(checksum_of_file(write("foobar", "foobar")), "fnv1a64:85944171f73967e8");
}

// ---- in equations

std::string poisson(const std::string& file, const std::string& rest = "") {
  return "domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
         "}}\nequations: [\"dx(k*dx(u)) = dx((1 + 0.5*sin(3*x))*exp(x))\"]\n"
         "boundary: [\"u(x=0) = 1\", \"u(x=1) = exp(1)\"]\nexact: {u: \"exp(x)\"}\nresolution: {degree: {x: 24}}\n" +
         rest;
}

double coefficient(double x) {
  return 1.0 + 0.5 * std::sin(3.0 * x);
}

TEST_F(DataFiles, ACoefficientOfAFileIsDifferentiated) {
  const RunOutcome outcome = run_case(poisson(table("k.csv", equal(-0.1, 1.1, 200), coefficient)));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-9);
  const Check check = find_check(outcome, "data file");
  EXPECT_TRUE(check.judged);
  EXPECT_LT(check.value, 1e-8);
}

TEST_F(DataFiles, AnAnswerIsNoBetterThanItsData) {
  const std::string file = table("k.csv", equal(-0.1, 1.1, 13), coefficient);
  const RunOutcome failed = run_case(poisson(file));
  EXPECT_EQ(failed.status, ExitStatus::unresolved);
  EXPECT_HOLDS(failed.report.reason, "data are less accurate than the answer: k(x) of ");
  const Check check = find_check(failed, "data file");
  EXPECT_FALSE(check.passed());
  // What is told is the size of what it does to the answer.
  EXPECT_GT(check.value, 0.1 * test::worst_error(failed));
  EXPECT_LT(check.value, 1e3 * test::worst_error(failed));
  const RunOutcome passed = run_case(poisson(file, "verification: {tolerance: 1.0e-3}\n"));
  EXPECT_EQ(passed.status, ExitStatus::converged) << passed.report.reason;
}

TEST_F(DataFiles, DataThatTheDegreesDoNotResolveAreTold) {
  const auto spike = [](double x) { return std::exp(-std::pow((x - 0.437) / 0.004, 2)); };
  const std::string file = table("k.csv", equal(0.0, 1.0, 2001), spike);
  const RunOutcome outcome = run_case("domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
                                      "}}\nequations: [\"dx(u,2) = k\"]\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
                                      "resolution: {degree: {x: 12}}\nverification: {tolerance: 1.0e-2}\n");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_HOLDS(outcome.report.reason, "data lie between the points of the run: equation 1: ");
}

TEST_F(DataFiles, DataThatAreResolvedRaiseNoAlarm) {
  const auto k = [](double x) { return std::sin(7.0 * x); };
  for (int n : {60, 600}) {
    const std::string file = table("k.csv", equal(0.0, 1.0, n), k);
    const RunOutcome outcome = run_case("domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
                                        "}}\nequations: [\"dx(u,2) = -49*k\"]\nboundary: [\"u(x=0) = 0\", \"u(x=1) = "
                                        "sin(7)\"]\nexact: {u: \"sin(7*x)\"}\nresolution: {degree: {x: 30}}\n");
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    EXPECT_TRUE(outcome.report.warnings.empty()) << outcome.report.warnings.front();
  }
}

TEST_F(DataFiles, InitialGuessAndExactComeFromFiles) {
  std::string text = "x,u0,u1\n";
  for (double x : extremes(0.0, 1.0, 30))
    text += fmt::format("{},{},{}\n", x, std::sin(pi * x), std::exp(-pi * pi * 0.1) * std::sin(pi * x));
  write("u.csv", text);
  const RunOutcome outcome = run_case(
      "domain: {t: [0, 0.1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\n"
      "initial: {u: {file: " +
      path("u.csv") +
      ", dataset: u0}}\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: 10, x: 20}}\n"
      "verification: {values: [{expr: u, at: {t: 0.1, x: 0.5}, value: 0.37270783}]}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_TRUE(find_check(outcome, "data file", "initial_u(x)").judged);

  const RunOutcome steady = run_case(
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"dx(u,2) + pi^2*u^3/sin(pi*x)^2 = 0*u\"]\n"
      "guess: {u: {file: " +
      path("u.csv") +
      ", dataset: u0}}\n"
      "exact: {u: {file: " +
      path("u.csv") +
      ", dataset: u0}}\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {x: 30}}\n");
  EXPECT_LT(test::worst_error(steady), 1e-6);  // another guess gives 0
  EXPECT_FALSE(find_check(steady, "data file", "exact_u(x)").judged);
  EXPECT_FALSE(find_check(steady, "data file", "guess_u(x)").judged);
}

TEST_F(DataFiles, TheResolvedTextReadsBackAndNeedsNoFileBeforeAValueIsWanted) {
  const std::string file = table("k.csv", equal(0.0, 1.0, 30), coefficient);
  const Case first = read_case_text(poisson(file), "a.yaml");
  const Case again = read_case_text(first.resolved_text, "elsewhere/b.h5");
  EXPECT_EQ(again.resolved_text, first.resolved_text);
  std::filesystem::remove(file);
  const Case later = read_case_text(first.resolved_text, "b.h5");
  EXPECT_EQ(later.data.front().axes, std::vector<std::string>{"x"});
  EXPECT_HOLDS(message_of([&] { at(later, {0.5}); }), "k.csv: No such file");
  EXPECT_FALSE(message_of([&] { read_case_text(poisson(file), "a.yaml"); }).empty());
}

TEST_F(DataFiles, FilesAreFoundBesideTheCase) {
  table("k.csv", equal(0.0, 1.0, 30), coefficient);
  const Case the_case = read_case_text(poisson("k.csv"), path("a.yaml"));
  EXPECT_NEAR(at(the_case, {0.5}), coefficient(0.5), 1e-8);
}

TEST_F(DataFiles, AnotherFileUnderTheSameNameIsRefused) {
  const auto points = equal(0.0, 1.0, 30);
  const std::string file = table("k.csv", points, coefficient);
  const Case first = read_case_text(poisson(file), "a.yaml");
  EXPECT_HOLDS(first.resolved_text, "checksum: \"" + checksum_of_file(file) + "\"");
  EXPECT_NEAR(at(read_case_text(first.resolved_text, "b.h5"), {0.5}), coefficient(0.5), 1e-8);
  table("k.csv", points, [](double x) { return 2.0 * coefficient(x); });
  const Case again = read_case_text(first.resolved_text, "b.h5");
  EXPECT_HOLDS(message_of([&] { at(again, {0.5}); }), "this is not the file that was read first: its checksum is ");
  EXPECT_HOLDS(message_of([&] { run_case(first.resolved_text); }), "this is not the file that was read first");
  // As it is, or another one.
  const Case anew = read_case_text(first.resolved_text, "b.h5", {{"data.k.checksum", "\"\""}});
  EXPECT_NEAR(at(anew, {0.5}), 2.0 * coefficient(0.5), 1e-8);
  const std::string other = table("other.csv", points, [](double x) { return 3.0 * coefficient(x); });
  const Case with_other = read_case_text(first.resolved_text, "b.h5", {{"data.k.file", other}});
  EXPECT_NEAR(at(with_other, {0.5}), 3.0 * coefficient(0.5), 1e-8);
}

TEST_F(DataFiles, AContinuedRunRefusesAnotherFile) {
  const auto points = equal(0.0, 1.0, 30);
  const std::string file = table("k.csv", points, coefficient);
  const std::string text =
      "domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
      "}}\nequations: [\"dt(u) = 0.1*dx(k*dx(u))\"]\ninitial: {u: \"sin(pi*x)\"}\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: 6, x: 16}, domains: {t: 20}}\n";
  RunControl control;
  control.journal = path("a.journal");
  int n_windows = 0;
  control.progress = [&](double, const std::string&) { ++n_windows; };
  control.interrupted = [&] { return n_windows > 3; };
  ASSERT_EQ(run_case(text, control).status, ExitStatus::interrupted);
  ASSERT_TRUE(std::filesystem::exists(control.journal));
  table("k.csv", points, [](double x) { return 2.0 * coefficient(x); });
  RunControl rest;
  rest.journal = control.journal;
  rest.restart = true;
  EXPECT_HOLDS(message_of([&] { run_case(text, rest); }), "belongs to another case, which says `checksum: ");
  table("k.csv", points, coefficient);
  EXPECT_TRUE(run_case(text, rest).complete);
}

TEST_F(DataFiles, SourceAndCoefficientOfFiniteDifferencesComeFromFiles) {
  // -div(c grad u) with c = 1 + y and u = sin(x) y: c sin(x) y - sin(x).
  const auto f = [](double x, double y) { return (1.0 + y) * std::sin(x) * y - std::sin(x); };
  const auto xs = equal(0.0, 1.0, 40), ys = equal(0.0, 1.0, 30);
  const std::string given = table("f.csv", xs, ys, f),
                    coefficient = table("c.csv", xs, ys, [](double, double y) { return 1.0 + y; });
  const RunOutcome outcome =
      run_case("problem: sbp_sat_poisson\ndomain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\ndata: {f: {file: " + given +
               "}, c: {file: " + coefficient +
               "}}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = sin(1)*y\", \"u(y=0) = 0\", \"u(y=1) = sin(x)\"]\n"
               "exact: {u: \"sin(x)*y\"}\nsbp_sat: {intervals: {x: 48, y: 48}, order: 4, source: f, coefficient: c}\n"
               "verification: {tolerance: 1.0e-5}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-6);
  EXPECT_TRUE(find_check(outcome, "data file", "f(y, x)").judged);
  EXPECT_TRUE(find_check(outcome, "data file", "c(y, x)").judged);
}

// ---- earlier answers

TEST_F(DataFiles, AnEarlierAnswerIsEvaluatedAtItsLastTimeOnAnotherDegree) {
  const std::string heat =
      "domain: {{t: [{}, {}], x: [0, 1]}}\nunknowns: [{}]\nequations: [\"dt({}) = dx({},2)\"]\n"
      "boundary: [\"{}(x=0) = 0\", \"{}(x=1) = 0\"]\nexact: {{{}: \"exp(-pi^2*t)*sin(pi*x)\"}}\n";
  const auto text = [&](double from, double to, const std::string& u) {
    return fmt::format(fmt::runtime(heat), from, to, u, u, u, u, u, u);
  };
  const RunOutcome first =
      run_case(text(0.0, 0.1, "u") + "initial: {u: \"sin(pi*x)\"}\nresolution: {degree: {t: 10, x: 20}}\n");
  ASSERT_EQ(first.status, ExitStatus::converged);
  write_hdf5(path("a.h5"), first.output_data(), false);
  const std::string second = text(0.1, 0.2, "v") + "initial: {v: {file: " + path("a.h5") +
                             ", dataset: u}}\nresolution: {degree: {t: 12, x: 16}}\n";
  const RunOutcome outcome = run_case(second);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-9);
  const Check check = find_check(outcome, "data file");
  EXPECT_HOLDS(check.subject, "an earlier answer at t = 0.1, evaluated");
  EXPECT_DOUBLE_EQ(check.value, first.report.verification.estimate.fields.front().total());

  // An expression of it, at another time; a path names its samples.
  const Case slope = frame("{x: [0, 1]}", "file: " + path("a.h5") + ", dataset: \"dx(u) + 1\", at: {t: 0.05}");
  EXPECT_NEAR(at(slope, {0.25}), 1.0 + pi * std::exp(-pi * pi * 0.05) * std::cos(pi * 0.25), 1e-8);
  EXPECT_NEAR(at(slope, {0.25}, {1}), -pi * pi * std::exp(-pi * pi * 0.05) * std::sin(pi * 0.25), 1e-7);
  EXPECT_HOLDS(message_of([&] { frame("{x: [0, 2]}", "file: " + path("a.h5") + ", at: {t: 0}"); }),
               "the result has x in [0, 1], and the domain x in [0, 2]");
  EXPECT_HOLDS(message_of([&] { frame("{x: [0, 1]}", "file: " + path("a.h5")); }),
               "give one coordinate of it, at: {t: ..}");
  const Case renamed = frame("{z: [0, 1]}", "file: " + path("a.h5") + ", at: {t: 0.05}, dimensions: {z: x}");
  EXPECT_EQ(renamed.data.front().axes, std::vector<std::string>{"z"});
  EXPECT_NEAR(at(renamed, {0.25}), std::exp(-pi * pi * 0.05) * std::sin(pi * 0.25), 1e-8);
  EXPECT_HOLDS(message_of([&] { frame("{z: [0, 1]}", "file: " + path("a.h5") + ", at: {t: 0.05}"); }),
               "or say which dimension it is, dimensions: {z: x}");
}

TEST_F(DataFiles, AnEarlierAnswerThatFailedGivesNoPass) {
  const std::string front =
      "domain: {t: [0, 0.1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = 0.001*dx(u,2)\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n";
  const RunOutcome first = run_case(front + "initial: {u: \"sin(9*pi*x)\"}\nresolution: {degree: {t: 6, x: 12}}\n");
  ASSERT_EQ(first.status, ExitStatus::unresolved);
  write_hdf5(path("a.h5"), first.output_data(), false);
  const RunOutcome second =
      run_case(front + "initial: {u: {file: " + path("a.h5") + "}}\nresolution: {degree: {t: 8, x: 30}}\n");
  EXPECT_EQ(second.status, ExitStatus::unresolved);
  EXPECT_HOLDS(second.report.reason, "solve that case so that it passes");
}

// ---- what does not serve

TEST_F(DataFiles, MistakesAreToldWithPlaceAndCure) {
  const auto told = [&](const std::string& data, const std::string& domain = "{x: [0, 1]}") {
    return message_of([&] { frame(domain, data); });
  };
  const std::string missing = told("file: nowhere.h5");
  EXPECT_HOLDS(missing, "frame.yaml:4:");
  EXPECT_HOLDS(missing, "nowhere.h5: No such file or directory");
  EXPECT_HOLDS(told("dataset: k"), "the key `file` is missing");
  write("two.csv", "x,a,b\n0,1,2\n1,2,3\n");
  EXPECT_HOLDS(told("file: " + path("two.csv")), "the file has: a, b");
  EXPECT_HOLDS(told("file: " + path("two.csv") + ", dataset: c"), "there is no column c; the file has: a, b");
  write("names.csv", "lon,a\n0,1\n1,2\n");
  EXPECT_HOLDS(told("file: " + path("names.csv")), "its first line names no dimension: expected some of x");
  EXPECT_HOLDS(told("file: " + table("short.csv", equal(0.1, 0.9, 20), coefficient)),
               "its coordinates in the file are 0.1 to 0.9: they have to cover the dimension");
  const std::string nan = told("file: " + write("nan.csv", "x,a\n0,1\n0.5,nan\n1,2\n"));
  EXPECT_HOLDS(nan, "a = nan of point 1");
  EXPECT_EQ(nan.find("nan.csv: " + path("nan.csv")), std::string::npos) << nan;
  EXPECT_HOLDS(told("file: " + write("twice.csv", "x,a\n0,1\n0.5,2\n0.5,3\n1,2\n")), "only 3 are different");
  EXPECT_HOLDS(told("file: " + write("old.nc", std::string("CDF\x01", 4))), "nccopy -k netCDF-4");
  EXPECT_HOLDS(told("file: " + path("two.csv") + ", dataset: a, at: {z: 1}"), "has no dimension z, it has x");
  write("scattered.csv", "x,y,a\n0,0,1\n1,0.5,2\n0.5,1,3\n");
  EXPECT_HOLDS(told("file: " + path("scattered.csv"), "{x: [0, 1], y: [0, 1]}"), "3 points that make no grid");
  EXPECT_HOLDS(
      told("file: " + table("turn.csv", equal(0.0, 3.0, 20), coefficient), "{x: {range: [0, 2*pi], basis: fourier}}"),
      "do not go once around");
}

TEST_F(DataFiles, DerivativesThatSplinesDoNotHaveAreRefused) {
  const std::string file = table("k.csv", equal(0.0, 1.0, 30), coefficient);
  const std::string text =
      "domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
      "}}\nequations: [\"dx(u) = dx(k,5)\"]\nboundary: [\"u(x=0) = 0\"]\nresolution: {degree: {x: 8}}\n";
  EXPECT_HOLDS(message_of([&] { run_case(text); }), "splines of degree 5 have 4 continuous ones");
}

}  // namespace
}  // namespace gwrm
