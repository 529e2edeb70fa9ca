#include "kernels/sbp_sat/device_cg_products.cuh"

namespace gwrm::cuda {

CgProduct product_with(const DeviceHandles& handles, const DeviceBlockTables& a) {
  return {a.n_blocks(), [&](const double* p, double* q, double* partial, const CgState* state) {
            apply_on_device(handles, a, p, q, partial, state);
          }};
}

DeviceCgResult cg_blocks(const Context& context, const BlockOperator& a, const std::vector<double>& b,
                         std::vector<double>& x, const DeviceCgOptions& options) {
  DeviceHandles& handles = *context.device();
  const DeviceBlockTables tables(handles, a, options.jacobi);
  return cg_loop(handles, product_with(handles, tables), tables.view().scale, b, x, options);
}

}  // namespace gwrm::cuda
