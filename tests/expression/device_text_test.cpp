// The statements that are compiled at run time: the text itself, since a test has no such compiler.
#include "expression/device_text.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm::expression {
namespace {

// Without `calls` all are written out.
std::string text_of(const std::string& text, std::vector<AffineCall>* calls = nullptr) {
  Symbols symbols;
  symbols.axes = {{"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
  symbols.fields = {{"u", {"x"}}};
  symbols.constants = {{"k", 3.0}};
  Pool pool(symbols);
  const Expr e = lower(pool, parse(pool, SourceText::from_argument(text)));
  return calls == nullptr ? device_text(e) : device_text(e, 2, 100.0, *calls);
}

TEST(DeviceText, NumbersKeepAllDigits) {
  EXPECT_EQ(text_of("0.1"), "return (0x1.999999999999ap-4);\n");
  EXPECT_EQ(text_of("x"), "return x_;\n");
  EXPECT_EQ(text_of("k*x"), "const double v0 = (0x1.8p+1) * x_;\nreturn v0;\n");
}

TEST(DeviceText, SharedPartsAreComputedOnce) {
  const std::string text = text_of("sin(x) + sin(x)*cos(x)");
  EXPECT_EQ(text.find("sin(x_)"), text.rfind("sin(x_)")) << text;
  EXPECT_NE(text.find("cos(x_)"), std::string::npos) << text;
}

TEST(DeviceText, PowersAndFunctions) {
  EXPECT_EQ(text_of("x^5"),
            "const double p0 = x_ * x_;\nconst double p1 = p0 * p0;\nconst double v0 = x_ * p1;\nreturn v0;\n");
  EXPECT_NE(text_of("x^(-2)").find("1.0 / ("), std::string::npos);
  EXPECT_NE(text_of("x^2.5").find("pow(x_, (0x1.4p+1))"), std::string::npos);
  EXPECT_NE(text_of("abs(x)").find("fabs(x_)"), std::string::npos);
  EXPECT_NE(text_of("min(x, 0.5)").find("x_ < (0x1p-1)"), std::string::npos);
  EXPECT_NE(text_of("erf(x)").find("erf(x_)"), std::string::npos);
}

TEST(DeviceText, AffineCallsAreLeftToTheCaller) {
  std::vector<AffineCall> calls;
  EXPECT_EQ(text_of("x*cos((2 - x)*k/4 + 1) + cos((2 - x)*k/4 + 1)", &calls),
            "const double v1 = x_ * a0;\nconst double v2 = v1 + a0;\nreturn v2;\n");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].function, Function::cos);
  EXPECT_EQ(calls[0].slope, -0.75);
  EXPECT_EQ(calls[0].offset, 2.5);
  calls.clear();
  // Two at most; neither what is not affine, nor too steep, nor another function.
  const std::string text =
      text_of("exp(-x) + sin(x*x) + cos(101*x) + tan(x) + sin(1/x) + sin(100*x) + exp(2*x)", &calls);
  ASSERT_EQ(calls.size(), 2u) << text;
  EXPECT_EQ(calls[0].function, Function::exp);
  EXPECT_EQ(calls[1].function, Function::sin);
  for (const char* call : {"sin(v", "cos(v", "tan(x_)", "exp(v"})
    EXPECT_NE(text.find(call), std::string::npos) << call << "\n" << text;
}

TEST(DeviceText, UnknownsHaveNoPlaceInIt) {
  EXPECT_THROW(text_of("u"), Error);
}

}  // namespace
}  // namespace gwrm::expression
