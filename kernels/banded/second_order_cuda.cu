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

namespace gwrm::cuda {
namespace {

using banded::BatchOfRows;
using banded::kLanes;
using banded::SecondOrderTables;

template <class Number>
using SweepRows = std::conditional_t<BandedNumber<Number>::kWords == 1,
                                     banded::RowsList<1, 2, 4, 8, 16, 24, 32, 48, 64>, banded::RowsList<1, 4, 16, 32>>;
template <class Number>
constexpr int kPieceRows = BandedNumber<Number>::kWords == 1 ? 32 : 16;  // of systems longer than a warp's registers
template <class Number, int kRows>
constexpr int kWarpsOf = banded::warps_with(banded::kWordsOfRows<Number, kRows>);
template <class Number, int kRows>
constexpr int kBlocksOf = banded::blocks_with(BandedNumber<Number>::kWords* kRows + 8, kWarpsOf<Number, kRows>);

template <class Number, int kRows>
__global__ void __launch_bounds__(kLanes* kWarpsOf<Number, kRows>, kBlocksOf<Number, kRows>)
    second_order_kernel(BatchOfRows<Number> batch, bool upward, SecondOrderTables<Number> tables) {
  banded::second_order_batch<kRows, kWarpsOf<Number, kRows>>(batch, upward, tables);
}
template <class Number, int kRows>
__global__ void __launch_bounds__(kLanes* kWarpsOf<Number, kRows>, kBlocksOf<Number, kRows>)
    second_order_down_and_up_kernel(BatchOfRows<Number> batch, SecondOrderTables<Number> down,
                                    SecondOrderTables<Number> up) {
  banded::second_order_down_and_up<kRows, kWarpsOf<Number, kRows>>(batch, down, up);
}

template <class Number>
class SecondOrderPlan : public BandedPlan<Number> {
 public:
  SecondOrderPlan(const Context& context, const BandedShape& shape, const Substitution<Number>& substitution)
      : handles_(*context.device()), shape_(shape), status_(substitution.status) {
    if (status_ != BandedStatus::solved) return;
    in_registers_ = substitution.sweeps.size() == 2 && shape.n <= kLanes * banded::longest(SweepRows<Number>{});
    for (const Sweep<Number>& sweep : substitution.sweeps) {
      const auto add = [&](int rows) {
        const auto tables = second_order_tables(sweep, shape.n, rows, in_registers_);
        sweeps_.push_back({sweep.side == Side::upper,
                           {tables_.add(handles_, tables.scale), tables_.add(handles_, tables.first),
                            tables_.add(handles_, tables.second), tables_.add(handles_, tables.matrices)}});
        GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the vectors end here
      };
      if (in_registers_)
        banded::with_rows(SweepRows<Number>{}, shape.n, add);
      else
        add(kPieceRows<Number>);
    }
  }

  BandedStatus status() const override { return status_; }

  void solve(const Number* y, Number* x) const override {
    if (shape_.batch == 0) return;
    if (status_ != BandedStatus::solved) {
      const std::size_t bytes = sizeof(Number) * static_cast<std::size_t>(shape_.n * shape_.batch);
      GWRM_DEVICE(cudaMemsetAsync(x, 0, bytes, handles_.stream));
      return;
    }
    if (in_registers_) {
      const BatchOfRows<Number> batch{y, x, shape_.n, shape_.batch};
      banded::with_rows(SweepRows<Number>{}, shape_.n, [&](auto rows) {
        constexpr int kRows = decltype(rows)::value, kWarps = kWarpsOf<Number, kRows>;
        second_order_down_and_up_kernel<Number, kRows>
            <<<banded::blocks_for(batch.batch, kWarps), kLanes * kWarps, 0, handles_.stream>>>(batch, sweeps_[0].tables,
                                                                                               sweeps_[1].tables);
        GWRM_LAUNCHED(second_order_down_and_up_kernel);
      });
      return;
    }
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
  const DeviceHandles& handles_;
  BandedShape shape_;
  BandedStatus status_;
  bool in_registers_ = false;
  banded::DeviceTables<Number> tables_;
  std::vector<OnDevice> sweeps_;
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

}  // namespace gwrm::cuda
