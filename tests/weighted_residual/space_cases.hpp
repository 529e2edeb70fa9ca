// Systems in two and three dimensions for the solvers that work axis by axis.
#pragma once

#include <ostream>

namespace gwrm::test {

struct SpaceCase {
  const char* name;
  const char* yaml;
};

inline void PrintTo(const SpaceCase& what, std::ostream* out) {
  *out << what.name;
}

// Degrees differ from axis to axis, and so do the intervals: an axis taken for another shows.
inline const SpaceCase kSeparable[] = {
    {"HeatDirichletAndNeumann", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + 0.3*dy(u,2) - 0.2*u"]
initial: {u: "0"}
boundary: ["u(x=-1) = t", "dx(u)(x=2) = 0", "u(y=0) = 0", "u(y=1) = x"]
resolution: {degree: {t: 3, x: 7, y: 5}}
)yaml"},
    {"HeatRobin", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.5*lap(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) - 2*dx(u)(x=-1) = 0", "3*u(x=2) + dx(u)(x=2) = y", "dy(u)(y=0) = u(y=0)", "u(y=1) = 0"]
resolution: {degree: {t: 3, x: 6, y: 8}}
)yaml"},
    {"HeatPeriodicEvenAndOdd", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2) + 0.2*dy(u,2) - dx(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = u(x=2)", "dx(u)(x=-1) = dx(u)(x=2)", "u(y=0) = u(y=1)", "dy(u)(y=0) = dy(u)(y=1)"]
resolution: {degree: {t: 3, x: 8, y: 7}}
)yaml"},
    // One periodic condition along each axis: mode L of an even degree stays free.
    {"AdvectionPeriodicEvenAndOdd", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + 2*dx(u) - 3*dy(u) + u = 0"]
initial: {u: "0"}
boundary: ["u(x=-1) = u(x=2)", "u(y=0) = u(y=1)"]
resolution: {degree: {t: 3, x: 6, y: 7}}
)yaml"},
    {"AdvectionWithProfiles", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + (3 + sin(x))*dx(u) + exp(y)*dy(u) = dx((1 + x^2)*dx(u)) + 0.05*dy(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = y", "u(y=0) = t", "dy(u)(y=1) = 0"]
resolution: {degree: {t: 3, x: 7, y: 6}}
)yaml"},
    {"SubdomainsTwoByThree", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0.2*dx(u,2) + (2 - y)*dy(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "dy(u)(y=0) = u(y=0)", "u(y=1) = t"]
resolution: {degree: {t: 3, x: 5, y: 4}, domains: {x: [-1, 0.2, 2], y: [0, 0.1, 0.6, 1]}}
)yaml"},
    {"Layers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx((2 - step(x - 0.2))*dx(u)) + 0.3*dy(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = y", "u(y=0) = 0", "u(y=1) = t", "u(y=0.4-) = 2*u(y=0.4+)"]
resolution: {degree: {t: 3, x: 5, y: 4}}
)yaml"},
    {"PeriodicSubdomains", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0.2*lap(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = u(x=2)", "dx(u)(x=-1) = dx(u)(x=2)", "dy(u)(y=0) = 0", "u(y=1) = t"]
resolution: {degree: {t: 3, x: 6, y: 5}, domains: {x: [-1, 0.2, 2]}}
)yaml"},
    {"WaveWithDamping", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) + 0.4*dt(u) = dx(u,2) + 2*dy(u,2)"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = t", "u(y=0) = 0", "u(y=1) = t"]
resolution: {degree: {t: 3, x: 6, y: 7}}
)yaml"},
    // dx(dt(u),2) meets one more power of z than dx(u,2): a Schur form for each z.
    {"WaveWithViscosity", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2) + dy(u,2) + 0.1*dx(dt(u),2)"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "dy(u)(y=0) = 0", "u(y=1) = t"]
resolution: {degree: {t: 3, x: 6, y: 7}}
)yaml"},
    // Each equation's derivatives and conditions are of its own unknown, but the orders differ.
    {"TwoFields", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + 2*dx(u) = lap(u)", "dt(v) + 3*dx(v) + (1 + y)*dy(v) = v"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 1", "u(y=0) = 0", "u(y=1) = 0", "v(x=-1) = t", "v(y=0) = 2"]
resolution: {degree: {t: 3, x: 6, y: 5}}
)yaml"},
    {"ThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1], z: [0, 3]}
unknowns: [u]
equations: ["dt(u) = lap(u) + dx(u) - z*dz(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 0", "u(y=0) = u(y=1)", "dy(u)(y=0) = dy(u)(y=1)", "u(z=0) + dz(u)(z=0) = t",
           "u(z=3) = 0"]
resolution: {degree: {t: 2, x: 4, y: 6, z: 5}}
)yaml"},
    {"ThreeDimensionsDivided", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1], z: [0, 3]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "u(y=0) = 0", "u(y=1) = x", "dz(u)(z=0) = 0", "dz(u)(z=3) = t"]
resolution: {degree: {t: 2, x: 3, y: 4, z: 4}, domains: {x: 2, z: [0, 0.4, 3]}}
)yaml"},
    {"SteadyHelmholtz", R"yaml(schema: 1
domain: {x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) + 5*u = x*y"]
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {x: 7, y: 6}}
)yaml"},
    {"SteadyPoissonInThreeDimensions", R"yaml(schema: 1
domain: {x: [-1, 2], y: [0, 1], z: [0, 3]}
unknowns: [u]
equations: ["lap(u) = x*y*z"]
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0", "dz(u)(z=0) = 0",
           "u(z=3) = 2*dz(u)(z=3)"]
resolution: {degree: {x: 5, y: 4, z: 6}}
)yaml"},
};

// K: degree in t.
inline const SpaceCase kNotSeparable[] = {
    {"BurgersInTwoDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.2*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = 0.2*lap(v)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "u(y=0) = t", "u(y=1) = 0",
           "v(x=-1) = v(x=2)", "dx(v)(x=-1) = dx(v)(x=2)", "dy(v)(y=0) = v(y=0)", "v(y=1) = 0"]
resolution: {degree: {t: K, x: 6, y: 5}}
)yaml"},
    {"VaryingDiffusivityInSubdomains", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = (1 + 0.3*x*y)*lap(u) + u^3 + t*dx(dy(u))"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 0", "u(y=0) = t", "u(y=1) = 0"]
resolution: {degree: {t: K, x: 5, y: 6}, domains: {x: [-1, 0.5, 2]}}
)yaml"},
    {"SineGordon", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = lap(u) - sin(u)"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "dy(u)(y=0) = 0", "u(y=1) = t"]
resolution: {degree: {t: K, x: 6, y: 5}}
)yaml"},
};

}  // namespace gwrm::test
