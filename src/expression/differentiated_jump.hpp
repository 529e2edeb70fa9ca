// Derivatives of expressions that jump. d`step` and d`sign` are taken as zero (chain_rule.cpp): of data that is the
// value almost everywhere, but in dx(c*dx(u)) it would drop the jump that c*dx(u) must not have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expression/expression.hpp"

namespace gwrm::expression {

struct DifferentiatedJump {
  Expr derivative = nullptr;  // as written: d<axis>(...) or lap(...)
  Function function = Function::step;
  std::string axis;
};

// The first derivative in `e`, a tree as written, of something that holds an unknown and a `step` or `sign` whose
// argument varies along the derivative's dimension. Not where the derivative is taken at a fixed point of that
// dimension, as in a boundary condition: its value there does not know of a jump elsewhere. Nor where the places of the
// jump are known, an argument that varies along that dimension and no other, and it is among `divisible` (bits as in
// Facts::axes): there outer_flux.hpp finds what is continuous.
std::optional<DifferentiatedJump> find_differentiated_jump(const Symbols& symbols, Expr e, std::uint32_t divisible);

}  // namespace gwrm::expression
