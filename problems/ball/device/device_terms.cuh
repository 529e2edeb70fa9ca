// The equations of a window in the sphere on the device: residual, Jacobian-vector product, preconditioner.
//
// Contract: problems/ball/window_equations.hpp
#pragma once

#include "problems/ball/device/device_diffusion.cuh"
#include "problems/ball/device/device_grid.cuh"
//
#include <memory>
#include <vector>

#include "problems/ball/ball_terms.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "weighted_residual/device/device_gmres.cuh"

namespace gwrm::cuda {

class DeviceSphere : public DeviceOperators {
 public:
  DeviceSphere(DeviceTools& tools, const ball::BallModel& model, const ball::BallSpace& space,
               const ball::BallTerms& terms, const ball::EvolvingTerms& evolving, Index n_together);

  std::size_t size() const { return static_cast<std::size_t>(n_nodes_ * n_unknowns_); }
  // Of windows solved from here on.
  void set_length(double window_length);

  // f = mass (x - state) + (h/2) Q (diffusion x - terms - products - sources); sources: nodes x unknowns, or null.
  void residual(const double* x, const double* state, const double* sources, double* f);
  // Keeps the fields at x for apply().
  void linearise(const double* x);
  void apply(const double* v, double* y) override;
  void precondition(const double* v, double* z) override { diffusion_.solve(v, z); }

  // Terms within a degree: the rates of part `to` from part `from`, a matrix of five diagonals for every l.
  struct Link {
    std::int64_t bands = 0;  // [n][5], entry (i, i + d - 2) at 5 i + d
    std::int64_t from = 0, to = 0;
    std::int32_t n_from = 0, n_to = 0, n_orders = 0;
  };

 private:
  void add_links(const ball::BallTerms& terms, DeviceMatrices& matrices);
  void add_linear(const double* v, double* rates);
  DeviceArray& zero_rates();

  DeviceTools& tools_;
  DeviceMatrices matrices_;
  const ball::BallSpace& space_;
  Index n_nodes_, n_unknowns_;
  DeviceDiffusion diffusion_;
  std::vector<std::unique_ptr<DeviceGrid>> linear_, evolving_;  // one at most of each
  GridRoom room_;
  const Link* links_ = nullptr;
  const double* link_bands_ = nullptr;
  // Of one link of the terms: two may have the same target, and follow each other.
  struct LinkGroup {
    unsigned first = 0, count = 0;
    std::int32_t largest = 0;  // unknowns of one l
  };
  std::vector<LinkGroup> link_groups_;
  DeviceArray rates_;
};

}  // namespace gwrm::cuda
