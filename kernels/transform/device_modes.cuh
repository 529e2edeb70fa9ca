// Changes of layout around the time-averaged preconditioner on the device: time nodes to complex time modes and back,
// parts of tensors picked or placed by lists of modes, and matrices in the form in which they are wanted.
//
// Contract: kernels/transform/time_mode_transform.hpp
//
// Here y is n_modes x width without gaps, and kMaxNodes limits the nodes: the matrices go to the kernels by value. The
// other functions are loops of the preconditioner on the CPU (tensor_solve.cpp). Everything goes to the stream of
// `handles`; nothing waits.
#pragma once

#include "core/array.hpp"
#include "core/device_handles.cuh"

namespace gwrm::cuda {

inline constexpr int kMaxNodes = 16;

// The matrices of basis/time_modes.hpp, by value to the kernels.
struct ModeMatrices {
  int n_nodes = 1, n_modes = 1;
  double2 forward[kMaxNodes / 2][kMaxNodes];   // y_k = sum_j forward[k][j] x_j
  double2 backward[kMaxNodes / 2][kMaxNodes];  // x_j = sum_k Re(backward[k][j]) Re y_k + Im(..) Im y_k
};

// y: n_modes x width complex from x: n_nodes x width.
void to_time_modes(const DeviceHandles& handles, const ModeMatrices& matrices, const double* x, std::size_t width,
                   double2* y);
void from_time_modes(const DeviceHandles& handles, const ModeMatrices& matrices, const double2* y, std::size_t width,
                     double* x);

// Tensors of up to four dimensions (mode, then space); missing ones have extent 1.
struct Box {
  int extents[4] = {1, 1, 1, 1};
  std::size_t size() const { return static_cast<std::size_t>(extents[0]) * extents[1] * extents[2] * extents[3]; }
};
// Lists of places along the dimensions of the larger tensor, on the device; null: all of them in order.
struct Places {
  const int* lists[4] = {nullptr, nullptr, nullptr, nullptr};
};
// part[..] = whole[places ..]; part_box gives the extents of `part`.
void pick(const DeviceHandles& handles, const double2* whole, const Box& whole_box, const Places& places, double2* part,
          const Box& part_box);
// whole[places ..] += factor_k part[..], k the first index; null: 1.
void place(const DeviceHandles& handles, const double2* part, const Box& part_box, const double2* factors,
           const Places& places, double2* whole, const Box& whole_box);
// y[k, i] += factor_k x[k, i], k < n_modes, i < width. negative: -=.
void add_by_mode(const DeviceHandles& handles, const double2* factors, bool negative, const double2* x, int n_modes,
                 std::size_t width, double2* y);

// y = x, as complex numbers.
void to_complex(const DeviceHandles& handles, const double* x, std::size_t n, double2* y);
// y = x^H; x: n x n, row-major.
void adjoint(const DeviceHandles& handles, const double2* x, int n, double2* y);

}  // namespace gwrm::cuda
