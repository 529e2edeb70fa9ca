// The journal: what comes back is bit by bit what was appended; one process writes to it.
#include "output/journal.hpp"

#include <gtest/gtest.h>

#include "output/sample_journal.hpp"

namespace gwrm::journal_test {
namespace {

namespace fs = std::filesystem;
using namespace journal_test;

TEST_F(JournalTest, comes_back_bit_by_bit) {
  const std::vector<std::size_t> ends = write_windows(7);
  const Journal journal = read_journal(path);
  expect_windows(journal, 7);
  EXPECT_FALSE(journal.scan.damaged());
  EXPECT_EQ(journal.scan.complete_bytes, ends.back());

  const JournalHeader empty;
  { JournalWriter writer(path, empty, true); }
  EXPECT_EQ(read_journal(path).scan.header, empty);
  EXPECT_TRUE(read_journal(path).windows.empty());
}

TEST_F(JournalTest, visits_the_records_in_order) {
  write_windows(5);
  int next = 0;
  const JournalScan scan = scan_journal(path, [&](const JournalWindow& w) { EXPECT_TRUE(same(w, window(next++))); });
  EXPECT_EQ(next, 5);
  EXPECT_EQ(scan.n_windows, 5u);
  EXPECT_EQ(scan_journal(path).n_windows, 5u);
}

TEST_F(JournalTest, grows_after_it_was_reopened) {
  write_windows(2);
  for (int i = 2; i < 5; ++i) {
    int visited = 0;
    JournalWriter writer(path, [&](const JournalWindow& w) { EXPECT_TRUE(same(w, window(visited++))); });
    EXPECT_EQ(visited, i);
    EXPECT_EQ(writer.n_windows(), static_cast<std::size_t>(i));
    EXPECT_EQ(writer.found().header, kHeader);
    writer.append(window(i));
    writer.close();
    EXPECT_TRUE(contains(refusal([&] { writer.append(window(i)); }), "closed"));
  }
  expect_windows(read_journal(path), 5);
}

std::string block(const std::string& mark, const std::string& payload) {
  const std::string bytes = mark + word(payload.size()) + word(~std::uint64_t{payload.size()}) + payload;
  return bytes + "gwrmsum1" + word(checksum_of(bytes));
}
const std::string zeros(8, '\0');

// Without the bases: all of format 1.
std::string header_of_an_axis() {
  return word(8) + "12345678" + word(3) + "0.1" + zeros.substr(3) + word(0) + word(1) + word(1) + "t" +
         zeros.substr(1) + word(0);
}

std::string bases() {
  return word(1) + word(9) + "chebyshev" + zeros.substr(1);
}

// The layout of the header's comment, built here from words of its own.
TEST_F(JournalTest, has_the_documented_layout) {
  const auto number = [](double value) { return word(std::bit_cast<std::uint64_t>(value)); };

  JournalWriter writer(path, {"12345678", "0.1", "", {"t"}, {}, {"chebyshev"}, 2, 0.125}, false);
  JournalWindow w;
  w.parameter_point = -1;
  w.start = 0.5;
  w.end = 2.0;
  w.next_step = 1.25;
  w.n_factorisations = 3;
  w.reciprocal_condition = 1e-9;
  w.wall_seconds = 7.0;
  w.subdomains = {{4, {0.5, 2.0}}};
  w.fields = {Array({1, 2}, 6.5)};
  w.newton = {{8, 9, 10, 0.1, 0.2, 0.3, 11}};
  writer.append(w);

  const std::string header = header_of_an_axis() + bases() + word(2) + number(0.125);
  const std::string record = word(0) + word(~std::uint64_t{0}) + number(0.5) + number(2.0) + number(1.25) + word(3) +
                             number(1e-9) + number(7.0) + word(1) + word(4) + word(2) + number(0.5) + number(2.0) +
                             word(1) + word(2) + word(1) + word(2) + number(6.5) + number(6.5) + word(1) + word(8) +
                             word(9) + word(10) + word(11) + number(0.1) + number(0.2) + number(0.3);
  EXPECT_EQ(bytes_of(path), "gwrmjrnl" + word(3) + block("gwrmhead", header) + block("gwrmwind", record));
}

// Of gwrm 0.11.0, which knew no basis but one; and those before repetitions were told.
TEST_F(JournalTest, of_earlier_formats_are_read_and_continued) {
  for (const std::string& start :
       {word(1) + block("gwrmhead", header_of_an_axis()), word(2) + block("gwrmhead", header_of_an_axis() + bases())}) {
    put_bytes(path, "gwrmjrnl" + start);
    const JournalHeader expected{"12345678", "0.1", "", {"t"}, {}, {"chebyshev"}};
    EXPECT_EQ(read_journal(path).scan.header, expected);
    {
      JournalWriter writer(path);
      EXPECT_EQ(writer.found().header, expected);
      writer.append(window(0));
    }
    const Journal journal = read_journal(path);
    EXPECT_EQ(journal.scan.header, expected);
    ASSERT_EQ(journal.windows.size(), 1u);
    EXPECT_TRUE(same(journal.windows[0], window(0)));
  }
}

// A number of values other than the extents say would come back as another array.
TEST_F(JournalTest, refuses_an_array_that_contradicts_itself) {
  JournalWriter writer(path, kHeader, false);
  writer.append(window(0));
  JournalWindow wrong = window(1);
  wrong.fields[0].data.pop_back();
  EXPECT_THROW(writer.append(wrong), ShapeError);
  writer.append(window(1));
  expect_windows(read_journal(path), 2);
}

TEST_F(JournalTest, says_why_a_file_is_no_journal) {
  const auto why = [&] { return refusal([&] { read_journal(path); }); };
  EXPECT_TRUE(contains(why(), "no such journal")) << why();
  put_bytes(path, "");
  EXPECT_TRUE(contains(why(), "not a journal")) << why();
  put_bytes(path, "schema: 1\nproblem: time_spectral\n");
  EXPECT_TRUE(contains(why(), "not a journal")) << why();
  EXPECT_TRUE(contains(refusal([&] { remove_journal(path); }), "not deleted"));
  EXPECT_TRUE(fs::exists(path));

  write_windows(1);
  const std::string whole = bytes_of(path);
  std::string bytes = whole;
  bytes[8] = 4;
  put_bytes(path, bytes);
  EXPECT_TRUE(contains(why(), "format 4")) << why();
  for (const std::size_t size : {16u, 20u, 60u}) {
    put_bytes(path, whole.substr(0, size));
    EXPECT_TRUE(contains(why(), "head of the journal is damaged")) << why();
  }
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_NE(why(), "");
}

TEST_F(JournalTest, an_existing_journal_is_kept_unless_it_may_be_overwritten) {
  write_windows(2);
  const std::string why = refusal([&] { JournalWriter writer(path, kHeader, false); });
  EXPECT_TRUE(contains(why, "--overwrite")) << why;
  expect_windows(read_journal(path), 2);
  { JournalWriter writer(path, kHeader, true); }
  expect_windows(read_journal(path), 0);
  EXPECT_NE(refusal([&] { JournalWriter writer((directory / "none" / "run.journal").string(), kHeader, true); }), "");
}

TEST_F(JournalTest, is_removed) {
  write_windows(1);
  remove_journal(path);
  EXPECT_FALSE(fs::exists(path));
  remove_journal(path);  // nothing to do
  JournalWriter writer(path, kHeader, false);
  writer.append(window(0));
  writer.remove();
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST_F(JournalTest, only_one_writes) {
  const std::string in_use = "another gwrm process";
  {
    JournalWriter writer(path, kHeader, false);
    writer.append(window(0));
    EXPECT_TRUE(contains(refusal([&] { JournalWriter other(path); }), in_use));
    EXPECT_TRUE(contains(refusal([&] { JournalWriter other(path, kHeader, true); }), in_use));
    EXPECT_TRUE(contains(refusal([&] { remove_journal(path); }), in_use));
    writer.append(window(1));
    expect_windows(read_journal(path), 2);  // reading needs no lock
    writer.close();
    JournalWriter next(path);
    next.append(window(2));
  }
  JournalWriter last(path);
  EXPECT_EQ(last.n_windows(), 3u);
}

// Whoever opened the file before it was replaced must not append to the one that nobody sees any more.
TEST_F(JournalTest, a_replaced_file_is_not_removed_by_the_writer_of_the_old_one) {
  JournalWriter writer(path, kHeader, false);
  fs::rename(path, directory / "moved");
  JournalWriter other(path, kHeader, false);
  other.append(window(0));
  writer.remove();
  expect_windows(read_journal(path), 1);
}

}  // namespace
}  // namespace gwrm::journal_test
