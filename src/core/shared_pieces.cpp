#include "core/shared_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <string>

#include "core/errors.hpp"
#include "core/last_resort.hpp"

namespace gwrm {
namespace {

constexpr std::uint64_t kFailed = ~std::uint64_t{0};  // in place of a size

struct Failure {
  int status = static_cast<int>(ExitStatus::internal_error);
  int is_memory = 0;
  std::uint64_t length = 0;  // of the text
};

std::string describe(const std::exception_ptr& error, Failure& failure) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& own) {
    failure.status = static_cast<int>(own.status());
    failure.is_memory = dynamic_cast<const MemoryError*>(&own) != nullptr ? 1 : 0;
    return own.what();
  } catch (const std::exception& own) {
    if (!is_want_of_memory(own)) return own.what();
    failure.is_memory = 1;
    return kOutOfMemory;
  } catch (...) {
    return "internal error";
  }
}

// By all ranks, which all throw. error: of the rank `failed`.
[[noreturn]] void leave(Communicator& ranks, int failed, const std::exception_ptr& error) {
  Failure failure;
  std::string text;
  if (ranks.rank() == failed) {
    text = describe(error, failure);
    failure.length = text.size();
  }
  ranks.broadcast(reinterpret_cast<std::byte*>(&failure), sizeof(failure), failed);
  text.resize(failure.length);
  ranks.broadcast(reinterpret_cast<std::byte*>(text.data()), text.size(), failed);
  if (ranks.rank() == failed) std::rethrow_exception(error);
  text = fmt::format("rank {}: {}", failed, text);
  if (failure.is_memory != 0) throw MemoryError(text);
  throw Error(static_cast<ExitStatus>(failure.status), text);
}

// The pieces of one round, and of each rank in it.
struct Round {
  std::size_t first, n, at_once;
  std::size_t begin_of(int rank) const { return first + std::min(n, static_cast<std::size_t>(rank) * at_once); }
  std::size_t n_of(int rank) const { return begin_of(rank + 1) - begin_of(rank); }
};

PieceBytes joined(std::vector<PieceBytes> pieces) {
  if (pieces.size() == 1) return std::move(pieces.front());
  PieceBytes all;
  for (PieceBytes& piece : pieces) {
    all.insert(all.end(), piece.begin(), piece.end());
    piece = {};
  }
  return all;
}

}  // namespace

void share_pieces(Communicator& ranks, std::size_t n, const PieceOptions& options,
                  const std::function<std::vector<PieceBytes>(std::size_t, std::size_t)>& make,
                  const std::function<void(std::size_t, std::span<const std::byte>)>& take) {
  const int own = ranks.rank(), n_ranks = ranks.size();
  const std::size_t in_round = options.at_once * static_cast<std::size_t>(n_ranks);
  const bool takes = own == 0 || options.takers == Takers::all_ranks;
  std::exception_ptr error;
  for (std::size_t first = 0; first < n; first += in_round) {
    const Round round{first, std::min(in_round, n - first), options.at_once};
    std::vector<PieceBytes> pieces(round.n_of(own));
    try {
      if (!error && !pieces.empty()) pieces = make(round.begin_of(own), pieces.size());
    } catch (...) {
      error = std::current_exception();
    }
    if (n_ranks == 1) {
      if (error) std::rethrow_exception(error);
      for (std::size_t i = 0; i < pieces.size(); ++i) take(first + i, pieces[i]);
      continue;
    }
    // Of each rank how it fares, then the sizes of its pieces.
    std::vector<std::uint64_t> sizes{error ? kFailed : 0}, all(round.n + static_cast<std::size_t>(n_ranks));
    for (const PieceBytes& piece : pieces) sizes.push_back(piece.size());
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < n_ranks; ++rank) counts.push_back(1 + round.n_of(rank));
    ranks.all_gather<std::uint64_t>(sizes, counts, all);
    std::vector<std::size_t> bytes_of(static_cast<std::size_t>(n_ranks), 0), bytes_of_piece;
    for (std::size_t r = 0, at = 0; r < counts.size(); ++r) {
      if (all[at] == kFailed) leave(ranks, static_cast<int>(r), error);
      for (std::size_t i = 1; i < counts[r]; ++i) {
        bytes_of[r] += all[at + i];
        bytes_of_piece.push_back(all[at + i]);
      }
      at += counts[r];
    }
    const PieceBytes packed = joined(std::move(pieces));
    PieceBytes received;
    if (takes) received.resize(std::accumulate(bytes_of.begin(), bytes_of.end(), std::size_t{0}));
    if (options.takers == Takers::all_ranks) {
      ranks.all_gather(packed.data(), bytes_of, received.data());
    } else {
      std::vector<std::size_t> n_sent(bytes_of.size(), 0);
      n_sent[0] = packed.size();
      const std::vector<std::size_t> nothing(bytes_of.size(), 0);
      ranks.all_to_all(packed.data(), n_sent, received.data(), own == 0 ? bytes_of : nothing);
    }
    if (!takes) continue;
    try {
      std::span<const std::byte> rest = received;
      for (std::size_t i = 0; i < round.n; ++i) {
        take(first + i, rest.first(bytes_of_piece[i]));
        rest = rest.subspan(bytes_of_piece[i]);
      }
    } catch (...) {  // the others hear of it in the next round
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace gwrm
