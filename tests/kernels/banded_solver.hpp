// Families of banded systems for tests: how they are made, planned and solved, from vectors to vectors; on the CPU
// where they lie, on a device by way of its memory.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/context_memory.hpp"
#include "kernels/banded/bidiagonal.hpp"
#include "kernels/banded/pentadiagonal.hpp"
#include "kernels/banded/tridiagonal.hpp"
#include "kernels/banded_oracle.hpp"
#include "kernels/device_test.hpp"

namespace gwrm::test {

// The bands of a matrix by their offsets, null where there is none.
template <class Number>
struct BandPointers {
  std::map<int, const Number*> all;
  const Number* operator()(int offset) const { return all.count(offset) != 0 ? all.at(offset) : nullptr; }
};

template <class Number>
struct BidiagonalFamily {
  Side side;
  int distance;
  bool with_diagonal;

  static constexpr double kUnits = 80.0;  // |off| <= .9 |diagonal|: condition <= 19, four roundings a row
  int offset() const { return side == Side::lower ? -distance : distance; }
  std::vector<int> offsets() const {
    return with_diagonal ? std::vector<int>{0, offset()} : std::vector<int>{offset()};
  }
  std::string name() const {
    return std::string(side == Side::lower ? "lower " : "upper ") + std::to_string(distance) +
           (with_diagonal ? " with diagonal" : " unit");
  }
  Number entry(int o, Random& random) const {
    const double sign = random.number() < 0.0 ? -1.0 : 1.0;
    return o == 0 ? number<Number>(sign * random.number(1.0, 2.0))
                  : number<Number>(0.9) * random_number<Number>(random);
  }
  Bidiagonal<Number> matrix(const BandPointers<Number>& band) const {
    return {band(offset()), band(0), side, distance};
  }
  std::unique_ptr<BandedPlan<Number>> plan(const Context& context, const BandedShape& shape,
                                           const BandPointers<Number>& band, BandedVariant variant) const {
    return make_bidiagonal_plan(context, shape, matrix(band), variant);
  }
  std::size_t workspace_bytes(const Context&, const BandedShape&, BandedVariant) const { return 0; }
  void solve(const Context& context, const BandedShape& shape, const BandPointers<Number>& band, const Number* y,
             Number* x, BandedStatus* status, void*, BandedVariant variant) const {
    solve_bidiagonal(context, shape, matrix(band), y, x, status, variant);
  }
  static Index most_rows(bool, BandedVariant variant) {
    return variant == BandedVariant::cyclic_reduction ? 2048 : 5000;
  }
};

// All eight.
template <class Number>
std::vector<BidiagonalFamily<Number>> bidiagonal_families() {
  std::vector<BidiagonalFamily<Number>> all;
  for (Side side : {Side::lower, Side::upper})
    for (int distance : {1, 2})
      for (bool with_diagonal : {false, true}) all.push_back({side, distance, with_diagonal});
  return all;
}

template <class Number>
struct TridiagonalFamily {
  static constexpr double kUnits = 150.0;  // |b| >= 1.1, |a|, |c| <= .5 (complex: of moduli up to .5): condition < 40
  std::vector<int> offsets() const { return {-1, 0, 1}; }
  std::string name() const { return "tridiagonal"; }
  Number entry(int o, Random& random) const {
    const double sign = random.number() < 0.0 ? -1.0 : 1.0;
    return o == 0 ? number<Number>(sign * random.number(1.1, 2.0))
                  : number<Number>(std::is_same_v<Number, Complex> ? 0.35 : 0.5) * random_number<Number>(random);
  }
  Tridiagonal<Number> matrix(const BandPointers<Number>& band) const { return {band(-1), band(0), band(1)}; }
  std::unique_ptr<BandedPlan<Number>> plan(const Context& context, const BandedShape& shape,
                                           const BandPointers<Number>& band, BandedVariant variant) const {
    return make_tridiagonal_plan(context, shape, matrix(band), variant);
  }
  std::size_t workspace_bytes(const Context& context, const BandedShape& shape, BandedVariant variant) const {
    return tridiagonal_workspace_bytes<Number>(context, shape, variant);
  }
  void solve(const Context& context, const BandedShape& shape, const BandPointers<Number>& band, const Number* y,
             Number* x, BandedStatus* status, void* workspace, BandedVariant variant) const {
    solve_tridiagonal(context, shape, matrix(band), y, x, status, workspace, variant);
  }
  // Reduction throughout is looked at with own matrices.
  static Index most_rows(bool shared, BandedVariant variant) {
    if (variant != BandedVariant::cyclic_reduction) return 5000;
    return shared ? 0 : 512 / BandedNumber<Number>::kWords;
  }
};

template <class Number>
struct PentadiagonalFamily {
  static constexpr double kUnits = 150.0;  // |b| >= 1.1, the others <= .25 (complex: in modulus): condition < 40
  std::vector<int> offsets() const { return {-2, -1, 0, 1, 2}; }
  std::string name() const { return "pentadiagonal"; }
  Number entry(int o, Random& random) const {
    const double sign = random.number() < 0.0 ? -1.0 : 1.0;
    return o == 0 ? number<Number>(sign * random.number(1.1, 2.0))
                  : number<Number>(std::is_same_v<Number, Complex> ? 0.17 : 0.25) * random_number<Number>(random);
  }
  Pentadiagonal<Number> matrix(const BandPointers<Number>& band) const {
    return {band(-2), band(-1), band(0), band(1), band(2)};
  }
  std::unique_ptr<BandedPlan<Number>> plan(const Context& context, const BandedShape& shape,
                                           const BandPointers<Number>& band, BandedVariant variant) const {
    return make_pentadiagonal_plan(context, shape, matrix(band), variant);
  }
  std::size_t workspace_bytes(const Context& context, const BandedShape& shape, BandedVariant variant) const {
    return pentadiagonal_workspace_bytes<Number>(context, shape, variant);
  }
  void solve(const Context& context, const BandedShape& shape, const BandPointers<Number>& band, const Number* y,
             Number* x, BandedStatus* status, void* workspace, BandedVariant variant) const {
    solve_pentadiagonal(context, shape, matrix(band), y, x, status, workspace, variant);
  }
  static Index most_rows(bool shared, BandedVariant variant) {
    if (variant != BandedVariant::cyclic_reduction) return 5000;
    return shared ? 0 : std::is_same_v<Number, double> ? 512 : 64;
  }
};

class BandedSolver {
 public:
  BandedSolver() : context_(Context::create(BackendChoice::cpu)) {}
  explicit BandedSolver(const Context& context) : context_(context) {}

  template <class Number>
  struct Result {
    std::vector<Number> x;
    std::vector<BandedStatus> status;  // one of the plan, or one per system
  };

  // By a plan if the batch shares its matrix.
  template <class Family, class Number>
  Result<Number> solved(const Family& family, const BandedBatch<Number>& batch, BandedVariant wanted,
                        bool in_place = false) const {
    // Variants of contiguous batches are asked of those alone.
    const BandedVariant variant = batch.shape.layout == BatchLayout::interleaved ? BandedVariant::automatic : wanted;
    ContextArray<Number> from(context_, batch.y), to(context_, batch.y);
    const Number* y = in_place ? to.data() : from.data();
    if (batch.shared) {
      BandPointers<Number> bands;
      for (const auto& [offset, values] : batch.bands) bands.all[offset] = values.data();
      const auto plan = family.plan(context_, batch.shape, bands, variant);
      plan->solve(y, to.data());
      return {to.values(), {plan->status()}};
    }
    std::map<int, ContextArray<Number>> own;
    BandPointers<Number> bands;
    for (const auto& [offset, values] : batch.bands)
      bands.all[offset] = own.emplace(offset, ContextArray<Number>(context_, values)).first->second.data();
    ContextArray<BandedStatus> status(
        context_, std::vector<BandedStatus>(static_cast<std::size_t>(batch.shape.batch), BandedStatus::singular));
    ContextArray<char> workspace(context_, family.workspace_bytes(context_, batch.shape, variant));
    family.solve(context_, batch.shape, bands, y, to.data(), status.data(), workspace.data(), variant);
    return {to.values(), status.values()};
  }

 private:
  Context context_;
};

}  // namespace gwrm::test
