#include "weighted_residual/window/series_memory.hpp"

#include <algorithm>

#include "core/have_cuda.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

class HostSeries final : public SeriesMemory {
 public:
  Numbers take(Index count) override {
    return {new double[static_cast<std::size_t>(count)], std::default_delete<double[]>()};
  }
  void send(const double* host, Index count, double* to) override { std::copy_n(host, count, to); }
  void fetch(const double* from, Index count, double* host) override {
    if (from != host) std::copy_n(from, count, host);
  }
  void set_zero(double* numbers, Index count) override { std::fill_n(numbers, count, 0.0); }
  void set_units(Index n_batch, Index n, Index first, double* numbers) override {
    std::fill_n(numbers, n_batch * n, 0.0);
    for (Index b = 0; b < n_batch; ++b) numbers[b * n + first + b] = 1.0;
  }

  Operator keep(Matrix matrix) override {
    Operator kept{BlockMatrix(std::move(matrix)), nullptr};
    kept.matrix.split_parity();
    return kept;
  }
  Places keep(const std::vector<int>& places) override {
    const auto copy = std::make_shared<const std::vector<int>>(places);
    return {{copy, copy->data()}, static_cast<Index>(copy->size())};
  }
  void apply(const Operator& matrix, const Shape& shape, std::size_t axis, const double* x, double* y) override {
    cpu::block_transform(x, shape, axis, matrix.matrix, y);
  }
  void move(const SeriesParts& parts, const double* x, double* y) override { cpu::move_parts(parts, x, y); }

  Index good_batch() const override { return Index{1} << 17; }  // a megabyte
};

}  // namespace

std::unique_ptr<SeriesMemory> make_series_memory(const Context& context) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::make_series_memory(context);
#endif
  static_cast<void>(context);
  return std::make_unique<HostSeries>();
}

}  // namespace gwrm
