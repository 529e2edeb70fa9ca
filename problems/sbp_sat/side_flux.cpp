#include "problems/sbp_sat/side_flux.hpp"

namespace gwrm::sbp {

SideFlux::SideFlux(const Grid& grid, int block_number, Side side) : layout_(grid.blocks[block_number], side) {
  const Block& block = grid.blocks[block_number];
  weights_ = sbp_weights(grid.order, layout_.n, layout_.h_along);
  derivative_ = sbp_outward_derivative(grid.order, layout_.h_inward);
  const double sign = side.end == End::lower ? -1.0 : 1.0;
  for (Index m = 0; m < layout_.n; ++m) {
    const Index point = node(m) - block.offset;
    normal_.push_back(coefficient_at(side.across_slow ? block.c.slow : block.c.fast, point));
    if (!block.c.cross.empty()) tangential_.push_back(sign * coefficient_at(block.c.cross, point));
  }
  if (tangential_.empty()) return;
  along_ = sbp_derivative(grid.order, layout_.n, layout_.h_along);
  along_transposed_ = transposed(along_);
}

void SideFlux::apply(const double* u, double* flux) const {
  for (Index m = 0; m < layout_.n; ++m) {
    const double* point = u + node(m);
    double normal = 0.0;
    for (Index k = 0; k < depth(); ++k) normal += derivative_[static_cast<std::size_t>(k)] * point[k * layout_.inward];
    flux[m] = normal_[static_cast<std::size_t>(m)] * normal;
    if (tangential_.empty()) continue;
    Index column = 0;
    double slope = 0.0;
    for (double value : along_.row(m, column)) slope += value * u[node(column++)];
    flux[m] += tangential_[static_cast<std::size_t>(m)] * slope;
  }
}

void SideFlux::add_transposed(const double* values, double* result) const {
  for (Index m = 0; m < layout_.n; ++m) {
    const double normal = normal_[static_cast<std::size_t>(m)] * values[m];
    for (Index k = 0; k < depth(); ++k)
      result[node(m) + k * layout_.inward] += derivative_[static_cast<std::size_t>(k)] * normal;
    if (tangential_.empty()) continue;
    Index column = 0;
    double sum = 0.0;
    for (double value : along_transposed_.row(m, column)) {
      sum += value * tangential_[static_cast<std::size_t>(column)] * values[column];
      ++column;
    }
    result[node(m)] += sum;
  }
}

void SideFlux::add_row(Index m, double factor, RowEntries& entries) const {
  for (Index k = 0; k < depth(); ++k)
    entries.emplace_back(node(m) + k * layout_.inward,
                         factor * normal_[static_cast<std::size_t>(m)] * derivative_[static_cast<std::size_t>(k)]);
  if (tangential_.empty()) return;
  Index column = 0;
  for (double value : along_.row(m, column))
    entries.emplace_back(node(column++), factor * tangential_[static_cast<std::size_t>(m)] * value);
}

void SideFlux::add_column(Index m0, Index inwards, double factor, RowEntries& entries) const {
  if (inwards < depth())
    entries.emplace_back(
        m0, factor * normal_[static_cast<std::size_t>(m0)] * derivative_[static_cast<std::size_t>(inwards)]);
  if (tangential_.empty() || inwards != 0) return;
  Index column = 0;
  for (double value : along_transposed_.row(m0, column)) {
    entries.emplace_back(column, factor * tangential_[static_cast<std::size_t>(column)] * value);
    ++column;
  }
}

}  // namespace gwrm::sbp
