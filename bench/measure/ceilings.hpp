// What this machine reaches at best, measured: the ceilings that benchmarks are compared with.
#pragma once

#include "core/context.hpp"

namespace gwrm {

struct Ceilings {
  double copy = 0.0;    // bytes per second read and written by a copy within the backend's memory
  double matrix = 0.0;  // floating-point operations per second of a large matrix product in double precision
};

// Takes about a second and, on the device, 2.4 GB; on the CPU with the threads of the context.
Ceilings measure_ceilings(const Context& context);

namespace cpu {
Ceilings measure_ceilings();
}
namespace cuda {
Ceilings measure_ceilings(const Context& context);
}

}  // namespace gwrm
