#include "kernels/device/pinned_memory.cuh"

#include <sys/mman.h>

#include <cstdlib>

namespace gwrm::cuda {

PinnedMemory::PinnedMemory(std::size_t bytes) {
  void* const memory = std::aligned_alloc(kHugePage, bytes);
  if (memory == nullptr) return;
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
  if (cudaHostRegister(memory, bytes, cudaHostRegisterMapped) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    std::free(memory);
    return;
  }
  memory_ = static_cast<char*>(memory);
  void* on_device = nullptr;
  GWRM_DEVICE(cudaHostGetDevicePointer(&on_device, memory, 0));
  on_device_ = static_cast<char*>(on_device);
}

PinnedMemory::~PinnedMemory() {
  if (memory_ == nullptr) return;
  static_cast<void>(cudaHostUnregister(memory_));
  std::free(memory_);
}

char* PinnedBlocks::take() {
  if (free_.empty()) {
    if (all_.size() == kMax) return nullptr;
    all_.push_back(std::make_unique<PinnedMemory>(kBlock));
    if (all_.back()->data() == nullptr) return nullptr;
    return all_.back()->data();
  }
  char* const block = free_.back();
  free_.pop_back();
  return block;
}

}  // namespace gwrm::cuda
