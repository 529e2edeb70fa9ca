// Any text as an expression: a tree or a CaseError. What parses is printed and reads back as the same tree, and goes
// through everything that is done to expressions before numbers come in: lowering, linearisation, the tape.
#include <cstdint>
#include <vector>

#include "core/matrix.hpp"
#include "expression/components.hpp"
#include "expression/device_text.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "expression/tape.hpp"
#include "fuzz/require.hpp"

namespace {

using namespace gwrm;
using namespace gwrm::expression;

Symbols symbols() {
  Symbols symbols;
  symbols.axes = {{"t", AxisKind::time, 0.0, 2.0, MapKind::linear},
                  {"nu", AxisKind::parameter, 0.02, 0.2, MapKind::log},
                  {"y", AxisKind::space, -1.0, 1.0, MapKind::linear},
                  {"x", AxisKind::space, 0.0, 3.0, MapKind::linear}};
  symbols.fields = {{"u", {"t", "nu", "y", "x"}}, {"v", {"t", "x"}},        {"s", {"x"}},         {"c", {}},
                    {"q_x", {"t", "y", "x"}},     {"q_y", {"t", "y", "x"}}, {"z_re", {"t", "x"}}, {"z_im", {"t", "x"}}};
  symbols.vectors = {{"q", {"x", "y"}}, {"z", {}, true}};
  const auto define = [&](const char* name, const char* text) {
    symbols.definitions.push_back({name, SourceText::from_argument(text, name)});
  };
  define("w", "curl(q) + f");
  define("f", "dx(u)*s");
  define("b", "q*w - [s, 0]");
  define("h", "conj(z)*exp(i*x)");
  symbols.constants = {{"A", 0.25}, {"big", 1e300}, {"zero", 0.0}};
  return symbols;
}

// Printing writes shared subtrees out, so that a short text may have a long one; such are not read again.
void reads_back(Pool& pool, Expr e) {
  const std::string text = print(e);
  if (text.size() <= kMaxTextLength) fuzz::require(parse(pool, SourceText::from_argument(text)) == e, text);
  latex(e);
}

void evaluates(const Pool& pool, Expr lowered) {
  const Tape tape(pool, std::vector<Expr>{lowered});
  const std::size_t n_axes = pool.symbols().axes.size();
  std::vector<Array> leaves;
  for (std::size_t i = 0; i < tape.leaves().size(); ++i) {
    leaves.emplace_back(Shape(n_axes, 1));
    leaves.back().data[0] = 0.25 + 0.5 * static_cast<double>(i);
  }
  tape.evaluate(leaves, std::vector<Vector>(n_axes, Vector{{2.0}}));
  if (!tape.has_integral()) tape.steps(0);
}

void goes_through(Pool& pool, Expr e) {
  const Expr lowered = lower(pool, e);
  for (const Expr atom : atoms_in(lowered)) atom_of(pool, atom);
  additive_terms(pool, lowered);
  evaluates(pool, lowered);
  collect(pool, frechet(pool, lowered));
  if (lowered->facts.degree == 0 && atoms_in(lowered).empty()) device_text(lowered);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const SourceText source = SourceText::from_argument(std::string(reinterpret_cast<const char*>(data), size));
  fuzz::expect_refusal([&] {
    Pool pool(symbols());
    const Expr e = parse(pool, source);
    reads_back(pool, e);
    goes_through(pool, e);
  });
  fuzz::expect_refusal([&] {
    Pool pool(symbols());
    const Equation equation = parse_equation(pool, source);
    reads_back(pool, equation.left);
    goes_through(pool, pool.difference(equation.left, equation.right));
  });
  fuzz::expect_refusal([&] {
    Pool pool(symbols());
    for (const Component& part : components(pool, source))
      reads_back(pool, parse(pool, SourceText::from_argument(part.text)));
  });
  fuzz::expect_refusal([&] {
    Pool pool(symbols());
    for (const Component& part : equation_components(pool, source))
      parse_equation(pool, SourceText::from_argument(part.text));
  });
  fuzz::expect_refusal([&] { evaluate_number(source, symbols().constants); });
  return 0;
}
