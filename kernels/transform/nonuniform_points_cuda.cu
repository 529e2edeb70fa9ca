#include "core/device_handles.cuh"
//
#include <algorithm>
#include <bit>

#include "kernels/transform/nonuniform_device.cuh"

namespace gwrm::nonuniform {
namespace {

constexpr int kThreads = 256;
constexpr int kNotFinite = 0, kExtra = 1;  // of the counters

unsigned blocks_for(long long n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}
__device__ long long thread_number() {
  return static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
}

struct Coordinates {
  const double* of[3];  // null for axes not in use
};

// The bin of each point, and its number.
__global__ void __launch_bounds__(kThreads)
    bin_kernel(FineGrid grid, Coordinates coordinates, int n_points, unsigned* keys, int* numbers, int* counters) {
  const long long j = thread_number();
  if (j >= n_points) return;
  long long bin = 0;
  bool is_finite = true;
  for (int a = 0; a < 3; ++a) {
    const FineAxis& axis = grid.axes[a];
    int first = 0;
    if (coordinates.of[a] != nullptr) {
      const double x = coordinates.of[a][j];
      is_finite = is_finite && isfinite(x);
      first = support_of(x, axis.n, axis.width).first;
    }
    bin = bin * axis.n_bins + first / axis.bin;
  }
  keys[j] = static_cast<unsigned>(bin);
  numbers[j] = static_cast<int>(j);
  if (!is_finite) atomicAdd(counters + kNotFinite, 1);
}

// Where each point's support is, in the sorted order.
__global__ void __launch_bounds__(kThreads)
    support_kernel(FineAxis axis, const double* x, const int* order, int n_points, int* firsts, double* positions) {
  const long long p = thread_number();
  if (p >= n_points) return;
  const Support support = support_of(x[order[p]], axis.n, axis.width);
  firsts[p] = support.first;
  positions[p] = support.r;
}

// The first point of each bin: the number of keys below it.
__global__ void __launch_bounds__(kThreads)
    bin_start_kernel(const unsigned* keys, int n_points, long long n_bins, int* first_of) {
  const long long bin = thread_number();
  if (bin > n_bins) return;
  int lo = 0, hi = n_points;
  while (lo < hi) {
    const int middle = lo + (hi - lo) / 2;
    if (keys[middle] < bin)
      lo = middle + 1;
    else
      hi = middle;
  }
  first_of[bin] = lo;
}

// Reserves the pieces of blocks that have more than one.
__global__ void __launch_bounds__(kThreads) piece_kernel(FineGrid grid, const int* first_of, ExtraPieces extra) {
  const long long block = thread_number();
  if (block >= grid.n_blocks()) return;
  const Runs runs = runs_to(grid, box_of_block(grid, static_cast<int>(block)));
  int visits = 0;
  for (int i = 0; i < runs.count(); ++i) {
    int begin, end;
    runs.bounds(grid, first_of, i, begin, end);
    visits += end - begin;
  }
  const int more = visits == 0 ? 0 : (visits - 1) / extra.visits_of_piece;
  if (more == 0) return;
  const int first = atomicAdd(extra.n_extra, more);
  extra.first_extra[block] = first;
  extra.n_extra_of[block] = more;
  for (int e = 0; e < more; ++e) extra.block_of[first + e] = static_cast<int>(block);
}

}  // namespace

DevicePoints::DevicePoints(DeviceHandles& handles, const NonuniformGeometry& geometry)
    : handles_(handles), n_dimensions_(geometry.n_dimensions), grid_(fine_grid(geometry)) {
  const std::vector<double>& table = geometry.kernel.coefficients;
  handles_.upload(table_.reserve<double>(table.size()), table.data(), table.size());
  GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
  bins_.reserve<int>(static_cast<std::size_t>(grid_.n_bins()) + 1);
  const auto n_blocks = static_cast<std::size_t>(grid_.n_blocks());
  int* const pieces = pieces_.reserve<int>(2 + kMostPieces + 2 * n_blocks);
  int* const of_blocks = pieces + 2 + kMostPieces;
  extra_ = {1, pieces + kExtra, pieces + 2, of_blocks, of_blocks + n_blocks};
}

void DevicePoints::set(std::span<const double* const> coordinates, int n_points) {
  cudaStream_t stream = handles_.stream;
  const auto n = static_cast<std::size_t>(std::max(n_points, 1));
  // Keys and numbers before the sort, and the sorted keys; the sorted numbers are kept.
  unsigned* const keys = keys_.reserve<unsigned>(3 * n);
  unsigned* const sorted_keys = keys + n;
  int* const numbers = reinterpret_cast<int*>(keys + 2 * n);
  int* const order = order_.reserve<int>(n);
  const std::size_t bytes = sort_bytes(static_cast<int>(n));
  void* const temporary = temporary_.reserve<char>(bytes);
  sorted_ = {};
  sorted_.n_points = n_points;
  sorted_.order = order;
  sorted_.first_of = bins_.as<int>();
  extra_.visits_of_piece = visits_of_piece(grid_, n_points);
  GWRM_DEVICE(cudaMemsetAsync(pieces_.as<int>(), 0, 2 * sizeof(int), stream));

  Coordinates lists{};
  for (int d = 0; d < n_dimensions_; ++d) lists.of[3 - n_dimensions_ + d] = coordinates[static_cast<std::size_t>(d)];
  if (n_points > 0) {
    bin_kernel<<<blocks_for(n_points), kThreads, 0, stream>>>(grid_, lists, n_points, keys, numbers, pieces_.as<int>());
    GWRM_LAUNCHED(bin_kernel);
    const int n_bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(grid_.n_bins() - 1))));
    sort_pairs(stream, temporary, bytes, keys, sorted_keys, numbers, order, n_points, n_bits);
  }
  for (int a = 3 - n_dimensions_; a < 3; ++a) {
    int* const firsts = firsts_[a].reserve<int>(n);
    double* const positions = positions_[a].reserve<double>(n);
    sorted_.firsts[a] = firsts;
    sorted_.positions[a] = positions;
    if (n_points == 0) continue;
    support_kernel<<<blocks_for(n_points), kThreads, 0, stream>>>(grid_.axes[a], lists.of[a], order, n_points, firsts,
                                                                  positions);
    GWRM_LAUNCHED(support_kernel);
  }
  bin_start_kernel<<<blocks_for(grid_.n_bins() + 1), kThreads, 0, stream>>>(sorted_keys, n_points, grid_.n_bins(),
                                                                            bins_.as<int>());
  GWRM_LAUNCHED(bin_start_kernel);
  piece_kernel<<<blocks_for(grid_.n_blocks()), kThreads, 0, stream>>>(grid_, bins_.as<int>(), extra_);
  GWRM_LAUNCHED(piece_kernel);
}

bool DevicePoints::are_finite() const {
  int not_finite = 0;
  handles_.download(&not_finite, pieces_.as<int>() + kNotFinite, 1);
  return not_finite == 0;
}

}  // namespace gwrm::nonuniform
