// The statements that are compiled at run time: the text itself, since a test has no such compiler.
#include "expression/device_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "expression/affine_calls.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm::expression::device_text_test {
namespace {

Symbols symbols() {
  Symbols symbols;
  symbols.axes = {{"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
  symbols.fields = {{"u", {"x"}}};
  symbols.constants = {{"k", 3.0}};
  return symbols;
}

std::string text_of(const std::string& text) {
  Pool pool(symbols());
  return device_text(lower(pool, parse(pool, SourceText::from_argument(text))));
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
  Pool pool(symbols());
  const Expr e = lower(pool, parse(pool, SourceText::from_argument("x*cos((2 - x)*k/4 + 1) + cos((2 - x)*k/4 + 1)")));
  const std::vector<AffineCall> calls = affine_calls(e, 10, 100.0);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].function, Function::cos);
  EXPECT_EQ(calls[0].slope, -0.75);
  EXPECT_EQ(calls[0].offset, 2.5);
  EXPECT_EQ(device_text(e, {calls[0].call}), "const double v1 = x_ * a0;\nconst double v2 = v1 + a0;\nreturn v2;\n");
}

TEST(DeviceText, AffineCallsAreFound) {
  Pool pool(symbols());
  const auto found = [&](const std::string& text, std::size_t most) {
    std::string list;
    for (const AffineCall& call : affine_calls(lower(pool, parse(pool, SourceText::from_argument(text))), most, 100.0))
      list += fmt::format("{} {} {};", static_cast<int>(call.function), call.slope, call.offset);
    return list;
  };
  const std::string sine = fmt::format("{} ", static_cast<int>(Function::sin)),
                    exponential = fmt::format("{} ", static_cast<int>(Function::exp));
  EXPECT_EQ(found("exp(1 - x) + sin(5 + 100*x) + exp(2*x)", 2), exponential + "-1 1;" + sine + "100 5;");
  EXPECT_EQ(found("exp(2*exp(3*x))*x^2", 10), exponential + "3 0;");
  // Neither what is not affine, nor too steep, nor without an addition theorem.
  EXPECT_EQ(found("sin(x*x) + sin(1/x) + sin(101*x) + tan(x) + sin(x^2) + exp(abs(x))", 10), "");
}

TEST(DeviceText, SumsOfCallsAreTold) {
  Pool pool(symbols());
  const auto form = [&](const std::string& text) {
    const Expr e = lower(pool, parse(pool, SourceText::from_argument(text)));
    return sum_of_calls(e, affine_calls(e, 2, 100.0));
  };
  const auto sum = form("3 - 2*(sin(k*x) - exp(-x)/4)*k + sin(3*x)/8");
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->constant, 3.0);
  EXPECT_EQ(sum->factors, (std::vector<double>{-5.875, 1.5}));
  EXPECT_EQ(form("-cos(x)")->factors, std::vector<double>{-1.0});
  // More than that: a coordinate, a product, a quotient, another function, a third call.
  for (const char* text :
       {"sin(x) + x", "x*sin(x)", "sin(x)*cos(x)", "1/exp(x)", "sin(x)^2", "sqrt(sin(x))", "sin(x) + cos(x) + exp(x)"})
    EXPECT_FALSE(form(text)) << text;
}

TEST(DeviceText, UnknownsHaveNoPlaceInIt) {
  EXPECT_THROW(text_of("u"), Error);
}

}  // namespace
}  // namespace gwrm::expression::device_text_test
