#include "kernels/device/device_room.cuh"

#include <cstdlib>

#include "core/errors.hpp"
#include "core/memory.hpp"
#include "kernels/device/device_pool.cuh"

namespace gwrm::cuda {

void check_room(const WindowRoom& window, const std::string& cure) {
  std::size_t free = 0, total = 0;
  GWRM_DEVICE(cudaMemGetInfo(&free, &total));
  double available = static_cast<double>(free + window.pooled);
  std::string which = " of " + format_bytes(total) + " are free";
  const auto limit = [&](double allowed, const char* by) {
    if (!(allowed > 0.0) || allowed >= available) return;
    available = allowed;
    which = std::string(" are allowed by ") + by;
  };
  limit(window.limit, "solver.memory");
  if (const char* given = std::getenv("GWRM_DEVICE_MEMORY")) limit(std::atof(given), "GWRM_DEVICE_MEMORY");
  if (window.bytes <= available) return;
  throw MemoryError("not enough memory on the device: a window of " + std::to_string(window.n_unknowns) +
                    " unknowns needs up to " + format_bytes(static_cast<std::size_t>(window.bytes)) + ", " +
                    format_bytes(static_cast<std::size_t>(available)) + which + ". " + cure);
}

}  // namespace gwrm::cuda
