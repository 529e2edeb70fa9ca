// y = A x, A real, x and y complex: what operators in space do to a complex mode of time.
//
// A     rows x columns, row-major
// x     columns complex numbers
// y     rows complex numbers, not overlapping x
// work  real_complex_workspace_size(columns) doubles: x with its real and imaginary parts apart, so that a row of A is
// read
//       once, as it lies in memory, for both of them
// Each row is summed up in eight partial sums, k = 0, 8, 16, .. in the first: the same order on every processor.
// Cost: 4 rows columns flops, 8 rows columns bytes. Eigen's product of these types is not vectorised: 8 times as many
// instructions at 194 x 194.
#pragma once

#include <complex>
#include <span>

#include "core/matrix.hpp"

namespace gwrm {

inline std::size_t real_complex_workspace_size(Index columns) {
  return 2 * static_cast<std::size_t>(columns);
}

void multiply(const Matrix& a, std::span<const std::complex<double>> x, std::span<std::complex<double>> y,
              std::span<double> work);
// y += A x.
void multiply_add(const Matrix& a, std::span<const std::complex<double>> x, std::span<std::complex<double>> y,
                  std::span<double> work);

}  // namespace gwrm
