// Vectors and definitions: the numbers that they stand for, as text of the language, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expression/components.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression::vectors_test {
namespace {

Symbols symbols(const std::vector<std::string>& space) {
  Symbols s;
  s.axes.push_back({"t", AxisKind::time, 0.0, 1.0, MapKind::linear});
  for (auto axis = space.rbegin(); axis != space.rend(); ++axis)
    s.axes.push_back({*axis, AxisKind::space, 0.0, 1.0, MapKind::linear});
  std::vector<std::string> dims;
  for (const Axis& axis : s.axes) dims.push_back(axis.name);
  for (const std::string vector : {"u", "B"}) {
    for (const std::string& axis : space) s.fields.push_back({component_name(vector, axis), dims});
    s.vectors.push_back({vector, space});
  }
  s.fields.push_back({"p", dims});
  s.constants = {{"nu", 0.1}};
  return s;
}

const Symbols kPlane = symbols({"x", "y"});
const Symbols kSpace = symbols({"x", "y", "z"});

std::string joined(const std::vector<Component>& components) {
  std::string text;
  for (const Component& component : components)
    text += (text.empty() ? "" : " | ") + (component.name.empty() ? "" : component.name + ": ") + component.text;
  return text;
}

std::string written_out(const Symbols& in, const std::string& text) {
  Pool pool(in);
  const SourceText source = SourceText::from_argument(text);
  return joined(text.find(" = ") == std::string::npos ? components(pool, source) : equation_components(pool, source));
}

std::string refusal(const Symbols& in, const std::string& text) {
  try {
    return "no error: " + written_out(in, text);
  } catch (const CaseError& error) {
    return error.what();
  }
}

struct Written {
  std::string text, means;
};

// By hand from the formulas of vector analysis.
TEST(Vectors, AreTheirComponentsInThePlane) {
  const Written table[] = {
      {"u", "x: u_x | y: u_y"},
      {"-2*u/nu", "x: -2*u_x/nu | y: -2*u_y/nu"},
      {"u + B - [1, x]", "x: u_x + B_x - 1 | y: u_y + B_y - x"},
      {"dt(u)", "x: dt(u_x) | y: dt(u_y)"},
      {"dx(u, 2)(y=0)", "x: dx(u_x, 2)(y=0) | y: dx(u_y, 2)(y=0)"},
      {"integral(u, x)", "x: integral(u_x, x) | y: integral(u_y, x)"},
      {"lap(u)", "x: lap(u_x) | y: lap(u_y)"},
      {"grad(p)", "x: dx(p) | y: dy(p)"},
      {"curl(p)", "x: dy(p) | y: -dx(p)"},
      {"p*grad(p) + nu*[0, 1]", "x: p*dx(p) + nu*0 | y: p*dy(p) + nu*1"},
      {"dot(u, grad(u))", "x: u_x*dx(u_x) + u_y*dy(u_x) | y: u_x*dx(u_y) + u_y*dy(u_y)"},
      {"dot(B, grad(u))", "x: B_x*dx(u_x) + B_y*dy(u_x) | y: B_x*dx(u_y) + B_y*dy(u_y)"},
      {"div(nu*grad(u))", "x: dx(nu*dx(u_x)) + dy(nu*dy(u_x)) | y: dx(nu*dx(u_y)) + dy(nu*dy(u_y))"},
      {"dt(u) + dot(u, grad(u)) = -grad(p) + nu*lap(u)",
       "x: dt(u_x) + u_x*dx(u_x) + u_y*dy(u_x) = -dx(p) + nu*lap(u_x) | "
       "y: dt(u_y) + u_x*dx(u_y) + u_y*dy(u_y) = -dy(p) + nu*lap(u_y)"},
      {"dt(u) - dot(u, grad(u)) = 0",
       "x: dt(u_x) - u_x*dx(u_x) - u_y*dy(u_x) = 0 | y: dt(u_y) - u_x*dx(u_y) - u_y*dy(u_y) = 0"},
      {"dt(u) + (dot(u, grad(u))) = [0, p]",
       "x: dt(u_x) + (u_x*dx(u_x) + u_y*dy(u_x)) = 0 | y: dt(u_y) + (u_x*dx(u_y) + u_y*dy(u_y)) = p"},
      {"u(y=0) = 0", "x: u_x(y=0) = 0 | y: u_y(y=0) = 0"},
      {"[u_x, dy(u_y)](x=1) = [1, 0]", "x: u_x(x=1) = 1 | y: dy(u_y)(x=1) = 0"},
  };
  for (const Written& entry : table) EXPECT_EQ(written_out(kPlane, entry.text), entry.means) << entry.text;
}

TEST(Vectors, AreTheirComponentsInSpace) {
  const Written table[] = {
      {"curl(u)", "x: dy(u_z) - dz(u_y) | y: dz(u_x) - dx(u_z) | z: dx(u_y) - dy(u_x)"},
      {"cross(u, B)", "x: u_y*B_z - u_z*B_y | y: u_z*B_x - u_x*B_z | z: u_x*B_y - u_y*B_x"},
      {"[1, 0, 0] + curl(curl(B))",
       "x: 1 + dy(dx(B_y) - dy(B_x)) - dz(dz(B_x) - dx(B_z)) | y: 0 + dz(dy(B_z) - dz(B_y)) - dx(dx(B_y) - dy(B_x)) | "
       "z: 0 + dx(dz(B_x) - dx(B_z)) - dy(dy(B_z) - dz(B_y))"},
  };
  for (const Written& entry : table) EXPECT_EQ(written_out(kSpace, entry.text), entry.means) << entry.text;
}

std::string number_of(const Symbols& in, const std::string& text) {
  Pool pool(in);
  return print(parse(pool, SourceText::from_argument(text)));
}

TEST(Vectors, NumbersMadeOfThem) {
  const Written table[] = {
      {"div(u)", "dx(u_x) + dy(u_y)"},
      {"curl(u)", "dx(u_y) - dy(u_x)"},
      {"p - curl(u)", "p - dx(u_y) + dy(u_x)"},
      {"p + div([x*p, y])", "p + dx(x*p) + dy(y)"},
      {"div(grad(p))", "dx(dx(p)) + dy(dy(p))"},
      {"div(nu*grad(p))", "dx(nu*dx(p)) + dy(nu*dy(p))"},
      {"dot(u, B)", "u_x*B_x + u_y*B_y"},
      {"cross(u, B)", "u_x*B_y - u_y*B_x"},
      {"dot(u, grad(p))", "u_x*dx(p) + u_y*dy(p)"},
      {"sqrt(dot(u, u))", "sqrt(u_x*u_x + u_y*u_y)"},
      {"2*div(u)(x=0)", "2*(dx(u_x) + dy(u_y))(x=0)"},
      {"u_x", "u_x"},
  };
  for (const Written& entry : table) EXPECT_EQ(number_of(kPlane, entry.text), entry.means) << entry.text;
}

// What the components are made of reads back as the same trees.
TEST(Vectors, TextOfComponentsReadsBack) {
  Pool pool(kSpace);
  for (const char* text : {"dt(u) + dot(u, grad(u)) - cross(curl(B), B)", "curl(curl(B))(x=0) - grad(p^2/-2)"})
    for (const Component& component : components(pool, SourceText::from_argument(text)))
      EXPECT_EQ(print(parse(pool, SourceText::from_argument(component.text))), component.text);
}

struct Refused {
  std::string text;
  int column;  // of the caret
  std::vector<std::string> told;
};

void expect_refused(const Symbols& in, const Refused& entry) {
  const std::string message = refusal(in, entry.text);
  const std::string last = message.substr(message.rfind('\n') + 1);
  EXPECT_EQ(static_cast<int>(last.find('^')) - 2, entry.column) << message;
  for (const std::string& part : entry.told)
    EXPECT_NE(message.find(part), std::string::npos) << part << "\n" << message;
}

TEST(Vectors, RanksThatDoNotFitAreToldWhereTheyMeet) {
  const Refused table[] = {
      {"dt(u) = p", 6, {"'=' has a vector (components x, y) on the left and a number on the right", "as [a, b]"}},
      {"div(u) = grad(p)", 7, {"'=' has a number on the left and a vector (components x, y) on the right"}},
      {"dt(u) = 1", 6, {"'=' has a vector"}},
      {"u + p", 2, {"'+' has a vector (components x, y) on the left and a number on the right", "u_x"}},
      {"p - u", 2, {"'-' has a number on the left"}},
      {"u + [1, 2, 3]", 2, {"a vector of 3 components"}},
      {"u*B", 1, {"dot(a, b)", "cross(a, b)"}},
      {"p/u", 1, {"'/' has a vector (components x, y) on the right", "divide by a number"}},
      {"u^2", 1, {"dot(u, u)"}},
      {"2^u", 1, {"an exponent is a number"}},
      {"sin(u)", 4, {"the argument of sin is a number, and this is a vector (components x, y)"}},
      {"abs(u)", 4, {"dot(u, u)"}},
      {"div(p)", 0, {"div() takes vectors, and this is a number"}},
      {"grad(grad(u))", 0, {"grad() has the gradient of a vector (components x, y) inside"}},
      {"grad(u)", 0, {"the gradient of a vector (components x, y)"}},
      {"dot(grad(u), u)", 0, {"write dot(a, grad(u)) for (a . grad) u"}},
      {"dot(u, p)", 0, {"its second argument is a number"}},
      {"dot(p, u)", 0, {"its first argument is a number"}},
      {"dot(u)", 5, {"a second vector: dot(a, b)"}},
      {"cross(u, p)", 0, {"cross() takes two vectors"}},
      {"u*grad(u)", 1, {"dot(a, grad(u)) for (a . grad) u"}},
      {"[u, 1]", 1, {"a component of [..] is a number"}},
      {"[1, 2", 5, {"expected ',' or ']'"}},
      {"[1, 2, 3, 4]", 10, {"at most three components"}},
      {"[]", 1, {"expected a number"}},
      {"u(x=u)", 4, {"a point is a number"}},
      {"u(0)", 1, {"'u' is an unknown, not a function", "u(x=0)"}},
      {"grad + 1", 0, {"expected '(' behind 'grad'"}},
      {"u_z", 0, {"unknown name 'u_z'", "u_x"}},
  };
  for (const Refused& entry : table) expect_refused(kPlane, entry);
  expect_refused(kSpace, {"curl(p)", 0, {"curl() is known of vectors along x, y, z", "this is a number"}});
  expect_refused(symbols({"x", "z"}), {"curl(u)", 0, {"the space is x, z", "write it out"}});
  expect_refused(symbols({"x"}), {"curl(u)", 0, {"this is a vector (component x)"}});
}

TEST(Vectors, WhereANumberIsWanted) {
  Pool pool(kPlane);
  const auto told = [&](auto read) {
    try {
      read();
    } catch (const CaseError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(told([&] { parse(pool, SourceText::from_argument("u")); })
                .find("a number is expected here, and this is a "
                      "vector (components x, y)"),
            std::string::npos);
  EXPECT_NE(told([&] { parse_equation(pool, SourceText::from_argument("u = 0")); }).find("an equation of vectors"),
            std::string::npos);
}

// Names of a case from before there were vectors keep their meaning.
TEST(Vectors, WordsOfTheirsAreNoKeywords) {
  Symbols in = kPlane;
  in.constants.push_back({"div", 2.0});
  in.fields.push_back({"dot", {"x", "y"}});
  EXPECT_EQ(number_of(in, "div*dot(x=0) + div"), "div*dot(x=0) + div");
}

TEST(Vectors, CurvilinearDimensionsHaveNoLaplacian) {
  Symbols in = kPlane;
  in.axes.push_back({"r", AxisKind::parameter, 1.0, 2.0, MapKind::linear});
  in.fields.push_back({"q", {"x", "r"}});
  in.curvilinear = {"r"};
  EXPECT_EQ(number_of(in, "lap(p)"), "lap(p)");  // varies along x and y alone
  for (const char* text : {"lap(q)", "grad(q)", "div([q, 0])", "curl(q)"})
    expect_refused(in, {text, 0, {"varies along r", "dr(r*dr(u))/r", "dr(r^2*dr(u))/r^2"}});
  Symbols radial;
  radial.axes = {{"r", AxisKind::parameter, 1.0, 2.0, MapKind::linear}};
  radial.fields = {{"q", {"r"}}};
  expect_refused(radial, {"lap(q)", 0, {"needs a space dimension (x, y or z)", "dr(r*dr(u))/r"}});
}

Symbols with_definitions(const std::vector<std::pair<std::string, std::string>>& list) {
  Symbols in = kPlane;
  for (const auto& [name, text] : list) in.definitions.push_back({name, SourceText::from_argument(text, name)});
  return in;
}

TEST(Definitions, StandForTheirText) {
  const Symbols in = with_definitions({{"late", "w + speed"},  // the order is free
                                       {"w", "curl(u)"},
                                       {"speed", "sqrt(dot(v, v))"},
                                       {"v", "u - [1, 0]"}});
  EXPECT_EQ(number_of(in, "w"), "dx(u_y) - dy(u_x)");
  EXPECT_EQ(number_of(in, "2*w"), "2*(dx(u_y) - dy(u_x))");
  EXPECT_EQ(number_of(in, "p - w"), "p - (dx(u_y) - dy(u_x))");
  EXPECT_EQ(number_of(in, "w(x=1)"), "(dx(u_y) - dy(u_x))(x=1)");
  EXPECT_EQ(number_of(in, "dx(w, 2)"), "dx(dx(u_y) - dy(u_x), 2)");
  EXPECT_EQ(number_of(in, "dt(w)*w"), "dt(dx(u_y) - dy(u_x))*(dx(u_y) - dy(u_x))");
  EXPECT_EQ(number_of(in, "v_x + v_y(x=0)"), "u_x - 1 + (u_y - 0)(x=0)");
  EXPECT_EQ(number_of(in, "late"), "dx(u_y) - dy(u_x) + sqrt((u_x - 1)*(u_x - 1) + (u_y - 0)*(u_y - 0))");
  EXPECT_EQ(written_out(in, "v"), "x: u_x - 1 | y: u_y - 0");
}

TEST(Definitions, AreAllLookedAt) {
  Pool pool(with_definitions({{"w", "curl(u)"}, {"v", "u - [1, 0]"}, {"two", "2*pi"}}));
  std::string all;
  for (const auto& [name, value] : definition_values(pool)) all += name + " = " + print(value) + "; ";
  EXPECT_EQ(all, "w = dx(u_y) - dy(u_x); v_x = u_x - 1; v_y = u_y - 0; two = 2*pi; ");
}

std::string definition_error(const std::vector<std::pair<std::string, std::string>>& list) {
  try {
    Pool pool(with_definitions(list));
    definition_values(pool);
  } catch (const CaseError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Definitions, MistakesAreToldInsideThem) {
  EXPECT_EQ(definition_error({{"w", "dx(v)"}}).substr(0, 28), "w: error: unknown name 'v'; ");
  EXPECT_EQ(definition_error({{"a", "2*b"}, {"b", "1 + q"}}).substr(0, 27), "b: error: unknown name 'q';");
  EXPECT_NE(definition_error({{"a", "2*b"}, {"b", "c"}, {"c", "1 + b"}}).find("'b' uses itself: b -> c -> b"),
            std::string::npos);
  EXPECT_NE(definition_error({{"a", "a"}}).find("'a' uses itself: a -> a"), std::string::npos);
  EXPECT_NE(definition_error({{"a", "p = 0"}}).find("a: error: unexpected '='"), std::string::npos);
  EXPECT_NE(definition_error({{"g", "grad(u)"}}).find("write grad(g)"), std::string::npos);
  EXPECT_NE(definition_error({{"v", "u"}, {"v_x", "1"}}).find("its component 'v_x' has the name of something else"),
            std::string::npos);
}

// Each level doubles what the one before says: read once each, and refused where the tree is too deep.
TEST(Definitions, DoublingIsNoTrap) {
  std::vector<std::pair<std::string, std::string>> list = {{"d0", "p"}};
  for (int i = 1; i <= 60; ++i)
    list.emplace_back("d" + std::to_string(i), "d" + std::to_string(i - 1) + "*" + list.back().first);
  EXPECT_EQ(definition_error(list), "no error");
  for (int i = 61; i <= 300; ++i) list.emplace_back("d" + std::to_string(i), "1 + d" + std::to_string(i - 1));
  EXPECT_NE(definition_error(list).find("nested deeper than 200 levels"), std::string::npos);
}

TEST(Synonyms, GetTheirCure) {
  const auto told = [](const std::string& text) { return refusal(kPlane, text); };
  const std::vector<std::pair<std::string, std::string>> table = {
      {"laplace(p)", "lap(u)"},
      {"Laplacian(p)", "lap(u)"},
      {"del2(p)", "lap(u)"},
      {"nabla(p)", "grad(p)"},
      {"gradient(p)", "grad(p)"},
      {"divergence(u)", "div(u)"},
      {"rot(u)", "curl(u)"},
      {"inner(u, B)", "dot(a, b)"},
      {"diff(p, x)", "named by its dimension: dx(u), the second dx(u, 2), along t dt(u)"},
      {"D(p, x)", "named by its dimension"},
      {"pd(p, x)", "named by its dimension"},
      {"derivative(p, x)", "named by its dimension"},
      {"dxx(p)", "dx(u, 2)"},
      {"d2x(p)", "dx(u, 2)"},
      {"d2xx(p)", "dx(u, 2)"},
      {"d2dx2(p)", "dx(u, 2)"},
      {"d2_dx2(p)", "dx(u, 2)"},
      {"dx2(p)", "dx(u, 2)"},
      {"dy3(p)", "dy(u, 3)"},
      {"ddx(p)", "dx(u)"},
      {"d_dx(p)", "dx(u)"},
      {"Dx(p)", "dx(u)"},
      {"partial_y(p)", "dy(u)"},
      {"p_x", "dx(p)"},
      {"p_yy", "dy(p, 2)"},
      {"dpdx", "dx(p)"},
      {"dp_dt", "dt(p)"},
      {"ln(p)", "log(z)"},
      {"arctan(p)", "atan(z)"},
      {"pow(p, 2)", "a^b"},
      {"heaviside(x)", "step(z)"},
      {"integrate(p, x)", "integral(e, x)"},
      {"norm(u)", "sqrt(dot(u, u))"},
      {"nabla^2*p", "lap(u)"},
      {"laplace p", "lap(u)"},
      {"px", "dx(p)"},
      {"pyy", "dy(p, 2)"},
      {"dp/dx", "named by its dimension: d"},
      {"d2p/dx2", "named by its dimension: d"},
      {"dxdx(p)", "dx(u, 2)"},
      {"dxdy(p)", "dx(dy(u))"},
      {"mean(p)", "integral(e, x)/L"},
      {"biharmonic(p)", "lap(lap(u))"},
      {"dn(p)", "dx(u)(x=1)"},
      {"vector(p, p)", "[a, b]"},
  };
  for (const auto& [text, cure] : table) {
    const std::string message = told(text);
    EXPECT_NE(message.find("unknown "), std::string::npos) << text << "\n" << message;
    EXPECT_NE(message.find(cure), std::string::npos) << text << "\n" << message;
  }
}

// Print, and other languages.
TEST(Synonyms, ForeignCharactersGetTheirCure) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"\u2207p", "grad(p)"},
      {"\u0394p", "lap(u)"},
      {"\u2202p/\u2202x", "dx(u, 2)"},
      {"p'", "dx(u, 2)"},
      {"p\u2019", "dx(u, 2)"},
      {"\u201cp\u201d", "quotes of the keyboard"},
      {"2*\u00a0p", "no blank of the keyboard"},
      {"p\u00b2", "a^2"},
      {"2\u00b7p", "a*b"},
      {"\u2212p", "a minus is written -"},
      {"max(x < 1, 0)", "step(a - b)"},
      {"|p|", "abs(z)"},
      {"p.dx(2)", "by their names alone"},
      {"u.x", "u_x"},
      {"u[0]", "u_x"},
      {"\u03b1*p", "letters a to z"},
      {"p;", "expected a number"},
  };
  for (const auto& [text, cure] : table) {
    const std::string message = refusal(kPlane, text);
    EXPECT_NE(message.find(cure), std::string::npos) << text << "\n" << message;
  }
}

}  // namespace
}  // namespace gwrm::expression::vectors_test
