// Banded solves from vectors to vectors, for tests: on the CPU where they lie, on a device by way of its memory.
#pragma once

#include <vector>

#include "bench/measure/context_memory.hpp"
#include "kernels/banded/bidiagonal.hpp"
#include "kernels/banded/tridiagonal.hpp"
#include "kernels/device_test.hpp"

namespace gwrm::test {

class BandedSolver {
 public:
  BandedSolver() : context_(Context::create(BackendChoice::cpu)) {}
  explicit BandedSolver(const Context& context) : context_(context) {}

  template <class Number>
  std::vector<Number> bidiagonal_shared(const BandedShape& shape, const Bidiagonal<Number>& matrix,
                                        const std::vector<Number>& y, BandedVariant variant, bool in_place) const {
    return solved_by_plan(*make_bidiagonal_plan(context_, shape, matrix, chosen(shape, variant)), y, in_place);
  }
  template <class Number>
  BandedStatus bidiagonal_shared_status(const BandedShape& shape, const Bidiagonal<Number>& matrix,
                                        BandedVariant variant) const {
    return make_bidiagonal_plan(context_, shape, matrix, chosen(shape, variant))->status();
  }
  template <class Number>
  std::vector<Number> bidiagonal(const BandedShape& shape, const Bidiagonal<Number>& matrix,
                                 const std::vector<Number>& y, std::vector<BandedStatus>& status, BandedVariant variant,
                                 bool in_place) const {
    ContextArray<Number> off(context_, vector_of(matrix.off, y.size())),
        diagonal(context_, vector_of(matrix.diagonal, y.size()));
    const Bidiagonal<Number> view{off.data(), matrix.diagonal != nullptr ? diagonal.data() : nullptr, matrix.side,
                                  matrix.distance};
    return solved(y, status, in_place, [&](const Number* from, Number* to, BandedStatus* states) {
      solve_bidiagonal(context_, shape, view, from, to, states, chosen(shape, variant));
    });
  }
  template <class Number>
  std::vector<Number> tridiagonal_shared(const BandedShape& shape, const Tridiagonal<Number>& matrix,
                                         const std::vector<Number>& y, BandedVariant variant, bool in_place) const {
    return solved_by_plan(*make_tridiagonal_plan(context_, shape, matrix, chosen(shape, variant)), y, in_place);
  }
  template <class Number>
  BandedStatus tridiagonal_shared_status(const BandedShape& shape, const Tridiagonal<Number>& matrix,
                                         BandedVariant variant) const {
    return make_tridiagonal_plan(context_, shape, matrix, chosen(shape, variant))->status();
  }
  template <class Number>
  std::vector<Number> tridiagonal(const BandedShape& shape, const Tridiagonal<Number>& matrix,
                                  const std::vector<Number>& y, std::vector<BandedStatus>& status,
                                  BandedVariant variant, bool in_place) const {
    const std::size_t n = y.size();
    ContextArray<Number> lower(context_, vector_of(matrix.lower, n)), diagonal(context_, vector_of(matrix.diagonal, n)),
        upper(context_, vector_of(matrix.upper, n));
    ContextArray<char> workspace(context_,
                                 tridiagonal_workspace_bytes<Number>(context_, shape, chosen(shape, variant)));
    return solved(y, status, in_place, [&](const Number* from, Number* to, BandedStatus* states) {
      solve_tridiagonal(context_, shape, {lower.data(), diagonal.data(), upper.data()}, from, to, states,
                        workspace.data(), chosen(shape, variant));
    });
  }

 private:
  template <class Number>
  static std::vector<Number> vector_of(const Number* values, std::size_t size) {
    return values == nullptr ? std::vector<Number>() : std::vector<Number>(values, values + size);
  }
  // Variants of contiguous batches are asked of those alone.
  static BandedVariant chosen(const BandedShape& shape, BandedVariant variant) {
    return shape.layout == BatchLayout::interleaved ? BandedVariant::automatic : variant;
  }
  template <class Number>
  std::vector<Number> solved_by_plan(const BandedPlan<Number>& plan, const std::vector<Number>& y,
                                     bool in_place) const {
    std::vector<BandedStatus> none;
    return solved(y, none, in_place, [&](const Number* from, Number* to, BandedStatus*) { plan.solve(from, to); });
  }
  template <class Number, class Solve>
  std::vector<Number> solved(const std::vector<Number>& y, std::vector<BandedStatus>& status, bool in_place,
                             const Solve& solve) const {
    ContextArray<Number> from(context_, y), to(context_, y);
    ContextArray<BandedStatus> states(context_, status);
    solve(in_place ? to.data() : from.data(), to.data(), states.data());
    status = states.values();
    return to.values();
  }

  Context context_;
};

}  // namespace gwrm::test
