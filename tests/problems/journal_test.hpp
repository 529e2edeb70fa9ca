// What tests of interrupted runs have in common: a folder of their own for the journal, a run that stops after some
// windows, and one that continues it.
#pragma once

#include <filesystem>
#include <string>

#include "problems/run_case.hpp"

namespace gwrm::test {

class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);  // of a test that was killed
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "run.journal").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  RunOutcome interrupted_after(const std::string& yaml, int windows, bool restart = false) {
    int finished = 0;
    RunControl control;
    control.journal = path_;
    control.restart = restart;
    control.progress = [&](double, const std::string&) { ++finished; };
    control.interrupted = [&] { return finished >= windows; };
    return run_case(yaml, control);
  }
  RunOutcome continued(const std::string& yaml) {
    RunControl control;
    control.journal = path_;
    control.restart = true;
    return run_case(yaml, control);
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("gwrm_journal_test_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name()) +
       "_" + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string path_;
};

}  // namespace gwrm::test
