// Conjugate gradients of Chronopoulos and Gear with one kernel per iteration, order 2:
//   p' = z + beta p,  r' = r - alpha A p',  z' = S r',  and the sums r'.r', r'.z', z'.A z' for the next iteration.
//
// A warp walks down a strip of 28 columns, a column per lane, with two more on either side that its neighbours own: A
// p' is wanted one column beyond its own for A z'. The last four rows of p', r and z' stay in registers; neighbours in
// a row come from the neighbouring lanes. r and p are read from one pair of vectors and written to another, so that
// warps need not wait for each other. x gets two steps at once in every second iteration: 40 bytes a point from memory.
// Rows come into shared memory while those before are treated (in registers the compiler moves them about, and a move
// waits for what is on its way). Every warp adds up the sums of the launch before by itself, in the same order.
//
// The number of the warp and the decision to go on are taken by votes of the warp, although all lanes know them: the
// compiler then knows that lanes stay together, and shuffles need no care for lanes that do not.
#include <cuda_pipeline.h>

#include <algorithm>
#include <limits>

#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/short_rows.cuh"

namespace gwrm::cuda {

namespace {

constexpr int kWarpSize = 32;
constexpr int kThreads = 256, kBlocksPerMultiprocessor = 2;  // as many as 128 registers a lane allow
constexpr int kWarps = kThreads / kWarpSize;
constexpr int kHalo = 2, kOwned = kWarpSize - 2 * kHalo;  // columns of a warp
constexpr int kQueue = kEndEntries;                       // rows in registers
constexpr int kAhead = 2 * kQueue;                        // rows in shared memory or on their way there
constexpr int kMinRows = 8;                            // of a strip
constexpr int kMaxSumsHere = 3;
constexpr int kSumsAtOnce = 9;  // of a lane: those of 264 blocks on 132 multiprocessors
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

// The state behind the launch before and what a lane reads of its sums: asked for at once, added up when it is there.
template <int n_sums>
struct LastSums {
  CgState state;
  double parts[n_sums][kSumsAtOnce];

  __device__ explicit LastSums(const Pass& pass) : state(*pass.state) {
    const unsigned lane = threadIdx.x % kWarpSize, n = gridDim.x;
#pragma unroll
    for (int k = 0; k < n_sums; ++k) {
#pragma unroll
      for (unsigned round = 0; round < kSumsAtOnce; ++round) {
        const unsigned block = round * kWarpSize + lane;
        parts[k][round] = block < n ? pass.sums[k * n + block] : 0.0;
      }
    }
  }
};

template <int n_sums>
__device__ Coefficients take_sums(const Pass& pass, const LastSums<n_sums>& last, double* history) {
  CgState state = last.state;
  double totals[n_sums] = {};  // r.z, z.A z, r.r
#pragma unroll
  for (int k = 0; k < n_sums; ++k) {
#pragma unroll
    for (int round = 0; round < kSumsAtOnce; ++round) totals[k] += last.parts[k][round];
    for (unsigned b = kSumsAtOnce * kWarpSize + threadIdx.x % kWarpSize; b < gridDim.x; b += kWarpSize)
      totals[k] += pass.sums[k * gridDim.x + b];
  }
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

// The rows of a strip on their way into shared memory; every lane reads what it has asked for. Slots are counted in
// rows.
template <bool with_x>
class Rows {
 public:
  static constexpr int kVectors = with_x ? 3 : 2;
  static constexpr std::size_t kBytes = sizeof(double) * kAhead * kVectors * kThreads;

  __device__ Rows(const Pass& pass, double* memory, int n, int i, int first, int last)
      : pass_(pass), memory_(memory + threadIdx.x), n_(n), place_(first * n + i), last_(last * n + i) {}
  __device__ void ask(int slot, bool x_wanted) {
    double* to = memory_ + slot * (kVectors * kThreads);
    __pipeline_memcpy_async(to, pass_.r + place_, sizeof(double));
    __pipeline_memcpy_async(to + kThreads, pass_.p + place_, sizeof(double));
    if (with_x && x_wanted) __pipeline_memcpy_async(to + 2 * kThreads, pass_.x + place_, sizeof(double));
    __pipeline_commit();
    place_ = min(place_ + n_, last_);
  }
  // Of those that were asked for all but kAhead - 1 are there.
  __device__ Row take(int slot) const {
    __pipeline_wait_prior(kAhead - 1);
    const double* from = memory_ + slot * (kVectors * kThreads);
    return {from[0], from[kThreads], with_x ? from[2 * kThreads] : 0.0};
  }
  // Nothing may be on its way to the memory of a block that has ended.
  __device__ void drain() const { __pipeline_wait_prior(0); }

 private:
  const Pass& pass_;
  double* memory_;
  int n_, place_, last_;
};

struct Strip {
  int begin, end;   // rows of its own
  int first, last;  // rows that it reads
  int i;            // the lane's column
  bool owned;       // it is one of the strip's own
};

template <bool jacobi, bool with_x, bool edge>
__device__ void walk_strip(const ShortRows& slow, int n_fast, const Strip& s, const ShortColumn& column,
                           const Pass& pass, const Coefficients& step, Rows<with_x>& rows,
                           double (&sums)[jacobi ? 3 : 2]) {
  const int n = slow.n;
  const double plain = jacobi ? column.inverse_diagonal() : 1.0;  // S in an interior row
  const auto scale_at = [&](const EndRow& end) { return jacobi ? column.inverse_diagonal_at_end(slow, end) : 1.0; };
  const auto image = [&](const double(&v)[kQueue]) { return column.template image<edge>(v[1], v[2], v[3]); };
  const auto image_at_end = [&](const EndRow& end, int row, const double(&v)[kQueue]) {
    return column.template image_at_end<edge>(end, row, v);
  };
  double p[kQueue] = {}, r[kQueue] = {}, z[kQueue] = {};
  // Row j of p' and x, which is in slot half + k; `kept`: it is of the warp's own.
  const auto turn = [&](int j, int half, int k, double scale, bool kept) {
    rows.ask(k == 0 ? (half ^ kQueue) + kQueue - 1 : half + k - 1, s.owned && j + kAhead - 1 < s.end);
    const Row before = rows.take(half + k);
    const double direction = scale * before.r + step.beta * before.p;
    push(p, direction);
    push(r, before.r);
    if (!kept) return;
    const int place = j * n_fast + s.i;
    pass.p_new[place] = direction;
    if (with_x) pass.x[place] = before.x + step.alpha_before * before.p + step.alpha * direction;
  };
  // Row j of r' and z', from A p'; `before` is r.
  const auto take = [&](int j, double before, double image, double scale, bool in_strip) {
    const double residual = before - step.alpha * image, here = scale * residual;
    push(z, here);
    if (!in_strip) return;
    if (s.owned) pass.r_new[j * n_fast + s.i] = residual;
    sums[0] += residual * here;
    if constexpr (jacobi) sums[2] += residual * residual;
  };
  const auto add_curvature = [&](double here, double image) { sums[1] += here * image; };

  // Rows 0 to 2 and the last three may belong to closures: they wait until all that they take is there.
  const bool is_lowest = s.begin == 0, is_highest = s.end == n;
#pragma unroll
  for (int k = 0; k < kQueue; ++k) {
    const double scale = is_lowest && k < kEndRows ? scale_at(slow.lower[k]) : plain;
    turn(s.first + k, 0, k, scale, s.owned && (k >= kHalo || is_lowest));
    if (!is_lowest && k >= kHalo) take(s.first + k - 1, r[2], image(p), plain, k > kHalo);
  }
  if (is_lowest) {
#pragma unroll
    for (int row = 0; row < kEndRows; ++row)
      take(row, r[row], image_at_end(slow.lower[row], row, p), scale_at(slow.lower[row]), true);
  }
  const int last_plain = is_highest ? n - 1 - kEndRows : s.last;
  int half = kQueue;
  for (int y = s.first + kQueue; y <= last_plain; y += kQueue, half ^= kQueue) {
#pragma unroll
    for (int k = 0; k < kQueue; ++k) {
      if (y + k > last_plain) break;
      turn(y + k, half, k, plain, s.owned && y + k < s.end);
      take(y + k - 1, r[2], image(p), plain, y + k - 1 < s.end);
      if (k == 0 && is_lowest && y == kQueue) {
#pragma unroll
        for (int row = 0; row < kEndRows; ++row) add_curvature(z[row], image_at_end(slow.lower[row], row, z));
      } else {
        add_curvature(z[2], image(z));
      }
    }
  }
  if (is_highest) {
    const auto from_end = [](const double(&v)[kQueue], double(&reversed)[kQueue]) {
#pragma unroll
      for (int k = 0; k < kQueue; ++k) reversed[k] = v[kQueue - 1 - k];
    };
#pragma unroll 1
    for (int row = kEndRows - 1; row >= 0; --row) {
      const int j = n - 1 - row, at = j - s.first;
      turn(j, at & kQueue, at % kQueue, scale_at(slow.upper[row]), s.owned);
      if (row + 1 < kEndRows) continue;
      take(j - 1, r[2], image(p), plain, true);
      add_curvature(z[2], image(z));
    }
    double reversed[kQueue];
    from_end(p, reversed);
#pragma unroll
    for (int row = kEndRows - 1; row >= 0; --row) {
      take(n - 1 - row, r[kQueue - 1 - row], image_at_end(slow.upper[row], row, reversed), scale_at(slow.upper[row]),
           true);
      if (row + 1 == kEndRows) add_curvature(z[2], image(z));
    }
    from_end(z, reversed);
#pragma unroll
    for (int row = 0; row < kEndRows; ++row) add_curvature(reversed[row], image_at_end(slow.upper[row], row, reversed));
  }
}

template <bool jacobi, bool with_x>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor)
    one_pass_kernel(ShortRows slow, ShortRows fast, Parts strips, Parts tiles, Pass pass, double* history) {
  extern __shared__ double memory[];
  const int lane = threadIdx.x % kWarpSize;
  const int warp_in_block = static_cast<int>(__reduce_max_sync(kAllLanes, threadIdx.x / kWarpSize));
  // Warps beyond the last part repeat it and keep nothing.
  const int warp = static_cast<int>(blockIdx.x) * kWarps + warp_in_block;
  const int n_parts = strips.n_parts * tiles.n_parts, part = min(warp, n_parts - 1);
  const int strip = part / tiles.n_parts, tile = part % tiles.n_parts;
  const int begin = strips.first(strip), end = begin + strips.size(strip);
  const int first_column = tiles.first(tile) - kHalo;
  const Strip s{begin,
                end,
                max(begin - kHalo, 0),
                min(end + kHalo, slow.n) - 1,
                min(max(first_column + lane, 0), fast.n - 1),
                warp < n_parts && lane >= kHalo && lane < kHalo + tiles.size(tile)};
  const ShortColumn column(slow, fast, s.i);
  constexpr int n_sums = jacobi ? 3 : 2;
  const LastSums<n_sums> last(pass);
  Rows<with_x> rows(pass, memory, fast.n, s.i, s.first, s.last);
#pragma unroll
  for (int k = 0; k + 1 < kAhead; ++k) rows.ask(k, s.owned && s.first + k < end);
  const Coefficients step = take_sums<n_sums>(pass, last, history);
  if (!__any_sync(kAllLanes, step.goes_on)) {
    rows.drain();
    return;
  }
  double sums[n_sums] = {};  // r'.z', z'.A z', r'.r'
  if (__all_sync(kAllLanes, fast.is_interior(s.i)))
    walk_strip<jacobi, with_x, false>(slow, fast.n, s, column, pass, step, rows, sums);
  else
    walk_strip<jacobi, with_x, true>(slow, fast.n, s, column, pass, step, rows, sums);
  rows.drain();
#pragma unroll
  for (double& sum : sums) sum = s.owned ? sum : 0.0;
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

}  // namespace

bool one_pass_fits(const SeparableOperator& a) {
  return are_short(a.slow) && are_short(a.fast) && a.size() + a.fast.n < std::numeric_limits<int>::max();
}

DeviceCgResult cg_one_pass(DeviceHandles& handles, const SeparableOperator& a, const std::vector<double>& b,
                           std::vector<double>& x, const DeviceCgOptions& options) {
  const ShortRows slow = short_rows(a.slow, a.slow_weights), fast = short_rows(a.fast, a.fast_weights);
  const Parts tiles = parts_of(fast.n, (fast.n + kOwned - 1) / kOwned);
  // Strips as long as the number of warps on the chip allows: each reads four rows besides its own.
  const int most_strips = std::max(1, multiprocessors() * kBlocksPerMultiprocessor * kWarps / tiles.n_parts);
  const Parts strips = parts_of(slow.n, std::max(1, std::min(most_strips, slow.n / kMinRows)));
  const int n_blocks = (strips.n_parts * tiles.n_parts + kWarps - 1) / kWarps;
  CgVectors v(handles, b, options, 2LL * kMaxSumsHere * n_blocks);
  DeviceBuffer memory;
  CgState* other_state = memory.reserve<CgState>(1);
  GWRM_DEVICE(cudaMemsetAsync(v.partial, 0, 2LL * kMaxSumsHere * n_blocks * sizeof(double), handles.stream));
  const auto launch = [&](int parity, bool with_x) {
    double* sums[2] = {v.partial, v.partial + static_cast<long long>(kMaxSumsHere) * n_blocks};
    double *r[2] = {v.r, v.q}, *p[2] = {v.p, v.p_other};
    CgState* states[2] = {v.state, other_state};
    const Pass pass{r[parity],    p[parity],        r[1 - parity],  p[1 - parity],     v.x,
                    sums[parity], sums[1 - parity], states[parity], states[1 - parity]};
    const auto run = [&](auto kernel) {
      const std::size_t shared = with_x ? Rows<true>::kBytes : Rows<false>::kBytes;
      GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
      kernel<<<n_blocks, kThreads, shared, handles.stream>>>(slow, fast, strips, tiles, pass, v.history);
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
    catch_up_kernel<<<multiprocessors(), kThreads, 0, handles.stream>>>(a.size(), v.p_other, v.x, v.state);
    GWRM_LAUNCHED(catch_up_kernel);
  };
  return replay(handles, v, record, x);
}

}  // namespace gwrm::cuda
