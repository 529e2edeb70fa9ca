// Systems with Fourier axes whose coefficients vary along none of them: the averaged operators decouple exactly.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "weighted_residual/assembled.hpp"
#include "weighted_residual/preconditioner/tensor_operators.hpp"
#include "weighted_residual/space_cases.hpp"
#include "weighted_residual/window/dense_rows.hpp"

namespace gwrm::test {

// Degrees and lengths differ from axis to axis; degrees 0 and 1 occur.
inline const SpaceCase kExact[] = {
    {"HeatOnALine", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u) = 0.3*dx(u,2) - 0.2*u"]
initial: {u: "0"}
resolution: {degree: {t: 3, x: 9}}
)yaml"},
    {"ConstantFunctionsAlone", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["dt(u) = 0.3*lap(u) - 0.2*u + dx(u)"]
initial: {u: "0"}
resolution: {degree: {t: 3, x: 0, y: 1}}
)yaml"},
    {"AdvectionAndDispersion", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + 2*dx(u) = 0.01*dx(u,2) - 0.001*dx(u,3)"]
initial: {u: "0"}
resolution: {degree: {t: 3, x: 1}}
)yaml"},
    {"MixedDerivatives", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + 2*dx(u) - 3*dy(u) = 0.1*lap(u) + 0.05*dx(dy(u))"]
initial: {u: "0"}
resolution: {degree: {t: 3, x: 4, y: 6}}
)yaml"},
    // Streamfunction and vorticity of a flow with a mean, and a gauge that depends on time.
    {"VorticityWithAGauge", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, pi], basis: fourier}}
unknowns: [w, psi, {name: c, dims: [t]}]
equations: ["dt(w) + 2*dx(w) - dx(psi) = 0.1*lap(w)", "lap(psi) + w = c", "integral(integral(psi, x), y) = 0"]
initial: {w: "0"}
resolution: {degree: {t: 3, x: 4, y: 3}}
)yaml"},
    {"WaveAsASystem", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [p, u, v]
equations: ["dt(p) + dx(u) + dy(v) = 0", "dt(u) + dx(p) = 0", "dt(v) + dy(p) = 0.1*lap(v)"]
initial: {p: "0", u: "0", v: "0"}
resolution: {degree: {t: 3, x: 3, y: 4}}
)yaml"},
    {"SecondOrderInTime", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["dt(u,2) + 0.4*dt(u) = lap(u) + 0.1*dx(dt(u),2) + dx(u)"]
initial: {u: "0", "dt(u)": "0"}
resolution: {degree: {t: 3, x: 3, y: 2}}
)yaml"},
    {"ThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}, z: {range: [0, 3], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) = 0.1*lap(u) + dx(u) - 2*dz(v)", "dt(v) = 0.2*lap(v) + dy(dz(u)) + u"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: 2, x: 3, y: 1, z: 2}}
)yaml"},
    {"SteadyHelmholtz", R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["lap(u) - 5*u + 2*dx(u) = 1"]
resolution: {degree: {x: 5, y: 3}}
)yaml"},
    {"SteadyPoissonWithoutAMean", R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["lap(u) + dx(u) = sin(2*pi*y)"]
boundary: ["integral(integral(u, x), y) = 0"]
resolution: {degree: {x: 3, y: 2}}
)yaml"},
    {"VorticityWithoutAMean", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, pi], basis: fourier}}
unknowns: [w, psi]
equations: ["dt(w) + 2*dx(w) - dx(psi) = 0.1*lap(w)", "lap(psi) + w = 0"]
initial: {w: "0"}
boundary: ["integral(integral(psi, x), y) = 0"]
resolution: {degree: {t: 3, x: 4, y: 3}}
)yaml"},
    {"MeansAlongOneOfTwoAxes", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 1], basis: fourier}, y: [0, 2]}
unknowns: [w, q]
equations: ["dt(w) + q = 0.1*lap(w)", "dx(q,2) + y*w = 0"]
initial: {w: "0"}
boundary: ["w(y=0) = 0", "w(y=2) = t", "integral(q, x) = 0"]
resolution: {degree: {t: 3, x: 4, y: 6}}
)yaml"},
    // One bounded axis: before and behind the Fourier axis in memory, divided, with profiles and coupled fields.
    {"WallsAlongY", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + (1 + y)*dx(u) = 0.2*lap(u) + 0.1*y*dx(dy(u))"]
initial: {u: "0"}
boundary: ["u(y=0) = t", "dy(u)(y=1) + u(y=1) = 0"]
resolution: {degree: {t: 3, x: 4, y: 7}}
)yaml"},
    {"WallsAlongXDivided", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: {range: [0, 1], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + exp(x)*dy(u) = 0.2*lap(u) + v", "dt(v) = dx((1 + x^2)*dx(v)) + 0.1*dy(v,2) + sin(x)*dx(u)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 0", "v(x=-1) = v(x=2)", "dx(v)(x=-1) = dx(v)(x=2)"]
resolution: {degree: {t: 3, x: 5, y: 3}, domains: {x: [-1, 0.2, 2]}}
)yaml"},
    {"ChannelInThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: [0, 1], z: {range: [0, 3], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + y*(1 - y)*dx(u) = 0.2*lap(u)"]
initial: {u: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 2, x: 2, y: 6, z: 3}}
)yaml"},
    {"SteadyConvectionWithAMean", R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: [0, 1]}
unknowns: [u, {name: m, dims: [y]}]
equations: ["lap(u) - y*dx(u) + m = 1", "integral(u, x) = dy(m) + 5*m"]
boundary: ["u(y=0) = 0", "u(y=1) = 0", "m(y=0) = 1"]
resolution: {degree: {x: 4, y: 8}}
)yaml"},
};

// Not "boundary: [".
inline bool has_bounded_axis(const SpaceCase& a) {
  const std::string yaml = a.yaml;
  return yaml.find(" x: [") != std::string::npos || yaml.find(" y: [") != std::string::npos;
}

// Those without a bounded axis.
inline std::vector<SpaceCase> periodic_cases() {
  std::vector<SpaceCase> cases(std::begin(kExact), std::end(kExact));
  std::erase_if(cases, [](const SpaceCase& a) { return has_bounded_axis(a); });
  return cases;
}

// Incompressible flow between walls, pressures as multipliers. No mean: a mirror along x; with one: none.
inline const SpaceCase kFlows[] = {
    {"Convection", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 3], basis: fourier}, y: [0, 1]}
unknowns: [u, v, p, T]
equations: ["dt(u) = -dx(p) + 0.4*lap(u)", "dt(v) = -dy(p) + 0.4*lap(v) + 3*T", "dx(u) + dy(v) = 0", "dt(T) = v + 0.3*lap(T)"]
initial: {u: "0", v: "0", T: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0", "T(y=0) = 0", "T(y=1) = 0"]
resolution: {degree: {t: 3, x: 4, y: 9}}
)yaml"},
    {"ChannelFlow", R"yaml(schema: 1
domain: {t: [0, 0.7], y: [-1, 1], x: {range: [0, 3], basis: fourier}}
unknowns: [u, v, p]
equations: ["dt(u) + (1 - y^2)*dx(u) - 2*y*v = -dx(p) + 0.3*lap(u)", "dt(v) + (1 - y^2)*dx(v) = -dy(p) + 0.3*lap(v)", "dx(u) + dy(v) = 0"]
initial: {u: "0", v: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
resolution: {degree: {t: 3, x: 3, y: 8}}
)yaml"},
    {"ChannelFlowInThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 3], basis: fourier}, y: [-1, 1], z: {range: [0, 2], basis: fourier}}
unknowns: [u, v, w, p]
equations: ["dt(u) + (1 - y^2)*dx(u) - 2*y*v = -dx(p) + 0.3*lap(u)", "dt(v) + (1 - y^2)*dx(v) = -dy(p) + 0.3*lap(v)", "dt(w) + (1 - y^2)*dx(w) = -dz(p) + 0.3*lap(w)", "dx(u) + dy(v) + dz(w) = 0"]
initial: {u: "0", v: "0", w: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "w(y=-1) = 0", "w(y=1) = 0"]
resolution: {degree: {t: 2, x: 2, y: 6, z: 2}}
)yaml"},
    {"StokesInThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 3], basis: fourier}, z: {range: [0, 2], basis: fourier}, y: [-1, 1]}
unknowns: [u, v, w, p]
equations: ["dt(u) = -dx(p) + 0.3*lap(u)", "dt(v) = -dy(p) + 0.3*lap(v)", "dt(w) = -dz(p) + 0.3*lap(w)", "dx(u) + dy(v) + dz(w) = 0"]
initial: {u: "0", v: "0", w: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "w(y=-1) = 0", "w(y=1) = 0"]
resolution: {degree: {t: 2, x: 2, y: 6, z: 1}}
)yaml"},
    // Magnetic field (a, b) in a flow, each free of divergence by a multiplier of its own.
    {"MagneticChannel", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 3], basis: fourier}, y: [0, 1]}
unknowns: [u, v, p, a, b, q]
equations: ["dt(u) - dx(a) - y*dy(a) = -dx(p) + 0.3*lap(u)", "dt(v) - dx(b) - y*dy(b) = -dy(p) + 0.3*lap(v)", "dx(u) + dy(v) = 0", "dt(a) - dx(u) - y*dy(u) = -dx(q) + 0.2*lap(a)", "dt(b) - dx(v) - y*dy(v) = -dy(q) + 0.2*lap(b)", "dx(a) + dy(b) = 0"]
initial: {u: "0", v: "0", a: "0", b: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0", "a(y=0) = 0", "a(y=1) = 0", "b(y=0) = 0", "b(y=1) = 0"]
resolution: {degree: {t: 3, x: 3, y: 7}}
)yaml"},
};

// Those with a bounded axis.
inline std::vector<SpaceCase> line_cases() {
  std::vector<SpaceCase> cases(std::begin(kExact), std::end(kExact));
  std::erase_if(cases, [](const SpaceCase& a) { return !has_bounded_axis(a); });
  cases.insert(cases.end(), std::begin(kFlows), std::end(kFlows));
  return cases;
}

struct Averaged {
  Assembled a;
  SpatialLayout layout;
  std::vector<Array> averages;

  explicit Averaged(const std::string& yaml)
      : a(yaml),
        layout(a.system),
        averages(time_averages(
            a.system, a.system.linearise(std::vector<double>(static_cast<std::size_t>(a.system.size()), 0.0)))) {}

  Eigen::MatrixXcd operator_at(std::complex<double> z) const {
    Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(layout.size, layout.size);
    std::complex<double> power = 1.0;
    for (int p = 0; p <= highest_power(a.system); ++p, power *= z)
      sum += power * averaged_operator(a.system, averages, p).cast<std::complex<double>>();
    return sum;
  }
};

inline ComplexVector random_complex(Index n, unsigned seed) {
  const std::vector<double> re = random_vector(n, seed), im = random_vector(n, seed + 1);
  ComplexVector v(n);
  for (Index i = 0; i < n; ++i) v(i) = {re[static_cast<std::size_t>(i)], im[static_cast<std::size_t>(i)]};
  return v;
}

}  // namespace gwrm::test
