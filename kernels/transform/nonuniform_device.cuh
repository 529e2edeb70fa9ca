// Points of a non-uniform Fourier transform on the device, sorted into bins, and their way to and from the fine grid.
//
// Sorted by bin and, within one, by number: radix sort, which is stable. Blocks of the grid that many points reach are
// divided into pieces (nonuniform_blocks.cuh); which piece has which place in memory depends on the order of integer
// atomics, what is in it and the order in which pieces are added do not. Two runs give the same bits.
// Contract: kernels/transform/nonuniform_spread.hpp; points come from device memory
#pragma once

#include "core/device_handles.cuh"
//
#include "kernels/transform/nonuniform_blocks.cuh"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm::nonuniform {

// Pieces behind the first of a block: extra[e] belongs to the block, and is number e - first_extra[block] + 1 of it.
struct ExtraPieces {
  int visits_of_piece = 0;
  int* n_extra = nullptr;      // at most kMostPieces
  int* block_of = nullptr;     // of each
  int* first_extra = nullptr;  // of each block
  int* n_extra_of = nullptr;
};

// Memory of a plan on the device; grows with the number of points.
class DevicePoints {
 public:
  DevicePoints(DeviceHandles& handles, const NonuniformGeometry& geometry);

  // coordinates: n_points numbers for each axis in use, the slowest first, on the device. Launches only, but for
  // memory.
  void set(std::span<const double* const> coordinates, int n_points);
  // Waits. False if a coordinate is not finite.
  bool are_finite() const;

  const FineGrid& grid() const { return grid_; }
  const SortedPoints& sorted() const { return sorted_; }
  const ExtraPieces& extra() const { return extra_; }
  const double* table() const { return table_.as<double>(); }  // SpreadingKernel::coefficients
  int n_dimensions() const { return n_dimensions_; }

 private:
  DeviceHandles& handles_;
  int n_dimensions_;
  FineGrid grid_;
  SortedPoints sorted_;
  ExtraPieces extra_;
  cuda::DeviceBuffer table_, keys_, order_, firsts_[3], positions_[3], bins_, pieces_, temporary_;
};

// Bytes that cub::DeviceRadixSort needs for n pairs; and the sort, of keys below 2^n_bits, stable.
std::size_t sort_bytes(int n);
void sort_pairs(cudaStream_t stream, void* temporary, std::size_t bytes, const unsigned* keys, unsigned* sorted_keys,
                const int* values, int* sorted_values, int n, int n_bits);

// pieces: kMostPieces x points_of_block. grid: overwritten.
using Spreader = cuda::NonuniformSpreader;
void spread(cudaStream_t stream, const DevicePoints& points, Spreader spreader, const double2* c, double2* pieces,
            double2* grid);
void interpolate(cudaStream_t stream, const DevicePoints& points, const double2* grid, double2* c);

}  // namespace gwrm::nonuniform
