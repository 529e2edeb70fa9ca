#include "weighted_residual/preconditioner/shared_average.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

}  // namespace

SharedAverage::SharedAverage(const WindowSystem& system, SharedWindow& window, Communicator& ranks)
    : system_(system), window_(window), ranks_(ranks), layout_(system), modes_(system) {
  const int n_fields = static_cast<int>(system.model().fields.size());
  const auto table = [&](const SharedVectors::Part& part, std::size_t field) {
    return table_of_modes(modes_.n_modes(), static_cast<int>(field), n_fields, part.n_lines / layout_.n_times,
                          part.n_columns, ranks.size(), modes_.n_parts());
  };
  std::vector<SharedTable> of_rows, of_unknowns;
  for (std::size_t row = 0; row < system.rows().size(); ++row)
    of_rows.push_back(table(window.rows().parts()[row], part_of(row)));
  for (std::size_t field = 0; field < system.layouts().size(); ++field)
    of_unknowns.push_back(table(window.unknowns().parts()[field], field));
  of_rows_ = std::make_unique<WindowExchange>(std::move(of_rows));
  of_unknowns_ = std::make_unique<WindowExchange>(std::move(of_unknowns));
}

// The field whose solve reads this block of rows: an equation's own, and so of the conditions in its place.
std::size_t SharedAverage::part_of(std::size_t row) const {
  return at(system_.model().equations[at(system_.rows()[row].equation)].field);
}

LuStatus SharedAverage::factor(const SharedLinearisation& at_x) {
  factors_.reset();
  if (!window_.is_finite(at_x)) return LuStatus::not_finite;
  std::map<std::pair<int, int>, Vector> known;  // all ranks ask for the same ones in the same order
  const CoefficientMeans means = [&](int coefficient, int axis) {
    const auto [mean, is_new] = known.try_emplace({coefficient, axis});
    if (is_new) mean->second = window_.coefficient_mean(at_x, coefficient, axis);
    return mean->second;
  };
  std::vector<TensorField> fields;
  const LuStatus status = tensor_operators(window_.linearised(), layout_, means, modes_.z(), fields);
  if (status != LuStatus::regular) return status;
  factors_ = std::make_shared<Factors>();
  factors_->of_modes = make_tensor_solver(std::move(fields), modes_.z(), modes_.precision());
  return status;
}

void SharedAverage::apply(std::span<const double> v, std::span<double> result) {
  const int rank = ranks_.rank();
  const Index n_parts = modes_.n_parts(), room = std::max(of_rows_->room(rank), of_unknowns_->room(rank));
  const auto size = static_cast<std::size_t>(room);
  double* by_columns = window_.rooms().columns.reserve(room);
  double* by_modes = window_.rooms().lines.reserve(room);
  modes_.to_modes(window_.rows(), rank, v, {by_columns, size});
  of_rows_->move_to_lines(ranks_, by_columns, by_modes);
  double* solved = by_columns;  // unknowns by modes

  std::vector<Complex> b(static_cast<std::size_t>(layout_.size)), x(b.size());
  for (std::size_t field = 0; field < system_.layouts().size(); ++field) {
    const Index n_unknowns = layout_.fields[field + 1] - layout_.fields[field];
    const Shares& lines = of_unknowns_->tables()[field].lines;
    const Index per_mode = lines.size() / modes_.n_modes(), first = lines.begin(rank) / per_mode,
                end = lines.end(rank) / per_mode;
    for (Index k = first; k < end; ++k) {
      for (std::size_t row = 0; row < system_.rows().size(); ++row) {
        if (part_of(row) != field) continue;
        const Index n = layout_.rows[row + 1] - layout_.rows[row];
        const double* real = by_modes + of_rows_->by_lines_before(row, rank) + (k - first) * n_parts * n;
        for (Index i = 0; i < n; ++i)
          b[static_cast<std::size_t>(layout_.rows[row] + i)] = {real[i], n_parts > 1 ? real[n + i] : 0.0};
      }
      factors_->of_modes->solve_part(field, static_cast<std::size_t>(k), b, x);
      double* real = solved + of_unknowns_->by_lines_before(field, rank) + (k - first) * n_parts * n_unknowns;
      for (Index i = 0; i < n_unknowns; ++i) {
        const Complex value = x[static_cast<std::size_t>(layout_.fields[field] + i)];
        real[i] = value.real();
        if (n_parts > 1) real[n_unknowns + i] = value.imag();
      }
    }
  }

  of_unknowns_->move_to_columns(ranks_, solved, by_modes);
  modes_.from_modes(window_.unknowns(), rank, {by_modes, size}, result);
}

}  // namespace gwrm
