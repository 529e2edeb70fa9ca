#include "weighted_residual/preconditioner/banded_layout.hpp"

#include <algorithm>

namespace gwrm {

BandedLayout::BandedLayout(const WindowSystem& system) : system_(system) {
  const Model& model = system.model();
  const int axis = system.plan().banded_axis;
  if (const TimeBasis* time = system.discretisation().time()) n_times_ = time->n_unknowns();
  n_modes_ = system.discretisation().n_unknowns(axis);

  equation_of_.assign(model.fields.size(), -1);
  border_modes_.assign(model.fields.size(), 0);
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    const int field = model.equations[e].closing_fields[axis];
    equation_of_[field] = static_cast<int>(e);
    border_modes_[field] = model.equations[e].n_conditions[axis];
  }
  for (Index modes : border_modes_) {
    first_border_.push_back(border_size_);
    border_size_ += modes * n_times_;
  }

  positions_.resize(model.equations.size());
  for (Index r = 0; r < n_modes_; ++r)
    for (std::size_t e = 0; e < model.equations.size(); ++e) {
      if (r >= n_modes_ - model.equations[e].n_conditions[axis]) continue;
      positions_[e].push_back(core_size_);
      core_size_ += n_times_;
    }
}

void BandedLayout::gather_rows(std::span<const double> rows, std::span<double> core,
                               std::span<double> conditions) const {
  auto condition = conditions.begin();
  for (const RowBlock& block : system_.rows()) {
    const double* source = rows.data() + block.offset;
    if (block.kind == RowBlock::Kind::condition) {
      condition = std::copy_n(source, n_times_, condition);
      continue;
    }
    const std::vector<Index>& positions = positions_[block.index];
    for (Index i = 0; i < n_times_; ++i)
      for (Index position : positions) core[static_cast<std::size_t>(position + i)] = *source++;
  }
}

void BandedLayout::scatter_unknowns(std::span<const double> core, std::span<const double> border,
                                    std::span<double> x) const {
  for (int f = 0; f < static_cast<int>(border_modes_.size()); ++f) {
    double* target = x.data() + system_.layouts()[f].offset;
    for (Index i = 0; i < n_times_; ++i)
      for (Index k = 0; k < n_modes_; ++k)
        *target++ = k < n_border_modes(f) ? border[static_cast<std::size_t>(this->border(f, k) + i)]
                                          : core[static_cast<std::size_t>(column(f, k) + i)];
  }
}

}  // namespace gwrm
