#include "output/hdf5_handles.hpp"

#include <hdf5_hl.h>

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

void attach_scale(hid_t dataset, std::size_t dimension, hid_t scale) {
  check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(dimension)), "attaching a scale");
}

unsigned longest_probe(off_t bytes) {
  return 5 + static_cast<unsigned>(bytes >> 20);
}

}  // namespace gwrm::hdf5
