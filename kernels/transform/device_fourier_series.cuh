// Real Fourier series between coefficients and equidistant points along one dimension of a tensor that lies on the
// device.
//
// Contract: kernels/transform/fourier_series.hpp; here two neighbouring lines are one complex line, and a block of
// threads transforms several of these side by side in its shared memory.
//
// Cost      one pass that reads and writes each number once.
// Sizes     lengths whose prime factors are 2, 3 and 5, up to kLongestDeviceSeries.
// Everything goes to the stream of `handles`; nothing waits.
#pragma once

#include "kernels/transform/device_tensor.cuh"
//
#include "kernels/transform/fourier_length.hpp"
#include "kernels/transform/fourier_series.hpp"

namespace gwrm::cuda {

inline constexpr int kLongestDeviceSeries = 3000;  // what a block has shared memory for

class DeviceFourierSeries {
 public:
  // Whether this series has a device version ..
  static bool serves(const FourierSeries& series);
  // .. that takes less time than a product with its matrix by cuBLAS.
  static bool is_faster_than_matrix(const FourierSeries& series);
  // Its tables are among the matrices: used after these are sent.
  DeviceFourierSeries(const FourierSeries& series, DeviceMatrices& matrices);

  // y = factor times the series of x: outer x cols x inner to outer x rows x inner.
  void apply(const DeviceHandles& handles, double factor, const double* x, Index outer, Index inner, double* y) const;

 private:
  FourierSeries::Kind kind_;
  int degree_ = 0;
  FourierLength length_;
  const std::complex<double>* roots_ = nullptr;
  const std::complex<double>* factors_ = nullptr;  // w_k of fourier_series.hpp, k <= degree
};

}  // namespace gwrm::cuda
