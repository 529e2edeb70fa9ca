#include "expression/printer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "expression/parser.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::printer_test {
namespace {

TEST(Printer, RandomTreesReadBackAsTheSameNode) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 20240601);
  for (int i = 0; i < 3000; ++i) {
    const Expr e = random.any(1 + random.below(6));
    const std::string text = print(e);
    if (text.size() > kMaxTextLength) continue;
    ASSERT_EQ(samples::parsed(pool, text), e) << text;
  }
}

std::size_t matching_close(const std::string& text, std::size_t open) {
  int level = 0;
  for (std::size_t i = open;; ++i) {
    if (text[i] == '(') ++level;
    if (text[i] == ')' && --level == 0) return i;
  }
}

// Parentheses are minimal: without any one pair, the text means something else or nothing.
TEST(Printer, EveryParenthesisIsNeeded) {
  Pool pool(samples::symbols());
  samples::RandomTree random(pool, 7);
  int checked = 0;
  for (int i = 0; i < 500; ++i) {
    const Expr e = random.any(1 + random.below(4));
    const std::string text = print(e);
    for (std::size_t open = 0; open < text.size(); ++open) {
      const bool groups =
          text[open] == '(' && (open == 0 || std::string("( =-*/^").find(text[open - 1]) != std::string::npos);
      if (!groups) continue;
      std::string without = text;
      without.erase(matching_close(text, open), 1).erase(open, 1);
      Expr other = nullptr;
      try {
        other = samples::parsed(pool, without);
      } catch (const CaseError&) {
      }
      EXPECT_NE(other, e) << text << "\n" << without;
      ++checked;
    }
  }
  EXPECT_GT(checked, 200);
}

TEST(Printer, NumbersReadBackExactly) {
  Pool pool(samples::symbols());
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::abs(std::bit_cast<double>(random()));
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(samples::parsed(pool, print(pool.number(value)))->value, value);
  }
  for (double value : {0.0, std::numeric_limits<double>::min(), std::numeric_limits<double>::denorm_min(),
                       std::numeric_limits<double>::max()})
    EXPECT_EQ(samples::parsed(pool, print(pool.number(value)))->value, value);
}

// Negative numbers come from folding only; the text must keep the value.
TEST(Printer, NegativeNumbersKeepTheValue) {
  Pool pool(samples::symbols());
  const Expr minus_two = pool.number(-2.0);
  const Expr three = pool.number(3.0);
  EXPECT_EQ(print(minus_two), "-2");
  EXPECT_EQ(print(pool.binary(Op::power, minus_two, three)), "(-2)^3");
  EXPECT_EQ(print(pool.binary(Op::power, three, minus_two)), "3^-2");
  for (Op op : {Op::add, Op::subtract, Op::multiply, Op::divide, Op::power}) {
    const auto value = [](Expr e) { return evaluate_number(SourceText::from_argument(print(e)), {}); };
    const double expected[] = {1.0, -5.0, -6.0, -2.0 / 3.0, -8.0};
    EXPECT_EQ(value(pool.binary(op, minus_two, three)), expected[static_cast<int>(op) - static_cast<int>(Op::add)]);
  }
}

TEST(Printer, DirectionsAreMarked) {
  Pool pool(samples::symbols());
  EXPECT_EQ(print(pool.derivative(pool.direction("u"), "x", 2)), "dx(delta(u), 2)");
}

// A tree of 60 doublings has 2^60 leaves when written out.
TEST(Printer, SharedTreesDoNotPrintForever) {
  Pool pool(samples::symbols());
  Expr e = pool.field("u");
  for (int i = 0; i < 60; ++i) e = pool.binary(Op::multiply, e, e);
  EXPECT_EQ(print(e).size(), kMaxPrintLength + 4);
  EXPECT_LT(latex(e).size(), kMaxPrintLength + 100);
}

TEST(Latex, Table) {
  Pool pool(samples::symbols());
  const std::pair<const char*, const char*> table[] = {
      {"dt(u)", "\\partial_t u"},
      {"nu*dx(u,2)", "\\nu\\,\\partial_x^{2} u"},
      {"u*dx(u)", "u\\,\\partial_x u"},
      {"dx(u)*u", "\\left( \\partial_x u\\right)\\,u"},
      {"dx(u*v)", "\\partial_x \\left( u\\,v\\right)"},
      {"dx(u)^2", "\\left( \\partial_x u\\right)^{2}"},
      {"lap(u)", "\\nabla^{2} u"},
      {"dnu(u)", "\\partial_{\\nu} u"},
      {"(u+v)/Re", "\\frac{u + v}{\\mathrm{Re}}"},
      {"-(u+v)", "-\\left( u + v\\right)"},
      {"u-(v-w)", "u - \\left( v - w\\right)"},
      {"sqrt(u)*abs(v)", "\\sqrt{ u}\\,\\left| v\\right|"},
      {"sin(pi*x)", "\\sin\\left(\\pi\\,x\\right)"},
      {"x*2", "x\\cdot 2"},
      {"1e-30", "10^{-30}"},
      {"u(x=0,t=1)", "\\left. u\\right|_{x=0,\\,t=1}"},
      {"integral(u*v,x)", "\\int u\\,v\\,\\mathrm{d}x"},
      {"(u/v)^2", "\\left( \\frac{u}{v}\\right)^{2}"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(latex(samples::parsed(pool, text)), expected) << text;
}

}  // namespace
}  // namespace gwrm::expression::printer_test
