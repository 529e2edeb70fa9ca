#include "output/evaluate_subdomains.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "basis/axis_basis.hpp"
#include "core/shared_pieces.hpp"
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

Shape with_extent(Shape shape, std::size_t dimension, Index extent) {
  shape[dimension] = extent;
  return shape;
}

// The tree of the sums: from node to node one dimension is summed over, and the sets that want the same go on together.
class Sums {
 public:
  enum class Over { all, all_but_the_first };  // dimensions
  explicit Sums(std::span<const TrialOfDimensions> sets, Over over = Over::all) : sets_(sets), results_(sets.size()) {
    for (const TrialOfDimensions& matrices : sets) {
      orders_.push_back(cheapest_order(matrices));
      if (over == Over::all_but_the_first) std::erase(orders_.back(), std::size_t{0});
    }
  }

  std::vector<Array> of(const ArrayView& x) {
    std::vector<std::size_t> all(sets_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    descend(x, 0, std::move(all));
    return std::move(results_);
  }

 private:
  // x: summed over the first `depth` dimensions of the orders of the sets `here`, which are the same up to there.
  void descend(const ArrayView& x, std::size_t depth, std::vector<std::size_t> here) {
    while (!here.empty()) {
      const std::size_t first = here.front();
      if (depth == orders_[first].size()) {
        results_[first] = x.copy();
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
      Array sum = Array(with_extent(x.shape, dimension, matrix->rows));
      cpu::block_transform(x.data, x.shape, dimension, *matrix, sum.data.data());
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

// Sums by all ranks: those over all dimensions but the first in blocks of it, one after the other; then over that.
class SharedSums {
 public:
  SharedSums(const Array& x, std::span<const TrialOfDimensions> sets, Communicator& ranks)
      : x_(x), sets_(sets), ranks_(ranks) {}

  std::vector<Array> results() {
    std::vector<Array> results(sets_.size());
    std::vector<TrialOfDimensions> others, alone;  // the first dimension last, or first
    std::vector<std::size_t> place(sets_.size()), places_alone;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (!is_shared(sets_[s])) {
        alone.push_back(sets_[s]);
        places_alone.push_back(s);
        continue;
      }
      // Those that differ in the first dimension alone have everything else in common.
      const auto known = std::find_if(others.begin(), others.end(), [&](const TrialOfDimensions& other) {
        return std::equal(other.begin() + 1, other.end(), sets_[s].begin() + 1, sets_[s].end());
      });
      place[s] = static_cast<std::size_t>(known - others.begin());
      if (known == others.end()) others.push_back(sets_[s]);
    }
    std::vector<Array> sums = Sums(alone).of(x_);
    for (std::size_t k = 0; k < sums.size(); ++k) results[places_alone[k]] = std::move(sums[k]);
    if (others.empty()) return results;
    const std::vector<Array> parts = over_others(others);
    for (std::size_t s = 0; s < sets_.size(); ++s)
      if (is_shared(sets_[s])) results[s] = cpu::block_transform(parts[place[s]], 0, *sets_[s].front());
    return results;
  }

 private:
  static constexpr Index kBlocks = 16;  // as many ranks have something to do

  // The first step takes as many operations as there are points along its dimension: one that there are few along, as
  // a moment in time, would better come first than last.
  static bool is_shared(const TrialOfDimensions& matrices) {
    if (matrices.size() < 2) return false;
    Index fewest = matrices[1]->rows;
    for (std::size_t d = 2; d < matrices.size(); ++d) fewest = std::min(fewest, matrices[d]->rows);
    return 4 * matrices.front()->rows >= fewest;
  }

  std::vector<Array> over_others(const std::vector<TrialOfDimensions>& sets) {
    std::vector<Array> whole;
    for (const TrialOfDimensions& matrices : sets) {
      Shape shape = x_.shape;
      for (std::size_t d = 1; d < shape.size(); ++d) shape[d] = matrices[d]->rows;
      whole.emplace_back(shape);
    }
    const Index extent = x_.shape.front(), n_blocks = std::min(extent, kBlocks);
    const auto begin = [&](std::size_t block) { return static_cast<Index>(block) * extent / n_blocks; };
    share_numbers<double>(
        ranks_, static_cast<std::size_t>(n_blocks), {},
        [&](std::size_t block) {
          const Index length = begin(block + 1) - begin(block);
          const ArrayView part(with_extent(x_.shape, 0, length), x_.data.data() + begin(block) * (x_.size() / extent));
          std::vector<double> numbers;
          for (const Array& sum : Sums(sets, Sums::Over::all_but_the_first).of(part))
            numbers.insert(numbers.end(), sum.data.begin(), sum.data.end());
          return numbers;
        },
        [&](std::size_t block, std::span<const double> numbers) {
          for (Array& sum : whole) {
            const Index row = sum.size() / extent, n = (begin(block + 1) - begin(block)) * row;
            std::copy_n(numbers.begin(), n, sum.data.begin() + begin(block) * row);
            numbers = numbers.subspan(static_cast<std::size_t>(n));
          }
        });
    return whole;
  }

  const Array& x_;
  std::span<const TrialOfDimensions> sets_;
  Communicator& ranks_;
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

std::vector<Array> trial_sums(const Array& x, std::span<const TrialOfDimensions> sets, Communicator& ranks) {
  return SharedSums(x, sets, ranks).results();
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
