// Conjugate gradients with a multigrid V-cycle: cycle, direction and step are recorded as one graph per iteration.
//
// The smoother keeps a correction d pending: one walk over the grid does r -= A d, z += d, d' = keep d + add D^-1 r.
// Three of them are the Chebyshev polynomial of degree 3, before and after the coarse grid, whose correction is the
// first d behind it.
#include "core/device_handles.cuh"

#include <algorithm>
#include <vector>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "kernels/device_cg.cuh"
#include "kernels/device_sums.cuh"
#include "kernels/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 256;
constexpr double kSmoothedPart = 0.25;  // of the spectrum of D^-1 A: [l/4, l]
constexpr unsigned kSweepBlocks = 1056;

// What a smoothing walk does besides r -= A d and z += d.
enum class Pending { next, none, last };  // a new d; nothing; z += the new d as well

template <int half, int rows, Pending pending>
__global__ void smooth_kernel(DeviceSeparable a, double keep, double add, bool z_is_zero, const double* d,
                              double* d_new, double* r, double* z, const CgState* state) {
  if (state->done != 0) return;
  walk<half, rows>(
      a, [&](int j, int i) { return d[a.place(j, i)]; },
      [&](int j, int i) { return make_double2(r[a.place(j, i)], z_is_zero ? 0.0 : z[a.place(j, i)]); },
      [&](int j, int i, double value, double image, double2 before) {
        const long long k = a.place(j, i);
        const double residual = before.x - image;
        double correction = value;
        if (pending != Pending::last) r[k] = residual;
        if (pending != Pending::none) {
          const double next = keep * value + add * a.inverse_diagonal(j, i) * residual;
          if (pending == Pending::next)
            d_new[k] = next;
          else
            correction += next;
        }
        z[k] = before.y + correction;
      });
}

// r = source (or left as it is where source is null), d = add D^-1 r.
__global__ void start_smoothing_kernel(DeviceSeparable a, double add, const double* source, double* r, double* d,
                                       const CgState* state) {
  const long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (state->done != 0 || k >= a.size()) return;
  const double residual = source == nullptr ? r[k] : source[k];
  if (source != nullptr) r[k] = residual;
  d[k] = add * a.inverse_diagonal(static_cast<int>(k / a.fast.n), static_cast<int>(k % a.fast.n)) * residual;
}

// coarse = P^T fine with P linear interpolation.
__global__ void restrict_kernel(int n_slow, int n_fast, int coarse_slow, int coarse_fast, const double* fine,
                                double* coarse, const CgState* state) {
  const int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (state->done != 0 || k >= coarse_slow * coarse_fast) return;
  const int j = 2 * (k / coarse_fast), i = 2 * (k % coarse_fast);
  double sum = 0.0;
  for (int dj = -1; dj <= 1; ++dj)
    for (int di = -1; di <= 1; ++di) {
      if (j + dj < 0 || j + dj >= n_slow || i + di < 0 || i + di >= n_fast) continue;
      const double weight = (dj == 0 ? 1.0 : 0.5) * (di == 0 ? 1.0 : 0.5);
      sum += weight * fine[static_cast<long long>(j + dj) * n_fast + i + di];
    }
  coarse[k] = sum;
}

// fine = P coarse.
__global__ void interpolate_kernel(int n_slow, int n_fast, int coarse_fast, const double* coarse, double* fine,
                                   const CgState* state) {
  const long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (state->done != 0 || k >= static_cast<long long>(n_slow) * n_fast) return;
  const int j = static_cast<int>(k / n_fast), i = static_cast<int>(k % n_fast);
  const long long first = static_cast<long long>(j / 2) * coarse_fast + i / 2;
  const long long above = j % 2 == 0 ? first : first + coarse_fast;
  const int right = i % 2;
  fine[k] = 0.25 * ((coarse[first] + coarse[first + right]) + (coarse[above] + coarse[above + right]));
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

template <int half, int rows>
__global__ void direction_kernel(DeviceSeparable a, const double* z, const double* p, double* p_new, double* partial,
                                 CgState* state) {
  if (state->done != 0) return;
  const double beta = state->beta;
  double sums[1] = {0.0};
  walk<half, rows>(
      a, [&](int j, int i) { return z[a.place(j, i)] + beta * p[a.place(j, i)]; }, [](int, int) { return Nothing(); },
      [&](int j, int i, double value, double image, Nothing) {
        p_new[a.place(j, i)] = value;
        sums[0] += value * image;
      });
  leave_sums(sums, partial);
}

template <int half, int rows>
__global__ void step_kernel(DeviceSeparable a, const double* p, double* x, double* r, double* partial,
                            const CgState* state) {
  if (state->done != 0) return;
  const double alpha = state->alpha;
  double sums[1] = {0.0};
  walk<half, rows>(
      a, [&](int j, int i) { return p[a.place(j, i)]; },
      [&](int j, int i) { return make_double2(x[a.place(j, i)], r[a.place(j, i)]); },
      [&](int j, int i, double value, double image, double2 before) {
        const long long k = a.place(j, i);
        x[k] = before.x + alpha * value;
        const double residual = before.y - alpha * image;
        r[k] = residual;
        sums[0] += residual * residual;
      });
  leave_sums(sums, partial);
}

unsigned blocks_for(long long n_threads) {
  return static_cast<unsigned>((n_threads + kThreads - 1) / kThreads);
}

class Cycle {
 public:
  Cycle(DeviceHandles& handles, const std::vector<DeviceLevel>& levels, const Matrix& coarsest_inverse,
        const CgState* state)
      : handles_(handles), state_(state) {
    std::size_t total = static_cast<std::size_t>(coarsest_inverse.size());
    for (const DeviceLevel& level : levels) total += 4 * static_cast<std::size_t>(level.a.size());
    double* place = memory_.reserve<double>(total);
    inverse_ = place;
    handles.upload(inverse_, coarsest_inverse.data(), static_cast<std::size_t>(coarsest_inverse.size()));
    place += coarsest_inverse.size();
    for (const DeviceLevel& level : levels) {
      const Index n = level.a.size();
      levels_.push_back({std::make_unique<DeviceSeparableTables>(handles, level.a), level.largest_eigenvalue, place,
                         place + n, place + 2 * n, place + 3 * n});
      place += 4 * n;
    }
    GWRM_DEVICE(cudaMemsetAsync(levels_.front().r, 0,
                                (total - static_cast<std::size_t>(coarsest_inverse.size())) * sizeof(double),
                                handles.stream));
    GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
  }

  // Records z = the cycle's approximation of A^-1 r.
  const double* record(const double* r) {
    level_cycle(0, r);
    return levels_.front().z;
  }

 private:
  struct Level {
    std::unique_ptr<DeviceSeparableTables> tables;
    double largest;
    double *r, *z, *d, *d_other;
    const DeviceSeparable& a() const { return tables->view(); }
  };

  void level_cycle(std::size_t number, const double* source) {
    Level& level = levels_[number];
    const DeviceSeparable& a = level.a();
    if (number + 1 == levels_.size()) {
      const int n = static_cast<int>(a.size());
      coarsest_kernel<<<blocks_for(1LL * n * kWarp), kThreads, 0, handles_.stream>>>(n, inverse_, level.r, level.z,
                                                                                     state_);
      GWRM_LAUNCHED(coarsest_kernel);
      return;
    }
    const double centre = 0.5 * (1.0 + kSmoothedPart) * level.largest;
    start_smoothing_kernel<<<blocks_for(a.size()), kThreads, 0, handles_.stream>>>(a, 1.0 / centre, source, level.r,
                                                                                   level.d, state_);
    GWRM_LAUNCHED(start_smoothing_kernel);
    const Chebyshev c(level.largest);
    smooth<Pending::next>(level, c.keep[0], c.add[0], true);
    smooth<Pending::next>(level, c.keep[1], c.add[1], false);
    smooth<Pending::none>(level, 0.0, 0.0, false);

    Level& coarse = levels_[number + 1];
    const DeviceRows &slow = a.slow, &fast = a.fast, &coarse_slow = coarse.a().slow, &coarse_fast = coarse.a().fast;
    restrict_kernel<<<blocks_for(coarse.a().size()), kThreads, 0, handles_.stream>>>(
        slow.n, fast.n, coarse_slow.n, coarse_fast.n, level.r, coarse.r, state_);
    GWRM_LAUNCHED(restrict_kernel);
    level_cycle(number + 1, nullptr);
    interpolate_kernel<<<blocks_for(a.size()), kThreads, 0, handles_.stream>>>(slow.n, fast.n, coarse_fast.n, coarse.z,
                                                                               level.d, state_);
    GWRM_LAUNCHED(interpolate_kernel);
    smooth<Pending::next>(level, 0.0, 1.0 / centre, false);
    smooth<Pending::next>(level, c.keep[0], c.add[0], false);
    smooth<Pending::last>(level, c.keep[1], c.add[1], false);
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

  template <Pending pending>
  void smooth(Level& level, double keep, double add, bool z_is_zero) {
    const DeviceSeparable& a = level.a();
    with_schedule(a, level.tables->half(), [&](auto half, auto rows) {
      smooth_kernel<half(), rows(), pending><<<walk_grid(a), kColumns, 0, handles_.stream>>>(
          a, keep, add, z_is_zero, level.d, level.d_other, level.r, level.z, state_);
      GWRM_LAUNCHED(smooth_kernel);
    });
    std::swap(level.d, level.d_other);
  }

  DeviceHandles& handles_;
  const CgState* state_;
  DeviceBuffer memory_;
  double* inverse_ = nullptr;
  std::vector<Level> levels_;
};

}  // namespace

DeviceCgResult cg_multigrid(const Context& context, const std::vector<DeviceLevel>& levels,
                            const Matrix& coarsest_inverse, const std::vector<double>& b, std::vector<double>& x,
                            const DeviceCgOptions& options) {
  if (levels.size() < 2 || coarsest_inverse.rows() != levels.back().a.size() ||
      coarsest_inverse.rows() > kMostCoarsestUnknowns)
    throw ShapeError("cg_multigrid: levels or a coarsest inverse that do not fit");
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, levels.front().a);
  const DeviceSeparable& view = tables.view();
  const dim3 grid = walk_grid(view);
  CgVectors v(handles, b, options, kMostSums * std::max<long long>(kSweepBlocks, 1LL * grid.x * grid.y));
  Cycle cycle(handles, levels, coarsest_inverse, v.state);
  const auto record = [&] {
    for (int k = 0; k < 2; ++k) {
      double *from = k == 0 ? v.p : v.p_other, *to = k == 0 ? v.p_other : v.p;
      const double* z = cycle.record(v.r);
      product_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(view.size(), v.r, z, v.partial, v.state);
      GWRM_LAUNCHED(product_kernel);
      collect_product_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
      GWRM_LAUNCHED(collect_product_kernel);
      with_schedule(view, tables.half(), [&](auto half, auto rows) {
        direction_kernel<half(), rows()><<<grid, kColumns, 0, handles.stream>>>(view, z, from, to, v.partial, v.state);
        GWRM_LAUNCHED(direction_kernel);
        collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, grid.x * grid.y, v.state);
        GWRM_LAUNCHED(collect_curvature_kernel);
        step_kernel<half(), rows()><<<grid, kColumns, 0, handles.stream>>>(view, to, v.x, v.r, v.partial, v.state);
        GWRM_LAUNCHED(step_kernel);
        collect_residual_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, grid.x * grid.y, v.history, v.state);
        GWRM_LAUNCHED(collect_residual_kernel);
      });
    }
  };
  return replay(handles, v, record, x);
}

}  // namespace gwrm::cuda
