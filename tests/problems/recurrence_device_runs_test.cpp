// Whole runs of problem: recurrence_bvp on the device, every recurrence with every kind of source, against those of the
// CPU. Skipped where there is no device.
#include <filesystem>

#include "output/hdf5_file.hpp"
#include "problems/run_case.hpp"

namespace gwrm::recurrence_device_runs_test {
namespace {

using test::replaced;
using test::run_case;

const std::string kStart = "problem: recurrence_bvp\ndomain: {x: [0, 1]}\nunknowns: [u]\n";

struct DeviceCase {
  const char* name;
  const char* conditions;
  const char* reaction;
  const char* source;
  Index coarsest = 40;  // intervals
};

// The sources of the last two need a shift.
const DeviceCase kCases[] = {
    {"poisson", "[\"dx(u)(x=0) = 0\", \"u(x=1) = 0\"]", "0", "pi^2/4*cos(pi/2*x)"},
    {"shooting", "[\"u(x=0) = 2\", \"dx(u)(x=1) = 2*exp(2)\"]", "0.7^2", "(0.49 - 4)*exp(2*x) + 0.49"},
    {"two_sided", "[\"dx(u)(x=0) = u(x=0) + 3\", \"u(x=1) = exp(1) + sin(3)\"]", "100", "99*exp(x) + 109*sin(3*x)"},
    {"two_sided_steep", "[\"u(x=0) = 1\", \"u(x=1) = 2\"]", "3000^2", "1 + x^2*cos(7*x)", 2000},
    {"integral", "[\"u(x=0) = 1\", \"integral(u, x) = 3\"]", "0", "1 + exp(x)"},
    {"two_slopes", "[\"dx(u)(x=0) = 0\", \"dx(u)(x=1) = 0\", \"integral(u, x) = 0.5\"]", "0",
     "pi^2*cos(pi*x) + 1.0e-5"},
    {"period", "[\"u(x=0) = u(x=1)\", \"dx(u)(x=0) = dx(u)(x=1)\", \"integral(u, x) = 0\"]", "0",
     "sin(2*pi*x) + cos(4*pi*x) - 1.0e-5"}};

std::string case_text(const DeviceCase& given, Index intervals, int order, const std::string& source) {
  return kStart + "boundary: " + given.conditions + "\nrecurrence: {intervals: " + std::to_string(intervals) +
         ", order: " + std::to_string(order) + ", reaction: " + given.reaction + ", source: " + source +
         "}\noutput: {grid: {x: 1001}}\nverification: {residual: 1.0e-8, tolerance: 1.0e-4}\n";
}

class DeviceRecurrenceRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
  }
  static void expect_alike(const std::string& text, const std::string& name, double bound) {
    SCOPED_TRACE(name);
    const RunOutcome expected = run_case(text);
    const RunOutcome found =
        make_problem(read_case_text(text, "test.yaml"))->run(Context::create(BackendChoice::cuda, 1), {});
    ASSERT_TRUE(expected.complete) << expected.report.reason;
    ASSERT_TRUE(found.complete) << found.report.reason;
    EXPECT_NE(found.report.device, expected.report.device);
    EXPECT_EQ(found.report.verification.passed(), expected.report.verification.passed()) << found.report.reason;
    const std::vector<double>&u = found.fields.at(0).values.data, &v = expected.fields.at(0).values.data;
    ASSERT_EQ(u.size(), v.size());
    double largest = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      largest = std::max(largest, std::abs(v[i]));
      worst = std::max(worst, std::abs(u[i] - v[i]));
    }
    EXPECT_LE(worst, bound * largest);
  }
};

// Sources whose values differ by a rounding here and there, by the addition theorem on either side.
TEST_F(DeviceRecurrenceRuns, ExpressionsGiveTheAnswerOfTheCpu) {
  for (const DeviceCase& given : kCases)
    for (Index intervals : {40, 1000, 65536, 2097157})
      for (int order : {2, 4})
        if (intervals >= given.coarsest)
          expect_alike(case_text(given, intervals, order, std::string("\"") + given.source + "\""),
                       std::string(given.name) + ", " + std::to_string(intervals) + ", order " + std::to_string(order),
                       2e-14);
}

TEST_F(DeviceRecurrenceRuns, DatasetsGiveTheAnswerOfTheCpu) {
  const std::string path = (std::filesystem::temp_directory_path() / "gwrm_recurrence_device_source.h5").string();
  for (const DeviceCase& given : kCases) {
    std::string text = case_text({given.name, "[\"u(x=0) = 0\", \"u(x=1) = 0\"]", "0", given.source}, 30000, 2,
                                 std::string("\"") + given.source + "\"");
    RunOutcome stored = run_case(replaced(text, "grid: {x: 1001}", "grid: {x: 30001}, fields: {f: \"-dx(u,2)\"}"));
    write_hdf5(path, stored.output_data(), true);
    for (int order : {2, 4})
      expect_alike(case_text(given, 30000, order, "{file: \"" + path + "\", dataset: f}"), given.name, 2e-14);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gwrm::recurrence_device_runs_test
