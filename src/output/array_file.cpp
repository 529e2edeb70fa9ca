#include "output/array_file.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>

#include "core/version.hpp"
#include "output/hdf5_outside.hpp"
#include "output/hdf5_scales.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/probe.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

constexpr std::size_t kMaxRank = 8;

// Datasets at the root that are no scales, for a message.
std::string datasets_of(hid_t file) {
  std::string text;
  for (const std::string& name : links_of(file)) {
    H5O_info_t info;
    if (H5Oget_info_by_name(file, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5O_TYPE_DATASET) continue;
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "it has none" : "it has " + text;
}

// Calls `read` with the open file, in a child process first.
void with_file(const std::string& path, const std::function<void(hid_t)>& read) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) throw CaseError(path + ": error: no such file: " + std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw CaseError(path + ": error: this is not an ordinary file");
  const SilentErrors silent;
  if (H5Fis_hdf5(path.c_str()) <= 0) throw CaseError(path + ": error: this is no HDF5 file");
  const auto open_and_read = [&] {
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file");
    read(file);
  };
  try {
    if (!survives(open_and_read, 5 + static_cast<unsigned>(info.st_size >> 20)))
      throw OutputError("the file is damaged: the HDF5 library fails on it");
    open_and_read();
  } catch (const OutputError& error) {
    throw OutputError(path + ": cannot be read: " + error.what());
  }
}

void check_values(const std::string& path, const std::string& name, const Array& array) {
  if (array.data.empty()) throw CaseError(fmt::format("{}: error: the dataset {} is empty", path, name));
  const auto is_bad = [](double value) { return !std::isfinite(value); };
  const auto first = std::find_if(array.data.begin(), array.data.end(), is_bad);
  if (first == array.data.end()) return;
  Index place = first - array.data.begin();
  std::string index;
  for (std::size_t d = array.shape.size(); d-- > 0; place /= array.shape[d])
    index = std::to_string(place % array.shape[d]) + (index.empty() ? "" : ", ") + index;
  throw CaseError(
      fmt::format("{}: error: {} of {} numbers of the dataset {} are not finite, the first at [{}]: fill the gaps, a "
                  "transform has no coefficients without them",
                  path, std::count_if(array.data.begin(), array.data.end(), is_bad), array.size(), name, index));
}

}  // namespace

bool has_array(const std::string& path, const std::string& name) {
  bool result = false;
  with_file(path, [&](hid_t file) { result = !name.empty() && has_link(file, name); });
  return result;
}

Array read_array(const std::string& path, const std::string& name) {
  Array array;
  with_file(path, [&](hid_t file) {
    if (name.empty() || !has_link(file, name))
      throw CaseError(
          fmt::format("{}: error: there is no dataset '{}' in this file; {}", path, name, datasets_of(file)));
    const Handle dataset = open_dataset_inside(file, name);
    const Dims dims = dims_of(dataset, name);
    if (dims.empty() || dims.size() > kMaxRank)
      throw CaseError(fmt::format("{}: error: the dataset {} has {} dimensions: expected from 1 to {}", path, name,
                                  dims.size(), kMaxRank));
    array.shape.assign(dims.begin(), dims.end());
    array.data = read_numbers_as_doubles(file, name, dims);
    unpack(dataset, name, array.data);
  });
  check_values(path, name, array);
  return array;
}

std::vector<std::optional<DimensionScale>> read_dimension_scales(const std::string& path, const std::string& name) {
  std::vector<std::optional<DimensionScale>> result;
  with_file(path, [&](hid_t file) {
    const Handle dataset = open_dataset_inside(file, name);
    const Dims dims = dims_of(dataset, name);
    result.assign(dims.size(), std::nullopt);
    if (check(H5Aexists(dataset, "DIMENSION_LIST"), "looking for the attribute DIMENSION_LIST") <= 0) return;
    const std::vector<std::vector<std::string>> scales = all_scales_of(dataset, dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d)
      for (const std::string& scale_path : scales[d]) {
        const Handle scale = open_dataset_inside(file, scale_path);
        if (!is_numeric(scale) || is_placeholder(scale)) continue;
        if (dims_of(scale, scale_path) != Dims{dims[d]})
          throw CaseError(
              fmt::format("{}: error: dataset {}: the scale {} of dimension {} is not a list of {} numbers: attach one "
                          "coordinate for each index of the dimension",
                          path, name, scale_path, d, dims[d]));
        result[d] = {scale_path, read_numbers_as_doubles(file, scale_path, {dims[d]}), rounding_of(scale)};
        unpack(scale, scale_path, result[d]->values);
        break;
      }
  });
  return result;
}

void write_arrays(const std::string& path, const ArrayFile& content, bool overwrite) {
  write_file(path, overwrite, [&](hid_t root) {
    write_attribute(root, "Conventions", "CF-1.8");
    write_attribute(root, "title", content.title);
    write_attribute(root, "source", "gwrm " + version());
    write_attribute(root, "history", history_line(content.command));
    write_attribute(root, "git_revision", git_revision());
    for (const auto& [key, value] : content.attributes) write_attribute(root, key.c_str(), value);
    std::vector<Handle> scales;
    for (const WrittenScale& scale : content.scales) {
      if (scale.values.empty()) {
        scales.push_back(write_index_scale(root, scale.name, scale.count));
        continue;
      }
      scales.push_back(write_list(root, scale.name, std::span<const double>(scale.values)));
      check(H5DSset_scale(scales.back(), scale.name.c_str()), "making the scale " + scale.name);
    }
    for (const WrittenArray& array : content.arrays) {
      Dims dims;
      std::vector<std::size_t> places;
      for (const std::string& dimension : array.dimensions)
        for (std::size_t s = 0; s < content.scales.size(); ++s)
          if (content.scales[s].name == dimension) {
            places.push_back(s);
            dims.push_back(content.scales[s].count);
          }
      const Handle dataset = write_compressed(root, array.name, dims, array.values);
      for (std::size_t d = 0; d < places.size(); ++d)
        check(H5DSattach_scale(dataset, scales[places[d]], static_cast<unsigned>(d)), "attaching a scale");
      write_attribute(dataset, "long_name", array.long_name);
      write_attribute(dataset, "units", "1");
    }
  });
}

}  // namespace gwrm
