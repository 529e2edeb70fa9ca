// Files of data that tests write, and the functions that cases make of them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "problems/data_files/file_data.hpp"
#include "problems/run_case.hpp"

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

namespace gwrm::test {

using std::numbers::pi;

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

inline std::vector<double> equal(double lower, double upper, int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(lower + (upper - lower) * i / (n - 1));
  return points;
}

inline std::vector<double> extremes(double lower, double upper, int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(lower + (upper - lower) * 0.5 * (1.0 - std::cos(pi * i / (n - 1))));
  return points;
}

inline std::vector<double> zeros(double lower, double upper, int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(lower + (upper - lower) * 0.5 * (1.0 - std::cos(pi * (i + 0.5) / n)));
  return points;
}

// The case is a frame: it names k, and is not solved.
inline Case frame(const std::string& domain, const std::string& data) {
  return read_case_text("domain: " + domain + "\nunknowns: [u]\nequations: [\"u = 1\"]\ndata: {k: {" + data +
                            "}}\nresolution: {tolerance: 1.0e-6}\n",
                        "frame.yaml");
}

inline std::string text_of(const Case& the_case) {
  return describe_data_files(the_case).front().second;
}

inline double reported_error(const Case& the_case) {
  std::vector<Check> checks;
  std::vector<std::string> warnings;
  check_data_files(the_case, 1.0, checks, warnings);
  EXPECT_EQ(checks.size(), 1u);
  return checks.front().value;
}

inline double at(const Case& the_case, const std::vector<double>& point, std::vector<int> orders = {}) {
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

inline std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

inline std::string poisson(const std::string& file, const std::string& rest = "") {
  return "domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
         "}}\nequations: [\"dx(k*dx(u)) = dx((1 + 0.5*sin(3*x))*exp(x))\"]\n"
         "boundary: [\"u(x=0) = 1\", \"u(x=1) = exp(1)\"]\nexact: {u: \"exp(x)\"}\nresolution: {degree: {x: 24}}\n" +
         rest;
}

inline double coefficient(double x) {
  return 1.0 + 0.5 * std::sin(3.0 * x);
}

}  // namespace gwrm::test
