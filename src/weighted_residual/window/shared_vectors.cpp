#include "weighted_residual/window/shared_vectors.hpp"

#include <algorithm>

#include "core/weighted_sum.hpp"

namespace gwrm {

SharedVectors::SharedVectors(std::vector<Part> parts, int n_ranks) : parts_(std::move(parts)) {
  begins_.emplace_back(at(n_ranks), 0);
  for (const Part& part : parts_) {
    columns_.push_back(Shares::even(part.n_columns, n_ranks, column_block(part.n_columns)));
    offsets_.push_back(size_);
    size_ += part.n_lines * part.n_columns;
    begins_.push_back(begins_.back());
    for (int rank = 0; rank < n_ranks; ++rank) begins_.back()[at(rank)] += part.n_lines * columns_.back().count(rank);
  }
}

SharedVectors SharedVectors::of_one_in(Index n_times) const {
  std::vector<Part> parts = parts_;
  for (Part& part : parts) part.n_lines /= n_times;
  return {std::move(parts), static_cast<int>(begins_.front().size())};
}

Index SharedVectors::place_of(std::size_t part, int rank, Index line, Index column) const {
  const Shares& own = columns_[part];
  const Index block = column_block(own.size()), before = (column - own.begin(rank)) / block * block;
  const Index first = own.begin(rank) + before, width = std::min(block, own.end(rank) - first);
  return begin(part, rank) + before * parts_[part].n_lines + line * width + column - first;
}

void SharedVectors::take(int rank, std::span<const double> whole, std::span<double> own) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for_each_block(p, rank, [&](Index column, Index to, Index width) {
      for (Index line = 0; line < parts_[p].n_lines; ++line)
        std::copy_n(whole.data() + offsets_[p] + column + line * parts_[p].n_columns, width,
                    own.data() + to + line * width);
    });
}

void SharedVectors::gather(Communicator& ranks, std::span<const double> own, std::span<double> whole) const {
  std::vector<std::size_t> counts;
  std::vector<double> all(static_cast<std::size_t>(size_));
  for (int rank = 0; rank < ranks.size(); ++rank) counts.push_back(static_cast<std::size_t>(size_of(rank)));
  ranks.all_gather<double>(own, counts, all);
  const double* of_rank = all.data();
  for (int rank = 0; rank < ranks.size(); of_rank += size_of(rank++))
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for_each_block(p, rank, [&](Index column, Index from, Index width) {
        for (Index line = 0; line < parts_[p].n_lines; ++line)
          std::copy_n(of_rank + from + line * width, width,
                      whole.data() + offsets_[p] + column + line * parts_[p].n_columns);
      });
}

std::vector<std::size_t> SharedVectors::counts_of(std::size_t part) const {
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < columns_[part].n_ranks(); ++rank)
    counts.push_back(static_cast<std::size_t>(begin(part + 1, rank) - begin(part, rank)));
  return counts;
}

void SharedVectors::hand_out(Communicator& ranks, std::span<const double> whole, std::span<double> own) const {
  const int rank = ranks.rank();
  std::vector<double> sent;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<std::size_t> n_sent(at(ranks.size()), 0), n_received = n_sent;
    const std::vector<std::size_t> counts = counts_of(p);
    n_received.front() = counts[at(rank)];
    sent.clear();
    if (rank == 0) {
      n_sent = counts;
      for (int user = 0; user < ranks.size(); ++user)
        for_each_run(p, user, [&](Index from, Index, Index count) {
          sent.insert(sent.end(), whole.begin() + from, whole.begin() + from + count);
        });
    }
    ranks.all_to_all<double>(sent, n_sent, own.subspan(static_cast<std::size_t>(begin(p, rank)), counts[at(rank)]),
                             n_received);
  }
}

void SharedVectors::collect(Communicator& ranks, std::span<const double> own, std::span<double> whole) const {
  const int rank = ranks.rank();
  std::vector<double> received;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<std::size_t> n_sent(at(ranks.size()), 0), n_received = n_sent;
    const std::vector<std::size_t> counts = counts_of(p);
    n_sent.front() = counts[at(rank)];
    if (rank == 0) n_received = counts;
    received.resize(rank == 0 ? static_cast<std::size_t>(parts_[p].n_lines * parts_[p].n_columns) : 0);
    ranks.all_to_all<double>(own.subspan(static_cast<std::size_t>(begin(p, rank)), counts[at(rank)]), n_sent, received,
                             n_received);
    if (rank != 0) continue;
    const double* from = received.data();
    for (int holder = 0; holder < ranks.size(); ++holder)
      for_each_run(p, holder, [&](Index to, Index, Index count) {
        std::copy_n(from, count, whole.data() + to);
        from += count;
      });
  }
}

// Block by block of a part.
std::vector<std::vector<double>> SharedVectors::sums_of_parts(Communicator& ranks, std::span<const double* const> a,
                                                              std::span<const double> b) const {
  const auto blocks_of = [&](std::size_t part, int rank) {
    const Index block = column_block(columns_[part].size());
    return (columns_[part].count(rank) + block - 1) / block;
  };
  const auto n_sums = static_cast<Index>(a.size());
  std::vector<double> own;  // block after block, in each a sum for every a
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for_each_block(p, ranks.rank(), [&](Index, Index place, Index width) {
      for (const double* one : a)
        own.push_back(sum_of_products(one + place, b.data() + place, parts_[p].n_lines * width));
    });
  std::vector<std::size_t> counts;
  std::vector<Index> next;  // of each rank, where its next sums are
  Index n_all = 0;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    Index count = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) count += blocks_of(p, rank) * n_sums;
    next.push_back(n_all);
    counts.push_back(static_cast<std::size_t>(count));
    n_all += count;
  }
  std::vector<double> all(static_cast<std::size_t>(n_all));
  ranks.all_gather<double>(own, counts, all);
  std::vector<std::vector<double>> sums(parts_.size(), std::vector<double>(a.size(), 0.0));
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (int rank = 0; rank < ranks.size(); ++rank)
      for (Index block = 0; block < blocks_of(p, rank); ++block)
        for (double& sum : sums[p]) sum += all[static_cast<std::size_t>(next[at(rank)]++)];
  return sums;
}

std::vector<double> SharedVectors::dots(Communicator& ranks, std::span<const double* const> a,
                                        std::span<const double> b) const {
  std::vector<double> sums(a.size(), 0.0);
  for (const std::vector<double>& of_part : sums_of_parts(ranks, a, b))
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of_part[i];
  return sums;
}

std::vector<double> SharedVectors::squares(Communicator& ranks, std::span<const double> a) const {
  const double* one = a.data();
  std::vector<double> sums;
  for (const std::vector<double>& of_part : sums_of_parts(ranks, {&one, 1}, a)) sums.push_back(of_part.front());
  return sums;
}

}  // namespace gwrm
