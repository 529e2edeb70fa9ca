// Loops whose pieces ranks share: on one as any test, and under mpirun (core.ranks_*).
#include "core/shared_pieces.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/ranks_of_launcher.hpp"

namespace gwrm::shared_pieces_test {
namespace {

// Piece i: a length and numbers of its own, some without any.
std::vector<double> piece(std::size_t i) {
  std::vector<double> numbers((7 * i) % 5 * 9);
  std::iota(numbers.begin(), numbers.end(), 100.0 * static_cast<double>(i));
  return numbers;
}

// How many pieces this rank has made.
std::size_t expect_all_taken(Communicator& ranks, std::size_t n, const PieceOptions& options) {
  std::atomic<std::size_t> n_made = 0, n_taken = 0;
  share_numbers<double>(
      ranks, n, options,
      [&](std::size_t i) {
        ++n_made;
        return piece(i);
      },
      [&](std::size_t i, std::span<const double> numbers) {
        EXPECT_EQ(i, n_taken++);
        EXPECT_EQ(std::vector<double>(numbers.begin(), numbers.end()), piece(i));
      });
  EXPECT_EQ(n_taken, ranks.rank() == 0 || options.takers == Takers::all_ranks ? n : 0);
  return n_made;
}

TEST(SharedPieces, AreTakenInOrderByAllOrByTheFirst) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  for (const Takers takers : {Takers::first_rank, Takers::all_ranks})
    for (const std::size_t at_once : {1u, 3u})
      for (const std::size_t n : {0u, 1u, 2u, 7u, 24u}) expect_all_taken(*ranks, n, {takers, at_once});
}

TEST(SharedPieces, EachIsMadeOnce) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const auto n_ranks = static_cast<std::size_t>(ranks->size());
  const std::size_t own = expect_all_taken(*ranks, 6 * n_ranks, {Takers::first_rank, 2});
  EXPECT_EQ(own, 6u);
}

// What a failing loop throws on this rank: status and text; and the ranks work together after it.
std::pair<ExitStatus, std::string> failure_of(Communicator& ranks, const std::function<void(std::size_t)>& making,
                                              const std::function<void(std::size_t)>& taking) {
  std::pair<ExitStatus, std::string> found{ExitStatus::converged, ""};
  try {
    share_numbers<double>(
        ranks, 40, {Takers::first_rank, 2},
        [&](std::size_t i) {
          making(i);
          return piece(i);
        },
        [&](std::size_t i, std::span<const double>) { taking(i); });
  } catch (const Error& error) {
    found = {error.status(), error.what()};
  }
  expect_all_taken(ranks, 9, {});
  return found;
}

TEST(SharedPieces, AFailureOfOneRankIsOneOfAll) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const int last = ranks->size() - 1;
  const auto [status, text] = failure_of(
      *ranks,
      [&](std::size_t) {
        if (ranks->rank() == last) throw OutputError("no such piece");
      },
      [](std::size_t) {});
  EXPECT_EQ(status, ExitStatus::output);
  EXPECT_EQ(text, ranks->rank() == last ? "no such piece" : "rank " + std::to_string(last) + ": no such piece");
}

TEST(SharedPieces, WantOfMemoryStaysOne) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  if (ranks->size() == 1) return;  // the exception itself
  const auto [status, text] = failure_of(
      *ranks,
      [&](std::size_t) {
        if (ranks->rank() == 1) throw MemoryError("too much");
      },
      [](std::size_t) {});
  EXPECT_EQ(status, ExitStatus::resources);
}

TEST(SharedPieces, WhatTheFirstRankCannotTakeEndsAll) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const auto [status, text] = failure_of(
      *ranks, [](std::size_t) {},
      [](std::size_t i) {
        if (i == 1) throw OutputError("the disk is full");
      });
  EXPECT_EQ(status, ExitStatus::output);
  EXPECT_EQ(text, ranks->rank() == 0 ? "the disk is full" : "rank 0: the disk is full");
}

}  // namespace
}  // namespace gwrm::shared_pieces_test
