// Conjugate gradients of Chronopoulos and Gear in one kernel: every multiprocessor keeps a strip of rows for the whole
// solution - z = S r, s and w = A z in shared memory, p and x in registers.
//
// One exchange per iteration: a block publishes its sums and the first and last row of w, and waits for those of the
// others. The neighbours' rows of z are updated here as well (z -= alpha S (w + beta s)), so that they need not be
// sent. Every published number carries the iteration that it belongs to (Tagged): readers wait for the number itself,
// and no order of writes to memory is needed.
#include <algorithm>

#include "core/errors.hpp"

#include "kernels/device_cg.cuh"
#include "kernels/device_sums.cuh"
#include "kernels/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 352;                // 3 columns each of 1025, and 186 registers
constexpr int kStripRows = 8;                // of 1025 rows over 132 multiprocessors
constexpr int kBatch = 4;                    // rows of a column that are read at once
constexpr int kMostColumns = 3;              // per thread: 1056 columns, more than shared memory holds
constexpr std::size_t kStaticShared = 1536;  // what the sums take besides

struct Strips {
  int n_blocks, base, extra;  // the first `extra` strips have base + 1 rows
  __host__ __device__ int rows(int block) const { return base + (block < extra ? 1 : 0); }
  __host__ __device__ int first(int block) const { return block * base + (block < extra ? block : extra); }
};

// A number in two halves, each with its tag: 8 bytes are written and read at once, 16 need not be.
struct alignas(16) Tagged {
  unsigned low, low_tag, high, high_tag;
};

struct Exchange {
  Tagged* edges;  // [parity][block][first row, last row][n_fast] of w
  Tagged* sums;   // [parity][block][kMostTotals]
};
constexpr int kMostTotals = 3;

__device__ inline void publish(Tagged* place, double value, unsigned tag) {
  const auto low = static_cast<unsigned>(__double2loint(value)), high = static_cast<unsigned>(__double2hiint(value));
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(place), "r"(low), "r"(tag), "r"(high)
               : "memory");
}
__device__ inline Tagged look_at(const Tagged* place) {
  Tagged found;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(found.low), "=r"(found.low_tag), "=r"(found.high), "=r"(found.high_tag)
               : "l"(place)
               : "memory");
  return found;
}
// The number of this tag, waiting for it if `found` is an older one.
__device__ inline double await(const Tagged* place, Tagged found, unsigned tag) {
  while (found.low_tag != tag || found.high_tag != tag) found = look_at(place);
  return __hiloint2double(static_cast<int>(found.high), static_cast<int>(found.low));
}

// A in interior rows and columns; `here` is its diagonal.
struct Stencil {
  double below, above, left, right, here;
  __device__ explicit Stencil(const DeviceSeparable& a)
      : below(a.fast.interior_weight * a.slow.interior[0]),
        above(a.fast.interior_weight * a.slow.interior[2]),
        left(a.slow.interior_weight * a.fast.interior[0]),
        right(a.slow.interior_weight * a.fast.interior[2]),
        here(a.fast.interior_weight * a.slow.interior[1] + a.slow.interior_weight * a.fast.interior[1]) {}
};

template <int columns, bool jacobi>
__global__ void __launch_bounds__(kThreads, 1)
    on_chip_kernel(DeviceSeparable a, Strips strips, Exchange exchange, const double* b, double* x_out, double* history,
                   CgState* state) {
  extern __shared__ double shared[];
  __shared__ double of_warps[kMostTotals][kThreads / kWarpSize];
  const int n = a.fast.n, block = blockIdx.x, rows = strips.rows(block), first = strips.first(block);
  const bool is_lowest = block == 0, is_highest = block == strips.n_blocks - 1;
  double* z = shared;                    // rows -1 .. rows
  double* s = z + (kStripRows + 2) * n;  // rows -1 .. rows
  double* w = s + (kStripRows + 2) * n;  // rows 0 .. rows - 1
  double p[columns][kStripRows], x[columns][kStripRows];
  double inverse[columns];  // of the diagonal, in interior rows
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    const int i = min(static_cast<int>(threadIdx.x) + c * kThreads, n - 1);
    inverse[c] =
        jacobi ? 1.0 / (a.slow.interior_diagonal * a.fast.weight(i) + a.slow.interior_weight * a.fast.diagonal_entry(i))
               : 1.0;
  }
  const Stencil stencil(a);
  const int plain_begin = max(0, a.slow.n_closure - first), plain_end = min(rows, a.slow.interior_end - first);

  for (int row = -1; row <= rows; ++row) {
    const int j = first + row;
    for (int i = threadIdx.x; i < n; i += kThreads) {
      z[(row + 1) * n + i] = j >= 0 && j < a.slow.n ? (jacobi ? 1.0 / a.diagonal(j, i) : 1.0) * b[a.place(j, i)] : 0.0;
      s[(row + 1) * n + i] = 0.0;
    }
  }
#pragma unroll
  for (int c = 0; c < columns; ++c)
#pragma unroll
    for (int row = 0; row < kStripRows; ++row) p[c][row] = x[c][row] = 0.0;
  __syncthreads();

  double inverse_gamma = 0.0, inverse_alpha = 0.0;  // of the iteration before
  const double stop = state->stop;
  const int max_iterations = state->max_iterations;
  int iteration = 0;
  DeviceCgStatus status = DeviceCgStatus::converged;
  for (;; ++iteration) {
    const int parity = iteration % 2;
    const auto tag = static_cast<unsigned>(iteration) + 1;
    constexpr int n_sums = jacobi ? 3 : 2;
    Tagged* edges = exchange.edges + 2LL * (parity * strips.n_blocks + block) * n;
    double sums[n_sums] = {};  // r.z, w.z, r.r
    // Interior rows and columns, some rows at a time: all that they read is on its way before the first is used.
    // (Short loops: code that is run through once per iteration does not fit the instruction cache.)
    double squares = 0.0;
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += kThreads) {
      if (!a.fast.is_interior(i)) continue;
#pragma unroll 1
      for (int begin = 0; begin < kStripRows; begin += kBatch) {
        const double* lines = z + (begin + 1) * n + i;
        double own[kBatch + 2], left[kBatch], right[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch + 2; ++k) own[k] = lines[(k - 1) * n];
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
          left[k] = lines[k * n - 1];
          right[k] = lines[k * n + 1];
        }
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
          if (begin + k < plain_begin || begin + k >= plain_end) continue;
          const double here = own[k + 1];
          const double image = stencil.below * own[k] + stencil.here * here + stencil.above * own[k + 2] +
                               stencil.left * left[k] + stencil.right * right[k];
          squares += here * here;
          sums[1] += image * here;
          w[(begin + k) * n + i] = image;
        }
      }
    }
    sums[0] = (jacobi ? stencil.here : 1.0) * squares;
    if constexpr (jacobi) sums[2] = stencil.here * sums[0];
    // The closures: a thread per point, or the few threads that own their columns would keep all others waiting.
    const auto closure_point = [&](int row, int i) {
      const int j = first + row;
      const double* line = z + (row + 1) * n;
      const double here = line[i];
      const double along_slow =
          a.slow.is_interior(j)
              ? a.slow.interior[0] * line[i - n] + a.slow.interior[1] * here + a.slow.interior[2] * line[i + n]
              : a.slow.closure_row(j, [&](int k) { return z[(k - first + 1) * n + i]; });
      const double along_fast = a.fast.is_interior(i) ? a.fast.interior[0] * line[i - 1] + a.fast.interior[1] * here +
                                                            a.fast.interior[2] * line[i + 1]
                                                      : a.fast.closure_row(i, [&](int k) { return line[k]; });
      const double image = a.fast.weight(i) * along_slow + a.slow.weight(j) * along_fast;
      const double residual = jacobi ? here * a.diagonal(j, i) : here;
      sums[0] += residual * here;
      sums[1] += image * here;
      if constexpr (jacobi) sums[2] += residual * residual;
      w[row * n + i] = image;
    };
    const int n_edge = 2 * a.fast.n_closure;
    for (int item = threadIdx.x; item < n_edge * rows; item += kThreads) {
      const int column = item % n_edge;
      closure_point(item / n_edge,
                    column < a.fast.n_closure ? column : a.fast.interior_end + column - a.fast.n_closure);
    }
    for (int row = 0; row < rows; ++row) {
      if (row >= plain_begin && row < plain_end) continue;
      for (int i = a.fast.n_closure + threadIdx.x; i < a.fast.interior_end; i += kThreads) closure_point(row, i);
    }
    block_sums(sums);
    Tagged* all_sums = exchange.sums + kMostTotals * parity * strips.n_blocks;
    if (threadIdx.x == 0)
      for (int k = 0; k < n_sums; ++k) publish(&all_sums[kMostTotals * block + k], sums[k], tag);
    for (int i = threadIdx.x; i < n; i += kThreads) {
      publish(&edges[i], w[i], tag);
      publish(&edges[n + i], w[(rows - 1) * n + i], tag);
    }
    // The neighbours' rows are on their way while this block waits for the sums.
    const Tagged* lower = exchange.edges + (2LL * (parity * strips.n_blocks + block - 1) + 1) * n;
    const Tagged* upper = exchange.edges + 2LL * (parity * strips.n_blocks + block + 1) * n;
    Tagged below[columns], above[columns];
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = static_cast<int>(threadIdx.x) + c * kThreads;
      if (i < n && !is_lowest) below[c] = look_at(&lower[i]);
      if (i < n && !is_highest) above[c] = look_at(&upper[i]);
    }
    // Every block adds all of them up in the same order: a thread takes those of one block.
    const int n_readers = (strips.n_blocks + kWarpSize - 1) / kWarpSize, warp = threadIdx.x / kWarpSize;
    if (warp < n_readers) {
#pragma unroll
      for (int k = 0; k < n_sums; ++k) {
        const Tagged* place = &all_sums[kMostTotals * threadIdx.x + k];
        sums[k] = static_cast<int>(threadIdx.x) < strips.n_blocks ? await(place, look_at(place), tag) : 0.0;
        for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
          sums[k] += __shfl_down_sync(0xffffffffu, sums[k], offset);
        if (threadIdx.x % kWarpSize == 0) of_warps[k][warp] = sums[k];
      }
    }
    __syncthreads();
    double totals[n_sums] = {};
#pragma unroll
    for (int k = 0; k < n_sums; ++k)
      for (int reader = 0; reader < n_readers; ++reader) totals[k] += of_warps[k][reader];
    const double gamma = totals[0], square = totals[jacobi ? 2 : 0];
    if (block == 0 && threadIdx.x == 0) history[iteration] = sqrt(square);
    const double beta = gamma * inverse_gamma, curvature = totals[1] - beta * gamma * inverse_alpha;
    // The same bits in every block: all leave together.
    if (!isfinite(square)) status = DeviceCgStatus::not_finite;
    if (square <= stop || !isfinite(square)) break;
    status = iteration >= max_iterations ? DeviceCgStatus::stalled
             : !(curvature > 0.0)        ? DeviceCgStatus::not_definite
                                         : DeviceCgStatus::converged;
    if (status != DeviceCgStatus::converged) break;
    const double alpha = gamma / curvature;
    inverse_gamma = 1.0 / gamma;
    inverse_alpha = curvature * inverse_gamma;

#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = static_cast<int>(threadIdx.x) + c * kThreads;
      if (i >= n) continue;
#pragma unroll
      for (int begin = 0; begin < kStripRows; begin += kBatch) {
        double direction[kBatch], here[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
          const int place = (begin + k + 1) * n + i;
          direction[k] = w[place - n] + beta * s[place];
          here[k] = z[place];
        }
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
          const int row = begin + k, place = (row + 1) * n + i;
          p[c][row] = here[k] + beta * p[c][row];
          x[c][row] += alpha * p[c][row];
          if (row >= rows) continue;
          s[place] = direction[k];
          if (jacobi && (row < plain_begin || row >= plain_end)) continue;
          z[place] = here[k] - alpha * inverse[c] * direction[k];
        }
      }
    }
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = static_cast<int>(threadIdx.x) + c * kThreads;
      const auto update_halo = [&](int row, double image) {
        const int place = (row + 1) * n + i;
        const double direction = image + beta * s[place];
        s[place] = direction;
        z[place] -= alpha * inverse[c] * direction;  // closures are narrower than a strip: the row is interior
      };
      if (i < n && !is_lowest) update_halo(-1, await(&lower[i], below[c], tag));
      if (i < n && !is_highest) update_halo(rows, await(&upper[i], above[c], tag));
    }
    for (int row = 0; jacobi && row < rows; ++row) {
      if (row >= plain_begin && row < plain_end) continue;
      for (int i = threadIdx.x; i < n; i += kThreads)
        z[(row + 1) * n + i] -= alpha / a.diagonal(first + row, i) * s[(row + 1) * n + i];
    }
    __syncthreads();
  }
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    const int i = static_cast<int>(threadIdx.x) + c * kThreads;
    if (i >= n) continue;
#pragma unroll
    for (int row = 0; row < kStripRows; ++row)
      if (row < rows) x_out[a.place(first + row, i)] = x[c][row];
  }
  if (block == 0 && threadIdx.x == 0) {
    state->iteration = iteration;
    end_cg(state, status);
  }
}

std::size_t shared_bytes(Index n_fast) {
  return static_cast<std::size_t>(3 * kStripRows + 4) * static_cast<std::size_t>(n_fast) * sizeof(double);
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

Strips strips_of(const SeparableOperator& a) {
  const auto n = static_cast<int>(a.slow.n);
  const int most = std::min(attribute(cudaDevAttrMultiProcessorCount), kThreads);
  // The closure of either end lies within one strip.
  const int n_blocks = std::max(1, std::min(most, n / std::max(a.slow.closure_width, 1)));
  return {n_blocks, n / n_blocks, n % n_blocks};
}

using Kernel = void (*)(DeviceSeparable, Strips, Exchange, const double*, double*, double*, CgState*);

template <bool jacobi>
Kernel kernel_for(Index n_fast) {
  const Index columns = (n_fast + kThreads - 1) / kThreads;
  if (columns == 1) return on_chip_kernel<1, jacobi>;
  if (columns == 2) return on_chip_kernel<2, jacobi>;
  return on_chip_kernel<kMostColumns, jacobi>;
}

}  // namespace

bool on_chip_fits(const Context& context, const SeparableOperator& a) {
  if (context.backend() != Backend::cuda || a.fast.half != 1) return false;
  if (attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
  const Strips strips = strips_of(a);
  const auto limit = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  return strips.rows(0) <= kStripRows && a.fast.n <= kMostColumns * kThreads &&
         shared_bytes(a.fast.n) + kStaticShared <= limit;
}

DeviceCgResult cg_on_chip(const Context& context, const SeparableOperator& a, const std::vector<double>& b,
                          std::vector<double>& x, const DeviceCgOptions& options) {
  if (!on_chip_fits(context, a)) throw ShapeError("cg_on_chip: the grid does not fit into the chip");
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  Strips strips = strips_of(a);
  const auto n_blocks = static_cast<std::size_t>(strips.n_blocks), n_fast = static_cast<std::size_t>(a.fast.n);
  CgVectors v(handles, b, options, 0);
  DeviceBuffer memory;
  const std::size_t n_edges = 4 * n_blocks * n_fast, n_all = n_edges + 2 * kMostTotals * n_blocks;
  Tagged* place = memory.reserve<Tagged>(n_all);
  Exchange exchange{place, place + n_edges};
  GWRM_DEVICE(cudaMemsetAsync(place, 0, n_all * sizeof(Tagged), handles.stream));  // tags begin with 1

  const Kernel kernel = options.jacobi ? kernel_for<true>(a.fast.n) : kernel_for<false>(a.fast.n);
  const std::size_t shared = shared_bytes(a.fast.n);
  GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  DeviceSeparable view = tables.view();
  const double* right_hand_side = v.r;
  void* arguments[] = {&view, &strips, &exchange, &right_hand_side, &v.x, &v.history, &v.state};
  cudaEvent_t begin = nullptr, end = nullptr;
  GWRM_DEVICE(cudaEventCreate(&begin));
  GWRM_DEVICE(cudaEventCreate(&end));
  GWRM_DEVICE(cudaEventRecord(begin, handles.stream));
  GWRM_DEVICE(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(strips.n_blocks), dim3(kThreads),
                                          arguments, shared, handles.stream));
  GWRM_LAUNCHED(on_chip_kernel);
  GWRM_DEVICE(cudaEventRecord(end, handles.stream));
  CgState state = {};
  handles.download(&state, v.state, 1);
  DeviceCgResult result;
  float milliseconds = 0.0f;
  GWRM_DEVICE(cudaEventElapsedTime(&milliseconds, begin, end));
  GWRM_DEVICE(cudaEventDestroy(begin));
  GWRM_DEVICE(cudaEventDestroy(end));
  result.milliseconds = milliseconds;
  result.status = static_cast<DeviceCgStatus>(state.done - 1);
  result.iterations = state.iteration;
  result.residuals.resize(static_cast<std::size_t>(state.iteration) + 1);
  handles.download(result.residuals.data(), v.history, result.residuals.size());
  handles.download(x.data(), v.x, x.size());
  return result;
}

}  // namespace gwrm::cuda
