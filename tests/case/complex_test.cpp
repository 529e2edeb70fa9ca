// Complex unknowns of a case file: the pairs that they are, that the resolved text has them as they were written, and
// mistakes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case/vectors.hpp"
#include "expect_error.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::complex_test {
namespace {

using testing::error_of;
using testing::expect_error;
using testing::replaced;

const std::string kComplexCase = R"yaml(domain: {t: [0, 1], x: [0, 1]}
constants: {g: 0.5}
definitions: {wave: "exp(i*(x - t))", rho: "abs(psi)^2"}
unknowns: [{name: psi, complex: true}, v]
equations:
  - "i*dt(psi) = -dx(psi,2) + (g*rho + v)*psi"
  - "dt(v) = rho - v"
initial: {psi: "wave(t=0)", v: 0}
boundary:
  - "psi(x=0) = wave(x=0)"
  - "dx(psi)(x=1) = i*psi(x=1)"
exact: {psi: wave}
goals: {mass: "integral(rho(t=1), x)"}
resolution: {degree: {t: 4, x: 8}}
output: {fields: {wave: psi, density: rho, product: "conj(psi)*wave", phase: "arg(psi)"}}
)yaml";

std::string joined(const std::vector<SourceText>& texts) {
  std::string all;
  for (const SourceText& text : texts) all += text.text + "; ";
  return all;
}

std::string joined(const std::vector<NamedExpression>& list) {
  std::string all;
  for (const NamedExpression& item : list) all += item.name + ": " + item.text.text + "; ";
  return all;
}

TEST(ComplexUnknowns, AreTheirRealAndImaginaryParts) {
  const Case c = read_case_text(kComplexCase, "wave.yaml");
  std::vector<std::string> names;
  for (const UnknownCase& unknown : c.unknowns) names.push_back(unknown.name);
  EXPECT_EQ(names, (std::vector<std::string>{"psi_re", "psi_im", "v"}));
  EXPECT_EQ(joined(c.equations),
            "-dt(psi_im) = -dx(psi_re, 2) + (g*(psi_re^2 + psi_im^2) + v)*psi_re; "
            "dt(psi_re) = -dx(psi_im, 2) + (g*(psi_re^2 + psi_im^2) + v)*psi_im; dt(v) = rho - v; ");
  EXPECT_EQ(joined(c.boundary),
            "psi_re(x=0) = cos(x - t)(x=0); psi_im(x=0) = sin(x - t)(x=0); dx(psi_re)(x=1) = -psi_im(x=1); "
            "dx(psi_im)(x=1) = psi_re(x=1); ");
  EXPECT_EQ(joined(c.exact), "psi_re: cos(x - t); psi_im: sin(x - t); ");
  EXPECT_EQ(c.initial.size(), 3u);
  EXPECT_EQ(joined(c.output.fields),
            "wave_re: psi_re; wave_im: psi_im; density: rho; "
            "product_re: psi_re*cos(x - t) + psi_im*sin(x - t); product_im: psi_re*sin(x - t) - psi_im*cos(x - t); "
            "phase: arg(psi); ");
  std::vector<const SourceText*> texts;
  for (const SourceText& text : c.equations) texts.push_back(&text);
  EXPECT_EQ(casefile::statement_name("equation", texts, 0), "equation 1, real part");
  EXPECT_EQ(casefile::statement_name("equation", texts, 1), "equation 1, imaginary part");
  EXPECT_EQ(casefile::statement_name("equation", texts, 2), "equation 2");
}

TEST(ComplexUnknowns, ResolvedTextHasThemAsTheyWereWritten) {
  const Case c = read_case_text(kComplexCase, "wave.yaml");
  for (const char* line :
       {"  - {name: psi, dims: [t, x], complex: true}\n", "  - \"i*dt(psi) = -dx(psi,2) + (g*rho + v)*psi\"\n",
        "  - \"dx(psi)(x=1) = i*psi(x=1)\"\n", "  \"psi\": \"wave(t=0)\"\n", "  psi: \"wave\"\n", "  wave: \"psi\"\n"})
    EXPECT_NE(c.resolved_text.find(line), std::string::npos) << line << "\n" << c.resolved_text;
  EXPECT_EQ(c.resolved_text.find("psi_re"), std::string::npos) << c.resolved_text;
  const Case again = read_case_text(c.resolved_text, "again.yaml");
  EXPECT_EQ(again.resolved_text, c.resolved_text);
  EXPECT_EQ(joined(again.equations), joined(c.equations));
  EXPECT_EQ(joined(again.output.fields), joined(c.output.fields));
}

TEST(ComplexUnknowns, WithoutAnOutputListBothPartsAreSampled) {
  const std::string all =
      replaced(kComplexCase, "{fields: {wave: psi, density: rho, product: \"conj(psi)*wave\", phase: \"arg(psi)\"}}",
               "{error: on}");
  EXPECT_EQ(joined(read_case_text(all, "wave.yaml").output.fields), "psi_re: psi_re; psi_im: psi_im; v: v; ");
}

TEST(ComplexUnknowns, VectorsMayBeComplex) {
  const Case c = read_case_text(R"yaml(domain: {x: [0, 1], y: [0, 1]}
unknowns: [{name: E, vector: [x, y], complex: true}]
equations: ["lap(E) + (1 + i)*E = [1, i*x]"]
boundary: ["E(x=0) = 0", "E(x=1) = 0", "E(y=0) = 0", "E_x(y=1) = i*x", "E_y(y=1) = 0"]
guess: {E: "[i, 1]"}
resolution: {degree: {x: 4, y: 4}}
)yaml",
                                "field.yaml");
  EXPECT_EQ(joined(c.equations),
            "lap(E_x_re) + (E_x_re - E_x_im) = 1; lap(E_x_im) + (E_x_im + E_x_re) = 0; "
            "lap(E_y_re) + (E_y_re - E_y_im) = 0; lap(E_y_im) + (E_y_im + E_y_re) = x; ");
  EXPECT_EQ(joined(c.guess), "E_x_re: 0; E_x_im: 1; E_y_re: 1; E_y_im: 0; ");
  EXPECT_EQ(c.boundary.size(), 16u);
  EXPECT_NE(c.resolved_text.find("{name: E, dims: [y, x], vector: [x, y], complex: true}"), std::string::npos);
  EXPECT_EQ(read_case_text(c.resolved_text, "again.yaml").resolved_text, c.resolved_text);
}

struct Mistake {
  std::string from, to;  // the change to the case
  int line;
  std::vector<std::string> told;
};

TEST(ComplexUnknowns, MistakesAreToldAtTheirLine) {
  const Mistake table[] = {
      {"complex: true", "complex: yes", 4, {"`yes` is not one of its words; expected one of false, true"}},
      {"constants: {g: 0.5}", "constants: {g: 0.5, i: 1}", 2, {"the constant `i` has the name of the imaginary unit"}},
      {"true}, v]", "true}, arg]", 4, {"the unknown `arg` has the name of the function arg(..)"}},
      {"constants: {g: 0.5}", "constants: {g: 0.5, psi_im: 1}", 4, {"the name `psi_im` clashes with the constant"}},
      {"constants: {g: 0.5}", "constants: {g: 1 + 2*i}", 2, {"a real number is expected here", "`definitions`"}},
      {"  - \"i*dt(psi) = -dx(psi,2) + (g*rho + v)*psi\"",
       "  - \"abs(dt(psi)) = rho\"",
       5,
       {"2 equations for 3 unknowns (psi_re, psi_im, v): 1 equation missing",
        "equation 1 has no imaginary part, and a complex unknown needs a complex equation"}},
      {"\"dt(v) = rho - v\"",
       "\"dt(v) = psi - v\"",
       5,
       {"4 equations for 3 unknowns", "1 equation too many", "a complex equation is two"}},
      {"initial: {psi: \"wave(t=0)\"",
       "initial: {psi: [1, 0]",
       8,
       {"`psi` is complex, and its values are one expression, as \"a + i*b\"; its parts are psi_re, psi_im"}},
      {"initial: {psi: \"wave(t=0)\"",
       "initial: {psi: {file: psi.h5}",
       8,
       {"`psi` is complex: give a file for each part, as psi_re: {file: ..}"}},
      {"exact: {psi: wave}", "exact: {psi: wave, psi_re: 1}", 12, {"`psi_re` is given twice"}},
      {"exact: {psi: wave}", "exact: {psi: wave*}", 12, {"expected a number"}},
      {"density: rho", "wave_im: rho", 15, {"two output fields are called `wave_im`"}},
      {"+ (g*rho + v)*psi", "+ erf(psi)*psi", 6, {"erf() is known of real numbers alone"}},
  };
  for (const Mistake& mistake : table)
    expect_error(replaced(kComplexCase, mistake.from, mistake.to), mistake.line, mistake.told);
}

TEST(ComplexUnknowns, AreRefusedWhereTheyAreNotKnown) {
  const std::string eigen = R"yaml(domain: {x: [0, 1]}
unknowns: [{name: u, complex: true}]
eigenvalue: lam
equations: ["lam*u = i*dx(u,2)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 8}}
)yaml";
  expect_error(eigen, 3, {"`eigenvalue` and a complex unknown do not go together", "two unknowns"});
  expect_error(replaced(testing::kSbpSatCase, "unknowns: [u]", "unknowns: [{name: u, complex: true}]"), 3,
               {"`complex` is for cases with `equations`", "name an unknown that is a real number"});
}

TEST(ComplexUnknowns, OtherCasesKeepTheirNames) {
  const std::string text = R"yaml(domain: {t: [0, 1], x: [0, 1]}
constants: {re: 2}
definitions: {im: "i^2"}
unknowns: [i]
equations: ["dt(i) = re*dx(i,2) - im"]
initial: {i: 0}
boundary: ["i(x=0) = 0", "i(x=1) = 0"]
resolution: {degree: {t: 4, x: 4}}
)yaml";
  EXPECT_EQ(error_of(text), "");
}

}  // namespace
}  // namespace gwrm::complex_test
