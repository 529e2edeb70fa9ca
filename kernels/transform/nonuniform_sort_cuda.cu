#include "core/device_handles.cuh"
//
#include <cub/device/device_radix_sort.cuh>

#include "kernels/transform/nonuniform_device.cuh"

namespace gwrm::nonuniform {

std::size_t sort_bytes(int n) {
  std::size_t bytes = 0;
  GWRM_DEVICE(cub::DeviceRadixSort::SortPairs(nullptr, bytes, static_cast<const unsigned*>(nullptr),
                                              static_cast<unsigned*>(nullptr), static_cast<const int*>(nullptr),
                                              static_cast<int*>(nullptr), n));
  return bytes;
}

void sort_pairs(cudaStream_t stream, void* temporary, std::size_t bytes, const unsigned* keys, unsigned* sorted_keys,
                const int* values, int* sorted_values, int n, int n_bits) {
  GWRM_DEVICE(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted_keys, values, sorted_values, n, 0, n_bits,
                                              stream));
}

}  // namespace gwrm::nonuniform
