// Mistakes in a case file: each is refused with exit status 2, at the right line, and told in words that help.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::bad_cases_test {
namespace {

using testing::error_of;
using testing::expect_error;

struct Mistake {
  std::string from, to;  // the change to the full case
  int line;
  std::vector<std::string> told;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.to;
}

class BadCases : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadCases, IsToldAtItsLine) {
  const Mistake& mistake = GetParam();
  expect_error(testing::replaced(testing::kFullCase, mistake.from, mistake.to), mistake.line, mistake.told);
}

const Mistake kKeys[] = {
    {"title:", "titel:", 3, {"unknown key `titel`", "did you mean `title`"}},
    {"title:", "boundary_conditions:", 3, {"unknown key `boundary_conditions`", "it is `boundary` here"}},
    {"title:", "variables:", 3, {"unknown key `variables`", "it is `unknowns` here"}},
    {"degree: {", "degre: {", 22, {"unknown key `degre` in `resolution`", "did you mean `degree`"}},
    {"max_iterations", "maxiterations", 26, {"unknown key `maxiterations` in `solver.newton`", "`max_iterations`"}},
    {"linear: auto", "tolerance: 1", 27, {"unknown key `tolerance` in `solver`", "`solver.newton.tolerance`"}},
    {"backend: auto", "qqqqqqqqqq: 1", 29, {"unknown key `qqqqqqqqqq`", "known here: `schema`"}},
    {"map: log", "maps: log", 8, {"unknown key `maps` in `domain.nu`", "`map`"}},
    {"unknowns: [u]", "unknowns: [{name: u, dim: [x]}]", 10, {"unknown key `dim` in `unknowns.0`", "`dims`"}},
    {"backend: auto", "title: again", 29, {"`title` is written twice", "line 3"}},
    {"  x:  [0, 1]", "  x:  [0, 1]\n  t: [0, 2]", 8, {"`t` is written twice", "line 6"}},
    {"x: 24, nu: 8", "x: 24, x: 8", 22, {"`x` is written twice", "line 22"}},
    {"unknowns: [u]", "", 1, {"`unknowns` is missing"}},
    {"u: \"A*sin(pi*x)\"",
     "u: {file}",
     15,
     {"`initial.u.file`: expected text, found nothing: The file with the numbers"}},
    {"u: \"A*sin(pi*x)\"", "u: {path: k.csv}", 15, {"unknown key `path` in `initial.u`; it is `file` here"}},
    {"u: \"A*sin(pi*x)\"", "u: {file: k.csv, column: q}", 15, {"unknown key `column`", "it is `dataset` here"}},
    {"u: \"A*sin(pi*x)\"", "u: data/k.csv", 15, {"`initial.u`: a file is given as {file: data/k.csv}"}},
    {"u: \"A*sin(pi*x)\"", "u: {file: k.csv, dimensions: {lon: x}}", 15, {"first", "dimensions: {x: lon}"}},
    {"constants: {A: 0.25}", "constants: {A: 0.25}\ndata: {k: k.nc}", 10, {"expected a map", "{file: k.nc}"}},
    {"constants: {A: 0.25}", "constants: {A: {distribution: normal}}", 9, {"write it under `domain`"}},
    {"constants: {A: 0.25}", "constants: {A: [0, 5]}", 9, {"write it under `domain`"}},
    {"backend: auto", "parameters: {q: [0, 5]}", 29, {"unknown key `q` in `parameters`", "write `q` under `domain`"}},
    {"backend: auto", "parameters: {q: {range: [0, 5]}}", 29, {"write `q` under `domain`"}},
    {"backend: auto", "parameters: {q: 5}", 29, {"write it under `constants`"}},
    {"linear: auto", "parameters: 1", 27, {"did you mean `parameters` at the top level"}},
    {"constants: {A: 0.25}", "constants: {A: 0.25}\ndefinitions: {q: \"q = 2*x\"}", 10, {"alone: q: \"2*x\""}},
    {"{range: [0.02, 0.2], map: log}", "{distribution: gaussian}", 8, {"it is `normal` here"}},
    {"{range: [0.02, 0.2], map: log}", "{distribution: normal, mean: 1, std: 1}", 8, {"it is `deviation` here"}},
    {"u: \"A*sin(pi*x)\"", "u: {q: k.csv}", 15, {"unknown key `q` in `initial.u`; known here: `toroidal`"}},
    {"degree: {t: 12, x: 24, nu: 8}",
     "",
     21,
     {"`degree` is missing in `resolution`", "or give resolution.tolerance instead"}},
    {"{range: [0.02, 0.2], map: log}", "{map: log}", 8, {"`range` is missing in `domain.nu`"}},
    {"unknowns: [u]", "unknowns: [q: [x, y]]", 10, {"unknown key `q`", "written u, or {name: u, vector: [x, y]}"}},
    {"unknowns: [u]", "unknowns: [{dims: [x]}]", 10, {"`name` is missing in `unknowns.0`"}},
    {"domains: {t: 4}", "tolerence: 1.0e-8", 23, {"unknown key `tolerence` in `resolution`", "`tolerance`"}},
};

const Mistake kTypes[] = {
    {"schema: 1", "schema: 2", 1, {"2 is out of range: must be 1"}},
    {"problem: time_spectral", "problem: heat", 2, {"there is no problem `heat`", "known problems: time_spectral"}},
    {"Viscous Burgers, the viscosity as a third dimension", "[a, b]", 3, {"`title`: expected text, found a list"}},
    {"Viscous Burgers, the viscosity as a third dimension", "", 3, {"`title`: expected text, found nothing"}},
    {"x: 24", "x: true", 22, {"`resolution.degree.x`: expected a whole number, found the truth value true"}},
    {"x: 24", "x: ~", 22, {"`resolution.degree.x`: expected a whole number, found nothing"}},
    {"x: 24", "x: [24]", 22, {"expected a whole number, found a list"}},
    {"x: 24", "x: 2.5", 22, {"expected a whole number, found 2.5"}},
    {"x: 24", "x: 100001", 22, {"100001 is out of range: must be between 0 and 100000"}},
    {"x: 24", "x: -1", 22, {"-1 is out of range"}},
    {"t: 12", "t: 0", 22, {"the degree in t must be at least 1"}},
    {"x: 24", "x: many", 22, {"many"}},
    {"tolerance: 1.0e-12", "tolerance: 0", 26, {"must be greater than 0"}},
    {"tolerance: 1.0e-12", "tolerance: 1/0", 26, {"error"}},
    {"tolerance: 1.0e-12", "tolerance: .nan", 26, {"error"}},
    {"globalisation: natural",
     "globalisation: linesearch",
     26,
     {"`linesearch` is not one of its words", "natural, none, sir, anderson"}},
    {"linear: auto",
     "linear: krylov",
     27,
     {"`krylov` is not one of its words", "auto, dense, lagged, averaged, tensor, banded"}},
    {"product: auto", "predictor: linear", 28, {"`linear` is not one of its words", "extrapolate, constant"}},
    {"backend: auto", "backend: gpu", 29, {"auto, cpu, cuda"}},
    {"weighting: radau", "weighting: gauss", 24, {"radau, chebyshev"}},
    {"weighting: radau", "weighting: raadu", 24, {"radau, chebyshev; did you mean `radau`?"}},
    {"solver:", "solver: dense\nverification:", 25, {"`solver`: expected a map (key: value), found `dense`"}},
    {"unknowns: [u]", "unknowns: u", 10, {"`unknowns`: expected a list [...], found `u`"}},
    {"unknowns: [u]", "unknowns: []", 10, {"`unknowns`: expected at least 1 element, found 0"}},
    {"constants: {A: 0.25}", "constants:", 9, {"`constants`", "found nothing", "leave the key out"}},
    {"file: burgers.h5", "file: \"\"", 31, {"expected a file name"}},
    {"vary: {x: [8,", "vary: {x: [8.5,", 35, {"expected a whole number, found 8.5"}},
    {"vary: {x: [8,", "vary: {y: [8,", 35, {"`y` is no dimension of this case"}},
};

const Mistake kDomain[] = {
    {"x:  [0, 1]", "x:  [1, 0]", 7, {"reversed", "swap its ends, [0, 1]"}},
    {"x:  [0, 1]", "x:  [1, 1]", 7, {"the interval of `x` is empty"}},
    {"x:  [0, 1]", "x:  [0]", 7, {"`domain.x`: expected 2 elements, found 1"}},
    {"x:  [0, 1]", "x:  3", 7, {"`domain.x`: expected a list [...] or a map (key: value), found `3`"}},
    {"x:  [0, 1]", "x:  [0, .inf]", 7, {"error"}},
    {"x:  [0, 1]", "x:  [-1.7e308, 1.7e308]", 7, {"too long"}},
    {"x:  [0, 1]", "x:  [0, B]", 7, {"B"}},
    {"x:  [0, 1]", "x:  [0, max(1, 2)]", 7, {"splits unquoted text at commas"}},
    {"[0.02, 0.2]", "[0, 0.2]", 8, {"map: log needs a positive lower end"}},
    {"map: log", "map: sqrt", 8, {"linear, log"}},
    {"  x:  [0, 1]",
     "  x:  [0, 1]\n  a1: [0, 1]\n  a2: [0, 1]\n  a3: [0, 1]\n  a4: [0, 1]\n  a5: [0, 1]\n  a6: [0, 1]",
     14,
     {"more than 8 dimensions"}},
    {"x: 24, nu: 8",
     "x: 24",
     22,
     {"the dimension `nu` needs a degree: nu: 16, say, or give resolution.tolerance instead"}},
    {"x: 24, nu: 8", "x: 24, mu: 8", 22, {"`mu` is no dimension of this case; did you mean `nu`"}},
    {"domains: {t: 4}", "domains: {x: [0, 0.5, 0.4, 1]}", 23, {"edges must increase"}},
    {"domains: {t: 4}", "domains: {x: [0, 0.5, 2]}", 23, {"2 is outside `x`: [0, 1]"}},
    {"domains: {t: 4}", "domains: {x: [0, 0.5]}", 23, {"the last edge must be the upper end of `x`, 1"}},
    {"domains: {t: 4}", "domains: {x: 0}", 23, {"0 is out of range: must be between 1 and 100000"}},
    {"domains: {t: 4}", "domains: {y: 2}", 23, {"`y` is no dimension of this case"}},
    {"domains: {t: 4}", "domains: {nu: 2}", 23, {"parameter subdomains are not available", "leave `nu` undivided"}},
    {"domains: {t: 4}", "domains: {nu: [0.02, 0.1, 0.2]}", 23, {"parameter subdomains are not available"}},
    {"domains: {t: 4}", "domains: {t: 0}", 23, {"0 is out of range: must be between 1 and 100000"}},
    {"domains: {t: 4}", "domains: {t: [0, 0.5, 0.4, 1]}", 23, {"edges must increase"}},
    {"domains: {t: 4}", "domains: {t: [0.1, 0.5, 1]}", 23, {"the first edge must be the lower end of `t`, 0"}},
    {"domains: {t: 4}", "domains: {t: [0, 0.5, 0.9]}", 23, {"the last edge must be the upper end of `t`, 1"}},
    {"domains: {t: 4}", "domains: {t: [0, 1.5]}", 23, {"1.5 is outside `t`: [0, 1]"}},
    {"domains: {t: 4}", "domains: {t: [0]}", 23, {"expected at least 2 elements, found 1"}},
};

// In place of "{range: [0.02, 0.2], map: log}".
const Mistake kDistributions[] = {
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: gauss, mean: 1, deviation: 1}",
     8,
     {"`gauss` is not one of its words", "normal, lognormal, uniform, beta"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, mean: 1, deviation: 0}",
     8,
     {"0 is out of range: must be greater than 0"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, mean: 1, deviation: -0.1}",
     8,
     {"-0.1 is out of range: must be greater than 0"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, mean: 1}",
     8,
     {"distribution: normal lacks `deviation`", "mean, deviation"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, range: [0, 1], mean: 1, deviation: 0.1}",
     8,
     {"both range and distribution", "a normal parameter has no ends"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, a: 1, mean: 1, deviation: 0.1}",
     8,
     {"`a` is no number of distribution: normal", "mean, deviation"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, mean: 1, deviation: 1.0e-30}",
     8,
     {"too narrow or too wide"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: lognormal, mean: -1, deviation: 0.1}",
     8,
     {"a lognormal parameter is positive", "-1"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: lognormal, mu: 0, deviation: 0.1}",
     8,
     {"`deviation` is no number of distribution: lognormal", "mu, sigma, or mean, deviation"}},
    {"{range: [0.02, 0.2], map: log}", "{distribution: beta, a: 2, b: 5}", 8, {"lacks `range`", "range, a, b"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: beta, range: [0, 1]}",
     8,
     {"distribution: beta lacks `a`", "range, a, b, or range, mean, deviation"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: beta, range: [0, 1], mean: 2, deviation: 0.1}",
     8,
     {"the mean 2 is outside the range [0, 1]"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: beta, range: [0, 1], mean: 0.5, deviation: 0.6}",
     8,
     {"has the deviation 0.6: it is below 0.5"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: beta, range: [0, 1], a: 0, b: 1}",
     8,
     {"0 is out of range: must be greater than 0"}},
    {"{range: [0.02, 0.2], map: log}", "{distribution: beta, range: [1, 0], a: 1, b: 1}", 8, {"reversed"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: beta, range: [0, 1], a: 1.0e8, b: 1}",
     8,
     {"both have to lie between 0.001 and 1000000"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: uniform, range: [0, 1], map: log}",
     8,
     {"map: log needs a positive lower end"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: lognormal, mu: 0, sigma: 1, map: log}",
     8,
     {"map beside distribution: lognormal"}},
    {"{range: [0.02, 0.2], map: log}",
     "{distribution: normal, mean: 0, deviation: 1, basis: chebyshev}",
     8,
     {"basis beside distribution", "leave basis out"}},
    {"{range: [0.02, 0.2], map: log}",
     "{range: [0, 1], mean: 0.5}",
     8,
     {"`mean` belongs to a distribution", "normal, lognormal, uniform, beta"}},
    {"x:  [0, 1]",
     "x:  {distribution: uniform, range: [0, 1]}",
     7,
     {"a distribution is for parameters, and `x` is a direction of space"}},
    {"t:  [0, 1]",
     "t:  {distribution: uniform, range: [0, 1]}",
     6,
     {"a distribution is for parameters, and `t` is time"}},
};

const Mistake kNames[] = {
    {"unknowns: [u]", "unknowns: [x]", 10, {"`x` clashes with the dimension `x` in line 7"}},
    {"unknowns: [u]", "unknowns: [A]", 10, {"`A` clashes with the constant `A` in line 9"}},
    {"unknowns: [u]", "unknowns: [u, u]", 10, {"`u` clashes with the unknown `u` in line 10"}},
    {"unknowns: [u]", "unknowns: [sin]", 10, {"`sin` clashes", "expression language"}},
    {"unknowns: [u]", "unknowns: [dnu]", 10, {"`dnu` clashes with the dimension `nu` in line 8", "derivative"}},
    {"unknowns: [u]", "unknowns: [u-1]", 10, {"`u-1` is not a name"}},
    {"{A: 0.25}", "{pi: 3}", 9, {"`pi` clashes"}},
    {"{A: 0.25}", "{lap: 3}", 9, {"`lap` clashes"}},
    {"{A: 0.25}", "{t: 3}", 9, {"`t` clashes with the dimension `t` in line 6"}},
    {"{A: 0.25}", "{true: 3}", 9, {"has a meaning in YAML"}},
    {"{A: 0.25}", "{A: B, B: 1}", 9, {"B"}},
    {"{A: 0.25}", "{2A: 1}", 9, {"`2A` is not a name"}},
    {"  t:  [0, 1]", "  dx: [0, 1]\n  t:  [0, 1]", 8, {"the dimension `x` clashes with the dimension `dx` in line 6"}},
    {"unknowns: [u]", "unknowns: [{name: u, dims: [x, y]}]", 10, {"`y` is no dimension of this case"}},
    {"unknowns: [u]", "unknowns: [{name: u, dims: [x, x]}]", 10, {"`x` stands twice in dims"}},
    {"slope: \"", "nu: \"", 33, {"`nu` has the name of a dimension"}},
    {"slope: \"", "a b: \"", 33, {"`a b` is not a name"}},
    {"slope: \"", "statistics: \"", 33, {"`statistics` is a group of the result file"}},
    {"slope: \"", "newton: \"", 33, {"`newton` is a group of the result file"}},
    {"exact: {u:", "exact: {v:", 19, {"`v` is no unknown of this case"}},
    {"backend: auto", "guess: {w: 1}", 29, {"`w` is no unknown of this case"}},
    {"  u: \"A*sin(pi*x)\"", "  v: 1", 15, {"`v` is no unknown of this case"}},
    {"  u: \"A*sin(pi*x)\"", "  dt(v): 1", 15, {"`v` is no unknown of this case"}},
    {"  u: \"A*sin(pi*x)\"", "  \"dt(u,0)\": 1", 15, {"expected the order of the derivative"}},
    {"  u: \"A*sin(pi*x)\"", "  dt(u): 1\n  \"dt(u, 1)\": 2", 16, {"means the same as `dt(u)` in line 15"}},
};

const Mistake kExpressions[] = {
    {"  - \"dt(u) = nu*dx(u,2) - u*dx(u)\"",
     "  - \"dt(u) = 0\"\n  - \"u = 0\"",
     12,
     {"2 equations for 1 unknown (u): 1 equation too many"}},
    {"unknowns: [u]", "unknowns: [u, v, w]", 12, {"1 equation for 3 unknowns (u, v, w): 2 equations missing"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "dt(u) = u # decay", 13, {"put quotes around the expression"}},
    {"\"u(x=0) = 0\"", "u(x=0) = 0   # left", 17, {"put quotes around the expression"}},
    {"\"A*sin(pi*x)\"", "A*sin(pi*x) # start", 15, {"put quotes around the expression"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "dt(u) = a: b", 13, {"put quotes around it"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "{dt(u): b}", 13, {"found a map", "put quotes around it"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "", 13, {"`equations.0`: expected an expression (text), found nothing"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "\" \"", 13, {"found empty text"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "*u = 0", 13, {"not valid YAML", "needs quotes around it"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "&u = 0", 13, {"put quotes around the text"}},
    {"\"dt(u) = nu*dx(u,2) - u*dx(u)\"", "!u = 0", 13, {"put quotes around the text"}},
    {"{u: \"...\"}", "{u: max(x,0)}", 19, {"splits unquoted text at commas"}},
    {"exact: {u: \"...\"}", "exact: {u: 0}\nguess: {u: [1, 2]}", 20, {"found a list", "put quotes around it"}},
    {"  - \"u(x=0) = 0\"\n  - \"u(x=1) = 0\"", "  [u(x=0,t=1) = 0]", 17, {"splits unquoted text at commas"}},
    {"fields: {u: u, slope: \"dx(u)\"}", "fields: {u: dx(u,2)}", 33, {"splits unquoted text at commas"}},
    {"backend: auto", "verification: {values: [{expr: u, at: {y: 1}, value: 0}]}", 29, {"`y` is no dimension"}},
    {"backend: auto", "verification: {values: [{expr: u, at: {x: 2}, value: 0}]}", 29, {"2 is outside `x`: [0, 1]"}},
    {"backend: auto", "verification: {values: [{expr: u}]}", 29, {"`value` is missing in `verification.values.0`"}},
    {"grid: {t: 41", "grid: {t: 1", 32, {"1 is out of range: must be between 2 and 1000000"}},
    {"grid: {t: 41", "grid: {t: [0, 2]", 32, {"2 is outside `t`"}},
    {"grid: {t: 41", "grid: {t: [0.5, 0.5]", 32, {"the points must increase"}},
};

const Mistake kYaml[] = {
    {"  x:  [0, 1]", "\tx:  [0, 1]", 7, {"a tab in the indentation"}},
    {"  x:  [0, 1]", "  x:  [0, 1", 8, {"not valid YAML"}},
    {"  x:  [0, 1]", "   x:  [0, 1]", 7, {"not valid YAML"}},
    {"title: Viscous", "title: \"Viscous", 13, {"not valid YAML"}},
    {"title: Viscous", "title: \x01Viscous", 3, {"byte 0x01 does not belong in a text file"}},
    {"title: Viscous", "title: \xC3\x28", 3, {"byte 0xc3 does not belong in a text file"}},
    {"title: Viscous", "title: \"a\\_b\" #", 3, {"the escapes \\_ and \\N are not read"}},
    {"title: Viscous", "title: \"a\\Nb\" #", 3, {"the escapes \\_ and \\N are not read"}},
    {"backend: auto", "---\nbackend: auto", 29, {"a second YAML document"}},
    {"backend: auto", "? {a: b}\n: c", 29, {"a key must be a name"}},
    {"title: Viscous",
     "title: " + std::string(40, '[') + std::string(40, ']') + " #",
     3,
     {"nested deeper than 32 levels"}},
};

INSTANTIATE_TEST_SUITE_P(Keys, BadCases, ::testing::ValuesIn(kKeys));
INSTANTIATE_TEST_SUITE_P(Types, BadCases, ::testing::ValuesIn(kTypes));
INSTANTIATE_TEST_SUITE_P(Domain, BadCases, ::testing::ValuesIn(kDomain));
INSTANTIATE_TEST_SUITE_P(Distributions, BadCases, ::testing::ValuesIn(kDistributions));
INSTANTIATE_TEST_SUITE_P(Names, BadCases, ::testing::ValuesIn(kNames));
INSTANTIATE_TEST_SUITE_P(Expressions, BadCases, ::testing::ValuesIn(kExpressions));
INSTANTIATE_TEST_SUITE_P(Yaml, BadCases, ::testing::ValuesIn(kYaml));

TEST(BadFiles, WithoutACase) {
  expect_error("", 1, {"the case file is empty"});
  expect_error("# only a comment\n\n", 1, {"the case file is empty"});
  expect_error("- a\n- b\n", 1, {"a case file is a map of keys", "found a list"});
  expect_error("just text\n", 1, {"a case file is a map of keys", "found `just text`"});
  expect_error("domain: {}\nunknowns: [u]\nequations: [u = 0]\nresolution: {degree: {}}\n", 1, {"`domain` is empty"});
}

TEST(BadFiles, WithoutAResolutionSayWhatToWrite) {
  std::string text = testing::kShortCase;
  text.resize(text.find("resolution:"));
  expect_error(text, 1, {"`resolution` is missing", "{tolerance: 1.0e-6}", "{degree: {t: 12, x: 24}}"});
}

TEST(BadFiles, TooLarge) {
  EXPECT_NE(error_of(std::string((1u << 20) + 1, ' ')).find("this is not a case file"), std::string::npos);
  EXPECT_NE(error_of("title: " + std::string(70000, 'x')).find("bad.yaml:1: error: a line longer than"),
            std::string::npos);
  std::string many = "boundary:\n";
  for (int i = 0; i < 150000; ++i) many += "  - a\n";
  EXPECT_NE(error_of(many).find("more than 100000 values"), std::string::npos);
}

TEST(BadFiles, InitialValuesNeedTime) {
  expect_error(
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [u = 0]\ninitial: {u: 0}\nresolution: {degree: {x: 3}}\n", 4,
      {"need the dimension t"});
  expect_error(
      "domain: {t: [0, 1], x: [0, 1]}\nunknowns: [{name: u, dims: [x]}]\nequations: [u = 0]\ninitial: {u: 0}\n"
      "resolution: {degree: {t: 1, x: 3}}\n",
      4, {"`u` does not depend on t"});
}

// The default output fields are the unknowns, so their names must do for datasets as well.
TEST(BadFiles, UnknownNamedLikeAGroup) {
  expect_error("domain: {x: [0, 1]}\nunknowns: [windows]\nequations: [windows = 0]\nresolution: {degree: {x: 3}}\n", 2,
               {"`windows` is a group of the result file"});
}

TEST(BadFiles, CannotBeOpened) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      read_case(path);
    } catch (const CaseError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("no/such/file.yaml").find("no/such/file.yaml: error: cannot open the case file"),
            std::string::npos);
  EXPECT_NE(message(::testing::TempDir()).find("this is a directory"), std::string::npos);
}

TEST(BadFiles, ShowTheLineAndACaret) {
  const std::string message = error_of(testing::replaced(testing::kFullCase, "x: 24", "x: -1"));
  EXPECT_NE(message.find("\n    degree: {t: 12, x: -1, nu: 8}"), std::string::npos) << message;
  EXPECT_EQ(message.substr(message.rfind('\n') + 1), std::string(23, ' ') + "^") << message;
}

}  // namespace
}  // namespace gwrm::bad_cases_test
