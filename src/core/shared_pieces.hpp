// A loop whose pieces the ranks of a communicator share: each is made by one rank, as bytes, and taken in the order of
// the pieces, by rank 0 or by all. So results have the same bits on any number of ranks, where those of a piece depend
// on the piece alone.
//
// All ranks call it alike: the same number of pieces, each with what it needs to make any of them. Pieces go in rounds,
// `at_once` consecutive ones to a rank, which makes these in threads or one after the other, so that rank 0 holds no
// more than those of a round.
//
// Errors   Of a piece that cannot be made or taken: the round is ended, all ranks leave with an exception: the rank
//          itself with its own, the others with an Error of its status (a MemoryError for want of memory) that names
//          the rank. What rank 0 throws with the last pieces is its own alone.
// Cost     one message to all of 8 bytes a piece, and one of the pieces, a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/communicator.hpp"

namespace gwrm {

enum class Takers { first_rank, all_ranks };

struct PieceOptions {
  Takers takers = Takers::all_ranks;
  std::size_t at_once = 1;
};

using PieceBytes = std::vector<std::byte>;

// make(first, n): the pieces from `first` on; take(i, bytes): one after the other.
void share_pieces(Communicator& ranks, std::size_t n, const PieceOptions& options,
                  const std::function<std::vector<PieceBytes>(std::size_t, std::size_t)>& make,
                  const std::function<void(std::size_t, std::span<const std::byte>)>& take);

// The same of numbers, made piece by piece.
template <class Number>
void share_numbers(Communicator& ranks, std::size_t n, const PieceOptions& options,
                   const std::function<std::vector<Number>(std::size_t)>& make,
                   const std::function<void(std::size_t, std::span<const Number>)>& take) {
  static_assert(std::is_trivially_copyable_v<Number>);
  std::vector<Number> numbers;
  share_pieces(
      ranks, n, options,
      [&](std::size_t first, std::size_t n_made) {
        std::vector<PieceBytes> pieces;
        for (std::size_t i = first; i < first + n_made; ++i) {
          const std::vector<Number> made = make(i);
          const auto bytes = std::as_bytes(std::span(made));
          pieces.emplace_back(bytes.begin(), bytes.end());
        }
        return pieces;
      },
      [&](std::size_t i, std::span<const std::byte> bytes) {
        numbers.resize(bytes.size() / sizeof(Number));
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(numbers.data()));
        take(i, numbers);
      });
}

}  // namespace gwrm
