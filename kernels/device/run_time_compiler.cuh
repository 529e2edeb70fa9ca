// CUDA source compiled while the program runs, by NVRTC; the machine code is kept on disk for the next run.
//
// A source finds the headers of kernels/device/device_text.hpp and no others. Its code is kept on disk by source,
// headers, architecture and the compiler's version (kernels/device/device_cache.hpp).
//
// Device only: on the CPU expressions are interpreted (src/expression/tape.hpp).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/device_handles.cuh"

namespace gwrm::cuda {

// The machine code for the present device. `what` for messages. DeviceError with the compiler's log if it fails, or if
// there is no compiler (run_time_compiler.hpp).
std::vector<char> compile_for_device(const std::string& source, const std::string& what);
// For an architecture, "sm_90": no device is needed.
std::vector<char> compile_for(const std::string& architecture, const std::string& source, const std::string& what);

// Compiled kernels, loaded.
class DeviceProgram {
 public:
  DeviceProgram(const std::string& source, const std::string& what);
  ~DeviceProgram();
  DeviceProgram(const DeviceProgram&) = delete;
  DeviceProgram& operator=(const DeviceProgram&) = delete;
  const void* kernel(const std::string& name) const;  // for cudaLaunchKernel

 private:
  std::vector<char> code_;
  cudaLibrary_t library_ = nullptr;
};

// The program of this source on the present device, compiled and loaded once in a process.
std::shared_ptr<const DeviceProgram> device_program(const std::string& source, const std::string& what);

}  // namespace gwrm::cuda
