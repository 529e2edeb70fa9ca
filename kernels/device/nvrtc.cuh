// NVRTC's functions, from the shared library that is loaded when they are first asked for: programs run where there is
// none, and interpret their expressions (point_interpreter.cuh).
//
// The library is the one that belongs to the CUDA that the program was built with. GWRM_NVRTC in the environment names
// another one, or is "off": there is none.
//
// Device only: on the CPU expressions are interpreted (src/expression/tape.hpp).
#pragma once

#include <nvrtc.h>

#include <string>

namespace gwrm::cuda {

struct Nvrtc {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetCUBINSize) code_size = nullptr;
  decltype(&nvrtcGetCUBIN) code = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetErrorString) error_text = nullptr;
  std::string missing;  // why there is none; empty: all of the above are set
};

const Nvrtc& nvrtc();

}  // namespace gwrm::cuda
