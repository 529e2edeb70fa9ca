#include "weighted_residual/device/device_tensor_solver.cuh"

#include <numeric>

namespace gwrm::cuda {

DeviceTensorSolver::DeviceTensorSolver(DeviceTools& tools, const WindowSystem& system,
                                       const std::vector<TensorField>& fields, const TimeModes* modes,
                                       const std::vector<std::complex<double>>& z)
    : tools_(tools),
      modes_(mode_matrices(modes)),
      tensors_(tools, modes_.n_modes),
      facts_(system),
      fields_(tools, fields, z) {
  const SpatialLayout layout(system);
  const auto offset_of = [&](Index spatial_offset) {
    std::size_t i = 0;
    while (layout.rows[i] != spatial_offset || system.rows()[i].kind == RowBlock::Kind::mean) ++i;
    return system.rows()[i].offset;
  };
  for (const TensorField& field : fields) {
    Places places;
    places.rows = offset_of(field.rows);
    for (std::size_t f = 0; f < system.layouts().size(); ++f)
      if (layout.fields[f] == field.unknowns) places.unknowns = system.layouts()[f].offset;
    for (const TensorConditions& conditions : field.conditions) places.conditions.push_back(offset_of(conditions.rows));
    places_.push_back(std::move(places));
  }
}

void DeviceTensorSolver::apply(const double* v, double* result) {
  const DeviceArray results = tools_.pool.take(2);
  look_at_rows(v, results.data());
  double largest[2] = {0.0, 0.0};
  tools_.profile.download(largest, results.data(), 2);
  apply(v, largest, result);
}

void DeviceTensorSolver::apply(const double* v, const double* facts, double* result) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  const bool with_conditions = DeviceRowFacts::conditions_matter(facts);
  std::vector<DeviceTensorFields::Right> rights(fields_.size());
  const auto in_modes = [&](Index offset, const Shape& extents) {
    DeviceArray y = tensors_.take(extents);
    to_time_modes(tools_.handles, modes_, v + offset, static_cast<std::size_t>(element_count(extents)),
                  mode_numbers(y));
    return y;
  };
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    rights[f].equation = in_modes(places_[f].rows, fields_.free_extents(f));
    for (std::size_t c = 0; with_conditions && c < fields_.n_conditions(f); ++c)
      rights[f].conditions.push_back(in_modes(places_[f].conditions[c], fields_.condition_extents(f, c)));
  }
  std::vector<std::size_t> all(fields_.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<DeviceArray> values = fields_.solve(all, std::move(rights));
  for (std::size_t f = 0; f < fields_.size(); ++f)
    from_time_modes(tools_.handles, modes_, mode_numbers(values[f]),
                    static_cast<std::size_t>(element_count(fields_.extents(f))), result + places_[f].unknowns);
}

}  // namespace gwrm::cuda
