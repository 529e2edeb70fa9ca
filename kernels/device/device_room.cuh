// Whether a window has room on the device, told before anything is allocated.
// Device only: on the host a window is estimated before it is made (problems).
#pragma once

#include <cstddef>
#include <string>

namespace gwrm::cuda {

struct WindowRoom {
  double bytes = 0.0;  // that the window needs, at most
  std::size_t n_unknowns = 0;
  double limit = 0.0;      // of solver.memory, in bytes; 0: none
  std::size_t pooled = 0;  // bytes of the caller's pool, which the window may take too
};

// MemoryError with need, room and `cure` ("Take lower degrees, or run with backend: cpu") if the bytes are more than
// the device has free, or solver.memory or GWRM_DEVICE_MEMORY allow.
void check_room(const WindowRoom& window, const std::string& cure);

}  // namespace gwrm::cuda
