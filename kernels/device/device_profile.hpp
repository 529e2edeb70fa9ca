// Where the time of a run on the device goes.
#pragma once

#include <array>
#include <cstddef>

namespace gwrm {

enum class DevicePart {
  transforms,      // coefficients to values at points, and back
  pointwise,       // equations and their linearisation at the points
  preconditioner,  // time modes, products and triangular solves along the axes
  krylov,          // sums and combinations of GMRES and Newton
  factorisation,   // Schur forms and what surrounds them, on the host
  setup,           // kernels compiled or found, matrices made and sent, on the host
  transfers,       // to the device and back
};
inline constexpr std::size_t kDeviceParts = 7;
inline constexpr std::array<const char*, kDeviceParts> kDevicePartNames = {
    "transforms", "pointwise", "preconditioner", "krylov", "factorisation", "setup", "transfers"};

struct DeviceUse {
  std::array<double, kDeviceParts> seconds{};
  double total_seconds = 0.0;  // in solves, the host's share included
  std::size_t bytes_sent = 0, bytes_received = 0;
  std::size_t largest_memory = 0;  // bytes taken of the device

  // Times and bytes sent of another; its memory, which may be that of the same device, is left to the caller.
  void add_work(const DeviceUse& other) {
    for (std::size_t part = 0; part < kDeviceParts; ++part) seconds[part] += other.seconds[part];
    total_seconds += other.total_seconds;
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
  }
};

}  // namespace gwrm
