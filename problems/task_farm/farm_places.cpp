#include "problems/task_farm/farm_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/devices.hpp"
#include "core/errors.hpp"

namespace gwrm {
namespace {

constexpr std::uint64_t kNoDevice = 0;

// Of the first device of every rank; those of further ones are no one else's.
std::string note_of(const std::vector<std::uint64_t>& devices, BackendChoice backend, const std::string& why) {
  const auto n_without = std::count(devices.begin(), devices.end(), kNoDevice);
  const auto n_with = static_cast<std::ptrdiff_t>(devices.size()) - n_without;
  if (n_with == 0) return {};  // told by the context, as without ranks
  std::set<std::uint64_t> distinct(devices.begin(), devices.end());
  distinct.erase(kNoDevice);
  const auto n_devices = static_cast<std::ptrdiff_t>(distinct.size());
  std::string note;
  if (n_without > 0)
    note = fmt::format("{} of {} ranks see no device{}: {}", n_without, devices.size(),
                       why.empty() ? "" : " (" + why + ")",
                       backend == BackendChoice::cuda ? "they take no runs" : "they compute on their cores");
  if (n_with > n_devices)
    note += fmt::format("{}{} ranks share {} device{}", note.empty() ? "" : "; ", n_with, n_devices,
                        n_devices == 1 ? "" : "s");
  return note;
}

// The devices of this rank, and the identity of the first one; kNoDevice and why where it sees none that is usable.
// Nothing is thrown: the other ranks wait to hear of it.
std::uint64_t take_devices(const Team& team, FarmPlaces& places, std::string& why) try {
  places.devices = devices_of_rank(team.local_rank(), team.n_local(), n_devices());
  if (places.on_devices()) use_device(places.devices.front());
  places.device_name = find_device(why);
  if (!places.device_name.empty()) return device_identity(places.devices.front());
  places.devices.clear();
  return kNoDevice;
} catch (const DeviceError& error) {
  why = error.what();
  places.devices.clear();
  return kNoDevice;
}

}  // namespace

std::vector<int> devices_of_rank(int local_rank, int n_local, int n_devices) {
  std::vector<int> own;
  if (n_devices == 0) return own;
  own.push_back(local_rank % n_devices);
  for (int next = local_rank + n_local; next < n_devices; next += n_local) own.push_back(next);
  return own;
}

FarmPlaces places_of(Team& team, const FarmWishes& wishes) {
  if (wishes.ranks_per_run > 0) return places_of(team, {BackendChoice::cpu, 1});
  FarmPlaces places;
  places.backend = wishes.backend;
  places.n_threads = wishes.n_threads > 0 ? wishes.n_threads : team.usual_threads();
  std::string why;
  const std::uint64_t identity = wishes.backend == BackendChoice::cpu ? kNoDevice : take_devices(team, places, why);
  const std::vector<std::uint64_t> all = team.gather(identity);
  if (places.on_devices()) {
    const auto n_sharing = static_cast<int>(std::count(all.begin(), all.end(), identity));
    const int usual = wishes.runs_per_device > 0 ? wishes.runs_per_device : kRunsPerDevice;
    places.runs_per_device = std::max(1, usual / n_sharing);
    if (places.devices.size() > 1) places.device_name += fmt::format(" (x {})", places.devices.size());
  } else {
    places.device_name = Context::create(BackendChoice::cpu, places.n_threads).device_name();
    if (wishes.backend == BackendChoice::cuda) {
      if (std::all_of(all.begin(), all.end(), [](std::uint64_t one) { return one == kNoDevice; }))
        throw DeviceError("backend cuda: " + why);
      places.without_device = true;
    }
  }
  if (wishes.backend != BackendChoice::cpu) places.note = note_of(all, wishes.backend, why);
  return places;
}

std::optional<FarmPlaces> places_to_help(Team& team, const FarmWishes& wishes) try {
  return places_of(team, wishes);
} catch (const DeviceError&) {
  return std::nullopt;
}

}  // namespace gwrm
