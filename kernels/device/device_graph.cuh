// Work on the stream that is recorded once and replayed: one launch in place of a hundred (CUDA graphs).
#pragma once

#include <functional>
#include <vector>

#include "kernels/device/device_pool.cuh"
#include "kernels/device/device_profile.cuh"

namespace gwrm::cuda {

class DeviceGraph {
 public:
  // Records what `work` puts on the stream; nothing runs. It must not wait nor copy to or from the host, and should
  // have run once as it is, so that libraries are loaded and memory is there. Arrays that it takes from the pool stay
  // the graph's own; pool and profile must outlive it. Times of its parts count as those of other work.
  DeviceGraph(DeviceProfile& profile, DevicePool& pool, const std::function<void()>& work);
  ~DeviceGraph();
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;

  void launch();

 private:
  void release() noexcept;

  DeviceProfile& profile_;
  DevicePool& pool_;
  int section_ = 0;
  std::vector<DeviceProfile::Span> spans_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace gwrm::cuda
