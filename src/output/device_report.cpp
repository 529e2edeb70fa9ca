#include "output/device_report.hpp"

namespace gwrm {

void add_use(const DeviceUse& use, RunReport& report) {
  report.profile.emplace_back("solve", use.total_seconds);
  for (std::size_t part = 0; part < kDeviceParts; ++part)
    report.profile.emplace_back(kDevicePartNames[part], use.seconds[part]);
  report.bytes_sent = static_cast<double>(use.bytes_sent);
  report.bytes_received = static_cast<double>(use.bytes_received);
  report.device_memory = static_cast<double>(use.largest_memory);
}

}  // namespace gwrm
