// Unknowns replaced by expressions, against the same expression written out directly: both lowered, both evaluated on
// one tape.
#include "expression/substitute.hpp"

#include <gtest/gtest.h>

#include "expression/lowering.hpp"
#include "expression/random_leaves.hpp"

namespace gwrm::expression::substitute_test {
namespace {

using samples::parsed;

// Fields of samples::symbols(): u(t, nu, y, x), v(t, x), w(x), c.
std::vector<Expr> replacements(Pool& pool, const std::string& u, const std::string& v = "", const std::string& w = "",
                               const std::string& c = "") {
  std::vector<Expr> result;
  for (const std::string& text : {u, v, w, c}) result.push_back(text.empty() ? nullptr : parsed(pool, text));
  return result;
}

// Values at the leaves are of size one and expressions a few operations long: rounding stays below 1e-12 of the largest
// value.
void expect_same_values(Pool& pool, Expr a, Expr b) {
  samples::RandomLeaves leaves({3, 2, 4, 5}, 31);
  const std::vector<Array> values = leaves.evaluate(pool, {lower(pool, a), lower(pool, b)});
  ASSERT_EQ(values[0].shape, values[1].shape) << print(a) << "\n" << print(b);
  for (std::size_t k = 0; k < values[0].data.size(); ++k)
    ASSERT_NEAR(values[0].data[k], values[1].data[k], 1e-12 * std::max(1.0, std::abs(values[1].data[k])))
        << print(a) << "\n"
        << print(b);
}

struct Row {
  const char* text;    // with u
  const char* direct;  // with x^2*t + w in its place
};

TEST(Substitute, ThroughEveryOperation) {
  const Row rows[] = {
      {"u", "x^2*t + w"},
      {"dx(u)", "2*x*t + dx(w)"},
      {"dx(u, 2)", "2*t + dx(w, 2)"},
      {"dt(u)", "x^2"},
      {"dt(dx(u))", "2*x"},
      {"dy(u)", "0"},
      {"lap(u)", "2*t + dx(w, 2)"},
      {"u(x=0.5)", "0.25*t + w(x=0.5)"},
      {"u(x=0.5, t=2)", "0.5 + w(x=0.5)"},
      {"dx(u)(x=1)", "2*t + dx(w)(x=1)"},
      {"dx(u(t=1))", "2*x + dx(w)"},
      {"integral(u, t)", "integral(x^2*t + w, t)"},
      {"integral(u*v, x)", "t*integral(x^2*v, x) + integral(w*v, x)"},
      {"integral(dx(u), x)", "integral(2*x*t + dx(w), x)"},
      {"u^3", "(x^2*t + w)*(x^2*t + w)*(x^2*t + w)"},
      {"2^u", "2^(x^2*t)*2^w"},
      {"v/(3 + u^2)", "v/(3 + (x^2*t + w)^2)"},
      {"-u - v", "-w - v - t*x^2"},
      {"sin(u)", "sin(x^2*t)*cos(w) + cos(x^2*t)*sin(w)"},
      {"dx(exp(u))", "exp(x^2*t)*exp(w)*(2*x*t + dx(w))"},
      {"max(u, v) + min(u, v)", "x^2*t + w + v"},
      {"dt(u*dx(u))", "x^2*(2*x*t + dx(w)) + (x^2*t + w)*2*x"},
  };
  for (const Row& row : rows) {
    Pool pool(samples::symbols());
    const Expr replaced = substitute(pool, parsed(pool, row.text), replacements(pool, "x^2*t + w"));
    expect_same_values(pool, replaced, parsed(pool, row.direct));
  }
}

TEST(Substitute, NullKeepsTheField) {
  Pool pool(samples::symbols());
  const Expr e = lower(pool, parsed(pool, "dt(u) + v*dx(w)(x=0) - c*integral(u*v, x)"));
  EXPECT_EQ(substitute(pool, e, replacements(pool, "")), e);
}

// All at once: what is put in for one field is not searched for the others.
TEST(Substitute, ExchangesFields) {
  Pool pool(samples::symbols());
  const Expr e = substitute(pool, parsed(pool, "dx(v) - c*w"), replacements(pool, "", "w", "v", "c + 1"));
  expect_same_values(pool, e, parsed(pool, "dx(w) - (c + 1)*v"));
}

TEST(Substitute, AllFieldsLeaveNone) {
  Pool pool(samples::symbols());
  const Expr e = lower(pool, parsed(pool, "dt(u) + v*dx(w)(x=0) - c*integral(u*v, x)"));
  const Expr data = lower(pool, substitute(pool, e, replacements(pool, "t*x", "t", "x^2", "3")));
  EXPECT_TRUE(atoms_in(data).empty());
  EXPECT_EQ(data->facts.degree, 0);
  // x + 0 - 3 t^2 integral(x)
  expect_same_values(pool, data, parsed(pool, "x - 3*t^2*integral(x, x)"));
}

// Lowering before or after: derivatives of atoms and of the expressions put in for them agree.
TEST(Substitute, CommutesWithLowering) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 5);
  const std::vector<Expr> with = replacements(pool, "sin(x*t) + y*w", "w*t", "", "0.5");
  int varied = 0;
  for (int i = 0; i < 150; ++i) {
    const Expr e = random.smooth(1 + random.below(2), true);
    const Expr before = lower(pool, substitute(pool, lower(pool, e), with)),
               after = lower(pool, substitute(pool, e, with));
    samples::RandomLeaves leaves({2, 3, 2, 3}, 77);
    // Restricted points and integrals may be folded in one order only: the shapes agree, the values but for rounding,
    // which nested functions amplify.
    const std::vector<Array> values = leaves.evaluate(pool, {before, after});
    ASSERT_EQ(values[0].size(), values[1].size()) << print(e);
    for (std::size_t k = 0; k < values[0].data.size(); ++k)
      ASSERT_NEAR(values[0].data[k], values[1].data[k], 1e-9 * std::max(1.0, std::abs(values[1].data[k]))) << print(e);
    varied += values[0].size() > 1;
  }
  EXPECT_GT(varied, 50);
}

// s_{k+1} = s_k * s_k shares its halves: rebuilt once each, not 2^60 times.
TEST(Substitute, SharedPartsAreRebuiltOnce) {
  Pool pool(samples::symbols());
  Expr e = pool.field("c");
  for (int i = 0; i < 60; ++i) e = pool.sum(pool.product(e, e), pool.field("w"));
  substitute(pool, e, replacements(pool, "", "", "c", "w"));
  EXPECT_LT(pool.size(), 500u);
}

}  // namespace
}  // namespace gwrm::expression::substitute_test
