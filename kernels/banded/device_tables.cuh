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
    if (values.empty()) return nullptr;
    buffers_.push_back(std::make_unique<cuda::DeviceBuffer>());
    Number* memory = buffers_.back()->template reserve<Number>(values.size());
    handles.upload(memory, values.data(), values.size());
    return memory;
  }

 private:
  std::vector<std::unique_ptr<cuda::DeviceBuffer>> buffers_;
};

}  // namespace gwrm::banded
