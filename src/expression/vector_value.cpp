#include "expression/vector_value.hpp"

#include <algorithm>

#include "expression/names.hpp"

namespace gwrm::expression {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw OperandError{message};
}

const std::vector<std::string> kPlane = {"x", "y"};
const std::vector<std::string> kSpace = {"x", "y", "z"};

Value vector_value(std::vector<std::string> axes, std::vector<Complex> parts) {
  return {1, std::move(axes), std::move(parts)};
}

Value sum_value(Value value) {
  value.is_sum = true;
  return value;
}

// A literal that no axis is known of yet may be along any list of the same length.
bool fits(const Value& a, const std::vector<std::string>& axes) {
  return a.axes == axes || (a.rank == 1 && a.axes.empty() && a.parts.size() == axes.size());
}

bool is_zero_number(const Value& value) {
  return value.is_number() && value.is_real() && is_zero(value.number().re);
}

}  // namespace

bool Value::is_real() const {
  return std::all_of(parts.begin(), parts.end(), [](const Complex& part) { return part.is_real(); });
}

Value number_value(const Complex& number) {
  return {0, {}, {number}};
}

std::vector<std::pair<std::string, Expr>> named_parts(Pool& pool, const Value& value) {
  const bool is_real = value.is_real();
  std::vector<std::pair<std::string, Expr>> result;
  for (std::size_t k = 0; k < value.parts.size(); ++k) {
    const std::string axis = value.is_number() ? "" : value.axes.empty() ? std::to_string(k + 1) : value.axes[k];
    const auto name = [&](const char* part) { return axis.empty() ? part : component_name(axis, part); };
    const ComplexAlgebra numbers(pool);
    result.emplace_back(is_real ? axis : name("re"), numbers.real_part(value.parts[k]));
    if (!is_real) result.emplace_back(name("im"), numbers.imaginary_part(value.parts[k]));
  }
  return result;
}

std::string describe(const Value& value) {
  if (value.rank == 0) return value.is_real() ? "a number" : "a complex number";
  const std::string vector = value.is_real() ? "a vector" : "a complex vector";
  const std::string what = value.rank == 1 ? vector : "the gradient of " + vector;
  if (value.axes.empty()) return what + " of " + std::to_string(value.parts.size()) + " components";
  return what + " (component" + (value.axes.size() > 1 ? "s " : " ") + join(value.axes) + ")";
}

std::vector<std::string> VectorAlgebra::space() const {
  std::vector<std::string> axes;
  for (const std::string& name : kSpace) {
    const int axis = pool_.symbols().find_axis(name);
    if (axis >= 0 && pool_.symbols().axes[static_cast<std::size_t>(axis)].kind == AxisKind::space) axes.push_back(name);
  }
  return axes;
}

Value VectorAlgebra::along(const Value& a, const std::vector<std::string>& axes) const {
  Value result = a;
  if (a.rank == 1) result.axes = axes;
  return result;
}

// Gives a literal the axes of what it meets.
void VectorAlgebra::match(Value& a, Value& b, const std::string& what) const {
  if (a.rank == b.rank && a.axes.empty() && fits(a, b.axes)) a = along(a, b.axes);
  if (a.rank == b.rank && b.axes.empty() && fits(b, a.axes)) b = along(b, a.axes);
  if (a.rank == b.rank && a.axes == b.axes && a.parts.size() == b.parts.size()) return;
  std::string cure;
  if (a.rank > 1 || b.rank > 1)
    cure = "a gradient of a vector stands in dot(a, grad(u)), which is (a . grad) u, or in div";
  else if (a.rank == b.rank)
    cure = "write the components that both shall have, as [a, b]";
  else
    cure = "write both as vectors, as [a, b], or both as numbers, as the component u_x, dot(a, b) or div(a)";
  refuse(what + " " + describe(a) + " on the left and " + describe(b) + " on the right: " + cure);
}

Value VectorAlgebra::literal(std::vector<Complex> parts) const {
  std::vector<std::string> axes = space();
  if (axes.size() != parts.size()) axes.clear();
  return vector_value(std::move(axes), std::move(parts));
}

Value VectorAlgebra::field(const VectorSymbol& vector) const {
  std::vector<Complex> parts;
  const std::vector<std::string> components = vector.components();
  const auto part = [&](std::size_t i) { return pool_.field(component_name(vector.name, components[i])); };
  for (std::size_t i = 0; i < components.size(); i += vector.is_complex ? 2 : 1)
    parts.push_back(vector.is_complex ? Complex(part(i), part(i + 1)) : Complex(part(i)));
  return vector.axes.empty() ? number_value(parts.front()) : vector_value(vector.axes, std::move(parts));
}

// a + (p - q) is (a + p) - q, for the sums made here: no term of theirs is a sum itself.
Complex VectorAlgebra::added(const Complex& a, const Complex& b, Op op) const {
  if (!a.is_real() || !b.is_real()) return complex_.sum(a, b, op);
  const Expr terms = b.re;
  if (terms->op != Op::add && terms->op != Op::subtract) return pool_.binary(op, a.re, terms);
  return pool_.binary(op == terms->op ? Op::add : Op::subtract, added(a, terms->args[0], op).re, terms->args[1]);
}

Complex VectorAlgebra::total(const std::vector<Complex>& terms) const {
  Complex sum = terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) sum = complex_.sum(sum, terms[i], Op::add);
  return sum;
}

Value VectorAlgebra::sum(const Value& a, const Value& b, Op op) const {
  Value left = a, right = b;
  match(left, right, op == Op::add ? "'+' has" : "'-' has");
  Value result{left.rank, left.axes, {}};
  for (std::size_t i = 0; i < left.parts.size(); ++i)
    result.parts.push_back(right.is_sum ? added(left.parts[i], right.parts[i], op)
                                        : complex_.sum(left.parts[i], right.parts[i], op));
  return result;
}

Value VectorAlgebra::product(const Value& a, const Value& b) const {
  if (a.is_number()) return each_number(b, [&](const Complex& part) { return times(a.number(), part); });
  if (b.is_number()) return each_number(a, [&](const Complex& part) { return times(part, b.number()); });
  refuse(
      "'*' has " + describe(a) + " on the left and " + describe(b) +
      " on the right: write dot(a, b) for the number a . b, dot(a, grad(u)) for (a . grad) u, cross(a, b) for a x b, "
      "or components, as u_x");
}

Value VectorAlgebra::quotient(const Value& a, const Value& b) const {
  if (b.is_number()) return each_number(a, [&](const Complex& part) { return complex_.quotient(part, b.number()); });
  refuse("'/' has " + describe(b) + " on the right: divide by a number, as sqrt(dot(u, u)) or a component u_x");
}

Value VectorAlgebra::power(const Value& a, const Value& b) const {
  if (!a.is_number())
    refuse("'^' has " + describe(a) + " on the left: write dot(u, u) for the square of a vector, or take a component");
  if (!b.is_number()) refuse("'^' has " + describe(b) + " on the right: an exponent is a number");
  return number_value(complex_.power(a.number(), b.number()));
}

void VectorAlgebra::check_space(const char* function, const Value& a) const {
  const Symbols& symbols = pool_.symbols();
  for (const std::string& name : symbols.curvilinear) {
    const int axis = symbols.find_axis(name);
    const auto varies = [&](Expr part) { return part != nullptr && (part->facts.axes >> axis & 1u) != 0; };
    for (const Complex& part : a.parts)
      if (axis >= 0 && (varies(part.re) || varies(part.im)))
        refuse(std::string(function) + "() is made of the derivatives along x, y, z, and this varies along " + name +
               ", which is no Cartesian coordinate here: " + write_out_text(name));
  }
  if (std::any_of(symbols.axes.begin(), symbols.axes.end(),
                  [](const Axis& axis) { return axis.kind == AxisKind::space; }))
    return;
  std::string message = std::string(function) + "() needs a space dimension (x, y or z) in the domain";
  for (const Axis& axis : symbols.axes)
    if (is_curvilinear_name(axis.name)) refuse(message + "; along " + axis.name + " " + write_out_text(axis.name));
  refuse(message);
}

Value VectorAlgebra::laplacian(const Value& a) const {
  check_space("lap", a);
  return each(a, [&](Expr part) { return pool_.unary(Op::laplacian, part); });
}

Value VectorAlgebra::gradient(const Value& a) const {
  check_space("grad", a);
  const std::vector<std::string> axes = space();
  if (axes.empty()) refuse("grad() needs the dimensions x, y, z");
  if (a.rank > 1) refuse("grad() has " + describe(a) + " inside: write its components");
  if (a.rank == 1 && !fits(a, axes))
    refuse("grad() has " + describe(a) + " inside, and the space is " + join(axes) +
           ": write the gradients of its components, as grad(u_x)");
  Value result{a.rank + 1, axes, {}};
  for (const std::string& axis : axes)
    for (const Complex& part : a.parts) result.parts.push_back(slope(part, axis));
  return result;
}

// Of a vector, with its axes.
Value VectorAlgebra::labelled(const char* function, const Value& a) const {
  if (a.rank != 1)
    refuse(std::string(function) + "() takes vectors, and this is " + describe(a) +
           (a.rank == 0 ? ": write [a, b], grad(a), or an unknown {name: u, vector: [x, y]}" : ""));
  if (a.axes.empty())
    refuse(std::string(function) + "() has " + describe(a) + " inside, and the space is " + join(space()) +
           ": write one component for each");
  return a;
}

Value VectorAlgebra::divergence(const Value& a) const {
  check_space("div", a);
  if (a.rank < 2) {
    const Value vector = labelled("div", a);
    std::vector<Complex> terms;
    for (std::size_t i = 0; i < vector.axes.size(); ++i) terms.push_back(slope(vector.parts[i], vector.axes[i]));
    return sum_value(number_value(total(terms)));
  }
  const std::size_t n = a.axes.size();
  Value result = vector_value(a.axes, {});
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Complex> terms;
    for (std::size_t i = 0; i < n; ++i) terms.push_back(slope(a.parts[i * n + j], a.axes[i]));
    result.parts.push_back(total(terms));
  }
  return sum_value(result);
}

Value VectorAlgebra::curl(const Value& a) const {
  check_space("curl", a);
  const auto d = [&](const char* axis, std::size_t i) { return slope(a.parts[i], axis); };
  if (space() == kPlane && a.is_number()) return vector_value(kPlane, {d("y", 0), negated(d("x", 0))});
  if (a.rank == 1 && fits(a, kPlane) && space() == kPlane) return sum_value(number_value(minus(d("x", 1), d("y", 0))));
  if (a.rank == 1 && fits(a, kSpace) && space() == kSpace)
    return sum_value(
        vector_value(kSpace, {minus(d("y", 2), d("z", 1)), minus(d("z", 0), d("x", 2)), minus(d("x", 1), d("y", 0))}));
  refuse(
      "curl() is known of vectors along x, y, z and, in the plane of x and y, of vectors along x, y and of numbers; "
      "this is " +
      describe(a) + ", and the space is " + join(space()) + ": write it out, as dx(u_y) - dy(u_x)");
}

Value VectorAlgebra::dot(const Value& a, const Value& b) const {
  if (a.rank == 0 || b.rank == 0)
    refuse("dot() takes two vectors, and its " + std::string(a.rank == 0 ? "first" : "second") +
           " argument is a number: numbers are multiplied by '*'");
  if (a.rank > 1)
    refuse(
        "dot() has a gradient of a vector as its first argument: write dot(a, grad(u)) for (a . grad) u, or the sum "
        "of components that is meant");
  Value left = a, right = b;
  if (b.rank == 1) {
    match(left, right, "dot() has");
    std::vector<Complex> terms;
    for (std::size_t i = 0; i < left.parts.size(); ++i) terms.push_back(times(left.parts[i], right.parts[i]));
    return sum_value(number_value(total(terms)));
  }
  if (!fits(left, b.axes)) refuse("dot() has " + describe(a) + " on the left and " + describe(b) + " on the right");
  const std::size_t n = b.axes.size();
  Value result = vector_value(b.axes, {});
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Complex> terms;
    for (std::size_t i = 0; i < n; ++i) terms.push_back(times(left.parts[i], right.parts[i * n + j]));
    result.parts.push_back(total(terms));
  }
  return sum_value(result);
}

Value VectorAlgebra::cross(const Value& a, const Value& b) const {
  if (a.rank != 1 || b.rank != 1)
    refuse("cross() takes two vectors: its arguments are " + describe(a) + " and " + describe(b));
  Value left = a, right = b;
  match(left, right, "cross() has");
  const auto term = [&](std::size_t i, std::size_t j) {
    return minus(times(left.parts[i], right.parts[j]), times(left.parts[j], right.parts[i]));
  };
  if (left.axes == kPlane) return sum_value(number_value(term(0, 1)));
  if (left.axes == kSpace || (left.axes.empty() && left.parts.size() == 3))
    return sum_value(vector_value(left.axes, {term(1, 2), term(2, 0), term(0, 1)}));
  refuse("cross() takes vectors along x, y, z, or along x, y; these are " + describe(left));
}

void VectorAlgebra::match_sides(Value& left, Value& right) const {
  const auto zeros_like = [&](const Value& other, Value& zero) {
    if (other.rank == 1 && is_zero_number(zero))
      zero = {1, other.axes, std::vector<Complex>(other.parts.size(), zero.number())};
  };
  zeros_like(left, right);
  zeros_like(right, left);
  match(left, right, "'=' has");
  if (left.rank > 1) refuse("an equation of gradients of vectors: write one for each component, as grad(u_x) = ...");
}

Value VectorAlgebra::fitted(const Value& value, const VectorSymbol& vector) const {
  std::string components;
  for (const std::string& component : vector.components())
    components += (components.empty() ? "" : ", ") + component_name(vector.name, component);
  if (!value.is_real() && !vector.is_complex)
    refuse("'" + vector.name + "' is real (" + components + "), and this is " + describe(value) +
           ": write re(..) or im(..), or declare it as {name: " + vector.name + ", vector: [" + join(vector.axes) +
           "], complex: true}");
  if (vector.axes.empty()) {
    if (value.is_number()) return value;
    refuse("'" + vector.name + "' is a complex number (" + components + "), and this is " + describe(value) +
           ": write a number, as a + i*b, or a component");
  }
  if (is_zero_number(value)) return vector_value(vector.axes, std::vector<Complex>(vector.axes.size(), value.number()));
  if (value.rank == 1 && fits(value, vector.axes)) return along(value, vector.axes);
  refuse("'" + vector.name + "' is a vector (" + components + "), and this is " + describe(value) + ": write [" +
         std::string(vector.axes.size() == 1   ? "a"
                     : vector.axes.size() == 2 ? "a, b"
                                               : "a, b, c") +
         "], or 0 where all are zero");
}

}  // namespace gwrm::expression
