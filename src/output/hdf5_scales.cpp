#include "output/hdf5_scales.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>

namespace gwrm::hdf5 {
namespace {

constexpr std::size_t kMaxDatasets = 10000;

herr_t note_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  auto& list = *static_cast<std::vector<std::string>*>(names);
  list.emplace_back(name);
  return list.size() > kMaxDatasets ? 1 : 0;
}

double number_attribute(hid_t object, const char* name, double fallback) {
  if (H5Aexists(object, name) <= 0) return fallback;
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("opening ") + name);
  const Handle type(H5Aget_type(attribute), H5Tclose, std::string("the type of ") + name);
  const Handle space(H5Aget_space(attribute), H5Sclose, std::string("the size of ") + name);
  const H5T_class_t kind = H5Tget_class(type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Sget_simple_extent_npoints(space) != 1) return fallback;
  double value = fallback;
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), std::string("reading ") + name);
  return value;
}

}  // namespace

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

bool is_placeholder(hid_t scale) {
  if (check(H5Aexists(scale, "NAME"), "looking for the attribute NAME") <= 0) return false;
  const Handle attribute(H5Aopen(scale, "NAME", H5P_DEFAULT), H5Aclose, "opening NAME");
  const Handle type(H5Aget_type(attribute), H5Tclose, "the type of NAME");
  return H5Tget_class(type) == H5T_STRING &&
         read_text_attribute(scale, "NAME").rfind("This is a netCDF dimension but not a netCDF variable", 0) == 0;
}

// H5DSiterate_scales crashes on lists of another kind, and leaves open what is no dataset.
std::vector<std::vector<std::string>> all_scales_of(hid_t dataset, std::size_t n_dimensions) {
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
  std::vector<std::vector<std::string>> names(n_dimensions);
  for (std::size_t d = 0; d < n_dimensions; ++d)
    for (std::size_t i = 0; i < references[d].len; ++i) {
      const hobj_ref_t* reference = static_cast<const hobj_ref_t*>(references[d].p) + i;
      const Handle scale(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, reference), H5Oclose, "opening a scale");
      char text[256] = {};
      if (H5Iget_name(scale, text, sizeof text) <= 0)
        throw OutputError(
            fmt::format("the scale of dimension {} has been deleted from the file: attach its coordinates, or, for an "
                        "array without "
                        "coordinates, delete the attribute DIMENSION_LIST of the dataset (h5py: del dataset.attrs[..])",
                        d));
      names[d].emplace_back(text[0] == '/' ? text + 1 : text);
    }
  return names;
}

std::vector<std::string> scales_of(hid_t dataset, std::size_t n_dimensions) {
  std::vector<std::string> first;
  for (const std::vector<std::string>& names : all_scales_of(dataset, n_dimensions)) {
    if (names.empty()) throw OutputError("a dimension without coordinates");
    first.push_back(names.front());
  }
  return first;
}

bool is_numeric(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "the type of a dataset");
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

double rounding_of(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "the type of a dataset");
  if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) >= sizeof(double)) return 0.0;
  return 0.5 * static_cast<double>(std::numeric_limits<float>::epsilon());
}

void unpack(hid_t dataset, const std::string& name, std::vector<double>& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const double fill = number_attribute(dataset, "_FillValue", kNone);
  const double missing = number_attribute(dataset, "missing_value", kNone);
  const double factor = number_attribute(dataset, "scale_factor", 1.0);
  const double offset = number_attribute(dataset, "add_offset", 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == fill || values[i] == missing)
      throw OutputError(fmt::format(
          "the dataset {} has missing values, the first at index {} of {}: data have to be complete, fill the gaps",
          name, i, values.size()));
    values[i] = factor * values[i] + offset;
  }
}

}  // namespace gwrm::hdf5
