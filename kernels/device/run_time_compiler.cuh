// CUDA source compiled while the program runs, by NVRTC; the machine code is kept on disk for the next run.
//
// The cache is the folder that GWRM_CACHE names ("off": none), else gwrm below XDG_CACHE_HOME or ~/.cache. A file holds
// the source, the target and the compiler's version beside the code, and a checksum of it all: what does not agree with
// the question, or is damaged, is compiled again and replaced. Files are written under another name and renamed, so
// that runs side by side do not meet half of one. Without a folder that can be written everything works, only slower.
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

}  // namespace gwrm::cuda
