// Conjugate gradients with a multigrid V-cycle: cycle, direction and step are recorded as one graph per iteration.
//
// The smoother keeps a correction d pending: one walk over the grid does r -= A d, z += d, d' = keep d + add D^-1 r.
// Three of them are the Chebyshev polynomial of degree 3, before and after the coarse grid, whose correction is the
// first d behind it.
#include "core/device_handles.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/device_level.cuh"
#include "kernels/sbp_sat/multigrid_numbers.hpp"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 256;
using multigrid::kSmoothedPart;
constexpr unsigned kSweepBlocks = 1056;

// A block of points and its every second point.
struct Transfer {
  PointGrid fine, coarse;
};
// Those of all blocks, by value to the kernels where there is one.
struct Transfers {
  Transfer only;
  const Transfer* all;
  int n;

  // The one whose coarse (fine) points hold number k.
  template <bool coarse>
  __device__ Transfer at(long long k) const {
    if (n == 1) return only;
    int b = 0;
    while (b + 1 < n && k >= (coarse ? all[b + 1].coarse : all[b + 1].fine).offset) ++b;
    return all[b];
  }
};

// coarse = P^T fine with P linear interpolation within a block.
__global__ void restrict_kernel(const __grid_constant__ Transfers transfers, long long n_coarse, const double* fine,
                                double* coarse, const CgState* state) {
  const long long point = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (state->done != 0 || point >= n_coarse) return;
  const Transfer t = transfers.at<true>(point);
  const int k = static_cast<int>(point - t.coarse.offset), n_slow = t.fine.n_slow, n_fast = t.fine.n_fast;
  const int j = 2 * (k / t.coarse.n_fast), i = 2 * (k % t.coarse.n_fast);
  fine += t.fine.offset;
  double sum = 0.0;
  for (int dj = -1; dj <= 1; ++dj)
    for (int di = -1; di <= 1; ++di) {
      if (j + dj < 0 || j + dj >= n_slow || i + di < 0 || i + di >= n_fast) continue;
      const double weight = (dj == 0 ? 1.0 : 0.5) * (di == 0 ? 1.0 : 0.5);
      sum += weight * fine[static_cast<long long>(j + dj) * n_fast + i + di];
    }
  coarse[point] = sum;
}

// fine = P coarse.
__global__ void interpolate_kernel(const __grid_constant__ Transfers transfers, long long n_fine, const double* coarse,
                                   double* fine, const CgState* state) {
  const long long point = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (state->done != 0 || point >= n_fine) return;
  const Transfer t = transfers.at<false>(point);
  const long long k = point - t.fine.offset;
  const int j = static_cast<int>(k / t.fine.n_fast), i = static_cast<int>(k % t.fine.n_fast);
  const long long first = t.coarse.offset + static_cast<long long>(j / 2) * t.coarse.n_fast + i / 2;
  const long long above = j % 2 == 0 ? first : first + t.coarse.n_fast;
  const int right = i % 2;
  fine[point] = 0.25 * ((coarse[first] + coarse[first + right]) + (coarse[above] + coarse[above + right]));
}

// z = A^-1 r on the coarsest grid, a warp per row.
__global__ void coarsest_kernel(int n, const double* inverse, const double* r, double* z, const CgState* state) {
  const int row = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) / kWarp, lane = threadIdx.x % kWarp;
  if (state->done != 0 || row >= n) return;
  double sum = 0.0;
  for (int k = lane; k < n; k += kWarp) sum += inverse[static_cast<long long>(row) * n + k] * r[k];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) z[row] = sum;
}

// beta from r.z.
__global__ void product_kernel(long long n, const double* r, const double* z, double* partial, const CgState* state) {
  if (state->done != 0) return;
  double sums[1] = {0.0};
  for (long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * kThreads)
    sums[0] += r[k] * z[k];
  leave_sums(sums, partial);
}

// r -= its mean: what rounding has left there of A's kernel.
__global__ void sum_kernel(long long n, const double* r, double* partial, const CgState* state) {
  if (state->done != 0) return;
  double sums[1] = {0.0};
  for (long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * kThreads)
    sums[0] += r[k];
  leave_sums(sums, partial);
}
__global__ void subtract_mean_kernel(long long n, const double* partial, unsigned n_partial, double* r,
                                     const CgState* state) {
  if (state->done != 0) return;
  __shared__ double mean;
  double totals[1];
  collect_sums(partial, n_partial, totals);
  if (threadIdx.x == 0) mean = totals[0] / static_cast<double>(n);
  __syncthreads();
  for (long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * kThreads)
    r[k] -= mean;
}

unsigned blocks_for(long long n_threads) {
  return static_cast<unsigned>((n_threads + kThreads - 1) / kThreads);
}

Index size_of(const DeviceLevel& level) {
  return std::visit([](const auto& a) { return a.size(); }, level.a);
}

class Cycle {
 public:
  Cycle(DeviceHandles& handles, const std::vector<DeviceLevel>& levels, const Matrix& coarsest_inverse)
      : handles_(handles) {
    std::size_t total = static_cast<std::size_t>(coarsest_inverse.size());
    for (const DeviceLevel& level : levels) total += 4 * static_cast<std::size_t>(size_of(level));
    double* place = memory_.reserve<double>(total);
    inverse_ = place;
    handles.upload(inverse_, coarsest_inverse.data(), static_cast<std::size_t>(coarsest_inverse.size()));
    place += coarsest_inverse.size();
    for (const DeviceLevel& level : levels) {
      const Index n = size_of(level);
      levels_.push_back({std::visit([&](const auto& a) { return make_level(handles, a); }, level.a),
                         level.largest_eigenvalue,
                         {},
                         place,
                         place + n,
                         place + 2 * n,
                         place + 3 * n});
      place += 4 * n;
    }
    send_transfers();
    find_largest_eigenvalues();
    GWRM_DEVICE(cudaMemsetAsync(levels_.front().r, 0,
                                (total - static_cast<std::size_t>(coarsest_inverse.size())) * sizeof(double),
                                handles.stream));
    GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
  }

  const LevelOperator& finest() const { return *levels_.front().a; }

  // Records z = the cycle's approximation of A^-1 r.
  const double* record(const double* r, const CgState* state) {
    state_ = state;
    level_cycle(0, r);
    return levels_.front().z;
  }

 private:
  struct Level {
    std::unique_ptr<LevelOperator> a;
    double largest;
    Transfers to_coarser;
    double *r, *z, *d, *d_other;
  };

  void send_transfers() {
    std::vector<Transfer> all;
    for (std::size_t k = 0; k + 1 < levels_.size(); ++k) {
      const std::vector<PointGrid> fine = levels_[k].a->grids(), coarse = levels_[k + 1].a->grids();
      if (fine.size() != coarse.size()) throw ShapeError("cg_multigrid: levels of different blocks");
      for (std::size_t b = 0; b < fine.size(); ++b) all.push_back({fine[b], coarse[b]});
    }
    Transfer* place = transfers_.reserve<Transfer>(all.size());
    handles_.upload(place, all.data(), all.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // `all` goes
    std::size_t first = 0;
    for (std::size_t k = 0; k + 1 < levels_.size(); ++k) {
      const std::size_t n = levels_[k].a->grids().size();
      levels_[k].to_coarser = {all[first], place + first, static_cast<int>(n)};
      first += n;
    }
  }

  // Where none is given, as on the CPU (problems/sbp_sat/multigrid.cpp).
  void find_largest_eigenvalues() {
    double coarser = 0.0;
    for (std::size_t k = levels_.size() - 1; k-- > 0;) {
      Level& level = levels_[k];
      if (level.largest > 0.0) continue;
      coarser = std::max(coarser, power_iteration(level));
      level.largest = multigrid::kSafety * coarser;
    }
  }

  // Of D^-1 A; so few steps need no scaling of the vectors.
  double power_iteration(Level& level) {
    const long long n = level.a->size();
    DeviceBuffer sums;
    double* partial = sums.reserve<double>(kSweepBlocks + sizeof(CgState) / sizeof(double) + 1);
    CgState* state = reinterpret_cast<CgState*>(partial + kSweepBlocks);
    GWRM_DEVICE(cudaMemsetAsync(state, 0, sizeof(CgState), handles_.stream));
    const auto square = [&] {
      product_kernel<<<kSweepBlocks, kThreads, 0, handles_.stream>>>(n, level.d, level.d, partial, state);
      GWRM_LAUNCHED(product_kernel);
      collect_start_kernel<<<1, kCollectors, 0, handles_.stream>>>(partial, kSweepBlocks, state);
      GWRM_LAUNCHED(collect_start_kernel);
      CgState found = {};
      handles_.download(&found, state, 1);
      return found.rz;
    };
    const std::vector<double> start = multigrid::power_start(n);
    handles_.upload(level.d, start.data(), start.size());
    const int n_steps = multigrid::power_steps(n);
    double before = 0.0;
    for (int step = 0; step < n_steps; ++step) {
      if (step + 1 == n_steps) before = square();
      GWRM_DEVICE(cudaMemsetAsync(level.r, 0, static_cast<std::size_t>(n) * sizeof(double), handles_.stream));
      level.a->smooth(Pending::none, 0.0, 0.0, true, level.d, level.d_other, level.r, level.z, state);  // r = -A d
      level.a->start_smoothing(1.0, nullptr, level.r, level.d, state);                                  // d = D^-1 r
    }
    return std::sqrt(square() / before);
  }

  void level_cycle(std::size_t number, const double* source) {
    Level& level = levels_[number];
    const LevelOperator& a = *level.a;
    if (number + 1 == levels_.size()) {
      const int n = static_cast<int>(a.size());
      coarsest_kernel<<<blocks_for(1LL * n * kWarp), kThreads, 0, handles_.stream>>>(n, inverse_, level.r, level.z,
                                                                                     state_);
      GWRM_LAUNCHED(coarsest_kernel);
      return;
    }
    const double centre = 0.5 * (1.0 + kSmoothedPart) * level.largest;
    a.start_smoothing(1.0 / centre, source, level.r, level.d, state_);
    const Chebyshev c(level.largest);
    smooth(level, Pending::next, c.keep[0], c.add[0], true);
    smooth(level, Pending::next, c.keep[1], c.add[1], false);
    smooth(level, Pending::none, 0.0, 0.0, false);

    Level& coarse = levels_[number + 1];
    const long long n_coarse = coarse.a->size();
    restrict_kernel<<<blocks_for(n_coarse), kThreads, 0, handles_.stream>>>(level.to_coarser, n_coarse, level.r,
                                                                            coarse.r, state_);
    GWRM_LAUNCHED(restrict_kernel);
    level_cycle(number + 1, nullptr);
    interpolate_kernel<<<blocks_for(a.size()), kThreads, 0, handles_.stream>>>(level.to_coarser, a.size(), coarse.z,
                                                                               level.d, state_);
    GWRM_LAUNCHED(interpolate_kernel);
    smooth(level, Pending::next, 0.0, 1.0 / centre, false);
    smooth(level, Pending::next, c.keep[0], c.add[0], false);
    smooth(level, Pending::last, c.keep[1], c.add[1], false);
  }

  // Factors of Chebyshev's recurrence (Saad, Iterative Methods, algorithm 12.1) on [l/4, l].
  struct Chebyshev {
    explicit Chebyshev(double upper) {
      const double lower = kSmoothedPart * upper, radius = 0.5 * (upper - lower);
      const double sigma = 0.5 * (upper + lower) / radius;
      double rho = 1.0 / sigma;
      for (int step = 0; step < 2; ++step) {
        const double next = 1.0 / (2.0 * sigma - rho);
        keep[step] = next * rho;
        add[step] = 2.0 * next / radius;
        rho = next;
      }
    }
    double keep[2], add[2];
  };

  void smooth(Level& level, Pending pending, double keep, double add, bool z_is_zero) {
    level.a->smooth(pending, keep, add, z_is_zero, level.d, level.d_other, level.r, level.z, state_);
    std::swap(level.d, level.d_other);
  }

  DeviceHandles& handles_;
  const CgState* state_ = nullptr;
  DeviceBuffer memory_, transfers_;
  double* inverse_ = nullptr;
  std::vector<Level> levels_;
};

}  // namespace

DeviceCgResult cg_multigrid(const Context& context, const std::vector<DeviceLevel>& levels,
                            const Matrix& coarsest_inverse, const std::vector<double>& b, std::vector<double>& x,
                            const DeviceCgOptions& options) {
  if (levels.size() < 2 || coarsest_inverse.rows() != size_of(levels.back()) ||
      coarsest_inverse.rows() > kMaxCoarsestUnknowns)
    throw ShapeError("cg_multigrid: levels or a coarsest inverse that do not fit");
  DeviceHandles& handles = *context.device();
  Cycle cycle(handles, levels, coarsest_inverse);
  const LevelOperator& a = cycle.finest();
  CgVectors v(handles, b, options, kMaxSums * static_cast<long long>(std::max(kSweepBlocks, a.n_sums())));
  const auto record = [&] {
    for (int k = 0; k < 2; ++k) {
      double *from = k == 0 ? v.p : v.p_other, *to = k == 0 ? v.p_other : v.p;
      if (options.constants_in_kernel) {
        sum_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(a.size(), v.r, v.partial, v.state);
        GWRM_LAUNCHED(sum_kernel);
        subtract_mean_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(a.size(), v.partial, kSweepBlocks, v.r,
                                                                            v.state);
        GWRM_LAUNCHED(subtract_mean_kernel);
      }
      const double* z = cycle.record(v.r, v.state);
      product_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(a.size(), v.r, z, v.partial, v.state);
      GWRM_LAUNCHED(product_kernel);
      collect_product_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
      GWRM_LAUNCHED(collect_product_kernel);
      a.direction(z, from, to, v.partial, v.state);
      collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, a.n_sums(), v.state);
      GWRM_LAUNCHED(collect_curvature_kernel);
      a.step(to, v.x, v.r, v.partial, v.state);
      collect_residual_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, a.n_sums(), v.history, v.state);
      GWRM_LAUNCHED(collect_residual_kernel);
    }
  };
  return replay(handles, v, record, x);
}

}  // namespace gwrm::cuda
