#include "expression/parser.hpp"

#include <gtest/gtest.h>

#include "expression/printer.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::parser_test {
namespace {

std::string error_of(const std::string& text, bool equation = false) {
  Pool pool(samples::symbols());
  try {
    if (equation)
      parse_equation(pool, SourceText::from_argument(text));
    else
      parse(pool, SourceText::from_argument(text));
  } catch (const CaseError& error) {
    return error.what();
  }
  return "no error";
}

// The column of the caret in the last line of a message, which is indented by two.
int caret(const std::string& message) {
  const std::string last = message.substr(message.rfind('\n') + 1);
  return static_cast<int>(last.find('^')) - 2;
}

struct Accepted {
  const char* text;
  const char* printed;
};

TEST(Parser, AcceptsAndPrintsCanonically) {
  const Accepted table[] = {
      {"1+2*3", "1 + 2*3"},
      {"(1+2)*3", "(1 + 2)*3"},
      {"1-(2-3)", "1 - (2 - 3)"},
      {"(1-2)-3", "1 - 2 - 3"},
      {"1-(2+3)", "1 - (2 + 3)"},
      {"8/(4/2)", "8/(4/2)"},
      {"8/4/2", "8/4/2"},
      {"8/(4*2)", "8/(4*2)"},
      {"2*(3*4)", "2*(3*4)"},
      {"-x^2", "-x^2"},
      {"(-x)^2", "(-x)^2"},
      {"2^-x", "2^-x"},
      {"2^3^2", "2^3^2"},
      {"(2^3)^2", "(2^3)^2"},
      {"x**2", "x^2"},
      {"-x*y", "-x*y"},
      {"-(x*y)", "-(x*y)"},
      {"x*-y", "x*-y"},
      {"x--y", "x - -y"},
      {"+x", "x"},
      {"x - +y", "x - y"},
      {"--x", "--x"},
      {"1e-3", "0.001"},
      {".5", "0.5"},
      {"2.", "2"},
      {"1E+2", "100"},
      {"1.5e3*x", "1500*x"},
      {"3.141592653589793", "3.141592653589793"},
      {"0.1", "0.1"},
      {" \t u\n+ v ", "u + v"},
      {"dx(u)", "dx(u)"},
      {"dx(u,1)", "dx(u)"},
      {"dx( u , 8 )", "dx(u, 8)"},
      {"dnu(u,2)", "dnu(u, 2)"},
      {"dt(dx(u*v))", "dt(dx(u*v))"},
      {"dx(3)", "dx(3)"},
      {"lap(u)", "lap(u)"},
      {"integral(u^2,x)", "integral(u^2, x)"},
      {"u(x=0)", "u(x=0)"},
      {"u(x=A*2,t=2)", "u(x=A*2, t=2)"},
      {"u(y=-1)", "u(y=-1)"},
      {"u(x=0)(t=1)", "u(x=0)(t=1)"},
      {"dx(u)(x=pi/3)", "dx(u)(x=pi/3)"},
      {"(u*v)(x=0)", "(u*v)(x=0)"},
      {"sin(x)(x=0)", "sin(x)(x=0)"},
      {"x(x=1)", "x(x=1)"},
      {"pi(x=1)", "pi(x=1)"},
      {"2(x=1)", "2(x=1)"},
      {"A(x=1)", "A(x=1)"},
      {"c(x=1)", "c(x=1)"},
      {"u(x=1)^2", "u(x=1)^2"},
      {"(u^2)(x=1)", "(u^2)(x=1)"},
      {"(u(x=0)+x)(x=1)", "(u(x=0) + x)(x=1)"},
      {"max(u, min(v, 0))", "max(u, min(v, 0))"},
      {"sign(u)*step(v)", "sign(u)*step(v)"},
      {"((((u))))", "u"},
      {"2*pi*x/Re", "2*pi*x/Re"},
      {"u(x=1.5000000000000002)", "u(x=1.5000000000000002)"},  // outside by one rounding
  };
  for (const Accepted& entry : table) {
    Pool pool(samples::symbols());
    const Expr e = samples::parsed(pool, entry.text);
    EXPECT_EQ(print(e), entry.printed) << entry.text;
    EXPECT_EQ(samples::parsed(pool, print(e)), e) << entry.text;
  }
}

struct Rejected {
  const char* text;
  int column;  // of the caret, from 0
  const char* fragment;
};

TEST(Parser, RejectsWithCaretAndCure) {
  const Rejected table[] = {
      {"", 0, "is empty"},
      {"   ", 0, "is empty"},
      {"1+", 2, "expected a number, a name or '(', found the end"},
      {"*2", 0, "expected a number, a name or '(', found '*'"},
      {"()", 1, "found ')'"},
      {"(1", 2, "expected ')'"},
      {"1)", 1, "expected an operator or the end of the text, found ')'"},
      {"2x", 1, "multiplication must be written '*'"},
      {"2 x", 2, "multiplication must be written '*'"},
      {"x y", 2, "multiplication must be written '*'"},
      {"(2x)", 2, "multiplication must be written '*'"},
      {"sin(2x)", 5, "multiplication must be written '*'"},
      {"2(x+1)", 1, "multiplication must be written '*'"},
      {"(x)(y)", 3, "multiplication must be written '*'"},
      {"A(3)", 1, "multiplication must be written '*'"},
      {"2e", 1, "multiplication must be written '*'"},
      {"1e+", 1, "multiplication must be written '*'"},
      {"1.2.3", 3, "two decimal points"},
      {"1e999", 0, "out of the range"},
      {"3 + 1e-999", 4, "out of the range"},
      {"u(0)", 1, "u(x=0)"},
      {"v(x)", 1, "write v alone, or a restriction such as v(x=0)"},
      {"c(1)", 1, "'c' is an unknown, not a function"},
      {"u(z=0)", 2, "expected a dimension to restrict (t, nu, y, x), found 'z'"},
      {"u(x=2)", 4, "expected a point of [0, 1.5]"},
      {"u(nu=0)", 5, "expected a point of [0.1, 1]"},
      {"u(x=1.501)", 4, "outside"},
      {"u(x=-0.001)", 4, "outside"},
      {"u(x=0/0)", 4, "outside"},
      {"u(x=1e300^2)", 4, "outside"},
      {"u(x=y)", 4, "numbers, constants and pi only"},
      {"u(x=1+c)", 4, "numbers, constants and pi only"},
      {"u(x=0, x=1)", 7, "'x' is restricted twice"},
      {"u(x=0)(x=1)", 7, "'x' is restricted twice"},
      {"u(x=0)(t=0)(x=1)", 12, "'x' is restricted twice"},
      {"u(x=0 t=1)", 6, "expected an operator before 't'"},
      {"u(x=0", 5, "expected ',' or ')'"},
      {"u(x=0,)", 6, "expected a dimension to restrict"},
      {"u(x==0)", 4, "found '='"},
      {"dz(u)", 0, "the domain has no dimension 'z' (dimensions: t, nu, y, x)"},
      {"dxx(u)", 0, "higher and mixed derivatives are written dx(u, 2)"},
      {"dtnu(u)", 0, "higher and mixed derivatives"},
      {"dx(u,0)", 5, "an integer from 1 to 8, found '0'"},
      {"dx(u,9)", 5, "an integer from 1 to 8"},
      {"dx(u,1.5)", 5, "an integer from 1 to 8"},
      {"dx(u,-1)", 5, "an integer from 1 to 8, found '-'"},
      {"dx(u,n)", 5, "an integer from 1 to 8, found 'n'"},
      {"dx(u,2,3)", 6, "expected ',' or ')'"},
      {"dx()", 3, "expected a number, a name or '('"},
      {"dx", 0, "expected '(' behind 'dx'"},
      {"sin", 0, "expected '(' behind 'sin'"},
      {"sin + 1", 0, "expected '(' behind 'sin', found '+'"},
      {"sin()", 4, "sin takes one argument, found none"},
      {"sin(x, y)", 5, "sin takes one argument"},
      {"min(x)", 5, "min takes two arguments, found only 1"},
      {"max(x, y, t)", 8, "max takes two arguments"},
      {"lap(u, 2)", 5, "expected ')'"},
      {"integral(u)", 10, "expected ',' and a dimension"},
      {"integral(u, z)", 12, "expected a dimension to integrate over (t, nu, y, x), found 'z'"},
      {"integral(u, 1)", 12, "found '1'"},
      {"snh(x)", 0, "unknown function 'snh'; the nearest known names are sinh"},
      {"foo(x)", 0, "unknown function 'foo'; expected one of sin, cos"},
      {"delta(u)", 6, "the argument of delta depends on one dimension"},
      {"u + re", 4, "unknown name 're'; the nearest known names are Re"},
      {"zz", 0, "known here are unknowns: u, v, w, c; dimensions: t, nu, y, x; constants: A, Re, n"},
      {"d", 0, "unknown name 'd'"},
      {"u = 0", 2, "expected an expression, not an equation"},
      {"u < 0", 2, "unexpected character '<'"},
      {"u \xc3\x97 v", 2, "unexpected character '\xc3\x97'"},
      {"u, v", 1, "expected an operator or the end of the text, found ','"},
      {"x^", 2, "expected a number"},
      {"x^*2", 2, "expected a number"},
      {"-", 1, "expected a number"},
  };
  for (const Rejected& entry : table) {
    const std::string message = error_of(entry.text);
    EXPECT_NE(message.find(entry.fragment), std::string::npos) << entry.text << "\n" << message;
    EXPECT_EQ(caret(message), entry.column) << entry.text << "\n" << message;
  }
}

TEST(Parser, NulByteIsAForeignCharacter) {
  EXPECT_NE(error_of(std::string("u\0v", 3)).find("unexpected character"), std::string::npos);
}

TEST(Parser, ErrorNamesFileLineAndColumn) {
  Pool pool(samples::symbols());
  const SourceText source{"dt(u) + 2x", "case.yaml", 12, 5, "  - \"dt(u) + 2x\""};
  try {
    parse(pool, source);
    FAIL() << "no error";
  } catch (const CaseError& error) {
    EXPECT_EQ(std::string(error.what()).find("case.yaml:12:15: error: "), 0u) << error.what();
  }
}

TEST(Parser, Equations) {
  Pool pool(samples::symbols());
  const Equation equation = parse_equation(pool, SourceText::from_argument("dt(u) = nu*dx(u,2) - u(x=0)*dx(u)"));
  EXPECT_EQ(print(equation.left), "dt(u)");
  EXPECT_EQ(print(equation.right), "nu*dx(u, 2) - u(x=0)*dx(u)");

  const Rejected table[] = {
      {"", 0, "is empty"},
      {"u", 1, "expected '=' (an equation is written left = right), found the end"},
      {"u(x=0)", 6, "expected '='"},
      {"= 1", 0, "found '='"},
      {"u =", 3, "found the end"},
      {"u = v = 1", 6, "a second '='; expected exactly one"},
      {"u == v", 3, "found '='"},
      {"u = 1)", 5, "found ')'"},
      {"2u = 1", 1, "multiplication"},
  };
  for (const Rejected& entry : table) {
    const std::string message = error_of(entry.text, true);
    EXPECT_NE(message.find(entry.fragment), std::string::npos) << entry.text << "\n" << message;
    EXPECT_EQ(caret(message), entry.column) << entry.text << "\n" << message;
  }
}

TEST(Parser, LaplacianNeedsSpace) {
  Symbols symbols;
  symbols.axes = {{"t", AxisKind::time, 0.0, 1.0, MapKind::linear}};
  symbols.fields = {{"u", {"t"}}};
  Pool pool(symbols);
  EXPECT_THROW(samples::parsed(pool, "lap(u)"), CaseError);
}

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

// Inputs that would exhaust the stack of a careless parser end in a short message.
TEST(Parser, HostileInputsEndInCaseErrors) {
  for (int count : {201, 1000, 30000}) {
    for (const std::string& text :
         {repeated("(", count), repeated("(", count) + "x" + repeated(")", count), repeated("-", count) + "x",
          repeated("+", count) + "x", repeated("1^", count) + "1", repeated("1+", count) + "1",
          repeated("x*", count) + "x", repeated("x/", count) + "x"}) {
      if (text.size() > kMaxTextLength) continue;
      EXPECT_NE(error_of(text).find("nested deeper than 200 levels"), std::string::npos) << text.substr(0, 9) << count;
    }
  }
  EXPECT_NE(error_of(repeated("sin(", 1000)).find("nested deeper"), std::string::npos);
  EXPECT_NE(error_of(repeated("dx(", 1000)).find("nested deeper"), std::string::npos);
  EXPECT_NE(error_of("u" + repeated("(x=0", 1000)), "no error");

  for (const std::string& text : {repeated("(", 100000), repeated("1+", 500000) + "1"}) {
    const std::string message = error_of(text);
    EXPECT_NE(message.find("characters; at most 65536 are possible"), std::string::npos);
    EXPECT_LT(message.size(), 500u);  // the text itself is not repeated
  }
}

TEST(Parser, DepthUpToTheLimitIsAccepted) {
  EXPECT_EQ(error_of(repeated("1+", kMaxDepth - 1) + "1"), "no error");
  EXPECT_NE(error_of(repeated("1+", kMaxDepth) + "1"), "no error");
  EXPECT_EQ(error_of(repeated("-", kMaxDepth - 1) + "x"), "no error");
  EXPECT_EQ(error_of(repeated("(", kMaxDepth - 1) + "x" + repeated(")", kMaxDepth - 1)), "no error");
  // A long sum of parts: the depth counts, not the length.
  const std::string part = "(" + repeated("x*y + ", 150) + "1)";
  EXPECT_EQ(error_of(repeated(part + " + ", 40) + part), "no error");
}

TEST(EvaluateNumber, Values) {
  const std::vector<Constant> constants = {{"a", 3.0}, {"eps", 1e-3}};
  const auto value = [&](const std::string& text) {
    return evaluate_number(SourceText::from_argument(text), constants);
  };
  EXPECT_DOUBLE_EQ(value("2*pi"), 6.283185307179586);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("7-2-1"), 4.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("a^-2*9"), 1.0);
  EXPECT_DOUBLE_EQ(value("sqrt(a + 6) + eps"), 3.001);
  EXPECT_DOUBLE_EQ(value("2^0.5"), 1.4142135623730951);
  EXPECT_DOUBLE_EQ(value("sin(pi/6) + cos(pi/3) + tan(pi/4)"), 2.0);
  EXPECT_DOUBLE_EQ(value("asin(1) + acos(1) + 2*atan(1)"), 3.141592653589793);
  EXPECT_DOUBLE_EQ(value("log(exp(2))*abs(-3)"), 6.0);
  EXPECT_DOUBLE_EQ(value("sinh(1) + cosh(1)"), 2.718281828459045);
  EXPECT_DOUBLE_EQ(value("tanh(1)*cosh(1)"), 1.1752011936438014);  // sinh(1)
  EXPECT_DOUBLE_EQ(value("erf(0.5)"), 0.5204998778130465);
  EXPECT_EQ(value("min(1, 2) + 10*max(1, 2)"), 21.0);
  EXPECT_EQ(value("sign(-2) + step(3) + step(0) + sign(0)"), 0.5);
}

TEST(EvaluateNumber, Refusals) {
  const std::vector<Constant> constants = {{"a", 3.0}};
  for (const char* text : {"", "x", "u", "1/0", "0/0", "log(-1)", "1e300^2", "dx(a)", "a = 3", "integral(a, x)",
                           "lap(a)", "a(x=0)", "2a", "1,5"})
    EXPECT_THROW(evaluate_number(SourceText::from_argument(text), constants), CaseError) << text;
}

TEST(NearestNames, NearAndFar) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(nearest_names("pressure", {"presure", "velocity"}), Names{"presure"});
  EXPECT_EQ(nearest_names("Ra", {"Re", "ra", "zeta"}), (Names{"ra", "Re"}));  // a wrong case is nearest
  EXPECT_EQ(nearest_names("tmie", {"time"}), Names{"time"});                  // a swap is one edit
  EXPECT_EQ(nearest_names("x", {"y", "t"}), Names{});
  EXPECT_EQ(nearest_names("X", {"y", "x"}), Names{"x"});
  EXPECT_EQ(nearest_names("temperature", {"velocity"}), Names{});
  EXPECT_EQ(nearest_names("aaab", {"aaac", "aaad", "aaae", "aaaf"}).size(), 3u);
  EXPECT_EQ(nearest_names("u", {}), Names{});
}

}  // namespace
}  // namespace gwrm::expression::parser_test
