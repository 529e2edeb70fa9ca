// Complex numbers: the pairs of real expressions that they stand for, against std::complex at random points; what is
// written of them; what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "expression/components.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "expression/tape.hpp"

namespace gwrm::expression::complex_test {
namespace {

using Number = std::complex<double>;

Symbols symbols() {
  Symbols s;
  s.axes = {{"t", AxisKind::time, 0.0, 1.0, MapKind::linear},
            {"y", AxisKind::space, 0.0, 1.0, MapKind::linear},
            {"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
  for (const char* name : {"z_re", "z_im", "w_re", "w_im", "v", "E_x_re", "E_x_im", "E_y_re", "E_y_im"})
    s.fields.push_back({name, {"t", "y", "x"}});
  s.vectors = {{"z", {}, true}, {"w", {}, true}, {"E", {"x", "y"}, true}, {"E_x", {}, true}, {"E_y", {}, true}};
  s.constants = {{"a", 0.75}, {"n", 3.0}};
  s.definitions = {{"rho", SourceText::from_argument("abs(z)^2", "rho")},
                   {"g", SourceText::from_argument("conj(z)*w", "g")},
                   {"unit", SourceText::from_argument("(1 + i)/sqrt(2)", "unit")},
                   {"modulus", SourceText::from_argument("abs(z)", "modulus")}};
  return s;
}

std::string joined(const std::vector<Component>& components) {
  std::string text;
  for (const Component& component : components)
    text += (text.empty() ? "" : " | ") + (component.name.empty() ? "" : component.name + ": ") + component.text;
  return text;
}

std::string written_out(const std::string& text) {
  Pool pool(symbols());
  const SourceText source = SourceText::from_argument(text);
  return joined(text.find(" = ") == std::string::npos ? components(pool, source) : equation_components(pool, source));
}

std::string refusal(const std::string& text) {
  try {
    return "no error: " + written_out(text);
  } catch (const CaseError& error) {
    return error.what();
  }
}

struct Point {
  Number z, w;
  double v;
};

double field_value(const Point& at, const std::string& name) {
  if (name == "v") return at.v;
  const Number& number = name[0] == 'z' ? at.z : at.w;
  return name.ends_with("re") ? number.real() : number.imag();
}

// Of a real expression of the fields, and of directions, which are the fields of `direction`.
double value(const Pool& pool, Expr e, const Point& at, const Point& direction = {}) {
  const Tape tape(pool, std::vector<Expr>{e});
  std::vector<Array> leaves;
  for (Expr leaf : tape.leaves()) {
    leaves.emplace_back(Shape(3, 1));
    leaves.back().data[0] = field_value(leaf->op == Op::direction ? direction : at, leaf->name);
  }
  return tape.evaluate(leaves, std::vector<Vector>(3, Vector{{1.0}}))[0].data[0];
}

std::vector<Expr> parts(Pool& pool, const std::string& text) {
  std::vector<Expr> result;
  for (const Component& part : components(pool, SourceText::from_argument(text)))
    result.push_back(lower(pool, parse(pool, SourceText::from_argument(part.text))));
  return result;
}

struct Case {
  const char* text;
  std::function<Number(Number z, Number w, double v)> means;
};

const Number kI(0.0, 1.0);

const std::vector<Case>& cases() {
  using N = Number;
  static const std::vector<Case> table = {
      {"z + w", [](N z, N w, double) { return z + w; }},
      {"z - v", [](N z, N, double v) { return z - v; }},
      {"v - z", [](N z, N, double v) { return v - z; }},
      {"-z", [](N z, N, double) { return -z; }},
      {"i*z", [](N z, N, double) { return kI * z; }},
      {"-i*z/2", [](N z, N, double) { return -kI * z / 2.0; }},
      {"z*w", [](N z, N w, double) { return z * w; }},
      {"(z + v)*(2*i - w)", [](N z, N w, double v) { return (z + v) * (2.0 * kI - w); }},
      {"v*z*a", [](N z, N, double v) { return 0.75 * v * z; }},
      {"z/w", [](N z, N w, double) { return z / w; }},
      {"v/w", [](N, N w, double v) { return v / w; }},
      {"z/v", [](N z, N, double v) { return z / v; }},
      {"z/(2*i)", [](N z, N, double) { return z / (2.0 * kI); }},
      {"v/(i*a)", [](N, N, double v) { return v / (0.75 * kI); }},
      {"(1 + i*a)*conj(z)", [](N z, N, double) { return (1.0 + 0.75 * kI) * std::conj(z); }},
      {"re(z*w) + i*im(z/w)", [](N z, N w, double) { return N((z * w).real(), (z / w).imag()); }},
      {"abs(z)", [](N z, N, double) { return N(std::abs(z)); }},
      {"abs(z)^2*w", [](N z, N w, double) { return std::norm(z) * w; }},
      {"abs(z - w)^3", [](N z, N w, double) { return N(std::pow(std::abs(z - w), 3.0)); }},
      {"abs(z)^a", [](N z, N, double) { return N(std::pow(std::abs(z), 0.75)); }},
      {"abs(z)^-2", [](N z, N, double) { return N(1.0 / std::norm(z)); }},
      {"abs(i*v)", [](N, N, double v) { return N(std::abs(v)); }},
      {"arg(z)", [](N z, N, double) { return N(std::arg(z)); }},
      {"arg(v)", [](N, N, double v) { return N(std::arg(N(v))); }},
      {"z^0", [](N, N, double) { return N(1.0); }},
      {"z^2", [](N z, N, double) { return z * z; }},
      {"z^3", [](N z, N, double) { return z * z * z; }},
      {"z^7", [](N z, N, double) { return std::pow(z, 7); }},
      {"z^-2", [](N z, N, double) { return 1.0 / (z * z); }},
      {"(i*v)^5", [](N, N, double v) { return std::pow(kI * v, 5); }},
      {"i^2 + i^3*z", [](N z, N, double) { return -1.0 - kI * z; }},
      {"z^n", [](N z, N, double) { return std::pow(z, 3.0); }},
      {"z^0.3", [](N z, N, double) { return std::pow(z, 0.3); }},
      {"z^w", [](N z, N w, double) { return std::pow(z, w); }},
      {"2^(i*v)", [](N, N, double v) { return std::exp(kI * v * std::log(2.0)); }},
      {"i^i + 1^(i*v)", [](N, N, double) { return std::pow(kI, kI) + 1.0; }},
      {"exp(z)", [](N z, N, double) { return std::exp(z); }},
      {"exp(i*v)", [](N, N, double v) { return std::exp(kI * v); }},
      {"log(z)", [](N z, N, double) { return std::log(z); }},
      {"sqrt(z)", [](N z, N, double) { return std::sqrt(z); }},
      {"sin(z)", [](N z, N, double) { return std::sin(z); }},
      {"cos(z)", [](N z, N, double) { return std::cos(z); }},
      {"tan(z)", [](N z, N, double) { return std::tan(z); }},
      {"tan(i*v)", [](N, N, double v) { return std::tan(kI * v); }},
      {"sinh(z)", [](N z, N, double) { return std::sinh(z); }},
      {"cosh(z)", [](N z, N, double) { return std::cosh(z); }},
      {"tanh(z)", [](N z, N, double) { return std::tanh(z); }},
      {"rho*g + unit", [](N z, N w, double) { return std::norm(z) * std::conj(z) * w + (1.0 + kI) / std::sqrt(2.0); }},
      {"g_re + i*unit_im", [](N z, N w, double) { return N((std::conj(z) * w).real(), std::sqrt(0.5)); }},
      {"modulus^4", [](N z, N, double) { return N(std::norm(z) * std::norm(z)); }},
  };
  return table;
}

class Points {
 public:
  Point next() { return {{uniform(), uniform()}, {uniform(), uniform()}, uniform()}; }

 private:
  double uniform() {
    const double z = std::uniform_real_distribution<double>(0.1, 1.5)(random_);
    return std::uniform_int_distribution<int>(0, 1)(random_) == 0 ? z : -z;
  }
  std::mt19937 random_{7};
};

// A dozen roundings of numbers up to about 100.
TEST(Complex, ValuesAreThoseOfStdComplex) {
  for (const Case& entry : cases()) {
    Pool pool(symbols());
    const std::vector<Expr> trees = parts(pool, entry.text);
    ASSERT_LE(trees.size(), 2u) << entry.text;
    Points points;
    for (int k = 0; k < 20; ++k) {
      const Point at = points.next();
      const Number expected = entry.means(at.z, at.w, at.v);
      const double bound = 1e-13 * (1.0 + std::abs(expected));
      EXPECT_NEAR(value(pool, trees[0], at), expected.real(), bound) << entry.text << at.z << at.w << at.v;
      EXPECT_NEAR(trees.size() == 2 ? value(pool, trees[1], at) : 0.0, expected.imag(), bound)
          << entry.text << at.z << at.w << at.v;
    }
  }
}

// Derivatives are those of the parts with respect to the parts: against central differences of std::complex, whose
// error is h^2 f''' / 6 + 1e-16 f / h.
TEST(Complex, FrechetDerivativesAreThoseOfThePair) {
  constexpr double h = 1e-5;
  for (const Case& entry : cases()) {
    Pool pool(symbols());
    const std::vector<Expr> trees = parts(pool, entry.text);
    Points points;
    for (int k = 0; k < 5; ++k) {
      const Point at = points.next(), along = points.next();
      const auto moved = [&](double s) {
        return entry.means(at.z + s * along.z, at.w + s * along.w, at.v + s * along.v);
      };
      const Number up = moved(h), down = moved(-h), slope = (up - down) / (2.0 * h);
      const double bound = 1e-7 * (1.0 + std::abs(slope) + std::abs(up));
      if (std::abs(up - down) > 0.1) continue;  // arg and broken powers jump between the two
      for (std::size_t part = 0; part < trees.size(); ++part)
        EXPECT_NEAR(value(pool, lower(pool, frechet(pool, trees[part]).expr), at, along),
                    part == 0 ? slope.real() : slope.imag(), bound)
            << entry.text << at.z << along.z;
    }
  }
}

// Where abs(z) has no derivative, abs(z)^2 and its relatives have one.
TEST(Complex, PowersOfTheModulusAreSmoothAtZero) {
  Pool pool(symbols());
  const Point zero = {}, along = {{1.0, 2.0}, {}, 0.0};
  for (const char* text : {"abs(z)^2", "abs(z)^2*z", "abs(z)^4", "z*conj(z)", "modulus^2", "(abs(z))^2"})
    for (Expr part : parts(pool, text))
      EXPECT_EQ(value(pool, lower(pool, frechet(pool, part).expr), zero, along), 0.0) << text;
}

TEST(Complex, SpecialPoints) {
  Pool pool(symbols());
  const double pi = std::acos(-1.0);
  const auto at = [&](const char* text, Number z) { return value(pool, parts(pool, text)[0], {z, {}, 0.0}); };
  EXPECT_EQ(at("arg(z)", -1.0), pi);
  EXPECT_EQ(at("arg(z)", 0.0), 0.0);
  EXPECT_EQ(at("arg(z)", kI), pi / 2);
  EXPECT_EQ(at("im(log(z))", {-2.0, -0.0}), -pi);
  EXPECT_NEAR(at("im(sqrt(z))", -4.0), 2.0, 1e-15);
  EXPECT_EQ(at("re(tanh(z))", 800.0), 1.0);  // where sinh and cosh have overflown
  EXPECT_EQ(at("im(tan(z))", 800.0 * kI), 1.0);
}

struct Written {
  std::string text, means;
};

// By hand.
TEST(Complex, ArePairsOfRealExpressions) {
  const Written table[] = {
      {"z", "re: z_re | im: z_im"},
      {"conj(z)", "re: z_re | im: -z_im"},
      {"i*z", "re: -z_im | im: z_re"},
      {"z*w", "re: z_re*w_re - z_im*w_im | im: z_re*w_im + z_im*w_re"},
      {"z^2", "re: z_re^2 - z_im^2 | im: 2*(z_re*z_im)"},
      {"a*lap(z)", "re: a*lap(z_re) | im: a*lap(z_im)"},
      {"dt(z)(x=0)", "re: dt(z_re)(x=0) | im: dt(z_im)(x=0)"},
      {"integral(dx(z, 2), x)", "re: integral(dx(z_re, 2), x) | im: integral(dx(z_im, 2), x)"},
      {"(1 + i*a)*lap(z)", "re: lap(z_re) - a*lap(z_im) | im: lap(z_im) + a*lap(z_re)"},
      {"i*dt(z) = -0.5*lap(z) + v*z + abs(z)^2*z",
       "re: -dt(z_im) = -0.5*lap(z_re) + v*z_re + (z_re^2 + z_im^2)*z_re | "
       "im: dt(z_re) = -0.5*lap(z_im) + v*z_im + (z_re^2 + z_im^2)*z_im"},
      {"z(x=0) = 0", "re: z_re(x=0) = 0 | im: z_im(x=0) = 0"},
      {"z(x=0) = v", "re: z_re(x=0) = v | im: z_im(x=0) = 0"},
      {"re(z)(x=0) = 0", "re(z)(x=0) = 0"},
      {"abs(z)^2 = v", "abs(z)^2 = v"},
      {"i*v = i*im(w)", "im: v = w_im"},
      {"[z, i*v]", "x_re: z_re | x_im: z_im | y_re: 0 | y_im: v"},
      {"E", "x_re: E_x_re | x_im: E_x_im | y_re: E_y_re | y_im: E_y_im"},
      {"i*E_x", "re: -E_x_im | im: E_x_re"},
      {"dt(E) = grad(z)",
       "x_re: dt(E_x_re) = dx(z_re) | x_im: dt(E_x_im) = dx(z_im) | y_re: dt(E_y_re) = dy(z_re) | "
       "y_im: dt(E_y_im) = dy(z_im)"},
      {"div(E)", "re: dx(E_x_re) + dy(E_y_re) | im: dx(E_x_im) + dy(E_y_im)"},
      {"im(E)", "x: E_x_im | y: E_y_im"},
      {"grad(abs(z)^2)", "x: dx(z_re^2 + z_im^2) | y: dy(z_re^2 + z_im^2)"},
  };
  for (const Written& entry : table) EXPECT_EQ(written_out(entry.text), entry.means) << entry.text;
}

TEST(Complex, RealNumbersMadeOfThemAreReal) {
  const Written table[] = {
      {"re(z*w)", "z_re*w_re - z_im*w_im"},
      {"abs(z)^2", "z_re^2 + z_im^2"},
      {"z*conj(z)", "z_re^2 + z_im^2"},
      {"conj(z*w)*(z*w)", "(z_re*w_re - z_im*w_im)^2 + (z_re*w_im + z_im*w_re)^2"},
      {"z + conj(z)", "2*z_re"},
      {"(z - conj(z))/i", "2*z_im"},
      {"dot(E, conj(E))", "E_x_re^2 + E_x_im^2 + (E_y_re^2 + E_y_im^2)"},
      {"dot(grad(z), conj(grad(z)))", "dx(z_re)^2 + dx(z_im)^2 + (dy(z_re)^2 + dy(z_im)^2)"},
      {"abs(z)(x=0)^2", "(z_re^2 + z_im^2)(x=0)"},
      {"i^2", "-1"},
      {"abs(z)", "sqrt(z_re^2 + z_im^2)"},
      {"abs(i*v) + abs(i*v)^2", "abs(v) + v^2"},
      {"im(v)", "0"},
      {"conj(v)", "v"},
  };
  for (const Written& entry : table) {
    Pool pool(symbols());
    EXPECT_EQ(print(parse(pool, SourceText::from_argument(entry.text))), entry.means) << entry.text;
  }
}

TEST(Complex, RefusalsSayWhatToWrite) {
  const Written table[] = {
      {"erf(z)", "erf() is known of real numbers alone, and this is complex: write erf(re(..))"},
      {"min(z, 1)", "the argument of min is a real number, and this is a complex number: write re(..)"},
      {"atan2(v, z)", "the argument of atan2 is a real number"},
      {"z(x=i)", "a point is a real number"},
      {"noise(i, 1)", "the amplitude of noise is a real number"},
      {"arg(E)", "the argument of arg is a number, and this is a complex vector"},
      {"exp(E)", "the argument of exp is a number, and this is a complex vector"},
      {"2i*z", "multiplication must be written '*'"},
      {"I*z", "the imaginary unit is written i"},
      {"conjugate(z)", "the complex conjugate is written conj(z)"},
      {"re", "expected '(' behind 're'"},
      {"z + E", "'+' has a complex number on the left and a complex vector (components x, y) on the right"},
      {"banana + z", "complex unknowns: z, w, E_x, E_y"},
  };
  for (const Written& entry : table)
    EXPECT_NE(refusal(entry.text).find(entry.means), std::string::npos) << entry.text << "\n" << refusal(entry.text);
}

TEST(Complex, OfRealUnknownsAreRefusedWhereAnEquationOrANumberIsMeant) {
  Symbols real;
  real.axes = symbols().axes;
  real.fields = {{"u", {"t", "x"}}};
  const auto told = [&](auto read) {
    Pool pool(real);
    try {
      read(pool);
    } catch (const CaseError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const SourceText equation = SourceText::from_argument("dt(u) = i*dx(u)"), number = SourceText::from_argument("1 + i");
  for (const std::string& message : {told([&](Pool& pool) { parse_equation(pool, equation); }),
                                     told([&](Pool& pool) { equation_components(pool, equation); })})
    EXPECT_NE(message.find("no unknown of the case is complex: declare one as {name: psi, complex: true}"),
              std::string::npos)
        << message;
  EXPECT_NE(told([&](Pool& pool) { parse(pool, number); }).find("a real number is expected here"), std::string::npos);
  EXPECT_NE(told([&](Pool&) { evaluate_number(number, {}); }).find("name it under `definitions`"), std::string::npos);
  EXPECT_EQ(told([&](Pool& pool) { parse(pool, SourceText::from_argument("abs(exp(i*x) + 1)^2")); }), "accepted");
}

// i and the functions are words of the case where it has them.
TEST(Complex, NamesOfTheCaseComeFirst) {
  Symbols own;
  own.axes = symbols().axes;
  own.fields = {{"i", {"t", "x"}}, {"re", {"x"}}};
  own.constants = {{"arg", 2.0}};
  Pool pool(own);
  for (const char* text : {"dt(i) + i^2*re(x=0) - arg", "re*conj(i)"})
    EXPECT_EQ(print(parse(pool, SourceText::from_argument(text))),
              std::string(text) == "re*conj(i)" ? "re*i" : std::string(text));
}

TEST(Complex, DefinitionsHaveTheirParts) {
  Pool pool(symbols());
  std::string names;
  for (const auto& [name, e] : definition_values(pool)) names += name + " ";
  EXPECT_EQ(names, "rho g_re g_im unit_re unit_im modulus ");
}

}  // namespace
}  // namespace gwrm::expression::complex_test
