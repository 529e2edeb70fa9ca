// Memory of the device for arrays of doubles that come and go: what is given back serves the next that fits.
//
// All work of a context goes to one stream, so that an array may be given back while a kernel still reads it: whoever
// gets the memory next writes to it behind that kernel.
//
// Device only: arrays of the host come from its heap, those that are used again from src/core/buffer.hpp.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "core/device_handles.cuh"

namespace gwrm::cuda {

class DevicePool;

// Uninitialised doubles on the device; movable. Goes back to its pool, which must outlive it.
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray();

  double* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return data_ == nullptr; }

 private:
  friend class DevicePool;
  void swap(DeviceArray& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(slot_, other.slot_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  DevicePool* pool_ = nullptr;
  std::size_t slot_ = 0, size_ = 0;
  double* data_ = nullptr;
};

class DevicePool {
 public:
  // MemoryError if the device has no room.
  DeviceArray take(std::size_t count);
  std::size_t bytes() const { return bytes_; }  // held, in use or not

 private:
  friend class DeviceArray;
  struct Slot {
    DeviceBuffer buffer;
    std::size_t capacity = 0;
    bool in_use = false;
  };
  std::deque<Slot> slots_;
  std::size_t bytes_ = 0;
};

}  // namespace gwrm::cuda
