#include "basis/complex_modes.hpp"

#include "basis/axis_basis.hpp"
#include "basis/fourier_basis.hpp"

namespace gwrm {

const ComplexModes* complex_modes(const AxisBasis& basis) {
  return dynamic_cast<const ComplexModes*>(&basis);
}

// a sin k theta + b cos k theta = (b - i a)/2 exp(i k theta) + (b + i a)/2 exp(-i k theta); d/dz is i k 2 pi / l.
void FourierBasis::to_modes(const std::complex<double>* a, Index stride, int order, std::complex<double>* F) const {
  using Complex = std::complex<double>;
  constexpr Complex kI(0.0, 1.0);
  const Complex powers[] = {1.0, kI, -1.0, -kI};  // i^order
  const Complex turned = powers[order % 4], back = std::conj(turned);
  const Index middle = degree() * stride;
  const double slope = factor(1);
  F[middle] = order == 0 ? a[0] : 0.0;
  for (Index k = 1; k <= degree(); ++k) {
    double half = 0.5;
    for (int i = 0; i < order; ++i) half *= slope * static_cast<double>(k);
    const Complex sine = kI * a[(2 * k - 1) * stride], cosine = a[2 * k * stride];
    F[middle + k * stride] = half * turned * (cosine - sine);
    F[middle - k * stride] = half * back * (cosine + sine);
  }
}

}  // namespace gwrm
