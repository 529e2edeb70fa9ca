// The text of headers that code compiled at run time includes, which finds no files: by the names they are included by.
// They are listed in kernels/CMakeLists.txt, which puts them into the program; headers of the system stand behind
// `#ifndef __CUDACC_RTC__` in them.
//
// Device only: in builds with CUDA.
#pragma once

#include <vector>

namespace gwrm {

struct DeviceText {
  const char* name;  // "kernels/banded/warp_rows.cuh"
  const char* text;
};
const std::vector<DeviceText>& device_texts();

}  // namespace gwrm
