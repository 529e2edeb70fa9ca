// `units` and `labels`: what is read, what follows from it, how it is written, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "case/quantities_section.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::quantities_test {
namespace {

const std::string kFlow = R"yaml(domain:
  t: [0, 1]
  x: {range: [0, 6], basis: fourier}
  y: {range: [0, 6], basis: fourier}
constants: {nu: 0.1}
unknowns:
  - {name: u, vector: [x, y]}
  - T
definitions: {w: "dx(u_y) - dy(u_x)"}
equations: ["dt(u) = nu*lap(u)", "dt(T) = lap(T)"]
initial: {u: "[sin(y), 0]", T: "cos(x)"}
resolution: {degree: {t: 3, x: 2, y: 2}}
output: {fields: {speed: u_x, u: u, heat: T, w: w, flux: "-dx(T)"}}
)yaml";

Quantities of(const std::string& more) {
  return quantities_of(read_case_text(kFlow + more, "flow.yaml"));
}

std::string error_of(const std::string& more) {
  try {
    read_case_text(kFlow + more, "flow.yaml");
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

TEST(Quantities, WithoutUnitsAllIsDimensionless) {
  const Quantities quantities = of("");
  EXPECT_EQ(quantities.unit_of("T"), "1");
  EXPECT_EQ(quantities.unit_of("anything"), "1");
  EXPECT_EQ(quantities.label_of("T"), "");
}

TEST(Quantities, NamesHaveTheirTexts) {
  const Quantities quantities = of("units: {t: s, T: K, nu: m^2/s, flux: W}\nlabels: {T: \"temperature, absolute\"}\n");
  EXPECT_EQ(quantities.unit_of("t"), "s");
  EXPECT_EQ(quantities.unit_of("T"), "K");
  EXPECT_EQ(quantities.unit_of("nu"), "m^2/s");
  EXPECT_EQ(quantities.unit_of("flux"), "W");
  EXPECT_EQ(quantities.unit_of("x"), "");  // not known
  EXPECT_EQ(quantities.label_of("T"), "temperature, absolute");
  EXPECT_EQ(quantities.label_of("flux"), "");
}

TEST(Quantities, ComponentsAndFieldsHaveThoseOfWhatTheyAre) {
  const Quantities quantities = of("units: {u: m/s, T: K, w: 1/s}\nlabels: {u: velocity, u_y: updraught}\n");
  for (const char* name : {"u_x", "u_y", "speed"}) EXPECT_EQ(quantities.unit_of(name), "m/s") << name;
  EXPECT_EQ(quantities.unit_of("heat"), "K");
  EXPECT_EQ(quantities.unit_of("w"), "1/s");
  EXPECT_EQ(quantities.unit_of("flux"), "");  // -dx(T) has another
  EXPECT_EQ(quantities.label_of("u_x"), "velocity, component x");
  EXPECT_EQ(quantities.label_of("u_y"), "updraught");
  EXPECT_EQ(quantities.label_of("speed"), "velocity, component x");
}

TEST(Quantities, TheResolvedTextHasThemAsWritten) {
  const std::string more = "units:\n  u: \"m/s\"\n  x: \"m\"\nlabels:\n  T: \"a \\\"hot\\\" one: 300 K\"\n";
  const Case first = read_case_text(kFlow + more, "flow.yaml");
  EXPECT_NE(first.resolved_text.find(more), std::string::npos) << first.resolved_text;
  const Case second = read_case_text(first.resolved_text, "flow.yaml");
  EXPECT_EQ(second.resolved_text, first.resolved_text);
  EXPECT_EQ(second.quantities.labels, first.quantities.labels);
  EXPECT_EQ(read_case_text(kFlow, "flow.yaml").resolved_text.find("units"), std::string::npos);
}

TEST(Quantities, MistakesAreToldAtTheirPlace) {
  const std::string wrong_name = error_of("units: {t: s, temp: K}\n");
  EXPECT_NE(wrong_name.find("flow.yaml:14:15: error"), std::string::npos) << wrong_name;
  EXPECT_NE(wrong_name.find("`temp` is no dimension, unknown, constant or field of this case"), std::string::npos)
      << wrong_name;
  EXPECT_NE(error_of("labels: {flx: heat}\n").find("did you mean `flux`?"), std::string::npos);
  EXPECT_NE(error_of("units: {T: \"\"}\n").find("`units.T`: expected a text"), std::string::npos);
  EXPECT_NE(error_of("labels: {T: \"a\\nb\"}\n").find("expected one line of text"), std::string::npos);
  EXPECT_NE(error_of("units: {T: " + std::string(101, 'K') + "}\n").find("101 bytes"), std::string::npos);
  EXPECT_NE(error_of("units: [s, m]\n").find("`units`: expected"), std::string::npos);
}

}  // namespace
}  // namespace gwrm::quantities_test
