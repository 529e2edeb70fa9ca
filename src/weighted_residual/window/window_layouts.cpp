#include "weighted_residual/window/window_layouts.hpp"

#include <algorithm>
#include <cstring>

namespace gwrm {
namespace {

// Runs are as wide as a block of columns, and there are as many as numbers by that: a call for each would take longer
// than the copy.
double* copy_run(const double* from, Index count, double* to) {
  constexpr Index kNarrow = 8;
  if (count == kNarrow)
    std::memcpy(to, from, kNarrow * sizeof(double));
  else
    std::copy_n(from, count, to);
  return to + count;
}

}  // namespace

Shares Shares::even(Index n, int n_ranks, Index block) {
  const Index n_blocks = (n + block - 1) / block;
  std::vector<Index> begins;
  for (Index rank = 0; rank <= n_ranks; ++rank) begins.push_back(std::min(n, block * (n_blocks * rank / n_ranks)));
  return Shares(std::move(begins));
}

SharedTable table_of_planes(Index n_times, Index n_points, Index n_columns, int n_ranks) {
  const Index block = column_block(n_columns);
  return {Shares::even(n_times * n_points, n_ranks), Shares::even(n_columns, n_ranks, block), block};
}

// Mode k of the field is pair k n_fields + field of all.
SharedTable table_of_modes(Index n_modes, int field, int n_fields, Index n_lines, Index n_columns, int n_ranks,
                           Index n_parts) {
  const Shares pairs = Shares::even(n_modes * n_fields, n_ranks);
  std::vector<Index> begins;
  for (int rank = 0; rank <= n_ranks; ++rank) {
    const Index modes = (pairs.begin(rank) - field + n_fields - 1) / n_fields;  // of the field, with lower ranks
    begins.push_back(n_parts * n_lines * modes);
  }
  const Index block = column_block(n_columns);
  return {Shares(std::move(begins)), Shares::even(n_columns, n_ranks, block), block};
}

Index WindowExchange::by_columns_before(std::size_t table, int rank) const {
  Index count = 0;
  for (std::size_t i = 0; i < table; ++i) count += tables_[i].lines.size() * tables_[i].columns.count(rank);
  return count;
}

Index WindowExchange::by_lines_before(std::size_t table, int rank) const {
  Index count = 0;
  for (std::size_t i = 0; i < table; ++i) count += tables_[i].lines.count(rank) * tables_[i].columns.size();
  return count;
}

Index WindowExchange::between(int holder, int user) const {
  Index count = 0;
  for (const SharedTable& table : tables_) count += table.columns.count(holder) * table.lines.count(user);
  return count;
}

Index WindowExchange::n_off_rank() const {
  Index count = 0;
  for (const SharedTable& table : tables_)
    for (int rank = 0; rank < table.lines.n_ranks(); ++rank)
      count += table.columns.count(rank) * (table.lines.size() - table.lines.count(rank));
  return count;
}

void WindowExchange::send(Communicator& ranks, std::span<const double> sent, std::span<const std::size_t> n_sent,
                          std::span<double> received, std::span<const std::size_t> n_received) const {
  const double before = ranks.traffic().sent;
  ranks.all_to_all<double>(sent, n_sent, received, n_received);
  ranks.traffic().exchanged += ranks.traffic().sent - before;
  ranks.traffic().by_formula += static_cast<double>(sizeof(double)) * static_cast<double>(n_off_rank());
}

template <class Body>
void WindowExchange::for_each_run(int holder, int user, const Body& body) const {
  Index by_columns = 0, by_lines = 0;  // of the table
  for (const SharedTable& table : tables_) {
    const Index n_lines = table.lines.size(), n_columns = table.columns.size();
    const Index first = table.lines.begin(user), first_column = table.columns.begin(holder);
    for (Index column = first_column; column < table.columns.end(holder); column += table.block) {
      const Index width = std::min(table.block, table.columns.end(holder) - column);
      const Index of_block = by_columns + (column - first_column) * n_lines;
      for (Index line = first; line < table.lines.end(user); ++line)
        body(of_block + line * width, by_lines + (line - first) * n_columns + column, width);
    }
    by_columns += n_lines * table.columns.count(holder);
    by_lines += table.lines.count(user) * n_columns;
  }
}

Index WindowExchange::room(int rank) const {
  return std::max(n_by_columns(rank), n_by_lines(rank));
}

void WindowExchange::to_lines(Communicator& ranks, std::span<const double> by_columns, std::span<double> by_lines) {
  double* sent = sent_.reserve(n_by_columns(ranks.rank()));
  send_to_lines(ranks, {by_columns.data(), sent, received_.reserve(n_by_lines(ranks.rank())), by_lines.data()});
}

void WindowExchange::to_columns(Communicator& ranks, std::span<const double> by_lines, std::span<double> by_columns) {
  double* sent = sent_.reserve(n_by_lines(ranks.rank()));
  send_to_columns(ranks, {by_lines.data(), sent, received_.reserve(n_by_columns(ranks.rank())), by_columns.data()});
}

void WindowExchange::move_to_lines(Communicator& ranks, double* by_columns, double* by_lines) const {
  send_to_lines(ranks, {by_columns, by_lines, by_columns, by_lines});
}

void WindowExchange::move_to_columns(Communicator& ranks, double* by_lines, double* by_columns) const {
  send_to_columns(ranks, {by_lines, by_columns, by_lines, by_columns});
}

void WindowExchange::send_to_lines(Communicator& ranks, const Rooms& rooms) const {
  const int own = ranks.rank();
  if (ranks.size() == 1) {
    for_each_run(own, own,
                 [&](Index from, Index to, Index count) { copy_run(rooms.from + from, count, rooms.to + to); });
    return;
  }
  std::vector<std::size_t> n_sent, n_received;
  double* next = rooms.sent;
  for (int user = 0; user < ranks.size(); ++user) {
    n_sent.push_back(static_cast<std::size_t>(between(own, user)));
    n_received.push_back(static_cast<std::size_t>(between(user, own)));
    for_each_run(own, user, [&](Index from, Index, Index count) { next = copy_run(rooms.from + from, count, next); });
  }
  send(ranks, {rooms.sent, static_cast<std::size_t>(n_by_columns(own))}, n_sent,
       {rooms.received, static_cast<std::size_t>(n_by_lines(own))}, n_received);
  const double* from = rooms.received;
  for (int holder = 0; holder < ranks.size(); ++holder)
    for_each_run(holder, own, [&](Index, Index to, Index count) {
      copy_run(from, count, rooms.to + to);
      from += count;
    });
}

void WindowExchange::send_to_columns(Communicator& ranks, const Rooms& rooms) const {
  const int own = ranks.rank();
  if (ranks.size() == 1) {
    for_each_run(own, own,
                 [&](Index to, Index from, Index count) { copy_run(rooms.from + from, count, rooms.to + to); });
    return;
  }
  std::vector<std::size_t> n_sent, n_received;
  double* next = rooms.sent;
  for (int holder = 0; holder < ranks.size(); ++holder) {
    n_sent.push_back(static_cast<std::size_t>(between(holder, own)));
    n_received.push_back(static_cast<std::size_t>(between(own, holder)));
    for_each_run(holder, own, [&](Index, Index from, Index count) { next = copy_run(rooms.from + from, count, next); });
  }
  send(ranks, {rooms.sent, static_cast<std::size_t>(n_by_lines(own))}, n_sent,
       {rooms.received, static_cast<std::size_t>(n_by_columns(own))}, n_received);
  const double* from = rooms.received;
  for (int user = 0; user < ranks.size(); ++user)
    for_each_run(own, user, [&](Index to, Index, Index count) {
      copy_run(from, count, rooms.to + to);
      from += count;
    });
}

}  // namespace gwrm
