#include "expression/frechet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/random_leaves.hpp"

namespace gwrm::expression::frechet_test {
namespace {

using samples::RandomLeaves;

std::string derived(const std::string& text) {
  Pool pool(samples::symbols());
  return print(frechet(pool, samples::parsed(pool, text)).expr);
}

TEST(Frechet, RawForms) {
  const std::pair<const char*, const char*> table[] = {
      {"u", "delta(u)"},
      {"x", "0"},
      {"A*u", "A*delta(u)"},
      {"u + v", "delta(u) + delta(v)"},
      {"u^2", "2*(u*delta(u))"},
      {"u*v", "delta(u)*v + u*delta(v)"},
      {"sin(u)", "cos(u)*delta(u)"},
      {"dx(u*x, 2)", "dx(delta(u)*x, 2)"},
      {"dt(u(x=0))", "dt(delta(u)(x=0))"},
      {"lap(v)", "lap(delta(v))"},
      {"integral(w^2, x)", "integral(2*(w*delta(w)), x)"},
      {"(u*x)(x=1)", "(delta(u)*x)(x=1)"},
      {"integral(x + c, x)", "1.5*delta(c)"},
      {"dx(x*A)", "0"},
      {"x^2*sin(pi*t)", "0"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(derived(text), expected) << text;
}

TEST(Frechet, IsLinearInTheDirectionsByItsFacts) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 31);
  for (int i = 0; i < 300; ++i) {
    const Expr e = random.smooth(4, true);
    const Expr derivative = frechet(pool, e).expr;
    EXPECT_EQ(derivative->facts.direction_degree, is_zero(derivative) ? 0 : 1) << print(e);
  }
}

// The atom of a field that belongs to the atom of a direction.
Expr field_atom(Pool& pool, Expr e) {
  switch (e->op) {
    case Op::derivative:
      return pool.derivative(field_atom(pool, e->args[0]), e->name, e->order);
    case Op::restriction: {
      std::vector<std::pair<std::string, Expr>> points;
      for (std::size_t i = 0; i < e->names.size(); ++i) points.emplace_back(e->names[i], e->args[i + 1]);
      return pool.restriction(field_atom(pool, e->args[0]), points);
    }
    default:
      return pool.field(e->name);
  }
}

// The tensor F at the fields shifted by s times the directions.
Array shifted(Pool& pool, Expr f, RandomLeaves leaves, const std::vector<Expr>& directions, double s) {
  for (Expr direction : directions) {
    const Expr field = field_atom(pool, direction);
    Array value = leaves(field);
    const Array& step = leaves(direction);
    for (std::size_t k = 0; k < value.data.size(); ++k) value.data[k] += s * step.data[k];
    leaves.set(field, value);
  }
  return leaves.evaluate(pool, {f})[0];
}

double largest(const Array& a) {
  double result = 0.0;
  for (double each : a.data) result = std::max(result, std::abs(each));
  return result;
}

std::vector<Expr> directions_in(const Pool& pool, Expr e) {
  std::vector<Expr> directions = atoms_in(e);
  std::erase_if(directions, [&](Expr atom) { return !atom_of(pool, atom).direction; });
  return directions;
}

// The value of `small` at element k of the larger tensor `large`: a derivative may vary along fewer axes than F.
double broadcast_at(const Array& small, const Shape& large, std::size_t k) {
  Index rest = static_cast<Index>(k), offset = 0, stride = 1;
  for (std::size_t i = large.size(); i-- > 0;) {
    if (small.shape[i] > 1) offset += stride * (rest % large[i]);
    stride *= small.shape[i];
    rest /= large[i];
  }
  return small.data[static_cast<std::size_t>(offset)];
}

// Central differences with one Richardson step, s = 2e-3: truncation s^4 f^(5)/480 ~ 1e-13, rounding 1e-16/s ~ 1e-13,
// both times the steepness of nested functions; 1e-7 of the largest value leaves room for steep ones.
TEST(Frechet, AgreesWithDifferenceQuotients) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 4);
  RandomLeaves leaves({2, 2, 3, 4}, 4);
  int nonzero = 0;
  for (int i = 0; i < 300; ++i) {
    const Expr f = lower(pool, random.smooth(2 + random.below(3), i % 2 == 0));
    const Expr derivative = frechet(pool, f).expr;
    const auto directions = directions_in(pool, derivative);
    const Array exact = leaves.evaluate(pool, {derivative})[0];
    for (Expr direction : directions) leaves(field_atom(pool, direction));  // the copies below must agree on these

    const double s = 2e-3;
    const auto slope = [&](double h) {
      Array right = shifted(pool, f, leaves, directions, h);
      const Array left = shifted(pool, f, leaves, directions, -h);
      for (std::size_t k = 0; k < right.data.size(); ++k) right.data[k] = (right.data[k] - left.data[k]) / (2 * h);
      return right;
    };
    leaves.evaluate(pool, {f});
    const Array coarse = slope(s), fine = slope(s / 2);
    for (std::size_t k = 0; k < fine.data.size(); ++k) {
      const double expected = (4 * fine.data[k] - coarse.data[k]) / 3;
      ASSERT_NEAR(broadcast_at(exact, fine.shape, k), expected, 1e-7 * std::max(1.0, largest(fine))) << print(f);
    }
    nonzero += !is_zero(derivative);
  }
  EXPECT_GT(nonzero, 200);
}

// The kinks of abs, min and max and the powers, away from zero.
TEST(Frechet, EveryRuleAgreesWithDifferenceQuotients) {
  Pool pool(samples::symbols());
  RandomLeaves leaves({2, 1, 1, 3}, 6);
  for (const char* text : {"sin(v)",
                           "cos(v)",
                           "tan(v)",
                           "asin(0.9*v)",
                           "acos(0.9*v)",
                           "atan(v)",
                           "sinh(v)",
                           "cosh(v)",
                           "tanh(v)",
                           "exp(v)",
                           "log(2 + v)",
                           "sqrt(2 + v)",
                           "abs(v + 2)",
                           "abs(v - 2)",
                           "erf(v)",
                           "min(v, w + 3)",
                           "max(v, w + 3)",
                           "min(v + 3, w)",
                           "(2 + v)^w",
                           "(2 + v)^-3",
                           "(2 + v)^2.5",
                           "2^v",
                           "x/(2 + v)",
                           "v*w*c",
                           "integral(v^2*w, x)*v",
                           "v(x=0)*dx(v)",
                           "dx(v*w)(x=1)^2",
                           "atan2(v, 2 + w)",
                           "atan2(2 + v*w, w)"}) {
    const Expr f = lower(pool, samples::parsed(pool, text));
    const Expr derivative = frechet(pool, f).expr;
    const auto directions = directions_in(pool, derivative);
    const Array exact = leaves.evaluate(pool, {derivative, f})[0];
    for (Expr direction : directions) leaves(field_atom(pool, direction));
    const double s = 1e-5;  // truncation 1e-10 times a third derivative of up to 100, rounding 1e-11
    const Array right = shifted(pool, f, leaves, directions, s);
    const Array left = shifted(pool, f, leaves, directions, -s);
    for (std::size_t k = 0; k < right.data.size(); ++k)
      EXPECT_NEAR(broadcast_at(exact, right.shape, k), (right.data[k] - left.data[k]) / (2 * s), 1e-7) << text;
  }
}

// 0/u^7 may have no value and is kept; its derivative is 0 wherever it has one, and linear in the direction.
TEST(Frechet, OfAQuotientWithAZeroVanishes) {
  EXPECT_EQ(derived("0/u^7"), "0");
  Pool pool(samples::symbols());
  EXPECT_TRUE(collect(pool, frechet(pool, lower(pool, samples::parsed(pool, "0/u^7")))).empty());
  EXPECT_NO_THROW(collect(pool, frechet(pool, lower(pool, samples::parsed(pool, "(v*x/u)/-0")))));
}

// lower(F'[v]) of the raw tree and (lower F)'[v] are the same function, if not the same tree. Rounding only: 1e-11 of
// the largest value allows for cancellation between the expanded terms.
TEST(Frechet, CommutesWithLowering) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 55);
  RandomLeaves leaves({2, 2, 2, 3}, 5);
  for (int i = 0; i < 200; ++i) {
    const Expr e = random.smooth(3, true);
    const Expr first = lower(pool, frechet(pool, e).expr);
    const Expr second = frechet(pool, lower(pool, e)).expr;
    const auto values = leaves.evaluate(pool, {first, second});
    const Shape large = values[0].size() > values[1].size() ? values[0].shape : values[1].shape;
    for (std::size_t k = 0; k < static_cast<std::size_t>(element_count(large)); ++k)
      ASSERT_NEAR(broadcast_at(values[0], large, k), broadcast_at(values[1], large, k),
                  1e-11 * std::max(1.0, largest(values[0])))
          << print(e);
  }
}

TEST(Frechet, IsLinearInTheDirection) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 8);
  RandomLeaves first({2, 2, 3, 2}, 8);
  for (int i = 0; i < 100; ++i) {
    const Expr derivative = frechet(pool, lower(pool, random.smooth(3, true))).expr;
    for (Expr atom : atoms_in(derivative)) first(atom);
    first.evaluate(pool, {derivative});
    RandomLeaves second = first, combined = first;
    for (Expr direction : directions_in(pool, derivative)) {
      Array other = first(direction);
      for (double& each : other.data) each = std::cos(7.0 * each);
      second.set(direction, other);
      Array mixed = first(direction);
      for (std::size_t k = 0; k < mixed.data.size(); ++k) mixed.data[k] = 2.5 * mixed.data[k] - 0.75 * other.data[k];
      combined.set(direction, mixed);
    }
    const Array a = first.evaluate(pool, {derivative})[0];
    const Array b = second.evaluate(pool, {derivative})[0];
    const Array c = combined.evaluate(pool, {derivative})[0];
    for (std::size_t k = 0; k < c.data.size(); ++k)
      ASSERT_NEAR(c.data[k], 2.5 * a.data[k] - 0.75 * b.data[k], 1e-12 * std::max({1.0, largest(a), largest(b)}))
          << print(derivative);  // rounding
  }
}

TEST(Collect, BurgersByHand) {
  Pool pool(samples::symbols());
  const Expr f = lower(pool, samples::parsed(pool, "dt(u) - nu*dx(u,2) + u*dx(u) - integral(v*w, x)*c"));
  std::string text;
  for (const LinearTerm& term : collect(pool, frechet(pool, f)))
    text += print(term.coefficient) + " | " + print(term.leaf) + "\n";
  EXPECT_EQ(text,
            "1 | dt(delta(u))\n"
            "-nu | dx(delta(u), 2)\n"
            "dx(u) | delta(u)\n"
            "u | dx(delta(u))\n"
            "-c | integral(delta(v)*w + v*delta(w), x)\n"
            "-integral(v*w, x) | delta(c)\n");
}

TEST(Collect, MergesAndCancels) {
  Pool pool(samples::symbols());
  const auto terms = [&](const std::string& text) {
    return collect(pool, frechet(pool, lower(pool, samples::parsed(pool, text))));
  };
  EXPECT_TRUE(terms("x").empty());
  EXPECT_TRUE(terms("u - u").empty());
  EXPECT_TRUE(terms("(u + v) - u - v").empty());
  ASSERT_EQ(terms("u*v + 2*u*v").size(), 2u);
  ASSERT_EQ(terms("dx(x*u) - u").size(), 1u);
}

TEST(Collect, RefusesWhatIsNotLinear) {
  Pool pool(samples::symbols());
  const Expr du = pool.direction("u");
  const Expr u = pool.field("u");
  for (Expr e : {u, pool.binary(Op::multiply, du, du), pool.call(Function::sin, {du}), pool.binary(Op::divide, u, du),
                 pool.binary(Op::add, du, u), pool.unary(Op::laplacian, du)})
    EXPECT_THROW(collect(pool, LinearExpr{e}), Error) << print(e);
}

// sum_i coefficient_i * leaf_i, put together again, is the derivative. Rounding only.
TEST(Collect, RecombinesToTheDerivative) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 12);
  RandomLeaves leaves({2, 2, 3, 2}, 12);
  int several = 0;
  for (int i = 0; i < 300; ++i) {
    const LinearExpr derivative = frechet(pool, lower(pool, random.smooth(3 + random.below(2), true)));
    const std::vector<LinearTerm> terms = collect(pool, derivative);
    several += terms.size() > 1;
    Expr recombined = pool.zero();
    for (std::size_t k = 0; k < terms.size(); ++k) {
      EXPECT_EQ(terms[k].coefficient->facts.direction_degree, 0);
      EXPECT_EQ(terms[k].leaf->facts.direction_degree, 1);
      EXPECT_TRUE(is_atom(terms[k].leaf) || terms[k].leaf->op == Op::integral);
      for (std::size_t other = 0; other < k; ++other) EXPECT_NE(terms[k].leaf, terms[other].leaf);
      recombined = pool.sum(recombined, pool.product(terms[k].coefficient, terms[k].leaf));
    }
    const auto values = leaves.evaluate(pool, {derivative.expr, recombined});
    const Shape large = values[0].size() > values[1].size() ? values[0].shape : values[1].shape;
    for (std::size_t k = 0; k < static_cast<std::size_t>(element_count(large)); ++k)
      ASSERT_NEAR(broadcast_at(values[0], large, k), broadcast_at(values[1], large, k),
                  1e-11 * std::max(1.0, largest(values[0])))
          << print(derivative.expr);
  }
  EXPECT_GT(several, 100);
}

// (...((u + v)*2 + u)*2 + ...): shared sums are walked once.
TEST(Collect, SharedTreesAreWalkedOnce) {
  Pool pool(samples::symbols());
  Expr e = pool.direction("u");
  const Expr v = pool.field("v");
  for (int i = 0; i < 300; ++i) e = pool.binary(Op::add, pool.binary(Op::multiply, v, e), e);
  const auto terms = collect(pool, LinearExpr{e});
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_LT(pool.size(), 3000u);
}

}  // namespace
}  // namespace gwrm::expression::frechet_test
