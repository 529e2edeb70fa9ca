// The eigenproblem of a line (kernels/sbp_sat/line_modes.hpp) as standard symmetric problems: the whole of it, or its
// even and its odd half. What comes before and after the eigenvectors, for LAPACK and cuSOLVER alike.
#pragma once

#include <vector>

#include "kernels/sbp_sat/line_modes.hpp"

namespace gwrm {

// S of one half in its basis, divided by LineProblem::unit.
struct LinePart {
  // Entries that may differ from zero, every place at most once.
  struct Entry {
    int row, column;
    double value;
  };
  int size = 0;
  std::vector<Entry> entries;
  std::vector<double> factor;  // from an eigenvector y to v at the points of the part: v[i] = factor[i] y[i]
};

struct LineProblem {
  EvenOddSplit fold;
  double unit = 1.0;            // a power of two: entries of all sizes become moderate without rounding
  std::vector<LinePart> parts;  // those of `fold`
};

LineProblem line_problem(const StencilRows& a, const std::vector<double>& weights, LineSplit split);

// Eigenvalues ascending; y (pitch x pitch, row-major, pitch >= size) becomes the eigenvectors, one per row, and zeros.
// By LAPACK.
std::vector<double> solve_by_lapack(const LinePart& part, int pitch, double* y);

// LineModes::values from the eigenvalues of all parts, one part behind the other, in units of `problem.unit`.
std::vector<double> finished_values(const LineProblem& problem, const std::vector<double>& values);

}  // namespace gwrm
