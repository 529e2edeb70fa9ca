// Large compressed datasets: the chunks are cut out, shuffled and deflated here, in threads, and handed to HDF5 as they
// are to lie in the file. The file is the one that HDF5 writes through its own filters, which know one thread and want
// the whole array.
//
// Memory   four chunks a thread, of at most kMaxThreads threads.
#pragma once

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

inline constexpr int kMaxThreads = 8;  // a disk is not faster

// The part of the array (parts as in write_compressed, hdf5_handles.hpp) that begins at `offset`, zero where it sticks
// out.
std::vector<double> cut(const Dims& dims, const Dims& extents, const Dims& offset, std::span<const Box> parts);

// dataset: little-endian doubles, created with this chunk, the filters shuffle and deflate (in this order), nothing
// written yet.
void write_chunks(hid_t dataset, const std::string& name, const Dims& dims, const Dims& chunk, int level,
                  std::span<const Box> parts);

}  // namespace gwrm::hdf5
