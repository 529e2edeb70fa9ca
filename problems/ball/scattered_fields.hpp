// Fields at scattered points of the unit ball or shell from their series (field_values.hpp).
//
// Method     for each l the radial functions of all points at once, a product of matrices for all orders, then the
//            harmonics of each point.
// Cost       2 N L (2M+1) operations a point and part, and the tables of functions, N L + L M.
// Memory     kPointsAtOnce bounds the tables: larger lists are taken in parts by the caller.
#pragma once

#include "core/matrix.hpp"
#include "problems/ball/field_values.hpp"
#include "problems/ball/legendre_table.hpp"
#include "problems/ball/radial_table.hpp"

namespace gwrm::ball {

inline constexpr std::size_t kPointsAtOnce = 512;

// One radius (in units of the sphere's), polar and azimuthal angle for each point.
struct BallPlaces {
  std::vector<double> r, theta, phi;
};

class ScatteredFields : public FieldValues {
 public:
  ScatteredFields(const RadialFunctions& radial, const Degrees& degrees, const BallPlaces& places);

  std::vector<double> scalar(const Layout& series, std::size_t part, const double* e) const override;
  std::array<std::vector<double>, 3> vector(const Layout& series, int toroidal, int poloidal,
                                            const double* e) const override;

 private:
  Index size() const { return azimuth_.cols(); }
  // Orders x points: what the coefficients of one l make of a function of r.
  Matrix along_radius(const Layout& series, std::size_t part, Index l, const double* e,
                      Matrix RadialTable::*function) const;

  Degrees degrees_;
  Orders orders_;
  std::vector<RadialTable> radial_;  // by l
  LegendreTable legendre_;
  Matrix azimuth_;  // columns of orders x points: 1, cos m phi, sin m phi, orthonormal
  Matrix turned_;   // the same of d/dphi, divided by m
};

}  // namespace gwrm::ball
