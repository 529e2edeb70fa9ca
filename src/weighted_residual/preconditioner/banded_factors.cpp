#include "weighted_residual/preconditioner/banded_factors.hpp"

#include <algorithm>

namespace gwrm {

LuStatus BandedFactors::factor(const WindowSystem& system, BandedRows rows) {
  const BandedLayout layout(system);
  conditions_ = std::move(rows.conditions);
  border_ = std::move(rows.border);
  if (const LuStatus status = core_.factor(std::move(rows.core)); status != LuStatus::regular) return status;

  const Index n = layout.core_size(), n_border = layout.border_size();
  std::vector<double> responses(static_cast<std::size_t>(n * n_border), 0.0);  // -A^{-1} B, column after column
  for (Index j = 0; j < n_border; ++j)
    for (Index i = 0; i < border_.rows(); ++i) responses[static_cast<std::size_t>(i + j * n)] = -border_(i, j);
  core_.solve(responses);
  std::vector<double> unit(static_cast<std::size_t>(n_border), 0.0), v(static_cast<std::size_t>(system.size()));
  std::vector<double> schur(static_cast<std::size_t>(n_border * n_border));
  for (Index j = 0; j < n_border; ++j) {
    unit[static_cast<std::size_t>(j)] = 1.0;
    layout.scatter_unknowns({responses.data() + j * n, static_cast<std::size_t>(n)}, unit, v);
    apply_conditions(system, v, {schur.data() + j * n_border, static_cast<std::size_t>(n_border)});
    unit[static_cast<std::size_t>(j)] = 0.0;
  }
  schur_ = cpu::make_dense_lu();
  return schur_->factor(schur, n_border);
}

void BandedFactors::apply_conditions(const WindowSystem& system, std::span<const double> v,
                                     std::span<double> result) const {
  std::fill(result.begin(), result.end(), 0.0);
  for (const BandedConditionTerm& term : conditions_) {
    const Eigen::Map<const Matrix> modes(v.data() + system.layouts()[term.field].offset, term.time.cols(),
                                         term.modes.size());
    Eigen::Map<Vector>(result.data() + term.first, term.time.rows()) += term.time * (modes * term.modes.transpose());
  }
}

void BandedFactors::solve(const WindowSystem& system, std::span<const double> b, std::span<double> x) const {
  const BandedLayout layout(system);
  const auto n_border = static_cast<std::size_t>(layout.border_size());
  std::vector<double> right(static_cast<std::size_t>(layout.core_size())), conditions(n_border);
  layout.gather_rows(b, right, conditions);

  std::vector<double> core = right, border(n_border, 0.0);
  core_.solve(core);
  layout.scatter_unknowns(core, border, x);
  apply_conditions(system, x, border);
  for (std::size_t i = 0; i < n_border; ++i) border[i] = conditions[i] - border[i];
  schur_->solve(border);

  Eigen::Map<Vector>(right.data(), border_.rows()) -=
      border_ * Eigen::Map<const Vector>(border.data(), layout.border_size());
  core_.solve(right);
  layout.scatter_unknowns(right, border, x);
}

}  // namespace gwrm
