// Modes over a parameter q, followed by continuity: which mode of q + dq is which mode of q.
//
// Score     of mode i at q (vector x_i, left mode y_i) and mode k at q + dq:
//               s_ik = |y_i^H N x_k| |x_k^H W x_i| / (|y_i^H N x_i| |x_k|_W^2),   N = P1 + (l_i + l_k) P2,
//           W the mean squares. y_i^H N x_k vanishes for k != i at the same q, so that for dq -> 0 s_ii is 1 and all
//           others 0, whatever the order of the eigenvalues: curves that cross are not mixed up.
//           Of large pencils the dual basis of the modes that are known takes the place of N^H y (point_spectrum.hpp).
// Steps     are halved until of every mode one score is high and the others are low: the narrow passage of two modes
//           that avoid each other is gone through, down to 1/4096 of a step.
// Equal     eigenvalues (PointSpectrum::clusters) have no modes of their own: their common space is matched, and the
//           vectors are the projections of those before.
// Source    Saad, Numerical Methods for Large Eigenvalue Problems, 3.2; modal assurance criterion: Allemang, Sound and
//           Vibration 37(8), 2003.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problems/eigenvalue/point_spectrum.hpp"

namespace gwrm {

// followed: eigenvalues nearby that have to be among those of the spectrum.
using SpectrumAt =
    std::function<std::shared_ptr<const PointSpectrum>(double at, const std::vector<std::complex<double>>& followed)>;

class ModeFollower {
 public:
  struct Step {
    std::shared_ptr<const PointSpectrum> spectrum;
    std::vector<Mode> modes;      // in the order of the start, polished
    std::vector<bool> is_double;  // its eigenvalue is another's, too: the vector is a projection
  };
  // modes: candidates of `start`, which is the spectrum at `at`.
  ModeFollower(SpectrumAt spectrum_at, double at, std::shared_ptr<const PointSpectrum> start,
               const std::vector<Mode>& modes);
  const Step& step() const { return step_; }
  // interrupted: then the modes are those of somewhere between.
  void advance(double to, const std::function<bool()>& interrupted);
  // Where modes were lost first; nothing: nowhere.
  struct Loss {
    double from, to;
    std::size_t mode;
  };
  const std::optional<Loss>& loss() const { return loss_; }

 private:
  void advance(double to, int depth, const std::function<bool()>& interrupted);
  // Per mode the place of a cluster; sure: false where it is a guess.
  std::vector<std::size_t> matches(const PointSpectrum& spectrum, bool& sure, std::size_t& unsure) const;
  void take(std::shared_ptr<const PointSpectrum> spectrum, const std::vector<std::size_t>& clusters);
  void set_functionals(std::size_t i, const std::vector<Mode>& members);

  const SpectrumAt spectrum_at_;
  double at_;
  Step step_;
  std::vector<std::vector<Eigen::VectorXcd>> functionals_;  // per mode; empty: no left mode
  std::optional<Loss> loss_;
};

}  // namespace gwrm
