// Which devices the driver shows this process. Waking it takes about a quarter of a second a device that it shows, used
// or not, and more where several processes do so at once: a process that uses one asks for that one alone.
#pragma once

#include <optional>
#include <string>

namespace gwrm::cli {

// The entry of CUDA_VISIBLE_DEVICES for one device of those that a list (its value; null: not set, all n_present of
// them) names, counted from 0 and round: nothing where there is no choice, or the list holds what is no device.
std::optional<std::string> entry_of_device(const char* list, int n_present, int index);

// Of the devices this process would see it sees that one from here on, as its device 0. Before anything has asked for
// a device; by the program alone, since the environment is the process's (CUDA_VISIBLE_DEVICES). Not with
// GWRM_PROCESS_SETTINGS=off.
void see_one_device(int index);

}  // namespace gwrm::cli
