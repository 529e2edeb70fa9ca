#include "kernels/device/device_graph.cuh"

namespace gwrm::cuda {

DeviceGraph::DeviceGraph(DeviceProfile& profile, DevicePool& pool, const std::function<void()>& work)
    : profile_(profile), pool_(pool), section_(pool.begin_section()) {
  const cudaStream_t stream = profile.handles().stream;
  profile.begin_recording();
  try {
    // Relaxed: memory that the pool has not yet may be allocated meanwhile.
    GWRM_DEVICE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    work();
    GWRM_DEVICE(cudaStreamEndCapture(stream, &graph_));
    GWRM_DEVICE(cudaGraphInstantiate(&executable_, graph_, 0));
  } catch (...) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (graph_ == nullptr && cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
        status != cudaStreamCaptureStatusNone)
      static_cast<void>(cudaStreamEndCapture(stream, &graph_));
    static_cast<void>(cudaGetLastError());
    pool.end_section();
    spans_ = profile.end_recording();
    release();
    throw;
  }
  pool.end_section();
  spans_ = profile.end_recording();
}

DeviceGraph::~DeviceGraph() {
  release();
}

void DeviceGraph::release() noexcept {
  profile_.forget(spans_);
  pool_.release_section(section_);
  if (executable_ != nullptr) static_cast<void>(cudaGraphExecDestroy(executable_));
  if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
}

void DeviceGraph::launch() {
  GWRM_DEVICE(cudaGraphLaunch(executable_, profile_.handles().stream));
  profile_.replay(spans_);
}

}  // namespace gwrm::cuda
