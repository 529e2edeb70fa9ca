// Expressions made ready for blocks of scattered points (evaluate_points.hpp): their tapes, and whose values the leaves
// are, integrals as plans of their own.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "basis/axis_basis.hpp"
#include "expression/lowering.hpp"
#include "expression/tape.hpp"
#include "kernels/transform/scattered_sum.hpp"
#include "output/evaluate_integrals.hpp"
#include "output/solution.hpp"

namespace gwrm {

using BlockNumbers = std::array<double, static_cast<std::size_t>(cpu::kScatteredBlock)>;

// At most kScatteredBlock points of one window.
struct PointBlock {
  struct Coordinates {
    bool is_fixed = true;  // numbers[0] for all points
    BlockNumbers numbers{};
    Index subdomain = -1;  // of the block's window, of all points; -1: not the same, or not known
  };
  std::size_t count = 0;
  std::size_t window = 0;
  std::vector<Coordinates> axes;
};

// The bases of all windows and axes; neighbours that are equal share one.
class WindowBases {
 public:
  explicit WindowBases(const Solution& solution);
  const AxisBasis& get(std::size_t window, std::size_t axis) const { return *bases_[window][axis]; }

 private:
  std::vector<std::vector<std::shared_ptr<const AxisBasis>>> bases_;
};

class PointPlan {
 public:
  // All arguments outlive the plan.
  PointPlan(const expression::Pool& pool, const Solution& solution, const WindowBases& bases,
            std::span<const expression::Expr> es);

  // The unknowns and derivatives that stand outside integrals: the leaf of the plan, and what it is.
  struct SeriesLeaf {
    std::size_t leaf;
    const FieldSolution* field;
    expression::Atom atom;
  };
  std::vector<SeriesLeaf> series() const;
  std::size_t n_leaves() const { return tape_->leaves().size(); }

  // values[e][p]. Several threads may evaluate one plan. given[leaf]: values of a leaf at the points of the block that
  // are known already, null for the others; empty: none is.
  void evaluate(const PointBlock& block, std::span<BlockNumbers> values,
                std::span<const double* const> given = {}) const;

 private:
  struct Integral {
    std::size_t axis = 0;
    IntegrandWindows windows;
    std::unique_ptr<PointPlan> integrand;
  };
  struct Tables;

  void integrate(const Integral& integral, const PointBlock& block, BlockNumbers& values) const;
  const FieldSolution& field_of(const expression::Atom& atom) const;
  bool vanishes(const FieldSolution& field, const expression::Atom& atom) const;
  Array leaf_values(expression::Expr leaf, const PointBlock& block, const std::vector<BlockNumbers>& known,
                    Tables& tables) const;
  void atom_values(const FieldSolution& field, const expression::Atom& atom, const PointBlock& block, Tables& tables,
                   BlockNumbers& values) const;

  const Solution& solution_;
  const WindowBases& bases_;
  int time_;
  std::unique_ptr<expression::Pool> own_pool_;  // where there are integrals
  const expression::Pool* pool_;
  std::vector<Integral> integrals_;
  std::unique_ptr<expression::Tape> tape_;
};

}  // namespace gwrm
