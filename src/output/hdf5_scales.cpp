#include "output/hdf5_scales.hpp"

#include <memory>

namespace gwrm::hdf5 {
namespace {

constexpr std::size_t kMaxDatasets = 10000;

herr_t note_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  auto& list = *static_cast<std::vector<std::string>*>(names);
  list.emplace_back(name);
  return list.size() > kMaxDatasets ? 1 : 0;
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

}  // namespace gwrm::hdf5
