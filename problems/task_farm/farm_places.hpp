// Where the runs of one process are computed: on how many of its cores and on which devices, and how many beside one
// another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/team.hpp"

namespace gwrm {

struct FarmPlaces {
  BackendChoice backend = BackendChoice::cpu;  // not cpu: on the devices; under `cuda` DeviceError where there is none
  int n_threads = 1;                           // of all runs together
  std::vector<int> devices;                    // by their numbers (core/devices.hpp); none: all on the CPU
  int runs_per_device = 1;                     // at one time on each
  bool without_device = false;                 // this rank is to have a device and has none: it takes no runs
  std::string device_name;                     // for the results: "cpu (2 threads)", "NVIDIA H200 (x 2)"
  std::string note;                            // what is to be said once about all ranks; empty: nothing

  bool on_devices() const { return !devices.empty(); }
};

// What is asked for on the command line; 0: what is usual.
struct FarmWishes {
  BackendChoice backend = BackendChoice::cpu;
  int n_threads = 0;        // 0: as many as the process has cores to itself
  int runs_per_device = 0;  // 0: kRunsPerDevice
  int ranks_per_run = 0;    // that have each run together, one after another on their CPUs; 0: each has its own
};

// Runs that share a GPU, of one process or of several: the host works for one while the device works for another.
// Measured on an H100 and an H200: docs/scaling.md.
inline constexpr int kRunsPerDevice = 8;

// By all ranks of the team together. Ranks of a machine take its devices in turn: rank r of n takes device r modulo
// their number, or r, r + n, .. where there are more devices than ranks. Where ranks share a device, each of them takes
// its part of the runs beside one another.
// Without a device `auto` takes the CPU; under `cuda` such a rank takes no runs, and DeviceError where all are so.
FarmPlaces places_of(Team& team, const FarmWishes& wishes);

// The same on a rank other than 0: nothing where rank 0 throws the DeviceError, which alone tells.
std::optional<FarmPlaces> places_to_help(Team& team, const FarmWishes& wishes);

// The devices of rank `local_rank` of `n_local` on a machine that shows it `n_devices`.
std::vector<int> devices_of_rank(int local_rank, int n_local, int n_devices);

}  // namespace gwrm
