// Reading the root of a result file: axes and sampled fields.
#include <hdf5.h>

#include <algorithm>
#include <memory>

#include "output/hdf5_format.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/stored_samples.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

constexpr std::size_t kMaxDatasets = 10000;

herr_t note_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  auto& list = *static_cast<std::vector<std::string>*>(names);
  list.emplace_back(name);
  return list.size() > kMaxDatasets ? 1 : 0;
}

std::vector<std::string> links_of(hid_t root) {
  std::vector<std::string> names;
  const herr_t by_order = H5Literate(root, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, note_name, &names);
  if (by_order < 0) {  // another program has rewritten the file without the order
    names.clear();
    check(H5Literate(root, H5_INDEX_NAME, H5_ITER_INC, nullptr, note_name, &names), "listing the datasets");
  }
  if (names.size() > kMaxDatasets) throw OutputError("too many datasets");
  return names;
}

// H5DSis_scale leaves the file open where the attribute is not what it expects.
bool is_scale(hid_t dataset) {
  return check(H5Aexists(dataset, "CLASS"), "looking for the attribute CLASS") > 0 &&
         read_text_attribute(dataset, "CLASS") == "DIMENSION_SCALE";
}

// The scale of each dimension. H5DSiterate_scales crashes on lists of another kind, and leaves open what is no dataset.
std::vector<std::string> scales_of(hid_t dataset, std::size_t n_dimensions) {
  if (n_dimensions == 0) return {};
  const Handle list(H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT), H5Aclose, "opening DIMENSION_LIST");
  const Handle stored(H5Aget_type(list), H5Tclose, "the type of DIMENSION_LIST");
  const Handle space(H5Aget_space(list), H5Sclose, "the size of DIMENSION_LIST");
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "the type of a list of references");
  if (H5Tget_class(stored) != H5T_VLEN ||
      H5Tequal(Handle(H5Tget_super(stored), H5Tclose, "the type of a scale"), H5T_STD_REF_OBJ) <= 0 ||
      H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(n_dimensions))
    throw OutputError("DIMENSION_LIST is no list of scales");
  std::vector<hvl_t> references(n_dimensions);
  check(H5Aread(list, type, references.data()), "reading DIMENSION_LIST");
  const auto release = [&](hvl_t* all) { H5Dvlen_reclaim(type, space, H5P_DEFAULT, all); };
  const std::unique_ptr<hvl_t, decltype(release)> owner(references.data(), release);
  std::vector<std::string> names;
  for (const hvl_t& reference : references) {
    if (reference.len == 0) throw OutputError("a dimension without coordinates");
    const Handle scale(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, reference.p), H5Oclose, "opening a scale");
    char text[256] = {};
    if (H5Iget_name(scale, text, sizeof text) <= 0) throw OutputError("coordinates without a name");
    names.emplace_back(text[0] == '/' ? text + 1 : text);
  }
  return names;
}

class Samples {
 public:
  explicit Samples(hid_t root) : root_(root) {}

  StoredSamples read() {
    std::vector<std::string> fields;
    for (const std::string& name : links_of(root_)) {
      H5O_info_t info;
      check(H5Oget_info_by_name(root_, name.c_str(), &info, H5P_DEFAULT), "looking at " + name);
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
    samples_.fields.push_back(std::move(field));
  }

  hid_t root_;
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
