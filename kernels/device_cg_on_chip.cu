// Conjugate gradients of Chronopoulos and Gear in one kernel: every multiprocessor keeps a strip of rows for the whole
// solution - z = S r, s and w = A z in shared memory, p and x in registers.
//
// One exchange per iteration: a block publishes its sums and the first and last row of w, and waits for all others. The
// neighbours' rows of z are updated here as well (z -= alpha S (w + beta s)), so that they need not be sent.
#include <algorithm>

#include "core/errors.hpp"

#include "kernels/device_cg.cuh"
#include "kernels/device_sums.cuh"
#include "kernels/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 352;                // 3 columns each of 1025, and 186 registers
constexpr int kStripRows = 8;                // of 1025 rows over 132 multiprocessors
constexpr int kMostColumns = 4;              // per thread
constexpr std::size_t kStaticShared = 1536;  // what the sums take besides

struct Strips {
  int n_blocks, base, extra;  // the first `extra` strips have base + 1 rows
  __host__ __device__ int rows(int block) const { return base + (block < extra ? 1 : 0); }
  __host__ __device__ int first(int block) const { return block * base + (block < extra ? block : extra); }
};

struct Exchange {
  double* edges;    // [parity][block][first row, last row][n_fast] of w
  double* sums;     // [parity][block][3]
  unsigned* flags;  // iterations that each block has published
};

__device__ inline unsigned load_acquire(const unsigned* flag) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ inline void store_release(unsigned* flag, unsigned value) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

template <int columns, bool jacobi>
__global__ void __launch_bounds__(kThreads, 1)
    on_chip_kernel(DeviceSeparable a, Strips strips, Exchange exchange, const double* b, double* x_out, double* history,
                   CgState* state) {
  extern __shared__ double shared[];
  __shared__ double totals[3];
  const int n = a.fast.n, block = blockIdx.x, rows = strips.rows(block), first = strips.first(block);
  const bool is_lowest = block == 0, is_highest = block == strips.n_blocks - 1;
  double* z = shared;                    // rows -1 .. rows
  double* s = z + (kStripRows + 2) * n;  // rows -1 .. rows
  double* w = s + (kStripRows + 2) * n;  // rows 0 .. rows - 1
  double p[columns][kStripRows], x[columns][kStripRows];
  const auto scale = [&](int j, int i) { return jacobi ? a.inverse_diagonal(j, i) : 1.0; };

  for (int row = -1; row <= rows; ++row) {
    const int j = first + row;
    for (int i = threadIdx.x; i < n; i += kThreads) {
      z[(row + 1) * n + i] = j >= 0 && j < a.slow.n ? scale(j, i) * b[a.place(j, i)] : 0.0;
      s[(row + 1) * n + i] = 0.0;
    }
  }
#pragma unroll
  for (int c = 0; c < columns; ++c)
#pragma unroll
    for (int row = 0; row < kStripRows; ++row) p[c][row] = x[c][row] = 0.0;
  __syncthreads();

  double gamma = 0.0, alpha = 0.0;
  int iteration = 0;
  DeviceCgStatus status = DeviceCgStatus::converged;
  for (;; ++iteration) {
    const int parity = iteration % 2;
    const int n_sums = jacobi ? 3 : 2;
    double* edges = exchange.edges + 2LL * (parity * strips.n_blocks + block) * n;
    double sums[jacobi ? 3 : 2] = {};  // r.z, w.z, r.r
    const auto take = [&](int row, int i, double here, double image) {
      const double residual = jacobi ? here * a.diagonal(first + row, i) : here;
      sums[0] += residual * here;
      sums[1] += image * here;
      if constexpr (jacobi) sums[2] += residual * residual;
      w[row * n + i] = image;
      if (row == 0) __stcg(&edges[i], image);
      if (row == rows - 1) __stcg(&edges[n + i], image);
    };
    const auto along_slow_at = [&](int j, int i, double below, double here, double above) {
      if (a.slow.is_interior(j))
        return a.slow.interior[0] * below + a.slow.interior[1] * here + a.slow.interior[2] * above;
      return a.slow.closure_row(j, [&](int k) { return z[(k - first + 1) * n + i]; });
    };
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = static_cast<int>(threadIdx.x) + c * kThreads;
      if (i >= n || !a.fast.is_interior(i)) continue;
      double below = z[i], here = z[n + i];
#pragma unroll
      for (int row = 0; row < kStripRows; ++row) {
        if (row >= rows) continue;
        const int j = first + row;
        const double* line = z + (row + 1) * n;
        const double above = line[n + i];
        const double along_fast =
            a.fast.interior[0] * line[i - 1] + a.fast.interior[1] * here + a.fast.interior[2] * line[i + 1];
        take(row, i, here,
             a.fast.interior_weight * along_slow_at(j, i, below, here, above) + a.slow.weight(j) * along_fast);
        below = here;
        here = above;
      }
    }
    // The columns of the closures: a thread per point, or the few threads that own them would keep all others waiting.
    const int n_edge = 2 * a.fast.n_closure;
    for (int item = threadIdx.x; item < n_edge * rows; item += kThreads) {
      const int row = item / n_edge, column = item % n_edge, j = first + row;
      const int i = column < a.fast.n_closure ? column : a.fast.interior_end + column - a.fast.n_closure;
      const double* line = z + (row + 1) * n;
      const double along_fast = a.fast.closure_row(i, [&](int k) { return line[k]; });
      take(row, i, line[i],
           a.fast.weight(i) * along_slow_at(j, i, line[i - n], line[i], line[i + n]) + a.slow.weight(j) * along_fast);
    }
    block_sums(sums);
    if (threadIdx.x == 0)
      for (int k = 0; k < n_sums; ++k) __stcg(&exchange.sums[3 * (parity * strips.n_blocks + block) + k], sums[k]);
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      store_release(&exchange.flags[block], static_cast<unsigned>(iteration) + 1);
    }
    const bool reads = threadIdx.x < strips.n_blocks;
    if (reads)
      while (load_acquire(&exchange.flags[threadIdx.x]) < static_cast<unsigned>(iteration) + 1) {
      }
    const double* published = exchange.sums + 3 * (parity * strips.n_blocks + threadIdx.x);
    for (int k = 0; k < n_sums; ++k) sums[k] = reads ? __ldcg(published + k) : 0.0;
    __syncthreads();  // before `block_sums` may be used again, and for all that the others have published
    block_sums(sums);
    if (threadIdx.x == 0)
      for (int k = 0; k < n_sums; ++k) totals[k] = sums[k];
    __syncthreads();
    const double before = gamma, square = jacobi ? totals[2] : totals[0];
    gamma = totals[0];
    if (block == 0 && threadIdx.x == 0) history[iteration] = sqrt(square);
    const double beta = iteration == 0 ? 0.0 : gamma / before;
    const double curvature = iteration == 0 ? totals[1] : totals[1] - beta * gamma / alpha;
    // The same bits in every block: all leave together.
    if (!isfinite(square)) status = DeviceCgStatus::not_finite;
    if (square <= state->stop || !isfinite(square)) break;
    status = iteration >= state->max_iterations ? DeviceCgStatus::stalled
             : !(curvature > 0.0)               ? DeviceCgStatus::not_definite
                                                : DeviceCgStatus::converged;
    if (status != DeviceCgStatus::converged) break;
    alpha = gamma / curvature;

#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = static_cast<int>(threadIdx.x) + c * kThreads;
      if (i >= n) continue;
#pragma unroll
      for (int row = 0; row < kStripRows; ++row) {
        if (row >= rows) continue;
        const int place = (row + 1) * n + i;
        const double direction = w[row * n + i] + beta * s[place];
        p[c][row] = z[place] + beta * p[c][row];
        x[c][row] += alpha * p[c][row];
        s[place] = direction;
        z[place] -= alpha * scale(first + row, i) * direction;
      }
    }
    const auto update_halo = [&](int row, int neighbour, int edge) {
      const double* line = exchange.edges + (2LL * (parity * strips.n_blocks + neighbour) + edge) * n;
      for (int i = threadIdx.x; i < n; i += kThreads) {
        const int place = (row + 1) * n + i;
        const double direction = __ldcg(&line[i]) + beta * s[place];
        s[place] = direction;
        z[place] -= alpha * scale(first + row, i) * direction;
      }
    };
    if (!is_lowest) update_halo(-1, block - 1, 1);
    if (!is_highest) update_halo(rows, block + 1, 0);
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
  if (columns == 3) return on_chip_kernel<3, jacobi>;
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
  double* place = memory.reserve<double>(4 * n_blocks * n_fast + 7 * n_blocks);
  Exchange exchange{place, place + 4 * n_blocks * n_fast, nullptr};
  exchange.flags = reinterpret_cast<unsigned*>(exchange.sums + 6 * n_blocks);
  GWRM_DEVICE(cudaMemsetAsync(exchange.flags, 0, n_blocks * sizeof(unsigned), handles.stream));

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
