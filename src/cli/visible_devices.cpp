#include "cli/visible_devices.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "cli/process_settings.hpp"

namespace gwrm::cli {
namespace {

// Numbers, or identities as nvidia-smi -L has them. (Behind anything else CUDA reads no further.)
bool names_a_device(const std::string& entry) {
  const bool is_number = !entry.empty() && entry.find_first_not_of("0123456789") == std::string::npos;
  return is_number || entry.starts_with("GPU-") || entry.starts_with("MIG-");
}

std::vector<std::string> entries_of(const std::string& list) {
  std::vector<std::string> entries;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = list.find(',', begin);
    entries.push_back(list.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return entries;
}

// Those that the process may open: a control group of a batch system may keep others from it.
int n_present() {
  constexpr int kMostOfAMachine = 64;
  int count = 0;
  for (int minor = 0; minor < kMostOfAMachine; ++minor)
    if (access(("/dev/nvidia" + std::to_string(minor)).c_str(), R_OK | W_OK) == 0) ++count;
  return count;
}

}  // namespace

std::optional<std::string> entry_of_device(const char* list, int n_present, int index) {
  if (list == nullptr) return n_present > 1 ? std::optional(std::to_string(index % n_present)) : std::nullopt;
  const std::vector<std::string> entries = entries_of(list);
  if (entries.size() < 2 || !std::all_of(entries.begin(), entries.end(), names_a_device)) return std::nullopt;
  return entries[static_cast<std::size_t>(index) % entries.size()];
}

void see_one_device(int index) {
  if (process_settings_are_off()) return;
  const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (const auto entry = entry_of_device(list, list == nullptr ? n_present() : 0, index))
    setenv("CUDA_VISIBLE_DEVICES", entry->c_str(), 1);
}

}  // namespace gwrm::cli
