// The answer in a result file whose coefficients are a module's own, evaluated anywhere: gwrm eval and gwrm diff. A
// module whose answers are a Solution (output/solution.hpp) needs none.
#pragma once

#include <string>
#include <vector>

#include "core/axis.hpp"
#include "core/source_text.hpp"
#include "output/evaluate_points.hpp"
#include "output/solution_difference.hpp"

namespace gwrm {

class StoredAnswer {
 public:
  virtual ~StoredAnswer() = default;

  // The systems of coordinates in which points may be given, the file's own first: {t, r, theta, phi}, {t, x, y, z}.
  virtual std::vector<std::vector<Axis>> coordinates() const = 0;
  // Why a point of the system with this number is outside, with the cure; empty: it is not. Intervals of the axes need
  // not be looked at.
  virtual std::string outside(std::size_t system, const std::vector<double>& point) const = 0;

  // values[e][p] of expressions of the case's unknowns at points in that system; NaN outside. CaseError for what is no
  // such expression.
  virtual std::vector<std::vector<double>> values(std::size_t system, const std::vector<SourceText>& texts,
                                                  const ScatteredPoints& points) const = 0;

  // Of every field that both have, vectors as a whole, at points of both, relative to `other`. ShapeError, with why,
  // where the two are not of the same kind.
  virtual std::vector<FieldDifference> differences(const StoredAnswer& other) const = 0;
};

}  // namespace gwrm
