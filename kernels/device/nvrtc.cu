#include "kernels/device/nvrtc.cuh"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "kernels/device/run_time_compiler.hpp"

namespace gwrm {
namespace cuda {
namespace {

Nvrtc load() {
  Nvrtc result;
  const char* asked = std::getenv("GWRM_NVRTC");
  if (asked != nullptr && std::string(asked) == "off") {
    result.missing = "GWRM_NVRTC is off";
    return result;
  }
  const std::string name =
      asked != nullptr && *asked != '\0' ? asked : "libnvrtc.so." + std::to_string(CUDART_VERSION / 1000);
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays for as long as the program
  if (library == nullptr) {
    const char* why = dlerror();
    result.missing = "NVRTC cannot be loaded (" + std::string(why == nullptr ? name : why) + ")";
    return result;
  }
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (function == nullptr) result.missing = name + " has no " + symbol;
  };
  find(result.version, "nvrtcVersion");
  find(result.create, "nvrtcCreateProgram");
  find(result.destroy, "nvrtcDestroyProgram");
  find(result.compile, "nvrtcCompileProgram");
  find(result.code_size, "nvrtcGetCUBINSize");
  find(result.code, "nvrtcGetCUBIN");
  find(result.log_size, "nvrtcGetProgramLogSize");
  find(result.log, "nvrtcGetProgramLog");
  find(result.error_text, "nvrtcGetErrorString");
  return result;
}

}  // namespace

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = load();
  return loaded;
}

}  // namespace cuda

const std::string& run_time_compiler_missing() {
  return cuda::nvrtc().missing;
}

}  // namespace gwrm
