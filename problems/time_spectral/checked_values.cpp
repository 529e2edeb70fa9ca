#include "problems/time_spectral/checked_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/shared_pieces.hpp"
#include "output/evaluate.hpp"
#include "problems/time_spectral/left_out_values.hpp"

namespace gwrm {
namespace {

using expression::Expr;

// The grid at the times [begin, end).
CheckGrid at_times(const CheckGrid& grid, std::size_t time, std::size_t begin, std::size_t end) {
  CheckGrid part = grid;
  const auto cut = [&](std::vector<double>& numbers) {
    numbers = std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                                  numbers.begin() + static_cast<std::ptrdiff_t>(end));
  };
  cut(part.points[time]);
  cut(part.weights[time]);
  return part;
}

// The grids at the times that are judged everywhere.
std::vector<CheckGrid> without(const std::vector<CheckGrid>& grids, int time, std::span<const LeftOut> left_out) {
  if (time < 0 || left_out.empty()) return grids;
  std::vector<CheckGrid> judged;
  for (const CheckGrid& grid : grids) {
    const std::vector<double>& times = grid.points[static_cast<std::size_t>(time)];
    const auto is_judged = [&](std::size_t i) {
      return std::none_of(left_out.begin(), left_out.end(),
                          [&](const LeftOut& place) { return place.holds_time(times[i]); });
    };
    for (std::size_t begin = 0; begin < times.size();) {
      std::size_t end = begin;
      while (end < times.size() && is_judged(end)) ++end;
      if (end > begin) judged.push_back(at_times(grid, static_cast<std::size_t>(time), begin, end));
      begin = end + 1;
    }
  }
  return judged;
}

}  // namespace

double largest(const Array& a) {
  double result = 0.0;
  for (double v : a.data) result = std::isnan(v) ? v : std::max(result, std::abs(v));
  return result;
}

double larger(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
}

CheckedValues::CheckedValues(expression::Pool& pool, const Solution& solution, std::vector<CheckGrid> grids,
                             Communicator* ranks, std::span<const LeftOut> left_out)
    : pool_(pool),
      solution_(solution),
      ranks_(ranks),
      start_(grids.front()),
      all_(pieces_of(std::move(grids))),
      judged_(without(all_, solution.windowed_axis(), left_out)) {}

std::vector<CheckGrid> CheckedValues::pieces_of(std::vector<CheckGrid> grids) const {
  const int time = solution_.windowed_axis();
  if (ranks_ == nullptr || time < 0) return grids;
  std::vector<CheckGrid> pieces;
  for (const CheckGrid& grid : grids) {
    std::size_t at_a_time = 1;
    for (std::size_t axis = 0; axis < grid.points.size(); ++axis)
      if (static_cast<int>(axis) != time) at_a_time *= grid.points[axis].size();
    const std::vector<double>& times = grid.points[static_cast<std::size_t>(time)];
    std::size_t begin = 0;  // of the piece that grows
    for (std::size_t next = 0; next < times.size();) {
      std::size_t end = next;
      while (end < times.size() && solution_.window_of(times[end]) == solution_.window_of(times[next])) ++end;
      if (begin < next && (end - begin) * at_a_time > kPointsOfPiece) {
        pieces.push_back(at_times(grid, static_cast<std::size_t>(time), begin, next));
        begin = next;
      }
      next = end;
    }
    pieces.push_back(at_times(grid, static_cast<std::size_t>(time), begin, times.size()));
  }
  return pieces;
}

void CheckedValues::on_pieces(const std::vector<CheckGrid>& pieces,
                              const std::function<std::vector<double>(const CheckGrid&, Communicator*)>& look,
                              const std::function<void(const CheckGrid&, std::span<const double>)>& found) {
  if (ranks_ == nullptr || pieces.size() < 2 * static_cast<std::size_t>(ranks_->size())) {
    for (const CheckGrid& piece : pieces) found(piece, look(piece, ranks_));
    return;
  }
  share_numbers<double>(
      *ranks_, pieces.size(), {}, [&](std::size_t i) { return look(pieces[i], alone_.get()); },
      [&](std::size_t i, std::span<const double> numbers) { found(pieces[i], numbers); });
}

// Extent 1 along axes on which it does not depend, but for `full`.
std::vector<Array> CheckedValues::values(std::span<const Expr> es, const CheckGrid& grid, bool full,
                                         Communicator* ranks) {
  std::vector<Array> found = evaluate(pool_, solution_, es, grid.points, full, nullptr, ranks);
  for (Array& one : found) gwrm::leave_out_corners(corners_, grid.points, one);
  return found;
}

double CheckedValues::largest_of(Expr e) {
  double result = 0.0;
  on_pieces(
      grids(),
      [&](const CheckGrid& piece, Communicator* ranks) {
        return std::vector<double>{largest(values(std::span(&e, 1), piece, false, ranks).front())};
      },
      [&](const CheckGrid&, std::span<const double> of_piece) { result = larger(result, of_piece[0]); });
  return result;
}

double CheckedValues::mean_of_subdomains(Expr e) {
  double sum = 0.0, all = 0.0;
  Index most = 1;  // coefficients along an axis: so many points are needed, of which a side is few
  for (const AxisDescription& axis : solution_.subdomains.front())
    if (axis.edges.size() > 1) most = std::max(most, axis.n_coefficients());
  on_pieces(
      pieces_of(make_check_grids(solution_, static_cast<int>(most / 24 + 2))),
      [&](const CheckGrid& piece, Communicator* ranks) {
        const Array v = values(std::span(&e, 1), piece, false, ranks).front();
        // Of each point along an axis: its subdomain.
        std::vector<std::vector<Index>> subdomain(v.shape.size());
        Shape counts(v.shape.size(), 1);
        for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
          const AxisDescription& mine = solution_.subdomains[piece.first_window][axis];
          subdomain[axis].assign(static_cast<std::size_t>(v.shape[axis]), 0);
          if (v.shape[axis] == 1 || mine.edges.size() < 2) continue;
          counts[axis] = mine.n_subdomains();
          for (std::size_t i = 0; i < subdomain[axis].size(); ++i)
            subdomain[axis][i] = mine.subdomain_of(piece.points[axis][i]);
        }
        std::vector<double> integrals(static_cast<std::size_t>(element_count(counts)), 0.0);
        double volume = 0.0;
        for (Index i = 0; i < v.size(); ++i) {
          double weight = 1.0;
          Index rest = i, cell = 0, stride = 1;
          for (std::size_t axis = v.shape.size(); axis-- > 0;) {
            const auto point = static_cast<std::size_t>(rest % v.shape[axis]);
            rest /= v.shape[axis];
            if (v.shape[axis] > 1) weight *= piece.weights[axis][point];
            cell += stride * subdomain[axis][point];
            stride *= counts[axis];
          }
          integrals[static_cast<std::size_t>(cell)] += weight * v.data[static_cast<std::size_t>(i)];
          volume += weight;
        }
        std::vector<double> sums{0.0, volume};
        for (double integral : integrals) sums[0] += std::abs(integral);
        return sums;
      },
      [&](const CheckGrid&, std::span<const double> sums) {
        sum += sums[0];
        all += sums[1];
      });
  return all > 0.0 ? sum / all : sum;
}

double CheckedValues::size_of(Expr magnitude) {
  double result = 0.0;
  on_pieces(
      grids(),
      [&](const CheckGrid& piece, Communicator* ranks) {
        std::vector<Array> found = evaluate_roughly(pool_, solution_, std::span<const Expr>(&magnitude, 1),
                                                    piece.points, piece.weights, ranks);
        gwrm::leave_out_corners(corners_, piece.points, found.front());
        return std::vector<double>{largest(found.front())};
      },
      [&](const CheckGrid&, std::span<const double> of_piece) { result = larger(result, of_piece[0]); });
  return result;
}

double CheckedValues::largest_at_start(Expr e) {
  return largest(values(std::span<const Expr>(&e, 1), start_, false, ranks_).front());
}

double CheckedValues::variation(Expr e) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  on_pieces(
      grids(),
      [&](const CheckGrid& piece, Communicator* ranks) {
        std::vector<double> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
        const std::vector<Array> all = values(std::span(&e, 1), piece, false, ranks);
        for (double v : all.front().data) {
          range[0] = std::min(range[0], v);
          range[1] = std::max(range[1], v);
        }
        return range;
      },
      [&](const CheckGrid&, std::span<const double> range) {
        lowest = std::min(lowest, range[0]);
        highest = std::max(highest, range[1]);
      });
  return (highest - lowest) / 2.0;
}

std::vector<double> CheckedValues::integrals_of_norm(std::span<const Expr> es) {
  const int time = solution_.windowed_axis();
  std::vector<int> others;
  for (int axis = 0; axis < static_cast<int>(solution_.axes.size()); ++axis)
    if (axis != time) others.push_back(axis);
  std::vector<double> sums(es.size(), 0.0);
  on_pieces(
      grids(),
      [&](const CheckGrid& piece, Communicator* ranks) {
        std::vector<double> squares;  // at each time
        for (const Array& all : values(es, piece, true, ranks)) {
          const std::vector<double> own = squares_over(all, piece, others, time);
          squares.insert(squares.end(), own.begin(), own.end());
        }
        return squares;
      },
      [&](const CheckGrid& piece, std::span<const double> squares) {
        const std::size_t n_times = squares.size() / es.size();
        for (std::size_t i = 0; i < es.size(); ++i)
          for (std::size_t k = 0; k < n_times; ++k)
            sums[i] += (time < 0 ? 1.0 : piece.weights[static_cast<std::size_t>(time)][k]) *
                       std::sqrt(squares[i * n_times + k]);
      });
  return sums;
}

CheckedValues::Compared CheckedValues::compare(const std::array<Expr, 2>& es, const std::vector<int>& axes) {
  Compared compared;
  on_pieces(
      pieces_of(make_check_grids(solution_, 2)),
      [&](const CheckGrid& piece, Communicator* ranks) {
        const std::vector<Array> all = values(es, piece, true, ranks);
        return std::vector<double>{largest(all[0]), largest(all[1]), squares_over(all[0], piece, axes, -1).front(),
                                   squares_over(all[1], piece, axes, -1).front()};
      },
      [&](const CheckGrid&, std::span<const double> numbers) {
        for (std::size_t i = 0; i < 2; ++i) {
          compared.largest[i] = larger(compared.largest[i], numbers[i]);
          compared.squares[i] += numbers[2 + i];
        }
      });
  return compared;
}

}  // namespace gwrm
