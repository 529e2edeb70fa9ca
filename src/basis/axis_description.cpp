#include "basis/axis_description.hpp"

#include <algorithm>

#include "basis/axis_basis.hpp"

namespace gwrm {

Index AxisDescription::n_coefficients() const {
  return make_basis(*this)->n_coefficients();
}

Index AxisDescription::subdomain_of(double z) const {
  return interval_of(edges, z);
}

Index interval_of(const std::vector<double>& edges, double z) {
  const auto first_end = edges.begin() + 1;  // the first interval whose end is not before z
  return std::lower_bound(first_end, edges.end() - 1, z) - first_end;
}

}  // namespace gwrm
