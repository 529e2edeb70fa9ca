// Code that is compiled while the program runs, its cache on disk, and the programs that are interpreted where there is
// no compiler.
#include "kernels/device/run_time_compiler.cuh"
//
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "core/context.hpp"
#include "core/errors.hpp"
#include "device_array_test.hpp"
#include "kernels/device/device_pool.cuh"
#include "kernels/device/point_interpreter.cuh"
#include "kernels/device/run_time_compiler.hpp"
#include "random_array.hpp"

namespace gwrm::cuda {
namespace {

namespace fs = std::filesystem;

class DevicePrograms : public test::DeviceArrayTest {
 protected:
  test::Random random_{29};
};

class DeviceCode : public DevicePrograms {
 protected:
  void SetUp() override {
    DevicePrograms::SetUp();
    if (IsSkipped()) return;
    if (!run_time_compiler_missing().empty()) GTEST_SKIP() << run_time_compiler_missing();
    folder_ = fs::temp_directory_path() / ("gwrm_cache_test_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    ASSERT_EQ(setenv("GWRM_CACHE", folder_.c_str(), 1), 0);
  }
  void TearDown() override {
    unsetenv("GWRM_CACHE");
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  double answer(const std::string& source) {
    DeviceArray x = send({0.0});
    const DeviceProgram program(source, "a test");
    double* target = x.data();
    void* arguments[] = {&target};
    GWRM_DEVICE(cudaLaunchKernel(program.kernel("answer"), dim3(1), dim3(1), arguments, 0, handles().stream));
    return fetch(x).front();
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    for (const auto& entry : fs::directory_iterator(folder_)) result.push_back(entry.path());
    return result;
  }

  fs::path folder_;
  const std::string source_ = "extern \"C\" __global__ void answer(double* x) { *x = 42.0; }";
};

TEST_F(DeviceCode, IsKeptAndADamagedFileReplaced) {
  EXPECT_EQ(answer(source_), 42.0);
  ASSERT_EQ(files().size(), 1u);
  const fs::path file = files().front();
  const auto size = fs::file_size(file);
  const auto written = fs::last_write_time(file);
  EXPECT_EQ(answer(source_), 42.0);
  EXPECT_EQ(fs::last_write_time(file), written) << "it was compiled again";
  for (const auto length : {size / 2, std::uintmax_t{0}}) {
    fs::resize_file(file, length);
    EXPECT_EQ(answer(source_), 42.0);
    EXPECT_EQ(fs::file_size(file), size) << "the damaged file was not replaced";
  }
  // Every part of it: the heading, the key, the code, the checksum.
  for (const auto place : {std::uintmax_t{3}, std::uintmax_t{60}, size / 2, size - 3}) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(place));
    stream << "damage";
    stream.close();
    EXPECT_EQ(answer(source_), 42.0) << place;
    EXPECT_EQ(fs::file_size(file), size) << "the damaged file was not replaced";
  }
}

TEST_F(DeviceCode, OfAnotherSourceUnderTheSameNameIsNotTaken) {
  EXPECT_EQ(answer(source_), 42.0);
  const fs::path first = files().front();
  const std::string other = "extern \"C\" __global__ void answer(double* x) { *x = 43.0; }";
  EXPECT_EQ(answer(other), 43.0);
  ASSERT_EQ(files().size(), 2u);
  for (const fs::path& file : files())
    if (file != first) fs::copy_file(first, file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(answer(other), 43.0);
}

TEST_F(DeviceCode, NeedsNoFolderThatCanBeWritten) {
  { std::ofstream(folder_) << "a file in its place"; }
  EXPECT_EQ(answer(source_), 42.0);
  EXPECT_TRUE(fs::is_regular_file(folder_));
  ASSERT_EQ(setenv("GWRM_CACHE", "off", 1), 0);
  EXPECT_EQ(answer(source_), 42.0);
}

TEST_F(DeviceCode, OfSeveralRunsAtOnceIsWhole) {
  // Threads compile and read one file over and over while one of them keeps damaging it.
  std::vector<std::vector<char>> codes(6);
  const std::vector<char> expected = compile_for_device(source_, "a test");
  const fs::path file = files().front();
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < codes.size(); ++t)
    threads.emplace_back([&, t] {
      GWRM_DEVICE(cudaSetDevice(0));
      for (int turn = 0; turn < 20; ++turn) {
        std::error_code ignored;
        if (t == 0) fs::resize_file(file, 100, ignored);
        codes[t] = compile_for_device(source_, "a test");
        if (codes[t] != expected) return;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<char>& code : codes) EXPECT_EQ(code, expected);
  EXPECT_EQ(files().size(), 1u) << "files under other names were left behind";
}

TEST_F(DeviceCode, MistakesAreReported) {
  EXPECT_THROW(DeviceProgram("extern \"C\" __global__ void answer( {", "a mistake"), DeviceError);
}

// --- interpreted ---

struct Operation {
  PointOp op;
  std::function<double(double, double)> expected;
};

TEST_F(DevicePrograms, InterpretedOperationsAreThoseOfTheHost) {
  const std::vector<Operation> operations = {
      {PointOp::negate, [](double a, double) { return -a; }},
      {PointOp::add, [](double a, double b) { return a + b; }},
      {PointOp::subtract, [](double a, double b) { return a - b; }},
      {PointOp::multiply, [](double a, double b) { return a * b; }},
      {PointOp::divide, [](double a, double b) { return a / b; }},
      {PointOp::power, [](double a, double b) { return std::pow(a, b); }},
      {PointOp::whole_power, [](double a, double) { return 1.0 / (a * a * a); }},
      {PointOp::number, [](double, double) { return -3.0; }},
      {PointOp::minimum, [](double a, double b) { return std::min(a, b); }},
      {PointOp::maximum, [](double a, double b) { return std::max(a, b); }},
      {PointOp::atan2, [](double a, double b) { return std::atan2(a, b); }},
      {PointOp::abs, [](double a, double) { return std::abs(a); }},
      {PointOp::sign, [](double a, double) { return a > 0   ? 1.0
                                                    : a < 0 ? -1.0
                                                            : 0.0; }},
      {PointOp::step, [](double a, double) { return a > 0   ? 1.0
                                                    : a < 0 ? 0.0
                                                            : 0.5; }},
      {PointOp::sqrt, [](double a, double) { return std::sqrt(a); }},
      {PointOp::exp, [](double a, double) { return std::exp(a); }},
      {PointOp::log, [](double a, double) { return std::log(a); }},
      {PointOp::erf, [](double a, double) { return std::erf(a); }},
      {PointOp::sin, [](double a, double) { return std::sin(a); }},
      {PointOp::cos, [](double a, double) { return std::cos(a); }},
      {PointOp::tan, [](double a, double) { return std::tan(a); }},
      {PointOp::asin, [](double a, double) { return std::asin(a); }},
      {PointOp::acos, [](double a, double) { return std::acos(a); }},
      {PointOp::atan, [](double a, double) { return std::atan(a); }},
      {PointOp::sinh, [](double a, double) { return std::sinh(a); }},
      {PointOp::cosh, [](double a, double) { return std::cosh(a); }},
      {PointOp::tanh, [](double a, double) { return std::tanh(a); }}};
  // a varies along both axes of 31 x 33 points, b along the second; negative, zero, and where functions are defined.
  const Shape shape{31, 33};
  std::vector<double> a = random_.array(shape).data, b = random_.array({33}).data;
  a[0] = 0.0;
  const DeviceArray on_device_a = send(a), on_device_b = send(b);
  for (const Operation& operation : operations) {
    DeviceArray result = send(std::vector<double>(a.size(), std::nan("")));
    const PointProgram program(handles(), shape, {{on_device_a.data(), {33, 1}}, {on_device_b.data(), {0, 1}}},
                               {result.data()},
                               {{PointOp::load, 7, 0, -1, 0.0},
                                {PointOp::load, 8, 1, -1, 0.0},
                                {operation.op, 9, 7, 8, -3.0},
                                {PointOp::store, 0, 9, -1, 0.0}});
    program.run(handles());
    const std::vector<double> got = fetch(result);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double expected = operation.expected(a[i], b[i % 33]);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(got[i])) << static_cast<int>(operation.op) << " of " << a[i];
      else if (std::isinf(expected))
        ASSERT_EQ(got[i], expected) << static_cast<int>(operation.op) << " of " << a[i];
      else
        ASSERT_NEAR(got[i], expected, 1e-14 * (1.0 + std::abs(expected))) << static_cast<int>(operation.op);
    }
  }
}

TEST_F(DevicePrograms, InterpretedMinimaPropagateNaN) {
  const double nan = std::nan("");
  const DeviceArray a = send({nan, 1.0}), b = send({1.0, nan});
  DeviceArray low = send({0.0, 0.0}), high = send({0.0, 0.0});
  const PointProgram program(handles(), {2}, {{a.data(), {1}}, {b.data(), {1}}}, {low.data(), high.data()},
                             {{PointOp::load, 0, 0, -1, 0.0},
                              {PointOp::load, 1, 1, -1, 0.0},
                              {PointOp::minimum, 2, 0, 1, 0.0},
                              {PointOp::maximum, 3, 0, 1, 0.0},
                              {PointOp::store, 0, 2, -1, 0.0},
                              {PointOp::store, 1, 3, -1, 0.0}});
  program.run(handles());
  for (double value : fetch(low)) EXPECT_TRUE(std::isnan(value));
  for (double value : fetch(high)) EXPECT_TRUE(std::isnan(value));
}

// sum_k k a^k by Horner's rule takes three registers, however long it is.
TEST_F(DevicePrograms, RegistersAreUsedAgain) {
  constexpr int kDegree = 40;
  std::vector<PointInstruction> horner = {{PointOp::load, 0, 0, -1, 0.0}, {PointOp::number, 1, -1, -1, kDegree}};
  int last = 1, next = 2;
  for (int k = kDegree - 1; k >= 0; --k) {
    horner.push_back({PointOp::multiply, next, last, 0, 0.0});
    horner.push_back({PointOp::number, next + 1, -1, -1, static_cast<double>(k)});
    horner.push_back({PointOp::add, next + 2, next, next + 1, 0.0});
    last = next + 2;
    next += 3;
  }
  horner.push_back({PointOp::store, 0, last, -1, 0.0});
  std::vector<PointInstruction> copy = horner;
  EXPECT_EQ(allocate_registers(copy), 3);
  for (std::size_t n : {1, 255, 256, 257, 300001}) {
    std::vector<double> a = random_.array({static_cast<Index>(n)}).data;
    const DeviceArray on_device = send(a);
    DeviceArray result = send(std::vector<double>(n, std::nan("")));
    PointProgram(handles(), {static_cast<Index>(n)}, {{on_device.data(), {1}}}, {result.data()}, horner).run(handles());
    const std::vector<double> got = fetch(result);
    for (std::size_t i = 0; i < n; ++i) {
      double expected = 0.0;
      for (int k = kDegree; k >= 0; --k) expected = expected * a[i] + k;
      ASSERT_NEAR(got[i], expected, 1e-13 * (1.0 + kDegree * kDegree));
    }
  }
}

TEST_F(DevicePrograms, TooManyValuesAtATimeAreRefused) {
  std::vector<PointInstruction> program;
  for (int k = 0; k <= kPointRegisters; ++k) program.push_back({PointOp::number, k, -1, -1, 1.0});
  int last = 0;
  for (int k = 1; k <= kPointRegisters; ++k) {
    program.push_back({PointOp::add, kPointRegisters + k, last, k, 0.0});
    last = kPointRegisters + k;
  }
  DeviceArray result = send({0.0});
  program.push_back({PointOp::store, 0, last, -1, 0.0});
  EXPECT_THROW(PointProgram(handles(), {1}, {}, {result.data()}, program), MemoryError);
}

}  // namespace
}  // namespace gwrm::cuda
