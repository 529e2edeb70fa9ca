#include "kernels/transform/tensor_transform.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"

namespace gwrm {

std::vector<std::size_t> tensor_transform_order(const Shape& shape, std::span<const Matrix* const> matrices) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (matrices[d] != nullptr) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) {
    // p before q costs m_p n_p n_q + m_p m_q n_q, q before p m_q n_q n_p + m_q m_p n_p: divide by m_p n_p m_q n_q.
    const auto key = [&](std::size_t d) {
      return 1.0 / static_cast<double>(shape[d]) - 1.0 / static_cast<double>(matrices[d]->rows());
    };
    return key(p) < key(q);
  });
  return order;
}

Array tensor_transform(const Context& context, const Array& x, std::span<const Matrix* const> matrices) {
  if (matrices.size() != x.shape.size())
    throw ShapeError("tensor_transform: " + std::to_string(matrices.size()) + " matrices for a tensor of " +
                     std::to_string(x.shape.size()) + " dimensions");
  for (std::size_t d = 0; d < matrices.size(); ++d) {
    if (x.shape[d] < 1) throw ShapeError("tensor_transform: dimension " + std::to_string(d) + " is empty");
    if (matrices[d] == nullptr) continue;
    if (matrices[d]->rows() < 1 || matrices[d]->cols() != x.shape[d])
      throw ShapeError("tensor_transform: a " + std::to_string(matrices[d]->rows()) + " x " +
                       std::to_string(matrices[d]->cols()) + " matrix for dimension " + std::to_string(d) +
                       " of extent " + std::to_string(x.shape[d]));
  }
  if (x.size() != element_count(x.shape)) throw ShapeError("tensor_transform: the data do not fill the shape");
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::tensor_transform(context, x, matrices);
#endif
  static_cast<void>(context);
  return cpu::tensor_transform(x, matrices);
}

Array block_transform(const Context& context, const Array& x, std::size_t dimension, const BlockMatrix& matrix) {
  if (dimension >= x.shape.size() || matrix.cols != x.shape[dimension] || matrix.rows < 1)
    throw ShapeError("block_transform: a " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols) +
                     " matrix for dimension " + std::to_string(dimension));
  if (x.size() != element_count(x.shape)) throw ShapeError("block_transform: the data do not fill the shape");
  if (matrix.identity) return x;
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) {
    const Matrix dense = matrix.dense();
    std::vector<const Matrix*> matrices(x.shape.size(), nullptr);
    matrices[dimension] = &dense;
    return cuda::tensor_transform(context, x, matrices);
  }
#endif
  static_cast<void>(context);
  return cpu::block_transform(x, dimension, matrix);
}

}  // namespace gwrm
