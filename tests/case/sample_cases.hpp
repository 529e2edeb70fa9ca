// Case files for the tests: the complete example of the documentation, a short one, and a system in three dimensions.
#pragma once

#include <stdexcept>
#include <string>

namespace gwrm::testing {

inline const std::string kFullCase = R"yaml(schema: 1
problem: time_spectral            # time_spectral (default)
title: Viscous Burgers, the viscosity as a third dimension

domain:                           # t = time, x y z = space, any other name = a parameter dimension
  t:  [0, 1]
  x:  [0, 1]
  nu: {range: [0.02, 0.2], map: log}        # long form; map: linear (default) | log
constants: {A: 0.25}              # expressions of numbers and earlier constants
unknowns: [u]                     # fields; an unknown scalar is written {name: c, dims: []}

equations:                        # as many as unknowns; '=' exactly once; quotes recommended
  - "dt(u) = nu*dx(u,2) - u*dx(u)"
initial:
  u: "A*sin(pi*x)"
boundary:                         # any condition at any point
  - "u(x=0) = 0"
  - "u(x=1) = 0"
exact: {u: "..."}                 # optional: errors are then reported and stored

resolution:
  degree: {t: 12, x: 24, nu: 8}   # highest polynomial degree K, L, M per dimension (K+1 coefficients)
  domains: {t: 4}                 # time windows: a count or the edges
time: {weighting: radau}          # radau (default) | chebyshev
solver:
  newton: {tolerance: 1.0e-12, max_iterations: 30, globalisation: natural}   # natural | none | sir
  linear: auto                    # auto | dense
  product: auto                   # auto | direct | transform
backend: auto                     # auto | cpu | cuda
output:
  file: burgers.h5
  grid: {t: 41, x: 101, nu: 5}    # points per dimension for the sampled fields, or explicit lists
  fields: {u: u, slope: "dx(u)"}  # any expression
convergence:                      # used by `gwrm converge`
  vary: {x: [8, 12, 16, 24, 32]}
)yaml";

// One key a line: tests replace single lines and count them.
inline const std::string kShortCase = R"yaml(domain:
  t: [0, 2]
  x: [0, pi]
unknowns: [u]
equations:
  - "dt(u) = dx(u,2)"
resolution:
  degree: {t: 6, x: 12}
)yaml";

// Vectors and definitions.
inline const std::string kVectorCase = R"yaml(domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
constants: {nu: 0.1}
definitions: {w: "curl(u)", wall: "16*x^2*(1 - x)^2"}
unknowns: [{name: u, vector: [x, y]}, p]
equations:
  - "dt(u) + dot(u, grad(u)) = -grad(p) + nu*lap(u)"
  - "div(u) = 0"
initial: {u: 0}
boundary:
  - "u(x=0) = 0"
  - "u(x=1) = [0, 0]"
  - "u(y=0) = 0"
  - "u(y=1) = [wall, 0]"
exact: {u: ["0*t", 0]}
resolution: {degree: {t: 4, x: 8, y: 8}}
output: {fields: {velocity: u, vorticity: w}}
)yaml";

inline const std::string kLargeCase = R"yaml(schema: 1
title: "Quotes \" and # and : and unicode \u03bd\tin a title"
constants:
  L: 2*pi
  k: "L/3"   # uses the one before
  tiny: 1e-7
domain:
  x: [-L, L]
  p: {range: [1, 10], map: log}
  t: [0, 1/3]
  z: [0, 1]
  q: [0, k]
unknowns:
  - u
  - {name: v, dims: [x, t]}
  - name: c
    dims: []
equations:
  - dt(u) = p*lap(u) + c
  - >
    dt(v,2) = dx(v,2)
    + sin(x)
  - 'integral(v, x) = 0'
initial:
  u: 0   # at rest
  v: cos(x)
  "dt(v)": "1"
boundary: ["u(x=-L) = 0", u(x=L) = 0]
exact: {v: "cos(x)*cos(t)"}
guess: {c: 1.5}
resolution:
  degree: {t: 8, x: 10, z: 4, p: 3, q: 0}
  domains: {t: [0, 0.1, 1/3], x: 1, z: [0, 1]}
time: {weighting: chebyshev}
parameters: {method: coupled}
solver:
  newton: {tolerance: tiny^2, max_iterations: 7, globalisation: sir}
  linear: dense
  product: transform
  memory: 1.5
backend: cpu
verification:
  tolerance: 1e-3
  tail: tiny
  residual: 0.25
  values:
    - {expr: "v", at: {t: 1/3, x: k}, value: -0.3}
    - {expr: c, value: 1}
output:
  file: "a b.h5"
  grid: {t: 11, x: [-L, 0, k], p: [2]}
  fields: {u: u, energy: "integral(v^2, x)"}
convergence:
  vary: {x: [8, 16], t: [4]}
)yaml";

// The program chooses windows, subdomains and the degrees in nu and x.
inline const std::string kAutomaticCase = R"yaml(domain:
  t: [0, 2]
  nu: [1, 2]
  x: [0, 1]
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2)"]
resolution:
  tolerance: 1.0e-8
  degree: {t: 6}
  domains: {t: 4, x: [0, 0.9, 1]}
  limits: {windows: 500, domains: 40, degree: 64}
  first_window: 1/8
)yaml";

// A branch of steady solutions.
inline const std::string kRecurrenceCase = R"yaml(problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["dx(u)(x=0) = 0", "u(x=1) = 0"]
recurrence:
  intervals: 2^10
  source: "pi^2/4*cos(pi/2*x)"
)yaml";

inline const std::string kBallCase = R"yaml(problem: ball
domain: {t: [0, 0.2]}
ball:
  degree: {t: 8, r: 12, l: 3, m: 1}
  fields:
    u: {kind: scalar, boundary: robin, robin: 2}
    B: {kind: magnetic, boundary: insulating, diffusivity: 1/4}
  flow: {toroidal: {"2,0": "r^3*(1 - r^2)"}, poloidal: {"1,-1": "r^2*(1 - r^2)"}, factor: 10}
  terms: [induction, advection]
  windows: [0, 0.1, 0.2]
growth: {modes: 1}
initial: {u: "(1 - r^2)*z", B: {poloidal: {"1,0": "r*(5/3 - r^2)"}, toroidal: {"2,-1": "r^2*(1 - r^2)"}}}
)yaml";

inline const std::string kSbpSatCase = R"yaml(problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
boundary: ["u(x=0) = sin(pi*y)", "u(x=1) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
sbp_sat:
  intervals: 16
  source: "x*y"
)yaml";

inline const std::string kBranchCase = R"yaml(domain:
  x: [0, 1]
constants:
  lam: 0.5
  half: 1/2
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 16}}
continue:
  parameter: lam
  to: 3.5
)yaml";

inline const std::string kEigenvalueCase = R"yaml(domain:
  x: [0, 1]
constants: {a: 1}
unknowns: [u]
eigenvalue: {name: lam}
equations: ["-dx(u,2) + a*u = lam*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 16}}
)yaml";

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::invalid_argument("the sample case has no text: " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace gwrm::testing
