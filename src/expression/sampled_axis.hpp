// The points of one axis at which data are evaluated, and the cells between them: what find_unseen_extreme() searches.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gwrm::expression {

// Values at some of the points, by their index: sum_i weights[i] f(points[first + i]).
struct Stencil {
  std::size_t first = 0;
  std::vector<double> weights;
};

class SampledAxis {
 public:
  struct Cell {
    double lower = 0.0, upper = 0.0;
    bool lower_is_point = true, upper_is_point = true;  // else an end of a subdomain that is no point
    std::size_t first = 0, last = 0;  // the points next to it, two on each side where there are so many
    std::size_t subdomain = 0;
    bool operator==(const Cell&) const = default;
  };

  // points: ascending, at least one. edges: of the subdomains (windows), ascending, from the first to the last end; no
  // point lies outside. Cells run from point to point and to the edges; those narrower than kNarrowest of the axis are
  // left out.
  SampledAxis(std::vector<double> points, const std::vector<double>& edges);

  // The ends of `intervals` equal ones, at least one, from `lower` to `upper`: nothing is stored, however many there
  // are.
  static SampledAxis equal(double lower, double upper, std::size_t intervals);

  // Equidistant points of a periodic axis, ascending, less than `length` apart: seen once around and beyond both ends,
  // the last point before the first, and the first behind the last.
  static SampledAxis around(std::vector<double> points, double length);
  // Without the two that are seen again; 0: the axis is not periodic.
  std::size_t n_around() const { return n_around_; }
  // A trigonometric interpolant through those points, (d + fraction) spacings behind one of them: what that one counts
  // for, d = 0 .. n_around() - 1. sin(n s/2) / (n sin(s/2)) for odd n, / (n tan(s/2)) for even n, s the angle between.
  // Source: P. Henrici, Barycentric formulas for interpolating trigonometric polynomials, Numer. Math. 33 (1979) 225.
  std::vector<double> trigonometric_weights(double fraction) const;

  std::size_t n_points() const { return intervals_ > 0 ? intervals_ + 1 : points_.size(); }
  double point(std::size_t i) const;
  std::size_t n_cells() const { return intervals_ > 0 ? intervals_ : cells_.size(); }
  Cell cell(std::size_t k) const;
  std::size_t cell_at(double z) const;  // the first that ends behind z; n_cells(): none
  double length() const { return length_; }

  // How far from the next point one can be within the cells first .. last.
  double reach(std::size_t first, std::size_t last) const;

  // The polynomial through the `width` points of the subdomain nearest to the cell, or through all if there are fewer;
  // of a periodic axis the trigonometric one through all of them.
  Stencil interpolation(const Cell& cell, double z, std::size_t width) const;

  static constexpr double kNarrowest = 1e-9;

 private:
  SampledAxis() = default;
  void find_reach();

  std::size_t intervals_ = 0;  // equal ones: nothing but them is known; 0: the rest
  double lower_ = 0.0, upper_ = 0.0;
  std::size_t n_around_ = 0;
  std::vector<double> points_;
  std::vector<std::size_t> first_point_;  // per subdomain, and the number of points behind the last
  std::vector<Cell> cells_;
  std::vector<std::vector<double>> reach_;  // [level][k]: the largest of the 2^level cells from k on
  double length_ = 0.0;
};

}  // namespace gwrm::expression
