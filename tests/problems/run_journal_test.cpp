// When the windows of a run are written to its journal.
#include "problems/time_spectral/run_journal.hpp"

#include <filesystem>
#include <thread>

#include "problems/journal_test.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm::run_journal_test {
namespace {

class RunJournalTest : public test::JournalTest {
 protected:
  void SetUp() override {
    JournalTest::SetUp();
    control.journal = path_;
  }

  const Case the_case = read_case_text(
      "domain: {t: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = -u\"]\ninitial: {u: \"1\"}\n"
      "resolution: {degree: {t: 4}}\n",
      "test.yaml");
  const Model model = build_model(the_case);
  RunControl control;
};

MarchWindow window_of(Index n, double value) {
  Array a({n});
  a.data.assign(static_cast<std::size_t>(n), value);
  MarchWindow window;
  window.subdomains = {{4, {0.0, 1.0}}};
  window.fields = {{a}};
  window.restart_state = {{a}};
  return window;
}

// Windows that take longer to write than a tenth of the run so far wait, without the states of all but the last; what
// is asked for is written at once.
TEST_F(RunJournalTest, LargeWindowsWait) {
  constexpr Index kLarge = 8'000'000;  // 128 MB with the state
  std::vector<MarchWindow> windows;
  {
    RunJournal journal(control, the_case, model, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // a shorter run leaves no file
    for (double value : {1.0, 2.0}) {
      windows.push_back(window_of(kLarge, value));
      journal.update(windows, 0);
    }
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_TRUE(journal.is_done_with(0));
    EXPECT_FALSE(journal.is_done_with(1));
    windows[0].restart_state.clear();
    journal.write(windows, 0);
    EXPECT_TRUE(journal.is_done_with(1));
    journal.close();
  }
  const Journal read = read_journal(path_);
  ASSERT_EQ(read.windows.size(), 2U);
  EXPECT_EQ(read.windows[0].fields.size(), 1U);
  ASSERT_EQ(read.windows[1].fields.size(), 2U);
  EXPECT_EQ(read.windows[1].fields[1].data, windows[1].fields[0][0].data);
}

TEST_F(RunJournalTest, SmallWindowsAreWrittenAsTheyCome) {
  RunJournal journal(control, the_case, model, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  std::vector<MarchWindow> windows;
  for (double value : {1.0, 2.0, 3.0}) {
    windows.push_back(window_of(100, value));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    journal.update(windows, 0);
    EXPECT_TRUE(journal.is_done_with(windows.size() - 1));
  }
}

// A kill amid the writing of windows that waited: what is left ends in windows without their states, which are solved
// again. Where none has a state, the last is as good as any.
TEST_F(RunJournalTest, ContinuedBehindTheLastWindowWithAState) {
  for (const bool has_states : {true, false}) {
    std::vector<MarchWindow> windows;
    for (double start : {0.0, 0.25, 0.5}) {
      MarchWindow& window = windows.emplace_back(window_of(5, start));
      window.start = start;
      window.end = start + 0.25;
      window.subdomains[0].edges = {window.start, window.end};
      if (!has_states || start > 0.0) window.restart_state.clear();
    }
    control.restart = false;
    control.overwrite = true;
    {
      RunJournal journal(control, the_case, model, {});
      journal.write(windows, 0);
      journal.close();
    }
    control.restart = true;
    {
      RunJournal journal(control, the_case, model, {});
      std::vector<double> ends;
      journal.restore([&](MarchWindow&& window) { ends.push_back(window.end); });
      EXPECT_EQ(ends, has_states ? std::vector<double>{0.25} : (std::vector<double>{0.25, 0.5, 0.75}));
      windows.resize(2);
      windows[1].restart_state = {{window_of(5, 7.0).fields[0][0]}};
      journal.write(windows, 0);  // behind those that were kept
      journal.close();
    }
    const Journal read = read_journal(path_);
    ASSERT_EQ(read.windows.size(), has_states ? 2U : 3U);
    EXPECT_EQ(read.windows[1].fields.size(), has_states ? 2U : 1U);
  }
}

// Without a file nothing is read of windows that are gone: they were dropped as soon as nobody needed them.
TEST_F(RunJournalTest, WithoutAFileWindowsAreNotLookedAt) {
  control.journal.clear();
  RunJournal journal(control, the_case, model, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  std::vector<MarchWindow> windows = {window_of(3, 1.0), window_of(3, 2.0)};
  windows[0] = {};
  EXPECT_NO_THROW(journal.update(windows, 0));
  EXPECT_TRUE(journal.is_done_with(0));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace gwrm::run_journal_test
