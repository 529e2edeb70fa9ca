// Signals that come when the work is done.
#include "cli/interrupt.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "core/files_at_end.hpp"
#include "core/last_resort.hpp"

namespace gwrm::interrupt_test {
namespace {

// How a child ends that a signal meets: its exit status, or minus the signal.
template <class Work>
int end_of(const Work& before) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    cli::install_interrupt_handlers();
    before();
    kill(getpid(), SIGTERM);
    for (;;) pause();
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Interrupt, ACommandThatSolvesEndsWith130AndAnotherByTheSignal) {
  EXPECT_EQ(end_of([] { cli::end_interrupted_runs_with_status(false); }), 130);
  EXPECT_EQ(end_of([] {}), -SIGTERM);
}

// While the process is taken down, the result, the report and the status are what they were.
TEST(Interrupt, ASettledStatusStays) {
  for (const int status : {0, 6})
    EXPECT_EQ(end_of([&] {
                cli::end_interrupted_runs_with_status(true);
                settle_status(status);
              }),
              status);
  EXPECT_EQ(end_of([] { settle_status(0); }), 0);
}

TEST(Interrupt, TheJournalIsToldWhileItIsThere) {
  const std::string journal = ::testing::TempDir() + "interrupt_" + std::to_string(getpid()) + ".journal";
  const std::string said = journal + ".said";
  const auto told = [&] {
    EXPECT_EQ(end_of([&] {
                cli::end_interrupted_runs_with_status(false);
                dup2(open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
                static const FileAtEnd one(FileKind::journal, journal);
              }),
              130);
    std::ostringstream text;
    text << std::ifstream(said).rdbuf();
    return text.str();
  };
  EXPECT_EQ(told(), "error: interrupted\n");
  std::ofstream{journal};
  EXPECT_EQ(told(), "error: interrupted\nerror: continue with: gwrm run --restart " + journal + "\n");
  std::remove(journal.c_str());
  std::remove(said.c_str());
}

TEST(Interrupt, TheFirstSignalIsLeftToWhoAsks) {
  EXPECT_EQ(end_of([] {
              static const cli::InterruptsAreAsked asked;
              kill(getpid(), SIGINT);
              _exit(cli::interrupt_requested() ? 17 : 18);
            }),
            17);
}

}  // namespace
}  // namespace gwrm::interrupt_test
