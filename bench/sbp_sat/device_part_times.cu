#include "kernels/sbp_sat/device_cg_products.cuh"
//
#include <algorithm>

#include "bench/measure/timing.hpp"
#include "bench/sbp_sat/device_part_times.hpp"
#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda {
namespace {

// Of the product with p.A p, its parts added up.
double time_product(const Context& context, const CgProduct& product, long long n) {
  const std::vector<double> b(static_cast<std::size_t>(n), 1.0);
  CgVectors v(*context.device(), b, {false, 0.0, 1}, kMaxSums * static_cast<long long>(product.n_blocks));
  const auto call = [&] {
    product.launch(v.r, v.q, v.partial, v.state);
    collect_start_kernel<<<1, kCollectors, 0, context.device()->stream>>>(v.partial, product.n_blocks, v.state);
    GWRM_LAUNCHED(collect_start_kernel);
  };
  return cuda::time_calls(context, call).median;
}

}  // namespace

double time_product(const Context& context, const BlockOperator& a) {
  DeviceHandles& handles = *context.device();
  const DeviceBlockTables tables(handles, a, false);
  return time_product(context, product_with(handles, tables), a.size());
}

double time_product(const Context& context, const CsrMatrix& a) {
  DeviceHandles& handles = *context.device();
  StoredOnDevice memory;
  const DeviceCsr matrix = memory.send(handles, a);
  return time_product(context, product_with(handles, matrix), a.n);
}

DevicePartTimes time_parts(const Context& context, const SeparableOperator& a, const CsrMatrix& matrix) {
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  StoredOnDevice csr_memory, ell_memory;
  const DeviceCsr csr = csr_memory.send(handles, matrix);
  const EllMatrix host_ell = to_ell(matrix);
  const DeviceEll ell = ell_memory.send(handles, host_ell);
  const auto time = [&](const auto& call) { return cuda::time_calls(context, call).median; };
  const std::vector<double> b(static_cast<std::size_t>(a.size()), 1.0);
  CgVectors v(handles, b, {false, 0.0, 1}, kMaxSums * std::max(product_with(handles, csr).n_blocks, kSweepBlocks));
  const auto product_time = [&](const auto& stored) {
    const CgProduct product = product_with(handles, stored);
    return time([&] { product.launch(v.r, v.q, nullptr, nullptr); });
  };
  DevicePartTimes times;
  times.matrix_free = time([&] { apply_on_device(handles, tables, v.r, v.q); });
  times.csr = product_time(csr);
  times.ell = product_time(ell);
  times.direction = time([&] { launch_direction(handles, csr.n, nullptr, v.r, v.p, v.state); });
  times.dot = time([&] {
    launch_dot(handles, csr.n, v.p, v.q, v.partial);
    collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  });
  // alpha and beta are zero: the vectors stay as they are.
  times.step = time([&] {
    launch_step(handles, csr.n, nullptr, v.p, v.q, v.x, v.r, v.partial, v.state);
    collect_start_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  });
  return times;
}

}  // namespace gwrm::cuda
