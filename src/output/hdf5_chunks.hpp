// Large compressed datasets: the chunks are shuffled and deflated here, in threads, and handed to HDF5 as they are to
// lie in the file. The file is the one that HDF5 writes through its own filters, which know one thread.
#pragma once

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

// Worth it: several chunks, and a machine whose numbers are those of the file.
bool chunks_in_threads(const Dims& dims, const Dims& chunk);

// dataset: doubles, created with this chunk, the filters shuffle and deflate (in this order), nothing written yet.
void write_chunks(hid_t dataset, const std::string& name, const Dims& dims, const Dims& chunk, int level,
                  const double* values);

}  // namespace gwrm::hdf5
