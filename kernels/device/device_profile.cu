#include "kernels/device/device_profile.cuh"

#include <cstring>

namespace gwrm::cuda {

namespace {

// Into page-locked memory: a copy of a few numbers waits longer for the copy engine than a kernel takes.
__global__ void write_kernel(const double* from, double* to, std::size_t count) {
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) to[i] = from[i];
}

}  // namespace

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

// A large copy by the host's clock: the last one out of the ring comes after the stream's work.
void DeviceProfile::download_bytes(void* host, const void* device, std::size_t bytes) {
  use_.bytes_received += bytes;
  if (bytes >= StagingBuffer::kWorthStaging) {
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    const HostClock clock;
    copies_.download(host, device, bytes);
    add_host(DevicePart::transfers, clock.seconds());
  } else {
    const bool lands = copies_.landing().data() != nullptr && bytes % sizeof(double) == 0;
    {
      const Scope scope(*this, DevicePart::transfers);
      if (lands) {
        write_kernel<<<1, 256, 0, handles_.stream>>>(static_cast<const double*>(device),
                                                     reinterpret_cast<double*>(copies_.landing().on_device()),
                                                     bytes / sizeof(double));
        GWRM_LAUNCHED(write_kernel);
      } else {
        GWRM_DEVICE(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, handles_.stream));
      }
    }
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    if (lands) std::memcpy(host, copies_.landing().data(), bytes);
  }
  if (spans_.size() > kMaxSpans) collect();
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
