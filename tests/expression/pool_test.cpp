#include <gtest/gtest.h>

#include <limits>

#include "core/errors.hpp"
#include "expression/expression.hpp"
#include "expression/lowering.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::pool_test {
namespace {

constexpr std::uint32_t kT = 1, kNu = 2, kY = 4, kX = 8;  // bits of the axes of samples::symbols()

TEST(Pool, EqualTreesAreOnePointer) {
  Pool pool(samples::symbols());
  const char* texts[] = {"u", "2*pi*x", "dx(u*v, 2)(x=0,t=1)", "integral(sin(u)^2, x)", "max(u, v)", "lap(u) - A*c"};
  for (const char* text : texts) EXPECT_EQ(samples::parsed(pool, text), samples::parsed(pool, text)) << text;

  const Expr square = samples::parsed(pool, "(u + v)*(u + v)");
  EXPECT_EQ(square->args[0], square->args[1]);
  EXPECT_EQ(pool.number(0.0), pool.number(-0.0));

  const char* different[] = {
      "u",      "v",      "u + v",  "v + u",      "u - v",      "dx(u)",          "dx(u, 2)",       "dt(u)",
      "u(x=0)", "u(x=1)", "u(t=0)", "u(x=0,t=1)", "u(t=1,x=0)", "integral(u, x)", "integral(u, t)", "sin(u)",
      "cos(u)", "x",      "A",      "lap(u)",     "-u",         "min(u, v)",      "max(u, v)",      "pi",
      "2",      "3"};
  for (const char* a : different)
    for (const char* b : different)
      EXPECT_EQ(samples::parsed(pool, a) == samples::parsed(pool, b), std::string(a) == b) << a << " and " << b;
}

TEST(Pool, ArgumentsAreOlderThanTheirUsers) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 3);
  for (int i = 0; i < 100; ++i) {
    const Expr e = random.any(4);
    for (Expr arg : e->args) EXPECT_LT(arg->id, e->id);
    EXPECT_LT(e->id, pool.size());
  }
}

struct FactsRow {
  const char* text;
  int degree;
  std::uint32_t axes;
};

TEST(Pool, FactsTable) {
  const FactsRow table[] = {
      {"3", 0, 0},
      {"pi*A", 0, 0},
      {"x", 0, kX},
      {"u", 1, kT | kNu | kY | kX},
      {"v", 1, kT | kX},
      {"c", 1, 0},
      {"v*w", 2, kT | kX},
      {"v + w*w", 2, kT | kX},
      {"v - 1", 1, kT | kX},
      {"-v", 1, kT | kX},
      {"v*w*c*c", 4, kT | kX},
      {"v/x", 1, kT | kX},
      {"x/v", kNonPolynomial, kT | kX},
      {"v/c", kNonPolynomial, kT | kX},
      {"v^3", 3, kT | kX},
      {"v^n", 2, kT | kX},  // a constant of integer value
      {"v^0", 0, kT | kX},
      {"(v*w)^2", 4, kT | kX},
      {"v^-1", kNonPolynomial, kT | kX},
      {"v^0.5", kNonPolynomial, kT | kX},
      {"v^x", kNonPolynomial, kT | kX},
      {"2^v", kNonPolynomial, kT | kX},
      {"2^x", 0, kX},
      {"sin(v)", kNonPolynomial, kT | kX},
      {"sin(x)", 0, kX},
      {"max(x, v)", kNonPolynomial, kT | kX},
      {"v*sin(v)", kNonPolynomial, kT | kX},
      {"(v^50)^50", kNonPolynomial, kT | kX},  // saturates
      {"v^600*v^600", kNonPolynomial, kT | kX},
      {"dx(v*v)", 2, kT | kX},
      {"dnu(v)", 1, kT | kX},
      {"lap(v)", 1, kT | kX},
      {"v(x=0)", 1, kT},
      {"u(x=0,t=1)", 1, kNu | kY},
      {"(v*t)(x=0)", 1, kT},
      {"w(x=0)", 1, 0},
      {"integral(v^2, x)", 2, kT},
      {"integral(w, t)", 1, kX},
      {"x*integral(w, x)", 1, kX},
  };
  Pool pool(samples::symbols());
  for (const FactsRow& row : table) {
    const Facts& facts = samples::parsed(pool, row.text)->facts;
    EXPECT_EQ(facts.degree, row.degree) << row.text;
    EXPECT_EQ(facts.axes, row.axes) << row.text;
    EXPECT_EQ(facts.direction_degree, 0) << row.text;
  }
  EXPECT_EQ(samples::parsed(pool, "u")->facts.depth, 1);
  EXPECT_EQ(samples::parsed(pool, "u*(v + sin(w))")->facts.depth, 4);

  const Expr du = pool.direction("u");
  EXPECT_EQ(du->facts.degree, 0);
  EXPECT_EQ(du->facts.axes, kT | kNu | kY | kX);
  EXPECT_EQ(pool.binary(Op::multiply, du, pool.field("u"))->facts.direction_degree, 1);
  EXPECT_EQ(pool.binary(Op::multiply, du, du)->facts.direction_degree, 2);
  EXPECT_EQ(pool.call(Function::sin, {du})->facts.direction_degree, kNonPolynomial);
}

TEST(Pool, RawConstructorsCheckTheirArguments) {
  Pool pool(samples::symbols());
  const Expr u = pool.field("u");
  EXPECT_THROW(pool.field("q"), CaseError);
  EXPECT_THROW(pool.direction("q"), CaseError);
  EXPECT_THROW(pool.coordinate("z"), CaseError);
  EXPECT_THROW(pool.constant("q"), CaseError);
  EXPECT_THROW(pool.derivative(u, "z", 1), CaseError);
  EXPECT_THROW(pool.derivative(u, "x", 0), CaseError);
  EXPECT_THROW(pool.integral(u, "z"), CaseError);
  EXPECT_THROW(pool.restriction(u, {}), CaseError);
  EXPECT_THROW(pool.restriction(u, {{"z", pool.zero()}}), CaseError);
  EXPECT_THROW(pool.call(Function::sin, {}), CaseError);
  EXPECT_THROW(pool.call(Function::min, {u}), CaseError);
  EXPECT_THROW(pool.unary(Op::add, u), CaseError);
  EXPECT_THROW(pool.binary(Op::negate, u, u), CaseError);
  EXPECT_THROW(pool.number(std::numeric_limits<double>::infinity()), CaseError);
  EXPECT_THROW(pool.number(std::numeric_limits<double>::quiet_NaN()), CaseError);
}

TEST(Pool, LimitsAreCaseErrors) {
  Pool deep(samples::symbols());
  Expr e = deep.field("u");
  for (int depth = 1; depth < kMaxTreeDepth; ++depth) e = deep.unary(Op::negate, e);
  EXPECT_EQ(e->facts.depth, kMaxTreeDepth);
  EXPECT_THROW(deep.unary(Op::negate, e), CaseError);

  Pool wide(samples::symbols());
  for (std::size_t i = 0; i < kMaxNodes; ++i) wide.number(static_cast<double>(i));
  EXPECT_EQ(wide.size(), kMaxNodes);
  EXPECT_NO_THROW(wide.number(5.0));  // known already
  EXPECT_THROW(wide.number(0.5), CaseError);

  Symbols symbols;
  for (int i = 0; i < 33; ++i)
    symbols.axes.push_back({"p" + std::to_string(i), AxisKind::parameter, 0, 1, MapKind::linear});
  EXPECT_THROW(Pool{symbols}, CaseError);
}

TEST(Pool, SimplifyingConstructors) {
  Pool p(samples::symbols());
  const Expr u = p.field("u");
  const Expr v = p.field("v");
  const Expr zero = p.zero();
  const Expr one = p.one();
  const auto n = [&p](double value) { return p.number(value); };
  const auto text = [](Expr e) { return print(e); };

  EXPECT_EQ(p.sum(zero, u), u);
  EXPECT_EQ(p.sum(u, zero), u);
  EXPECT_EQ(p.sum(n(2), n(3)), n(5));
  EXPECT_EQ(p.sum(u, p.negated(v)), p.difference(u, v));
  EXPECT_EQ(text(p.sum(u, u)), "2*u");
  EXPECT_EQ(p.difference(u, u), zero);
  EXPECT_EQ(p.difference(u, zero), u);
  EXPECT_EQ(p.difference(zero, u), p.negated(u));
  EXPECT_EQ(p.negated(p.negated(u)), u);
  EXPECT_EQ(p.negated(n(2)), n(-2));
  EXPECT_EQ(p.product(zero, u), zero);
  EXPECT_EQ(p.product(u, one), u);
  EXPECT_EQ(p.product(n(-1), u), p.negated(u));
  EXPECT_EQ(text(p.product(u, n(3))), "3*u");
  EXPECT_EQ(text(p.product(n(2), p.product(n(3), u))), "6*u");
  EXPECT_EQ(text(p.product(p.product(n(2), u), p.product(n(3), v))), "6*(u*v)");
  EXPECT_EQ(text(p.product(p.negated(u), v)), "-(u*v)");
  EXPECT_EQ(p.product(p.negated(u), p.negated(v)), p.product(u, v));
  EXPECT_EQ(p.quotient(u, one), u);
  EXPECT_EQ(p.quotient(zero, n(4)), zero);
  EXPECT_EQ(p.quotient(n(1), n(4)), n(0.25));
  EXPECT_EQ(p.raised(u, one), u);
  EXPECT_EQ(p.raised(u, zero), one);
  EXPECT_EQ(p.raised(n(2), n(-2)), n(0.25));
  EXPECT_EQ(text(p.raised(p.raised(u, n(2)), n(3))), "u^6");
  EXPECT_EQ(text(p.raised(p.raised(u, n(2)), n(0.5))), "(u^2)^0.5");
  EXPECT_EQ(p.applied(Function::sqrt, {n(9)}), n(3));
  EXPECT_EQ(p.applied(Function::max, {n(9), n(3)}), n(9));
  EXPECT_EQ(text(p.applied(Function::sin, {u})), "sin(u)");

  // What is not finite stays an operation.
  EXPECT_EQ(text(p.quotient(one, zero)), "1/0");
  EXPECT_EQ(text(p.quotient(zero, zero)), "0/0");
  EXPECT_EQ(text(p.raised(zero, n(-1))), "0^-1");
  EXPECT_EQ(text(p.product(n(1e200), n(1e200))), "1e+200*1e+200");
  EXPECT_EQ(text(p.sum(n(1.5e308), n(1.25e308))), "1.5e+308 + 1.25e+308");
  EXPECT_EQ(text(p.applied(Function::log, {zero})), "log(0)");
  EXPECT_EQ(text(p.product(n(1e-200), p.product(n(1e-200), u))), "1e-200*(1e-200*u)");
}

// Of what a simplification drops it has to be known that it is finite.
TEST(Pool, NothingVanishesThatMayBeNaNOrInfinite) {
  Pool pool(samples::symbols());
  const std::pair<const char*, const char*> table[] = {
      {"0*(1/0)", "0*(1/0)"},
      {"0*log(-1)", "0*log(-1)"},
      {"0*log(x)", "0*log(x)"},  // x = 0 is in the domain
      {"log(nu)*0", "0"},        // nu is in [0.1, 1]
      {"0/x", "0/x"},
      {"0/(2 + sin(x*y))", "0"},
      {"0/u", "0/u"},
      {"x/x", "x/x"},
      {"1/x - 1/x", "1/x - 1/x"},
      {"exp(x) - exp(x)", "0"},
      {"exp(1000*x) - exp(1000*x)", "exp(1000*x) - exp(1000*x)"},  // overflows
      {"0*tan(x)", "0"},
      {"0*tan(2*x)", "0*tan(2*x)"},  // its pole pi/4 is in [0, 1.5]
      {"0*sqrt(y)", "0*sqrt(y)"},
      {"0*sqrt(1 - y^2)", "0*sqrt(1 - y^2)"},  // rounding may make 1 - y^2 negative
      {"0*sqrt(2 - y^2)", "0"},
      {"0*x^-1", "0*x^-1"},
      {"0*nu^-1.5", "0"},
      {"0*y^0.5", "0*y^0.5"},
      {"log(x)^0", "log(x)^0"},
      {"1^log(x)", "1^log(x)"},
      {"(x^-1)^-1", "(x^-1)^-1"},
      {"0*acos(nu)", "0*acos(nu)"},
      {"0*acos(nu/2)", "0"},
      // unknowns are finite, and so are polynomials, sines and exponentials of them
      {"0*u", "0"},
      {"0*(u^3 - dx(v,2)*exp(u))", "0"},
      {"0*u^-1", "0*u^-1"},
      {"0*log(u)", "0*log(u)"},
      {"0*log(1.5 + tanh(u))", "0"},
      {"0*integral(u*x, x)", "0"},
      {"dx(1/0)", "0*(1/0)"},
  };
  for (const auto& [text, expected] : table)
    EXPECT_EQ(print(lower(pool, samples::parsed(pool, text))), expected) << text;
}

// Derivatives do not form the terms whose other factor may be undefined.
TEST(Pool, DerivativesStayFreeOfVanishingTerms) {
  Pool pool(samples::symbols());
  const std::pair<const char*, const char*> table[] = {{"dx(3/x)", "-(3/x^2)"},
                                                       {"dx(log(x)*y)", "1/x*y"},
                                                       {"dx(min(1/y, x))", "step(1/y - x)"},
                                                       {"dx(x^2*log(y))", "2*(x*log(y))"}};
  for (const auto& [text, expected] : table)
    EXPECT_EQ(print(lower(pool, samples::parsed(pool, text))), expected) << text;
}

TEST(Names, ReservedWords) {
  const std::vector<Axis> axes = samples::symbols().axes;
  for (const char* name : {"sin", "max", "step", "pi", "lap", "integral", "dx", "dt", "dnu"})
    EXPECT_TRUE(is_reserved(name, axes)) << name;
  for (const char* name : {"u", "x", "d", "dz", "sine", "Pi", "delta", ""})
    EXPECT_FALSE(is_reserved(name, axes)) << name;
}

}  // namespace
}  // namespace gwrm::expression::pool_test
