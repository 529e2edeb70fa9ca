// Plans of two sweeps with two couplings each: the factors of a pentadiagonal matrix that a batch shares.
//
// Contract: kernels/banded/substitution.hpp
#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/second_order_steps.cuh"
//
#include "core/errors.hpp"
#include "kernels/banded/device_tables.cuh"
#include "kernels/banded/substitution.hpp"
#include "kernels/banded/substitution_tables.hpp"
#include "kernels/banded/tuned_sweeps.cuh"

namespace gwrm::cuda {
namespace {

using banded::BatchOfRows;
using banded::kLanes;
using banded::SecondOrderTables;

template <class Number>
constexpr int kPieceRows = BandedNumber<Number>::kWords == 1 ? 32 : 16;  // of systems longer than a team's registers
// Down and up on the chip.
template <class Number>
constexpr const auto& down_and_up_lanes() {
  if constexpr (BandedNumber<Number>::kWords == 1)
    return kSecondOrderOfOneDouble;
  else
    return kSecondOrderOfTwoDoubles;
}
template <class Number, class Lanes>
constexpr DownAndUpShape kDownAndUpShape = second_order_shape(Lanes::kLaneRows, BandedNumber<Number>::kWords, 1);
template <class Number, int kRows>
constexpr int kWarpsOf = banded::warps_with(banded::kWordsOfRows<Number, kRows>);
template <class Number, int kRows>
constexpr int kBlocksOf = banded::blocks_with(BandedNumber<Number>::kWords* kRows + 8, kWarpsOf<Number, kRows>);

template <class Number, int kRows>
__global__ void __launch_bounds__(kLanes* kWarpsOf<Number, kRows>, kBlocksOf<Number, kRows>)
    second_order_kernel(BatchOfRows<Number> batch, bool upward, SecondOrderTables<Number> tables) {
  banded::second_order_batch<kRows, kWarpsOf<Number, kRows>>(batch, upward, tables);
}
template <class Number, class Lanes>
__global__ void __launch_bounds__(kLanes* kDownAndUpShape<Number, Lanes>.warps, kDownAndUpShape<Number, Lanes>.blocks)
    second_order_down_and_up_kernel(BatchOfRows<Number> batch, SecondOrderTables<Number> down,
                                    SecondOrderTables<Number> up) {
  extern __shared__ __align__(16) double shared[];
  constexpr DownAndUpShape kShape = kDownAndUpShape<Number, Lanes>;
  banded::second_order_down_and_up<Lanes::kRows, kShape.systems, kShape.warps, Lanes::kTeam>(batch, down, up, shared);
}

template <class Number>
class SecondOrderPlan : public BandedPlan<Number> {
 public:
  SecondOrderPlan(const Context& context, const BandedShape& shape, const Substitution<Number>& substitution)
      : handles_(*context.device()), shape_(shape), status_(substitution.status) {
    if (status_ != BandedStatus::solved) return;
    in_registers_ = substitution.sweeps.size() == 2 && shape.n <= down_and_up_lanes<Number>().back().count();
    for (const Sweep<Number>& sweep : substitution.sweeps) {
      const auto add = [&](int rows, int team) {
        const auto tables = second_order_tables(sweep, shape.n, rows, in_registers_, team);
        sweeps_.push_back({sweep.side == Side::upper,
                           {tables_.add(handles_, tables.scale), tables_.add(handles_, tables.first),
                            tables_.add(handles_, tables.second), tables_.add(handles_, tables.matrices)}});
        GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the vectors end here
      };
      if (in_registers_)
        banded::with_lanes<down_and_up_lanes<Number>()>(shape.n, [&](auto lanes) { add(lanes.kRows, lanes.kTeam); });
      else
        add(kPieceRows<Number>, 1);
    }
    if constexpr (std::is_same_v<Number, double>)
      if (in_registers_)
        tuned_ = banded::tuned_sweeps(handles_, shape, second_order_choices(shape.n),
                                      "sweeps with two couplings of " + std::to_string(shape.n) + " rows",
                                      sweeps_[0].tables, sweeps_[1].tables);
  }

  BandedStatus status() const override { return status_; }

  void solve(const Number* y, Number* x) const override {
    if (shape_.batch == 0) return;
    if (status_ != BandedStatus::solved) {
      const std::size_t bytes = sizeof(Number) * static_cast<std::size_t>(shape_.n * shape_.batch);
      GWRM_DEVICE(cudaMemsetAsync(x, 0, bytes, handles_.stream));
      return;
    }
    if (in_registers_) return down_and_up({y, x, shape_.n, shape_.batch});
    for (const OnDevice& sweep : sweeps_) {
      constexpr int kRows = kPieceRows<Number>, kWarps = kWarpsOf<Number, kRows>;
      second_order_kernel<Number, kRows>
          <<<banded::blocks_for(shape_.batch, kWarps), kLanes * kWarps, 0, handles_.stream>>>(
              BatchOfRows<Number>{y, x, shape_.n, shape_.batch}, sweep.upward, sweep.tables);
      GWRM_LAUNCHED(second_order_kernel);
      y = x;
    }
  }

 private:
  struct OnDevice {
    bool upward;
    SecondOrderTables<Number> tables;
  };

  void down_and_up(BatchOfRows<Number> batch) const {
    if (tuned_ != nullptr) {
      SecondOrderTables<Number> down = sweeps_[0].tables, up = sweeps_[1].tables;
      void* arguments[] = {&batch, &down, &up};
      return tuned_->launch(handles_.stream, batch.batch, arguments);
    }
    banded::with_lanes<down_and_up_lanes<Number>()>(shape_.n, [&](auto lanes) {
      constexpr DownAndUpShape kShape = kDownAndUpShape<Number, decltype(lanes)>;
      banded::launch_with_bytes(second_order_down_and_up_kernel<Number, decltype(lanes)>,
                                banded::blocks_for(batch.batch, kShape.systems_of_block(lanes.kLaneRows)), kShape.warps,
                                second_order_bytes(lanes.kLaneRows, BandedNumber<Number>::kWords, kShape),
                                handles_.stream, batch, sweeps_[0].tables, sweeps_[1].tables);
      GWRM_LAUNCHED(second_order_down_and_up_kernel);
    });
  }

  const DeviceHandles& handles_;
  BandedShape shape_;
  BandedStatus status_;
  bool in_registers_ = false;
  banded::DeviceTables<Number> tables_;
  std::vector<OnDevice> sweeps_;
  std::unique_ptr<TunedKernel> tuned_;  // where a trial was worth its while
};

}  // namespace

template <class Number>
std::unique_ptr<BandedPlan<Number>> make_second_order_plan(const Context& context, const BandedShape& shape,
                                                           const Substitution<Number>& substitution) {
  return std::make_unique<SecondOrderPlan<Number>>(context, shape, substitution);
}

template std::unique_ptr<BandedPlan<double>> make_second_order_plan(const Context&, const BandedShape&,
                                                                    const Substitution<double>&);
template std::unique_ptr<BandedPlan<DoubleDouble>> make_second_order_plan(const Context&, const BandedShape&,
                                                                          const Substitution<DoubleDouble>&);
template std::unique_ptr<BandedPlan<Complex>> make_second_order_plan(const Context&, const BandedShape&,
                                                                     const Substitution<Complex>&);

}  // namespace gwrm::cuda
