// Launches of the sweeps of kernels/banded/substitution.hpp, one file of instances for each kind of number.
//
// Contract: kernels/banded/substitution.hpp
#pragma once

#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/cyclic_reduction.cuh"
//
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/banded/device_tables.cuh"
#include "kernels/banded/substitution.hpp"
#include "kernels/banded/substitution_tables.hpp"

namespace gwrm::banded {

// Registers: a row is 2 of the 255 that a thread has, of double-double and complex 4; up to 32 rows enough warps fit to
// keep the memory busy, longer systems take pieces. What fewer callers have is made for fewer lengths.
template <class Number>
using SweepRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, RowsList<1, 2, 4, 8, 16, 24, 32>, RowsList<1, 4, 16>>;
// Down and up on the chip: more than 16 numbers of a lane leave too few warps to keep the memory busy, so that longer
// systems take more warps, as far as lanes have rows.
template <class Number>
using DownAndUpLanes = std::conditional_t<
    BandedNumber<Number>::kWords == 1,
    LanesList<Lanes<1, 1>, Lanes<2, 1>, Lanes<4, 1>, Lanes<8, 1>, Lanes<16, 1>, Lanes<8, 4>, Lanes<8, 8>, Lanes<16, 8>>,
    LanesList<Lanes<1, 1>, Lanes<4, 1>, Lanes<8, 1>, Lanes<8, 2>, Lanes<8, 4>, Lanes<8, 8>>>;
template <class Number>
using PairedRows = std::conditional_t<BandedNumber<Number>::kWords == 1, RowsList<2, 4, 8, 16, 32>, RowsList<2, 8, 16>>;
template <class Number>
using ReductionRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, RowsList<1, 4, 16, 32, 64>, RowsList<1, 8, 32>>;
// Of complex numbers only tridiagonal systems are solved: no couplings to the row after the next.
template <class Number>
inline constexpr bool kHasDistanceTwo = !std::is_same_v<Number, Complex>;

template <class Number, int kRows>
inline constexpr int kWarpsOf = warps_with(kWordsOfRows<Number, kRows>);
template <class Number, int kRows>
inline constexpr int kBlocksOf = blocks_with(BandedNumber<Number>::kWords* kRows, kWarpsOf<Number, kRows>);
// Two systems beside each other take half the coefficients, which come through the first-level cache as the systems'
// numbers do, as far as registers go.
template <class Number, class Lanes>
struct DownAndUp {
  static constexpr int kSystems = BandedNumber<Number>::kWords == 1 ? 2 : 1;
  static constexpr int kDoubles = kSystems * BandedNumber<Number>::kWords * Lanes::kRows;
  static constexpr int kWarps = Lanes::kTeam > 1 ? Lanes::kTeam
                                                 : warps_with(kSystems* kWordsOfRows<Number, Lanes::kRows>);
  static constexpr int kBlocks = blocks_with(kDoubles + (Lanes::kTeam > 1 ? 0 : 8), kWarps);
  static constexpr int kSystemsOfBlock = kSystems * kWarps / Lanes::kTeam;
  static constexpr int kWords = kDownAndUpWords<Lanes::kRows, kSystems, kWarps, Lanes::kTeam, Number>;
};

template <class Number, int kRows, int kDistance>
__global__ void __launch_bounds__(kLanes* kWarpsOf<Number, kRows>, kBlocksOf<Number, kRows>)
    sweep_kernel(BatchOfRows<Number> batch, bool upward, SweepTables<Number> tables) {
  sweep_batch<kRows, kDistance, kWarpsOf<Number, kRows>>(batch, upward, tables);
}

template <class Number, class Lanes>
__global__ void __launch_bounds__(kLanes* DownAndUp<Number, Lanes>::kWarps, DownAndUp<Number, Lanes>::kBlocks)
    down_and_up_kernel(BatchOfRows<Number> batch, SweepTables<Number> down, SweepTables<Number> up) {
  extern __shared__ double shared[];
  using Launch = DownAndUp<Number, Lanes>;
  sweep_down_and_up<Lanes::kRows, Launch::kSystems, Launch::kWarps, Lanes::kTeam>(batch, down, up, shared);
}

template <class Number, int kRows, int kDistance>
__global__ void __launch_bounds__(kLanes * 4)
    reduce_kernel(BatchOfRows<Number> batch, bool upward, const Number* scale, const Number* multipliers) {
  reduce_batch<kRows, kDistance, 4>(batch, upward, scale, multipliers);
}

template <class Number>
__global__ void __launch_bounds__(kThreadsOfSystems)
    sweep_interleaved_kernel(BatchOfRows<Number> batch, bool upward, RowTables<Number> tables) {
  sweep_interleaved(batch, upward, tables, kThreadsOfSystems);
}

template <class Number>
class SubstitutionPlan : public BandedPlan<Number> {
 public:
  SubstitutionPlan(const Context& context, const BandedShape& shape, const Substitution<Number>& substitution,
                   BandedVariant variant)
      : handles_(*context.device()), shape_(shape), variant_(variant), status_(substitution.status) {
    if (status_ != BandedStatus::solved) return;
    constexpr Index kMost = kLanes * longest(ReductionRows<Number>{});
    if (variant == BandedVariant::cyclic_reduction && shape.n > kMost)
      throw ShapeError("banded systems: cyclic_reduction serves up to " + std::to_string(kMost) + " rows, not " +
                       std::to_string(shape.n));
    in_registers_ = variant == BandedVariant::hybrid && substitution.sweeps.size() == 2 &&
                    substitution.sweeps.back().second.empty() && shape.n <= longest(DownAndUpLanes<Number>{});
    for (const Sweep<Number>& sweep : substitution.sweeps) add(sweep);
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the vectors above end with this function
  }

  BandedStatus status() const override { return status_; }

  void solve(const Number* y, Number* x) const override {
    if (shape_.batch == 0) return;
    if (status_ != BandedStatus::solved) {
      const std::size_t bytes = sizeof(Number) * static_cast<std::size_t>(shape_.n * shape_.batch);
      GWRM_DEVICE(cudaMemsetAsync(x, 0, bytes, handles_.stream));
      return;
    }
    BatchOfRows<Number> batch{y, x, shape_.n, shape_.batch};
    if (in_registers_) return down_and_up(batch);
    for (const OnDevice& sweep : sweeps_) {
      run(batch, sweep);
      batch.y = x;
    }
  }

 private:
  struct OnDevice {
    bool upward;
    int distance;
    SweepTables<Number> tables;
    RowTables<Number> rows;
  };

  void add(const Sweep<Number>& sweep) {
    OnDevice on_device{sweep.side == Side::upper, sweep.second.empty() ? 1 : 2, {}, {}};
    if (variant_ == BandedVariant::thread) {
      on_device.rows = {tables_.add(handles_, sweep.scale), tables_.add(handles_, sweep.first),
                        tables_.add(handles_, sweep.second)};
    } else {
      const auto tables_of = [&](int rows, int team) {
        const WarpTables<Number> tables = variant_ == BandedVariant::hybrid
                                              ? warp_tables(sweep, shape_.n, rows, in_registers_, team)
                                              : reduction_tables(sweep, shape_.n, rows);
        on_device.tables = {tables_.add(handles_, tables.scale), tables_.add(handles_, tables.couplings),
                            tables_.add(handles_, tables.factors)};
      };
      const auto of_rows = [&](int rows) { tables_of(rows, 1); };
      if (variant_ == BandedVariant::cyclic_reduction)
        with_rows(ReductionRows<Number>{}, shape_.n, of_rows);
      else if (in_registers_)
        with_lanes(DownAndUpLanes<Number>{}, shape_.n, [&](auto lanes) { tables_of(lanes.kRows, lanes.kTeam); });
      else if (on_device.distance == 1)
        with_rows(SweepRows<Number>{}, shape_.n, of_rows);
      else
        with_rows(PairedRows<Number>{}, shape_.n, of_rows);
    }
    sweeps_.push_back(on_device);
  }

  void run(const BatchOfRows<Number>& batch, const OnDevice& sweep) const {
    if (variant_ == BandedVariant::thread) {
      sweep_interleaved_kernel<<<blocks_for(batch.batch, kThreadsOfSystems), kThreadsOfSystems, 0, handles_.stream>>>(
          batch, sweep.upward, sweep.rows);
      GWRM_LAUNCHED(sweep_interleaved_kernel);
    } else if (variant_ == BandedVariant::cyclic_reduction) {
      with_rows(ReductionRows<Number>{}, shape_.n, [&](auto rows) {
        if (sweep.distance == 1)
          launch_reduction<decltype(rows)::value, 1>(batch, sweep);
        else if constexpr (kHasDistanceTwo<Number>)
          launch_reduction<decltype(rows)::value, 2>(batch, sweep);
      });
    } else if (sweep.distance == 1) {
      with_rows(SweepRows<Number>{}, shape_.n,
                [&](auto rows) { launch_sweep<decltype(rows)::value, 1>(batch, sweep); });
    } else {
      with_rows(PairedRows<Number>{}, shape_.n,
                [&](auto rows) { launch_sweep<decltype(rows)::value, 2>(batch, sweep); });
    }
  }
  template <int kRows, int kDistance>
  void launch_sweep(const BatchOfRows<Number>& batch, const OnDevice& sweep) const {
    constexpr int kWarps = kWarpsOf<Number, kRows>;
    sweep_kernel<Number, kRows, kDistance>
        <<<blocks_for(batch.batch, kWarps), kLanes * kWarps, 0, handles_.stream>>>(batch, sweep.upward, sweep.tables);
    GWRM_LAUNCHED(sweep_kernel);
  }
  template <int kRows, int kDistance>
  void launch_reduction(const BatchOfRows<Number>& batch, const OnDevice& sweep) const {
    reduce_kernel<Number, kRows, kDistance><<<blocks_for(batch.batch, 4), kLanes * 4, 0, handles_.stream>>>(
        batch, sweep.upward, sweep.tables.scale, sweep.tables.couplings);
    GWRM_LAUNCHED(reduce_kernel);
  }
  void down_and_up(const BatchOfRows<Number>& batch) const {
    with_lanes(DownAndUpLanes<Number>{}, shape_.n, [&](auto lanes) {
      using Launch = DownAndUp<Number, decltype(lanes)>;
      launch_with_words(down_and_up_kernel<Number, decltype(lanes)>, blocks_for(batch.batch, Launch::kSystemsOfBlock),
                        Launch::kWarps, Launch::kWords, handles_.stream, batch, sweeps_[0].tables, sweeps_[1].tables);
      GWRM_LAUNCHED(down_and_up_kernel);
    });
  }

  const DeviceHandles& handles_;
  BandedShape shape_;
  BandedVariant variant_;
  BandedStatus status_;
  bool in_registers_ = false;
  DeviceTables<Number> tables_;
  std::vector<OnDevice> sweeps_;
};

}  // namespace gwrm::banded

namespace gwrm::cuda {

template <class Number>
std::unique_ptr<BandedPlan<Number>> make_substitution_plan(const Context& context, const BandedShape& shape,
                                                           const Substitution<Number>& substitution,
                                                           BandedVariant variant) {
  return std::make_unique<banded::SubstitutionPlan<Number>>(context, shape, substitution, variant);
}

}  // namespace gwrm::cuda
