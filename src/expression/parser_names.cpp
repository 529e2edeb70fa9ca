// What stands for a name, plain or with a '(' behind it.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "expression/constant_value.hpp"
#include "expression/data_function.hpp"
#include "expression/names.hpp"
#include "expression/noise.hpp"
#include "expression/number_text.hpp"
#include "expression/parser.hpp"
#include "expression/parsing.hpp"

namespace gwrm::expression {
namespace {

constexpr int kMaxOrder = 8;  // highest derivative in one dx(u, n)

}  // namespace

Value Parsing::plain_name(const Token& token) {
  const std::string& name = token.text;
  if (name == "pi") return number_value(pool_.pi());
  if (symbols_.find_field(name) >= 0) return number_value(pool_.field(name));
  if (symbols_.find_axis(name) >= 0) return number_value(pool_.coordinate(name));
  if (symbols_.find_constant(name)) return number_value(pool_.constant(name));
  if (symbols_.find_data(name) != nullptr) return number_value(data(token));
  if (const VectorSymbol* vector = symbols_.find_vector(name)) return algebra_.field(*vector);
  if (const Definition* definition = symbols_.find_definition(name)) return defined(token, *definition);
  if (const Value* component = component_of_definition(token)) return *component;
  if (name == "i") return number_value(algebra_.of_numbers().unit());
  if (is_reserved(name, symbols_.axes) || is_vector_function(name) ||
      (is_complex_function(name) && symbols_.has_complex()))
    fail(token, "expected '(' behind '" + name + "', found " + describe(peek()));
  fail(token, unknown_name_message(symbols_, name, false));
}

bool Parsing::is_name_of_case(const std::string& name) const {
  return name == "pi" || symbols_.find_field(name) >= 0 || symbols_.find_axis(name) >= 0 ||
         symbols_.find_constant(name) || symbols_.find_data(name) != nullptr || symbols_.find_vector(name) != nullptr ||
         symbols_.find_definition(name) != nullptr;
}

Value Parsing::called_name(const Token& token) {
  const std::string& name = token.text;
  if (const auto function = find_function(name)) return call(token, *function);
  if (name == "lap") return laplacian(token);
  if (name == "integral") return integral(token);
  if (name == "noise") return number_value(noise(token));
  if (name.size() > 1 && name[0] == 'd' && symbols_.find_axis(name.substr(1)) >= 0) return derivative(token);
  if (is_name_of_case(name)) return plain_name(token);  // a restriction must follow: postfix() looks after it
  if (is_vector_function(name)) return vector_function(token);
  if (is_complex_function(name)) return complex_function(token);
  if (name == "delta") return number_value(delta(token));
  if (const Value* component = component_of_definition(token)) return *component;
  fail(token, unknown_name_message(symbols_, name, true));
}

// Its text is read where it stands in the file, errors in it are told there.
Value Parsing::defined(const Token& token, const Definition& definition) {
  const std::string& name = definition.name;
  if (const auto known = used_.known.find(name); known != used_.known.end()) return checked(token, known->second);
  if (const auto first = std::find(used_.open.begin(), used_.open.end(), name); first != used_.open.end()) {
    std::string cycle;
    for (auto open = first; open != used_.open.end(); ++open) cycle += *open + " -> ";
    fail(token, "the definition '" + name + "' uses itself: " + cycle + name +
                    "; a definition is made of unknowns, dimensions, constants and other definitions");
  }
  used_.open.push_back(name);
  Value value = Parsing(pool_, definition.text, used_, nesting_).expression();
  used_.open.pop_back();
  value.is_sum = false;
  used_.known.emplace(name, value);
  return checked(token, std::move(value));
}

// x, re, x_re: what may stand behind a name for its component.
bool Parsing::may_be_component(const std::string& name) const {
  const std::string last = name.substr(name.find('_') == std::string::npos ? 0 : name.find('_') + 1);
  return last == "re" || last == "im" || symbols_.find_axis(last) >= 0;
}

// w_x, where the definition w is a vector, w_re, where it is complex.
const Value* Parsing::component_of_definition(const Token& token) {
  for (const Definition& definition : symbols_.definitions) {
    if (!token.text.starts_with(definition.name + "_")) continue;
    const std::string wanted = token.text.substr(definition.name.size() + 1);
    if (!may_be_component(wanted)) continue;
    const Value whole = defined(token, definition);
    for (const auto& [component, part] : named_parts(pool_, whole)) {
      if (component == wanted) return &used_.known.emplace(token.text, number_value(part)).first->second;
    }
    const auto place = std::find(whole.axes.begin(), whole.axes.end(), wanted);  // u_x of a complex vector
    if (whole.rank != 1 || place == whole.axes.end()) continue;
    const Complex& part = whole.parts[static_cast<std::size_t>(place - whole.axes.begin())];
    return &used_.known.emplace(token.text, number_value(part)).first->second;
  }
  return nullptr;
}

Expr Parsing::noise(const Token& token) {
  constexpr double kLargestSeed = 9007199254740992.0;  // 2^53: every whole number up to it is a double
  take();                                              // '('
  const Expr amplitude = number(token, sum(), "the amplitude of noise");
  expect(TokenKind::comma, "',' and a seed: noise(amplitude, seed)");
  const double seed = whole_number("the seed of noise", 0.0, kLargestSeed);
  double modes = -1.0;
  if (taken(TokenKind::comma)) modes = whole_number("the highest mode of noise", 0.0, kMostNoiseModes);
  expect(TokenKind::close, "',' or ')'");
  try {
    const Expr unit = pool_.noise(static_cast<std::uint64_t>(seed), static_cast<int>(modes));
    return is_number(amplitude, 1.0) ? unit : checked(token, pool_.binary(Op::multiply, amplitude, unit));
  } catch (const CaseError& error) {
    fail(token, error.what());
  }
}

// delta(x - 0.5): of one dimension of space.
Expr Parsing::delta(const Token& token) {
  take();  // '('
  const Token& first = peek();
  const Expr z = number(first, sum(), "the argument of delta");
  expect(TokenKind::close, "')'");
  const Axis* along = nullptr;
  for (std::size_t i = 0; i < symbols_.axes.size(); ++i)
    if (z->facts.axes == std::uint32_t{1} << i) along = &symbols_.axes[i];
  if (along == nullptr || z->facts.degree > 0)
    fail(first, "the argument of delta depends on one dimension and on no unknown, as in delta(x - 0.5)");
  if (along->kind == AxisKind::time)
    fail(first,
         "delta is a source at a place, not at a time: let the run end there, and start another with the initial "
         "value that the impulse leaves");
  return checked(token, pool_.delta(z, along->name));
}

double Parsing::whole_number(const std::string& what, double least, double most) {
  const Token& first = peek();
  const auto value = constant_value(symbols_, number(first, sum(), what));
  if (!value || *value != std::trunc(*value) || *value < least || *value > most)
    fail(first, "expected " + what + ", a whole number from " + number_text(least) + " to " + number_text(most));
  return *value;
}

// k, or k(x, y) with the coordinates of its own dimensions in any order.
Expr Parsing::data(const Token& token) {
  const Expr e = pool_.data(token.text);
  if (peek().kind != TokenKind::open || opens_restriction()) return e;
  const std::vector<std::string>& axes = symbols_.find_data(token.text)->axes();
  take();  // '('
  std::vector<std::string> given;
  do {
    const Token& name = take();
    if (name.kind != TokenKind::name || std::find(axes.begin(), axes.end(), name.text) == axes.end() ||
        std::find(given.begin(), given.end(), name.text) != given.end())
      fail(name, "'" + token.text + "' are data along " + join(axes) + ": write " + token.text +
                     " alone, or a restriction such as " + token.text + "(" + axes.front() + "=0)");
    given.push_back(name.text);
  } while (taken(TokenKind::comma));
  expect(TokenKind::close, "',' or ')'");
  if (given.size() != axes.size())
    fail(token, "'" + token.text + "' are data along " + join(axes) + ": write " + token.text + " alone");
  return e;
}

Value Parsing::call(const Token& token, Function function) {
  const std::size_t n = arity(function);
  const std::string expected = token.text + " takes " + (n == 1 ? "one argument" : "two arguments");
  take();  // '('
  if (peek().kind == TokenKind::close) fail(peek(), expected + ", found none");
  std::vector<Complex> args;
  const auto take_argument = [&] {
    const Token& first = peek();
    const Value value = sum();
    const std::string what = "the argument of " + token.text;
    args.push_back(n == 1 ? complex_number(first, value, what) : Complex(number(first, value, what)));
  };
  take_argument();
  while (peek().kind == TokenKind::comma) {
    if (args.size() == n) fail(peek(), expected + ", found another ','");
    take();
    take_argument();
  }
  if (args.size() < n && peek().kind == TokenKind::close)
    fail(peek(), expected + ", found only " + std::to_string(args.size()));
  expect(TokenKind::close, "',' or ')'");
  if (n == 2) return checked(token, number_value(pool_.call(function, {args[0].re, args[1].re})));
  return made(token, [&] { return number_value(algebra_.of_numbers().call(function, args[0])); });
}

// re, im, conj, arg: of a vector by components.
Value Parsing::complex_function(const Token& token) {
  const std::string& name = token.text;
  take();  // '('
  const Token& first = peek();
  const Value inner = sum();
  expect(TokenKind::close, "')'");
  const ComplexAlgebra& numbers = algebra_.of_numbers();
  if (name == "arg")
    return checked(token, number_value(numbers.argument(complex_number(first, inner, "the argument of arg"))));
  return checked(token, algebra_.each_number(inner, [&](const Complex& z) {
    return name == "conj" ? numbers.conjugate(z)
           : name == "re" ? Complex(numbers.real_part(z))
                          : Complex(numbers.imaginary_part(z));
  }));
}

Value Parsing::derivative(const Token& token) {
  take();  // '('
  const Value inner = sum();
  int order = 1;
  if (peek().kind == TokenKind::comma) {
    take();
    const Token& number = take();
    const bool legal = number.kind == TokenKind::number && number.value >= 1 && number.value <= kMaxOrder &&
                       number.value == std::trunc(number.value);
    if (!legal)
      fail(number, "expected the order of the derivative, an integer from 1 to " + std::to_string(kMaxOrder) +
                       ", found " + describe(number));
    order = static_cast<int>(number.value);
  }
  expect(TokenKind::close, "',' or ')'");
  const std::string axis = token.text.substr(1);
  return checked(token, algebra_.each(inner, [&](Expr part) { return pool_.derivative(part, axis, order); }));
}

Value Parsing::laplacian(const Token& token) {
  try {
    algebra_.check_space("lap", {});
  } catch (const OperandError& error) {
    fail(token, error.message);
  }
  take();  // '('
  const Value inner = sum();
  expect(TokenKind::close, "')'");
  return made(token, [&] { return algebra_.laplacian(inner); });
}

Value Parsing::integral(const Token& token) {
  take();  // '('
  const Value inner = sum();
  expect(TokenKind::comma, "',' and a dimension: integral(e, x)");
  const std::string axis = axis_name("expected a dimension to integrate over");
  expect(TokenKind::close, "')'");
  return checked(token, algebra_.each(inner, [&](Expr part) { return pool_.integral(part, axis); }));
}

Value Parsing::vector_function(const Token& token) {
  const std::string& name = token.text;
  take();  // '('
  const Value first = sum();
  if (name == "dot" || name == "cross") {
    expect(TokenKind::comma, "',' and a second vector: " + name + "(a, b)");
    const Value second = sum();
    expect(TokenKind::close, "')'");
    return made(token, [&] { return name == "dot" ? algebra_.dot(first, second) : algebra_.cross(first, second); });
  }
  expect(TokenKind::close, "')'");
  return made(token, [&] {
    return name == "grad"  ? algebra_.gradient(first)
           : name == "div" ? algebra_.divergence(first)
                           : algebra_.curl(first);
  });
}

}  // namespace gwrm::expression
