// What the verification takes from expressions of a solution on its check grids: largest magnitudes, ranges, integrals.
//
// By one process from whole grids. By several ranks, which all have the solution and ask for the same one after the
// other, from pieces of the grids: whole windows of together kPointsOfPiece points, or one. Pieces are dealt out where
// there are many; of a few each is made by all ranks together (evaluate.hpp). A piece has the same bits either way, and
// what is found is put together in the order of the pieces: all have the same numbers, on any number of ranks.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/communicator.hpp"
#include "expression/expression.hpp"
#include "output/left_out.hpp"
#include "problems/time_spectral/check_grid.hpp"

namespace gwrm {

// NaN if one of them is.
double larger(double a, double b);
// The largest magnitude; NaN if there is one.
double largest(const Array& a);

class CheckedValues {
 public:
  static constexpr std::size_t kPointsOfPiece = std::size_t{1} << 14;

  // grids: as make_check_grids() makes them. ranks: null for one process. All other arguments outlive it.
  // left_out: see leave_out_times().
  CheckedValues(expression::Pool& pool, const Solution& solution, std::vector<CheckGrid> grids, Communicator* ranks,
                std::span<const LeftOut> left_out = {});

  // From here on values are looked at outside of these times, or at all times again.
  void leave_out_times(bool leaves_out) { leaves_out_ = leaves_out; }
  // From here on values count as 0 at these corners of a steady problem; empty: everywhere as they are.
  void leave_out_corners(std::vector<LeftOut> corners) { corners_ = std::move(corners); }

  // The largest magnitude; NaN if there is one.
  double largest_of(expression::Expr e);
  // Of a magnitude: what is relative to it needs no more than its size.
  double size_of(expression::Expr magnitude);
  // On the first grid, of what does not depend on time.
  double largest_at_start(expression::Expr e);
  // Half of the largest value less the smallest.
  double variation(expression::Expr e);
  // int |v| dt with the L2 norm over all other axes, of each expression.
  std::vector<double> integrals_of_norm(std::span<const expression::Expr> es);
  // Of a steady problem: the sum over the subdomains of |int v|, over int 1; v is 0 at the corners that are left out.
  double mean_of_subdomains(expression::Expr e);
  // Of two expressions, on twice as many points: their largest magnitudes, and their squares integrated over the axes.
  struct Compared {
    double largest[2] = {0.0, 0.0};
    double squares[2] = {0.0, 0.0};
  };
  Compared compare(const std::array<expression::Expr, 2>& es, const std::vector<int>& axes);

 private:
  std::vector<CheckGrid> pieces_of(std::vector<CheckGrid> grids) const;
  const std::vector<CheckGrid>& grids() const { return leaves_out_ ? judged_ : all_; }
  // found: what `look` finds on each of the pieces, whose ranks it is given; in their order.
  void on_pieces(const std::vector<CheckGrid>& pieces,
                 const std::function<std::vector<double>(const CheckGrid&, Communicator*)>& look,
                 const std::function<void(const CheckGrid&, std::span<const double>)>& found);
  std::vector<Array> values(std::span<const expression::Expr> es, const CheckGrid& grid, bool full,
                            Communicator* ranks);

  expression::Pool& pool_;
  const Solution& solution_;
  Communicator* ranks_;
  const std::unique_ptr<Communicator> alone_ = Communicator::alone();
  const CheckGrid start_;
  const std::vector<CheckGrid> all_, judged_;
  bool leaves_out_ = false;
  std::vector<LeftOut> corners_;
};

}  // namespace gwrm
