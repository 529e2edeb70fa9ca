// What in an HDF5 file of others would make the library reach outside it.
#pragma once

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

// OutputError where the open file has an external or user-defined link, or a dataset that is stored in other files
// (external storage, virtual) or packed by anything but what gwrm uses (deflate, shuffle, Fletcher's checksum): a file
// that follows these reads any file of its reader, waits for a pipe, or loads a plug-in. Nothing of it is opened but
// the datasets' headers, which name these without going there. Gwrm writes none of them.
void refuse_what_is_outside(hid_t file);

// The same for one dataset of a file that is not gwrm's, whatever else is in it: no link on the way to it, and no part
// of it, is elsewhere.
Handle open_dataset_inside(hid_t file, const std::string& name);

}  // namespace gwrm::hdf5
