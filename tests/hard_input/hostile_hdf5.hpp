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
  std::size_t place;  // what is asked for first: this dataset, group, attribute; then random ones
  std::function<void(std::string& bytes)> afterwards = {};  // to the bytes of the closed file

  std::size_t next(std::size_t n) { return std::exchange(is_placed, true) ? below(n) : place % n; }
  template <class Item>
  const Item& one_of(const std::vector<Item>& all) {
    return all[next(all.size())];
  }
  const std::string& dataset() { return one_of(contents.datasets); }
  const std::string& group() { return contents.groups.empty() ? dataset() : one_of(contents.groups); }
  const std::string& object() {
    const std::size_t n = contents.datasets.size(), i = next(n + contents.groups.size());
    return i < n ? contents.datasets[i] : contents.groups[i - n];
  }

  bool is_placed = false;
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
void plant(const std::string& path, const Kind& kind, const Contents& contents, const Below& below, std::size_t place);

}  // namespace gwrm::hard_input
