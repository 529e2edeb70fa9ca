// What is continuous where an equation's data jump: the fluxes by hand. One-sided values and delta on the way there.
#include "expression/outer_flux.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "expression/constant_value.hpp"
#include "expression/lowering.hpp"
#include "expression/one_sided.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::outer_flux_test {
namespace {

// "z: G_0; G_1 | z: ..", z with six digits. Of w all derivatives may jump, of the others u and v themselves do not.
std::string fluxes(const std::string& text) {
  Pool pool(samples::symbols());
  const Equation equation = parse_equation(pool, SourceText::from_argument(text), true);
  std::string result;
  try {
    for (const ContinuousFluxes& here : continuous_fluxes(pool, equation.left, equation.right, 3, {0, 0, -1, -1})) {
      result += (result.empty() ? "" : " | ") + std::to_string(here.place) + ":";
      for (std::size_t p = 0; p < here.fluxes.size(); ++p) result += (p == 0 ? " " : "; ") + print(here.fluxes[p]);
    }
  } catch (const CaseError& error) {
    return "error";
  }
  return result;
}

TEST(OuterFlux, OfOneTerm) {
  EXPECT_EQ(fluxes("dx((1 + step(x - 0.4))*dx(v)) = 1"), "0.400000: (1 + step(x - 0.4))*dx(v)");
  EXPECT_EQ(fluxes("dt(v) = dx(sign(x - 0.4)*dx(v))"), "0.400000: sign(x - 0.4)*dx(v)");
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*step(x - 1)*v) = 1"),
            "0.400000: step(x - 0.4)*step(x - 1)*v | 1.000000: step(x - 0.4)*step(x - 1)*v");
  EXPECT_EQ(fluxes("A*dx(step(x - 0.4)*dx(v)) = v*c"), "0.400000: A*(step(x - 0.4)*dx(v))");
}

TEST(OuterFlux, OfHigherOrders) {
  EXPECT_EQ(fluxes("dx((1 + step(x - 0.4))*dx(v,2), 2) = 1"),
            "0.400000: dx((1 + step(x - 0.4))*dx(v, 2)); (1 + step(x - 0.4))*dx(v, 2)");
  EXPECT_EQ(fluxes("dx(dx(step(x - 0.4)*v)) = 1"), "0.400000: dx(step(x - 0.4)*v); step(x - 0.4)*v");
  EXPECT_EQ(fluxes("lap(u*step(x - 0.4)) = 1"), "0.400000: dx(u*step(x - 0.4)); u*step(x - 0.4)");
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*dx(v*step(x - 0.4))) = 1"),
            "0.400000: step(x - 0.4)*dx(v*step(x - 0.4)); v*step(x - 0.4)");
  // The derivative of a kink is a jump.
  EXPECT_EQ(fluxes("dx(abs(x - 0.4)*v, 2) = 1"), "0.400000: dx(abs(x - 0.4)*v)");
}

TEST(OuterFlux, OfSums) {
  // sign*dx(v) is finite where v is continuous.
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*dx(v)) + sign(x - 0.4)*dx(v) = 1"), "0.400000: step(x - 0.4)*dx(v)");
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*dx(v)) - dx(w) = 1"), "0.400000: step(x - 0.4)*dx(v) + -w");
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*dx(u)) + dy(dx(u)) = 1"), "0.400000: step(x - 0.4)*dx(u) + dy(u)");
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*dx(u)) + dy(v*dx(w)) = 1"), "0.400000: step(x - 0.4)*dx(u) + dy(v*w)");
}

// A factor that jumps outside is divided away; where several differ there is no flux.
TEST(OuterFlux, WithFactorsOutside) {
  EXPECT_EQ(fluxes("dt(v)= dx(step(x - 0.4)*dx(v))/(1 + step(x - 0.4))"), "0.400000: step(x - 0.4)*dx(v)");
  EXPECT_EQ(fluxes("dx(step(x - 0.4)*dx(v))/(1 + step(x - 0.4)) + dx(w) = 1"), "error");
  EXPECT_EQ(fluxes("step(x - 0.4)*dx(v,2) + dx(step(x - 0.4))*dx(v) = 1"), "error");
  EXPECT_EQ(fluxes("sin(dx(step(x - 0.4)*v)) = 1"), "error");
  EXPECT_EQ(fluxes("dx(sign(sin(2000*x))*dx(v)) = 1"), "error");  // at 954 places
}

TEST(OuterFlux, NoneWhereNothingThatJumpsIsDifferentiated) {
  for (const char* text : {"step(x - 0.4)*dx(v,2) = 1", "dy(step(x - 0.4)*dy(u)) = 1", "dx(step(x)*v) = 1",
                           "dx(step(x - 0.4)(x=1)*v) = 1", "dx(abs(x - 0.4)*dx(v)) = 1", "dx(v)*dx(w) = step(x - 1)"})
    EXPECT_EQ(fluxes(text), "") << text;
}

TEST(OuterFlux, OfSourcesAtAPoint) {
  EXPECT_EQ(fluxes("dx(v,2) = v + 2*delta(x - 0.4)"), "0.400000: dx(v) + -(2*step(x - 0.4))");
  EXPECT_EQ(fluxes("dx(v,2) = c*v*delta(2*x - 1)"), "0.500000: dx(v) + -(c*v*(step(2*x - 1)/dx(2*x - 1)))");
  // A pair of opposite sources: v jumps.
  EXPECT_EQ(fluxes("dx(v,2) = dx(delta(x - 0.4))"), "0.400000: dx(v) + -dx(step(x - 0.4)); v + -step(x - 0.4)");
  Pool pool(samples::symbols());
  for (const char* text : {"delta(x - 1)", "2*delta(x)"}) EXPECT_THROW(samples::parsed(pool, text), CaseError) << text;
  for (const char* text : {"v = delta(t - 1)", "v = delta(x + y)", "v = delta(v)", "v = delta(1)"})
    EXPECT_THROW(parse_equation(pool, SourceText::from_argument(text), true), CaseError) << text;
  EXPECT_THROW(parse_equation(pool, SourceText::from_argument("v = delta(x - 1)")), CaseError);
}

std::string lowered(const std::string& text) {
  Pool pool(samples::symbols());
  return print(lower(pool, samples::parsed(pool, text)));
}

// What switches at the point has the value of its side, whatever rounding makes of the argument.
TEST(OneSided, WhatSwitchesIsKnown) {
  EXPECT_EQ(lowered("step(3*x - 1)(x=1/3-)"), "0");
  EXPECT_EQ(lowered("step(3*x - 1)(x=1/3+)"), "1");
  EXPECT_EQ(lowered("sign(1/3 - x)(x=1/3+)"), "-1");
  EXPECT_EQ(lowered("max(A, 2*A*x)(x=0.5+)"), lowered("2*A*x(x=0.5+)"));
  EXPECT_EQ(lowered("min(A, 2*A*x)(x=0.5+)"), "0.25");
  EXPECT_EQ(lowered("abs(x - 0.5)(x=0.5-)"), lowered("(0.5 - x)(x=0.5-)"));
}

TEST(OneSided, TheUnknownIsTakenNextToThePoint) {
  Pool pool(samples::symbols());
  for (const int side : {-1, 1}) {
    const Expr e = lower(pool, samples::parsed(pool, side < 0 ? "dx(w)(x=0.5-)" : "dx(w)(x=0.5+)"));
    ASSERT_TRUE(is_atom(e));
    EXPECT_EQ(atom_of(pool, e).points[3], std::nextafter(0.5, side * 1e9));
    EXPECT_EQ(point_beside(0.0, side) > 0.0, side > 0);
  }
}

TEST(OneSided, IsPrintedAndReadAgain) {
  Pool pool(samples::symbols());
  for (const char* text : {"u(x=0.5-)", "u(t=1, x=0.5+)", "(v*w)(x=2*A-)", "dx(u)(x=0.5 - 0.25+, y=0-)"})
    EXPECT_EQ(print(samples::parsed(pool, print(samples::parsed(pool, text)))), print(samples::parsed(pool, text)));
  EXPECT_EQ(print(samples::parsed(pool, "u(x=0.5 -)")), "u(x=0.5-)");
  for (const char* text : {"u(x=0-)", "u(x=1.5+)", "u(x=0.5--)", "u(x=(0.5-))", "u(x=-)", "w - "})
    EXPECT_THROW(samples::parsed(pool, text), CaseError) << text;
}

}  // namespace
}  // namespace gwrm::expression::outer_flux_test
