#include "problems/ball/given_vector.hpp"

#include <cmath>

namespace gwrm::ball {

std::array<std::vector<double>, 3> given_vector(const BallExpressions& expressions, const VectorCase& vector,
                                                double time, const SpherePoints& points) {
  std::array<std::vector<double>, 3> values;
  for (std::size_t i = 0; i < 3; ++i)
    values[i] = vector.components[i].text.empty() ? std::vector<double>(static_cast<std::size_t>(points.size()), 0.0)
                                                  : expressions.finite_values(vector.components[i], time, points);
  if (!vector.is_cartesian) return values;
  std::size_t at = 0;
  for (double phi : points.phi)
    for (double theta : points.theta)
      for (std::size_t k = 0; k < points.r.size(); ++k, ++at) {
        const double x = values[0][at], y = values[1][at], z = values[2][at];
        const double s = std::sin(theta), c = std::cos(theta), out = x * std::cos(phi) + y * std::sin(phi);
        values[0][at] = s * out + c * z;
        values[1][at] = c * out - s * z;
        values[2][at] = y * std::cos(phi) - x * std::sin(phi);
      }
  return values;
}

}  // namespace gwrm::ball
