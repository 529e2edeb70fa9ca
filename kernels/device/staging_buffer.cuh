// Large copies between ordinary memory of the host and the device, by several threads through page-locked pieces.
//
// cudaMemcpy of ordinary memory goes through buffers of the driver by one thread: on an H200 8 MB take 1.25 ms to the
// device and 0.72 ms back, 80 MB 13 and 7 ms, where the link itself needs 0.16 and 1.5 ms. Locking the pages of the
// arrays themselves costs more than it saves for what is copied once (1.7 ms for 8 MB), so that a ring of pieces is
// locked once a process.
//
// Device only: on the CPU nothing is copied to be worked on.
#pragma once

#include <cstddef>
#include <vector>

#include "core/device_handles.cuh"
//
#include "kernels/device/pinned_memory.cuh"

namespace gwrm::cuda {

class StagingBuffer {
 public:
  // Below this the driver's own way is as fast.
  static constexpr std::size_t kWorthStaging = std::size_t{64} << 10;

  // Locks the ring; without it, where the system does not allow that, everything goes the driver's way.
  explicit StagingBuffer(const DeviceHandles& handles);
  ~StagingBuffer();
  StagingBuffer(const StagingBuffer&) = delete;
  StagingBuffer& operator=(const StagingBuffer&) = delete;

  // The host's array may be changed on return; the copy is on the stream.
  void upload(void* device, const void* host, std::size_t bytes);
  // Behind what is on the stream; the bytes are there on return.
  void download(void* host, const void* device, std::size_t bytes);
  // Page-locked memory for kWorthStaging bytes that the caller writes on the same stream: to ordinary memory even a few
  // bytes take a detour. Null if there is none; the next upload or download overwrites it.
  const PinnedMemory& landing() const { return memory_; }

 private:
  struct Slot {
    char* memory = nullptr;
    cudaEvent_t copied = nullptr;  // between it and the device
  };
  const DeviceHandles& handles_;
  PinnedMemory memory_;
  std::vector<Slot> ring_;
};

}  // namespace gwrm::cuda
