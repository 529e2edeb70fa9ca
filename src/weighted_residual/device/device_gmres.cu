#include "weighted_residual/device/device_gmres.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/linear_algebra/device_vectors.cuh"
#include "solver/hessenberg.hpp"

namespace gwrm::cuda {
namespace {

// The iterations from one right-hand side on. operators: null where the directions are kept.
class Cycle {
 public:
  Cycle(DeviceTools& tools, DeviceKrylovStep& step, DeviceOperators* operators, std::size_t n, std::size_t n_unknowns,
        int most)
      : tools_(tools),
        step_(step),
        operators_(operators),
        n_(n),
        n_unknowns_(n_unknowns),
        most_(static_cast<std::size_t>(most) + 1),
        workspace_(tools.pool.take(sums_workspace())),
        // The overlaps of both passes, then the squares before, between and after, and the facts of the next vector.
        sums_(tools.pool.take(2 * most_ + 3 + DeviceKrylovStep::kFacts)),
        numbers_(sums_.size()),
        w_(tools.pool.take(n)) {
    GWRM_DEVICE(cudaMemsetAsync(sums_.data(), 0, sums_.size() * sizeof(double), tools.handles.stream));
  }

  double* w() const { return w_.data(); }
  // Of the right-hand side.
  double size() const { return size_; }
  bool exhausted() const { return exhausted_; }

  // At most `most` iterations, which are added to the result; its residual is relative to `whole`, or to the size of
  // `right` where that is 0. x: the solution; not set where `interrupted` says so. right may be w().
  void run(const double* right, double whole, double tolerance, int most, const std::function<bool()>& interrupted,
           double* x, GmresResult& result) {
    const DeviceHandles& handles = tools_.handles;
    double *first = sums_.data(), *second = first + most_, *squares = second + most_, *facts = squares + 3;
    std::vector<DeviceArray> basis, directions;
    {
      const DeviceProfile::Scope scope(tools_.profile, DevicePart::krylov);
      square_of(right, squares);
      over_ranks({{squares, 1}});
      basis.push_back(tools_.pool.take(n_));
      normalise(handles, right, squares, n_, basis.back().data());
      step_.look(basis.back().data(), facts);
    }
    tools_.profile.download(numbers_.data(), sums_.data(), numbers_.size());
    size_ = std::sqrt(numbers_[2 * most_]);
    exhausted_ = false;
    if (!std::isfinite(size_)) {
      result.finite = false;
      return;
    }
    if (whole == 0.0) whole = size_;
    result.relative_residual = whole == 0.0 ? 0.0 : size_ / whole;
    result.converged = result.relative_residual <= tolerance;
    if (size_ == 0.0) {
      GWRM_DEVICE(cudaMemsetAsync(x, 0, n_unknowns_ * sizeof(double), handles.stream));
      return;
    }
    Hessenberg hessenberg(size_);
    int n_columns = 0;
    while (n_columns < most) {
      if (operators_ == nullptr || directions.empty()) directions.push_back(tools_.pool.take(n_unknowns_));
      step_.run(basis.back().data(), &numbers_[2 * most_ + 3], directions.back().data(), w_.data());
      ++result.iterations;
      ++n_columns;
      VectorList known;
      for (const DeviceArray& v : basis) known.add(v.data());
      DeviceArray next = tools_.pool.take(n_);
      {
        const DeviceProfile::Scope scope(tools_.profile, DevicePart::krylov);
        square_of(w_.data(), squares);
        dots(handles, known, w_.data(), n_, workspace_.data(), first);
        over_ranks({{first, basis.size()}, {squares, 1}});
        subtract(handles, known, first, w_.data(), n_, workspace_.data(), squares + 1);
        dots(handles, known, w_.data(), n_, workspace_.data(), second);
        over_ranks({{second, basis.size()}});
        subtract(handles, known, second, w_.data(), n_, workspace_.data(), squares + 2);
        over_ranks({{squares + 2, 1}});
        normalise(handles, w_.data(), squares + 2, n_, next.data());
        step_.look(next.data(), facts);
      }
      if (tools_.team != nullptr) tools_.team->wait();
      tools_.profile.download(numbers_.data(), sums_.data(), numbers_.size());
      std::vector<double> h(basis.size() + 1);
      for (std::size_t i = 0; i < basis.size(); ++i) h[i] = numbers_[i] + numbers_[most_ + i];
      const double before = std::sqrt(numbers_[2 * most_]);
      h.back() = std::sqrt(numbers_[2 * most_ + 2]);
      if (!std::isfinite(h.back())) {
        result.finite = false;
        return;
      }
      exhausted_ = h.back() <= 1e-15 * before;
      if (!exhausted_) basis.push_back(std::move(next));
      result.relative_residual = hessenberg.add(std::move(h), exhausted_) / whole;
      result.converged = result.relative_residual <= tolerance;
      if (result.converged || exhausted_) break;
      result.interrupted = interrupted && interrupted();
      if (result.interrupted) return;
    }
    VectorList all;
    if (operators_ == nullptr)
      for (const DeviceArray& z : directions) all.add(z.data());
    else
      for (int k = 0; k < n_columns; ++k) all.add(basis[static_cast<std::size_t>(k)].data());
    if (all.count == 0) {
      GWRM_DEVICE(cudaMemsetAsync(x, 0, n_ * sizeof(double), handles.stream));
      return;
    }
    {
      const DeviceProfile::Scope scope(tools_.profile, DevicePart::krylov);
      combine(handles, all, hessenberg.solve(), operators_ == nullptr ? n_unknowns_ : n_,
              operators_ == nullptr ? x : w_.data());
    }
    if (operators_ != nullptr) operators_->precondition(w_.data(), x);
  }

 private:
  void over_ranks(std::initializer_list<DeviceTeam::Values> sums) {
    if (tools_.team != nullptr) tools_.team->add_up({sums.begin(), sums.size()});
  }
  void square_of(const double* v, double* square) {
    VectorList self;
    self.add(v);
    dots(tools_.handles, self, v, n_, workspace_.data(), square);
  }

  DeviceTools& tools_;
  DeviceKrylovStep& step_;
  DeviceOperators* operators_;
  std::size_t n_, n_unknowns_, most_;
  DeviceArray workspace_, sums_;
  std::vector<double> numbers_;
  DeviceArray w_;
  double size_ = 0.0;
  bool exhausted_ = false;
};

}  // namespace

GmresResult device_gmres(DeviceTools& tools, DeviceKrylovStep& step, const double* b, double* x, std::size_t n,
                         std::size_t n_unknowns, double tolerance, const GmresLimits& limits) {
  GmresResult result;
  Cycle cycle(tools, step, nullptr, n, n_unknowns, limits.max_iterations);
  cycle.run(b, 0.0, tolerance, limits.max_iterations, limits.interrupted, x, result);
  result.wanted = tolerance;
  return result;
}

GmresResult device_gmres_in_cycles(DeviceTools& tools, DeviceOperators& operators, const double* b, double* x,
                                   std::size_t n, double tolerance, const GmresLimits& limits) {
  GmresResult result;
  const int most = limits.cycle > 0 ? std::min(limits.cycle, limits.max_iterations) : limits.max_iterations;
  Cycle cycle(tools, operators, &operators, n, n, most);
  cycle.run(b, 0.0, tolerance, most, limits.interrupted, x, result);
  result.wanted = tolerance;
  const double whole = cycle.size();
  DeviceArray correction;
  while (result.finite && !result.interrupted && !result.converged && !cycle.exhausted() &&
         result.iterations < limits.max_iterations) {
    if (correction.empty()) correction = tools.pool.take(n);
    operators.apply(x, cycle.w());
    scale_and_add(tools.handles, 1.0, b, -1.0, cycle.w(), n);  // the residual
    cycle.run(cycle.w(), whole, tolerance, std::min(most, limits.max_iterations - result.iterations),
              limits.interrupted, correction.data(), result);
    if (result.finite && !result.interrupted) scale_and_add(tools.handles, 1.0, correction.data(), 1.0, x, n);
  }
  return result;
}

}  // namespace gwrm::cuda
