#include "output/hdf5_named_arrays.hpp"

#include <hdf5_hl.h>

#include <algorithm>

namespace gwrm::hdf5 {
namespace {

void write_texts(hid_t object, const TextAttributes& attributes) {
  for (const auto& [name, value] : attributes) write_attribute(object, name.c_str(), value);
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
