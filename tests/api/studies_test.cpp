// Studies and sweeps of the public header, used as a program would.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <span>

#include "api/gwrm.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm::api::studies_test {
namespace {

namespace fs = std::filesystem;

const std::string kHeat = R"yaml(
title: heat
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-nu*pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 12, x: 14}}
verification: {tolerance: 1.0e-6}
output: {grid: {t: 3, x: 5}, fields: {u: u}}
)yaml";

// A folder that is empty and goes with the test.
class Folder {
 public:
  // Tests run beside each other.
  Folder() : path_(fs::temp_directory_path() / ("gwrm_studies_test_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

TEST(ApiStudy, ErrorsFallExponentially) {
  const Study study = Case::from_text(kHeat).converge({{"x", "[4, 6, 8, 10]"}}, {.threads = 1});
  EXPECT_EQ(study.exit_status(), 0);
  EXPECT_EQ(study.law(), "exponential");
  EXPECT_EQ(study.keys(), std::vector<std::string>{"x"});
  ASSERT_EQ(study.levels().size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(study.levels()[i].error, 0.1 * study.levels()[i - 1].error);
  EXPECT_NE(study.report().find("law: exponential"), std::string::npos);
  const Folder folder;
  study.write(folder.file("study.h5"));
  EXPECT_TRUE(fs::exists(folder.file("study.h5")));
  EXPECT_THROW(study.write(folder.file("study.h5")), Error);
  EXPECT_THROW((void)Case::from_text(kHeat).converge({{"y", "[4, 6]"}}), Error);
  EXPECT_THROW((void)Case::from_text(kHeat).converge(), Error);  // the case has no section `convergence`
}

TEST(ApiStudy, ManufacturedDataHaveTheExactSolution) {
  const Case made = Case::from_text(kHeat, "heat", {{"exact.u", "cos(t)*x*(1 - x)*exp(x)"}}).manufactured();
  EXPECT_TRUE(made.run({.threads = 1}).verified());
  const Study study = made.converge({{"x", "[4, 6, 8]"}}, {.threads = 1});
  EXPECT_LT(study.levels()[2].error, 1e-2 * study.levels()[0].error);
}

TEST(ApiSweep, EveryRunHasTheNumbersThatItHasAlone) {
  const Folder folder;
  SweepOptions sweep;
  sweep.vary = {"constants.nu=0.1,0.2"};
  sweep.output = folder.file("sweep.h5");
  const SweepEnd end = Case::from_text(kHeat).sweep(sweep, {.threads = 1});
  EXPECT_TRUE(end.complete);
  EXPECT_EQ(end.exit_status, 0);
  EXPECT_EQ(end.file, sweep.output);
  EXPECT_FALSE(fs::exists(folder.file("sweep.journal")));
  EXPECT_NE(end.report.find("2 converged"), std::string::npos);
  const StoredSweep stored = read_sweep(sweep.output);
  const StoredVariable* const u = stored.find("u");
  ASSERT_NE(u, nullptr);
  const Result alone = Case::from_text(kHeat, "heat", {{"constants.nu", "0.2"}}).run({.threads = 1});
  const std::span<const double> values = alone.field("u").values;
  ASSERT_EQ(u->numbers.size(), 2 * values.size());
  EXPECT_TRUE(
      std::equal(values.begin(), values.end(), u->numbers.begin() + static_cast<std::ptrdiff_t>(values.size())));
  EXPECT_THROW((void)Case::from_text(kHeat).sweep(sweep), Error);  // the file is there
  sweep.vary = {"constants.mu=0.1,0.2"};
  EXPECT_THROW((void)Case::from_text(kHeat).sweep(sweep), Error);
}

TEST(ApiSweep, AnInterruptedOneGoesOnFromItsJournal) {
  const Folder folder;
  SweepOptions sweep;
  sweep.vary = {"constants.nu=0.1:0.4:20"};
  sweep.output = folder.file("sweep.h5");
  std::atomic<int> told = 0;
  RunOptions options;
  options.threads = 1;
  options.progress = [&](double, const std::string&) { ++told; };
  options.interrupted = [&] { return told > 3; };
  const SweepEnd interrupted = Case::from_text(kHeat).sweep(sweep, options);
  EXPECT_FALSE(interrupted.complete);
  EXPECT_EQ(interrupted.exit_status, 130);
  EXPECT_GT(interrupted.n_ended, 0u);
  EXPECT_LT(interrupted.n_ended, 20u);
  EXPECT_FALSE(fs::exists(sweep.output));

  const SweepEnd part = sweep_so_far(interrupted.journal, folder.file("part.h5"));
  EXPECT_EQ(part.n_ended, interrupted.n_ended);
  EXPECT_FALSE(part.complete);
  const SweepEnd whole = continue_sweep(interrupted.journal, false, {.threads = 1});
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.file, sweep.output);
  const StoredSweep stored = read_sweep(whole.file);
  for (const double status : stored.find("exit_status")->numbers) EXPECT_EQ(status, 0.0);
}

}  // namespace
}  // namespace gwrm::api::studies_test
