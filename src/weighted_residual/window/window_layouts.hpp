// Where the numbers of a window lie when several ranks share it, and how they go from one layout to another.
//
// Table     A tensor with the extents (t, z, y, x), z the first modal axis, is a table of lines, one for each (t, z),
// by
//           columns, one for each (y, x). A transform along t or z needs whole columns, one along y or x, or a formula
//           at the points, whole lines.
// Layouts   columns: all lines, a share of the columns, cut between blocks (column_block). Unknowns, rows and Krylov
//                    vectors; products along t and z, a block at a time, so that their bits do not depend on who has
//                    which block.
//           planes:  a share of the lines (t, point in z), all columns.
//           modes:   a share of the pairs (mode of time, field), all of their lines and columns: what one solve with
//                    the factors of the preconditioner takes. A complex mode has lines for its real and for its
//                    imaginary parts.
// Memory    columns: table after table, in each block after block, in a block line after line: every block is a tensor
//           (t, z, columns) by itself. planes and modes: table after table, in each line after line.
// Exchange  all tables of a step in one message between each two ranks. Off rank go, of a table of L lines by m columns
//           of which rank r has L_r and m_r, sum_r m_r (L - L_r) numbers, which is L m (1 - 1/P) where the shares are
//           equal; the same on the way back. Nothing is computed: there and back is the identity.
// Bytes     of a GMRES iteration with N unknowns in K nodes of n z-coefficients at p points, equal shares:
//           8 N (1 - 1/P) [2 . 2 ceil(K/2)/K + (p/n) (Z + E)], Z the pairs (derivative in time, derivative in z) that
//           are read of a field, E the equations of a field.
#pragma once

#include <span>
#include <vector>

#include "core/array.hpp"
#include "core/buffer.hpp"
#include "core/communicator.hpp"

namespace gwrm {

// Columns of a block, by the number of all columns alone: 64, with which products take hardly longer than in one, and
// less where that would leave fewer than eight blocks to share out, as in two dimensions; at least 8.
inline Index column_block(Index n_columns) {
  Index block = 8;
  while (block < 64 && 16 * block <= n_columns) block *= 2;
  return block;
}

// What each rank holds of n things in their order: things begin(r) to begin(r + 1) - 1.
class Shares {
 public:
  // Begins by rank and n behind them, which is begin(n_ranks()); ascending, the first 0.
  explicit Shares(std::vector<Index> begins) : begins_(std::move(begins)) {}
  // As equal as blocks that stay whole allow.
  static Shares even(Index n, int n_ranks, Index block = 1);

  int n_ranks() const { return static_cast<int>(begins_.size()) - 1; }
  Index size() const { return begins_.back(); }
  Index begin(int rank) const { return begins_[at(rank)]; }
  Index end(int rank) const { return begins_[at(rank) + 1]; }
  Index count(int rank) const { return end(rank) - begin(rank); }

 private:
  std::vector<Index> begins_;
};

struct SharedTable {
  Shares lines;    // where lines are whole
  Shares columns;  // where columns are
  Index block;     // of the columns
};

// Columns and planes of tensors (n_times, n_points, n_columns).
SharedTable table_of_planes(Index n_times, Index n_points, Index n_columns, int n_ranks);
// Columns and modes of one of n_fields, n_parts n_lines lines for each of n_modes: real and imaginary parts, or real
// ones alone, as of steady problems.
SharedTable table_of_modes(Index n_modes, int field, int n_fields, Index n_lines, Index n_columns, int n_ranks,
                           Index n_parts = 2);

class WindowExchange {
 public:
  explicit WindowExchange(std::vector<SharedTable> tables) : tables_(std::move(tables)) {}

  const std::vector<SharedTable>& tables() const { return tables_; }
  // Numbers that a rank holds in either layout, and those before a table among them.
  Index n_by_columns(int rank) const { return by_columns_before(tables_.size(), rank); }
  Index n_by_lines(int rank) const { return by_lines_before(tables_.size(), rank); }
  Index by_columns_before(std::size_t table, int rank) const;
  Index by_lines_before(std::size_t table, int rank) const;
  // Numbers that all ranks together send to others, in either direction, by the formula above.
  Index n_off_rank() const;

  void to_lines(Communicator& ranks, std::span<const double> by_columns, std::span<double> by_lines);
  void to_columns(Communicator& ranks, std::span<const double> by_lines, std::span<double> by_columns);

  // The same without memory of its own: what goes out is lost. Both have room() numbers.
  Index room(int rank) const;
  void move_to_lines(Communicator& ranks, double* by_columns, double* by_lines) const;
  void move_to_columns(Communicator& ranks, double* by_lines, double* by_columns) const;

 private:
  // All-to-all, counted as an exchange.
  void send(Communicator& ranks, std::span<const double> sent, std::span<const std::size_t> n_sent,
            std::span<double> received, std::span<const std::size_t> n_received) const;
  struct Rooms {
    const double* from;
    double *sent, *received, *to;  // sent may be `to`, received `from`
  };
  void send_to_lines(Communicator& ranks, const Rooms& rooms) const;
  void send_to_columns(Communicator& ranks, const Rooms& rooms) const;
  // Numbers that are at rank `holder` by columns and at rank `user` by lines.
  Index between(int holder, int user) const;
  // Calls body(place by columns, place by lines, count) for every run of numbers that `holder` has by columns and
  // `user` by lines, in the order in which they are sent.
  template <class Body>
  void for_each_run(int holder, int user, const Body& body) const;

  std::vector<SharedTable> tables_;
  Buffer sent_, received_;
};

}  // namespace gwrm
