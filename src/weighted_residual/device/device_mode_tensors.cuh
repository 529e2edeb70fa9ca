// Complex tensors [time mode][axes of space] on the device, and matrices along their axes: what preconditioners by
// tensor products are made of.
//
// Contract: src/weighted_residual/preconditioner/complex_planes.hpp; there one mode, and real and imaginary parts apart
#pragma once

#include "kernels/transform/device_modes.cuh"
//
#include <complex>
#include <vector>

#include "weighted_residual/device/device_atoms.cuh"

namespace gwrm::cuda {

using ModeNumber = std::complex<double>;

inline double2* mode_numbers(const DeviceArray& array) {
  return reinterpret_cast<double2*>(array.data());
}
inline const double2* raw(const ModeNumber* p) {
  return reinterpret_cast<const double2*>(p);
}
inline double2* raw(ModeNumber* p) {
  return reinterpret_cast<double2*>(p);
}

class ModeTensors {
 public:
  ModeTensors(DeviceTools& tools, int n_modes) : tools_(tools), n_modes_(n_modes) {}

  int n_modes() const { return n_modes_; }
  // Of at most three axes.
  Box box(const Shape& extents) const;
  DeviceArray take(const Shape& extents) const;
  DeviceArray zero(const Shape& extents) const;
  DeviceArray copy(const DeviceArray& x) const;
  // A matrix m x extents[d] for all modes, or one for each, along axis d; extents become those of the result.
  DeviceArray along(const std::vector<const ModeNumber*>& matrices, Index m, const DeviceArray& x, Shape& extents,
                    std::size_t d) const;
  // Some entries, by a list for each axis (null: all); extents: of the result.
  DeviceArray pick(const DeviceArray& whole, const Shape& whole_extents, const std::vector<const int*>& lists,
                   const Shape& extents) const;
  // whole[lists ..] += factor part, factors per mode on the device (null: 1).
  void place(const DeviceArray& part, const Shape& extents, const ModeNumber* factors,
             const std::vector<const int*>& lists, DeviceArray& whole, const Shape& whole_extents) const;
  // y += factor x; negative: -=.
  void add(const ModeNumber* factors, bool negative, const DeviceArray& x, const Shape& extents, DeviceArray& y) const;

 private:
  Places places(const std::vector<const int*>& lists) const;

  DeviceTools& tools_;
  int n_modes_;
};

// For the matrices of a preconditioner: complex and row-major, lists of places, factors.
const ModeNumber* add_complex(DeviceMatrices& matrices, const Matrix& matrix);
const ModeNumber* add_complex(DeviceMatrices& matrices, const Eigen::MatrixXcd& matrix);
const ModeNumber* add_factors(DeviceMatrices& matrices, const std::vector<ModeNumber>& factors);
const int* add_list(DeviceMatrices& matrices, const std::vector<Index>& list);

// The rows of a window that are those of equations, and the others: whether the latter have anything in them.
class DeviceRowFacts {
 public:
  // shares: null for one GPU; else the facts are those of all ranks.
  explicit DeviceRowFacts(const WindowSystem& system, const DeviceShares* shares = nullptr);
  // The two largest magnitudes, on the device.
  void look(DeviceTools& tools, const double* v, double* largest) const;
  // False if the right-hand sides of the conditions are zero to round-off beside those of the equations.
  static bool conditions_matter(const double* largest);

 private:
  Index n_equation_rows_ = 0, n_rows_ = 0;
};

}  // namespace gwrm::cuda
