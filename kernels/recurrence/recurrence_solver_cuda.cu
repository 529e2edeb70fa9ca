#include "kernels/recurrence/recurrence_device.cuh"
//
#include <algorithm>
#include <array>
#include <vector>

#include "core/errors.hpp"
#include "core/memory.hpp"
#include "kernels/device/run_time_compiler.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"

namespace gwrm::cuda {
namespace {

constexpr std::size_t kReserve = std::size_t{256} << 20;  // left free: the driver's own needs

// Page-locked memory of the host, from which copies run beside kernels.
template <class Value>
class PinnedBuffer {
 public:
  explicit PinnedBuffer(Index count) {
    GWRM_DEVICE(cudaMallocHost(&values_, static_cast<std::size_t>(count) * sizeof(Value)));
  }
  ~PinnedBuffer() { static_cast<void>(cudaFreeHost(values_)); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  Value* get() const { return values_; }

 private:
  Value* values_ = nullptr;
};

class Stream {
 public:
  Stream() { GWRM_DEVICE(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void wait() const { GWRM_DEVICE(cudaStreamSynchronize(stream_)); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

template <class Value>
__global__ void gather_kernel(const Value* values, const long long* points, long long count, double* u) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) u[i] = static_cast<double>(values[points[i]]);
}

std::size_t free_memory() {
  std::size_t available = 0, total = 0;
  GWRM_DEVICE(cudaMemGetInfo(&available, &total));
  return available > kReserve ? available - kReserve : 0;
}

// All points in one piece, the solution on the device; or as many pieces as it takes, two at a time (one is copied
// while the other is computed), the solution on the host.
template <class Value>
class DeviceSolver : public RecurrenceSolver {
 public:
  DeviceSolver(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& source, Index n,
               std::size_t most_bytes)
      : context_(context), op_(op), source_(source), n_(n) {
    // What cannot be compiled is evaluated on the host.
    const bool stored = source.device.statements.empty() || !run_time_compiler_missing().empty();
    if (!stored)
      expression_ = expression_source(source.device, op.kind, kernels_of(op, n, std::is_same_v<Value, float>));
    std::size_t bytes_per_tile = (sizeof(Value) + (stored ? sizeof(double) : 0)) * recurrence::kTile;
    if (op.kind == RecurrenceKind::two_sided) bytes_per_tile += sizeof(DoubleDouble);
    const std::size_t room = (most_bytes > 0 ? most_bytes : free_memory()) / bytes_per_tile;
    const Index most_points = static_cast<Index>(room) * recurrence::kTile;
    piece_ = n;
    if (most_points < n) {
      piece_ = std::max<Index>(recurrence::kTile, static_cast<Index>(room) / 2 * recurrence::kTile);
      host_u_.reset(new Value[static_cast<std::size_t>(n)]);
    }
    for (int b = 0; b < n_buffers(); ++b) {
      Buffer& buffer = buffers_[static_cast<std::size_t>(b)];
      buffer.u.template reserve<Value>(static_cast<std::size_t>(piece_));
      buffer.passes = make_device_passes(op);
      if (!stored) continue;
      const double* const values = buffer.f.template reserve<double>(static_cast<std::size_t>(piece_));
      buffer.source = stored_source(values, op.kind);
    }
  }

  RecurrenceState totals() override {
    of_pieces_.clear();
    for (Index first = 0; first < n_; first += piece_) {
      const Buffer& buffer = buffers_[0];
      launch_totals(buffer, first, std::min(piece_, n_ - first));
      of_pieces_.push_back(buffer.passes->totals(buffer.stream));
    }
    std::vector<RecurrenceState> states = of_pieces_;
    return states_at_pieces(op_, states, piece_, n_, {});
  }

  void fill(const RecurrenceState& start, double shift) override {
    std::vector<RecurrenceState> states = of_pieces_;
    for (std::size_t k = 0; shift != 0.0 && k < states.size(); ++k) {
      const RecurrenceState of_one = totals_of_one(op_, std::min(piece_, n_ - static_cast<Index>(k) * piece_));
      states[k].first = states[k].first + of_one.first * shift;
      states[k].second = states[k].second + of_one.second * shift;
    }
    states_at_pieces(op_, states, piece_, n_, start);
    std::array<Index, 2> pending = {-1, -1};  // the piece whose solution waits in each buffer
    for (std::size_t k = 0; k < states.size(); ++k) {
      const Index first = static_cast<Index>(k) * piece_, count = std::min(piece_, n_ - first);
      const std::size_t b = is_streamed() ? k % 2 : 0;
      const Buffer& buffer = buffers_[b];
      if (pending[b] >= 0) collect(buffer, pending[b]);
      if (is_streamed()) launch_totals(buffer, first, count);  // else those of totals() are still there
      buffer.passes->launch_fill(buffer.stream, source_of(buffer), states[k], shift, buffer.u.template as<Value>());
      pending[b] = first;
      if (is_streamed())
        GWRM_DEVICE(cudaMemcpyAsync(pinned(b).get(), buffer.u.template as<Value>(),
                                    static_cast<std::size_t>(count) * sizeof(Value), cudaMemcpyDeviceToHost,
                                    buffer.stream));
    }
    for (std::size_t b = 0; b < 2; ++b)
      if (pending[b] >= 0) collect(buffers_[b], pending[b]);
  }

  RecurrenceState solve(const StartOfTotals& start) override {
    if constexpr (std::is_same_v<Value, double>) {
      const Buffer& buffer = buffers_[0];
      if (!is_streamed()) upload(buffer, 0, n_);
      if (!is_streamed() &&
          buffer.passes->launch_solve(buffer.stream, source_of(buffer), n_, start, buffer.u.template as<double>())) {
        return buffer.passes->totals(buffer.stream);
      }
    }
    return RecurrenceSolver::solve(start);
  }

  void gather(std::span<const Index> points, double* u) const override {
    if (is_streamed()) {
      for (std::size_t i = 0; i < points.size(); ++i)
        u[i] = static_cast<double>(host_u_[static_cast<std::size_t>(points[i])]);
      return;
    }
    static_assert(sizeof(Index) == sizeof(long long));
    DeviceHandles& handles = *context_.device();
    long long* const device_points = handles.scratch[0].reserve<long long>(points.size());
    double* const values = handles.scratch[1].reserve<double>(points.size());
    handles.upload(device_points, reinterpret_cast<const long long*>(points.data()), points.size());
    const unsigned threads = 256, blocks = static_cast<unsigned>((points.size() + threads - 1) / threads);
    gather_kernel<<<blocks, threads, 0, handles.stream>>>(buffers_[0].u.template as<Value>(), device_points,
                                                          static_cast<long long>(points.size()), values);
    GWRM_LAUNCHED(gather_kernel);
    handles.download(u, values, points.size());
  }

 private:
  struct Buffer {
    Stream stream;
    DeviceBuffer u, f;
    std::unique_ptr<DeviceSource> source;  // null: the expression
    std::unique_ptr<DevicePasses> passes;
  };

  bool is_streamed() const { return host_u_ != nullptr; }
  int n_buffers() const { return is_streamed() ? 2 : 1; }
  const DeviceSource& source_of(const Buffer& buffer) const { return buffer.source ? *buffer.source : *expression_; }

  PinnedBuffer<Value>& pinned(std::size_t b) {
    if (!pinned_[b]) pinned_[b] = std::make_unique<PinnedBuffer<Value>>(piece_);
    return *pinned_[b];
  }

  // The right-hand side where it is stored, once if there is but one piece.
  void upload(const Buffer& buffer, Index first, Index count) {
    if (!buffer.source || is_uploaded_) return;
    std::vector<double> staged;
    const double* values = source_.values == nullptr ? nullptr : source_.values + first;
    if (values == nullptr) {
      staged.resize(static_cast<std::size_t>(count));
      values = source_.fetch(first, count, staged.data());
    }
    GWRM_DEVICE(cudaMemcpyAsync(buffer.f.template as<double>(), values,
                                static_cast<std::size_t>(count) * sizeof(double), cudaMemcpyHostToDevice,
                                buffer.stream));
    if (!staged.empty()) buffer.stream.wait();
    is_uploaded_ = !is_streamed();
  }

  void launch_totals(const Buffer& buffer, Index first, Index count) {
    upload(buffer, first, count);
    buffer.passes->launch_totals(buffer.stream, source_of(buffer), first, count);
  }

  // Waits for a piece and, if it is one of many, takes its solution to the host.
  void collect(const Buffer& buffer, Index first) {
    buffer.stream.wait();
    if (!is_streamed()) return;
    const std::size_t b = &buffer == &buffers_[0] ? 0 : 1;
    std::copy_n(pinned(b).get(), std::min(piece_, n_ - first), host_u_.get() + first);
  }

  Context context_;
  RecurrenceOperator op_;
  RecurrenceSource source_;
  Index n_, piece_ = 0;
  std::unique_ptr<DeviceSource> expression_;
  std::array<Buffer, 2> buffers_;
  std::array<std::unique_ptr<PinnedBuffer<Value>>, 2> pinned_;
  std::unique_ptr<Value[]> host_u_;
  bool is_uploaded_ = false;
  std::vector<RecurrenceState> of_pieces_;  // what each makes of the state 0
};

}  // namespace

std::unique_ptr<RecurrenceSolver> make_recurrence_solver(const Context& context, const RecurrenceOperator& op,
                                                         const RecurrenceSource& source, Index n_points,
                                                         bool single_precision, std::size_t most_bytes) {
  if (single_precision) return std::make_unique<DeviceSolver<float>>(context, op, source, n_points, most_bytes);
  return std::make_unique<DeviceSolver<double>>(context, op, source, n_points, most_bytes);
}

}  // namespace gwrm::cuda
