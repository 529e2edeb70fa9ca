// Time on the device between two places of a stream.
//
// Device only: on the host a clock will do.
#pragma once

#include "core/device_handles.cuh"

namespace gwrm::cuda {

class DeviceStopwatch {
 public:
  explicit DeviceStopwatch(const DeviceHandles& handles) : stream_(handles.stream) {
    GWRM_DEVICE(cudaEventCreate(&begin_));
    GWRM_DEVICE(cudaEventCreate(&end_));
  }
  ~DeviceStopwatch() {
    if (begin_ != nullptr) static_cast<void>(cudaEventDestroy(begin_));
    if (end_ != nullptr) static_cast<void>(cudaEventDestroy(end_));
  }
  DeviceStopwatch(const DeviceStopwatch&) = delete;
  DeviceStopwatch& operator=(const DeviceStopwatch&) = delete;

  void start() { GWRM_DEVICE(cudaEventRecord(begin_, stream_)); }
  void stop() { GWRM_DEVICE(cudaEventRecord(end_, stream_)); }
  // Between start() and stop(); waits for the latter.
  double milliseconds() const {
    GWRM_DEVICE(cudaEventSynchronize(end_));
    float value = 0.0f;
    GWRM_DEVICE(cudaEventElapsedTime(&value, begin_, end_));
    return static_cast<double>(value);
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace gwrm::cuda
