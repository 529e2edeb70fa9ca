// Spreading on the device: one warp sums a block of the fine grid from the sorted points that reach it.
//
//   grid(z, y, x) = sum_j c_j phi_z(z - z_j) phi_y(y - y_j) phi_x(x - x_j)
//
// is, for a plane z, a product of matrices: rows y with c_j phi_z phi_y, columns x with phi_x, summed over the points
// j. So eight points at a time go to the tensor cores (double_mma.cuh), real parts in the upper eight rows and
// imaginary ones in the lower, and the block stays in registers until all its points have been. Nothing is shared
// between warps, no sum depends on their order: the same bits always, without atomics.
//
// A point's kernel has up to 8 W values along an axis. Lane 4 g + t computes those at g and g + 8 of the support of
// point t, always with the same polynomials, which it keeps in registers; what belongs to a grid point comes from the
// lane that has it, by an exchange.
//
// Shapes    dimensions D: blocks of 32, 16 x 16, 8 x 8 x 8 grid points (nonuniform_blocks.cuh). Lane 4 g + t has, of
// the
//           8 x 8 tile (ty, tx) of a plane z, the row g and the columns 2 t and 2 t + 1.
// Bounds    w^D multiply-adds a point become 8^D .. 16^D in each block that it reaches, (side + w - 1)^D / side^D
// blocks.
// Contract: kernels/transform/nonuniform_fourier.hpp
#pragma once

#ifdef __CUDACC__
#include "kernels/device/double_mma.cuh"
#endif
#include "kernels/transform/nonuniform_blocks.cuh"

namespace gwrm::nonuniform {

constexpr int kTogether = 8;  // points of a product, four in each of two steps

// Tiles of 8 grid points of a block along x and y, its planes.
template <int kDimensions>
struct Tiles {
  static constexpr int kX = kDimensions == 1 ? 4 : kDimensions == 2 ? 2 : 1;
  static constexpr int kY = kDimensions == 2 ? 2 : 1;
  static constexpr int kZ = kDimensions == 3 ? 8 : 1;
};

// What a warp keeps in shared memory: its runs, and the points that it works on.
template <int kDimensions>
struct WarpMemory {
  int begin[most_runs(kDimensions)];  // of each run, less the visits before it
  int visits_before[most_runs(kDimensions) + 1];
  double2 strengths[kLanes];
  double positions[kDimensions][kLanes];  // z, y, x
  int firsts[kDimensions][kLanes];
};

// Lists the runs and returns the number of visits.
template <int kDimensions>
__device__ int list_runs(const FineGrid& grid, const SortedPoints& points, const Box& box,
                         WarpMemory<kDimensions>& memory, int& n_runs) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const Runs runs = runs_to(grid, box);
  n_runs = runs.count();
  int visits = 0;
  for (int first = 0; first < n_runs; first += kLanes) {
    int begin = 0, end = 0;
    if (first + lane < n_runs) runs.bounds(grid, points.first_of, first + lane, begin, end);
    int sum = end - begin;  // over the lanes up to this one
    for (int distance = 1; distance < kLanes; distance *= 2) {
      const int before = __shfl_up_sync(0xffffffffU, sum, distance);
      if (lane >= distance) sum += before;
    }
    if (first + lane < n_runs) {
      memory.visits_before[first + lane] = visits + sum - (end - begin);
      memory.begin[first + lane] = begin - (visits + sum - (end - begin));
    }
    visits += __shfl_sync(0xffffffffU, sum, kLanes - 1);
  }
  __syncwarp();
  return visits;
}

// The sorted point of a visit.
template <int kDimensions>
__device__ int point_of_visit(const WarpMemory<kDimensions>& memory, int n_runs, int visit) {
  int lo = 0, hi = n_runs;  // visits_before[lo] <= visit < visits_before[hi]
  while (hi - lo > 1) {
    const int middle = (lo + hi) / 2;
    if (memory.visits_before[middle] <= visit)
      lo = middle;
    else
      hi = middle;
  }
  return memory.begin[lo] + visit;
}

template <int kDimensions>
struct LoadedPoint {
  double2 strength{0.0, 0.0};
  double positions[kDimensions] = {};
  int firsts[kDimensions] = {};

  __device__ void load(const SortedPoints& points, const double2* c, int p) {
    for (int d = 0; d < kDimensions; ++d) {
      firsts[d] = points.firsts[3 - kDimensions + d][p];
      positions[d] = points.positions[3 - kDimensions + d][p];
    }
    strength = c[points.order[p]];
  }
  __device__ void store(WarpMemory<kDimensions>& memory, int lane) const {
    memory.strengths[lane] = strength;
    for (int d = 0; d < kDimensions; ++d) {
      memory.positions[d][lane] = positions[d];
      memory.firsts[d][lane] = firsts[d];
    }
  }
};

// The polynomials at g and, with kHalves 2, at g + 8 of a support.
template <int kHalves>
struct LanePolynomials {
  static constexpr int kDegree = kHalves == 1 ? 9 : 13;  // what widths up to 8 and 16 take
  double coefficients[kHalves][kDegree + 1];             // the highest power first, zeros above the degree

  __device__ LanePolynomials(const double* table, int degree, int g) {
#pragma unroll
    for (int half = 0; half < kHalves; ++half)
#pragma unroll
      for (int i = 0; i <= kDegree; ++i)
        coefficients[half][i] = i < kDegree - degree ? 0.0 : table[(i - (kDegree - degree)) * kMaxWidth + g + 8 * half];
  }
  // Horner's rule.
  __device__ void values(double r, double (&value)[kHalves]) const {
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
      value[half] = coefficients[half][0];
#pragma unroll
      for (int i = 1; i <= kDegree; ++i) value[half] = fma(value[half], r, coefficients[half][i]);
    }
  }
};

// phi of point t at grid point `at`, zero outside its support, from the lane that has computed it.
template <int kHalves>
__device__ double value_at(const FineAxis& axis, int at, int first, const double (&value)[kHalves], int t) {
  int offset = at - first;
  if (offset < 0) offset += axis.n;
  const int from = (offset & 7) * 4 + t;
  double found = __shfl_sync(0xffffffffU, value[0], from);
  if (kHalves > 1) {
    const double upper = __shfl_sync(0xffffffffU, value[kHalves - 1], from);
    if (offset >= 8) found = upper;
  }
  return offset < axis.width ? found : 0.0;
}

// Visits from_visit .. to_visit - 1 of a block, summed to `out`: the grid, or a piece of its own with the block's
// extents. table: SpreadingKernel::coefficients. All lanes of a warp.
template <int kDimensions, int kHalves>
__device__ void spread_block(const FineGrid& grid, const SortedPoints& points, const double* table, const double2* c,
                             int block, int from_visit, int visits_of_piece, WarpMemory<kDimensions>& memory,
                             double2* out, bool to_grid) {
  using Shape = Tiles<kDimensions>;
  constexpr int kX = Shape::kX, kY = Shape::kY, kZ = Shape::kZ;
  const int lane = static_cast<int>(threadIdx.x) % kLanes, g = lane / 4, t = lane % 4;
  const Box box = box_of_block(grid, block);
  int n_runs = 0;
  const int n_visits = list_runs(grid, points, box, memory, n_runs);
  const int to_visit = n_visits - from_visit < visits_of_piece ? n_visits : from_visit + visits_of_piece;
  const LanePolynomials<kHalves> polynomials(table, grid.degree, g);
  double sum[kZ][kY][kX][4] = {};  // real parts of two columns, imaginary parts

  LoadedPoint<kDimensions> next;
  if (from_visit + lane < to_visit) next.load(points, c, point_of_visit(memory, n_runs, from_visit + lane));
  for (int visit = from_visit; visit < to_visit; visit += kLanes) {
    next.store(memory, lane);
    __syncwarp();
    next = {};
    if (visit + kLanes + lane < to_visit) next.load(points, c, point_of_visit(memory, n_runs, visit + kLanes + lane));
    const int count = to_visit - visit < kLanes ? to_visit - visit : kLanes;
    for (int first = 0; first < count; first += kTogether) {
      double2 strength[2];
      double x[kX][2], y[kY][2], of_z[2][kHalves];
#pragma unroll
      for (int step = 0; step < 2; ++step) {
        const int j = first + 4 * step + t;
        double value[kHalves];
        strength[step] = memory.strengths[j];
        polynomials.values(memory.positions[kDimensions - 1][j], value);
#pragma unroll
        for (int tx = 0; tx < kX; ++tx)
          x[tx][step] = value_at(grid.axes[2], box.first[2] + 8 * tx + g, memory.firsts[kDimensions - 1][j], value, t);
        y[0][step] = g == 0 ? 1.0 : 0.0;
        if constexpr (kDimensions > 1) {
          polynomials.values(memory.positions[kDimensions - 2][j], value);
#pragma unroll
          for (int ty = 0; ty < kY; ++ty)
            y[ty][step] =
                value_at(grid.axes[1], box.first[1] + 8 * ty + g, memory.firsts[kDimensions - 2][j], value, t);
        }
        if constexpr (kDimensions > 2) polynomials.values(memory.positions[0][j], of_z[step]);
      }
#pragma unroll
      for (int z = 0; z < kZ; ++z) {
        double weight[2] = {1.0, 1.0};
        if constexpr (kDimensions > 2)
          for (int step = 0; step < 2; ++step)
            weight[step] =
                value_at(grid.axes[0], box.first[0] + z, memory.firsts[0][first + 4 * step + t], of_z[step], t);
#pragma unroll
        for (int ty = 0; ty < kY; ++ty) {
          const double factor[2] = {weight[0] * y[ty][0], weight[1] * y[ty][1]};
          const double left[4] = {strength[0].x * factor[0], strength[0].y * factor[0], strength[1].x * factor[1],
                                  strength[1].y * factor[1]};
#pragma unroll
          for (int tx = 0; tx < kX; ++tx) cuda::multiply_add(sum[z][ty][tx], left, x[tx]);
        }
      }
    }
    __syncwarp();
  }

#pragma unroll
  for (int z = 0; z < kZ; ++z)
#pragma unroll
    for (int ty = 0; ty < kY; ++ty)
#pragma unroll
      for (int tx = 0; tx < kX; ++tx)
#pragma unroll
        for (int column = 0; column < 2; ++column) {
          const int dy = 8 * ty + g, dx = 8 * tx + 2 * t + column;
          const int gz = box.first[0] + z, gy = box.first[1] + dy, gx = box.first[2] + dx;
          if (gz > box.last[0] || gy > box.last[1] || gx > box.last[2]) continue;
          const long long place = to_grid
                                      ? (static_cast<long long>(gz) * grid.axes[1].n + gy) * grid.axes[2].n + gx
                                      : (static_cast<long long>(z) * grid.axes[1].side + dy) * grid.axes[2].side + dx;
          out[place] = {sum[z][ty][tx][column], sum[z][ty][tx][2 + column]};
        }
}

// The paper's single-warp spreader (its section 4.4.1; there with code of its own for every grid point): a warp sums
// one grid point, lanes take its points in turn and add up by exchanges.
template <int kDimensions>
__device__ void spread_point(const FineGrid& grid, const SortedPoints& points, const double* table, const double2* c,
                             long long place, WarpMemory<kDimensions>& memory, double2* out) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  Box box;
  long long rest = place;
  for (int a = 2; a >= 0; --a) {
    box.first[a] = box.last[a] = static_cast<int>(rest % grid.axes[a].n);
    rest /= grid.axes[a].n;
  }
  int n_runs = 0;
  const int n_visits = list_runs(grid, points, box, memory, n_runs);
  double2 sum{0.0, 0.0};
  for (int visit = lane; visit < n_visits; visit += kLanes) {
    const int p = point_of_visit(memory, n_runs, visit);
    double factor = 1.0;
    bool reaches = true;
#pragma unroll
    for (int a = 3 - kDimensions; a < 3; ++a) {
      int offset = box.first[a] - points.firsts[a][p];
      if (offset < 0) offset += grid.axes[a].n;
      reaches = reaches && offset < grid.axes[a].width;
      const double r = points.positions[a][p];
      const double* coefficient = table + offset % kMaxWidth;
      double value = *coefficient;
      for (int i = 1; i <= grid.degree; ++i) value = fma(value, r, coefficient[i * kMaxWidth]);
      factor *= value;
    }
    if (!reaches) continue;
    const double2 strength = c[points.order[p]];
    sum.x = fma(factor, strength.x, sum.x);
    sum.y = fma(factor, strength.y, sum.y);
  }
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    sum.x += __shfl_xor_sync(0xffffffffU, sum.x, distance);
    sum.y += __shfl_xor_sync(0xffffffffU, sum.y, distance);
  }
  if (lane == 0) out[place] = sum;
  __syncwarp();
}

}  // namespace gwrm::nonuniform
