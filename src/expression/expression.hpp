// Expressions of the case file as trees: the node, its facts, and the pool that owns and shares the nodes.
//
// A Pool interns its nodes: two equal subtrees are the same pointer, so common subexpressions are shared by
// construction and equality is pointer equality. Nodes are immutable and live as long as their pool.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/axis.hpp"
#include "core/source_text.hpp"
#include "expression/interval.hpp"

namespace gwrm::expression {

// What the names in an expression mean. Dimensions are in the program's order (t, parameters, z, y, x).
struct Field {
  std::string name;
  std::vector<std::string> dims;  // names of the dimensions it depends on, in the program's order; none: a scalar
};
struct Constant {
  std::string name;
  double value = 0.0;
};
// A function that is known by numbers: of a file, or made by a generator.
class DataFunction;  // data_function.hpp
struct DataSymbol {
  std::string name;
  std::shared_ptr<const DataFunction> function;
};
// An axis along which noise(..) varies.
struct NoiseAxis {
  std::string name;
  bool periodic = false;
  int modes = -1;  // the highest one where the text gives none; -1: it has to
};
// A name for an expression of numbers or vectors, which is read where the name stands.
struct Definition {
  std::string name;
  SourceText text;
};
// A name for several fields, its components: the vector u with the axes x, y has u_x and u_y, the complex number psi,
// which has no axes, psi_re and psi_im, a complex vector u_x_re, u_x_im, u_y_re, .. Axes in the order x, y, z.
struct VectorSymbol {
  std::string name;
  std::vector<std::string> axes;
  bool is_complex = false;

  std::vector<std::string> components() const;  // what stands behind the name: "x", "re", "x_re"
};
struct Symbols {
  std::vector<Axis> axes;
  std::vector<Field> fields;
  std::vector<Constant> constants;
  std::vector<DataSymbol> data = {};  // their axes are among `axes`, in that order
  std::vector<NoiseAxis> noise = {};  // likewise
  std::vector<Definition> definitions = {};
  std::vector<VectorSymbol> vectors = {};
  // Dimensions that are coordinates of space and not Cartesian: what varies along them has no lap, grad, div, curl
  // here.
  std::vector<std::string> curvilinear = {};

  int find_axis(std::string_view name) const;   // index or -1
  int find_field(std::string_view name) const;  // index or -1
  const Constant* find_constant(std::string_view name) const;
  const DataFunction* find_data(std::string_view name) const;      // null: none
  const Definition* find_definition(std::string_view name) const;  // null: none
  const VectorSymbol* find_vector(std::string_view name) const;    // null: none
  bool has_complex() const;                                        // one of `vectors`
};

enum class Op {
  number,  // value
  pi,
  constant,    // name; a number from the case file
  coordinate,  // name of a dimension
  field,       // name of an unknown
  direction,   // name of an unknown: the direction delta(u) of a Frechet derivative; never written by a user
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  call,         // function; 1 argument, or 2 for min and max
  derivative,   // d<name>(args[0], order); order >= 1
  laplacian,    // lap(args[0])
  restriction,  // args[0] at names[i] = args[1 + i]
  beside,       // of the point of a restriction: the place next to args[0], below it (order -1) or above it (order 1)
  integral,     // integral(args[0], name) over the whole dimension
  data,         // name of data, its derivative of `orders` at args: for each of its axes `names` the coordinate, or,
                // where it is lowered, a number
};

// The names are those of the language. step (0 for z < 0, 1 for z > 0, 1/2 at 0) and sign are there for the derivatives
// of min, max and abs; they print and parse like the others.
enum class Function {
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  erf,
  min,
  max,
  sign,
  step,
  atan2
};

// Degree of a non-polynomial dependence on the unknowns.
inline constexpr int kNonPolynomial = 1000;

// What is known of a node without evaluating it.
struct Facts {
  int degree = 0;            // total degree in the unknowns: 0 none, 1 linear, ..., kNonPolynomial
  int direction_degree = 0;  // degree in the directions: 1 for every Frechet derivative
  std::uint32_t axes = 0;    // bit i: the value varies along symbols.axes[i]
  int depth = 1;
  // Encloses the values for all points of the domain and all finite unknowns; not `defined`: may be NaN or infinite.
  Interval range;
};

struct Node;
using Expr = const Node*;

struct Node {
  Op op = Op::number;
  double value = 0.0;
  std::string name;
  Function function = Function::sin;
  int order = 0;
  std::vector<int> orders = {};  // data: of the derivative along each of its axes
  std::vector<Expr> args;
  std::vector<std::string> names;
  Facts facts;
  std::uint64_t id = 0;  // order of creation within the pool
};

// Limits that keep a hostile or mistaken input from exhausting stack or memory. What a user writes is at most kMaxDepth
// deep (the parser checks); expanding derivatives deepens a tree severalfold, so that the pool itself allows
// kMaxTreeDepth.
inline constexpr int kMaxDepth = 200;
inline constexpr int kMaxTreeDepth = 2000;
inline constexpr std::size_t kMaxNodes = 200000;
inline constexpr std::size_t kMaxAxes = 32;  // bits of Facts::axes

class Pool {
 public:
  explicit Pool(Symbols symbols);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  const Symbols& symbols() const;
  std::size_t size() const;  // nodes so far

  // Raw constructors: the tree exactly as written (the parser's). They check names, arity and the limits (CaseError).
  Expr number(double value);
  Expr pi();
  Expr constant(const std::string& name);
  Expr coordinate(const std::string& name);
  Expr field(const std::string& name);
  Expr direction(const std::string& name);
  Expr unary(Op op, Expr a);           // negate, laplacian
  Expr binary(Op op, Expr a, Expr b);  // add, subtract, multiply, divide, power
  Expr call(Function function, std::vector<Expr> args);
  Expr derivative(Expr a, const std::string& axis, int order);
  Expr restriction(Expr a, std::vector<std::pair<std::string, Expr>> points);
  Expr beside(Expr point, int side);  // side: -1 below, 1 above; written 0.5- and 0.5+
  // delta(z), z an expression of one coordinate: d/dx step(z) / (dz/dx), which holds_delta() finds.
  Expr delta(Expr z, const std::string& axis);
  Expr integral(Expr a, const std::string& axis);
  Expr data(const std::string& name);  // as a user writes it: its values at the coordinates
  // noise(1, seed) and noise(1, seed, modes), modes -1: the function of noise.hpp, which becomes one of symbols().data.
  Expr noise(std::uint64_t seed, int modes);
  Expr data(const std::string& name, std::vector<Expr> args, std::vector<int> orders);

  // Simplifying constructors for derived expressions: numbers are folded (unless the result is not finite: 1/0 stays),
  // 0 + a, 0*a, 1*a, a^1, a^0, -(-a) and a - a vanish, a + a is 2*a, signs and numbers move to the front of products.
  // What may be NaN or infinite somewhere (Facts::range) does not vanish: 0*log(x) stays where x may be 0.
  Expr zero();
  Expr one();
  Expr negated(Expr a);
  Expr sum(Expr a, Expr b);
  Expr difference(Expr a, Expr b);
  Expr product(Expr a, Expr b);
  Expr quotient(Expr a, Expr b);
  Expr raised(Expr a, Expr exponent);
  Expr applied(Function function, std::vector<Expr> args);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

bool holds_delta(Expr e);
bool is_number(Expr e, double value);
bool is_zero(Expr e);
std::string_view function_name(Function function);
// The words a user's name must not clash with: functions, pi, lap, integral, noise, d, and d<axis> for the given axes.
bool is_reserved(std::string_view name, const std::vector<Axis>& axes);
// div, grad, curl, dot, cross: functions where the case has nothing of that name.
bool is_vector_function(std::string_view name);
// re, im, conj, arg: likewise; so is i a number.
bool is_complex_function(std::string_view name);
std::string component_name(const std::string& vector, const std::string& component);  // u_x

}  // namespace gwrm::expression
