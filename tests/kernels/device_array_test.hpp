// A context on the device, arrays there, and their way forth and back.
#pragma once

#include <vector>

#include "device_test.hpp"
#include "kernels/device/device_pool.cuh"

namespace gwrm::test {

class DeviceArrayTest : public DeviceTest {
 protected:
  DeviceHandles& handles() { return *context_.device(); }
  cuda::DeviceArray send(const std::vector<double>& v) {
    cuda::DeviceArray array = pool_.take(v.size());
    handles().upload(array.data(), v.data(), v.size());
    return array;
  }
  std::vector<double> fetch(const cuda::DeviceArray& array) {
    std::vector<double> v(array.size());
    handles().download(v.data(), array.data(), v.size());
    return v;
  }

  cuda::DevicePool pool_;
};

}  // namespace gwrm::test
