#include "core/rank_communicator.hpp"

#include <algorithm>
#include <cstring>

namespace gwrm {

RankCommunicator::RankCommunicator(const RankFunctions& functions, int group, std::size_t piece)
    : functions_(functions), group_(group), piece_(piece) {
  functions_.place_in_group(group_, &rank_, &size_);
}

RankCommunicator::~RankCommunicator() {
  functions_.free_group(group_);
}

void RankCommunicator::post(bool is_sent, std::byte* bytes, std::size_t n, int other) {
  for (std::size_t first = 0; first < n; first += piece_) {
    const int count = static_cast<int>(std::min(piece_, n - first));
    if (is_sent)
      functions_.post_send(group_, bytes + first, count, other);
    else
      functions_.post_receive(group_, bytes + first, count, other);
  }
}

// Each rank begins with its neighbour, so that not all send to rank 0 first.
void RankCommunicator::all_to_all(const std::byte* send, std::span<const std::size_t> n_sent, std::byte* receive,
                                  std::span<const std::size_t> n_received) {
  const auto n_ranks = static_cast<std::size_t>(size_), own = static_cast<std::size_t>(rank_);
  std::vector<std::size_t> to(n_ranks + 1, 0), from(n_ranks + 1, 0);  // where the parts begin
  for (std::size_t r = 0; r < n_ranks; ++r) {
    to[r + 1] = to[r] + n_sent[r];
    from[r + 1] = from[r] + n_received[r];
  }
  for (std::size_t step = 1; step < n_ranks; ++step) {
    const std::size_t r = (own + n_ranks - step) % n_ranks;
    post(false, receive + from[r], n_received[r], static_cast<int>(r));
  }
  for (std::size_t step = 1; step < n_ranks; ++step) {
    const std::size_t r = (own + step) % n_ranks;
    post(true, const_cast<std::byte*>(send) + to[r], n_sent[r], static_cast<int>(r));
  }
  traffic().sent += static_cast<double>(to[n_ranks] - n_sent[own]);
  if (n_sent[own] > 0) std::memcpy(receive + from[own], send + to[own], n_sent[own]);
  functions_.wait_for_posts();
}

// In one message of all where that is short enough to be counted; else part by part.
void RankCommunicator::all_gather(const std::byte* own, std::span<const std::size_t> counts, std::byte* all) {
  std::size_t total = 0;
  std::vector<int> short_counts;
  for (std::size_t count : counts) {
    total += count;
    short_counts.push_back(static_cast<int>(std::min(count, piece_)));
  }
  if (total <= piece_) {
    traffic().sent += static_cast<double>(counts[static_cast<std::size_t>(rank_)]) * (size_ - 1);
    functions_.all_gather(group_, own, short_counts.data(), all);
    return;
  }
  std::size_t first = 0;
  for (std::size_t r = 0; r < counts.size(); first += counts[r++]) {
    if (static_cast<int>(r) == rank_ && counts[r] > 0) std::memcpy(all + first, own, counts[r]);
    broadcast(all + first, counts[r], static_cast<int>(r));
  }
}

void RankCommunicator::broadcast(std::byte* bytes, std::size_t n, int root) {
  if (root == rank_) traffic().sent += static_cast<double>(n) * (size_ - 1);
  for (std::size_t first = 0; first < n; first += piece_)
    functions_.broadcast_from(group_, bytes + first, static_cast<int>(std::min(piece_, n - first)), root);
}

std::unique_ptr<Communicator> RankCommunicator::split(int colour) {
  return std::make_unique<RankCommunicator>(functions_, functions_.split(group_, colour), piece_);
}

}  // namespace gwrm
