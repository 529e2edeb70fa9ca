#include "kernels/device/device_stopwatch.cuh"
#include "kernels/sbp_sat/device_cg.cuh"

#include <cmath>

#include "kernels/device/device_sums.cuh"

namespace gwrm::cuda {

__global__ void collect_start_kernel(const double* partial, unsigned n_blocks, CgState* state) {
  double totals[1];
  collect_sums(partial, n_blocks, totals);
  if (threadIdx.x == 0) state->rz = totals[0];
}

__global__ void collect_curvature_kernel(const double* partial, unsigned n_blocks, CgState* state) {
  if (state->done != 0) return;
  double totals[1];
  collect_sums(partial, n_blocks, totals);
  if (threadIdx.x == 0) take_curvature(state, totals[0]);
}

__global__ void collect_product_kernel(const double* partial, unsigned n_blocks, CgState* state) {
  if (state->done != 0) return;
  double totals[1];
  collect_sums(partial, n_blocks, totals);
  if (threadIdx.x == 0) take_product(state, totals[0]);
}

__global__ void collect_residual_kernel(const double* partial, unsigned n_blocks, double* history, CgState* state) {
  if (state->done != 0) return;
  double totals[1];
  collect_sums(partial, n_blocks, totals);
  if (threadIdx.x == 0) take_residual(state, totals[0], history);
}

__global__ void collect_both_kernel(const double* partial, unsigned n_blocks, double* history, CgState* state) {
  if (state->done != 0) return;
  double totals[2];
  collect_sums(partial, n_blocks, totals);
  if (threadIdx.x != 0) return;
  take_product(state, totals[1]);
  take_residual(state, totals[0], history);
}

CgVectors::CgVectors(DeviceHandles& handles, const std::vector<double>& b, const DeviceCgOptions& options,
                     long long n_partial) {
  const std::size_t n = b.size(), n_history = static_cast<std::size_t>(options.max_iterations) + 2;
  const std::size_t n_sums = static_cast<std::size_t>(n_partial);
  x = memory.reserve<double>(5 * n + n_history + n_sums + sizeof(CgState) / sizeof(double) + 1);
  r = x + n;
  p = r + n;
  p_other = p + n;
  q = p_other + n;
  history = q + n;
  partial = history + n_history;
  state = reinterpret_cast<CgState*>(partial + n_sums);
  GWRM_DEVICE(cudaMemsetAsync(x, 0, 5 * n * sizeof(double), handles.stream));
  handles.upload(r, b.data(), n);
  double square = 0.0;
  for (double value : b) square += value * value;
  CgState start = {};
  start.stop = options.residual * options.residual;
  start.max_iterations = options.max_iterations;
  if (!std::isfinite(square)) start.done = 1 + static_cast<int>(DeviceCgStatus::not_finite);
  if (square <= start.stop) start.done = 1 + static_cast<int>(DeviceCgStatus::converged);
  const double size = std::sqrt(square);
  handles.upload(state, &start, 1);
  handles.upload(history, &size, 1);
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // `start` is on the stack
}

DeviceCgResult CgVectors::result(DeviceHandles& handles, const CgState& end, double milliseconds,
                                 std::vector<double>& to) const {
  DeviceCgResult result;
  result.milliseconds = milliseconds;
  result.status = static_cast<DeviceCgStatus>(end.done - 1);
  result.iterations = end.iteration;
  result.residuals.resize(static_cast<std::size_t>(end.iteration) + 1);
  handles.download(result.residuals.data(), history, result.residuals.size());
  handles.download(to.data(), x, to.size());
  return result;
}

namespace {

// Owns what a recording leaves.
struct Graph {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ~Graph() {
    if (executable) static_cast<void>(cudaGraphExecDestroy(executable));
    if (graph) static_cast<void>(cudaGraphDestroy(graph));
  }
};

}  // namespace

DeviceCgResult replay(DeviceHandles& handles, CgVectors& vectors, const std::function<void()>& record,
                      std::vector<double>& x) {
  Graph graph;
  GWRM_DEVICE(cudaStreamBeginCapture(handles.stream, cudaStreamCaptureModeThreadLocal));
  record();
  GWRM_DEVICE(cudaStreamEndCapture(handles.stream, &graph.graph));
  GWRM_DEVICE(cudaGraphInstantiate(&graph.executable, graph.graph, 0));
  GWRM_DEVICE(cudaGraphUpload(graph.executable, handles.stream));
  DeviceStopwatch watch(handles);
  CgState state = {};
  handles.download(&state, vectors.state, 1);
  watch.start();
  while (state.done == 0) {
    GWRM_DEVICE(cudaGraphLaunch(graph.executable, handles.stream));
    handles.download(&state, vectors.state, 1);
  }
  watch.stop();
  return vectors.result(handles, state, watch.milliseconds(), x);
}

}  // namespace gwrm::cuda
