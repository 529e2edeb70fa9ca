// malloc, calloc, realloc and strdup for libraries that do not survive a failed allocation: where there is no memory
// the process ends with status 7 (core/last_resort.hpp). HDF5 is linked with them in place of the C library's
// (cmake/dependencies.cmake): it follows null pointers on its way out of H5P_init, H5O_attr_shared_size and other
// places.
//
// That holds for its own records, and for buffers of a size that it has chosen: the largest, to convert numbers in, has
// 1 MiB and some bytes. The sizes of larger pieces come from a file and may be wrong there: null comes back, as from
// malloc, and HDF5 reports it. While a LargestPiece lives it comes back for every piece that is larger, memory or not.
#pragma once

#include <cstddef>

namespace gwrm {

inline constexpr std::size_t kOwnRecord = std::size_t{2} << 20;

// A file of some kilobytes may claim gigabytes for a node of a tree, and the library clears them before it looks: no
// piece is larger than what the file's bytes account for. For one reader at a time, as HDF5 is.
class LargestPiece {
 public:
  explicit LargestPiece(std::size_t bytes);
  ~LargestPiece();
  LargestPiece(const LargestPiece&) = delete;
  LargestPiece& operator=(const LargestPiece&) = delete;

 private:
  std::size_t before_;
};

}  // namespace gwrm

extern "C" {
void* gwrm_required_malloc(std::size_t size);
void* gwrm_required_calloc(std::size_t count, std::size_t size);
void* gwrm_required_realloc(void* old, std::size_t size);
char* gwrm_required_strdup(const char* text);
}
