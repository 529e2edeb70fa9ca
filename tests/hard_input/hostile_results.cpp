// All commands that read results, on files that are valid HDF5 and hostile: no crash, no hang, no memory beyond what
// the file's own bytes account for, an exit status of the documented ones. A trial plants one kind (hostile_hdf5.hpp)
// into a result of one problem module, a sweep or a convergence study; half of the files have a checksum that holds.
#include <algorithm>
#include <cstdio>

#include "cli/process_settings.hpp"
#include "core/log.hpp"
#include "hard_input/hostile_hdf5.hpp"
#include "hard_input/read_results.hpp"
#include "hard_input/trials.hpp"

namespace gwrm::hard_input {
namespace {

constexpr const char* kUsage =
    "usage: hostile_results INPUTS [--count N] [--first N] [--seed N] [--jobs N] [--seconds N] [--findings FOLDER]";
// Honest zeros are packed 1000 : 1, and 256 MB of them are one kind: read, and sampled or compared.
constexpr std::size_t kMostMemory = std::size_t{1800} << 20;
// Neighbouring trials are of different families, so that a short campaign meets them all. Prime.
constexpr std::size_t kStride = 31;

}  // namespace

Contents contents_of(const std::string& path) {
  Contents contents;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening " + path);
  const auto add_object = [](hid_t, const char* name, const H5O_info_t* info, void* all) -> herr_t {
    Contents& found = *static_cast<Contents*>(all);
    if (std::string(name) != ".") (info->type == H5O_TYPE_GROUP ? found.groups : found.datasets).emplace_back(name);
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, add_object, &contents);
  const auto add_name = [](hid_t, const char* name, const H5A_info_t*, void* names) -> herr_t {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  };
  std::vector<std::string> objects = {""};
  objects.insert(objects.end(), contents.groups.begin(), contents.groups.end());
  objects.insert(objects.end(), contents.datasets.begin(), contents.datasets.end());
  for (const std::string& object : objects) {
    std::vector<std::string> names;
    const hdf5::Handle id(H5Oopen(file, object.empty() ? "/" : object.c_str(), H5P_DEFAULT), H5Oclose, object);
    H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names);
    for (const std::string& name : names) contents.attributes.emplace_back(object, name);
  }
  return contents;
}

void plant(const std::string& path, const Kind& kind, const Contents& contents, const Below& below, std::size_t place) {
  put_bytes(path, without_trailer(bytes_of(path)));
  Planting planting{-1, contents, below, place};
  {
    const hdf5::SilentErrors silent;
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening " + path);
    planting.file = file;
    try {
      kind.plant(planting);
    } catch (const OutputError&) {  // HDF5 does not make such a thing here
    }
  }
  if (!planting.afterwards) return;
  std::string bytes = bytes_of(path);
  planting.afterwards(bytes);
  put_bytes(path, bytes);
}

}  // namespace gwrm::hard_input

int main(int argc, char** argv) {
  using namespace gwrm;
  using namespace gwrm::hard_input;
  apply_process_settings();
  const TrialOptions options = parse_trial_options(argc, argv, kUsage);
  configure_log(Verbosity::quiet);
  const std::vector<Original> all = make_originals(options.inputs);
  std::vector<Kind> kinds;
  add_dataset_kinds(kinds);
  add_attribute_kinds(kinds);
  add_link_kinds(kinds);
  std::printf("%zu kinds\n", kinds.size());

  std::vector<Contents> contents(all.size());
  return run_trials(options, [&](Trial& trial) {
    // All kinds once, each in one file, then in the next one; when each has been in every file, at the next place of
    // it.
    const std::size_t number = trial.number * kStride % kinds.size(), round = trial.number / kinds.size();
    const Kind& kind = kinds[number];
    const std::size_t chosen = (number + round) % all.size(), place = number / all.size() + round / all.size();
    std::fprintf(stderr, "kind: %s, place %zu of %s\n", kind.name.c_str(), place, all[chosen].case_name.c_str());
    const std::string path = trial.folder + "/hostile.h5", sound = trial.folder + "/sound.h5";
    put_bytes(sound, all[chosen].bytes);
    put_bytes(path, all[chosen].bytes);
    if (contents[chosen].datasets.empty()) contents[chosen] = contents_of(sound);
    plant(
        path, kind, contents[chosen], [&](std::size_t n) { return trial.below(n); }, place);
    const bool checked = trial.below(2) == 0;
    if (checked) put_bytes(path, with_trailer(bytes_of(path)));
    TrialResult result;
    set_memory_mark_back();
    for (std::size_t command = 0; command < kCommands && result.complaint.empty(); ++command) {
      const std::size_t said = said_so_far().size();
      result.status = read_by(command, path, sound, all[chosen], trial.folder);
      const std::string who =
          kind.name + (checked ? ", with" : ", without") + " checksum, command " + std::to_string(command);
      if (!is_documented(result.status, compares(command)))
        result.complaint = "exit status " + std::to_string(result.status) + ": " + who;
      else if (result.status == 7)
        result.complaint = "too little memory: " + who;
      else if (result.status != 0 && !compares(command) && said_so_far().find("error: ", said) == std::string::npos)
        result.complaint = "no message with exit status " + std::to_string(result.status) + ": " + who;
      else if (const std::size_t memory = most_memory(); memory > kMostMemory)
        result.complaint = "took " + std::to_string(memory >> 20) + " MB: " + who;
    }
    return result;
  });
}
