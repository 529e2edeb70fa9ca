// What a level of multigrid on the device does with its operator: one interface, one set of kernels
// (kernels/sbp_sat/device_level_kernels.cuh), a schedule of their own for every kind of operator.
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include <memory>
#include <vector>

#include "kernels/sbp_sat/device_cg.cuh"

namespace gwrm::cuda {

// What a smoothing walk does besides r -= A d and z += d.
enum class Pending { next, none, last };  // a new d; nothing; z += the new d as well

// The points of one block of a grid, and where they begin in vectors over all blocks.
struct PointGrid {
  int n_slow, n_fast;
  long long offset;
};

// Everything goes on the stream of the handles that it was made with and does nothing where `state` says done.
class LevelOperator {
 public:
  virtual ~LevelOperator() = default;
  virtual long long size() const = 0;
  virtual std::vector<PointGrid> grids() const = 0;
  virtual unsigned n_sums() const = 0;  // blocks of threads of direction() and step(): parts of their sums

  // r = source (or left as it is where source is null), d = add D^-1 r.
  virtual void start_smoothing(double add, const double* source, double* r, double* d, const CgState* state) const = 0;
  // r -= A d, z += d (z = d with z_is_zero); d_new = keep d + add D^-1 r with the new r, as `pending` says.
  virtual void smooth(Pending pending, double keep, double add, bool z_is_zero, const double* d, double* d_new,
                      double* r, double* z, const CgState* state) const = 0;
  // p_new = z + beta p; p_new.A p_new.
  virtual void direction(const double* z, const double* p, double* p_new, double* partial,
                         const CgState* state) const = 0;
  // x += alpha p, r -= alpha A p; r.r.
  virtual void step(const double* p, double* x, double* r, double* partial, const CgState* state) const = 0;
};

std::unique_ptr<LevelOperator> make_level(const DeviceHandles& handles, const SeparableOperator& a);
std::unique_ptr<LevelOperator> make_level(const DeviceHandles& handles, const BlockOperator& a);

}  // namespace gwrm::cuda
