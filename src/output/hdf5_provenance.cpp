#include "output/hdf5_provenance.hpp"

#include "core/version.hpp"
#include "output/hdf5_handles.hpp"
#include "output/hdf5_whole_file.hpp"

namespace gwrm::hdf5 {

void write_provenance(hid_t root, const Provenance& provenance) {
  write_attribute(root, "title", provenance.title);
  write_attribute(root, "source", "gwrm " + version());
  write_attribute(root, "history", history_line(provenance.command));
  write_attribute(root, "version", version());
  write_attribute(root, "git_revision", git_revision());
  write_attribute(root, "build", build_description());
  write_attribute(root, "device", provenance.device);
  write_attribute(root, "case", provenance.case_text);
}

void write_provenance(hid_t root, const Provenance& provenance, const std::string& study, int study_version,
                      const std::vector<std::string>& keys) {
  write_provenance(root, provenance);
  std::string all;
  for (const std::string& key : keys) all += (all.empty() ? "" : " ") + key;
  write_attribute(root, "study", study);
  write_attribute(root, "study_version", study_version);
  write_attribute(root, "keys", all);
}

}  // namespace gwrm::hdf5
