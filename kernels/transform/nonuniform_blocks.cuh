// The fine grid of a non-uniform Fourier transform as the device sees it: blocks of grid points that a warp sums, bins
// that points are sorted into, and the runs of sorted points that reach a block.
//
// A bin is a box of grid points; a point belongs to the bin of the first grid point of its support (Support::first).
// Bins are numbered with the last axis fastest, so that neighbours along it follow one another in the sorted list: what
// reaches a block is one run of points, or two across the end of the period, for each row of bins. A block's points,
// run after run, are its visits; a block with more than `visits_of_piece` of them is summed in pieces.
//
// Contract: kernels/transform/nonuniform_fourier.hpp
#pragma once

#include <algorithm>

#ifdef __CUDACC__
#include "core/device_handles.cuh"
#endif
#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES __host__ __device__
#endif
//
#include "kernels/transform/nonuniform_geometry.hpp"

namespace gwrm::nonuniform {

constexpr int kLanes = 32;
constexpr int kMaxWidth = SpreadingKernel::kMaxWidth;

// Grid points of a block along the three axes, by number of dimensions: as many as a warp has room for in registers.
constexpr int kBlockSide[4][3] = {{1, 1, 1}, {1, 1, 32}, {1, 16, 16}, {8, 8, 8}};
GWRM_BOTH_SIDES constexpr int points_of_block(int n_dimensions) {
  return n_dimensions == 1 ? 32 : n_dimensions == 2 ? 16 * 16 : 8 * 8 * 8;
}
// Rows of bins that reach a block, two runs each: bins of two grid points, 16 + 15 or 8 + 15 of them along an axis.
GWRM_BOTH_SIDES constexpr int most_runs(int n_dimensions) {
  return n_dimensions == 1 ? 2 : n_dimensions == 2 ? 2 * 17 : 2 * 13 * 13;
}

struct FineAxis {
  int n = 1, width = 1;        // grid points; of the kernel
  int bin = 1, n_bins = 1;     // grid points of a bin, but for the last
  int side = 1, n_blocks = 1;  // grid points of a block, but for the last
};

struct FineGrid {
  FineAxis axes[3];  // the slowest first
  int degree = 0;    // of the kernel's polynomials
  GWRM_BOTH_SIDES long long n_bins() const {
    return static_cast<long long>(axes[0].n_bins) * axes[1].n_bins * axes[2].n_bins;
  }
  GWRM_BOTH_SIDES int n_blocks() const { return axes[0].n_blocks * axes[1].n_blocks * axes[2].n_blocks; }
};

// Sorted points; arrays of n_points, those of axes not in use null.
struct SortedPoints {
  int n_points = 0;
  const int* order = nullptr;  // the number of each
  const int* firsts[3] = {};   // Support
  const double* positions[3] = {};
  const int* first_of = nullptr;  // of each bin, and the end
};

// Bins lo .. hi along an axis, up to two ranges of them.
struct BinRanges {
  int lo[2], hi[2], n_ranges;
  GWRM_BOTH_SIDES int count() const { return hi[0] - lo[0] + 1 + (n_ranges > 1 ? hi[1] - lo[1] + 1 : 0); }
  GWRM_BOTH_SIDES int bin(int i) const {
    const int here = hi[0] - lo[0] + 1;
    return i < here ? lo[0] + i : lo[1] + i - here;
  }
};

// Those with points whose supports meet the grid points `first` .. `last`: of bins that begin w - 1 before.
GWRM_BOTH_SIDES inline BinRanges bins_that_reach(const FineAxis& axis, int first, int last) {
  const int lo = first - (axis.width - 1);
  const int hi = last / axis.bin;
  if (lo >= 0) return {{lo / axis.bin, 0}, {hi, 0}, 1};
  const int behind = lo + axis.n;  // across the end of the period
  if (behind < 0 || behind / axis.bin <= hi) return {{0, 0}, {axis.n_bins - 1, 0}, 1};
  return {{0, behind / axis.bin}, {hi, axis.n_bins - 1}, 2};
}

// The runs of sorted points that reach a box of grid points.
struct Runs {
  BinRanges ranges[3];
  GWRM_BOTH_SIDES int count() const { return ranges[0].count() * ranges[1].count() * ranges[2].n_ranges; }
  // Of run i the first point, and its end.
  GWRM_BOTH_SIDES void bounds(const FineGrid& grid, const int* first_of, int i, int& begin, int& end) const {
    const int x = i % ranges[2].n_ranges, row = i / ranges[2].n_ranges;
    const int y = ranges[1].bin(row % ranges[1].count()), z = ranges[0].bin(row / ranges[1].count());
    const long long start = (static_cast<long long>(z) * grid.axes[1].n_bins + y) * grid.axes[2].n_bins;
    begin = first_of[start + ranges[2].lo[x]];
    end = first_of[start + ranges[2].hi[x] + 1];
  }
};

struct Box {
  int first[3], last[3];  // grid points, both within
};
GWRM_BOTH_SIDES inline Box box_of_block(const FineGrid& grid, int block) {
  Box box;
  for (int a = 2; a >= 0; --a) {
    const FineAxis& axis = grid.axes[a];
    box.first[a] = block % axis.n_blocks * axis.side;
    box.last[a] = (box.first[a] + axis.side < axis.n ? box.first[a] + axis.side : axis.n) - 1;
    block /= axis.n_blocks;
  }
  return box;
}
GWRM_BOTH_SIDES inline Runs runs_to(const FineGrid& grid, const Box& box) {
  Runs runs;
  for (int a = 0; a < 3; ++a) runs.ranges[a] = bins_that_reach(grid.axes[a], box.first[a], box.last[a]);
  return runs;
}

// Blocks and bins for a transform. Bins are boxes of two grid points a side, of more where there would be 2^24 and
// more.
inline FineGrid fine_grid(const NonuniformGeometry& geometry) {
  FineGrid grid;
  grid.degree = geometry.kernel.degree;
  for (int bin = 2; bin == 2 || grid.n_bins() > (1LL << 24); bin *= 2)
    for (int a = 0; a < 3; ++a) {
      const NonuniformAxis& axis = geometry.axes[static_cast<std::size_t>(a)];
      const int n = static_cast<int>(axis.n_fine), side = kBlockSide[geometry.n_dimensions][a];
      const int length = axis.is_used ? bin : 1;
      grid.axes[a] = {n, axis.width, length, (n + length - 1) / length, side, (n + side - 1) / side};
    }
  return grid;
}

// Blocks that one point can reach: a bound on visits for each point.
inline long long most_blocks_of_point(const FineGrid& grid) {
  long long product = 1;
  for (const FineAxis& axis : grid.axes)
    product *= std::min(axis.n_blocks, (axis.width - 1 + 2 * (axis.bin - 1) + axis.side - 1) / axis.side + 1);
  return product;
}

// How a block's visits are divided: 8192 pieces at most are further ones of a block that has more than one.
constexpr int kMostPieces = 8192;
inline int visits_of_piece(const FineGrid& grid, long long n_points) {
  const long long most = n_points * most_blocks_of_point(grid);
  return static_cast<int>(std::max<long long>(1024, (most + kMostPieces - 1) / kMostPieces));
}

}  // namespace gwrm::nonuniform
