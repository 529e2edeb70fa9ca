#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {
namespace {

herr_t keep_description(unsigned depth, const H5E_error2_t* entry, void* text) {
  if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

}  // namespace

std::string last_error() {
  std::string description = "no reason given";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_description, &description);  // upward: the innermost entry is depth 0
  return description;
}

SilentErrors::SilentErrors() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

SilentErrors::~SilentErrors() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

}  // namespace gwrm::hdf5
