#include "expression/tape.hpp"
#include "core/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/oracle.hpp"
#include "expression/random_leaves.hpp"

namespace gwrm::expression::tape_test {
namespace {

// The element of an expression at one multi-index, straight from the definition.
long double element(const Symbols& symbols, Expr e, samples::RandomLeaves& leaves, std::vector<Index> at) {
  if (is_atom(e) || e->op == Op::coordinate) {
    const Array& value = leaves(e);
    Index offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) offset = offset * value.shape[i] + (value.shape[i] == 1 ? 0 : at[i]);
    return value.data[static_cast<std::size_t>(offset)];
  }
  if (e->op == Op::number) return e->value;
  if (e->op == Op::integral) {
    const auto axis = static_cast<std::size_t>(symbols.find_axis(e->name));
    long double sum = 0;
    for (Index j = 0; j < leaves.extents()[axis]; ++j) {
      at[axis] = j;
      sum += leaves.weights()[axis][j] * element(symbols, e->args[0], leaves, at);
    }
    return sum;
  }
  const long double a = element(symbols, e->args[0], leaves, at);
  const long double b = e->args.size() > 1 ? element(symbols, e->args[1], leaves, at) : 0;
  return e->op == Op::call ? oracle::function_value(e->function, a, b) : oracle::arithmetic(e->op, a, b);
}

void expect_equal(const Symbols& symbols, Expr e, samples::RandomLeaves& leaves, const Array& result,
                  double tolerance) {
  ASSERT_EQ(result.shape.size(), leaves.extents().size());
  ASSERT_EQ(result.size(), element_count(result.shape));
  std::vector<Index> at(result.shape.size(), 0);
  for (std::size_t k = 0; k < result.data.size(); ++k) {
    Index rest = static_cast<Index>(k);
    for (std::size_t i = at.size(); i-- > 0;) {
      at[i] = rest % result.shape[i];
      rest /= result.shape[i];
    }
    const double expected = static_cast<double>(element(symbols, e, leaves, at));
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(result.data[k])) << print(e);
    else if (std::isinf(expected))
      EXPECT_EQ(result.data[k], expected) << print(e);
    else
      ASSERT_NEAR(result.data[k], expected, tolerance * std::max(1.0, std::abs(expected))) << print(e) << " at " << k;
  }
}

// Exactly the extents along which the expression varies.
Shape needed_shape(Expr e, const std::vector<Index>& extents) {
  Shape shape(extents.size(), 1);
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (e->facts.axes >> i & 1u) shape[i] = extents[i];
  return shape;
}

// Trees of depth 5 amplify the rounding of double by the steepness of what is nested: 1e-10 is far above that and far
// below any error of an index.
TEST(Tape, RandomTreesAgreeWithTheDefinition) {
  const std::vector<std::vector<Index>> grids = {{3, 2, 4, 5}, {1, 1, 1, 1}, {1, 3, 1, 7}, {4, 1, 2, 1}, {2, 5, 3, 2}};
  unsigned seed = 1;
  for (const auto& grid : grids) {
    Pool pool(samples::symbols());
    samples::RandomTree random(pool, seed);
    samples::RandomLeaves leaves(grid, seed++);
    for (int i = 0; i < 80; ++i) {
      std::vector<Expr> outputs;
      for (int k = 0; k < 3; ++k) outputs.push_back(lower(pool, random.smooth(1 + random.below(4), k == 0)));
      const std::vector<Array> results = leaves.evaluate(pool, outputs);
      ASSERT_EQ(results.size(), outputs.size());
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        EXPECT_EQ(results[k].shape, needed_shape(outputs[k], grid)) << print(outputs[k]);
        expect_equal(pool.symbols(), outputs[k], leaves, results[k], 1e-10);
      }
    }
  }
}

// One operation each, also outside of its domain; a few roundings (integer powers take up to ten multiplications).
TEST(Tape, EveryOperation) {
  Pool pool(samples::symbols());
  samples::RandomLeaves leaves({3, 2, 4, 5}, 11);
  for (const std::string f : {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt",
                              "abs", "erf", "sign", "step"}) {
    const Expr e = lower(pool, samples::parsed(pool, f + "(3*v)"));
    expect_equal(pool.symbols(), e, leaves, leaves.evaluate(pool, {e})[0], 1e-14);
  }
  for (const char* text : {"-u",
                           "u + v",
                           "u - v",
                           "v - u",
                           "u*w",
                           "w*u",
                           "u/w",
                           "v/u",
                           "min(u, v)",
                           "max(u, v)",
                           "min(v, u)",
                           "atan2(u, v)",
                           "atan2(w, u)",
                           "u + 2",
                           "2 - u",
                           "x*t",
                           "y*nu + x",
                           "u^2",
                           "u^3",
                           "u^4",
                           "u^5",
                           "u^13",
                           "u^-1",
                           "u^-2",
                           "u^-3",
                           "u^0.5",
                           "(u^2)^-0.7",
                           "2^u",
                           "abs(u)^v",
                           "u^40",
                           "c*u",
                           "c + 1",
                           "u(t=0)*u(x=1)",
                           "nu*y",
                           "integral(u, t)",
                           "integral(u, x)",
                           "integral(u*v, y)",
                           "integral(integral(u, t), x)",
                           "x*integral(v, x)",
                           "integral(u, nu)^2"}) {
    const Expr e = lower(pool, samples::parsed(pool, text));
    const Array result = leaves.evaluate(pool, {e})[0];
    EXPECT_EQ(result.shape, needed_shape(e, leaves.extents())) << text;
    expect_equal(pool.symbols(), e, leaves, result, 1e-14);
  }
}

TEST(Tape, SpecialValues) {
  Pool pool(samples::symbols());
  const double nan = std::nan("");
  const auto at = [&](const std::string& text, double value) {
    samples::RandomLeaves leaves({1, 1, 1, 1}, 1);
    leaves.set(pool.field("u"), Array({1, 1, 1, 1}, value));
    return leaves.evaluate(pool, {lower(pool, samples::parsed(pool, text))})[0].data[0];
  };
  EXPECT_EQ(at("sign(u)", 0.0), 0.0);
  EXPECT_EQ(at("step(u)", 0.0), 0.5);
  EXPECT_EQ(at("u^-2", 0.0), INFINITY);
  EXPECT_EQ(at("1/u", 0.0), INFINITY);
  EXPECT_EQ(at("u*0", 5.0), 0.0);
  for (const char* text : {"sign(u)", "step(u)", "abs(u)", "min(u, 1)", "min(1, u)", "max(u, 1)", "max(1, u)",
                           "atan2(u, 1)", "u^2", "u*2"})
    EXPECT_TRUE(std::isnan(at(text, nan))) << text;
}

TEST(Tape, OutputsMayBeNumbersLeavesAndRepeated) {
  Pool pool(samples::symbols());
  samples::RandomLeaves leaves({3, 2, 4, 5}, 2);
  const Expr v = pool.field("v");
  const Expr square = lower(pool, samples::parsed(pool, "v*v"));
  const Expr more = lower(pool, samples::parsed(pool, "v*v + sin(v*v)*w - v"));
  const auto results = leaves.evaluate(pool, {pool.number(3.5), v, square, more, square, v});
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0].shape, (Shape{1, 1, 1, 1}));
  EXPECT_EQ(results[0].data, std::vector<double>{3.5});
  EXPECT_EQ(results[1].data, leaves(v).data);
  EXPECT_EQ(results[2].shape, (Shape{3, 1, 1, 5}));
  EXPECT_EQ(results[2].data, results[4].data);
  expect_equal(pool.symbols(), square, leaves, results[2], 1e-15);
  expect_equal(pool.symbols(), more, leaves, results[3], 1e-14);

  const Tape empty(pool, {});
  EXPECT_TRUE(empty.leaves().empty());
  EXPECT_TRUE(empty.evaluate({}, {}).empty());
}

TEST(Tape, LeavesAreListedOnce) {
  Pool pool(samples::symbols());
  const std::vector<Expr> outputs = {lower(pool, samples::parsed(pool, "u*dx(u) + x*u")),
                                     lower(pool, samples::parsed(pool, "dx(u) + u(x=0) + x"))};
  const Tape tape(pool, outputs);
  std::string names;
  for (Expr leaf : tape.leaves()) names += print(leaf) + "; ";
  EXPECT_EQ(names, "u; dx(u); x; u(x=0); ");
}

// Integrals as what steps read, an inner one before the one that holds it.
TEST(Tape, StepsAroundIntegrals) {
  Pool pool(samples::symbols());
  const std::vector<Expr> outputs = {lower(pool, samples::parsed(pool, "u*integral(x*integral(u^2, x), x)")),
                                     lower(pool, samples::parsed(pool, "u + x"))};
  const Tape tape(pool, outputs);
  const std::vector<Tape::Integral> integrals = tape.integrals();
  ASSERT_EQ(integrals.size(), 2u);
  const Tape::Steps steps = tape.steps_around_integrals(0);
  ASSERT_EQ(steps.integrals, std::vector<int>{integrals[1].slot});
  EXPECT_EQ(integrals[1].integrand.integrals, std::vector<int>{integrals[0].slot});
  EXPECT_TRUE(integrals[0].integrand.integrals.empty());
  for (const Tape::Integral& one : integrals) EXPECT_EQ(one.axis, pool.symbols().find_axis("x"));
  EXPECT_THROW(tape.steps(0), Error);
  EXPECT_EQ(tape.steps(1).leaves, tape.steps_around_integrals(1).leaves);
  // One by one, with numbers in place of the leaves, as a kernel takes them.
  std::vector<double> slots(32, 0.0);
  for (std::size_t leaf = 0; leaf < tape.leaves().size(); ++leaf) slots[leaf] = 1.5 + static_cast<double>(leaf);
  const auto value_of = [&](const Tape::Steps& what) {
    for (const PointStep& step : what.steps) {
      const double a = slots[static_cast<std::size_t>(step.first)];
      slots[static_cast<std::size_t>(step.slot)] =
          step.op == Op::power ? std::pow(a, step.value) : a * slots[static_cast<std::size_t>(step.second)];
    }
    return slots[static_cast<std::size_t>(what.value)];
  };
  for (const Tape::Integral& one : integrals) slots[static_cast<std::size_t>(one.slot)] = 3.0 * value_of(one.integrand);
  const double u = slots[0], x = slots[1];
  EXPECT_EQ(print(tape.leaves()[0]), "u");
  EXPECT_DOUBLE_EQ(value_of(steps), u * 3.0 * x * 3.0 * u * u);
}

// The caller may hand over tensors smaller than the fields' dimensions: extent 1 stands for constant.
TEST(Tape, ExtentOneBroadcastsAnywhere) {
  Pool pool(samples::symbols());
  const Expr u = pool.field("u"), v = pool.field("v");
  for (int mask = 0; mask < 16; ++mask)
    for (int other = 0; other < 16; ++other) {
      const Index extents[] = {2, 3, 4, 5};
      Shape a(4, 1), b(4, 1), both(4, 1);
      for (std::size_t i = 0; i < 4; ++i) {
        if (mask >> i & 1) a[i] = both[i] = extents[i];
        if (other >> i & 1) b[i] = both[i] = extents[i];
      }
      samples::RandomLeaves leaves({2, 3, 4, 5}, static_cast<unsigned>(16 * mask + other));
      Array first(a), second(b);
      for (std::size_t k = 0; k < first.data.size(); ++k) first.data[k] = std::sin(1.0 + static_cast<double>(k));
      for (std::size_t k = 0; k < second.data.size(); ++k)
        second.data[k] = std::cos(2.0 + 3.0 * static_cast<double>(k));
      leaves.set(u, first);
      leaves.set(v, second);
      for (const char* text : {"u - v", "v/u", "integral(u*v, t)", "integral(u*v, x) + integral(u, y)"}) {
        const Expr e = lower(pool, samples::parsed(pool, text));
        const Array result = leaves.evaluate(pool, {e})[0];
        if (std::string(text) == "u - v") {
          EXPECT_EQ(result.shape, both);
        }
        expect_equal(pool.symbols(), e, leaves, result, 1e-14);
      }
    }
}

TEST(Tape, EmptyTensors) {
  Pool pool(samples::symbols());
  samples::RandomLeaves leaves({3, 2, 0, 5}, 4);
  const Expr e = lower(pool, samples::parsed(pool, "sin(u)*v + w^2"));
  const Array result = leaves.evaluate(pool, {e})[0];
  EXPECT_EQ(result.shape, (Shape{3, 2, 0, 5}));
  EXPECT_TRUE(result.data.empty());
}

TEST(Tape, MisfitsAreShapeErrors) {
  Pool pool(samples::symbols());
  const std::vector<Expr> outputs = {lower(pool, samples::parsed(pool, "v*w"))};
  const Tape tape(pool, outputs);
  const auto evaluate = [&](const Shape& v, const Shape& w) {
    return tape.evaluate(std::vector{Array(v), Array(w)}, {});
  };
  EXPECT_NO_THROW(evaluate({3, 1, 1, 5}, {1, 1, 1, 5}));
  EXPECT_THROW(evaluate({3, 1, 1, 5}, {1, 1, 1, 4}), ShapeError);
  EXPECT_THROW(evaluate({3, 1, 5}, {1, 1, 1, 5}), ShapeError);
  EXPECT_THROW(tape.evaluate(std::vector{Array({3, 1, 1, 5})}, {}), ShapeError);
  Array broken({3, 1, 1, 5});
  broken.data.pop_back();
  EXPECT_THROW(tape.evaluate(std::vector{broken, Array({1, 1, 1, 5})}, {}), ShapeError);

  const std::vector<Expr> integrals = {lower(pool, samples::parsed(pool, "integral(w, x)"))};
  const Tape integral(pool, integrals);
  const std::vector<Array> w = {Array({1, 1, 1, 5}, 1.0)};
  EXPECT_THROW(integral.evaluate(w, {}), ShapeError);
  std::vector<Vector> weights(4);
  EXPECT_THROW(integral.evaluate(w, weights), ShapeError);
  weights[3] = Vector::Ones(4);
  EXPECT_THROW(integral.evaluate(w, weights), ShapeError);
  weights[3] = Vector::Ones(5);
  EXPECT_EQ(integral.evaluate(w, weights)[0].data[0], 5.0);
}

TEST(Tape, RefusesWhatIsNotLowered) {
  Pool pool(samples::symbols());
  for (const char* text : {"lap(u)", "dx(u*v)", "pi*u", "A + u", "(u*v)(x=0)"}) {
    const std::vector<Expr> outputs = {samples::parsed(pool, text)};
    EXPECT_THROW(Tape(pool, outputs), Error) << text;
  }
}

// A long chain reuses the memory of its dead intermediates while other outputs stay alive.
TEST(Tape, MemoryReuseKeepsLiveValues) {
  Pool pool(samples::symbols());
  samples::RandomLeaves leaves({3, 2, 4, 5}, 8);
  std::vector<Expr> outputs;
  Expr e = pool.field("v");
  for (int i = 0; i < 60; ++i) {
    e = i % 3 == 0   ? pool.applied(Function::sin, {e})
        : i % 3 == 1 ? pool.sum(e, pool.field("w"))
                     : pool.product(e, outputs[0]);
    if (i % 7 == 0) outputs.push_back(e);
  }
  outputs.push_back(pool.integral(e, "x"));
  const auto results = leaves.evaluate(pool, outputs);
  for (std::size_t k = 0; k < outputs.size(); ++k) expect_equal(pool.symbols(), outputs[k], leaves, results[k], 1e-12);
  EXPECT_EQ(leaves.evaluate(pool, outputs).back().data, results.back().data);  // the same bits again
}

}  // namespace
}  // namespace gwrm::expression::tape_test
