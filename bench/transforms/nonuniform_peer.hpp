// cuFINUFFT's plans of types 1 and 2 at their defaults, for the bench of non-uniform Fourier transforms.
//
// Loaded    when the program runs: GWRM_CUFINUFFT names the library (cuFINUFFT 2.5: its plan interface in double
//           precision, the default options); nothing of it is needed to build.
// Timing    its work goes to the default stream, where time_peer_calls() measures it.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "core/array.hpp"

namespace gwrm::bench {

// Whether the library is there; DeviceError if GWRM_CUFINUFFT names something that is not it.
bool have_nonuniform_peer();

class NonuniformPeer {
 public:
  // Modes of one to three dimensions, the last fastest; the sign of the exponent.
  NonuniformPeer(const Shape& modes, int sign, double tolerance);
  ~NonuniformPeer();
  NonuniformPeer(const NonuniformPeer&) = delete;
  NonuniformPeer& operator=(const NonuniformPeer&) = delete;

  // Device memory: coordinates of n points for each dimension, of both types' plans.
  void set_points(const std::vector<const double*>& x, Index n);
  // Of one type's plan: what a user of one type calls.
  void set_points_of_type_1(const std::vector<const double*>& x, Index n);
  // Strengths to modes and back, device memory; neither input is changed.
  void type_1(std::complex<double>* strengths, std::complex<double>* modes);
  void type_2(std::complex<double>* modes, std::complex<double>* values);

 private:
  void set_points_of(void* plan, const std::vector<const double*>& x, Index n);
  void *type_1_ = nullptr, *type_2_ = nullptr;
};

}  // namespace gwrm::bench
