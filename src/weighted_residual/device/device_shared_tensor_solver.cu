#include "weighted_residual/device/device_shared_tensor_solver.cuh"

#include <algorithm>

namespace gwrm::cuda {
namespace {

// As many columns for each rank, two for a complex number.
Shares doubled(const Shares& columns) {
  std::vector<Index> begins;
  for (int r = 0; r < columns.n_ranks(); ++r) begins.push_back(2 * columns.begin(r));
  begins.push_back(2 * columns.size());
  return Shares(std::move(begins));
}

// The operators of n modes from `first` on.
TensorField of_modes(TensorField field, Index first, Index n) {
  const auto cut = [&](auto& per_mode) {
    using Vector = std::remove_reference_t<decltype(per_mode)>;
    per_mode = Vector(per_mode.begin() + first, per_mode.begin() + first + n);
  };
  cut(field.mass);
  for (TensorAxis& axis : field.axes) {
    if (axis.single_power >= 0) continue;
    cut(axis.unitary);
    cut(axis.triangle);
  }
  return field;
}

}  // namespace

DeviceSharedTensorSolver::DeviceSharedTensorSolver(DeviceTools& tools, const WindowSystem& system,
                                                   const DeviceShares& shares, const std::vector<TensorField>& all,
                                                   const TimeModes& modes, const std::vector<std::complex<double>>& z)
    : tools_(tools), shares_(shares), modes_(mode_matrices(&modes)), facts_(system, &shares) {
  const SpatialLayout layout(system);
  std::vector<SharedTable> of_rows, of_unknowns;
  std::vector<TensorField> own;
  std::vector<std::vector<ModeNumber>> own_z;
  const auto row_at = [&](Index spatial_offset) {
    std::size_t i = 0;
    while (layout.rows[i] != spatial_offset || system.rows()[i].kind == RowBlock::Kind::mean) ++i;
    return i;
  };
  for (std::size_t f = 0; f < all.size(); ++f) {
    Field field;
    const std::size_t row = row_at(all[f].rows);
    std::size_t unknown = 0;
    while (layout.fields[unknown] != all[f].unknowns) ++unknown;
    field.rows = add_part(shares.rows()[row], f, of_rows);
    field.unknowns = add_part(shares.unknowns()[unknown], f, of_unknowns);
    for (const TensorConditions& conditions : all[f].conditions)
      field.conditions.push_back(add_part(shares.rows()[row_at(conditions.rows)], f, of_rows));
    const Shares& lines = of_unknowns.back().lines;
    const Index per_mode = lines.size() / modes_.n_modes;
    field.first = lines.begin(shares.rank()) / per_mode;
    field.n_modes = lines.count(shares.rank()) / per_mode;
    if (field.n_modes > 0) {
      field.place = own.size();
      own.push_back(of_modes(all[f], field.first, field.n_modes));
      const auto begin = z.begin() + static_cast<std::ptrdiff_t>(field.first);
      own_z.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(field.n_modes));
    }
    fields_.push_back(std::move(field));
  }
  if (!own.empty()) solver_ = std::make_unique<DeviceTensorFields>(tools, own, own_z);
  of_rows_ = std::make_unique<DeviceExchange>(tools, shares.team(), std::move(of_rows));
  of_unknowns_ = std::make_unique<DeviceExchange>(tools, shares.team(), std::move(of_unknowns));
}

DeviceSharedTensorSolver::Part DeviceSharedTensorSolver::add_part(const DeviceShares::Part& part, std::size_t field,
                                                                  std::vector<SharedTable>& tables) const {
  const Index per_mode = part.n_lines / shares_.n_times();
  // Lines: one for each mode and line of it.
  SharedTable table = table_of_modes(modes_.n_modes, static_cast<int>(field),
                                     static_cast<int>(shares_.unknowns().size()), per_mode, 1, part.columns.n_ranks());
  std::vector<Index> begins;
  for (int r = 0; r < part.columns.n_ranks(); ++r)
    begins.push_back(table.lines.begin(r) / 2);  // a complex number is one
  begins.push_back(table.lines.size() / 2);
  const Shares columns = doubled(part.columns);
  tables.push_back({Shares(std::move(begins)), columns, columns.size()});
  return {part.offset, per_mode * part.own_columns, tables.size() - 1, per_mode * part.columns.size()};
}

DeviceArray DeviceSharedTensorSolver::own_modes(const Part& part, const Field& field, const double* by_lines) const {
  const auto size = static_cast<std::size_t>(2 * field.n_modes * part.n_spatial);
  DeviceArray y = tools_.pool.take(size);
  GWRM_DEVICE(cudaMemcpyAsync(y.data(), by_lines + of_rows_->by_lines_before(part.table), size * sizeof(double),
                              cudaMemcpyDeviceToDevice, tools_.handles.stream));
  return y;
}

void DeviceSharedTensorSolver::apply(const double* v, double* result) {
  const DeviceArray results = tools_.pool.take(2);
  look_at_rows(v, results.data());
  double largest[2] = {0.0, 0.0};
  shares_.team().wait();
  tools_.profile.download(largest, results.data(), 2);
  apply(v, largest, result);
}

void DeviceSharedTensorSolver::apply(const double* v, const double* facts, double* result) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  const bool with_conditions = DeviceRowFacts::conditions_matter(facts);
  const DeviceArray rows = tools_.pool.take(std::max<std::size_t>(1, of_rows_->n_by_lines()));
  {
    const DeviceArray by_columns = tools_.pool.take(std::max<std::size_t>(1, of_rows_->n_by_columns()));
    const auto to_modes = [&](const Part& part) {
      to_time_modes(tools_.handles, modes_, v + part.offset, static_cast<std::size_t>(part.width),
                    reinterpret_cast<double2*>(by_columns.data() + of_rows_->by_columns_before(part.table)));
    };
    for (const Field& field : fields_) {
      to_modes(field.rows);
      for (const Part& part : field.conditions) to_modes(part);
    }
    of_rows_->to_lines(by_columns.data(), rows.data());
  }
  const DeviceArray unknowns = tools_.pool.take(std::max<std::size_t>(1, of_unknowns_->n_by_lines()));
  std::vector<std::size_t> which;
  std::vector<DeviceTensorFields::Right> rights;
  for (const Field& field : fields_) {
    if (field.n_modes == 0) continue;
    which.push_back(field.place);
    rights.emplace_back();
    rights.back().equation = own_modes(field.rows, field, rows.data());
    for (const Part& part : field.conditions)
      if (with_conditions) rights.back().conditions.push_back(own_modes(part, field, rows.data()));
  }
  std::vector<DeviceArray> values;
  if (solver_ != nullptr) values = solver_->solve(which, std::move(rights));
  for (const Field& field : fields_)
    if (field.n_modes > 0)
      GWRM_DEVICE(cudaMemcpyAsync(unknowns.data() + of_unknowns_->by_lines_before(field.unknowns.table),
                                  values[field.place].data(), values[field.place].size() * sizeof(double),
                                  cudaMemcpyDeviceToDevice, tools_.handles.stream));
  const DeviceArray by_columns = tools_.pool.take(std::max<std::size_t>(1, of_unknowns_->n_by_columns()));
  of_unknowns_->to_columns(unknowns.data(), by_columns.data());
  for (const Field& field : fields_)
    from_time_modes(
        tools_.handles, modes_,
        reinterpret_cast<const double2*>(by_columns.data() + of_unknowns_->by_columns_before(field.unknowns.table)),
        static_cast<std::size_t>(field.unknowns.width), result + field.unknowns.offset);
}

}  // namespace gwrm::cuda
