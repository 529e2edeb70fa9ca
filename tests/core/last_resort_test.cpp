// The end of the process without memory (core/last_resort.hpp, core/required_memory.hpp): each in a child that ends so.
#include "core/last_resort.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "core/files_at_end.hpp"
#include "core/required_memory.hpp"

namespace gwrm::last_resort_test {
namespace {

namespace fs = std::filesystem;

const testing::ExitedWithCode kTooLittle(7);

TEST(LastResort, EndsWithStatus7AndAWord) {
  EXPECT_EXIT(end_without_memory(), kTooLittle, "^error: out of memory: lower resolution.degree.*\n$");
  EXPECT_EXIT(end_without_memory("out of threads"), kTooLittle, "^error: out of threads\n$");
}

TEST(LastResort, PrintsAnObjectForScripts) {
  const auto end_in_json = [](bool wanted) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    last_resort_in_json(true);
    last_resort_in_json(wanted);
    end_without_memory("no memory");
  };
  EXPECT_EXIT(end_in_json(true), kTooLittle,
              "^error: no memory\n.\n  \"error\": \"no memory\",\n  \"exit_status\": 7\n.\n$");
  EXPECT_EXIT(end_in_json(false), kTooLittle, "^error: no memory\n$");
}

TEST(LastResort, NamesTheRank) {
  const auto end_as_rank = [] {
    last_resort_of_rank(12);
    end_without_memory("no memory");
  };
  EXPECT_FALSE(last_resort_is_of_rank());
  EXPECT_EXIT(end_as_rank(), kTooLittle, "^error: rank 12: no memory\n$");
}

// Small ones alone, and only where others wait.
TEST(LastResort, AFailedAllocationEndsARankThatOthersWaitFor) {
  allocation_has_failed(1);
  EXPECT_FALSE(memory_is_exhausted());
  const auto fail_as_rank = [](std::size_t bytes) {
    ranks_wait_for_one_another();
    allocation_has_failed(bytes);
    std::_Exit(3);
  };
  EXPECT_EXIT(fail_as_rank(4096), kTooLittle, "out of memory");
  EXPECT_EXIT(fail_as_rank(4097), testing::ExitedWithCode(3), "^$");
}

TEST(LastResort, AStatusThatIsSettledStays) {
  const auto end_late = [] {
    settle_status(6);
    end_without_memory();
  };
  EXPECT_EXIT(end_late(), testing::ExitedWithCode(6), "^$");
}

TEST(LastResort, TemporaryFilesGo) {
  const std::string one = fs::path(testing::TempDir()) / "last_resort_one", two = one + "_two";
  const auto end_at_work = [&] {
    const FileAtEnd first(FileKind::temporary, one);
    { const FileAtEnd second(FileKind::temporary, two); }
    end_without_memory();
  };
  std::ofstream(one) << "half";
  std::ofstream(two) << "whole";
  EXPECT_EXIT(end_at_work(), kTooLittle, "");
  EXPECT_FALSE(fs::exists(one));
  EXPECT_TRUE(fs::exists(two));
  fs::remove(two);
}

TEST(LastResort, TemporaryFilesOfAParentStay) {
  const std::string path = fs::path(testing::TempDir()) / "last_resort_parent";
  std::ofstream(path) << "the parent goes on with it";
  const FileAtEnd in_work(FileKind::temporary, path);
  EXPECT_EXIT(end_without_memory(), kTooLittle, "");
  EXPECT_TRUE(fs::exists(path));
  fs::remove(path);
}

TEST(LastResort, AnUndividedStepOfItsOwnDoesNotKeepIt) {
  const auto end_in_step = [] {
    const UndividedStep step;
    end_without_memory();
  };
  EXPECT_EXIT(end_in_step(), kTooLittle, "out of memory");
}

TEST(LastResort, KnowsWantOfMemoryByItsType) {
  EXPECT_TRUE(is_want_of_memory(std::bad_alloc()));
  EXPECT_TRUE(is_want_of_memory(std::bad_array_new_length()));
  EXPECT_TRUE(is_want_of_memory(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again))));
  EXPECT_TRUE(is_want_of_memory(fs::filesystem_error("a", std::error_code(ENOMEM, std::generic_category()))));
  EXPECT_FALSE(is_want_of_memory(fs::filesystem_error("a", std::error_code(ENOENT, std::generic_category()))));
  EXPECT_FALSE(is_want_of_memory(std::runtime_error("another")));
}

#ifndef __SANITIZE_ADDRESS__  // which ends the process itself
[[noreturn]] void take_records_for_ever() {
  const rlimit little = {std::size_t{256} << 20, std::size_t{256} << 20};
  setrlimit(RLIMIT_AS, &little);
  for (;;) static_cast<char*>(gwrm_required_malloc(kOwnRecord))[0] = 1;
}

TEST(RequiredMemory, RecordsThatFindNoneEndTheProcess) {
  EXPECT_EXIT(take_records_for_ever(), kTooLittle, "^error: out of memory");
}

TEST(RequiredMemory, LargePiecesThatFindNoneAreToldToTheirCaller) {
  const std::size_t impossible = ~std::size_t{0} >> 2;
  EXPECT_EQ(gwrm_required_malloc(impossible), nullptr);
  EXPECT_EQ(gwrm_required_calloc(impossible, 8), nullptr);
  EXPECT_EQ(gwrm_required_realloc(nullptr, impossible), nullptr);
}
#endif

TEST(RequiredMemory, GivesWhatTheCLibraryGives) {
  char* const text = gwrm_required_strdup("seven");
  EXPECT_STREQ(text, "seven");
  char* const longer = static_cast<char*>(gwrm_required_realloc(text, 100));
  EXPECT_STREQ(longer, "seven");
  int* const zeros = static_cast<int*>(gwrm_required_calloc(3, sizeof(int)));
  EXPECT_EQ(zeros[2], 0);
  std::free(longer);
  std::free(zeros);
  std::free(gwrm_required_malloc(0));
}

}  // namespace
}  // namespace gwrm::last_resort_test
