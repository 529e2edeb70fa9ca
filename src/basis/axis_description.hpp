// How a field is expanded along an axis in one window, as a value: what a journal and a result file keep, and what a
// basis (axis_basis.hpp) is made from.
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/axis.hpp"

namespace gwrm {

// Coefficients along the axis: subdomain after subdomain, each with all levels from 0 to `degree`.
struct AxisDescription {
  int degree = 0;             // the highest level on every subdomain: a polynomial degree, a wavenumber
  std::vector<double> edges;  // of the subdomains, ascending; {lower, upper} of the axis (of the window, for time) if
                              // it is undivided
  MapKind map = MapKind::linear;
  std::string basis = kChebyshev;  // a name of the registry

  Index n_subdomains() const { return static_cast<Index>(edges.size()) - 1; }
  Index n_coefficients() const;  // of the basis made from it; ShapeError if there is none of this name
  // The subdomain that holds z; an inner edge belongs to the one it ends. z outside is clamped to the first or last.
  Index subdomain_of(double z) const;
  bool operator==(const AxisDescription&) const = default;
};

// The interval between ascending `edges` that holds z, likewise.
Index interval_of(const std::vector<double>& edges, double z);

}  // namespace gwrm
