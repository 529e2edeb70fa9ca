#include "expression/lowering.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "expression/oracle.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::lowering_test {
namespace {

std::string lowered(const std::string& text) {
  Pool pool(samples::symbols());
  return print(lower(pool, samples::parsed(pool, text)));
}

TEST(Lowering, ExactForms) {
  const std::pair<const char*, const char*> table[] = {
      // constants
      {"A*u", "0.25*u"},
      {"2*pi", "6.283185307179586"},
      {"u + A - n/8", "u + 0.25 - 0.25"},
      {"1/0 + u", "1/0 + u"},
      // derivatives merge, in the order of the axes
      {"dx(dx(u))", "dx(u, 2)"},
      {"dx(dt(dx(u,2)))", "dx(dt(u), 3)"},
      {"dt(dx(u)) - dx(dt(u))", "0"},
      {"lap(u)", "dy(u, 2) + dx(u, 2)"},
      {"lap(v)", "dx(v, 2)"},
      // what does not vary
      {"dx(3)", "0"},
      {"dx(c)", "0"},
      {"dy(v)", "0"},
      {"dx(v(x=1))", "0"},
      {"dt(v(x=1))", "dt(v)(x=1)"},
      {"dx(c*x)", "c"},
      {"dx(t)", "0"},
      {"dx(x)", "1"},
      {"dx(x, 2)", "0"},
      {"dx(2*x + v)", "2 + dx(v)"},
      // products, quotients, powers
      {"dx(v*w)", "dx(v)*w + v*dx(w)"},
      {"dx(v/c)", "dx(v)/c"},
      {"dx(c/w)", "-(c*dx(w)/w^2)"},
      {"dx(w^3)", "3*(w^2*dx(w))"},
      {"dx(v^2)", "2*(v*dx(v))"},
      {"dx(w^-1)", "-(w^-2*dx(w))"},
      {"dx(sin(w))", "cos(w)*dx(w)"},
      {"dx(abs(w))", "sign(w)*dx(w)"},
      {"dx(sign(w))", "0"},
      {"dx(step(w))", "0"},
      {"dx(max(w, 0))", "step(w)*dx(w)"},
      {"dx(min(w, 1))", "step(1 - w)*dx(w)"},
      // restrictions
      {"x(x=1)", "1"},
      {"x(t=1)", "x"},
      {"c(x=1)", "c"},
      {"w(t=1)", "w"},
      {"v(x=1, t=0)", "v(t=0, x=1)"},
      {"v(x=1)(t=0)", "v(t=0, x=1)"},
      {"(x*v + w)(x=0)", "w(x=0)"},
      {"sin(pi*x)(x=0.5)", "1"},
      {"dx(x*v)(x=0.5)", "v(x=0.5) + 0.5*dx(v)(x=0.5)"},
      {"dx(v)(x=1)", "dx(v)(x=1)"},
      {"(v(x=0)*v)(x=1)", "v(x=0)*v(x=1)"},
      {"v(x=1.5000000000000002)", "v(x=1.5)"},  // moved to the end of the dimension
      // integrals
      {"integral(v, x)", "integral(v, x)"},
      {"integral(c, x)", "1.5*c"},
      {"integral(2, y)", "4"},
      {"integral(v, y)", "2*v"},
      {"dx(integral(v, x))", "0"},
      {"dt(integral(v, x))", "integral(dt(v), x)"},
      {"dt(integral(w, x))", "0"},
      {"integral(v*w, x)(t=1)", "integral(v(t=1)*w, x)"},
      {"integral(v, x)(x=1)", "integral(v, x)"},
      {"integral(dx(x*c), x)", "1.5*c"},
      {"integral(v(x=0), x)", "1.5*v(x=0)"},
      {"integral(integral(v, x), t)", "integral(integral(v, x), t)"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(lowered(text), expected) << text;
}

TEST(Lowering, AsWrittenKeepsTheOrderOfArithmetic) {
  const std::pair<const char*, const char*> table[] = {
      {"-100*x*x", "-100*x*x"},      {"2*exp(-3*x*x)*(1 - 4*x*x)", "2*exp(-3*x*x)*(1 - 4*x*x)"},
      {"x*2 + 0*A", "x*2 + 0*0.25"}, {"pi^2/4*cos(pi/2*x)", "3.141592653589793^2/4*cos(3.141592653589793/2*x)"},
      {"3*x*dx(2*(x*4))", "3*x*8"},  {"min(x*2, 1/0)", "min(x*2, 1/0)"},
  };
  for (const auto& [text, expected] : table) {
    Pool pool(samples::symbols());
    EXPECT_EQ(print(lower_as_written(pool, samples::parsed(pool, text))), expected) << text;
  }
}

TEST(Lowering, IsIdempotent) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 17);
  for (int i = 0; i < 200; ++i) {
    const Expr once = lower(pool, random.smooth(3, true));
    EXPECT_EQ(lower(pool, once), once) << print(once);
  }
}

// In a lowered tree derivatives and restrictions belong to atoms in their canonical form.
void expect_lowered(Pool& pool, Expr e) {
  if (is_atom(e)) {
    const Atom atom = atom_of(pool, e);
    const Field& field = pool.symbols().fields[static_cast<std::size_t>(atom.field)];
    for (std::size_t i = 0; i < 4; ++i) {
      const bool has = std::find(field.dims.begin(), field.dims.end(), pool.symbols().axes[i].name) != field.dims.end();
      EXPECT_TRUE(has || (atom.orders[i] == 0 && !atom.restricted[i])) << print(e);
    }
    return;
  }
  EXPECT_TRUE(e->op != Op::derivative && e->op != Op::restriction && e->op != Op::laplacian && e->op != Op::pi &&
              e->op != Op::constant)
      << print(e);
  for (Expr arg : e->args) expect_lowered(pool, arg);
}

// Lowered expressions with the fields' exact derivatives against difference quotients of the raw expressions. The
// quotients are the limit: a third derivative loses about six of the nineteen digits of a long double to cancellation,
// and truncation grows with the steepness of the nested functions; 1e-7 of the largest value met leaves room for both.
TEST(Lowering, RandomTreesAgreeWithDifferenceQuotients) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 99);
  oracle::LoweredOracle exact(pool);
  int with_derivatives = 0;
  for (int i = 0; i < 400; ++i) {
    const Expr e = random.smooth(2 + random.below(2), true);
    const Expr low = lower(pool, e);
    expect_lowered(pool, low);
    with_derivatives += print(e).find("d") != std::string::npos;
    const oracle::Point z = {random.uniform(0.2, 1.8), random.uniform(0.2, 0.9), random.uniform(-0.8, 0.8),
                             random.uniform(0.2, 1.3)};
    oracle::Oracle numerical(pool);
    const oracle::Real expected = numerical.value(e, z);
    EXPECT_NEAR(static_cast<double>(exact.value(low, z)), static_cast<double>(expected),
                static_cast<double>(1e-7L * std::max<oracle::Real>(1, numerical.scale)))
        << print(e) << "\n"
        << print(low);
  }
  EXPECT_GT(with_derivatives, 100);
}

// Every rule of the table of derivatives by itself, first and second derivative, away from kinks and poles.
TEST(Lowering, EveryFunctionAgreesWithDifferenceQuotients) {
  const char* arguments[] = {"sin(v)",        "cos(v)",
                             "tan(0.5*v)",    "asin(0.5*v)",
                             "acos(0.5*v)",   "atan(v)",
                             "sinh(v)",       "cosh(v)",
                             "tanh(v)",       "exp(v)",
                             "log(2 + v)",    "sqrt(2 + v)",
                             "abs(v - 3)",    "abs(v + 3)",
                             "erf(v)",        "min(v, 3*v)",
                             "max(v, 3*v)",   "min(v, x - 9)",
                             "max(v, x - 9)", "sign(v)*v",
                             "step(v)*v",     "v^2",
                             "v^-3",          "(2 + v)^2.5",
                             "2^v",           "(2 + v)^x",
                             "x^v",           "abs(v)^w",
                             "v/w",           "1/v",
                             "v*w*x",         "-v + w",
                             "v - x*w",       "integral(v*x, t)",
                             "(v^2)^3"};
  Pool pool(samples::symbols());
  oracle::LoweredOracle exact(pool);
  const oracle::Point z = {0.9L, 0.4L, 0.3L, 0.8L};
  for (const std::string argument : arguments) {
    for (const std::string& text : {"dx(" + argument + ")", "dx(" + argument + ", 2)", "dt(dx(" + argument + "))"}) {
      oracle::Oracle numerical(pool);
      const Expr e = samples::parsed(pool, text);
      const double expected = static_cast<double>(numerical.value(e, z));
      // Two nested quotients: truncation of about 1e-13 and rounding of about 1e-15, times the size of the derivatives.
      EXPECT_NEAR(static_cast<double>(exact.value(lower(pool, e), z)), expected,
                  1e-10 * std::max(1.0, std::abs(expected)))
          << text << " -> " << print(lower(pool, e));
    }
  }
}

// A raw derivative of a function of a non-varying argument must not even form log of it.
TEST(Lowering, ConstantExponentsNeedNoLogarithm) {
  EXPECT_EQ(lowered("dx((-1)^2*w + (-2)^c)"), "dx(w)");
}

TEST(Lowering, LargeResultsAreCaseErrors) {
  Pool pool(samples::symbols());
  EXPECT_THROW(lower(pool, samples::parsed(pool, "dx(dx(dx(exp(sin(u*v/w)*w^c)^u, 8), 8), 8)")), CaseError);
}

// A chain of 199 functions has derivatives of 199 factors: sharing keeps the expansion linear.
TEST(Lowering, DeepChainsStaySmall) {
  Pool pool(samples::symbols());
  std::string text = "w";
  for (int i = 0; i < 195; ++i) text = "sin(" + text + ")";
  lower(pool, samples::parsed(pool, "dx(" + text + ")"));
  EXPECT_LT(pool.size(), 2000u);
}

TEST(Atoms, RoundTrip) {
  Pool pool(samples::symbols());
  const Expr e = lower(pool, samples::parsed(pool, "dx(dt(u), 3)(nu=0.5, t=1)"));
  ASSERT_TRUE(is_atom(e));
  const Atom atom = atom_of(pool, e);
  EXPECT_EQ(atom.field, 0);
  EXPECT_FALSE(atom.direction);
  EXPECT_EQ(atom.orders, (std::vector<int>{1, 0, 0, 3}));
  EXPECT_EQ(atom.restricted, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(atom.points[0], 1.0);
  EXPECT_EQ(atom.points[1], 0.5);

  const Atom direction = atom_of(pool, pool.derivative(pool.direction("w"), "x", 2));
  EXPECT_TRUE(direction.direction);
  EXPECT_EQ(direction.field, 2);
  EXPECT_EQ(direction.orders, (std::vector<int>{0, 0, 0, 2}));

  const Atom repeated = atom_of(pool, samples::parsed(pool, "dx(dt(dx(u, 2)), 3)"));  // raw: orders along x add up
  EXPECT_EQ(repeated.orders, (std::vector<int>{1, 0, 0, 5}));

  EXPECT_FALSE(is_atom(samples::parsed(pool, "dx(u*v)")));
  EXPECT_FALSE(is_atom(samples::parsed(pool, "x")));
  EXPECT_FALSE(is_atom(samples::parsed(pool, "integral(u, x)")));
  EXPECT_THROW(atom_of(pool, pool.pi()), Error);
}

TEST(Atoms, ListedOnceInOrderOfAppearance) {
  Pool pool(samples::symbols());
  const Expr e = lower(pool, samples::parsed(pool, "dx(v)*w + integral(u*v, x)*dx(v) + v(x=0) + c"));
  std::string names;
  for (Expr atom : atoms_in(e)) names += print(atom) + "; ";
  EXPECT_EQ(names, "dx(v); w; u; v; v(x=0); c; ");
}

TEST(Atoms, DerivativeOrder) {
  Pool pool(samples::symbols());
  const Expr e = lower(pool, samples::parsed(pool, "dt(u) + dx(u, 2)*v + integral(dx(w, 3), x) + dt(dx(u))"));
  const std::vector<FieldOrders> fields = field_orders(pool, e);
  const int t = 0, nu = 1, x = 3;
  EXPECT_EQ(derivative_order(fields, 0, t), 1);
  EXPECT_EQ(derivative_order(fields, 0, x), 2);
  EXPECT_EQ(derivative_order(fields, 0, nu), 0);
  EXPECT_EQ(derivative_order(fields, 1, x), 0);
  EXPECT_EQ(derivative_order(fields, 2, x), 3);
  EXPECT_EQ(derivative_order(fields, 3, x), -1);
}

TEST(AdditiveTerms, Table) {
  const std::pair<const char*, const char*> table[] = {
      {"u + v - c*w", "u; v; -(c*w); "},
      {"u", "u; "},
      {"-(u - v)", "v; -u; "},
      {"u - (v - (w - c))", "u; -v; w; -c; "},
      {"u + v + u", "2*u; v; "},
      {"u + v - u", "v; "},
      {"u - u", "0; "},
      {"2*(u + v)", "2*(u + v); "},
      {"x - 3*u", "x; -(3*u); "},
  };
  for (const auto& [text, expected] : table) {
    Pool pool(samples::symbols());
    std::string terms;
    for (Expr term : additive_terms(pool, lower(pool, samples::parsed(pool, text)))) terms += print(term) + "; ";
    EXPECT_EQ(terms, expected) << text;
  }
}

// s_{k+1} = s_k + (s_k + v): written out, 2^50 terms.
TEST(AdditiveTerms, SharedSumsAreWalkedOnce) {
  Pool pool(samples::symbols());
  Expr e = pool.field("u");
  const Expr v = pool.field("v");
  for (int i = 0; i < 50; ++i) e = pool.binary(Op::add, e, pool.binary(Op::add, e, v));
  const std::vector<Expr> terms = additive_terms(pool, e);
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(print(terms[0]), "1125899906842624*u");  // 2^50
  EXPECT_EQ(print(terms[1]), "1125899906842623*v");
}

}  // namespace
}  // namespace gwrm::expression::lowering_test
