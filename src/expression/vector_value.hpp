// What the parser makes of an expression: a number, a vector, or the gradient of a vector, as the trees of its
// components, which are real or complex numbers (complex_value.hpp). Vectors live here alone: each operation is carried
// out by components, and what is left behind the reader of a case are expressions of real numbers.
//
// Components are those along Cartesian dimensions, in the order x, y, z. With the sum over the dimensions of space:
//
//   grad(p)_i = d_i p              grad(a)_ij = d_i a_j
//   div(a)    = sum_i d_i a_i      div(T)_j   = sum_i d_i T_ij         so that div(grad(a)) = lap(a)
//   dot(a, b) = sum_i a_i b_i      dot(a, T)_j = sum_i a_i T_ij        so that dot(u, grad(u)) = (u . grad) u
//   curl(a)   = (d_y a_z - d_z a_y, d_z a_x - d_x a_z, d_x a_y - d_y a_x); in the plane of x and y the last of them, a
//               number, and of a number s, s e_z: (d_y s, -d_x s)
//   cross     likewise, with a in place of d
//
// Of complex vectors dot(a, b) is the same sum, nothing is conjugated.
//
// A sum that such an operation has made is added to something else term by term: a + dot(b, c) is (a + b_x c_x) + b_y
// c_y, the tree of a + b_x*c_x + b_y*c_y, and rounds like it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "expression/complex_value.hpp"
#include "expression/expression.hpp"

namespace gwrm::expression {

struct Value {
  int rank = 0;                        // 0: a number, 1: a vector, 2: the gradient of a vector
  std::vector<std::string> axes = {};  // of the components; none: a number, or [a, b] that may be along any two
  std::vector<Complex> parts;          // one; one per axis; of rank 2 d_i u_j at i*n + j
  bool is_sum = false;                 // made by div, dot, curl, cross: of several terms

  bool is_number() const { return rank == 0; }
  bool is_real() const;
  const Complex& number() const { return parts.front(); }
};

Value number_value(const Complex& number);
// The real numbers that it is made of, by what stands behind a name for them: of a real number one, "", of a complex
// one "re" and "im", of vectors "x" or "x_re" and "x_im" (or "1", ..); parts that are zero by their form are zeros.
std::vector<std::pair<std::string, Expr>> named_parts(Pool& pool, const Value& value);
std::string describe(const Value& value);  // "a number", "a complex number", "a vector (components x, y)"

// OperandError throughout. Of real numbers the trees are those of the same operation on an Expr.
class VectorAlgebra {
 public:
  explicit VectorAlgebra(Pool& pool) : pool_(pool), complex_(pool) {}

  const ComplexAlgebra& of_numbers() const { return complex_; }

  // `map` of each real tree: what is linear.
  template <class Map>
  Value each(const Value& a, Map map) const {
    return each_number(a, [&](const Complex& part) { return ComplexAlgebra::each(part, map); });
  }
  template <class Map>
  Value each_number(const Value& a, Map map) const {
    Value result{a.rank, a.axes, {}};
    for (const Complex& part : a.parts) result.parts.push_back(map(part));
    return result;
  }

  Value literal(std::vector<Complex> parts) const;  // [a, b]: along the dimensions of space where it has one for each
  Value field(const VectorSymbol& vector) const;
  Value sum(const Value& a, const Value& b, Op op) const;  // add, subtract
  Value product(const Value& a, const Value& b) const;
  Value quotient(const Value& a, const Value& b) const;
  Value power(const Value& a, const Value& b) const;
  Value laplacian(const Value& a) const;
  Value gradient(const Value& a) const;
  Value divergence(const Value& a) const;
  Value curl(const Value& a) const;
  Value dot(const Value& a, const Value& b) const;
  Value cross(const Value& a, const Value& b) const;
  // That the domain has a dimension of space, and the parts of `a` vary along Cartesian ones.
  void check_space(const char* function, const Value& a) const;
  // The sides of an equation: of one rank and along the same axes, where 0 stands for the vector of zeros.
  void match_sides(Value& left, Value& right) const;
  // For the components of `vector`: those of a vector along the same axes, or zeros for 0; real unless it is complex.
  Value fitted(const Value& value, const VectorSymbol& vector) const;

 private:
  std::vector<std::string> space() const;
  Value along(const Value& a, const std::vector<std::string>& axes) const;
  void match(Value& a, Value& b, const std::string& what) const;
  Value labelled(const char* function, const Value& a) const;
  Complex added(const Complex& a, const Complex& b, Op op) const;
  Complex slope(const Complex& z, const std::string& axis) const {
    return ComplexAlgebra::each(z, [&](Expr part) { return pool_.derivative(part, axis, 1); });
  }
  Complex times(const Complex& a, const Complex& b) const { return complex_.product(a, b); }
  Complex minus(const Complex& a, const Complex& b) const { return complex_.sum(a, b, Op::subtract); }
  Complex negated(const Complex& z) const {
    return ComplexAlgebra::each(z, [&](Expr part) { return pool_.unary(Op::negate, part); });
  }
  Complex total(const std::vector<Complex>& terms) const;

  Pool& pool_;
  ComplexAlgebra complex_;
};

}  // namespace gwrm::expression
