#include "core/files_at_end.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace gwrm::files_at_end_test {
namespace {

std::vector<std::string> found;

std::vector<std::string> listed(FileKind kind) {
  found.clear();
  visit_files_at_end(kind, [](const char* path) { found.emplace_back(path); });
  return found;
}

TEST(FilesAtEnd, AreListedByKindWhileTheyLive) {
  {
    const FileAtEnd one(FileKind::temporary, "one"), two(FileKind::journal, "two"), three(FileKind::temporary, "three");
    EXPECT_EQ(listed(FileKind::temporary), (std::vector<std::string>{"one", "three"}));
    EXPECT_EQ(listed(FileKind::journal), (std::vector<std::string>{"two"}));
    EXPECT_TRUE(listed(FileKind::result).empty());
  }
  EXPECT_TRUE(listed(FileKind::temporary).empty());
  EXPECT_TRUE(listed(FileKind::journal).empty());
}

// A journal that is continued: by the command that is given its name, then by its writer too.
TEST(FilesAtEnd, ListedTwiceAreVisitedOnce) {
  auto by_the_command = std::make_unique<FileAtEnd>(FileKind::journal, "one");
  const FileAtEnd by_its_writer(FileKind::journal, "one"), other(FileKind::journal, "other"),
      of_another_kind(FileKind::sweep, "one");
  EXPECT_EQ(listed(FileKind::journal), (std::vector<std::string>{"one", "other"}));
  EXPECT_EQ(listed(FileKind::sweep), (std::vector<std::string>{"one"}));
  by_the_command.reset();
  EXPECT_EQ(listed(FileKind::journal), (std::vector<std::string>{"one", "other"}));
}

TEST(FilesAtEnd, AnAwaitedFileIsAResultOnceItIsComplete) {
  const FileAtEnd mine(FileKind::awaited, "mine"), other(FileKind::awaited, "other");
  EXPECT_TRUE(listed(FileKind::result).empty());
  const UndividedStep step;
  awaited_file_is_complete("mine");
  EXPECT_EQ(listed(FileKind::result), (std::vector<std::string>{"mine"}));
  EXPECT_EQ(listed(FileKind::awaited), (std::vector<std::string>{"other"}));
}

TEST(FilesAtEnd, AreLeftOutWhereThereIsNoPlace) {
  std::vector<std::unique_ptr<FileAtEnd>> many;
  for (int i = 0; i < 100; ++i) many.push_back(std::make_unique<FileAtEnd>(FileKind::temporary, std::to_string(i)));
  const std::size_t places = listed(FileKind::temporary).size();
  EXPECT_GE(places, 16u);
  EXPECT_LT(places, 100u);
  many.clear();
  const FileAtEnd too_long(FileKind::temporary, std::string(100000, 'x'));
  EXPECT_TRUE(listed(FileKind::temporary).empty());
}

TEST(FilesAtEnd, ServeManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      const std::string name = std::string(200, static_cast<char>('a' + i));
      for (int k = 0; k < 2000; ++k) const FileAtEnd one(FileKind::temporary, name);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(listed(FileKind::temporary).empty());
}

// In a process of its own: nothing undoes the begin of the end.
TEST(FilesAtEndDeathTest, TheEndWaitsForAStepAndLetsNoneBegin) {
  const auto end = [] {
    bool waited = false;
    {
      const UndividedStep step;
      waited = !begin_end();
    }
    std::thread late([] {
      const UndividedStep step;
      _exit(1);
    });
    usleep(100000);
    _exit(waited && begin_end() ? 0 : 2);
  };
  EXPECT_EXIT(end(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gwrm::files_at_end_test
