// Fields on a tensor grid of radii, polar and azimuthal angles from their series, and back.
//
// Grid       any points; values [phi][theta][r], the last fastest.
// Fields     field_values.hpp.
// Method     products of matrices: along r for every l, along theta for every m, along phi.
// Cost       2 n_r [N L (2M+1) + n_theta (L M + n_phi M)] operations a scalar, but for factors near one.
#pragma once

#include <array>
#include <vector>

#include "core/matrix.hpp"
#include "problems/ball/field_values.hpp"
#include "problems/ball/legendre_table.hpp"
#include "problems/ball/radial_table.hpp"

namespace gwrm::ball {

struct SpherePoints {
  std::vector<double> r, theta, phi;  // r in units of the radius

  Index size() const { return static_cast<Index>(r.size() * theta.size() * phi.size()); }
};

// The orthonormal 1, cos m phi, sin m phi: phi x columns.
Matrix azimuth_table(const Orders& orders, const std::vector<double>& phi);

// Which function of r stands for a part: the table of its coefficients.
using RadialFunction = Matrix RadialTable::*;

class SphereTransform : public FieldValues {
 public:
  SphereTransform(const RadialFunctions& radial, const Degrees& degrees, SpherePoints points);

  const SpherePoints& points() const { return points_; }
  const RadialFunctions& radial() const { return radial_functions_; }

  std::vector<double> scalar(const Layout& series, std::size_t part, const double* e) const override {
    return scalar(series, part, e, &RadialTable::value);
  }
  std::vector<double> scalar(const Layout& series, std::size_t part, const double* e, RadialFunction function) const;
  std::array<std::vector<double>, 3> vector(const Layout& series, int toroidal, int poloidal,
                                            const double* e) const override {
    return vector(series, toroidal, poloidal, e, &RadialTable::value);
  }
  // `of_toroidal`: what of the part `toroidal` is T.
  std::array<std::vector<double>, 3> vector(const Layout& series, int toroidal, int poloidal, const double* e,
                                            RadialFunction of_toroidal) const;

 private:
  // [c]: (L + 1 - m) x radii.
  using Stage = std::vector<Matrix>;
  Stage along_radius(const Layout& series, std::size_t part, const double* e, RadialFunction function) const;
  // `rows`: columns x (theta r).
  std::vector<double> along_azimuth(const Matrix& rows) const;

  const RadialFunctions& radial_functions_;
  Degrees degrees_;
  Orders orders_;
  SpherePoints points_;
  std::vector<RadialTable> radial_;  // by l
  LegendreTable legendre_;
  Matrix azimuth_;  // phi x columns
};

// Gauss nodes in r and theta, equal steps in phi around the circle or a part of it: exact for products of `factors`
// fields of the degrees.
class SphereQuadrature {
 public:
  // of_data.r: the degree of the data's polynomials in r. equal_parts: of the circle, the first of which has the
  // points: in all of them integrands are the same (orders.hpp).
  SphereQuadrature(const RadialFunctions& radial, const Degrees& degrees, const Degrees& of_data,
                   Index equal_parts = 1);

  SpherePoints points() const { return {radius_.radius, polar_.theta, phi_}; }
  // Of r^2 dr and d(cos theta); those of phi are 2 pi over their number.
  const std::vector<double>& radial_weights() const { return radius_.weight; }
  const std::vector<double>& polar_weights() const { return polar_.weight; }
  // <E_n Y_l^m, f>, in the order of the series; add_moments adds to what is there.
  void add_moments(const Layout& series, std::size_t part, const std::vector<double>& f, double* e) const;
  void moments(const Layout& series, std::size_t part, const std::vector<double>& f, double* e) const;
  // Adds factor <grad(E_n Y), f>.
  void gradient_moments(const Layout& series, std::size_t part, const std::array<std::vector<double>, 3>& f,
                        double factor, double* e) const;
  // Adds factor <curl(E_n Y r), f> / (l (l+1)), or that with curl curl: the adjoints of SphereTransform::vector.
  void curl_moments(const Layout& series, std::size_t part, const std::array<std::vector<double>, 3>& f, double factor,
                    double* e) const;
  void curl_curl_moments(const Layout& series, std::size_t part, const std::array<std::vector<double>, 3>& f,
                         double factor, double* e) const;

 private:
  // Columns of orders x (theta r): integrals over phi.
  Matrix over_azimuth(const std::vector<double>& f) const;
  // (L + 1 - m) x r: integrals over theta with functions of the order of column c.
  Matrix over_polar(const Matrix& table, const Matrix& rows, Index c) const;
  // The same of f . r grad(Y) from the integrals of f_theta and f_phi.
  Matrix over_tangents(const Matrix& theta, const Matrix& phi, Index c) const;
  void add_over_radius(const Layout& series, std::size_t part, const std::vector<Matrix>& stage,
                       RadialFunction function, double* e) const;

  Degrees degrees_;
  Orders orders_;
  RadialNodes radius_;
  PolarNodes polar_;
  std::vector<double> phi_;
  std::vector<RadialTable> radial_;
  LegendreTable legendre_;
  Matrix azimuth_;
};

}  // namespace gwrm::ball
