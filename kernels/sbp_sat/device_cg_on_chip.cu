// Conjugate gradients of Chronopoulos and Gear in one kernel, order 2: every multiprocessor keeps eight rows for the
// whole solution - z = S r and p in registers, s, w = A z and x in shared memory.
//
// A worker owns up to three neighbouring columns. One more warp, the leader, applies A in the columns of the closures
// and deals with the sums. One exchange per iteration: a block publishes its sums and the rows of w that its neighbours
// want, and waits for those of the others. The neighbours' rows of z are updated here as well
// (z -= alpha S (w + beta s)), so that they need not be sent. Every published number carries the iteration that it
// belongs to (Tagged): readers wait for the number itself, and no order of writes to memory is needed.
#include <algorithm>
#include <type_traits>

#include "core/errors.hpp"
#include "kernels/device/device_stopwatch.cuh"
#include "kernels/sbp_sat/on_chip_leader.cuh"
#include "kernels/sbp_sat/on_chip_worker.cuh"

namespace gwrm::cuda {

using namespace on_chip;

namespace {

template <int columns, bool jacobi>
__global__ void __launch_bounds__(kThreads, 1)
    on_chip_kernel(const __grid_constant__ Operator a, Strips strips, Exchange exchange, const double* b, double* x_out,
                   double* history, CgState* state) {
  extern __shared__ double shared[];
  __shared__ Common common;
  auto& vectors = *reinterpret_cast<Vectors<columns>*>(shared);
  const int block = blockIdx.x, first = strips.first(block);
  const int counted_from = strips.counted_from(block) - first;
  for (int item = threadIdx.x; item < (kRows + 2) * kKinds; item += kThreads) {
    const int k = item / kKinds, kind = item % kKinds, slow = a.slow.kind(min(max(first - 1 + k, 0), a.slow.n - 1));
    const double diagonal =
        jacobi ? a.slow.diagonal[slow] * a.fast.weights[kind] + a.slow.weights[slow] * a.fast.diagonal[kind] : 1.0;
    common.diagonal[k][kind] = diagonal;
    common.inverse[k][kind] = 1.0 / diagonal;
  }
  for (int k = threadIdx.x; k < 2 * kWidth; k += kThreads) common.corners[kRows + 2][k] = 0.0;
  for (int row = threadIdx.x; row < kRows; row += kThreads)  // what lies beyond the columns is multiplied by nothing
    common.right_ends[0][row] = common.left_ends[kWorkerWarps + 1][row] = 0.0;
  __syncthreads();
  if (threadIdx.x < kWorkers)
    work<columns, jacobi>(a, strips, exchange, first, counted_from, common, vectors, b, x_out);
  else
    lead<columns, jacobi>(a, strips, exchange, first, counted_from, common, vectors, history, state);
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

Strips strips_of(const SeparableOperator& a) {
  const auto n = static_cast<int>(a.slow.n);
  const int n_blocks = (n + kRows - 1) / kRows, common = n_blocks * kRows - n, n_pairs = std::max(1, n_blocks - 1);
  return {n_blocks, common / n_pairs, common % n_pairs};
}

bool fits_kinds(const StencilRows& rows) {
  return rows.half == 1 && rows.interior[0] == rows.interior[2] && rows.n >= 2 * kWidth && rows.n_closure <= kEnd &&
         rows.closure_width <= kWidth;
}

Rows rows_of(const StencilRows& matrix, const std::vector<double>& weights) {
  Rows rows = {};
  rows.n = static_cast<int>(matrix.n);
  for (int kind = 0; kind < kKinds; ++kind) {
    const Index i = kind <= kEnd ? kind : matrix.n - kKinds + kind;
    Index column = 0;
    for (double entry : matrix.row(i, column)) {
      const Index k = column++ - rows.begin(static_cast<int>(i));
      if (k >= 0 && k < kWidth) rows.entries[kind][k] = entry;  // closures may be padded with zeros
      if (column == i + 1) rows.diagonal[kind] = entry;
    }
    rows.weights[kind] = weights[static_cast<std::size_t>(i)];
  }
  return rows;
}

Operator on_device_of(const SeparableOperator& a) {
  Operator result{rows_of(a.slow, a.slow_weights), rows_of(a.fast, a.fast_weights), 0.0, 0.0, 0.0};
  const double *slow = result.slow.entries[kEnd], *fast = result.fast.entries[kEnd];
  const double slow_weight = result.slow.weights[kEnd], fast_weight = result.fast.weights[kEnd];
  result.here = fast_weight * slow[1] + slow_weight * fast[1];
  result.slow_neighbour = fast_weight * slow[0];
  result.fast_neighbour = slow_weight * fast[0];
  return result;
}

template <int columns, bool jacobi>
void launch(const Operator& a, const Strips& strips, const Exchange& exchange, CgVectors& v, cudaStream_t stream) {
  const auto kernel = on_chip_kernel<columns, jacobi>;
  constexpr std::size_t shared = sizeof(Vectors<columns>);
  GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  const double* right_hand_side = v.r;
  void* arguments[] = {const_cast<Operator*>(&a),
                       const_cast<Strips*>(&strips),
                       const_cast<Exchange*>(&exchange),
                       &right_hand_side,
                       &v.x,
                       &v.history,
                       &v.state};
  GWRM_DEVICE(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(strips.n_blocks), dim3(kThreads),
                                          arguments, shared, stream));
  GWRM_LAUNCHED(on_chip_kernel);
}

}  // namespace

bool on_chip_fits(const Context& context, const SeparableOperator& a) {
  if (context.backend() != Backend::cuda || !fits_kinds(a.slow) || !fits_kinds(a.fast)) return false;
  if (attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
  // The closures of either end belong to one strip.
  return (a.slow.n == kRows || a.slow.n >= kRows + kEnd) &&
         a.slow.n <= kRows * std::min(attribute(cudaDevAttrMultiProcessorCount), kMaxBlocks) &&
         a.fast.n <= kMaxColumns * kWorkers &&
         sizeof(Vectors<kMaxColumns>) + sizeof(Common) <=
             static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

DeviceCgResult cg_on_chip(const Context& context, const SeparableOperator& a, const std::vector<double>& b,
                          std::vector<double>& x, const DeviceCgOptions& options) {
  if (!on_chip_fits(context, a)) throw ShapeError("cg_on_chip: the grid does not fit into the chip");
  DeviceHandles& handles = *context.device();
  const Operator on_device = on_device_of(a);
  const Strips strips = strips_of(a);
  const auto n_blocks = static_cast<std::size_t>(strips.n_blocks);
  CgVectors v(handles, b, options, 0);
  DeviceBuffer memory;
  const std::size_t n_edges = 4 * n_blocks * kMaxColumns * kWorkers, n_all = n_edges + 2 * kMaxTotals * n_blocks;
  Tagged* place = memory.reserve<Tagged>(n_all);
  const Exchange exchange{place, place + n_edges};
  GWRM_DEVICE(cudaMemsetAsync(place, 0, n_all * sizeof(Tagged), handles.stream));  // tags begin with 1

  DeviceStopwatch watch(handles);
  watch.start();
  const Index columns = (a.fast.n + kWorkers - 1) / kWorkers;
  const auto start = [&](auto n_columns) {
    options.jacobi ? launch<n_columns, true>(on_device, strips, exchange, v, handles.stream)
                   : launch<n_columns, false>(on_device, strips, exchange, v, handles.stream);
  };
  if (columns == 1) start(std::integral_constant<int, 1>());
  if (columns == 2) start(std::integral_constant<int, 2>());
  if (columns == 3) start(std::integral_constant<int, kMaxColumns>());
  watch.stop();
  CgState state = {};
  handles.download(&state, v.state, 1);
  return v.result(handles, state, watch.milliseconds(), x);
}

}  // namespace gwrm::cuda
