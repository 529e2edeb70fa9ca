// Fourier series along one dimension of tensors on the device, for the bench of both ways: made once, then launched on
// the context's stream.
#pragma once

#include <memory>

#include "core/context.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"
#include "kernels/transform/fourier_series.hpp"

namespace gwrm::bench::cuda {

// Whether there is a fast transform for it.
bool has_fast_series(const FourierSeries& series);

class SeriesOnDevice {
 public:
  // By its matrix where that is given, else fast.
  SeriesOnDevice(const Context& context, const FourierSeries& series, const Matrix* matrix);
  ~SeriesOnDevice();
  SeriesOnDevice(const SeriesOnDevice&) = delete;
  SeriesOnDevice& operator=(const SeriesOnDevice&) = delete;

  // outer x cols x inner to outer x rows x inner, both on the device.
  void run(const double* x, Index outer, Index inner, double* y) const;

 private:
  struct Made;
  std::unique_ptr<Made> made_;
};

}  // namespace gwrm::bench::cuda
