// Expressions of vectors, taken apart into expressions of numbers (vector_value.hpp): what the reader of a case and
// `gwrm eval` do before anything else sees them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/source_text.hpp"
#include "expression/expression.hpp"

namespace gwrm::expression {

// An expression or equation of numbers. `axis`: "x", or "1" of [a, b] that is along no dimension; empty: there was no
// vector, and `text` is as it was given.
struct Component {
  std::string axis;
  std::string text;
};

// One for each component, in the order x, y, z; of numbers one. CaseError at the place in `source`.
std::vector<Component> components(Pool& pool, const SourceText& source);
std::vector<Component> equation_components(Pool& pool, const SourceText& source);
// Those that are wanted for `vector`: 0 stands for zeros.
std::vector<Component> components_for(Pool& pool, const SourceText& source, const VectorSymbol& vector);

// Every definition of the pool's symbols, in their order, a vector as its components: "w", or "v_x" and "v_y".
// CaseError inside the definition that is wrong, whether or not something uses it.
std::vector<std::pair<std::string, Expr>> definition_values(Pool& pool);

}  // namespace gwrm::expression
