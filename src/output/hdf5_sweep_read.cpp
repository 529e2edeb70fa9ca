#include <algorithm>

#include "output/hdf5_scales.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

StoredVariable read_variable(hid_t group, const std::string& prefix, const std::string& name, SumOfValues& sum) {
  const Handle dataset = open_dataset(group, name);
  const Dims dims = dims_of(dataset, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, "opening the type of " + name);
  StoredVariable variable;
  variable.name = prefix + name;
  variable.is_scale = is_scale(dataset);
  variable.is_key = check(H5Aexists(dataset, "key"), "looking for the attribute key") > 0;
  for (const hsize_t extent : dims) variable.shape.push_back(static_cast<Index>(extent));
  if (variable.is_scale)
    variable.dims = {name};
  else
    for (const std::string& scale : scales_of(dataset, dims.size())) variable.dims.push_back(last_part(scale));
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      variable.is_text = true;
      variable.texts = read_strings(group, name, dims);
      break;
    case H5T_INTEGER:
      for (const int number : read_ints(group, name, dims)) variable.numbers.push_back(number);
      break;
    default:
      variable.numbers = read_doubles(group, name, dims);
  }
  sum.add(dims);
  return variable;
}

void read_group(hid_t group, const std::string& prefix, SumOfValues& sum, std::vector<StoredVariable>& variables) {
  for (const std::string& name : links_of(group)) {
    H5O_info_t info;
    check(H5Oget_info_by_name(group, name.c_str(), &info, H5P_DEFAULT), "looking at " + name);
    if (info.type == H5O_TYPE_DATASET)
      variables.push_back(read_variable(group, prefix, name, sum));
    else if (info.type == H5O_TYPE_GROUP && prefix.empty())  // groups are one deep
      read_group(open_group(group, name), name + "/", sum, variables);
  }
}

// Coordinates are lists, and every dimension of what is no coordinate has some of its length: in its group, else in the
// root. What a key's values go along is one dimension.
void check_coordinates(const StoredSweep& sweep) {
  for (const StoredVariable& variable : sweep.variables) {
    const OutputError disordered("the dataset " + variable.name + " does not fit its coordinates");
    if ((variable.is_scale || variable.is_key) && variable.shape.size() != 1) throw disordered;
    if (variable.is_scale) continue;
    const std::string group = variable.name.substr(0, variable.name.rfind('/') + 1);
    for (std::size_t d = 0; d < variable.dims.size(); ++d) {
      const StoredVariable* scale = sweep.find(group + variable.dims[d]);
      if (scale == nullptr) scale = sweep.find(variable.dims[d]);
      if (scale == nullptr || !scale->is_scale || scale->shape != Shape{variable.shape[d]}) throw disordered;
    }
  }
}

}  // namespace

const StoredVariable* StoredSweep::find(const std::string& name) const {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const StoredVariable& variable) { return variable.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

StoredSweep read_sweep(const std::string& path) {
  StoredSweep sweep;
  read_sweep_file(path, [&](hid_t root) {
    StoredSweep read;  // this is called twice of a file without a checksum
    read.case_text = read_text_attribute(root, "case");
    read.keys = read_text_attribute(root, "keys");
    read.build = {read_text_attribute(root, "version"), read_text_attribute(root, "git_revision"),
                  read_text_attribute(root, "build"), read_text_attribute(root, "device"),
                  read_text_attribute(root, "history")};
    SumOfValues sum(root);
    read_group(root, "", sum, read.variables);
    check_coordinates(read);
    sweep = std::move(read);
  });
  return sweep;
}

bool is_sweep(const std::string& path) {
  const SilentErrors silent;
  try {
    read_sweep_file(path, [](hid_t) {});
    return true;
  } catch (const OutputError&) {
    return false;
  }
}

}  // namespace gwrm
