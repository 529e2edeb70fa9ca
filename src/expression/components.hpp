// Expressions of vectors and complex numbers, taken apart into expressions of real numbers (vector_value.hpp): what the
// reader of a case and `gwrm eval` do before anything else sees them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/source_text.hpp"
#include "expression/expression.hpp"

namespace gwrm::expression {

// An expression or equation of real numbers. `name`: "x", or "1" of [a, b] that is along no dimension; "re", "im",
// "x_re"; empty: it was of real numbers, and `text` is as it was given.
struct Component {
  std::string name;
  std::string text;
};

// One for each component, in the order x, y, z, the real part before the imaginary one; of real numbers one. Of an
// equation without those whose sides are both zero by their form. CaseError at the place in `source`, also for complex
// equations of real unknowns alone.
std::vector<Component> components(Pool& pool, const SourceText& source);
std::vector<Component> equation_components(Pool& pool, const SourceText& source);
// Those that are wanted for `vector`: 0 stands for zeros, a real number for a complex one.
std::vector<Component> components_for(Pool& pool, const SourceText& source, const VectorSymbol& vector);

// Every definition of the pool's symbols, in their order, vectors and complex numbers as their components: "w", or
// "v_x" and "v_y". CaseError inside the definition that is wrong, whether or not something uses it.
std::vector<std::pair<std::string, Expr>> definition_values(Pool& pool);

}  // namespace gwrm::expression
