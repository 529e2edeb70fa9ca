// Bases whose functions span exp(i n theta), n = -M .. M: for whoever has a transform of such sums at hand
// (kernels/transform/nonuniform_fourier.hpp). A basis that is one derives from ComplexModes.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

class AxisBasis;

class ComplexModes {
 public:
  virtual ~ComplexModes() = default;

  virtual Index highest() const = 0;  // M; n_coefficients() is 2 M + 1
  // theta of points of the axis, within [-pi, pi] and to half a unit in the last place. In place: theta may be z.
  virtual void angles(std::span<const double> z, double* theta) const = 0;
  // F_n of u^(order) = sum_n F_n exp(i n theta), derivatives with respect to z, from the coefficients a of u in the
  // basis: F[(n + M) stride], a[k stride]. `a` may be complex; F is not a.
  virtual void to_modes(const std::complex<double>* a, Index stride, int order, std::complex<double>* F) const = 0;
  // f of the coefficients b of u^(order): b_k = f_k a_k for even orders, b_k = f_k a_l for odd ones, l the other function
  // of that wavenumber (2 i - 1 and 2 i belong together; f_0 = 0).
  virtual std::vector<double> derivative_factors(int order) const = 0;
};

// Null if the basis is none. It lives as long as the basis.
const ComplexModes* complex_modes(const AxisBasis& basis);

}  // namespace gwrm
