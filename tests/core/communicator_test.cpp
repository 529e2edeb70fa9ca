// Communicator on the ranks of the launcher: alone as any test, and under mpirun with several numbers of ranks and
// lengths of messages (core.ranks_*).
#include "core/communicator.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/ranks_of_launcher.hpp"

namespace gwrm::communicator_test {
namespace {

// What rank `from` sends to rank `to`, and how much of it: nothing for some.
std::size_t length(int from, int to) {
  return static_cast<std::size_t>((5 * from + 3 * to) % 7) * 11;
}
double number(int from, int to, std::size_t i) {
  return 1000.0 * from + 100.0 * to + 0.25 * static_cast<double>(i);
}

void expect_all_to_all(Communicator& ranks) {
  const int own = ranks.rank();
  std::vector<std::size_t> n_sent, n_received;
  std::vector<double> send, wanted;
  for (int other = 0; other < ranks.size(); ++other) {
    n_sent.push_back(length(own, other));
    n_received.push_back(length(other, own));
    for (std::size_t i = 0; i < n_sent.back(); ++i) send.push_back(number(own, other, i));
    for (std::size_t i = 0; i < n_received.back(); ++i) wanted.push_back(number(other, own, i));
  }
  std::vector<double> received(wanted.size(), -1.0);
  ranks.all_to_all<double>(send, n_sent, received, n_received);
  EXPECT_EQ(received, wanted);
}

void expect_all_gather(Communicator& ranks) {
  std::vector<std::size_t> counts;
  std::vector<double> wanted, own;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    counts.push_back(length(rank, 1));
    for (std::size_t i = 0; i < counts.back(); ++i) wanted.push_back(number(rank, 1, i));
  }
  for (std::size_t i = 0; i < length(ranks.rank(), 1); ++i) own.push_back(number(ranks.rank(), 1, i));
  std::vector<double> all(wanted.size(), -1.0);
  ranks.all_gather<double>(own, counts, all);
  EXPECT_EQ(all, wanted);
}

void expect_broadcast(Communicator& ranks) {
  for (int root = 0; root < ranks.size(); ++root) {
    std::vector<std::byte> bytes(333, std::byte{7});
    if (ranks.rank() == root) std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(40 + root));
    ranks.broadcast(bytes.data(), bytes.size(), root);
    EXPECT_EQ(bytes, std::vector<std::byte>(333, static_cast<std::byte>(40 + root)));
    ranks.broadcast(nullptr, 0, root);
  }
}

void expect_agreement(Communicator& ranks) {
  EXPECT_EQ(ranks.agree(0), 0);
  for (int one = 0; one < ranks.size(); ++one) EXPECT_EQ(ranks.agree(ranks.rank() == one ? 3 : 0), 3);
  EXPECT_EQ(ranks.agree(ranks.rank()), ranks.size() - 1);
}

void expect_all(Communicator& ranks) {
  for (int turn = 0; turn < 3; ++turn) {
    expect_all_to_all(ranks);
    expect_all_gather(ranks);
    expect_broadcast(ranks);
    expect_agreement(ranks);
  }
}

TEST(Communicator, OneAloneHasEverything) {
  const std::unique_ptr<Communicator> alone = Communicator::alone();
  EXPECT_EQ(alone->size(), 1);
  expect_all(*alone);
  expect_all(*alone->split(3));
}

// What is tested on several ranks is not tested on one by mistake.
TEST(Communicator, HasTheRanksThatTheLauncherStarted) {
  const char* wanted = std::getenv("GWRM_TEST_RANKS");
  EXPECT_EQ(ranks_of_launcher().communicator()->size(), wanted == nullptr ? 1 : std::atoi(wanted));
}

TEST(Communicator, BringsEveryNumberToItsPlace) {
  expect_all(*ranks_of_launcher().communicator());
}

TEST(Communicator, NothingAtAllIsSentByAll) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const std::vector<std::size_t> none(static_cast<std::size_t>(ranks->size()), 0);
  ranks->all_to_all(nullptr, none, nullptr, none);
  ranks->all_gather(nullptr, none, nullptr);
}

// Odd and even ranks, then these once more: messages of one group are not taken for another's.
TEST(Communicator, GroupsWorkBesideOneAnother) {
  const std::unique_ptr<Communicator> all = ranks_of_launcher().communicator();
  const std::unique_ptr<Communicator> half = all->split(all->rank() % 2);
  EXPECT_EQ(half->size(), (all->size() + 1 - all->rank() % 2) / 2);
  EXPECT_EQ(half->rank(), all->rank() / 2);
  expect_all(*half);
  expect_all(*all);
  const std::unique_ptr<Communicator> own = half->split(half->rank());
  EXPECT_EQ(own->size(), 1);
  expect_all(*own);
  expect_all(*half);
}

// As a team each, with messages and a communicator of its own, beside those of all.
TEST(Communicator, TeamsOfSomeRanksWorkBesideAll) {
  Team& all = ranks_of_launcher();
  const std::unique_ptr<Team> group = all.split(all.rank() / 2);
  EXPECT_EQ(group->rank(), all.rank() % 2);
  EXPECT_EQ(group->size(), std::min(2, all.size() - all.rank() / 2 * 2));
  EXPECT_EQ(group->is_of_launcher(), all.is_of_launcher());
  Team::Bytes told;
  if (group->rank() == 0) told.assign(300, static_cast<unsigned char>(all.rank()));
  group->broadcast(told);
  EXPECT_EQ(told, Team::Bytes(300, static_cast<unsigned char>(all.rank() / 2 * 2)));
  if (group->rank() > 0) {
    group->send({5, told});
    all.send({6, {}});
  }
  expect_all(*group->communicator());
  int n_heard = 0, n_heard_of_all = 0;
  const int n_of_all = all.rank() == 0 ? all.size() / 2 : 0;
  while (group->rank() == 0 && (n_heard + 1 < group->size() || n_heard_of_all < n_of_all)) {
    if (const std::optional<Team::Message> message = group->receive()) {
      EXPECT_EQ(message->kind, 5);
      EXPECT_EQ(message->bytes, told);
      ++n_heard;
    }
    if (all.rank() > 0) continue;
    if (const std::optional<Team::Message> message = all.receive()) {
      EXPECT_EQ(message->kind, 6);
      ++n_heard_of_all;
    }
  }
  expect_all(*all.communicator());
}

// Of what all ranks have sent nothing is counted twice or forgotten; alone nothing is sent.
TEST(Communicator, CountsWhatItSends) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const auto n = static_cast<std::size_t>(ranks->size());
  std::vector<double> send(3 * n, 1.0), received(3 * n);
  ranks->all_to_all<double>(send, std::vector<std::size_t>(n, 3), received, std::vector<std::size_t>(n, 3));
  EXPECT_EQ(ranks->traffic().sent, 24.0 * static_cast<double>(n - 1));
  const std::vector<double> own(5, 2.0);
  std::vector<double> all(5 * n);
  ranks->all_gather<double>(own, std::vector<std::size_t>(n, 5), all);
  EXPECT_EQ(ranks->traffic().sent, 64.0 * static_cast<double>(n - 1)) << "in pieces, too";
  EXPECT_EQ(ranks->traffic().exchanged, 0.0) << "no tables";
}

// As many groups one after another as would use up MPI's numbers if they were not given back.
TEST(Communicator, GroupsAreGivenBack) {
  const std::unique_ptr<Communicator> all = ranks_of_launcher().communicator();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(all->split(0)->agree(i), i);
}

TEST(Communicator, TasksGoOnBesideIt) {
  Team& team = ranks_of_launcher();
  const std::unique_ptr<Communicator> ranks = team.communicator();
  if (team.rank() > 0) team.send({4, {1, 2, 3}});
  expect_all(*ranks);
  int n_messages = 0;
  while (team.rank() == 0 && n_messages + 1 < team.size())
    if (const std::optional<Team::Message> message = team.receive()) {
      EXPECT_EQ(message->kind, 4);
      EXPECT_EQ(message->bytes, (Team::Bytes{1, 2, 3}));
      ++n_messages;
    }
}

}  // namespace
}  // namespace gwrm::communicator_test
