// S(z) = sum_p z^p B_p (averaged_rows.hpp) factored for several z at once: what the time-averaged preconditioner solves
// with.
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/linear_algebra/wide_lu.hpp"
#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {

// What they are made by, below.
enum class SpatialMethod { dense, condensed, tensor, wavenumber, saddle };

class SpatialFactors {
 public:
  virtual ~SpatialFactors() = default;
  // x = S(z_k)^{-1} b; b in the order of the spatial rows, x in that of the spatial unknowns (both layout.size
  // numbers). Several threads may solve at once.
  virtual void solve(std::size_t k, std::span<const std::complex<double>> b,
                     std::span<std::complex<double>> x) const = 0;
  // The same in parts that are independent of one another, 0 .. n_parts() - 1: each reads its own rows of b and writes
  // its own unknowns of x.
  virtual std::size_t n_parts() const { return 1; }
  virtual void solve_part(std::size_t, std::size_t k, std::span<const std::complex<double>> b,
                          std::span<std::complex<double>> x) const {
    solve(k, b, x);
  }
  // y = B_p x.
  virtual void apply(int p, std::span<const std::complex<double>> x, std::span<std::complex<double>> y) const = 0;
};

struct FactorResult {
  std::unique_ptr<SpatialFactors> factors;  // null if singular or not finite
  LuStatus status = LuStatus::regular;
};

// B_p whole, one LU of n x n per z. Any problem that has averages. 8 n^2 bytes per z, 8/3 n^3 operations.
FactorResult dense_factors(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages,
                           const std::vector<std::complex<double>>& z, Precision precision);

// Subdomain by subdomain along one axis of space, condensed to the numbers that couple them (static_condensation.cpp).
// 8 (L+1)^2 fields^2 bytes per subdomain and z: linear in the number of subdomains.
FactorResult static_condensation(const WindowSystem& system, const SpatialLayout& layout,
                                 const std::vector<Array>& averages, const std::vector<std::complex<double>>& z,
                                 Precision precision);
// Why the system cannot be condensed (more than one axis of space, an equation that couples distant points); empty if
// it can.
std::string condensation_unsupported_reason(const Model& model, const SystemPlan& plan);

// The separable part of each unknown's own equation, inverted axis by axis (tensor_factors.cpp): an approximation,
// exact for separable equations without coupling. singular: an unknown whose own terms do not determine it.
FactorResult tensor_factors(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages,
                            const std::vector<std::complex<double>>& z, Precision precision);

// Wavenumber by wavenumber along Fourier axes, all fields coupled, with at most one other axis
// (wavenumber_factors.cpp): exact where no coefficient varies along the Fourier axes. singular: a block is, as that of
// wavenumber 0 where nothing fixes a mean.
FactorResult wavenumber_factors(const WindowSystem& system, const SpatialLayout& layout,
                                const std::vector<Array>& averages, const std::vector<std::complex<double>>& z,
                                Precision precision);
// Why it does not serve these equations; empty if it does.
std::string wavenumber_unsupported_reason(const Model& model, const SystemPlan& plan);

// Constraints and their multipliers (model/multipliers.hpp) eliminated by blocks, the other unknowns as by
// tensor_factors (saddle_operators.hpp): an approximation. singular: the equations are not of that form.
FactorResult saddle_factors(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages,
                            const std::vector<std::complex<double>>& z, Precision precision);
// Why it does not serve these equations; empty if it does.
std::string saddle_unsupported_reason(const Model& model, const std::vector<AxisDescription>& subdomains);

}  // namespace gwrm
