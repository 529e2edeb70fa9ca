#include "core/device_handles.cuh"
//
#include "kernels/transform/legendre_sums.cuh"
//
#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "kernels/banded/device_tables.cuh"
#include "kernels/transform/associated_legendre.hpp"

namespace gwrm::cuda {
namespace {

using banded::DeviceTables;
using legendre::kLanes;
using legendre::LegendreView;
using legendre::Range;
using legendre::TableRow;

constexpr int kWarps = 4;       // of a block, at most: small ones leave the device evenly filled
constexpr int kMostFields = 2;  // at once
constexpr Index kMostBatches = 65535;

// A block for an order and parity (blockIdx.x) and kFields fields (blockIdx.y); the longest sums first. Twenty warps on
// a multiprocessor in place of sixteen hide more of the recurrence's latency: 191 us in place of 207 at L = 1023 for
// one field, although a few registers go to memory.
template <int kFields>
__global__ void __launch_bounds__(kWarps* kLanes, kFields == 1 ? 5 : 4)
    synthesis_kernel(LegendreView view, const double* a, double* values) {
  __shared__ legendre::Room<kFields> rooms[kWarps];
  const long long a_step = 2 * view.n_coefficients(), values_step = view.n_values(), first = blockIdx.y * kFields;
  const int warp = static_cast<int>(threadIdx.x) / kLanes, n_warps = static_cast<int>(blockDim.x) / kLanes;
  for (long long w = warp; w < view.n_warps(); w += n_warps)
    legendre::sum_functions(view, blockIdx.x / 2, blockIdx.x % 2 == 1, w, a + first * a_step, a_step,
                            values + first * values_step, values_step, rooms[warp]);
}

template <int kFields>
__global__ void __launch_bounds__(kWarps* kLanes) analysis_kernel(LegendreView view, const double* values, double* a) {
  __shared__ legendre::Room<kFields> rooms[kWarps];
  __shared__ legendre::Sums<kFields, kWarps> sums;
  const long long a_step = 2 * view.n_coefficients(), values_step = view.n_values(), first = blockIdx.y * kFields;
  legendre::project(view, blockIdx.x / 2, blockIdx.x % 2 == 1, static_cast<int>(blockDim.x) / kLanes,
                    values + first * values_step, values_step, a + first * a_step, a_step, rooms, sums);
}

// launch(std::integral_constant<int, fields at once>, first field, blocks of so many fields)
template <class Launch>
void for_fields(Index batch, const Launch& launch) {
  if (batch < 1) throw ShapeError("associated Legendre transform: a batch of " + std::to_string(batch) + " fields");
  Index done = 0;
  while (batch - done >= kMostFields) {
    const Index blocks = std::min((batch - done) / kMostFields, kMostBatches);
    launch(std::integral_constant<int, kMostFields>{}, done, static_cast<unsigned>(blocks));
    done += blocks * kMostFields;
  }
  if (done < batch) launch(std::integral_constant<int, 1>{}, done, 1u);
}

}  // namespace

struct DeviceLegendre::Memory {
  Memory(const Context& given, const AssociatedLegendrePlan& plan) : context(given) {
    const DeviceHandles& handles = *context.device();
    const auto n_groups = static_cast<std::size_t>(plan.n_groups());
    const std::size_t n_lanes = n_groups * AssociatedLegendrePlan::kLanes;
    const std::vector<TableRow> rows = legendre::rows_of(plan);
    const std::vector<Range> of_plan = legendre::ranges_of(plan);
    view = legendre::view_of(plan, rows, of_plan);
    view.rows = tables.add(handles, rows);
    for (const double** of_lanes : {&view.variable, &view.cosine, &view.weight})
      *of_lanes = doubles.add(handles, *of_lanes, n_lanes);
    view.origin = doubles.add(handles, view.origin, n_groups);
    view.start = doubles.add(handles, view.start, static_cast<std::size_t>(plan.degree() + 1) * 4 * n_lanes);
    view.ranges = ranges.add(handles, of_plan);
    GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
  }

  template <class Kernel>
  void launch(const Kernel& kernel, unsigned n_fields, const double* from, double* to) const {
    const long long turns = (view.n_warps() + kWarps - 1) / kWarps;  // of a block, each with as many warps
    const auto n_warps = static_cast<unsigned>((view.n_warps() + turns - 1) / turns);
    const dim3 blocks(2 * static_cast<unsigned>(view.degree + 1), n_fields);
    kernel<<<blocks, n_warps * kLanes, 0, context.device()->stream>>>(view, from, to);
    GWRM_LAUNCHED(kernel);
  }

  Context context;
  DeviceTables<double> doubles;
  DeviceTables<TableRow> tables;
  DeviceTables<Range> ranges;
  LegendreView view{};
};

DeviceLegendre::DeviceLegendre(const Context& context, const AssociatedLegendrePlan& plan)
    : memory_(std::make_unique<Memory>(context, plan)) {}
DeviceLegendre::~DeviceLegendre() = default;

void DeviceLegendre::synthesis(Index batch, const std::complex<double>* a, double* values) const {
  const LegendreView& view = memory_->view;
  for_fields(batch, [&](auto fields, Index first, unsigned n) {
    memory_->launch(synthesis_kernel<decltype(fields)::value>, n,
                    reinterpret_cast<const double*>(a + first * view.n_coefficients()),
                    values + first * view.n_values());
  });
}

void DeviceLegendre::analysis(Index batch, const double* values, std::complex<double>* a) const {
  const LegendreView& view = memory_->view;
  for_fields(batch, [&](auto fields, Index first, unsigned n) {
    memory_->launch(analysis_kernel<decltype(fields)::value>, n, values + first * view.n_values(),
                    reinterpret_cast<double*>(a + first * view.n_coefficients()));
  });
}

}  // namespace gwrm::cuda
