// The products A p of cg_loop() with p.A p: of blocks without a matrix, and of stored matrices, four threads a row of
// CSR, one a row of ELLPACK. What they are made of has to outlive them.
//
// Contract: kernels/sbp_sat/block_operator.hpp, kernels/linear_algebra/sparse_matrix.hpp
#pragma once

#include "kernels/sbp_sat/block_operator_device.cuh"
//
#include "kernels/linear_algebra/sparse_matrix.hpp"
#include "kernels/sbp_sat/device_cg_loop.cuh"

namespace gwrm::cuda {

struct DeviceCsr {
  long long n;
  const long long* row_start;
  const int* columns;
  const double* values;
};
struct DeviceEll {
  long long n;
  int width;
  const int* columns;
  const double* values;
};

// The memory of a stored matrix on the device.
class StoredOnDevice {
 public:
  DeviceCsr send(DeviceHandles& handles, const CsrMatrix& a);
  DeviceEll send(DeviceHandles& handles, const EllMatrix& a);

 private:
  DeviceBuffer starts_, columns_, values_;
};

CgProduct product_with(const DeviceHandles& handles, const DeviceBlockTables& a);
CgProduct product_with(const DeviceHandles& handles, const DeviceCsr& a);
CgProduct product_with(const DeviceHandles& handles, const DeviceEll& a);

}  // namespace gwrm::cuda
