// Journals after a kill, on a full disk, cut short or damaged: every window before the accident is there, none is
// wrong.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "output/sample_journal.hpp"

namespace gwrm::journal_damage_test {
namespace {

namespace fs = std::filesystem;
using namespace journal_test;

TEST_F(JournalTest, a_record_cut_short_anywhere_is_dropped) {
  const std::vector<std::size_t> ends = write_windows(3);
  const std::string whole = bytes_of(path);
  for (std::size_t size = ends[2]; size < ends[3]; ++size) {
    put_bytes(path, whole.substr(0, size));
    const Journal journal = read_journal(path);
    ASSERT_NO_FATAL_FAILURE(expect_windows(journal, 2)) << size;
    ASSERT_EQ(journal.scan.dropped_bytes, size - ends[2]);
    ASSERT_EQ(journal.scan.damaged(), size > ends[2]);
    {
      JournalWriter writer(path);
      ASSERT_EQ(fs::file_size(path), ends[2]) << size;
      writer.append(window(2));
    }
    ASSERT_EQ(bytes_of(path), whole) << size;
  }
}

TEST_F(JournalTest, a_wrong_byte_is_noticed_wherever_it_is) {
  const std::vector<std::size_t> ends = write_windows(3);
  const std::string whole = bytes_of(path);
  std::mt19937_64 random(5);
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(static_cast<unsigned char>(bytes[place]) ^ (1 + random() % 255));
    put_bytes(path, bytes);
    if (place < ends[0]) {
      ASSERT_NE(refusal([&] { read_journal(path); }), "") << place;
      ASSERT_NE(refusal([&] { JournalWriter writer(path); }), "") << place;
      ASSERT_EQ(bytes_of(path), bytes) << "a file that was refused has been changed";
      continue;
    }
    const Journal journal = read_journal(path);
    ASSERT_TRUE(journal.scan.damaged()) << place;
    const auto behind = std::upper_bound(ends.begin(), ends.end(), place);
    ASSERT_NO_FATAL_FAILURE(expect_windows(journal, static_cast<std::size_t>(behind - ends.begin() - 1))) << place;
  }
}

// Lengths that agree with each other but not with the file neither ask for that much memory nor wrap around.
TEST_F(JournalTest, an_absurd_length_is_noticed) {
  const std::vector<std::size_t> ends = write_windows(2);
  const std::string whole = bytes_of(path);
  for (const std::uint64_t length : {~std::uint64_t{0}, ~std::uint64_t{0} - 39, std::uint64_t{1} << 62,
                                     static_cast<std::uint64_t>(whole.size()), std::uint64_t{0}}) {
    std::string bytes = whole;
    const std::uint64_t words[] = {length, ~length};
    std::memcpy(bytes.data() + ends[1] + 8, words, sizeof words);
    put_bytes(path, bytes);
    const Journal journal = read_journal(path);
    expect_windows(journal, 1);
    EXPECT_TRUE(journal.scan.damaged()) << length;
  }
}

TEST_F(JournalTest, a_record_twice_or_missing_is_noticed) {
  const std::vector<std::size_t> ends = write_windows(3);
  const std::string whole = bytes_of(path);
  const std::string second = whole.substr(ends[1], ends[2] - ends[1]);
  put_bytes(path, whole.substr(0, ends[2]) + second);
  expect_windows(read_journal(path), 2);
  EXPECT_TRUE(read_journal(path).scan.damaged());
  put_bytes(path, whole.substr(0, ends[1]) + whole.substr(ends[2]));
  expect_windows(read_journal(path), 1);
  EXPECT_TRUE(read_journal(path).scan.damaged());
}

// With a checksum that holds, so that only the sense of the words themselves is left to be checked.
class ForgedJournal : public JournalTest {
 protected:
  void SetUp() override {
    JournalTest::SetUp();
    const std::vector<std::size_t> ends = write_windows(3);
    const std::string whole = bytes_of(path);
    before = whole.substr(0, ends[2]);
    record = whole.substr(ends[2], whole.size() - ends[2] - 16);
  }

  // The number of windows read when the word at this place of the last record is another one.
  std::size_t read_with(std::size_t place, std::uint64_t value) {
    std::string forged = record;
    forged.replace(place, 8, word(value));
    put_bytes(path, before + forged + "gwrmsum1" + word(checksum_of(forged)));
    return read_journal(path).windows.size();
  }

  std::string before, record;
};

TEST_F(ForgedJournal, the_length_and_its_complement_must_agree) {
  const std::uint64_t length = record.size() - 24;
  EXPECT_EQ(read_with(16, ~length), 3u);
  EXPECT_EQ(read_with(16, length), 2u);
}

TEST_F(ForgedJournal, absurd_counts_are_refused) {
  // From the start of the record: mark, length, complement, number, parameter point, start, end, next step,
  // factorisations, condition, seconds; then the number of axes and so on, with window 2 of the samples.
  const std::size_t n_axes = 88, degree = 96, n_edges = 104, n_fields = n_axes + 8 * (1 + 4 + 2 + 5),
                    rank = n_fields + 8, extent = rank + 8;
  EXPECT_EQ(read_with(n_axes, 3), 3u);
  EXPECT_EQ(read_with(n_fields, 2), 3u);
  EXPECT_EQ(read_with(extent, 2), 3u);
  for (const std::uint64_t value :
       {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 61, std::uint64_t{1} << 32, std::uint64_t{7}})
    for (const std::size_t place : {n_axes, n_edges, n_fields, rank, extent, extent + 8, extent + 16})
      EXPECT_EQ(read_with(place, value), 2u) << "place " << place << ", value " << value;
  EXPECT_EQ(read_with(degree, std::uint64_t{1} << 31), 2u);  // more than an int
}

constexpr Index kLarge = 25000;  // values in a window of 400 kB, so that a kill can hit the middle of a write

// Says so by a byte in the pipe when the first record is in the file.
[[noreturn]] void append_for_ever(const std::string& path, int pipe_end) {
  alarm(300);  // should the parent be gone
  try {
    JournalWriter writer(path);
    for (int i = static_cast<int>(writer.n_windows());; ++i) {
      writer.append(window(i, kLarge));
      if (write(pipe_end, "", 1) != 1) _exit(2);
    }
  } catch (...) {
    _exit(1);
  }
}

TEST_F(JournalTest, survives_kills_in_the_middle_of_writing) {
  { JournalWriter writer(path, kHeader, false); }
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t n_before = scan_journal(path).n_windows;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) append_for_ever(path, ends[1]);
    ASSERT_GT(child, 0);
    close(ends[1]);
    char byte = 0;
    ASSERT_EQ(read(ends[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(1370 * trial));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
    std::size_t n_appended = 1;  // all that the child knew to be in the file
    while (read(ends[0], &byte, 1) == 1) ++n_appended;
    close(ends[0]);

    int next = 0;
    const auto check = [&](const JournalWindow& w) { ASSERT_TRUE(same(w, window(next++, kLarge))); };
    ASSERT_NO_FATAL_FAILURE(scan_journal(path, check));
    ASSERT_GE(static_cast<std::size_t>(next), n_before + n_appended) << "a complete window was lost";
    JournalWriter writer(path);  // the dead process has left no lock
    writer.append(window(next, kLarge));
  }
  EXPECT_FALSE(scan_journal(path).damaged());
}

// A disk that is full, played by a limit on the size of files; in a child, because the limit is the process's.
constexpr std::size_t kRoom = 100000;

bool limit_file_size(rlim_t bytes) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  return std::signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

// Appends until there is no room, twice over, and goes on when there is. 0, or the number of the step that went wrong.
int fill_the_disk(const std::string& path) {
  JournalWriter writer(path, kHeader, false);
  if (!limit_file_size(kRoom)) return 1;
  std::string why;
  int next = 0;
  for (; why.empty() && next < 1000; ++next) why = refusal([&] { writer.append(window(next)); });
  --next;
  if (!contains(why, std::strerror(EFBIG)) || !contains(why, "ulimit")) return 2;
  if (!contains(why, std::to_string(next) + " windows before are safe")) return 3;
  const Journal full = read_journal(path);
  if (full.scan.damaged() || full.windows.size() != at(next) || writer.n_windows() != at(next)) return 4;
  if (fs::file_size(path) > kRoom || fs::file_size(path) + 2000 < kRoom) return 5;  // a window takes less than 2000
  if (refusal([&] { writer.append(window(next)); }).empty() || fs::file_size(path) != full.scan.complete_bytes)
    return 6;
  if (!limit_file_size(RLIM_INFINITY)) return 7;
  writer.append(window(next));
  return 0;
}

// A new journal that does not fit leaves the old one, and nothing else.
int replace_on_a_full_disk(const std::string& path) {
  if (!limit_file_size(100)) return 1;
  return refusal([&] { JournalWriter writer(path, kHeader, true); }).empty() ? 2 : 0;
}

int in_a_child(int (*action)(const std::string&), const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    int result = 99;
    try {
      result = action(path);
    } catch (...) {
    }
    _exit(result);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_F(JournalTest, a_full_disk_costs_no_finished_window) {
  ASSERT_EQ(in_a_child(fill_the_disk, path), 0);
  JournalWriter writer(path);
  EXPECT_FALSE(writer.found().damaged());
  const std::size_t n = writer.n_windows();
  EXPECT_GT(n, 50u);
  writer.append(window(static_cast<int>(n)));
  writer.flush();
  expect_windows(read_journal(path), n + 1);
}

TEST_F(JournalTest, a_full_disk_leaves_the_old_journal) {
  write_windows(2);
  ASSERT_EQ(in_a_child(replace_on_a_full_disk, path), 0);
  expect_windows(read_journal(path), 2);
  fs::remove(path);
  EXPECT_TRUE(fs::is_empty(directory));
}

}  // namespace
}  // namespace gwrm::journal_damage_test
