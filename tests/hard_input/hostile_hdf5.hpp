// Ways in which a file can be valid HDF5 and still nothing that a reader of results expects: one kind each, planted
// into a sound result file.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hard_input/edit_result.hpp"
#include "output/hdf5_handles.hpp"

namespace gwrm::hard_input {

// What a sound file holds, by paths.
struct Contents {
  std::vector<std::string> datasets, groups;
  std::vector<std::pair<std::string, std::string>> attributes;  // object, name
};
Contents contents_of(const std::string& path);

struct Planting {
  hid_t file;
  const Contents& contents;
  const Below& below;
  std::function<void(std::string& bytes)> afterwards = {};  // to the bytes of the closed file

  const std::string& dataset() const { return contents.datasets[below(contents.datasets.size())]; }
  const std::string& group() const { return contents.groups[below(contents.groups.size())]; }
};

struct Kind {
  std::string name;
  std::function<void(Planting&)> plant;
};

// What a new dataset is like; its attributes are those of the one in whose place it comes.
struct Remade {
  hid_t type = -1;  // -1: as before
  hdf5::Dims dims = {}, most = {};
  bool as_before = true;     // the extents
  bool null_space = false;   // no extents at all
  bool with_values = false;  // those of before, where type and extents are
};
// Puts another dataset in place of this one.
void remake(hid_t file, const std::string& path, const Remade& remade, hid_t properties = H5P_DEFAULT);
void set_attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value);
hdf5::Handle simple_space(const hdf5::Dims& dims);
hdf5::Handle dataset_properties();

// Types that no dataset or attribute of a result has; some need the file, for a committed type.
struct NamedType {
  std::string name;
  std::function<hdf5::Handle(hid_t file)> make;
};
const std::vector<NamedType>& hostile_types();

void add_dataset_kinds(std::vector<Kind>& kinds);
void add_attribute_kinds(std::vector<Kind>& kinds);
void add_link_kinds(std::vector<Kind>& kinds);

// Plants into the file at `path`, which has no checksum then.
void plant(const std::string& path, const Kind& kind, const Contents& contents, const Below& below);

}  // namespace gwrm::hard_input
