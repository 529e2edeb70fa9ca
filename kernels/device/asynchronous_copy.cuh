// Copies from global to shared memory that run beside the arithmetic (cp.async); kernels that start before their
// predecessor on the stream has ended, and clusters of blocks that read each other's shared memory, both from compute
// capability 9.0 on and absent below.
//
// Device only: instructions of the hardware.
#pragma once

#include "core/device_handles.cuh"

#include <cooperative_groups.h>

namespace gwrm::cuda {

// n_bytes = 4, 8 or 16, both addresses aligned to it. Where `inside` is false, zeros are written and nothing is read.
template <int n_bytes>
__device__ inline void copy_async(void* shared, const void* global, bool inside) {
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(target), "l"(global), "n"(n_bytes),
               "r"(inside ? n_bytes : 0)
               : "memory");
}
__device__ inline void close_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
// Until all but the last `open` closed groups of this thread have arrived.
template <int open>
__device__ inline void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(open) : "memory");
}

// Everything that earlier kernels wrote is there on return; to be called before anything of theirs is touched.
__device__ inline void await_predecessor() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
// The next kernel may be started, up to its await_predecessor.
__device__ inline void admit_successor() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// The cluster of this block; below 9.0 the block alone.
struct Cluster {
  int rank = 0, size = 1;

  __device__ Cluster() {
#if __CUDA_ARCH__ >= 900
    const auto cluster = cooperative_groups::this_cluster();
    rank = static_cast<int>(cluster.block_rank());
    size = static_cast<int>(cluster.num_blocks());
#endif
  }
  __device__ void sync() const {
#if __CUDA_ARCH__ >= 900
    cooperative_groups::this_cluster().sync();
#else
    __syncthreads();
#endif
  }
  // What stands at `shared` of this block, in the block `other`.
  __device__ const double* of(const double* shared, int other) const {
#if __CUDA_ARCH__ >= 900
    return cooperative_groups::this_cluster().map_shared_rank(shared, other);
#else
    return shared;
#endif
  }
};

inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

// How many clusters of `n_blocks` along z the device runs side by side: 0 where neither it nor the code knows them.
template <typename... Parameters>
int n_resident_clusters(void (*kernel)(Parameters...), int n_blocks, int threads, std::size_t shared_bytes) {
  cudaFuncAttributes code{};
  GWRM_DEVICE(cudaFuncGetAttributes(&code, kernel));
  if (code.binaryVersion < 90) return 0;
  cudaLaunchAttribute size{};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim = {1, 1, static_cast<unsigned>(n_blocks)};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1, 1, static_cast<unsigned>(n_blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &size;
  config.numAttrs = 1;
  int count = 0;
  GWRM_DEVICE(cudaOccupancyMaxActiveClusters(&count, kernel, &config));
  return count;
}

// Launches a kernel that calls await_predecessor while its predecessor still runs; `cluster` blocks along z share a
// cluster.
template <typename... Parameters, typename... Arguments>
void launch_early(cudaStream_t stream, void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
                  int cluster, Arguments... arguments) {
  static const bool has_early_start = device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {1, 1, static_cast<unsigned>(cluster)};
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = !has_early_start ? 0 : cluster > 1 ? 2 : 1;
  GWRM_DEVICE(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

}  // namespace gwrm::cuda
