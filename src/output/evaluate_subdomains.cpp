#include "output/evaluate_subdomains.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "basis/axis_basis.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

// The order with the fewest operations, as in tensor_transform: p before q if m_p b_p n_q + m_p m_q b_q < m_q b_q n_p +
// m_q m_p b_p with m points, n coefficients and b of them in a block, that is if (n_p - m_p) / (m_p b_p) is the larger.
std::vector<std::size_t> cheapest_order(const TrialOfDimensions& matrices) {
  std::vector<std::size_t> order(matrices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto gain = [&](std::size_t d) {
    const double m = static_cast<double>(matrices[d]->rows), n = static_cast<double>(matrices[d]->cols);
    return (n - m) / (m * static_cast<double>(matrices[d]->blocks.front().matrix->cols()));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return gain(p) > gain(q); });
  return order;
}

// The tree of the sums: from node to node one dimension is summed over, and the sets that want the same go on together.
class Sums {
 public:
  explicit Sums(std::span<const TrialOfDimensions> sets) : sets_(sets), results_(sets.size()) {
    for (const TrialOfDimensions& matrices : sets) orders_.push_back(cheapest_order(matrices));
  }

  std::vector<Array> of(const Array& x) {
    std::vector<std::size_t> all(sets_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    descend(x, 0, std::move(all));
    return std::move(results_);
  }

 private:
  // x: summed over the first `depth` dimensions of the orders of the sets `here`, which are the same up to there.
  void descend(const Array& x, std::size_t depth, std::vector<std::size_t> here) {
    while (!here.empty()) {
      const std::size_t first = here.front();
      if (depth == orders_[first].size()) {
        results_[first] = x;
        here.erase(here.begin());
        continue;
      }
      const std::size_t dimension = orders_[first][depth];
      const std::shared_ptr<const BlockMatrix>& matrix = sets_[first][dimension];
      const auto others = std::stable_partition(here.begin(), here.end(), [&](std::size_t set) {
        return orders_[set][depth] == dimension && sets_[set][dimension] == matrix;
      });
      std::vector<std::size_t> together(here.begin(), others);
      here.erase(here.begin(), others);
      Array sum = cpu::block_transform(x, dimension, *matrix);
      if (together.size() == 1 && depth + 1 == orders_[first].size())
        results_[first] = std::move(sum);
      else
        descend(sum, depth + 1, std::move(together));
    }
  }

  std::span<const TrialOfDimensions> sets_;
  std::vector<std::vector<std::size_t>> orders_;
  std::vector<Array> results_;
};

// int d^order u dz over the axis: on every subdomain the derivative of order - 1 at its upper end less that at the
// lower.
BlockMatrix integral(const AxisBasis& basis, int order) {
  if (order == 0) return BlockMatrix(Matrix(basis.integral_row()));
  const std::vector<double>& edges = basis.description().edges;
  Matrix row = Matrix::Zero(1, basis.n_coefficients());
  for (Index p = 0; p < basis.n_subdomains(); ++p) {
    const Matrix ends = basis.rows_at(p, std::span(edges).subspan(static_cast<std::size_t>(p), 2), order - 1);
    row.middleCols(p * basis.n_per_subdomain(), basis.n_per_subdomain()) = ends.row(1) - ends.row(0);
  }
  return BlockMatrix(row);
}

}  // namespace

std::vector<Array> trial_sums(const Array& x, std::span<const TrialOfDimensions> sets) {
  return Sums(sets).of(x);
}

std::shared_ptr<const BlockMatrix> TrialMatrices::get(std::size_t axis, const AxisDescription& subdomains,
                                                      std::span<const double> points, int order) {
  Entry& entry = entries_[{axis, order, points.size()}];
  if (entry.subdomains != subdomains ||
      !std::equal(points.begin(), points.end(), entry.points.begin(), entry.points.end())) {
    const auto basis = make_basis(subdomains);
    entry = {subdomains,
             {points.begin(), points.end()},
             std::make_shared<const BlockMatrix>(points.empty() ? integral(*basis, order) : basis->at(points, order))};
  }
  return entry.matrix;
}

}  // namespace gwrm
