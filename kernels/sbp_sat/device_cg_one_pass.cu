// Conjugate gradients of Chronopoulos and Gear with one kernel per iteration, order 2:
//   p' = z + beta p,  r' = r - alpha A p',  z' = S r',  and the sums r'.r', r'.z', z'.A z' for the next iteration.
//
// A warp walks down a strip of 28 columns, a column per lane, with two more on either side that its neighbours own: A
// p' is wanted one column beyond its own for A z'. The last four rows of p', r and z' stay in registers; neighbours in
// a row come from the neighbouring lanes. r and p are read from one pair of vectors and written to another, so that
// warps need not wait for each other. x gets two steps at once in every second iteration: 40 bytes a point from memory.
// Every warp adds up the sums of the launch before by itself, in the same order.
#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / kWarpSize;
constexpr int kHalo = 2, kOwned = kWarpSize - 2 * kHalo;  // columns of a warp
constexpr int kQueue = 4;                                 // rows in registers, and the widest closure
constexpr int kAhead = 4;                                 // rows on their way
constexpr int kFewestRows = 8;                            // of a strip
constexpr int kWarpsPerMultiprocessor = 16;               // as many as the registers of a lane (125) allow
constexpr int kMostSumsHere = 3;
constexpr unsigned kAllLanes = 0xffffffffu;

// n things in n_parts parts that differ by one at most.
struct Parts {
  int n_parts, base, extra;
  __host__ __device__ int size(int part) const { return base + (part < extra ? 1 : 0); }
  __host__ __device__ int first(int part) const { return part * base + (part < extra ? part : extra); }
};
Parts parts_of(int n, int n_parts) {
  return {n_parts, n / n_parts, n % n_parts};
}

struct Pass {
  const double *r, *p;  // before
  double *r_new, *p_new;
  double* x;
  const double* sums;  // of the launch before: sum k of block b at [k * number of blocks + b]
  double* sums_new;
  const CgState* state;
  CgState* state_new;
};

// A point of the vectors before.
struct Row {
  double r, p, x;
};

// What a lane knows of its column.
struct Column {
  bool has_edge;  // some column of the warp belongs to a closure
  bool interior;
  double weight, diagonal, inverse_diagonal;  // inverse_diagonal: in interior rows
  double closure[kQueue];
  int closure_lane;

  __device__ Column(const DeviceSeparable& a, int i, int first) {
    const DeviceRows& f = a.fast;
    interior = f.is_interior(i);
    has_edge = __any_sync(kAllLanes, !interior);
    weight = f.weight(i);
    diagonal = f.diagonal_entry(i);
    inverse_diagonal = 1.0 / (a.slow.interior_diagonal * weight + a.slow.interior_weight * diagonal);
    const bool lower = i < f.n_closure;
    const double* row = lower ? f.first + i * f.closure_width : f.last + (i - f.interior_end) * f.closure_width;
    for (int k = 0; k < kQueue; ++k) closure[k] = !interior && k < f.closure_width ? row[k] : 0.0;
    closure_lane = interior ? 0 : (lower ? 0 : f.n - f.closure_width) - first;
  }
  // The part of A v along fast, unweighted; v of the lane's row.
  __device__ double along_fast(const DeviceRows& fast, double v) const {
    const double left = __shfl_up_sync(kAllLanes, v, 1), right = __shfl_down_sync(kAllLanes, v, 1);
    const double sum = fast.interior[0] * left + fast.interior[1] * v + fast.interior[2] * right;
    if (!has_edge) return sum;
    double other = 0.0;
#pragma unroll
    for (int k = 0; k < kQueue; ++k) other += closure[k] * __shfl_sync(kAllLanes, v, closure_lane + k);
    return interior ? sum : other;
  }
  // A v in an interior row.
  __device__ double image(const DeviceSeparable& a, double below, double here, double above) const {
    const double* c = a.slow.interior;
    return weight * (c[0] * below + c[1] * here + c[2] * above) + a.slow.interior_weight * along_fast(a.fast, here);
  }
  // A v in row `row` (0, 1, 2) from the lower end, of which v[0 ... 3] are the first rows.
  __device__ double image_at_lower_end(const DeviceSeparable& a, const double (&v)[kQueue], int row) const {
    const DeviceRows& s = a.slow;
    double sum = 0.0;
    if (row < s.n_closure) {
#pragma unroll
      for (int k = 0; k < kQueue; ++k)
        if (k < s.closure_width) sum += s.first[row * s.closure_width + k] * v[k];
    } else {
      sum = s.interior[0] * v[max(row, 1) - 1] + s.interior[1] * v[row] + s.interior[2] * v[row + 1];
    }
    return weight * sum + s.weight(row) * along_fast(a.fast, v[row]);
  }
  // The same in row n - 1 - row, where v[3 ... 0] are the rows from the upper end.
  __device__ double image_at_upper_end(const DeviceSeparable& a, const double (&v)[kQueue], int row) const {
    const DeviceRows& s = a.slow;
    const int here = kQueue - 1 - row;
    double sum = 0.0;
    if (row < s.n_closure) {
      const double* entries = s.last + (s.n_closure - row) * s.closure_width - 1;
#pragma unroll
      for (int k = 0; k < kQueue; ++k)
        if (k < s.closure_width) sum += entries[-k] * v[kQueue - 1 - k];
    } else {
      sum = s.interior[0] * v[here - 1] + s.interior[1] * v[here] + s.interior[2] * v[min(here + 1, kQueue - 1)];
    }
    return weight * sum + s.weight(s.n - 1 - row) * along_fast(a.fast, v[here]);
  }
};

__device__ inline void push(double (&queue)[kQueue], double value) {
#pragma unroll
  for (int k = 0; k + 1 < kQueue; ++k) queue[k] = queue[k + 1];
  queue[kQueue - 1] = value;
}

// The coefficients of an iteration, from the sums that the launch before has left; alpha_before as it was there.
struct Coefficients {
  double alpha, beta, alpha_before;
  bool goes_on;
};

template <int n_sums>
__device__ Coefficients take_sums(const Pass& pass, double* history) {
  CgState state = *pass.state;
  double totals[n_sums] = {};  // r.z, z.A z, r.r
#pragma unroll
  for (int k = 0; k < n_sums; ++k)
    for (unsigned b = threadIdx.x % kWarpSize; b < gridDim.x; b += kWarpSize) totals[k] += pass.sums[k * gridDim.x + b];
  const bool first = state.iteration == 0;
  const double inverse_before = first ? 0.0 : reciprocal(state.rz);
  const double inverse_alpha = first ? 0.0 : reciprocal(state.alpha);
#pragma unroll
  for (int k = 0; k < n_sums; ++k)
    for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
      totals[k] += __shfl_xor_sync(kAllLanes, totals[k], offset);
  const bool reports = blockIdx.x == 0 && threadIdx.x == 0;
  Coefficients result{0.0, 0.0, state.alpha, state.done == 0};
  if (state.iteration < 0) {  // the start: only sums are wanted
    state.iteration = 0;
  } else if (state.done == 0) {
    const double gamma = totals[0], square = totals[n_sums == 3 ? 2 : 0];
    const double beta = gamma * inverse_before, curvature = totals[1] - beta * gamma * inverse_alpha;
    if (reports) history[state.iteration] = sqrt(square);
    if (!isfinite(square))
      end_cg(&state, DeviceCgStatus::not_finite);
    else if (square <= state.stop)
      end_cg(&state, DeviceCgStatus::converged);
    else if (state.iteration >= state.max_iterations)
      end_cg(&state, DeviceCgStatus::stalled);
    else if (!(curvature > 0.0) || !isfinite(curvature))
      end_cg(&state, isfinite(curvature) ? DeviceCgStatus::not_definite : DeviceCgStatus::not_finite);
    result.goes_on = state.done == 0;
    if (result.goes_on) {
      state.rz = gamma;
      state.beta = result.beta = beta;
      state.alpha = result.alpha = gamma * reciprocal(curvature);
      ++state.iteration;
    }
  }
  if (reports) *pass.state_new = state;
  return result;
}

template <bool jacobi, bool with_x>
__global__ void __launch_bounds__(kThreads, 1)
    one_pass_kernel(DeviceSeparable a, Parts rows, Parts columns, Pass pass, double* history) {
  // Warps beyond the last part repeat it and keep nothing.
  const int lane = threadIdx.x % kWarpSize, warp = static_cast<int>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize;
  const int n_parts = rows.n_parts * columns.n_parts, part = min(warp, n_parts - 1), n = a.slow.n;
  const int strip = part / columns.n_parts, tile = part % columns.n_parts;
  const int begin = rows.first(strip), end = begin + rows.size(strip);
  const int first_column = columns.first(tile) - kHalo;
  const int i = min(max(first_column + lane, 0), a.fast.n - 1);
  const bool owned = warp < n_parts && lane >= kHalo && lane < kHalo + columns.size(tile);
  const int first = max(begin - kHalo, 0), last = min(end + kHalo, n) - 1;
  const auto fetch = [&](int j) {
    const int place = min(j, last) * a.fast.n + i;
    const bool x_wanted = with_x && owned && j >= begin && j < end;
    return Row{pass.r[place], pass.p[place], x_wanted ? pass.x[place] : 0.0};
  };
  // The slots of `ahead` are known to the compiler: a move from one to another would wait for what is on its way.
  Row ahead[kAhead];
#pragma unroll
  for (int k = 0; k < kAhead; ++k) ahead[k] = fetch(first + k);
  const Column column(a, i, first_column);
  constexpr int n_sums = jacobi ? 3 : 2;
  const Coefficients step = take_sums<n_sums>(pass, history);
  if (!step.goes_on) return;

  const auto scale = [&](int j) {
    if constexpr (!jacobi) return 1.0;
    if (a.slow.is_interior(j)) return column.inverse_diagonal;
    return 1.0 / (a.slow.diagonal_entry(j) * column.weight + a.slow.weight(j) * column.diagonal);
  };
  double sums[n_sums] = {};  // r'.z', z'.A z', r'.r'
  double p[kQueue] = {}, r[kQueue] = {}, z[kQueue] = {};
  // Row j of p' and x.
  const auto turn = [&](int j, const Row& before) {
    const double direction = scale(j) * before.r + step.beta * before.p;
    push(p, direction);
    push(r, before.r);
    if (!owned || j < begin || j >= end) return;
    const int place = j * a.fast.n + i;
    pass.p_new[place] = direction;
    if (with_x) pass.x[place] = before.x + step.alpha_before * before.p + step.alpha * direction;
  };
  // Row j of r' and z', from A p'; `before` is r.
  const auto take = [&](int j, double before, double image) {
    const double residual = before - step.alpha * image, here = scale(j) * residual;
    push(z, here);
    if (!owned || j < begin || j >= end) return;
    pass.r_new[j * a.fast.n + i] = residual;
    sums[0] += residual * here;
    if constexpr (jacobi) sums[2] += residual * residual;
  };
  const auto add_curvature = [&](double here, double image) {
    if (owned) sums[1] += here * image;
  };

#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    const Row row = ahead[k];
    ahead[k] = fetch(first + kAhead + k);
    turn(first + k, row);
    if (begin > 0 && k >= kHalo) take(first + k - 1, r[2], column.image(a, p[1], p[2], p[3]));
  }
  // Rows 0 to 2 and the last three may belong to closures: they wait until all that they take is there.
  if (begin == 0) {
#pragma unroll
    for (int row = 0; row + 1 < kQueue; ++row) take(row, r[row], column.image_at_lower_end(a, p, row));
  }
  const int last_plain = min(last, n - 1 - kHalo);
  for (int y = first + kAhead; y <= last_plain; y += kAhead) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (y + k > last_plain) break;
      const Row row = ahead[k];
      ahead[k] = fetch(y + kAhead + k);
      turn(y + k, row);
      take(y + k - 1, r[2], column.image(a, p[1], p[2], p[3]));
      if (k == 0 && begin == 0 && y == kQueue) {
#pragma unroll
        for (int at = 0; at + 1 < kQueue; ++at) add_curvature(z[at], column.image_at_lower_end(a, z, at));
      } else {
        add_curvature(z[2], column.image(a, z[1], z[2], z[3]));
      }
    }
  }
  if (last == n - 1) {
    turn(n - 2, fetch(n - 2));
    turn(n - 1, fetch(n - 1));
#pragma unroll
    for (int row = kQueue - 2; row >= 0; --row) {
      take(n - 1 - row, r[kQueue - 1 - row], column.image_at_upper_end(a, p, row));
      if (row == kQueue - 2) add_curvature(z[2], column.image(a, z[1], z[2], z[3]));
    }
#pragma unroll
    for (int row = 0; row + 1 < kQueue; ++row) add_curvature(z[kQueue - 1 - row], column.image_at_upper_end(a, z, row));
  }
  leave_sums(sums, pass.sums_new);
}

// x += alpha p behind an odd number of iterations.
__global__ void catch_up_kernel(long long n, const double* p, double* x, const CgState* state) {
  if (state->done == 0 || state->iteration % 2 == 0) return;
  const double alpha = state->alpha;
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * blockDim.x)
    x[k] += alpha * p[k];
}

int multiprocessors() {
  int device = 0, value = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
  return value;
}

bool fits_queue(const StencilRows& rows) {
  return rows.half == 1 && rows.n >= 2 * kQueue && rows.n_closure < kQueue && rows.closure_width <= kQueue;
}

}  // namespace

bool one_pass_fits(const SeparableOperator& a) {
  return fits_queue(a.slow) && fits_queue(a.fast) && a.size() < std::numeric_limits<int>::max();
}

DeviceCgResult cg_one_pass(DeviceHandles& handles, const SeparableOperator& a, const std::vector<double>& b,
                           std::vector<double>& x, const DeviceCgOptions& options) {
  const DeviceSeparableTables tables(handles, a);
  const DeviceSeparable& view = tables.view();
  const Parts columns = parts_of(view.fast.n, (view.fast.n + kOwned - 1) / kOwned);
  // Strips as long as the number of warps on the chip allows: each reads four rows besides its own.
  const int most_strips = std::max(1, multiprocessors() * kWarpsPerMultiprocessor / columns.n_parts);
  const Parts rows = parts_of(view.slow.n, std::max(1, std::min(most_strips, view.slow.n / kFewestRows)));
  const int n_blocks = (rows.n_parts * columns.n_parts + kWarps - 1) / kWarps;
  CgVectors v(handles, b, options, 2LL * kMostSumsHere * n_blocks);
  DeviceBuffer memory;
  CgState* other_state = memory.reserve<CgState>(1);
  GWRM_DEVICE(cudaMemsetAsync(v.partial, 0, 2LL * kMostSumsHere * n_blocks * sizeof(double), handles.stream));
  const auto launch = [&](int parity, bool with_x) {
    double* sums[2] = {v.partial, v.partial + static_cast<long long>(kMostSumsHere) * n_blocks};
    double *r[2] = {v.r, v.q}, *p[2] = {v.p, v.p_other};
    CgState* states[2] = {v.state, other_state};
    const Pass pass{r[parity],    p[parity],        r[1 - parity],  p[1 - parity],     v.x,
                    sums[parity], sums[1 - parity], states[parity], states[1 - parity]};
    const auto run = [&](auto kernel) {
      kernel<<<n_blocks, kThreads, 0, handles.stream>>>(view, rows, columns, pass, v.history);
      GWRM_LAUNCHED(one_pass_kernel);
    };
    if (options.jacobi)
      with_x ? run(one_pass_kernel<true, true>) : run(one_pass_kernel<true, false>);
    else
      with_x ? run(one_pass_kernel<false, true>) : run(one_pass_kernel<false, false>);
  };
  // The start: a step of length zero for its sums, from the other vectors into the first ones.
  GWRM_DEVICE(cudaMemcpyAsync(v.q, v.r, b.size() * sizeof(double), cudaMemcpyDeviceToDevice, handles.stream));
  GWRM_DEVICE(cudaMemcpyAsync(other_state, v.state, sizeof(CgState), cudaMemcpyDeviceToDevice, handles.stream));
  GWRM_DEVICE(cudaMemsetAsync(&other_state->iteration, 0xff, sizeof(int), handles.stream));  // -1
  launch(1, false);
  const auto record = [&] {
    for (int k = 0; k < kRecorded; ++k) launch(k % 2, k % 2 == 1);
    catch_up_kernel<<<multiprocessors(), kThreads, 0, handles.stream>>>(view.size(), v.p_other, v.x, v.state);
    GWRM_LAUNCHED(catch_up_kernel);
  };
  return replay(handles, v, record, x);
}

}  // namespace gwrm::cuda
