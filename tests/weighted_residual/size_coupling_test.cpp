// Unknowns that are small by their units beside those that are zero but for rounding.
#include "weighted_residual/model/size_coupling.hpp"

#include <string>
#include <vector>

#include "support_case.hpp"

namespace gwrm::size_coupling_test {
namespace {

std::vector<bool> zeros(const std::string& yaml, const std::vector<double>& sizes) {
  const Model model = build_model(test::case_of(yaml));
  return SizeCoupling(model).zero_to_rounding(sizes);
}

// E dx(w) = s: w is as s/E, whatever the units.
const std::string kHooke = R"yaml(
domain: {x: [0, 1]}
constants: {E: 1.0e+15}
unknowns: [w, s]
equations: ["s = E*dx(w) - 40*exp(-40*x)", "dx(s) = -1"]
boundary: ["w(x=0) = 0", "s(x=1) = 0"]
)yaml";

TEST(SizeCoupling, ADisplacementBesideAStressIsNoRounding) {
  const std::string yaml = kHooke + "resolution: {degree: {x: 12}}\n";
  EXPECT_EQ(zeros(yaml, {1e-15, 1.0}), (std::vector<bool>{false, false}));
  EXPECT_EQ(zeros(yaml, {1e-28, 1.0}), (std::vector<bool>{true, false}));
}

TEST(SizeCoupling, WhatIsAloneInItsEquationsHasNothingToRound) {
  const std::string yaml = R"yaml(
domain: {t: [0, 5]}
unknowns: [a, b, v]
equations: ["dt(a) = 20*b", "dt(b) = -20*a", "dt(v) = -v"]
initial: {a: 1.0e-20, b: 0, v: 1}
resolution: {degree: {t: 24}}
)yaml";
  EXPECT_EQ(zeros(yaml, {1e-20, 1e-20, 1.0}), (std::vector<bool>(3, false)));
}

// c feeds back to T by 1e-14: by its own equation it is no rounding, and the row of T does not tell.
TEST(SizeCoupling, AWeakEffectOnOthersMakesNoZero) {
  const std::string yaml = R"yaml(
domain: {t: [0, 1]}
unknowns: [T, c]
equations: ["dt(T) = -T + c", "dt(c) = -exp(-1/T)*c"]
initial: {T: 1, c: 1.0e-14}
resolution: {degree: {t: 12}}
)yaml";
  EXPECT_EQ(zeros(yaml, {1.0, 1e-14}), (std::vector<bool>{false, false}));
}

// p of a flow along walls is what rounding of u leaves, v what that makes of it, and w, which follows v, too.
TEST(SizeCoupling, RoundingIsHandedOn) {
  const std::string yaml = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}, y: [-1, 1]}
unknowns: [u, v, p, w]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + lap(u) + 1"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + lap(v)"
  - "dx(u) + dy(v) = 0"
  - "dt(w) = v"
initial: {u: "1 - y^2", v: "0", w: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
resolution: {degree: {t: 4, x: 2, y: 8}}
)yaml";
  EXPECT_EQ(zeros(yaml, {1.0, 1e-17, 1e-15, 1e-17}), (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(zeros(yaml, {1.0, 1e-9, 1e-9, 1e-9}), (std::vector<bool>(4, false)));
}

// Data of size 1 that cancel, in an initial value and in a condition.
TEST(SizeCoupling, RoundingOfDataIsRounding) {
  const std::string yaml = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(u,2)", "dt(v) = dx(v,2)"]
initial: {u: "cos(pi*x)", v: "cos(x)^2 + sin(x)^2 - 1"}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "v(x=0) = u(x=0) + u(x=1)", "v(x=1) = 0"]
resolution: {degree: {t: 8, x: 12}}
)yaml";
  EXPECT_EQ(zeros(yaml, {1.0, 1e-16}), (std::vector<bool>{false, true}));
}

}  // namespace
}  // namespace gwrm::size_coupling_test
