// Data of files: what they are between their points, the error that is told, and what is said of files that do not
// serve. The files are written here.
#include "output/checksum.hpp"
#include "output/hdf5_file.hpp"
#include "problems/data_files/written_data.hpp"

namespace gwrm::data_files_test {
namespace {

using namespace test;

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

// Rounding that hides below what every second point shows, and above what is left with all points.
TEST_F(DataFiles, NoiseBetweenTheErrorsOfTwoSplinesIsTold) {
  const auto k = [](double x) { return std::exp(std::sin(6.0 * x)); };
  for (const auto& [n, unit] : {std::pair{41, 1e-3}, {101, 1e-5}, {401, 1e-7}}) {
    const auto rounded = [&, unit = unit](double x) { return unit * std::round(k(x) / unit); };
    const Case the_case = frame("{x: [0, 1]}", "file: " + table("k.csv", equal(0.0, 1.0, n), rounded));
    const double error = worst(the_case, 0.0, 1.0, k) / std::exp(1.0), told = reported_error(the_case);
    EXPECT_GT(told, error) << n;  // 14 times too small for 41 points by the splines' order alone
    EXPECT_LT(told, 10.0 * error) << n;
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
  write("units.csv", "lon,X [m],a\n1,0,1\n2,1,2\n");
  EXPECT_HOLDS(told("file: " + path("units.csv")), "dimensions: {x: \"X [m]\"}");
  EXPECT_HOLDS(told("file: " + write("bare.csv", "0,1\n1,2\n")), "has to name the columns, as x,value");
  EXPECT_HOLDS(told("file: " + write("semicolons.csv", "x;a\n0;1\n1;2\n")), "separated by commas");
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
}  // namespace gwrm::data_files_test
