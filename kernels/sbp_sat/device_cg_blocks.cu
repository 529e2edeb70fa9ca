#include "kernels/sbp_sat/device_cg_products.cuh"

namespace gwrm::cuda {

CgProduct product_with(const DeviceHandles& handles, const DeviceBlockTables& a) {
  return {a.n_blocks(), [&](const double* p, double* q, double* partial, const CgState* state) {
            apply_on_device(handles, a, p, q, partial, state);
          }};
}

void block_apply(const Context& context, const BlockOperator& a, const double* u, double* q) {
  DeviceHandles& handles = *context.device();
  const DeviceBlockTables tables(handles, a, false);
  const auto n = static_cast<std::size_t>(a.size());
  double* device_u = handles.scratch[0].reserve<double>(n);
  double* device_q = handles.scratch[1].reserve<double>(n);
  handles.upload(device_u, u, n);
  apply_on_device(handles, tables, device_u, device_q, nullptr, nullptr);
  handles.download(q, device_q, n);
}

DeviceCgResult cg_blocks(const Context& context, const BlockOperator& a, const std::vector<double>& b,
                         std::vector<double>& x, const DeviceCgOptions& options) {
  DeviceHandles& handles = *context.device();
  const DeviceBlockTables tables(handles, a, options.jacobi);
  return cg_loop(handles, product_with(handles, tables), tables.view().scale, b, x, options);
}

}  // namespace gwrm::cuda
