#include "core/memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/blas.hpp"
#include "core/threads.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

// A file of the kernel; empty if it cannot be read. By iterators: getline and >> end early where there is no memory for
// what they read.
std::string text_of(const std::string& path) {
  try {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure&) {
    return {};
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  const std::string text = text_of(path);
  std::vector<std::string> lines;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    lines.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return lines;
}

// The number at the beginning; `fallback` where there is none ("max").
std::size_t number_in(const std::string& text, std::size_t fallback) {
  char* end = nullptr;
  const std::size_t value = std::strtoull(text.c_str(), &end, 10);
  return end == text.c_str() ? fallback : value;
}

std::size_t left(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

std::size_t free_in_machine() {
  std::size_t available =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr std::string_view kKey = "MemAvailable:";  // and so many kB
  for (const std::string& line : lines_of("/proc/meminfo"))
    if (line.starts_with(kKey)) available = number_in(line.substr(kKey.size()), available / 1024) * 1024;
  return available;
}

// A limit holds for all groups below: from the group of the process up to the root. `group` begins with a slash.
std::size_t free_in_groups(const std::string& root, std::string group, const char* limit, const char* used) {
  std::size_t available = kNone;
  for (;;) {
    const std::string folder = root + (group == "/" ? "" : group);
    if (const std::size_t most = number_in(text_of(folder + limit), kNone); most != kNone)
      available = std::min(available, left(most, number_in(text_of(folder + used), 0)));
    if (group.size() <= 1) return available;
    group.erase(std::max<std::size_t>(group.rfind('/'), 1));
  }
}

// Lines "0::/path" of version 2, "7:memory:/path" of version 1.
std::size_t free_in_control_groups() {
  std::size_t available = kNone;
  for (const std::string& line : lines_of("/proc/self/cgroup")) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || second + 1 >= line.size()) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty())
      available = std::min(available, free_in_groups("/sys/fs/cgroup", path, "/memory.max", "/memory.current"));
    else if (controllers == "memory")
      available = std::min(
          available, free_in_groups("/sys/fs/cgroup/memory", path, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
  }
  return available;
}

std::size_t limit_of(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNone;
  return static_cast<std::size_t>(limit.rlim_cur);
}

// Of ulimit -v and ulimit -d, less what the process has of them (/proc/self/statm: pages in all, .., data and stack)
// and so many buffers of BLAS. Takes no memory.
std::size_t left_in_limits(int n_buffers) {
  const std::size_t all = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
  if (all == kNone && data == kNone) return kNone;
  char text[200] = {};
  const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t size = statm < 0 ? -1 : read(statm, text, sizeof text - 1);
  if (statm >= 0) close(statm);
  std::size_t pages[6] = {};
  char* rest = text;
  if (size > 0)
    for (std::size_t& count : pages) count = std::strtoull(rest, &rest, 10);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t buffers = blas_buffer_bytes() * static_cast<std::size_t>(n_buffers);
  const auto free_of = [&](std::size_t limit, std::size_t used) {
    return limit == kNone ? kNone : left(limit, used + buffers);
  };
  return std::min(free_of(all, pages[0] * page), free_of(data, pages[5] * page));
}

// Asking the kernel takes a third of a millisecond, and short runs ask twenty times: what it said a moment ago holds.
std::size_t free_in_system() {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration kMoment = std::chrono::milliseconds(10);
  static std::atomic<Clock::rep> asked_at{0};
  static std::atomic<std::size_t> answer{kNone};
  const Clock::rep now = Clock::now().time_since_epoch().count();
  if (answer == kNone || now - asked_at > kMoment.count()) {
    answer = std::min(free_in_machine(), free_in_control_groups());
    asked_at = now;
  }
  return answer;
}

}  // namespace

std::size_t available_memory() {
  return std::min(free_in_system(), left_in_limits(loop_threads()));  // one for each thread
}

std::size_t memory_left_in_limits() {
  return left_in_limits(0);
}

std::size_t process_memory_limit() {
  return std::min(limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
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
