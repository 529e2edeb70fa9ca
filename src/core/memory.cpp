#include "core/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace gwrm {
namespace {

// Reads one number from a file of the kernel; `fallback` where there is none ("max").
std::size_t read_number(const char* path, std::size_t fallback) {
  std::ifstream file(path);
  std::size_t value = 0;
  return (file >> value) ? value : fallback;
}

}  // namespace

std::size_t available_memory() {
  std::size_t available =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes = 0;
  while (meminfo >> key >> kilobytes) {
    std::getline(meminfo, unit);
    if (key == "MemAvailable:") available = kilobytes * 1024;
  }
  const std::size_t none = ~std::size_t{0};
  const std::size_t limit = read_number("/sys/fs/cgroup/memory.max", none);
  if (limit != none) {
    const std::size_t used = read_number("/sys/fs/cgroup/memory.current", 0);
    available = std::min(available, limit > used ? limit - used : 0);
  }
  return available;
}

std::string format_bytes(std::size_t bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1000.0 && unit < 6) {
    value /= 1000.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, units[unit]);
}

}  // namespace gwrm
