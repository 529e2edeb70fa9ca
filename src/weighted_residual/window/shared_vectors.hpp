// Vectors of a shared window - unknowns field by field, rows block by block - of which each rank holds the columns that
// are its own (window_layouts.hpp), and sums over them whose bits do not depend on the number of ranks.
#pragma once

#include <span>
#include <vector>

#include "weighted_residual/window/window_layouts.hpp"

namespace gwrm {

class SharedVectors {
 public:
  // A table of a vector: n_lines by n_columns.
  struct Part {
    Index n_lines = 0, n_columns = 0;
  };
  SharedVectors(std::vector<Part> parts, int n_ranks);

  const std::vector<Part>& parts() const { return parts_; }
  // The same at one time of n_times, which lines run over first.
  SharedVectors of_one_in(Index n_times) const;
  // Numbers of all ranks, and of one; the place of a part among the latter.
  Index size() const { return size_; }
  Index size_of(int rank) const { return begins_.back()[at(rank)]; }
  Index begin(std::size_t part, int rank) const { return begins_[part][at(rank)]; }
  // Of a part in the whole vector.
  Index offset(std::size_t part) const { return offsets_[part]; }
  // The columns of a part; and the place of a number among those of the rank, which has its column.
  const Shares& columns(std::size_t part) const { return columns_[part]; }
  Index place_of(std::size_t part, int rank, Index line, Index column) const;
  // Calls body(column, place, width) for each block of columns that the rank has of a part, in order; place: among the
  // rank's numbers, where the lines of the block lie one after another.
  template <class Body>
  void for_each_block(std::size_t part, int rank, const Body& body) const {
    const Shares& own = columns_[part];
    const Index block = column_block(own.size());
    Index place = begin(part, rank);
    for (Index column = own.begin(rank); column < own.end(rank); column += block) {
      const Index width = own.end(rank) - column < block ? own.end(rank) - column : block;
      body(column, place, width);
      place += parts_[part].n_lines * width;
    }
  }

  // The rank's own numbers of a whole vector, line after line as without ranks ...
  void take(int rank, std::span<const double> whole, std::span<double> own) const;
  // ... and the whole vector of what all hold, for all.
  void gather(Communicator& ranks, std::span<const double> own, std::span<double> whole) const;
  // The same from the whole vector of rank 0 and to it: nothing is read or written in `whole` of others. Part by part.
  void hand_out(Communicator& ranks, std::span<const double> whole, std::span<double> own) const;
  void collect(Communicator& ranks, std::span<const double> own, std::span<double> whole) const;

  // sum_i a[i] b[i] over all ranks, for each a: partial sums of blocks, added up block after block and part after part
  // in the order of the whole vector.
  std::vector<double> dots(Communicator& ranks, std::span<const double* const> a, std::span<const double> b) const;
  // sum_i a[i]^2 of each part, likewise.
  std::vector<double> squares(Communicator& ranks, std::span<const double> a) const;

 private:
  // Calls body(place in the whole vector, place among the rank's own, count) for each run of a part.
  template <class Body>
  void for_each_run(std::size_t part, int rank, const Body& body) const {
    for_each_block(part, rank, [&](Index column, Index place, Index width) {
      for (Index line = 0; line < parts_[part].n_lines; ++line)
        body(offsets_[part] + column + line * parts_[part].n_columns, place + line * width, width);
    });
  }
  std::vector<std::size_t> counts_of(std::size_t part) const;
  // [part][a]
  std::vector<std::vector<double>> sums_of_parts(Communicator& ranks, std::span<const double* const> a,
                                                 std::span<const double> b) const;

  std::vector<Part> parts_;
  std::vector<Shares> columns_;
  std::vector<Index> offsets_;
  std::vector<std::vector<Index>> begins_;  // [part][rank], and the sizes behind the last part
  Index size_ = 0;
};

}  // namespace gwrm
