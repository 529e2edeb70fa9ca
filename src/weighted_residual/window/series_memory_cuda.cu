#include "kernels/transform/device_tensor.cuh"
//
#include "kernels/device/device_pool.cuh"
#include "weighted_residual/window/series_memory.hpp"

namespace gwrm::cuda {
namespace {

class DeviceSeries final : public SeriesMemory {
 public:
  explicit DeviceSeries(const Context& context) : context_(context), handles_(*context.device()) {}

  Numbers take(Index count) override {
    const auto held = std::make_shared<Held>(Held{pool_, pool_->take(static_cast<std::size_t>(count))});
    return {held, held->array.data()};
  }
  void send(const double* host, Index count, double* to) override {
    handles_.upload(to, host, static_cast<std::size_t>(count));
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the caller's memory may go
  }
  void fetch(const double* from, Index count, double* host) override {
    handles_.download(host, from, static_cast<std::size_t>(count));
  }
  void set_zero(double* numbers, Index count) override {
    GWRM_DEVICE(cudaMemsetAsync(numbers, 0, static_cast<std::size_t>(count) * sizeof(double), handles_.stream));
  }
  void set_units(Index n_batch, Index n, Index first, double* numbers) override {
    unit_items(context_, n_batch, n, first, numbers);
  }

  Operator keep(Matrix matrix) override {
    Operator kept{BlockMatrix(matrix.rows(), matrix.cols()), take(matrix.size())};
    send(matrix.data(), matrix.size(), kept.numbers.get());
    return kept;
  }
  Places keep(const std::vector<int>& places) override {
    const auto buffer = std::make_shared<DeviceBuffer>();
    int* const on_device = buffer->reserve<int>(places.size());
    handles_.upload(on_device, places.data(), places.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    return {{buffer, on_device}, static_cast<Index>(places.size())};
  }
  void apply(const Operator& matrix, const Shape& shape, std::size_t axis, const double* x, double* y) override {
    const AroundDimension around(shape, axis);
    const Index m = matrix.matrix.rows, n = matrix.matrix.cols;
    multiply_along(handles_, matrix.numbers.get(), {m, n, around.outer, around.inner, n, m}, 1.0, x, false, y);
  }
  void move(const SeriesParts& parts, const double* x, double* y) override { move_parts(context_, parts, x, y); }

  Index good_batch() const override { return Index{1} << 24; }  // 128 MB

 private:
  struct Held {  // the pool outlives what was taken from it
    std::shared_ptr<DevicePool> pool;
    DeviceArray array;
  };

  const Context& context_;
  DeviceHandles& handles_;
  std::shared_ptr<DevicePool> pool_ = std::make_shared<DevicePool>();
};

}  // namespace

std::unique_ptr<SeriesMemory> make_series_memory(const Context& context) {
  return std::make_unique<DeviceSeries>(context);
}

}  // namespace gwrm::cuda
