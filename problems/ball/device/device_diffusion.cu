#include "problems/ball/device/device_diffusion.cuh"

#include <algorithm>

#include "basis/time_basis.hpp"
#include "core/errors.hpp"
#include "kernels/linear_algebra/complex_schur.hpp"
#include "problems/ball/symmetric_factors.hpp"

namespace gwrm::cuda {
namespace {

using Number = std::complex<double>;
using Block = DeviceDiffusion::Block;
using Tile = DeviceDiffusion::Tile;

constexpr int kThreads = 128;
constexpr std::int32_t kMostSystems = 16;        // of a tile
constexpr std::size_t kSharedAimed = 72 * 1024;  // three blocks on a multiprocessor of 228 KB
constexpr std::size_t kSharedMost = 200 * 1024;

__device__ double2 operator*(double2 a, double2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ double2 operator-(double2 a, double2 b) {
  return {a.x - b.x, a.y - b.y};
}
__device__ void add(double2& sum, double2 a, double2 b) {
  sum.x += a.x * b.x - a.y * b.y;
  sum.y += a.x * b.y + a.y * b.x;
}

// Odd, so that threads on rows one after the other read from different banks.
__host__ __device__ int step_of(int n) {
  return n | 1;
}

struct Solve {
  const Block* blocks;
  const Tile* tiles;
  const double* bands;
  const double2 *unitary, *triangle, *factors;  // row-major
  double half;                                  // h/2
  int n_nodes;
  long long n_unknowns;
  double2* scratch;  // null: shared memory
  long long scratch_of_tile;
};

// Modes [mode][system][step], then one more such row.
template <int most>
__global__ void __launch_bounds__(kThreads) solve_kernel(const Solve s, const double* r, double* d) {
  extern __shared__ double2 shared[];
  const Tile tile = s.tiles[blockIdx.x];
  const Block block = s.blocks[tile.block];
  const int n = block.n, step = step_of(n), count = tile.count * n, row = tile.count * step;
  double2* const modes = s.scratch == nullptr ? shared : s.scratch + blockIdx.x * s.scratch_of_tile;
  double2* const later = modes + static_cast<long long>(s.n_nodes) * row;
  const long long first = block.place + static_cast<long long>(tile.first) * n;
  const auto in_row = [&](int e) { return e / n * step + e % n; };

  for (int e = static_cast<int>(threadIdx.x); e < count; e += kThreads) {  // U^H r
    double at_nodes[most];
#pragma unroll
    for (int j = 0; j < most; ++j) at_nodes[j] = j < s.n_nodes ? r[j * s.n_unknowns + first + e] : 0.0;
    for (int k = 0; k < s.n_nodes; ++k) {
      double2 sum{0.0, 0.0};
#pragma unroll
      for (int j = 0; j < most; ++j)
        if (j < s.n_nodes) {
          const double2 u = s.unitary[j * s.n_nodes + k];
          sum.x += u.x * at_nodes[j];
          sum.y -= u.y * at_nodes[j];
        }
      modes[k * row + in_row(e)] = sum;
    }
  }
  const double* const diagonal = s.bands + block.bands + 3 * n;
  const double* const upper = diagonal + n;
  for (int k = s.n_nodes - 1; k >= 0; --k) {
    double2* const mode = modes + k * row;
    __syncthreads();
    if (k + 1 < s.n_nodes) {
      for (int e = static_cast<int>(threadIdx.x); e < count; e += kThreads) {
        double2 sum{0.0, 0.0};
        for (int j = k + 1; j < s.n_nodes; ++j) add(sum, s.triangle[k * s.n_nodes + j], modes[j * row + in_row(e)]);
        later[in_row(e)] = sum;
      }
      __syncthreads();
      for (int e = static_cast<int>(threadIdx.x); e < count; e += kThreads) {
        const int i = e % n;
        const double2* const at = later + in_row(e);
        double2 sum{diagonal[i] * at->x, diagonal[i] * at->y};
        if (i + 1 < n) {
          sum.x += upper[i] * at[1].x;
          sum.y += upper[i] * at[1].y;
        }
        if (i > 0) {
          sum.x += upper[i - 1] * at[-1].x;
          sum.y += upper[i - 1] * at[-1].y;
        }
        double2& value = mode[in_row(e)];
        value.x -= s.half * sum.x;
        value.y -= s.half * sum.y;
      }
      __syncthreads();
    }
    if (static_cast<int>(threadIdx.x) < tile.count) {
      double2* const x = mode + static_cast<int>(threadIdx.x) * step;
      const double2* const inverse_pivots = s.factors + block.factors + 3LL * k * n;
      const double2 *const l1 = inverse_pivots + n, *const l2 = l1 + n;
      const double2 zero{0.0, 0.0};
      double2 last = x[0], before = zero;
#pragma unroll 4
      for (int i = 1; i < n; ++i) {
        const double2 now = x[i] - l2[i] * before - l1[i] * last;
        x[i] = now;
        before = last;
        last = now;
      }
      last = before = zero;
#pragma unroll 4
      for (int i = n - 1; i >= 0; --i) {
        double2 now = inverse_pivots[i] * x[i];
        if (i + 2 < n) now = now - l2[i + 2] * before;
        if (i + 1 < n) now = now - l1[i + 1] * last;
        x[i] = now;
        before = last;
        last = now;
      }
    }
  }
  __syncthreads();
  for (int e = static_cast<int>(threadIdx.x); e < count; e += kThreads) {  // the real part of U W
    double2 of_modes[most];
#pragma unroll
    for (int k = 0; k < most; ++k) of_modes[k] = k < s.n_nodes ? modes[k * row + in_row(e)] : double2{0.0, 0.0};
    for (int j = 0; j < s.n_nodes; ++j) {
      double sum = 0.0;
#pragma unroll
      for (int k = 0; k < most; ++k)
        if (k < s.n_nodes) {
          const double2 u = s.unitary[j * s.n_nodes + k];
          sum += u.x * of_modes[k].x - u.y * of_modes[k].y;
        }
      d[j * s.n_unknowns + first + e] = sum;
    }
  }
}

// Block y of the systems.
template <int most>
__global__ void __launch_bounds__(kThreads)
    assemble_kernel(const Block* __restrict__ blocks, const double* __restrict__ bands,
                    const double* __restrict__ integrals, double half, int n_nodes, long long n_unknowns,
                    const double* __restrict__ v, const double* __restrict__ state, const double* __restrict__ rates,
                    double* __restrict__ y) {
  const Block block = blocks[blockIdx.y];
  const int n = block.n, e = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (e >= n * block.n_systems) return;
  const int i = e % n;
  const double* const mass = bands + block.bands;
  const double* const diffusion = mass + 3 * n;
  const double* const from = state == nullptr ? nullptr : state + block.place + e;
  const auto of_mass = [&](const double* x) {  // less the state
    const auto at = [&](int k) { return from == nullptr ? x[k] : x[k] - from[k]; };
    double sum = mass[i] * at(0);
    if (i + 1 < n) sum += mass[n + i] * at(1);
    if (i > 0) sum += mass[n + i - 1] * at(-1);
    if (i + 2 < n) sum += mass[2 * n + i] * at(2);
    if (i > 1) sum += mass[2 * n + i - 2] * at(-2);
    return sum;
  };
  double change[most];  // diffusion v - rates
#pragma unroll
  for (int j = 0; j < most; ++j) {
    change[j] = 0.0;
    if (j >= n_nodes) continue;
    const double* const x = v + j * n_unknowns + block.place + e;
    double sum = diffusion[i] * x[0];
    if (i + 1 < n) sum += diffusion[n + i] * x[1];
    if (i > 0) sum += diffusion[n + i - 1] * x[-1];
    if (rates != nullptr) sum -= rates[j * n_unknowns + block.place + e];
    change[j] = sum;
  }
  for (int j = 0; j < n_nodes; ++j) {
    double sum = 0.0;
#pragma unroll
    for (int k = 0; k < most; ++k)
      if (k < n_nodes) sum += integrals[j * n_nodes + k] * change[k];
    const long long place = j * n_unknowns + block.place + e;
    y[place] = of_mass(v + place) + half * sum;
  }
}

// launch(std::integral_constant<int, most>) for the fewest nodes that hold n.
template <class Launch>
void with_nodes(Index n, const Launch& launch) {
  if (n <= 8)
    launch(std::integral_constant<int, 8>{});
  else if (n <= 16)
    launch(std::integral_constant<int, 16>{});
  else
    launch(std::integral_constant<int, DeviceDiffusion::kMaxNodes>{});
}

std::vector<Number> row_major(const Eigen::MatrixXcd& matrix) {
  std::vector<Number> values;
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
  return values;
}

}  // namespace

DeviceDiffusion::DeviceDiffusion(DeviceTools& tools, DeviceMatrices& matrices, const ball::BallSpace& space)
    : tools_(tools), space_(space), n_nodes_(space.degrees().t), n_unknowns_(space.unknowns().size()) {
  if (n_nodes_ > kMaxNodes) throw ShapeError("too many nodes in time for the device");
  const TimeBasis time(Weighting::radau, n_nodes_, 0, 1, -1.0, 1.0, 2.0);  // its integrals are Q
  integrals_ = time.values(1);
  const ComplexSchur schur = complex_schur(integrals_.cast<Number>());
  if (!schur.converged) throw ShapeError("no Schur form of the Radau nodes was found");
  unitary_ = schur.unitary;
  triangle_ = schur.triangle;
  std::vector<double> bands;
  const ball::Layout& layout = space.unknowns();
  std::size_t of_system = 0;  // bytes in shared memory, of the largest
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l) {
      if (layout.n_orders(l) == 0) continue;  // a set of orders begins above
      Block block;
      block.n = static_cast<std::int32_t>(layout.n(part));
      block.n_systems = static_cast<std::int32_t>(layout.n_orders(l));
      block.place = layout.place(part, l);
      block.bands = static_cast<std::int64_t>(bands.size());
      block.factors = n_factors_;
      n_factors_ += 3 * n_nodes_ * block.n;
      const auto keep = [&](const ball::SymmetricBands& matrix, std::size_t most) {
        for (std::size_t k = 0; k < most; ++k)
          for (std::size_t i = 0; i < matrix.n(); ++i) bands.push_back(k < matrix.count ? matrix.entry(k, i) : 0.0);
      };
      keep(space.mass(part, l), 3);
      keep(space.diffusion(part, l), 2);
      largest_ = std::max(largest_, block.n * block.n_systems);
      of_system = std::max(of_system, static_cast<std::size_t>((n_nodes_ + 1) * step_of(block.n)) * sizeof(Number));
      blocks_.push_back(block);
    }
  const std::int32_t together =
      std::clamp(static_cast<std::int32_t>(kSharedAimed / of_system), std::int32_t{1}, kMostSystems);
  std::vector<Tile> tiles;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (std::int32_t first = 0; first < blocks_[b].n_systems; first += together)
      tiles.push_back({static_cast<std::int32_t>(b), first, std::min(together, blocks_[b].n_systems - first)});
  n_tiles_ = static_cast<unsigned>(tiles.size());
  if (static_cast<std::size_t>(together) * of_system <= kSharedMost)
    shared_bytes_ = static_cast<std::size_t>(together) * of_system;
  else
    scratch_of_tile_ = static_cast<std::int64_t>(static_cast<std::size_t>(together) * of_system / sizeof(Number));
  device_blocks_ = matrices.add(blocks_.data(), blocks_.size());
  bands_ = matrices.add(bands.data(), bands.size());
  integrals_on_device_ = matrices.add(integrals_.data(), static_cast<std::size_t>(integrals_.size()));
  const std::vector<Number> unitary = row_major(unitary_), triangle = row_major(triangle_);
  unitary_on_device_ = matrices.add(unitary.data(), unitary.size());
  triangle_on_device_ = matrices.add(triangle.data(), triangle.size());
  tiles_ = matrices.add(tiles.data(), tiles.size());
}

void DeviceDiffusion::set_length(double window_length) {
  length_ = window_length;
  std::vector<Number> all(static_cast<std::size_t>(n_factors_));
  std::size_t b = 0;
  for (std::size_t part = 0; part < space_.parts().size(); ++part)
    for (Index l = space_.parts()[part].first_l(); l <= space_.degrees().l; ++l, ++b) {
      const ball::SymmetricBands mass = space_.mass(part, l), diffusion = space_.diffusion(part, l);
      Number* to = all.data() + blocks_[b].factors;
      for (Index k = 0; k < n_nodes_; ++k) {
        const Number factor = length_ / 2.0 * triangle_(k, k);
        std::array<std::vector<Number>, 3> diagonals;
        for (std::size_t d = 0; d < mass.count; ++d)
          for (std::size_t i = 0; i < mass.n(); ++i)
            diagonals[d].push_back(mass.entry(d, i) + factor * (d < diffusion.count ? diffusion.entry(d, i) : 0.0));
        const ball::SymmetricFactors factors = ball::symmetric_factors(diagonals);
        if (!factors.regular) throw Error(ExitStatus::singular, "the diffusion of a window is singular");
        for (const auto* values : {&factors.inverse_pivots, &factors.first, &factors.second})
          to = std::copy(values->begin(), values->end(), to);
      }
    }
  if (factors_.empty()) factors_ = tools_.pool.take(2 * all.size());
  tools_.profile.upload(reinterpret_cast<Number*>(factors_.data()), all.data(), all.size());
}

void DeviceDiffusion::solve(const double* r, double* d) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  if (scratch_of_tile_ > 0 && scratch_.empty())
    scratch_ = tools_.pool.take(2 * n_tiles_ * static_cast<std::size_t>(scratch_of_tile_));
  const auto numbers = [](const Number* values) { return reinterpret_cast<const double2*>(values); };
  const Solve s{device_blocks_,
                tiles_,
                bands_,
                numbers(unitary_on_device_),
                numbers(triangle_on_device_),
                reinterpret_cast<const double2*>(factors_.data()),
                length_ / 2.0,
                static_cast<int>(n_nodes_),
                n_unknowns_,
                scratch_of_tile_ > 0 ? reinterpret_cast<double2*>(scratch_.data()) : nullptr,
                scratch_of_tile_};
  with_nodes(n_nodes_, [&](auto most) {
    const auto kernel = solve_kernel<decltype(most)::value>;
    if (shared_bytes_ > 48 * 1024)
      GWRM_DEVICE(
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes_)));
    kernel<<<n_tiles_, kThreads, shared_bytes_, tools_.handles.stream>>>(s, r, d);
    GWRM_LAUNCHED(solve_kernel);
  });
}

void DeviceDiffusion::assemble(const double* v, const double* state, const double* rates, double* y) const {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
  const dim3 grid(static_cast<unsigned>((largest_ + kThreads - 1) / kThreads), static_cast<unsigned>(blocks_.size()));
  with_nodes(n_nodes_, [&](auto most) {
    assemble_kernel<decltype(most)::value>
        <<<grid, kThreads, 0, tools_.handles.stream>>>(device_blocks_, bands_, integrals_on_device_, length_ / 2.0,
                                                       static_cast<int>(n_nodes_), n_unknowns_, v, state, rates, y);
    GWRM_LAUNCHED(assemble_kernel);
  });
}

}  // namespace gwrm::cuda
