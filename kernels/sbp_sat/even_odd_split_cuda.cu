#include "kernels/sbp_sat/even_odd_split.cuh"

#include <algorithm>

namespace gwrm::cuda {
namespace {

constexpr unsigned kThreads = 128;  // along a row: several blocks for one of some hundred points

struct Parts {
  double even, odd;
};

// What a direction's parts have at their place i, from the values at points i and n-1-i; and the values back.
// `paired`: the points are two and the direction falls into parts; else `there` is not looked at.
__device__ Parts fold_pair(bool paired, double here, double there) {
  return paired ? Parts{here + there, here - there} : Parts{here, 0.0};
}

// The points of a direction at place i of its parts.
struct Points {
  bool exists, paired;
  int mirror;
};
__device__ Points points_at(int n, int n_parts, int i) {
  const int mirror = n - 1 - i;
  return {n_parts == 1 ? i < n : i <= mirror, n_parts == 2 && i < mirror, mirror};
}

struct Grid {
  int n_slow, n_fast, parts_slow, parts_fast, pitch_slow, pitch_fast;

  __device__ long long width() const { return static_cast<long long>(parts_fast) * pitch_fast; }
};

// A thread per place of the parts, up to four points.
__global__ void __launch_bounds__(kThreads)
    fold_kernel(Grid g, const double* __restrict__ x, double* __restrict__ folded) {
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (i >= g.pitch_fast) return;
  const Points fast = points_at(g.n_fast, g.parts_fast, i);
  for (int j = static_cast<int>(blockIdx.y); j < g.pitch_slow; j += static_cast<int>(gridDim.y)) {
    const Points slow = points_at(g.n_slow, g.parts_slow, j);
    Parts lower{0.0, 0.0}, upper{0.0, 0.0};  // along the fast direction, of row j and of its mirror
    if (fast.exists && slow.exists) {
      const double* row = x + static_cast<long long>(j) * g.n_fast;
      lower = fold_pair(fast.paired, row[i], fast.paired ? row[fast.mirror] : 0.0);
      if (slow.paired) {
        const double* mirrored = x + static_cast<long long>(slow.mirror) * g.n_fast;
        upper = fold_pair(fast.paired, mirrored[i], fast.paired ? mirrored[fast.mirror] : 0.0);
      }
    }
    const Parts of_even = fold_pair(slow.paired, lower.even, upper.even);
    const Parts of_odd = fold_pair(slow.paired, lower.odd, upper.odd);
    double* place = folded + j * g.width() + i;
    place[0] = of_even.even;
    if (g.parts_fast == 2) place[g.pitch_fast] = of_odd.even;
    if (g.parts_slow == 1) continue;
    place += g.pitch_slow * g.width();
    place[0] = of_even.odd;
    if (g.parts_fast == 2) place[g.pitch_fast] = of_odd.odd;
  }
}

__global__ void __launch_bounds__(kThreads)
    add_unfolded_kernel(Grid g, const double* __restrict__ folded, double* __restrict__ x) {
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const Points fast = points_at(g.n_fast, g.parts_fast, i);
  if (!fast.exists) return;
  for (int j = static_cast<int>(blockIdx.y); j < g.pitch_slow; j += static_cast<int>(gridDim.y)) {
    const Points slow = points_at(g.n_slow, g.parts_slow, j);
    if (!slow.exists) return;
    const double* place = folded + j * g.width() + i;
    const double* odd_place = place + g.pitch_slow * g.width();
    const Parts of_even = fold_pair(slow.paired, place[0], slow.paired ? odd_place[0] : 0.0);
    Parts of_odd{0.0, 0.0};
    if (fast.paired) of_odd = fold_pair(slow.paired, place[g.pitch_fast], slow.paired ? odd_place[g.pitch_fast] : 0.0);
    double* row = x + static_cast<long long>(j) * g.n_fast;
    row[i] += of_even.even + of_odd.even;
    if (fast.paired) row[fast.mirror] += of_even.even - of_odd.even;
    if (!slow.paired) continue;
    double* mirrored = x + static_cast<long long>(slow.mirror) * g.n_fast;
    mirrored[i] += of_even.odd + of_odd.odd;
    if (fast.paired) mirrored[fast.mirror] += of_even.odd - of_odd.odd;
  }
}

Grid grid_of(const EvenOddSplit& slow, const EvenOddSplit& fast) {
  return {slow.n, fast.n, slow.n_parts, fast.n_parts, slow.pitch, fast.pitch};
}

dim3 blocks_for(const EvenOddSplit& slow, const EvenOddSplit& fast) {
  constexpr int kMaxRows = 65535;  // blocks along y
  return {(static_cast<unsigned>(fast.pitch) + kThreads - 1) / kThreads,
          static_cast<unsigned>(std::min(slow.pitch, kMaxRows))};
}

}  // namespace

void fold_on_device(DeviceHandles& handles, const EvenOddSplit& slow, const EvenOddSplit& fast, const double* x,
                    double* folded) {
  fold_kernel<<<blocks_for(slow, fast), kThreads, 0, handles.stream>>>(grid_of(slow, fast), x, folded);
  GWRM_LAUNCHED(fold_kernel);
}

void add_unfolded_on_device(DeviceHandles& handles, const EvenOddSplit& slow, const EvenOddSplit& fast, const double* folded,
                            double* x) {
  add_unfolded_kernel<<<blocks_for(slow, fast), kThreads, 0, handles.stream>>>(grid_of(slow, fast), folded, x);
  GWRM_LAUNCHED(add_unfolded_kernel);
}

void fold(const Context& context, const EvenOddSplit& slow, const EvenOddSplit& fast, const std::vector<double>& x,
          std::vector<double>& folded) {
  DeviceHandles& handles = *context.device();
  folded.resize(static_cast<std::size_t>(slow.extent()) * static_cast<std::size_t>(fast.extent()));
  DeviceBuffer from, to;
  double *values = from.reserve<double>(x.size()), *parts = to.reserve<double>(folded.size());
  handles.upload(values, x.data(), x.size());
  fold_on_device(handles, slow, fast, values, parts);
  handles.download(folded.data(), parts, folded.size());
}

void unfold(const Context& context, const EvenOddSplit& slow, const EvenOddSplit& fast, const std::vector<double>& folded,
            std::vector<double>& x) {
  DeviceHandles& handles = *context.device();
  DeviceBuffer from, to;
  double *parts = from.reserve<double>(folded.size()), *values = to.reserve<double>(x.size());
  handles.upload(parts, folded.data(), folded.size());
  handles.upload(values, x.data(), x.size());
  add_unfolded_on_device(handles, slow, fast, parts, values);
  handles.download(x.data(), values, x.size());
}

}  // namespace gwrm::cuda
