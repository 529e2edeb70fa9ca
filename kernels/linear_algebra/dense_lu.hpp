// LU factorisation with partial pivoting of one dense system, and its solution.
//
// Formula   P R A C = L U with powers of two R, C that bring the largest entry of every row and column near 1 (LAPACK's
//           geequ idea, exact scaling); A x = b.
// Layout    A column-major n x n with leading dimension n on the host, b and x vectors of n on the host. On the device
//           the matrix is sent once per factorisation and each right-hand side once per solve.
// Cost      2/3 n^3 flops to factor, 2 n^2 per solve; 8 n^2 bytes for the factor (kept inside the object).
// Result    a zero or relatively tiny pivot never throws or hangs: the status says singular and dependency() tells
//           which rows and columns depend on each other.
// Source    LAPACK getrf / getrs / gecon (CPU), cuSOLVER getrf / getrs (device).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm {

enum class LuStatus { regular, singular, not_finite };

// The numerical null vectors of a singular matrix: A * column_weights ~ 0 and row_weights^T * A ~ 0 (unit maximum
// norm).
struct Dependency {
  std::vector<double> row_weights;
  std::vector<double> column_weights;
};

class DenseLu {
 public:
  virtual ~DenseLu() = default;
  // Factors a copy of `matrix` (n*n values, column-major). not_finite if it holds a NaN or Inf.
  virtual LuStatus factor(std::span<const double> matrix, Index n) = 0;
  // For a matrix that is made on the device: its n*n places there, to be filled on the context's stream, and then the
  // factorisation in place. The CPU has no such places (null).
  virtual double* device_matrix(Index) { return nullptr; }
  virtual LuStatus factor_device_matrix() { return LuStatus::not_finite; }
  // Overwrites right_hand_side with the solution. Only after factor() returned regular.
  virtual void solve(std::span<double> right_hand_side) const = 0;
  // Estimate of 1 / cond_1 of the scaled matrix.
  virtual double reciprocal_condition() const = 0;
  // Only after factor() returned singular.
  virtual Dependency dependency() const = 0;
};

// Bytes that factor() of n unknowns allocates, the caller's matrix not counted.
std::size_t dense_lu_bytes(Index n);

std::unique_ptr<DenseLu> make_dense_lu(const Context& context);
namespace cpu {
std::unique_ptr<DenseLu> make_dense_lu();
}
namespace cuda {
std::unique_ptr<DenseLu> make_dense_lu(const Context& context);  // only in a build with CUDA
}

}  // namespace gwrm
