#include "weighted_residual/preconditioner/complex_planes.hpp"

#include <algorithm>

#include "kernels/transform/complex_transform.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {

using Complex = std::complex<double>;

Array planes(std::span<const Complex> values, const Shape& extents) {
  Shape shape = extents;
  shape.insert(shape.begin(), 2);
  Array result(shape);
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; ++i) {
    result.data[i] = values[i].real();
    result.data[n + i] = values[i].imag();
  }
  return result;
}

void from_planes(const Array& a, std::span<Complex> values) {
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; ++i) values[i] = {a.data[i], a.data[n + i]};
}

Array along(const Matrix& matrix, const Array& x, std::size_t dimension) {
  std::vector<const Matrix*> matrices(x.shape.size(), nullptr);
  matrices[dimension + 1] = &matrix;  // behind the planes
  return cpu::tensor_transform(x, matrices);
}

Array pick(const Array& x, std::size_t dimension, const std::vector<Index>& modes) {
  const AroundDimension around(x.shape, dimension + 1);
  Shape shape = x.shape;
  shape[dimension + 1] = static_cast<Index>(modes.size());
  Array y(std::move(shape));
  auto target = y.data.begin();
  for (Index o = 0; o < around.outer; ++o)
    for (Index mode : modes)
      target = std::copy_n(x.data.begin() + (o * x.shape[dimension + 1] + mode) * around.inner, around.inner, target);
  return y;
}

void add(Array& a, Complex factor, const Array& b) {
  const std::size_t n = a.data.size() / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const double re = b.data[i], im = b.data[n + i];
    a.data[i] += factor.real() * re - factor.imag() * im;
    a.data[n + i] += factor.real() * im + factor.imag() * re;
  }
}

}  // namespace gwrm
