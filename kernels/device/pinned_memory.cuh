// Page-locked memory of the host: the device reads and writes it by itself, at the speed of the link.
//
// Device only: there is nothing to lock where only the CPU reads.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/device_handles.cuh"

namespace gwrm::cuda {

class PinnedMemory {
 public:
  // bytes: a multiple of kHugePage, so that there are few pages to lock.
  explicit PinnedMemory(std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  char* data() const { return memory_; }          // null where the system does not allow it
  char* on_device() const { return on_device_; }  // the same for kernels; null where data() is

 private:
  char *memory_ = nullptr, *on_device_ = nullptr;
};

// Blocks of it, up to kMax, that are used again: locking one takes longer than many copies.
class PinnedBlocks {
 public:
  static constexpr std::size_t kBlock = 2 * PinnedMemory::kHugePage, kMax = 8;
  char* take();  // null if there is none
  void give_back(char* block) { free_.push_back(block); }

 private:
  std::vector<std::unique_ptr<PinnedMemory>> all_;
  std::vector<char*> free_;
};

}  // namespace gwrm::cuda
