// What every family of banded solvers is held to, with samples that are diagonally dominant.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/banded_solver.hpp"

namespace gwrm::test {

template <class Number, class Family>
BandedBatch<Number> sample(const Family& family, const BandedShape& shape, bool shared, Random& random) {
  return BandedBatch<Number>::make(shape, shared, family.offsets(), random,
                                   [&](int offset, Index, Index) { return family.entry(offset, random); });
}

template <class Number>
bool same_bits(const std::vector<Number>& a, const std::vector<Number>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Number)) == 0;
}

// Shared and own; the error of some systems, the residual of all, in place the same bits.
template <class Number, class Family>
void expect_solutions(const BandedSolver& solver, const Family& family, const BandedShape& shape,
                      BandedVariant variant) {
  Random random(static_cast<unsigned>(7 * shape.n + shape.batch));
  for (bool shared : {true, false}) {
    if (shape.n > Family::most_rows(shared, variant)) continue;
    const auto batch = sample<Number>(family, shape, shared, random);
    const std::string name = family.name() + (shared ? ", shared, " : ", own, ") + std::to_string(shape.batch) +
                             " of " + std::to_string(shape.n) + " " + name_of(variant);
    const auto result = solver.solved(family, batch, variant);
    EXPECT_LE(batch.error(result.x), Family::kUnits * unit_of<Number>()) << name;
    EXPECT_LE(batch.residual(result.x), Family::kUnits * unit_of<Number>() * 20) << name;
    for (BandedStatus status : result.status) EXPECT_EQ(status, BandedStatus::solved) << name;
    EXPECT_TRUE(same_bits(result.x, solver.solved(family, batch, variant, true).x)) << name;
  }
}

template <class Number, class Family>
void expect_all(const BandedSolver& solver, const Family& family, BandedVariant contiguous,
                const std::vector<Index>& batches) {
  for (Index n : kBandedSizes)
    for (Index batch : batches) {
      if (n * batch > 100000) continue;
      expect_solutions<Number>(solver, family, {n, batch, BatchLayout::contiguous}, contiguous);
      if (contiguous == BandedVariant::cyclic_reduction) continue;
      expect_solutions<Number>(solver, family, {n, batch, BatchLayout::interleaved}, BandedVariant::automatic);
    }
}

// A zero on the diagonal of one system leaves the others alone; of a shared matrix it makes all zero.
template <class Number, class Family>
void expect_status(const BandedSolver& solver, const Family& family, const BandedShape& shape, BandedVariant variant) {
  Random random(3);
  for (Index row : {Index{0}, shape.n / 2, shape.n - 1}) {
    auto batch = sample<Number>(family, shape, false, random);
    batch.set_entry(0, row, 1, number<Number>(0.0));
    const auto result = solver.solved(family, batch, variant);
    for (Index b = 0; b < shape.batch; ++b) {
      EXPECT_EQ(result.status[static_cast<std::size_t>(b)], b == 1 ? BandedStatus::singular : BandedStatus::solved)
          << family.name() << " " << row;
      EXPECT_LE(b == 1 ? 0.0 : batch.error(result.x, b), Family::kUnits * unit_of<Number>()) << family.name();
    }
    for (Index i = 0; i < shape.n; ++i) EXPECT_EQ(BandedNumber<Number>::size(result.x[batch.place(i, 1)]), 0.0);
    if (shape.n > Family::most_rows(true, variant)) continue;
    auto shared = sample<Number>(family, shape, true, random);
    shared.set_entry(0, row, 0, number<Number>(0.0));
    const auto of_plan = solver.solved(family, shared, variant);
    EXPECT_EQ(of_plan.status[0], BandedStatus::singular);
    for (const Number& value : of_plan.x) EXPECT_EQ(BandedNumber<Number>::size(value), 0.0);
  }
}

}  // namespace gwrm::test
