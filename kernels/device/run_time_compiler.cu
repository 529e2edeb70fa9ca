#include "kernels/device/run_time_compiler.cuh"

#include <array>
#include <mutex>
#include <utility>

#include "core/errors.hpp"
#include "kernels/device/device_cache.hpp"
#include "kernels/device/device_text.hpp"
#include "kernels/device/nvrtc.cuh"

namespace gwrm::cuda {
namespace {

void check(nvrtcResult status, const char* call) {
  if (status != NVRTC_SUCCESS) throw DeviceError(std::string(call) + ": " + nvrtc().error_text(status));
}

std::string architecture_of_device() {
  int device = 0, major = 0, minor = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::vector<char> compile(const std::string& target, const std::string& source, const std::string& what) {
  const std::array<const char*, 3> options = {target.c_str(), "--std=c++17", "--device-as-default-execution-space"};
  nvrtcProgram program = nullptr;
  std::vector<const char*> names, texts;
  for (const DeviceText& text : device_texts()) {
    names.push_back(text.name);
    texts.push_back(text.text);
  }
  check(nvrtc().create(&program, source.c_str(), "source_of_the_case.cu", static_cast<int>(texts.size()), texts.data(),
                       names.data()),
        "nvrtcCreateProgram");
  const nvrtcResult compiled = nvrtc().compile(program, static_cast<int>(options.size()), options.data());
  std::vector<char> code;
  std::size_t size = 0;
  std::string log;
  if (compiled == NVRTC_SUCCESS) {
    check(nvrtc().code_size(program, &size), "nvrtcGetCUBINSize");
    code.resize(size);
    check(nvrtc().code(program, code.data()), "nvrtcGetCUBIN");
  } else if (nvrtc().log_size(program, &size) == NVRTC_SUCCESS) {
    log.resize(size);
    static_cast<void>(nvrtc().log(program, log.data()));
  }
  static_cast<void>(nvrtc().destroy(&program));
  if (compiled != NVRTC_SUCCESS)
    throw DeviceError("compiling " + what + " for the device: " + nvrtc().error_text(compiled) + "\n" + log);
  return code;
}

// Of all headers that a source may include.
std::string checksum_of_texts() {
  std::string all;
  for (const DeviceText& text : device_texts()) all += std::string(text.name) + "\n" + text.text;
  return std::to_string(checksum(all));
}

}  // namespace

std::vector<char> compile_for(const std::string& architecture, const std::string& source, const std::string& what) {
  if (!nvrtc().missing.empty()) throw DeviceError("compiling " + what + " for the device: " + nvrtc().missing);
  int major = 0, minor = 0;
  check(nvrtc().version(&major, &minor), "nvrtcVersion");
  static const std::string texts = checksum_of_texts();
  const std::string question = architecture + " nvrtc " + std::to_string(major) + "." + std::to_string(minor) +
                               " headers " + texts + "\n" + source;
  const std::string kept = kept_answer("code", question);
  if (!kept.empty()) return {kept.begin(), kept.end()};
  const std::vector<char> code = compile("--gpu-architecture=" + architecture, source, what);
  keep_answer("code", question, {code.begin(), code.end()});
  return code;
}

std::vector<char> compile_for_device(const std::string& source, const std::string& what) {
  return compile_for(architecture_of_device(), source, what);
}

DeviceProgram::DeviceProgram(const std::string& source, const std::string& what)
    : code_(compile_for_device(source, what)) {
  GWRM_DEVICE(cudaLibraryLoadData(&library_, code_.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
}

DeviceProgram::~DeviceProgram() {
  static_cast<void>(cudaLibraryUnload(library_));
}

std::shared_ptr<const DeviceProgram> device_program(const std::string& source, const std::string& what) {
  int device = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  static std::mutex mutex;
  // Never destroyed: at the end of the process the driver may have gone before.
  static auto& programs = *new std::map<std::pair<int, std::string>, std::shared_ptr<const DeviceProgram>>;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const DeviceProgram>& program = programs[{device, source}];
  if (program == nullptr) program = std::make_shared<DeviceProgram>(source, what);
  return program;
}

const void* DeviceProgram::kernel(const std::string& name) const {
  cudaKernel_t handle = nullptr;
  GWRM_DEVICE(cudaLibraryGetKernel(&handle, library_, name.c_str()));
  return reinterpret_cast<const void*>(handle);
}

}  // namespace gwrm::cuda
