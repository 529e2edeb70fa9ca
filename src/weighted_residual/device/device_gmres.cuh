// GMRES with all vectors on the device.
//
// Contract: src/solver/gmres.hpp
//
// The second pass of Gram and Schmidt is always done (kernels/linear_algebra/device_vectors.cuh says why), and the
// preconditioner may look at v before it is applied: an iteration waits for the host once, for its column of the
// Hessenberg matrix and what the preconditioner has seen. At most kMaxVectors iterations, or so many in a cycle.
#pragma once

#include "kernels/device/device_pool.cuh"
//
#include <cstddef>

#include "kernels/device/device_profile.cuh"
#include "solver/gmres.hpp"
#include "weighted_residual/device/device_atoms.cuh"

namespace gwrm::cuda {

// The operators, as GMRES calls them.
class DeviceKrylovStep {
 public:
  static constexpr std::size_t kFacts = 2;
  virtual ~DeviceKrylovStep() = default;
  // Leaves kFacts numbers about v on the device: the host hears them with the other results of an iteration.
  virtual void look(const double* v, double* facts) = 0;
  // z = M^{-1} v, w = A z; `facts` of v, on the host.
  virtual void run(const double* v, const double* facts, double* z, double* w) = 0;
};

// Operators that can be applied by themselves, as cycles and GMRES without kept directions want them. The
// preconditioner is linear to the rounding of doubles and needs no facts.
class DeviceOperators : public DeviceKrylovStep {
 public:
  virtual void apply(const double* x, double* w) = 0;         // w = A x
  virtual void precondition(const double* v, double* z) = 0;  // z = M^{-1} v
  void look(const double*, double*) override {}
  void run(const double* v, const double*, double* z, double* w) override {
    precondition(v, z);
    apply(z, w);
  }
};

// x need not be set. b: n numbers on the device, x: n_unknowns. All directions are kept, in one cycle. With tools.team
// they are the rank's own, and sums go over all ranks, which come to the same result.
GmresResult device_gmres(DeviceTools& tools, DeviceKrylovStep& step, const double* b, double* x, std::size_t n,
                         std::size_t n_unknowns, double tolerance, const GmresLimits& limits);
// Without the directions: limits.cycle + 3 vectors beside b and x.
GmresResult device_gmres_in_cycles(DeviceTools& tools, DeviceOperators& operators, const double* b, double* x,
                                   std::size_t n, double tolerance, const GmresLimits& limits);

}  // namespace gwrm::cuda
