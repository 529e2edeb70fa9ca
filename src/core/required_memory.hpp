// malloc, calloc, realloc and strdup for libraries that do not survive a failed allocation: where there is no memory
// the process ends with status 7 (core/last_resort.hpp). HDF5 is linked with them in place of the C library's
// (cmake/dependencies.cmake): it follows null pointers on its way out of H5P_init, H5O_attr_shared_size and other
// places.
//
// That holds for its own records, and for buffers of a size that it has chosen: the largest, to convert numbers in, has
// 1 MiB and some bytes. The sizes of larger pieces come from a file and may be wrong there: null comes back, as from
// malloc, and HDF5 reports it.
#pragma once

#include <cstddef>

namespace gwrm {

inline constexpr std::size_t kOwnRecord = std::size_t{2} << 20;

}  // namespace gwrm

extern "C" {
void* gwrm_required_malloc(std::size_t size);
void* gwrm_required_calloc(std::size_t count, std::size_t size);
void* gwrm_required_realloc(void* old, std::size_t size);
char* gwrm_required_strdup(const char* text);
}
