#include "bench/transforms/series_on_device.hpp"
//
#include <optional>

#include "kernels/transform/device_fourier_series.cuh"

namespace gwrm::bench::cuda {

using gwrm::cuda::DeviceFourierSeries;

struct SeriesOnDevice::Made {
  Made(DeviceHandles& device, const FourierSeries& series, const Matrix* matrix)
      : handles(device), profile(device), matrices(profile, pool), cols(series.cols()) {
    if (matrix == nullptr)
      fast.emplace(series, matrices);
    else
      by_matrix = gwrm::cuda::DeviceBlockMatrix(BlockMatrix(*matrix), matrices);
    matrices.send();
  }

  DeviceHandles& handles;
  gwrm::cuda::DeviceProfile profile;
  gwrm::cuda::DevicePool pool;
  gwrm::cuda::DeviceMatrices matrices;
  Index cols;
  std::optional<DeviceFourierSeries> fast;
  gwrm::cuda::DeviceBlockMatrix by_matrix;
};

bool has_fast_series(const FourierSeries& series) {
  return DeviceFourierSeries::serves(series);
}

SeriesOnDevice::SeriesOnDevice(const Context& context, const FourierSeries& series, const Matrix* matrix)
    : made_(std::make_unique<Made>(*context.device(), series, matrix)) {}
SeriesOnDevice::~SeriesOnDevice() = default;

void SeriesOnDevice::run(const double* x, Index outer, Index inner, double* y) const {
  if (made_->fast)
    made_->fast->apply(made_->handles, 1.0, x, outer, inner, y);
  else
    made_->by_matrix.apply(made_->handles, {outer, made_->cols, inner}, 1, 1.0, x, y);
}

}  // namespace gwrm::bench::cuda
