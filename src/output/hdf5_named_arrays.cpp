#include "output/hdf5_named_arrays.hpp"

#include <hdf5_hl.h>

#include <algorithm>

#include "output/hdf5_format.hpp"
#include "output/hdf5_scales.hpp"
#include "output/hdf5_whole_file.hpp"

namespace gwrm::hdf5 {
namespace {

void write_texts(hid_t object, const TextAttributes& attributes) {
  for (const auto& [name, value] : attributes) write_attribute(object, name.c_str(), value);
}

TextAttributes read_texts(hid_t object) {
  if (check(H5Aexists(object, kNormalisation), "looking for a normalisation") == 0) return {};
  return {{kNormalisation, read_text_attribute(object, kNormalisation)}};
}

ArrayGroup read_group(hid_t place, const std::string& name) {
  ArrayGroup group{name, read_texts(place), {}, {}};
  SumOfValues sum(place);
  std::vector<std::string> arrays;
  for (const std::string& link : links_of(place)) {
    const Handle dataset = open_dataset(place, link);
    if (!is_scale(dataset)) {
      arrays.push_back(link);
      continue;
    }
    const Dims dims = dims_of(dataset, link);
    if (dims.size() != 1) throw OutputError("the scale " + link + " of " + name + " is not a list");
    sum.add(dims);
    group.dimensions.push_back({link, {}, read_doubles(place, link, dims)});
  }
  for (const std::string& link : arrays) {
    const Handle dataset = open_dataset(place, link);
    const Dims dims = dims_of(dataset, link);
    NamedArray array{link, {}, {}, read_texts(dataset)};
    for (const std::string& scale : scales_of(dataset, dims.size())) {
      const std::size_t slash = scale.find_last_of('/');
      array.dimensions.push_back(slash == std::string::npos ? scale : scale.substr(slash + 1));
      const NamedDimension* dimension = group.find_dimension(array.dimensions.back());
      if (dimension == nullptr || dimension->points.size() != dims[array.dimensions.size() - 1])
        throw OutputError("the array " + link + " of " + name + " does not fit its scale " + scale);
    }
    sum.add(dims);
    array.values = read_doubles(place, link, dims);
    group.arrays.push_back(std::move(array));
  }
  return group;
}

}  // namespace

void write_array_group(hid_t root, const ArrayGroup& group) {
  const Handle place = create_group(root, group.name.c_str());
  write_texts(place, group.attributes);
  std::vector<Handle> scales;
  for (const NamedDimension& dimension : group.dimensions) {
    scales.push_back(write_list(place, dimension.name, std::span<const double>(dimension.points)));
    check(H5DSset_scale(scales.back(), dimension.name.c_str()), "making the scale " + dimension.name);
    write_attribute(scales.back(), "long_name", dimension.long_name);
    write_attribute(scales.back(), "units", "1");
  }
  for (const NamedArray& array : group.arrays) {
    Dims dims;
    std::vector<std::size_t> places;
    hsize_t size = 1;
    for (const std::string& name : array.dimensions) {
      const auto found = std::find_if(group.dimensions.begin(), group.dimensions.end(),
                                      [&](const NamedDimension& other) { return other.name == name; });
      if (found == group.dimensions.end()) throw ShapeError("the array " + array.name + " has no dimension " + name);
      places.push_back(static_cast<std::size_t>(found - group.dimensions.begin()));
      dims.push_back(found->points.size());
      size *= dims.back();
    }
    if (size != array.values.size()) throw ShapeError("the values of " + array.name + " do not fill its dimensions");
    const Handle dataset = write_compressed(place, array.name, dims, array.values);
    write_texts(dataset, array.attributes);
    for (std::size_t i = 0; i < places.size(); ++i)
      check(H5DSattach_scale(dataset, scales[places[i]], static_cast<unsigned>(i)), "attaching a scale");
  }
}

}  // namespace gwrm::hdf5

namespace gwrm {

const NamedArray* ArrayGroup::find(const std::string& array) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const NamedArray& a) { return a.name == array; });
  return found == arrays.end() ? nullptr : &*found;
}

const NamedDimension* ArrayGroup::find_dimension(const std::string& one) const {
  const auto found =
      std::find_if(dimensions.begin(), dimensions.end(), [&](const NamedDimension& d) { return d.name == one; });
  return found == dimensions.end() ? nullptr : &*found;
}

std::optional<ArrayGroup> read_array_group(const std::string& path, const std::string& group) {
  std::optional<ArrayGroup> read;
  hdf5::read_result_file(path, [&](hid_t root) {
    if (hdf5::has_link(root, group)) read = hdf5::read_group(hdf5::open_group(root, group), group);
  });
  return read;
}

}  // namespace gwrm
