// The kernels of a multigrid level for any operator with a walk over its points, and the level made of them.
//
// A Walk is given to kernels by value: walk(read, load, finish) calls finish(place, u, A u, load(place)) for the places
// of the block of threads, read(place) gives u; index(place) is the place in vectors, place_of(k) the other way;
// inverse_diagonal(place). Tables have with_walk(call), size(), n_blocks() of n_threads() each, grids().
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_level.cuh"

namespace gwrm::cuda {

struct BeforeWalk {  // of a point, read ahead
  double r, z;
};

template <Pending pending, class Walk>
__global__ void smooth_kernel(const __grid_constant__ Walk a, double keep, double add, bool z_is_zero, const double* d,
                              double* d_new, double* r, double* z, const CgState* state) {
  if (state->done != 0) return;
  a.walk([&](auto place) { return d[a.index(place)]; },
         [&](auto place) {
           const auto k = a.index(place);
           return BeforeWalk{r[k], z_is_zero ? 0.0 : z[k]};
         },
         [&](auto place, double value, double image, BeforeWalk before) {
           const auto k = a.index(place);
           const double residual = before.r - image;
           double correction = value;
           if (pending != Pending::last) r[k] = residual;
           if (pending != Pending::none) {
             const double next = keep * value + add * a.inverse_diagonal(place) * residual;
             if (pending == Pending::next)
               d_new[k] = next;
             else
               correction += next;
           }
           z[k] = before.z + correction;
         });
}

constexpr int kPointThreads = 256;

template <class Walk>
__global__ void start_smoothing_kernel(const __grid_constant__ Walk a, long long n, double add, const double* source,
                                       double* r, double* d, const CgState* state) {
  const long long k = blockIdx.x * static_cast<long long>(kPointThreads) + threadIdx.x;
  if (state->done != 0 || k >= n) return;
  const double residual = source == nullptr ? r[k] : source[k];
  if (source != nullptr) r[k] = residual;
  d[k] = add * a.inverse_diagonal(a.place_of(k)) * residual;
}

template <class Walk>
__global__ void level_direction_kernel(const __grid_constant__ Walk a, const double* z, const double* p, double* p_new,
                                       double* partial, const CgState* state) {
  if (state->done != 0) return;
  const double beta = state->beta;
  double sums[1] = {0.0};
  a.walk([&](auto place) { return z[a.index(place)] + beta * p[a.index(place)]; }, [](auto) { return 0; },
         [&](auto place, double value, double image, int) {
           p_new[a.index(place)] = value;
           sums[0] += value * image;
         });
  leave_sums(sums, partial);
}

template <class Walk>
__global__ void level_step_kernel(const __grid_constant__ Walk a, const double* p, double* x, double* r,
                                  double* partial, const CgState* state) {
  if (state->done != 0) return;
  const double alpha = state->alpha;
  double sums[1] = {0.0};
  a.walk([&](auto place) { return p[a.index(place)]; },
         [&](auto place) {
           const auto k = a.index(place);
           return BeforeWalk{r[k], x[k]};
         },
         [&](auto place, double value, double image, BeforeWalk before) {
           const auto k = a.index(place);
           x[k] = before.z + alpha * value;
           const double residual = before.r - alpha * image;
           r[k] = residual;
           sums[0] += residual * residual;
         });
  leave_sums(sums, partial);
}

template <class Tables>
class WalkedLevel : public LevelOperator {
 public:
  template <class Operator>
  WalkedLevel(const DeviceHandles& handles, const Operator& a) : handles_(handles), tables_(handles, a) {}

  long long size() const override { return tables_.size(); }
  std::vector<PointGrid> grids() const override { return tables_.grids(); }
  unsigned n_sums() const override { return tables_.n_blocks().x * tables_.n_blocks().y; }

  void start_smoothing(double add, const double* source, double* r, double* d, const CgState* state) const override {
    const long long n = size();
    const auto n_blocks = static_cast<unsigned>((n + kPointThreads - 1) / kPointThreads);
    tables_.with_walk([&](auto walk) {
      start_smoothing_kernel<<<n_blocks, kPointThreads, 0, handles_.stream>>>(walk, n, add, source, r, d, state);
      GWRM_LAUNCHED(start_smoothing_kernel);
    });
  }

  void smooth(Pending pending, double keep, double add, bool z_is_zero, const double* d, double* d_new, double* r,
              double* z, const CgState* state) const override {
    tables_.with_walk([&](auto walk) {
      const auto launch = [&](auto kernel) {
        kernel<<<tables_.n_blocks(), tables_.n_threads(), 0, handles_.stream>>>(walk, keep, add, z_is_zero, d, d_new, r,
                                                                                z, state);
        GWRM_LAUNCHED(smooth_kernel);
      };
      using Walk = decltype(walk);
      if (pending == Pending::next) launch(smooth_kernel<Pending::next, Walk>);
      if (pending == Pending::none) launch(smooth_kernel<Pending::none, Walk>);
      if (pending == Pending::last) launch(smooth_kernel<Pending::last, Walk>);
    });
  }

  void direction(const double* z, const double* p, double* p_new, double* partial,
                 const CgState* state) const override {
    tables_.with_walk([&](auto walk) {
      level_direction_kernel<<<tables_.n_blocks(), tables_.n_threads(), 0, handles_.stream>>>(walk, z, p, p_new,
                                                                                              partial, state);
      GWRM_LAUNCHED(level_direction_kernel);
    });
  }

  void step(const double* p, double* x, double* r, double* partial, const CgState* state) const override {
    tables_.with_walk([&](auto walk) {
      level_step_kernel<<<tables_.n_blocks(), tables_.n_threads(), 0, handles_.stream>>>(walk, p, x, r, partial, state);
      GWRM_LAUNCHED(level_step_kernel);
    });
  }

 private:
  const DeviceHandles& handles_;
  Tables tables_;
};

}  // namespace gwrm::cuda
