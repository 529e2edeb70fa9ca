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

  const std::vector<double>& points() const { return points_; }
  const std::vector<Cell>& cells() const { return cells_; }
  double length() const { return length_; }

  // The polynomial through the `width` points of the subdomain nearest to the cell, or through all if there are fewer.
  Stencil interpolation(const Cell& cell, double z, std::size_t width) const;

  static constexpr double kNarrowest = 1e-9;

 private:
  std::vector<double> points_;
  std::vector<std::size_t> first_point_;  // per subdomain, and the number of points behind the last
  std::vector<Cell> cells_;
  double length_ = 0.0;
};

}  // namespace gwrm::expression
