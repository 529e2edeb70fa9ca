#include "kernels/sbp_sat/separable_operator_device.cuh"

#include <algorithm>
#include <utility>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

std::vector<double> diagonal_of(const StencilRows& rows) {
  std::vector<double> values;
  for (Index i = 0, first = 0; i < rows.n; ++i) {
    const auto row = rows.row(i, first);
    values.push_back(row[static_cast<std::size_t>(i - first)]);
  }
  return values;
}

template <int half, int rows>
__global__ void apply_kernel(DeviceSeparable a, const double* u, double* q) {
  walk<half, rows>(
      a, [&](int j, int i) { return u[a.place(j, i)]; }, [](int, int) { return Nothing(); },
      [&](int j, int i, double, double value, Nothing) { q[a.place(j, i)] = value; });
}

}  // namespace

DeviceSeparableTables::DeviceSeparableTables(const DeviceHandles& handles, const SeparableOperator& a)
    : half_(a.fast.half) {
  if (half_ < 1 || half_ > 3 || a.slow.half != half_)
    throw ShapeError("the device has separable operators of orders 2, 4 and 6, the same in both dimensions");
  std::vector<double> tables;
  const auto fill = [&](const StencilRows& rows, const std::vector<double>& weights, DeviceRows& to) {
    to.n = static_cast<int>(rows.n);
    to.n_closure = rows.n_closure;
    to.interior_end = static_cast<int>(rows.interior_end());
    to.closure_width = rows.closure_width;
    std::copy(rows.interior.begin(), rows.interior.end(), to.interior);
    const std::vector<double> diagonal = diagonal_of(rows);
    const std::size_t middle = weights.size() / 2;
    to.interior_weight = weights[middle];
    to.interior_diagonal = diagonal[middle];
    std::vector<double> sums;
    for (Index i = 0; i < rows.n; ++i) sums.push_back(rows.row_sum(i));
    to.interior_sum = sums[middle];
    std::vector<std::size_t> places;
    for (const std::vector<double>* values : {&rows.first, &rows.last, &weights, &diagonal, &std::as_const(sums)}) {
      places.push_back(tables.size());
      tables.insert(tables.end(), values->begin(), values->end());
    }
    return places;
  };
  const auto slow = fill(a.slow, a.slow_weights, view_.slow), fast = fill(a.fast, a.fast_weights, view_.fast);
  view_.interior_inverse_diagonal = 1.0 / (view_.slow.interior_diagonal * view_.fast.interior_weight +
                                           view_.slow.interior_weight * view_.fast.interior_diagonal);
  double* memory = memory_.reserve<double>(tables.size());
  handles.upload(memory, tables.data(), tables.size());
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // `tables` goes
  for (auto [rows, places] : {std::pair{&view_.slow, &slow}, std::pair{&view_.fast, &fast}}) {
    const double** tables_of_rows[] = {&rows->first, &rows->last, &rows->weights, &rows->diagonal, &rows->sums};
    for (std::size_t k = 0; k < places->size(); ++k) *tables_of_rows[k] = memory + (*places)[k];
  }
}

void apply_on_device(DeviceHandles& handles, const DeviceSeparableTables& a, const double* u, double* q) {
  with_schedule(a.view(), a.half(), [&](auto half, auto rows) {
    apply_kernel<half(), rows()><<<walk_grid(a.view()), kColumns, 0, handles.stream>>>(a.view(), u, q);
    GWRM_LAUNCHED(apply_kernel);
  });
}

void separable_apply(const Context& context, const SeparableOperator& a, const double* u, double* q) {
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  const auto n = static_cast<std::size_t>(a.size());
  double* device_u = handles.scratch[0].reserve<double>(n);
  double* device_q = handles.scratch[1].reserve<double>(n);
  handles.upload(device_u, u, n);
  apply_on_device(handles, tables, device_u, device_q);
  handles.download(q, device_q, n);
}

}  // namespace gwrm::cuda
