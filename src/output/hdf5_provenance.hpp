// Attributes of the root of every file of a result, of a run or of many: where it came from.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace gwrm::hdf5 {

struct Provenance {
  const std::string& title;
  const std::string& command;    // for the history
  const std::string& device;     // on which it was computed
  const std::string& case_text;  // the resolved case
};

// title, source, history, version, git_revision, build, device, case: those of this program and this moment.
void write_provenance(hid_t root, const Provenance& provenance);

// The same of a study of several runs, with its kind ("sweep"), the version of its form and the keys that it varies.
void write_provenance(hid_t root, const Provenance& provenance, const std::string& study, int study_version,
                      const std::vector<std::string>& keys);

}  // namespace gwrm::hdf5
