// Launches of the sweeps of kernels/banded/substitution.hpp, one file of instances for each kind of number.
//
// Contract: kernels/banded/substitution.hpp
#pragma once

#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/cyclic_reduction.cuh"
//
#include <memory>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/banded/device_tables.cuh"
#include "kernels/banded/substitution.hpp"
#include "kernels/banded/substitution_tables.hpp"
#include "kernels/banded/tuned_sweeps.cuh"

namespace gwrm::banded {

// Registers: a row is 2 of the 255 that a thread has, of double-double and complex 4; up to 32 rows enough warps fit to
// keep the memory busy, longer systems take pieces. What fewer callers have is made for fewer lengths.
template <class Number>
using SweepRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, RowsList<1, 2, 4, 8, 16, 24, 32>, RowsList<1, 4, 16>>;
// Down and up on the chip.
template <class Number>
constexpr const auto& down_and_up_lanes() {
  if constexpr (BandedNumber<Number>::kWords == 1)
    return kDownAndUpOfOneDouble;
  else
    return kDownAndUpOfTwoDoubles;
}
template <class Number>
using PairedRows = std::conditional_t<BandedNumber<Number>::kWords == 1, RowsList<2, 4, 8, 16, 32>, RowsList<2, 8, 16>>;
template <class Number>
using ReductionRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, RowsList<1, 4, 16, 32, 64>, RowsList<1, 8, 32>>;
// Complex sweeps with a coupling to the row after the next have one to the next too: second_order_cuda.cu.
template <class Number>
inline constexpr bool kHasDistanceTwo = !std::is_same_v<Number, Complex>;

template <class Number, int kRows>
inline constexpr int kWarpsOf = warps_with(kWordsOfRows<Number, kRows>);
template <class Number, int kRows>
inline constexpr int kBlocksOf = blocks_with(BandedNumber<Number>::kWords* kRows, kWarpsOf<Number, kRows>);
template <class Number, class Lanes>
constexpr DownAndUpShape kDownAndUpShape = down_and_up_shape(Lanes::kLaneRows, BandedNumber<Number>::kWords,
                                                             untried_systems(BandedNumber<Number>::kWords));

template <class Number, int kRows, int kDistance>
__global__ void __launch_bounds__(kLanes* kWarpsOf<Number, kRows>, kBlocksOf<Number, kRows>)
    sweep_kernel(BatchOfRows<Number> batch, bool upward, SweepTables<Number> tables) {
  sweep_batch<kRows, kDistance, kWarpsOf<Number, kRows>>(batch, upward, tables);
}

template <class Number, class Lanes>
__global__ void __launch_bounds__(kLanes* kDownAndUpShape<Number, Lanes>.warps, kDownAndUpShape<Number, Lanes>.blocks)
    down_and_up_kernel(BatchOfRows<Number> batch, SweepTables<Number> down, SweepTables<Number> up) {
  extern __shared__ __align__(16) double shared[];
  constexpr DownAndUpShape kShape = kDownAndUpShape<Number, Lanes>;
  sweep_down_and_up<Lanes::kRows, kShape.systems, kShape.warps, Lanes::kTeam>(batch, down, up, shared);
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
                    substitution.sweeps.back().second.empty() && shape.n <= down_and_up_lanes<Number>().back().count();
    for (const Sweep<Number>& sweep : substitution.sweeps) add(sweep);
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the vectors above end with this function
    if constexpr (std::is_same_v<Number, double>)
      if (in_registers_)
        tuned_ = tuned_sweeps(handles_, shape, down_and_up_choices(shape.n),
                              "sweeps of " + std::to_string(shape.n) + " rows", sweeps_[0].tables, sweeps_[1].tables);
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
        with_lanes<down_and_up_lanes<Number>()>(shape_.n, [&](auto lanes) { tables_of(lanes.kRows, lanes.kTeam); });
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
  void down_and_up(BatchOfRows<Number> batch) const {
    if (tuned_ != nullptr) {
      SweepTables<Number> down = sweeps_[0].tables, up = sweeps_[1].tables;
      void* arguments[] = {&batch, &down, &up};
      return tuned_->launch(handles_.stream, batch.batch, arguments);
    }
    with_lanes<down_and_up_lanes<Number>()>(shape_.n, [&](auto lanes) {
      constexpr DownAndUpShape kShape = kDownAndUpShape<Number, decltype(lanes)>;
      launch_with_bytes(down_and_up_kernel<Number, decltype(lanes)>,
                        blocks_for(batch.batch, kShape.systems_of_block(lanes.kLaneRows)), kShape.warps,
                        down_and_up_bytes(lanes.kLaneRows, BandedNumber<Number>::kWords, kShape), handles_.stream,
                        batch, sweeps_[0].tables, sweeps_[1].tables);
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
  std::unique_ptr<cuda::TunedKernel> tuned_;  // where a trial was worth its while
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
