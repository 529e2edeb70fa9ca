// Incompressible flow in velocity and pressure as text for case files: the equations that many tests share.
#pragma once

#include <string>

namespace gwrm::test {

enum class Flow { unsteady, steady };

// "unknowns: [u, v, p]" and the Navier-Stokes equations in the plane. viscous: the factor of lap(u) and lap(v), as in
// "nu*".
inline std::string flow_equations(const std::string& viscous, Flow flow = Flow::unsteady) {
  const auto momentum = [&](const std::string& velocity, const std::string& axis) {
    const std::string rate = flow == Flow::unsteady ? "dt(" + velocity + ") + " : "";
    return "  - \"" + rate + "u*dx(" + velocity + ") + v*dy(" + velocity + ") = -d" + axis + "(p) + " + viscous +
           "lap(" + velocity + ")\"\n";
  };
  return "unknowns: [u, v, p]\nequations:\n" + momentum("u", "x") + momentum("v", "y") + "  - \"dx(u) + dy(v) = 0\"\n";
}

}  // namespace gwrm::test
