#include "kernels/transform/cosine_register_kernels.cuh"

namespace gwrm::cuda {

template <>
void cosine_by_registers<1>(cudaStream_t stream, const CosineShape& s, const double2* roots, const CosineBatch& b) {
  launch_cosine_by_registers<1>(stream, s, roots, b);
}

}  // namespace gwrm::cuda
