#include "kernels/linear_algebra/dense_lu.hpp"

#include "core/have_cuda.hpp"

namespace gwrm {

std::size_t dense_lu_bytes(Index n) {
  const std::size_t size = static_cast<std::size_t>(n);
  // The factor; beside it both scales, the pivots and the condition estimate's vectors.
  return 8 * size * size + 8 * 10 * size;
}

std::unique_ptr<DenseLu> make_dense_lu(const Context& context) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::make_dense_lu(context);
#endif
  static_cast<void>(context);
  return cpu::make_dense_lu();
}

}  // namespace gwrm
