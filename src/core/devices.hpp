// The devices of a process, by their numbers from 0 among those that it sees (CUDA_VISIBLE_DEVICES), and which of them
// a thread works on. Every thread has a device of its own; it begins with 0.
#pragma once

#include <cstdint>

namespace gwrm {

// 0 without a driver, and in a program without CUDA.
int n_devices();

// For the contexts that this thread creates from here on, and for all that it does on them. A context is used by the
// thread that has created it, or by one that uses the same device.
void use_device(int number);

// The same number in all processes of all machines that see this device; not 0.
std::uint64_t device_identity(int number);

}  // namespace gwrm
