#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::overrides_test {
namespace {

Case read_with(const std::vector<std::string>& arguments, const std::string& text = testing::kFullCase) {
  std::vector<Override> overrides;
  for (const std::string& argument : arguments) overrides.push_back(parse_override(argument));
  return read_case_text(text, "base.yaml", overrides);
}

TEST(Overrides, ReplaceValues) {
  const Case c = read_with({"resolution.degree.x=2*16", "domain.x=[0, 2*pi]", "equations.0=dt(u) = -u", "boundary=[]",
                            "title='a: b'", "backend=cpu", "solver.newton={tolerance: 1e-6}", "domain.nu.map=linear",
                            "output.file=dir/other.h5", "initial.u=x=0"});
  EXPECT_EQ(c.domain[2].degree, 32);
  EXPECT_DOUBLE_EQ(c.domain[2].axis.upper, 6.283185307179586);
  EXPECT_EQ(c.equations.at(0).text, "dt(u) = -u");
  EXPECT_TRUE(c.boundary.empty());
  EXPECT_EQ(c.title, "a: b");
  EXPECT_EQ(c.backend, BackendChoice::cpu);
  EXPECT_EQ(c.solver.newton.tolerance, 1e-6);
  EXPECT_EQ(c.solver.newton.max_iterations, 30);
  EXPECT_EQ(c.domain[1].axis.map, MapKind::linear);
  EXPECT_EQ(c.output.file, "dir/other.h5");
  EXPECT_EQ(c.initial.at(0).text.text, "x=0");  // only the first '=' separates
}

TEST(Overrides, MakeWhatIsMissing) {
  const Case c =
      read_with({"solver.newton.tolerance=1e-8", "verification.tail=0.5", "initial.u=1"}, testing::kShortCase);
  EXPECT_EQ(c.solver.newton.tolerance, 1e-8);
  EXPECT_EQ(c.verification.tail, 0.5);
  EXPECT_EQ(c.initial.at(0).field, "u");
}

TEST(Overrides, TheLastOneCounts) {
  EXPECT_EQ(read_with({"resolution.degree.x=5", "resolution.degree.x=7"}).domain[2].degree, 7);
}

TEST(Overrides, ValuesSayWhereTheyComeFrom) {
  const SourceText text = read_with({"equations.0=dt(u) = -u"}).equations.at(0);
  EXPECT_EQ(text.file, "--set equations.0=dt(u) = -u");
  EXPECT_EQ(text.line, 0);
}

struct BadOverride {
  std::string argument;
  std::vector<std::string> told;
};

void PrintTo(const BadOverride& bad, std::ostream* out) {
  *out << bad.argument;
}

class BadOverrides : public ::testing::TestWithParam<BadOverride> {};

TEST_P(BadOverrides, IsTold) {
  const auto& [argument, told] = GetParam();
  try {
    read_with({argument});
    FAIL() << "accepted: " << argument;
  } catch (const CaseError& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.status(), ExitStatus::usage);
    EXPECT_EQ(message.rfind("--set " + argument + ": error: ", 0), 0u) << message;
    for (const std::string& part : told) EXPECT_NE(message.find(part), std::string::npos) << part << "\n" << message;
  }
}

const BadOverride kBad[] = {
    {"resolution.degree.x", {"expected key=value"}},
    {"=3", {"an empty name in the key"}},
    {"resolution..x=3", {"an empty name in the key"}},
    {"resolution.=3", {"an empty name in the key"}},
    {"resolution.degree.x=abc", {"abc"}},
    {"resolution.degree.x=", {"found nothing"}},
    {"resolution.degree.x=true", {"truth value"}},
    {"resolution.degree.y=3", {"`y` is no dimension"}},
    {"resolution.degre.x=3", {"unknown key `degre` in `resolution`", "`degree`"}},
    {"nothing=3", {"unknown key `nothing`"}},
    {"title.x=3", {"`title` is a single value and has no key `x`"}},
    {"equations.1=u = 0", {"`1` does not name an element", "list of 1"}},
    {"equations.first=u = 0", {"`first` does not name an element"}},
    {"equations.-1=u = 0", {"does not name an element"}},
    {"equations.0=a: b", {"put quotes around it"}},
    {"equations.0=u = 0 # no", {"put quotes around the expression"}},
    {"domain.x=[1, 0]", {"reversed"}},
    {"domain.x=[1, 0", {"not valid YAML"}},
    {"resolution={}", {"the key `degree` is missing in `resolution`"}},
    {"resolution.tolerance=0", {"0 is out of range", "leave the key out"}},
    {"continue.parameter=A", {"the key `to` is missing in `continue`"}},
    {"solver={linear: dense, linear: auto}", {"written twice"}},
};

TEST(Overrides, AreTextToo) {
  EXPECT_THROW(read_with({"title=\xFF"}), CaseError);
}

INSTANTIATE_TEST_SUITE_P(Table, BadOverrides, ::testing::ValuesIn(kBad));

}  // namespace
}  // namespace gwrm::overrides_test
