// What writing a result takes beside the result: the peak of the process's memory while the file is written, less what
// it is before.
#include <gtest/gtest.h>
#include <malloc.h>
#include <omp.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "output/hdf5_file.hpp"
#include "output/sample_solution.hpp"

namespace gwrm::output_memory_test {
namespace {

constexpr double kAllowed = 64e6;

// Resident memory in bytes: VmRSS now, VmHWM the largest since the peak was forgotten.
double resident_memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(name + ":", 0) == 0) return 1024.0 * std::stod(line.substr(name.size() + 1));
  return -1.0;
}

bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

// Smooth functions with some noise in the last digits: a file of half the size.
double value_at(std::size_t i, std::mt19937_64& random) {
  return std::sin(1e-4 * static_cast<double>(i)) + 1e-9 * static_cast<double>(random() % 1024);
}

// 160 MB of sampled fields and 100 MB of coefficients, padded from window to window.
struct LargeResult {
  Solution solution;
  RunReport report = test::sample_report();
  GridPoints grid;
  std::vector<SampledField> fields;
  std::vector<FieldStatistics> statistics;

  LargeResult() {
    constexpr int n_windows = 40;
    std::mt19937_64 random(1);
    solution.axes = {{"t", AxisKind::time, 0.0, n_windows, MapKind::linear},
                     {"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
    for (int w = 0; w <= n_windows; ++w) solution.window_edges.push_back(w);
    FieldSolution u{"u", {0, 1}, {}};
    for (int w = 0; w < n_windows; ++w) {
      solution.subdomains.push_back(
          {{w % 2 == 0 ? 15 : 12, {1.0 * w, w + 1.0}}, {w % 3 == 0 ? 25000 : 20000, {0.0, 1.0}}});
      Array& a = u.windows.emplace_back(
          Shape{solution.subdomains.back()[0].n_coefficients(), solution.subdomains.back()[1].n_coefficients()});
      for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] = value_at(i, random);
    }
    solution.fields.push_back(std::move(u));
    grid = {test::equidistant(0.0, n_windows, 1000), test::equidistant(0.0, 1.0, 10000)};
    for (const char* name : {"a", "b"}) {
      Array values({1000, 10000});
      for (std::size_t i = 0; i < values.data.size(); ++i) values.data[i] = value_at(i, random);
      fields.push_back({name, name, {0, 1}, std::move(values)});
    }
  }
};

TEST(OutputMemory, does_not_grow_with_the_result) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  const auto path = std::filesystem::temp_directory_path() / ("gwrm_memory_" + std::to_string(getpid()) + ".h5");
  const LargeResult result;
  omp_set_num_threads(16);
  malloc_trim(0);  // what other tests have left
  if (!forget_peak()) GTEST_SKIP() << "the peak of the memory cannot be reset here";
  const double before = resident_memory("VmRSS");
  write_hdf5(path.string(), {result.solution, result.report, result.grid, result.fields, result.statistics}, true);
  const double more = resident_memory("VmHWM") - before;
  RecordProperty("megabytes", static_cast<int>(more / 1e6));
  EXPECT_GT(before, 250e6);
  EXPECT_LE(more, kAllowed);
  EXPECT_GE(std::filesystem::file_size(path), 100e6);  // else the test would say nothing
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gwrm::output_memory_test
