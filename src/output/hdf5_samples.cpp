// Reading the root of a result file: axes and sampled fields.
#include <algorithm>

#include "output/hdf5_format.hpp"
#include "output/hdf5_scales.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/stored_samples.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

class Samples {
 public:
  explicit Samples(hid_t root) : root_(root), sum_(root) {}

  StoredSamples read() {
    std::vector<std::string> fields;
    for (const std::string& name : links_of(root_)) {
      H5O_info_t info;
      check(H5Oget_info_by_name(root_, name.c_str(), &info, H5P_DEFAULT), "looking at " + name);
      if (info.type == H5O_TYPE_GROUP) read_coordinates(open_group(root_, name));
      if (info.type != H5O_TYPE_DATASET) continue;
      const Handle dataset = open_dataset(root_, name);
      if (is_scale(dataset))
        read_axis(dataset, name);
      else
        fields.push_back(name);
    }
    for (const std::string& name : fields) read_field(name);
    return std::move(samples_);
  }

 private:
  void read_coordinates(hid_t group) {
    if (check(H5Aexists(group, kCoordinates), "looking for the attribute coordinates") > 0)
      samples_.coordinates = read_text_attribute(group, kCoordinates);
  }

  void read_axis(hid_t dataset, const std::string& name) {
    const Dims dims = dims_of(dataset, name);
    if (dims.size() != 1 || dims[0] == 0) throw OutputError("the coordinates " + name + " are not a list");
    samples_.axes.push_back({name, read_doubles(root_, name, dims)});
  }

  void read_field(const std::string& name) {
    const Handle dataset = open_dataset(root_, name);
    const Dims dims = dims_of(dataset, name);
    SampledField field;
    field.name = name;
    field.expression = read_text_attribute(dataset, "expression");
    if (check(H5Aexists(dataset, kErrorOf), "looking for the attribute error_of") > 0)
      field.error_of = read_text_attribute(dataset, kErrorOf);
    const std::vector<std::string> scales = scales_of(dataset, dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::string& scale = scales[d];
      const auto axis = std::find_if(samples_.axes.begin(), samples_.axes.end(),
                                     [&](const SampledAxis& other) { return other.name == scale; });
      if (axis == samples_.axes.end() || axis->points.size() != dims[d])
        throw OutputError("the field " + name + " does not fit its coordinates " + scale);
      field.axes.push_back(static_cast<int>(axis - samples_.axes.begin()));
      field.values.shape.push_back(static_cast<Index>(dims[d]));
    }
    field.values.data = read_doubles(root_, name, dims);
    sum_.add(dims);
    samples_.fields.push_back(std::move(field));
  }

  hid_t root_;
  SumOfValues sum_;
  StoredSamples samples_;
};

}  // namespace

StoredSamples read_samples(const std::string& path) {
  StoredSamples samples;
  read_result_file(path, [&](hid_t root) { samples = Samples(root).read(); });
  return samples;
}

StoredBuild read_build(const std::string& path) {
  StoredBuild build;
  read_result_file(path, [&](hid_t root) {
    build = {read_text_attribute(root, "version"), read_text_attribute(root, "git_revision"),
             read_text_attribute(root, "build"), read_text_attribute(root, "device"),
             read_text_attribute(root, "history")};
  });
  return build;
}

}  // namespace gwrm
