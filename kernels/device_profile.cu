#include "kernels/device_profile.cuh"

namespace gwrm::cuda {

cudaEvent_t DeviceProfile::mark() {
  cudaEvent_t event = nullptr;
  if (free_.empty()) {
    GWRM_DEVICE(cudaEventCreate(&event));
  } else {
    event = free_.back();
    free_.pop_back();
  }
  GWRM_DEVICE(cudaEventRecord(event, handles_.stream));
  return event;
}

// An error of the device is reported by the call that follows; a time that is missing harms nobody.
void DeviceProfile::close(DevicePart part, cudaEvent_t begin) noexcept {
  try {
    spans_.push_back({part, begin, mark()});
  } catch (...) {
    static_cast<void>(cudaEventDestroy(begin));
  }
}

void DeviceProfile::collect() {
  for (const Span& span : spans_) {
    float milliseconds = 0.0f;
    GWRM_DEVICE(cudaEventElapsedTime(&milliseconds, span.begin, span.end));
    use_.seconds[static_cast<std::size_t>(span.part)] += 1e-3 * milliseconds;
    free_.push_back(span.begin);
    free_.push_back(span.end);
  }
  spans_.clear();
}

const DeviceUse& DeviceProfile::use() {
  GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
  collect();
  return use_;
}

DeviceProfile::~DeviceProfile() {
  for (const Span& span : spans_) {
    static_cast<void>(cudaEventDestroy(span.begin));
    static_cast<void>(cudaEventDestroy(span.end));
  }
  for (cudaEvent_t event : free_) static_cast<void>(cudaEventDestroy(event));
}

}  // namespace gwrm::cuda
