// The periodic problems of the comparison: linear symbol, nonlinear term, start, and where the answer is checked.
// Equations, parameters and initial conditions are written out in bench/peers/README.md.
#pragma once

#include <memory>
#include <string>

#include "periodic_transform.hpp"

namespace etdrk4 {

// Times are equidistant in [0, end], n_times of them; points equidistant in the period: `n_points` of the `n_intervals`
// intervals' ends along each axis, from the start on.
struct CheckPoints {
  double end;
  int n_times, n_intervals, n_points;
};

class Problem {
 public:
  virtual ~Problem() = default;
  virtual int n_fields() const = 0;
  virtual bool linear_is_real() const { return true; }
  virtual Complex linear(int field, double kx, double ky) const = 0;
  virtual double start(int field, double x, double y) const = 0;
  // N(u) of the modes u (field, ky, kx) into `result`, of the same shape.
  virtual void nonlinear(const Complex* u, Complex* result) = 0;
};

struct Case {
  int dimensions;
  double start, length;
  CheckPoints check;
  // dealias: modes beyond 2/3 of the highest are removed from every product.
  std::unique_ptr<Problem> (*make)(const Grid& grid, bool dealias, unsigned effort);
};

// Throws std::invalid_argument, naming the cases, if there is none of this name.
const Case& find_case(const std::string& name);

}  // namespace etdrk4
