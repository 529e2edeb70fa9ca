#include "output/hdf5_outside.hpp"

#include <exception>
#include <string>
#include <unordered_set>
#include <vector>

namespace gwrm::hdf5 {
namespace {

void check_storage(hid_t dataset, const std::string& name) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "opening the properties of the dataset " + name);
  if (check(H5Pget_external_count(properties), "looking at the storage of " + name) > 0)
    throw OutputError("the dataset " + name + " is stored in another file (external storage)");
  if (H5Pget_layout(properties) == H5D_VIRTUAL)
    throw OutputError("the dataset " + name + " is put together from other files (virtual)");
  const int n_filters = check(H5Pget_nfilters(properties), "looking at the filters of " + name);
  for (int i = 0; i < n_filters; ++i) {
    unsigned flags = 0, configuration = 0;
    std::size_t n_values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &n_values, nullptr, 0, nullptr, &configuration);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      throw OutputError("the dataset " + name + " is packed by the filter " + std::to_string(filter) +
                        ", which gwrm does not use");
  }
}

// Groups by their places in the file: with paths the time would grow with the square of the depth of groups, and by
// recursion the stack with the depth.
struct Search {
  std::vector<haddr_t> groups;          // met, and not looked into yet
  std::unordered_set<haddr_t> objects;  // met under one of their names
  std::exception_ptr problem = {};
};

// Called by C code, which no exception may cross.
herr_t look_at(hid_t group, const char* name, const H5L_info_t* link, void* the_search) {
  Search& search = *static_cast<Search*>(the_search);
  try {
    if (link->type == H5L_TYPE_SOFT) return 0;  // inside the file; what it leads to is met under its own name
    if (link->type != H5L_TYPE_HARD)
      throw OutputError(std::string("the link ") + name + " leads to another file (external link)");
    if (!search.objects.insert(link->u.address).second) return 0;
    const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose, std::string("opening ") + name);
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_DATASET) check_storage(object, name);
    if (type == H5I_GROUP) search.groups.push_back(link->u.address);
    return 0;
  } catch (...) {
    search.problem = std::current_exception();
    return -1;
  }
}

herr_t refuse_external_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void* was_met) {
  *static_cast<bool*>(was_met) = true;
  return -1;
}

}  // namespace

Handle open_dataset_inside(hid_t file, const std::string& name) {
  bool is_elsewhere = false;
  const std::string what = "opening the dataset " + name;
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, what);
  check(H5Pset_elink_cb(access, refuse_external_link, &is_elsewhere), what);
  const htri_t exists = H5Oexists_by_name(file, name.c_str(), access);
  if (is_elsewhere) throw OutputError("the dataset " + name + " is in another file (external link)");
  if (exists <= 0) throw OutputError("there is no dataset " + name);
  Handle dataset(H5Dopen2(file, name.c_str(), access), H5Dclose, what);
  check_storage(dataset, name);
  return dataset;
}

void refuse_what_is_outside(hid_t file) {
  H5O_info_t root;
  check(H5Oget_info(file, &root), "looking at the file");
  Search search{{root.addr}, {root.addr}};
  while (!search.groups.empty()) {
    const Handle group(H5Oopen_by_addr(file, search.groups.back()), H5Oclose, "opening a group");
    search.groups.pop_back();
    const herr_t status = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, look_at, &search);
    if (search.problem) std::rethrow_exception(search.problem);
    check(status, "looking through the file");
  }
}

}  // namespace gwrm::hdf5
