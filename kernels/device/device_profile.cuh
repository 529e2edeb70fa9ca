// Times the parts of a run by events on the stream, and counts what crosses between host and device.
//
// Device only: work of the host is done when a call returns, and is timed by a clock.
#pragma once

#include <chrono>
#include <vector>

#include "core/device_handles.cuh"
//
#include "kernels/device/device_profile.hpp"
#include "kernels/device/staging_buffer.cuh"

namespace gwrm::cuda {

class DeviceProfile {
 public:
  explicit DeviceProfile(const DeviceHandles& handles) : handles_(handles), copies_(handles) {}
  ~DeviceProfile();
  DeviceProfile(const DeviceProfile&) = delete;
  DeviceProfile& operator=(const DeviceProfile&) = delete;

  // From its construction to its end the stream's work counts to `part`; one inside another would count twice.
  class Scope {
   public:
    Scope(DeviceProfile& profile, DevicePart part) : profile_(profile), part_(part), begin_(profile.mark()) {}
    ~Scope() { profile_.close(part_, begin_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    DeviceProfile& profile_;
    DevicePart part_;
    cudaEvent_t begin_;
  };

  template <typename T>
  void upload(T* device, const T* host, std::size_t count) {
    const Scope scope(*this, DevicePart::transfers);
    use_.bytes_sent += count * sizeof(T);
    copies_.upload(device, host, count * sizeof(T));
  }
  // Out of page-locked memory, which must stay as it is until the stream has come here.
  template <typename T>
  void upload_pinned(T* device, const T* host, std::size_t count) {
    const Scope scope(*this, DevicePart::transfers);
    use_.bytes_sent += count * sizeof(T);
    GWRM_DEVICE(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, handles_.stream));
  }
  // Waits for everything on the stream; the time counts from when the copy could begin.
  template <typename T>
  void download(T* host, const T* device, std::size_t count) {
    download_bytes(host, device, count * sizeof(T));
  }

  PinnedBlocks& pinned_blocks() { return pinned_blocks_; }
  const DeviceHandles& handles() const { return handles_; }
  void add_host(DevicePart part, double seconds) { use_.seconds[static_cast<std::size_t>(part)] += seconds; }
  void add_total(double seconds) { use_.total_seconds += seconds; }
  void see_memory(std::size_t bytes) {
    use_.largest_memory = bytes > use_.largest_memory ? bytes : use_.largest_memory;
  }

  // Waits for the stream.
  const DeviceUse& use();

 private:
  static constexpr std::size_t kMaxSpans = 512;
  // A part of the stream's work, between two events.
  struct Span {
    DevicePart part;
    cudaEvent_t begin, end;
  };
  void download_bytes(void* host, const void* device, std::size_t bytes);
  cudaEvent_t mark();
  void close(DevicePart part, cudaEvent_t begin) noexcept;
  void collect();

  const DeviceHandles& handles_;
  StagingBuffer copies_;
  PinnedBlocks pinned_blocks_;
  std::vector<Span> spans_;
  std::vector<cudaEvent_t> free_;
  DeviceUse use_;
};

// Seconds of the host since construction.
class HostClock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace gwrm::cuda
