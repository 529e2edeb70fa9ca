// What a run took of devices, in its report.
#pragma once

#include "kernels/device/device_profile.hpp"
#include "output/report.hpp"

namespace gwrm {

// Times of "solve" and of every part to the profile, bytes and memory.
void add_use(const DeviceUse& use, RunReport& report);

}  // namespace gwrm
