// What the parser makes of an expression: a number, a vector, or the gradient of a vector, as the trees of its
// components. Vectors live here alone: each operation is carried out by components, and what is left behind the reader
// of a case are expressions of numbers.
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
// A sum that such an operation has made is added to something else term by term: a + dot(b, c) is (a + b_x c_x) + b_y
// c_y, the tree of a + b_x*c_x + b_y*c_y, and rounds like it.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

struct Value {
  int rank = 0;                        // 0: a number, 1: a vector, 2: the gradient of a vector
  std::vector<std::string> axes = {};  // of the components; none: a number, or [a, b] that may be along any two
  std::vector<Expr> parts;             // one; one per axis; of rank 2 d_i u_j at i*n + j
  bool is_sum = false;                 // made by div, dot, curl, cross: of several terms

  bool is_number() const { return rank == 0; }
  Expr number() const { return parts.front(); }
};

// The ranks or components do not fit; the parser knows where.
struct RankError {
  std::string message;
};

Value number_value(Expr e);
std::string describe(const Value& value);  // "a number", "a vector (components x, y)"

// RankError throughout. Of numbers the trees are those of the same operation on an Expr.
class VectorAlgebra {
 public:
  explicit VectorAlgebra(Pool& pool) : pool_(pool) {}

  template <class Map>
  Value each(const Value& a, Map map) const {
    Value result{a.rank, a.axes, {}};
    for (Expr part : a.parts) result.parts.push_back(map(part));
    return result;
  }

  Value literal(std::vector<Expr> parts) const;  // [a, b]: along the dimensions of space where it has one for each
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
  // For the components of `vector`: those of a vector along the same axes, or zeros for 0.
  Value fitted(const Value& value, const VectorSymbol& vector) const;

 private:
  std::vector<std::string> space() const;
  Value along(const Value& a, const std::vector<std::string>& axes) const;
  void match(Value& a, Value& b, const std::string& what) const;
  Value labelled(const char* function, const Value& a) const;
  Expr added(Expr a, Expr b, Op op) const;
  Expr slope(Expr e, const std::string& axis) const { return pool_.derivative(e, axis, 1); }
  Expr times(Expr a, Expr b) const { return pool_.binary(Op::multiply, a, b); }
  Expr total(const std::vector<Expr>& terms) const;

  Pool& pool_;
};

}  // namespace gwrm::expression
