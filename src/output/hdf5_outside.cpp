#include "output/hdf5_outside.hpp"

#include <exception>
#include <string>

namespace gwrm::hdf5 {
namespace {

void check_storage(hid_t group, const char* path) {
  const std::string name = path;
  const Handle dataset(H5Dopen2(group, path, H5P_DEFAULT), H5Dclose, "opening the dataset " + name);
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

// Called by C code, which no exception may cross.
herr_t look_at(hid_t group, const char* path, const H5L_info_t* link, void* problem) {
  try {
    if (link->type == H5L_TYPE_SOFT) return 0;  // inside the file; what it leads to is met under its own name
    if (link->type != H5L_TYPE_HARD)
      throw OutputError(std::string("the link ") + path + " leads to another file (external link)");
    const Handle object(H5Oopen(group, path, H5P_DEFAULT), H5Oclose, std::string("opening ") + path);
    if (H5Iget_type(object) == H5I_DATASET) check_storage(group, path);
    return 0;
  } catch (...) {
    *static_cast<std::exception_ptr*>(problem) = std::current_exception();
    return -1;
  }
}

}  // namespace

void refuse_what_is_outside(hid_t file) {
  std::exception_ptr problem;
  const herr_t status = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &problem);
  if (problem) std::rethrow_exception(problem);
  check(status, "looking through the file");
}

}  // namespace gwrm::hdf5
