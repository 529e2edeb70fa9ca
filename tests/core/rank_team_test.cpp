// RankTeam on functions of our own in place of MPI's: a queue of messages for each rank, as MPI keeps their order.
#include "core/rank_team.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>

#include "core/errors.hpp"

namespace gwrm::rank_team_test {
namespace {

struct Piece {
  int tag;
  Team::Bytes bytes;
};

// What the functions work on: one process plays all ranks, `sender` is whose messages are sent.
std::map<int, std::deque<Piece>> queues;
int sender = 0;
int longest = 0;
std::int64_t counter = 0;
Team::Bytes told;         // what rank 0 broadcasts, one after another
std::size_t n_heard = 0;  // of these bytes
bool telling = true;
double longest_wait = -1.0;
int (*tell_too_long)(double, int) = nullptr;

const char* open_ranks(RankPlace* place) {
  *place = {0, 3, 0, 3};
  return nullptr;
}
const char* refuse(RankPlace*) {
  return "no threads";
}
void close_ranks() {}
void limit(double seconds, int (*too_long)(double, int)) {
  longest_wait = seconds;
  tell_too_long = too_long;
}
void broadcast(int, void* bytes, int n) {
  longest = std::max(longest, n);
  auto* data = static_cast<unsigned char*>(bytes);
  if (telling) {
    told.insert(told.end(), data, data + n);
  } else {
    std::memcpy(data, told.data() + n_heard, static_cast<std::size_t>(n));
    n_heard += static_cast<std::size_t>(n);
  }
}
void gather(int, std::uint64_t own, std::uint64_t* all) {
  for (int rank = 0; rank < 3; ++rank) all[rank] = own + static_cast<std::uint64_t>(rank);
}
std::int64_t add(std::int64_t value) {
  return std::exchange(counter, counter + value);
}
std::int64_t set(std::int64_t value) {
  return std::exchange(counter, value);
}
void send(int, const void* bytes, int n, int tag) {
  longest = std::max(longest, n);
  const auto* data = static_cast<const unsigned char*>(bytes);
  queues[sender].push_back({tag, n == 0 ? Team::Bytes{} : Team::Bytes(data, data + n)});
}
void wait_for(int, int source, int* tag, int* n) {
  const Piece& piece = queues.at(source).front();
  *tag = piece.tag;
  *n = static_cast<int>(piece.bytes.size());
}
// The highest rank first, though its pieces came last.
bool look(int group, int* source, int* tag, int* n) {
  for (auto queue = queues.rbegin(); queue != queues.rend(); ++queue)
    if (!queue->second.empty()) {
      *source = queue->first;
      wait_for(group, *source, tag, n);
      return true;
    }
  return false;
}
void receive(int, void* bytes, int n, int source, int tag) {
  std::deque<Piece>& queue = queues.at(source);
  ASSERT_EQ(queue.front().tag, tag);
  ASSERT_EQ(static_cast<int>(queue.front().bytes.size()), n);
  if (n > 0) std::memcpy(bytes, queue.front().bytes.data(), static_cast<std::size_t>(n));
  queue.pop_front();
}

RankFunctions functions() {
  queues.clear();
  told.clear();
  n_heard = 0;
  longest = 0;
  counter = 0;
  telling = true;
  RankFunctions table;
  table.version = RankFunctions::kVersion;
  table.without_memory = [](void (*)()) {};
  table.open = open_ranks;
  table.close = close_ranks;
  table.limit = limit;
  table.broadcast = broadcast;
  table.gather = gather;
  table.add = add;
  table.set = set;
  table.send = send;
  table.look = look;
  table.wait_for = wait_for;
  table.receive = receive;
  return table;
}

Team::Bytes bytes_of(int n, int first) {
  Team::Bytes bytes;
  for (int i = 0; i < n; ++i) bytes.push_back(static_cast<unsigned char>(first + 7 * i));
  return bytes;
}

TEST(RankTeam, LongMessagesGoInPieces) {
  const RankFunctions table = functions();
  RankTeam team(table, 10);
  for (const int n : {0, 1, 9, 10, 11, 20, 21, 1000}) {
    queues.clear();
    for (sender = 1; sender <= 2; ++sender) {
      team.send({sender, bytes_of(n, sender)});
      team.send({3, {}});
    }
    EXPECT_LE(longest, 10);
    // The messages of rank 2, then those of rank 1: pieces of two ranks are not taken for one message.
    for (const int source : {2, 1}) {
      const std::optional<Team::Message> message = team.receive();
      ASSERT_TRUE(message);
      EXPECT_EQ(message->kind, source);
      EXPECT_EQ(message->bytes, bytes_of(n, source)) << n;
      const std::optional<Team::Message> last = team.receive();
      ASSERT_TRUE(last);
      EXPECT_EQ(last->kind, 3);
      EXPECT_TRUE(last->bytes.empty());
    }
    EXPECT_FALSE(team.receive());
  }
}

TEST(RankTeam, BroadcastsGoInPieces) {
  const RankFunctions table = functions();
  RankTeam team(table, 10);
  for (const int n : {0, 1, 10, 11, 1000}) {
    telling = true;
    Team::Bytes bytes = bytes_of(n, 5), heard{1, 2, 3};
    team.broadcast(bytes);
    telling = false;
    team.broadcast(heard);
    EXPECT_EQ(heard, bytes_of(n, 5));
  }
  EXPECT_LE(longest, 10);
}

TEST(RankTeam, TasksEndWhenStopped) {
  const RankFunctions table = functions();
  RankTeam team(table);
  EXPECT_EQ(team.size(), 3);
  EXPECT_EQ(team.n_local(), 3);
  EXPECT_EQ(team.gather(7), (std::vector<std::uint64_t>{7, 8, 9}));
  EXPECT_EQ(team.next_task(), 0u);
  EXPECT_EQ(team.next_task(), 1u);
  team.stop();
  EXPECT_GT(team.next_task(), std::size_t{1} << 61);
}

// A rank that does not answer: the functions are told how long to wait, and call back for message and status.
TEST(RankTeam, WhoeverDoesNotAnswerIsMissedInTheEnd) {
  const RankFunctions table = functions();
  RankTeam patient(table);
  EXPECT_EQ(longest_wait, 0.0) << "for ever";
  RankTeam team(table, 10, 2.5);
  EXPECT_EQ(longest_wait, 2.5);
  EXPECT_EQ(tell_too_long(2.5, 1), static_cast<int>(ExitStatus::resources));
  EXPECT_EQ(tell_too_long(2.5, -1), static_cast<int>(ExitStatus::resources));
}

TEST(RankTeam, IsOfALauncherAsNoProcessAloneIs) {
  const RankFunctions table = functions();
  EXPECT_TRUE(RankTeam(table).is_of_launcher());
  EXPECT_FALSE(Team().is_of_launcher());
  EXPECT_EQ(Team().split(3)->size(), 1);
}

TEST(RankTeam, WhatIsWrongWithTheLibraryIsToldAsAnError) {
  RankFunctions table = functions();
  table.open = refuse;
  EXPECT_THROW(RankTeam{table}, DeviceError);
}

}  // namespace
}  // namespace gwrm::rank_team_test
