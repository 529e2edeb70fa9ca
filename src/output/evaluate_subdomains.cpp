#include "output/evaluate_subdomains.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "basis/axis_basis.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

// The order with the fewest operations, as in tensor_transform: p before q if m_p b_p n_q + m_p m_q b_q < m_q b_q n_p +
// m_q m_p b_p with m points, n coefficients and b of them in a block, that is if (n_p - m_p) / (m_p b_p) is the larger.
std::vector<std::size_t> cheapest_order(std::span<const BlockMatrix* const> matrices) {
  std::vector<std::size_t> order(matrices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto gain = [&](std::size_t d) {
    const double m = static_cast<double>(matrices[d]->rows), n = static_cast<double>(matrices[d]->cols);
    return (n - m) / (m * static_cast<double>(matrices[d]->blocks.front().matrix->cols()));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return gain(p) > gain(q); });
  return order;
}

}  // namespace

Array trial_sum(Array x, std::span<const BlockMatrix* const> matrices) {
  for (std::size_t dimension : cheapest_order(matrices)) x = cpu::block_transform(x, dimension, *matrices[dimension]);
  return x;
}

const BlockMatrix& TrialMatrices::get(std::size_t axis, const AxisDescription& subdomains,
                                      std::span<const double> points, int order) {
  Entry& entry = entries_[{axis, order, points.size()}];
  if (entry.subdomains != subdomains ||
      !std::equal(points.begin(), points.end(), entry.points.begin(), entry.points.end()))
    entry = {subdomains, {points.begin(), points.end()}, make_basis(subdomains)->at(points, order)};
  return entry.matrix;
}

}  // namespace gwrm
