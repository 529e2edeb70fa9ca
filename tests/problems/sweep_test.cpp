#include "problems/sweep/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "case/case_reader.hpp"
#include "output/stored_sweep.hpp"
#include "output/sweep_file.hpp"
#include "problems/registry.hpp"
#include "problems/sweep/distribution.hpp"
#include "problems/sweep/swept_values.hpp"
#include "problems/sweep/unit_samples.hpp"

namespace gwrm::test::sweep_test {
namespace {

// x' = -k x: a run takes a millisecond.
const char* const kDecay = R"yaml(schema: 1
title: decay
domain: {t: [0, 1]}
constants: {k: 1, c: 2}
unknowns: [v]
equations: ["dt(v) = -k*v + 0*c"]
initial: {v: "1"}
resolution: {degree: {t: 12}}
output: {grid: {t: 3}}
)yaml";

Case decay(const std::vector<Override>& changes = {}) {
  return read_case_text(kDecay, "decay.yaml", changes);
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

TEST(SweptValues, ListsRangesAndQuotes) {
  EXPECT_EQ(parse_swept_values("x=24,32").values, (std::vector<std::string>{"24", "32"}));
  EXPECT_EQ(parse_swept_values("x=[24, 32]").values, (std::vector<std::string>{"24", "32"}));
  EXPECT_EQ(parse_swept_values("e=[[0,0.5,1],[0,1]]").values, (std::vector<std::string>{"[0, 0.5, 1]", "[0, 1]"}));
  EXPECT_EQ(parse_swept_values("u=\"max(x,0)\",sin(pi*x)").values.back(), "sin(pi*x)");
  EXPECT_EQ(parse_swept_values("nu=0:1:5").values, (std::vector<std::string>{"0", "0.25", "0.5", "0.75", "1"}));
  const std::vector<std::string> ratios = parse_swept_values("nu=0.01:1:3:log").values;
  EXPECT_EQ(ratios.front(), "0.01");
  EXPECT_NEAR(std::stod(ratios[1]), 0.1, 1e-16);
  EXPECT_EQ(ratios.back(), "1");
  EXPECT_NE(error_of([] { parse_swept_values("u=max(x,0),1"); }).find("put quotes"), std::string::npos);
}

// The inverse against the distribution itself, whose error of rounding is 1e-16 in p.
TEST(Distribution, InverseOfTheNormalDistribution) {
  for (double p : {1e-300, 1e-17, 1e-5, 0.02425, 0.1, 0.3, 0.5, 0.75, 0.99, 1.0 - 1e-9}) {
    const double x = normal_quantile(p), back = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    EXPECT_NEAR(back, p, 4e-16 * (p + std::abs(x) * density + 1e-300)) << p;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  EXPECT_NEAR(parse_distribution("lognormal(1, 0.5)", "")->quantile(0.5), std::exp(1.0), 1e-15);
  EXPECT_EQ(parse_distribution("uniform(2, 4)", "")->quantile(0.25), 2.5);
  EXPECT_FALSE(parse_distribution("sin(2)", "").has_value());
}

// Joe and Kuo's own table of the first points in two dimensions; every coordinate of 2^k points lies once in each
// interval of length 2^-k.
TEST(UnitSamples, SobolSequence) {
  SobolSequence sequence(3);
  const double expected[][3] = {{0, 0, 0},
                                {0.5, 0.5, 0.5},
                                {0.75, 0.25, 0.25},
                                {0.25, 0.75, 0.75},
                                {0.375, 0.375, 0.625},
                                {0.875, 0.875, 0.125},
                                {0.625, 0.125, 0.875},
                                {0.125, 0.625, 0.375}};
  for (const auto& point : expected) {
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(std::ldexp(sequence.point()[d], -32), point[d]);
    sequence.advance();
  }
  constexpr std::size_t kCount = 256;
  const auto samples = unit_samples(kCount, kMostSobolDimensions, 5, true);  // shifted, which changes nothing in this
  for (std::size_t d = 0; d < kMostSobolDimensions; ++d) {
    std::vector<int> hits(kCount, 0);
    for (const auto& sample : samples) ++hits[static_cast<std::size_t>(sample[d] * kCount)];
    EXPECT_EQ(hits, std::vector<int>(kCount, 1)) << d;
  }
  EXPECT_THROW(SobolSequence(kMostSobolDimensions + 1), CaseError);
}

// The first number of MT19937-64 with the seed 1 is 2469588189546311528.
TEST(UnitSamples, RandomNumbersAreTheSameEverywhere) {
  const auto one = unit_samples(3, 2, 1, false), again = unit_samples(3, 2, 1, false);
  EXPECT_EQ(one, again);
  EXPECT_NE(one, unit_samples(3, 2, 2, false));
  for (const auto& sample : one)
    for (double coordinate : sample) EXPECT_TRUE(coordinate > 0.0 && coordinate < 1.0);
  EXPECT_NEAR(one[0][0], std::ldexp(2469588189546311528.0, -64), 1e-15);
}

TEST(SweepPoints, TheLastDimensionIsTheFastest) {
  SweepRequest request;
  request.vary = {"constants.k=1,2", "t=8,10,12", "constants.c=uniform(0,1)"};
  request.n_samples = 4;
  const SweepPoints points = sweep_points(problem_modules(), decay(), request);
  EXPECT_EQ(points.extents(), (std::vector<std::size_t>{2, 3, 4}));
  EXPECT_EQ(points.dimensions[1].keys.front().key, "resolution.degree.t");
  EXPECT_EQ(points.dimensions[1].name, "degree_t");
  EXPECT_EQ(points.dimensions[2].name, "sample");
  EXPECT_EQ(points.dimensions[2].keys.front().name, "c");
  const auto values = points.values_of(12 + 4 + 3);
  EXPECT_EQ(values[0].second, "2");
  EXPECT_EQ(values[1].second, "10");
  EXPECT_EQ(values[2].second, points.dimensions[2].keys.front().values[3]);
}

TEST(SweepPoints, WrongKeysAndValuesAreToldBeforeAnythingRuns) {
  const auto told = [](const std::vector<std::string>& vary) {
    return error_of([&] {
      SweepRequest request;
      request.vary = vary;
      const Case base = decay();
      const SweepPoints points = sweep_points(problem_modules(), base, request);
      check_points(problem_modules(), base, points, decay, 2);
    });
  };
  EXPECT_NE(told({"constants.kk=1,2"}).find("did you mean `k`"), std::string::npos);
  EXPECT_NE(told({"resolution.degre.t=1,2"}).find("did you mean `degree`"), std::string::npos);
  EXPECT_NE(told({"t=8,9,-1"}).find("run 2 of 3 (resolution.degree.t = -1)"), std::string::npos);
  EXPECT_NE(told({"constants.k=0:1:2000", "constants.c=0:1:2000"}).find("4000000 runs"), std::string::npos);
  EXPECT_EQ(told({"constants.k=1,2"}), "");
}

class SweepFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("gwrm_sweep_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    SweepRequest request;
    request.vary = {"constants.k=1,2,3,4,5,6", "resolution.degree.t=10,12"};
    header_.points = sweep_points(problem_modules(), decay(), request);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void run(SweepJournal& journal, const std::vector<bool>& ended, int n_threads, const RunControl& control = {}) const {
    SweepExecution execution;
    execution.backend = BackendChoice::cpu;
    execution.n_threads = n_threads;
    Team alone;
    run_sweep(alone, problem_modules(), decay, order_of_runs(ended, {}), execution, journal, control);
  }

  std::filesystem::path folder_;
  SweepHeader header_;
};

TEST_F(SweepFiles, ATornJournalIsContinuedToTheSameResult) {
  {
    SweepJournal whole(path("whole.journal"), header_, false);
    run(whole, std::vector<bool>(12, false), 1);
    const SweepTotals totals = write_sweep(path("whole.h5"), whole.path(), {}, false);
    EXPECT_EQ(totals.n_ended, 12u);
    EXPECT_EQ(totals.first_failure, 0);
  }
  const auto size = std::filesystem::file_size(path("whole.journal"));
  std::filesystem::copy_file(path("whole.journal"), path("torn.journal"));
  std::filesystem::resize_file(path("torn.journal"), size / 2);
  std::vector<bool> ended(12, false);
  SweepJournal torn(path("torn.journal"), [&](const SweepRun& done) { ended[done.run] = true; });
  const auto n_ended = std::count(ended.begin(), ended.end(), true);
  EXPECT_TRUE(n_ended > 2 && n_ended < 10) << n_ended;
  run(torn, ended, 2);
  std::size_t n_records = scan_sweep_journal(path("torn.journal")).n_records;
  EXPECT_EQ(n_records, 12u) << "each run exactly once";
  write_sweep(path("torn.h5"), torn.path(), {}, false);

  const StoredSweep one = read_sweep(path("whole.h5")), other = read_sweep(path("torn.h5"));
  ASSERT_EQ(one.variables.size(), other.variables.size());
  for (std::size_t i = 0; i < one.variables.size(); ++i) {
    const StoredVariable &a = one.variables[i], &b = other.variables[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.dims, b.dims);
    if (a.name != "wall_seconds") {
      EXPECT_EQ(a.numbers, b.numbers) << a.name;
    }
    EXPECT_EQ(a.texts, b.texts) << a.name;
  }
  const StoredVariable* v = one.find("v");
  ASSERT_NE(v, nullptr);
  EXPECT_EQ(v->dims, (std::vector<std::string>{"k", "degree_t", "t"}));
  EXPECT_NEAR(v->numbers[2 * 2 * 3 + 2], std::exp(-3.0), 1e-7);  // k = 3, degree 10, t = 1
}

TEST_F(SweepFiles, JournalsAreToldApart) {
  SweepJournal journal(path("a.journal"), header_, false);
  EXPECT_THROW(scan_journal(path("a.journal")), OutputError);
  EXPECT_THROW(SweepJournal(path("a.journal"), header_, false), OutputError) << "there already";
  { std::ofstream(path("b.journal")) << "gwrmswep and no more"; }
  EXPECT_THROW(scan_sweep_journal(path("b.journal")), OutputError);
}

// "not estimated" (9) is the status of a sweep only if no run has failed.
TEST_F(SweepFiles, AFailedRunCountsBeforeOneThatIsNotEstimated) {
  const auto status_of_runs = [&](const std::vector<int>& statuses) {
    SweepJournal journal(path("a.journal"), header_, true);
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      SweepRun run;
      run.run = i;
      run.exit_status = statuses[i];
      run.status = "ended";
      journal.append(run);
    }
    journal.flush();
    return write_sweep(path("a.h5"), path("a.journal"), {}, true).first_failure;
  };
  EXPECT_EQ(status_of_runs({0, 9, 0}), 9);
  EXPECT_EQ(status_of_runs({9, 3, 6}), 3);
  EXPECT_EQ(status_of_runs({6, 9, 3}), 6);
  EXPECT_EQ(status_of_runs({0, 0}), 0);
}

// With checksums that hold.
TEST_F(SweepFiles, ForgedRecordsAreNone) {
  const auto is_read = [](const std::function<void(SweepRun&)>& forge) {
    SweepRun run;
    run.run = 1;
    run.axes = {{"t", true, {0.0, 0.5, 1.0}, {}}, {"names", false, {}, {"a", "b"}}};
    run.arrays = {{"", "v", "v", "v", "", {"t"}, Array({3})},
                  {"statistics", "m", "m", "v", "", {"names", "t"}, Array({2, 3})}};
    forge(run);
    return sweep_run_of_bytes(bytes_of(run), 12).has_value();
  };
  EXPECT_TRUE(is_read([](SweepRun&) {}));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.run = 12; }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.axes[0].points.pop_back(); }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.arrays[0].values = Array({1000}); }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.arrays[1].axes = {"t", "names"}; }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.arrays[1].axes = {"names"}; }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.arrays[0].axes = {"y"}; }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.arrays[0].group = "checks"; }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.exit_status = 300; }));
  EXPECT_FALSE(is_read([](SweepRun& run) { run.exit_status = -1; }));
}

// A head of some thousand bytes that asks for 10^15 runs.
TEST_F(SweepFiles, AHeadOfTooManyRunsIsRefused) {
  SweepHeader header = header_;
  EXPECT_TRUE(sweep_header_of(bytes_of(header)).has_value());
  header.points.dimensions.assign(5, {"k", false, {{"constants.k", "k", std::vector<std::string>(1000, "1")}}});
  EXPECT_FALSE(sweep_header_of(bytes_of(header)).has_value());
}

TEST_F(SweepFiles, AnInterruptionLeavesWhatHasEnded) {
  SweepJournal journal(path("a.journal"), header_, false);
  int asked = 0;
  RunControl control;
  control.interrupted = [&] { return ++asked > 40; };
  run(journal, std::vector<bool>(12, false), 1, control);
  const std::size_t n_records = scan_sweep_journal(path("a.journal")).n_records;
  EXPECT_LT(n_records, 12u);
  const SweepTotals totals = write_sweep(path("a.h5"), path("a.journal"), {}, false);
  EXPECT_EQ(totals.n_ended, n_records);
}

}  // namespace
}  // namespace gwrm::test::sweep_test
