#include "kernels/device/run_time_compiler.cuh"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/errors.hpp"
#include "core/files_at_end.hpp"
#include "kernels/device/nvrtc.cuh"

namespace gwrm::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeading = "gwrm device code 1\n";

void check(nvrtcResult status, const char* call) {
  if (status != NVRTC_SUCCESS) throw DeviceError(std::string(call) + ": " + nvrtc().error_text(status));
}

// 64-bit FNV-1a.
std::uint64_t checksum(const std::string& text) {
  std::uint64_t sum = 14695981039346656037ull;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return sum;
}

std::string target_option() {
  int device = 0, major = 0, minor = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return "--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor);
}

std::vector<char> compile(const std::string& source, const std::string& target, const std::string& what) {
  const std::array<const char*, 2> options = {target.c_str(), "--std=c++17"};
  nvrtcProgram program = nullptr;
  check(nvrtc().create(&program, source.c_str(), "source_of_the_case.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
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

// Empty: no cache.
fs::path cache_folder() {
  if (const char* named = std::getenv("GWRM_CACHE"); named != nullptr && *named != '\0')
    return std::string(named) == "off" ? fs::path() : fs::path(named);
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "gwrm";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "gwrm";
  return {};
}

std::string number(std::uint64_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

// heading, length of the key, key, code, checksum of all before it. Empty if the file does not say just that.
std::vector<char> read_cached(const fs::path& path, const std::string& key) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string start = kHeading + number(key.size()) + key;
  if (all.size() < start.size() + sizeof(std::uint64_t) || all.compare(0, start.size(), start) != 0) return {};
  const std::size_t end = all.size() - sizeof(std::uint64_t);
  if (number(checksum(all.substr(0, end))) != all.substr(end)) return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(start.size()), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

// Failing to keep the code is no failure of the run.
void write_cached(const fs::path& path, const std::string& key, const std::vector<char>& code) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  static std::atomic<int> n_written{0};  // several threads may keep the same code
  const fs::path other = path.string() + "." + std::to_string(getpid()) + "." + std::to_string(n_written++);
  const FileAtEnd listed(FileKind::temporary, other.string());
  {
    const std::string all = kHeading + number(key.size()) + key + std::string(code.begin(), code.end());
    std::ofstream file(other, std::ios::binary | std::ios::trunc);
    file << all << number(checksum(all));
    file.close();
    if (!file) {
      fs::remove(other, failed);
      return;
    }
  }
  fs::rename(other, path, failed);
  if (failed) fs::remove(other, failed);
}

}  // namespace

std::vector<char> compile_for_device(const std::string& source, const std::string& what) {
  if (!nvrtc().missing.empty()) throw DeviceError("compiling " + what + " for the device: " + nvrtc().missing);
  const std::string target = target_option();
  const fs::path folder = cache_folder();
  if (folder.empty()) return compile(source, target, what);
  int major = 0, minor = 0;
  check(nvrtc().version(&major, &minor), "nvrtcVersion");
  const std::string key = target + " nvrtc " + std::to_string(major) + "." + std::to_string(minor) + "\n" + source;
  const fs::path path = folder / (std::to_string(checksum(key)) + ".code");
  std::vector<char> code = read_cached(path, key);
  if (code.empty()) {
    code = compile(source, target, what);
    write_cached(path, key, code);
  }
  return code;
}

DeviceProgram::DeviceProgram(const std::string& source, const std::string& what)
    : code_(compile_for_device(source, what)) {
  GWRM_DEVICE(cudaLibraryLoadData(&library_, code_.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
}

DeviceProgram::~DeviceProgram() {
  static_cast<void>(cudaLibraryUnload(library_));
}

const void* DeviceProgram::kernel(const std::string& name) const {
  cudaKernel_t handle = nullptr;
  GWRM_DEVICE(cudaLibraryGetKernel(&handle, library_, name.c_str()));
  return reinterpret_cast<const void*>(handle);
}

}  // namespace gwrm::cuda
