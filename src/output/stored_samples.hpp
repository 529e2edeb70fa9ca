// The sampled fields of a result file, and what it says of the program that wrote it.
#pragma once

#include <string>
#include <vector>

#include "output/hdf5_file.hpp"

namespace gwrm {

struct SampledAxis {
  std::string name;
  std::vector<double> points;
};

struct StoredSamples {
  std::vector<SampledAxis> axes;     // those in use, in the file's order
  std::vector<SampledField> fields;  // `axes` of each are indices into the list above
  std::string coordinates;           // "spherical" where the file says so of r, theta, phi (ArrayGroup::attributes)
};

struct StoredBuild {
  std::string version, git_revision, build, device, history;
};

// OutputError for anything that is not a complete gwrm file, like read_hdf5(). Sizes are checked before anything is
// allocated; a field whose dimensions do not have scales of their own in the file is damage.
StoredSamples read_samples(const std::string& path);
StoredBuild read_build(const std::string& path);

}  // namespace gwrm
