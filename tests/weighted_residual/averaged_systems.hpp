// Systems with a time average, one axis of space and everything that couples its subdomains.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace gwrm::test {

struct AveragedSystem {
  std::string name;
  std::string yaml;  // K: degree in t, EDGES: the subdomains of x in [-1, 2]

  std::string with(int degree, const std::string& edges) const {
    return std::regex_replace(std::regex_replace(yaml, std::regex("\\bK\\b"), std::to_string(degree)),
                              std::regex("EDGES"), edges);
  }
};

inline void PrintTo(const AveragedSystem& what, std::ostream* out) {
  *out << what.name;
}

// Divisions of [-1, 2] into 1 to 7 subdomains of different length.
inline const std::vector<std::string> kDivisions = {"[-1, 2]",
                                                    "[-1, 0.2, 2]",
                                                    "[-1, -0.9, 1.1, 2]",
                                                    "[-1, 0, 0.1, 1.7, 2]",
                                                    "[-1, -0.6, -0.1, 0.3, 1.5, 2]",
                                                    "[-1, -0.5, 0, 0.5, 1, 1.5, 2]",
                                                    "[-1, -0.99, -0.7, -0.2, 0.4, 0.9, 1.3, 2]"};

inline const std::vector<AveragedSystem> kAveragedSystems = {{"Burgers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = 0.1*(1 + x^2*t)*dx(u,2) - u*dx(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = t"]
resolution: {degree: {t: K, x: 9}, domains: {x: EDGES}}
)yaml"},
                                                             {"NeumannRobin", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = dx((1 + u^2)*dx(u)) + u"]
initial: {u: "0"}
boundary: ["dx(u)(x=-1) = 0", "u(x=2) + 2*dx(u)(x=2) = u(x=2)^3"]
resolution: {degree: {t: K, x: 8}, domains: {x: EDGES}}
)yaml"},
                                                             {"PeriodicOddAndEven", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u, v]
equations: ["dt(u) + (1 + v)*dx(u) = 0.1*dx(u,2)", "dt(v) + dx(v) = u*v"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = u(x=2)", "dx(u)(x=-1) = dx(u)(x=2)", "v(x=-1) = v(x=2)"]
resolution: {degree: {t: K, x: 8}, domains: {x: EDGES}}
)yaml"},
                                                             {"KdV", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + 6*u*dx(u) + dx(u,3) = 0"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "dx(u)(x=2) = 0"]
resolution: {degree: {t: K, x: 10}, domains: {x: EDGES}}
)yaml"},
                                                             {"FourthOrder", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) + dx(u,2) + dx(u,4) = 0"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=-1) = 0", "u(x=2) = 0", "dx(u)(x=2) = 0"]
resolution: {degree: {t: K, x: 10}, domains: {x: EDGES}}
)yaml"},
                                                             {"WaveWithFlux", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u, q]
equations: ["dt(u,2) + u*dt(u) = dx(q)", "q = (1 + x^2)*dx(u) + u^3"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "q(x=2) + dt(u)(x=2) = u(x=2)"]
resolution: {degree: {t: K, x: 8}, domains: {x: EDGES}}
)yaml"},
                                                             {"ScalarAndIntegral", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u, {name: c, dims: [t]}, {name: r, dims: [t]}]
equations: ["dt(u) = dx(u,2) + c*u*x + c", "dt(r) = -r^2 + integral(u^2, x) + u(x=0.3)", "integral(u*x, x) = r + c"]
initial: {u: "0", r: "0"}
boundary: ["u(x=-1) = r", "integral((1 + x)*u, x) = 1 + t"]
resolution: {degree: {t: K, x: 8}, domains: {x: EDGES}}
)yaml"},
                                                             {"InteriorConditions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) - u^3"]
initial: {u: "0"}
boundary: ["u(x=-1) + u(x=0.25) = 0", "dx(u)(x=2) = u(x=0)^2 + t"]
resolution: {degree: {t: K, x: 8}, domains: {x: EDGES}}
)yaml"},
                                                             {"LogMap", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0.5, 3], map: log}}
unknowns: [u]
equations: ["dt(u) = x*dx(u,2) + dx(u) - u^2"]
initial: {u: "0"}
boundary: ["dx(u)(x=0.5) = 0", "u(x=3) = 0"]
resolution: {degree: {t: K, x: 8}, domains: {x: 3}}
)yaml"},
                                                             {"Steady", R"yaml(schema: 1
domain: {x: [-1, 2]}
unknowns: [u]
equations: ["0.05*dx(u,2) + (1 + x^2)*dx(u) = exp(u)"]
boundary: ["u(x=-1) = 0", "u(x=2) = 1"]
resolution: {degree: {x: 9}, domains: {x: EDGES}}
)yaml"}};

}  // namespace gwrm::test
