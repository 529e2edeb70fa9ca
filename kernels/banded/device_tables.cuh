// Tables of a plan in device memory.
//
// Device only: the CPU's plans keep their vectors.
#pragma once

#include "core/device_handles.cuh"
//
#include <memory>
#include <vector>

namespace gwrm::banded {

// Host vectors, each as one piece of device memory.
template <class Number>
class DeviceTables {
 public:
  const Number* add(const DeviceHandles& handles, const std::vector<Number>& values) {
    return add(handles, values.data(), values.size());
  }
  const Number* add(const DeviceHandles& handles, const Number* values, std::size_t n) {
    if (n == 0) return nullptr;
    buffers_.push_back(std::make_unique<cuda::DeviceBuffer>());
    Number* memory = buffers_.back()->template reserve<Number>(n);
    handles.upload(memory, values, n);
    return memory;
  }

 private:
  std::vector<std::unique_ptr<cuda::DeviceBuffer>> buffers_;
};

}  // namespace gwrm::banded
