#include "weighted_residual/device/device_mode_tensors.cuh"

#include "kernels/linear_algebra/device_vectors.cuh"
#include "weighted_residual/device/device_shares.cuh"

namespace gwrm::cuda {

Box ModeTensors::box(const Shape& extents) const {
  Box result;
  result.extents[0] = n_modes_;
  for (std::size_t d = 0; d < extents.size(); ++d) result.extents[d + 1] = static_cast<int>(extents[d]);
  return result;
}

Places ModeTensors::places(const std::vector<const int*>& lists) const {
  Places result;
  for (std::size_t d = 0; d < lists.size(); ++d) result.lists[d + 1] = lists[d];
  return result;
}

DeviceArray ModeTensors::take(const Shape& extents) const {
  return tools_.pool.take(2 * static_cast<std::size_t>(n_modes_ * element_count(extents)));
}

DeviceArray ModeTensors::zero(const Shape& extents) const {
  DeviceArray result = take(extents);
  GWRM_DEVICE(cudaMemsetAsync(result.data(), 0, result.size() * sizeof(double), tools_.handles.stream));
  return result;
}

DeviceArray ModeTensors::copy(const DeviceArray& x) const {
  DeviceArray result = tools_.pool.take(x.size());
  scale_and_add(tools_.handles, 1.0, x.data(), 0.0, result.data(), x.size());
  return result;
}

DeviceArray ModeTensors::along(const std::vector<const ModeNumber*>& matrices, Index m, const DeviceArray& x,
                               Shape& extents, std::size_t d) const {
  const AroundDimension around(extents, d);
  const Index n = extents[d];
  extents[d] = m;
  DeviceArray y = take(extents);
  const auto* from = reinterpret_cast<const ModeNumber*>(x.data());
  auto* to = reinterpret_cast<ModeNumber*>(y.data());
  if (matrices.size() == 1) {
    multiply_along(tools_.handles, matrices.front(), {m, n, n_modes_ * around.outer, around.inner, n, m}, from, to);
    return y;
  }
  for (Index k = 0; k < n_modes_; ++k)
    multiply_along(tools_.handles, matrices[static_cast<std::size_t>(k)], {m, n, around.outer, around.inner, n, m},
                   from + k * around.outer * n * around.inner, to + k * around.outer * m * around.inner);
  return y;
}

DeviceArray ModeTensors::pick(const DeviceArray& whole, const Shape& whole_extents,
                              const std::vector<const int*>& lists, const Shape& extents) const {
  DeviceArray part = take(extents);
  cuda::pick(tools_.handles, mode_numbers(whole), box(whole_extents), places(lists), mode_numbers(part), box(extents));
  return part;
}

void ModeTensors::place(const DeviceArray& part, const Shape& extents, const ModeNumber* factors,
                        const std::vector<const int*>& lists, DeviceArray& whole, const Shape& whole_extents) const {
  cuda::place(tools_.handles, mode_numbers(part), box(extents), raw(factors), places(lists), mode_numbers(whole),
              box(whole_extents));
}

void ModeTensors::add(const ModeNumber* factors, bool negative, const DeviceArray& x, const Shape& extents,
                      DeviceArray& y) const {
  add_by_mode(tools_.handles, raw(factors), negative, mode_numbers(x), n_modes_,
              static_cast<std::size_t>(element_count(extents)), mode_numbers(y));
}

const ModeNumber* add_complex(DeviceMatrices& matrices, const Matrix& matrix) {
  const std::vector<ModeNumber> numbers(matrix.data(), matrix.data() + matrix.size());
  return matrices.add(numbers.data(), numbers.size());
}

const ModeNumber* add_complex(DeviceMatrices& matrices, const Eigen::MatrixXcd& matrix) {
  using RowMajor = Eigen::Matrix<ModeNumber, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor numbers = matrix;
  return matrices.add(numbers.data(), static_cast<std::size_t>(numbers.size()));
}

const ModeNumber* add_factors(DeviceMatrices& matrices, const std::vector<ModeNumber>& factors) {
  return matrices.add(factors.data(), factors.size());
}

const int* add_list(DeviceMatrices& matrices, const std::vector<Index>& list) {
  const std::vector<int> places(list.begin(), list.end());
  return matrices.add(places.data(), places.size());
}

DeviceRowFacts::DeviceRowFacts(const WindowSystem& system, const DeviceShares* shares) : n_rows_(system.size()) {
  for (const RowBlock& row : system.rows())
    if (row.kind == RowBlock::Kind::equation) n_equation_rows_ = row.offset + element_count(row.extents);
  if (shares == nullptr) return;
  n_rows_ = static_cast<Index>(shares->n_rows());
  for (std::size_t i = 0; i < system.rows().size(); ++i)
    if (system.rows()[i].kind == RowBlock::Kind::equation)
      n_equation_rows_ = shares->rows()[i].offset + shares->rows()[i].n_own();
}

void DeviceRowFacts::look(DeviceTools& tools, const double* v, double* largest) const {
  const DeviceArray workspace = tools.pool.take(sums_workspace());
  largest_magnitude(tools.handles, v, static_cast<std::size_t>(n_equation_rows_), workspace.data(), largest);
  largest_magnitude(tools.handles, v + n_equation_rows_, static_cast<std::size_t>(n_rows_ - n_equation_rows_),
                    workspace.data(), largest + 1);
  if (tools.team != nullptr) tools.team->take_largest(largest, 2);
}

bool DeviceRowFacts::conditions_matter(const double* largest) {
  constexpr double kRoundOff = 1e-14;
  return !(largest[1] <= kRoundOff * largest[0]);
}

}  // namespace gwrm::cuda
