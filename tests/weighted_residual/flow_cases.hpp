// Constraints with multipliers on axes of which one at most is bounded, for the solvers that work wavenumber by
// wavenumber.
#pragma once

#include <fmt/format.h>

#include <string>

namespace gwrm::test {

// Of a mean that is fixed, with rows of highest modes along the walls.
inline std::string flow(const std::string& domain, const std::string& degrees, const std::string& conditions) {
  return fmt::format(R"yaml(schema: 1
domain: {{t: [0, 0.5], {}}}
unknowns: [u, v, p]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.3*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.3*lap(v) + 0.2*t*cos(pi*x)",
            "dx(u) + dy(v) = 0"]
initial: {{u: "0", v: "0"}}
boundary: [{}]
resolution: {{{}}}
)yaml",
                     domain, conditions, degrees);
}
inline const std::string kWalls = R"("u(y=0) = 0", "u(y=1) = t", "v(y=0) = 0", "v(y=1) = 0")";
inline const std::string kPeriodicFlow =
    flow("x: {range: [0, 2], basis: fourier}, y: {range: [0, 2], basis: fourier}", "degree: {t: 4, x: 9, y: 6}", "");
inline const std::string kFlowBetweenWallsOfY =
    flow("x: {range: [0, 2], basis: fourier}, y: [0, 1]", "degree: {t: 4, x: 9, y: 8}", kWalls);
inline const std::string kFlowBetweenWallsOfX =
    flow("x: [0, 1], y: {range: [0, 2], basis: fourier}", "degree: {t: 4, x: 11, y: 7}",
         R"("u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0.2*t", "integral(integral(p, x), y) = t")");
inline const std::string kFlowInADividedChannel = flow("x: {range: [0, 2], basis: fourier}, y: [0, 1]",
                                                       "degree: {t: 3, x: 9, y: 7}, domains: {y: [0, 0.4, 1]}", kWalls);
inline const std::string kFlowInABox = R"yaml(schema: 1
domain: {t: [0, 0.5], x: {range: [0, 2], basis: fourier}, y: [0, 1], z: {range: [0, 2], basis: fourier}}
unknowns: [u, v, w, p]
equations: ["dt(u) + v*dy(u) + w*dz(u) = -dx(p) + 0.3*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.3*lap(v)",
            "dt(w) + u*dx(w) = -dz(p) + 0.3*lap(w)", "dx(u) + dy(v) + dz(w) = 0"]
initial: {u: "0", v: "0", w: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0.1*t", "v(y=0) = 0", "v(y=1) = 0", "w(y=0) = 0", "w(y=1) = 0"]
resolution: {degree: {t: 3, x: 2, y: 7, z: 3}}
)yaml";

// Of a density and a factor of the constraint that vary along averaged axes.
inline std::string of_variable_density(std::string flow) {
  for (const char* velocity : {"u", "v"}) {
    const std::string rate = fmt::format("dt({})", velocity);
    flow.replace(flow.find(rate), rate.size(), fmt::format("(1 + 0.3*cos(pi*x)*cos(pi*y))*{}", rate));
  }
  const std::string divergence = "dx(u) + dy(v)";
  return flow.replace(flow.find(divergence), divergence.size(), "(1 + 0.2*cos(pi*x))*(dx(u) + dy(v))");
}

}  // namespace gwrm::test
