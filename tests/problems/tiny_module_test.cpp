// A problem module of the smallest kind goes through everything that works on cases without a word about it elsewhere:
// tiny_module/decay_module.hpp. The program with it, its commands and its files: tests/cases/tiny_module.py.
#include <nlohmann/json.hpp>

#include "problems/convergence/manufactured.hpp"
#include "problems/convergence/study.hpp"
#include "problems/time_estimate.hpp"
#include "run_case.hpp"
#include "tiny_module/decay_module.hpp"

namespace gwrm::tiny_module_test {
namespace {

using test::expect_holds;
using test::modules_with_decay;
using test::replaced;

const std::string kDecay = R"yaml(
problem: decay
domain: {t: [0, 2]}
unknowns: [u]
decay: {rate: 3/2, points: 65}
exact: {u: "exp(-1.5*t)"}
verification: {tolerance: 1.0e-3}
convergence: {vary: {t: [9, 17, 33, 65, 129]}}
)yaml";

Case read(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  return read_case_text(modules_with_decay().format(), yaml, "decay.yaml", overrides);
}

RunOutcome run(const Case& the_case) {
  return modules_with_decay().make(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
}

std::string message_of(const std::string& yaml) {
  try {
    modules_with_decay().make(read(yaml));
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

TEST(TinyModule, ReadsItsSection) {
  const auto& decay = section_of<test::DecayCase>(read(kDecay));
  EXPECT_EQ(decay.rate, 1.5);
  EXPECT_EQ(decay.points, 65);
  EXPECT_EQ(decay.start, 1.0);
}

TEST(TinyModule, ItsMistakesAreToldLikeAllOthers) {
  expect_holds(message_of(replaced(kDecay, "points", "pionts")),
               "unknown key `pionts` in `decay`; did you mean `points`?");
  expect_holds(message_of(replaced(kDecay, "65", "1")), "1 is out of range: must be between 2 and 1000000");
  expect_holds(message_of(replaced(kDecay, "3/2", "0")), "0 is out of range: must be greater than 0");
  expect_holds(message_of(replaced(kDecay, "decay: {rate: 3/2, points: 65}\n", "")), "the key `decay` is missing");
  expect_holds(message_of(kDecay + "resolution: {degree: {t: 4}}\n"),
               "`resolution` belongs to problem: time_spectral, and this case has problem: decay");
  expect_holds(message_of(replaced(kDecay, "t: [0, 2]", "x: [0, 2]")), "one dimension, the time t");
  expect_holds(message_of(replaced(kDecay, "t: [9, 17", "t: [1, 17")), "1 is out of range");
  // What other cases say of its section, and a program that does not have it.
  const std::string other =
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"u = 0\"]\nresolution: {degree: {x: 2}}\n";
  expect_holds(message_of(other + "decay: {}\n"),
               "belongs to problem: decay, and this case has problem: time_spectral");
  EXPECT_THROW(read_case_text(kDecay, "decay.yaml"), CaseError);
}

TEST(TinyModule, TheSchemaHasItsKeys) {
  const auto schema = nlohmann::json::parse(case_schema(modules_with_decay().format()));
  EXPECT_EQ(schema["properties"]["problem"]["enum"].back(), "decay");
  EXPECT_EQ(schema["properties"]["decay"]["properties"]["points"]["default"], 20);
  EXPECT_EQ(schema["allOf"].back()["then"]["required"], (nlohmann::json{"unknowns", "decay"}));
  EXPECT_FALSE(nlohmann::json::parse(case_schema())["properties"].contains("decay"));
}

TEST(TinyModule, TheResolvedTextReadsBackToTheSameCase) {
  for (const Case& first : {read(kDecay), read(replaced(kDecay, "points: 65", "source: \"cos(t)\", start: 0.25")),
                            manufactured(modules_with_decay(), read(kDecay))}) {
    const Case second = read(first.resolved_text);
    EXPECT_EQ(second.resolved_text, first.resolved_text);
    EXPECT_EQ(second.module, "decay");
    const auto &a = section_of<test::DecayCase>(first), &b = section_of<test::DecayCase>(second);
    EXPECT_EQ(std::tie(a.rate, a.start, a.source.text, a.points), std::tie(b.rate, b.start, b.source.text, b.points));
  }
}

TEST(TinyModule, SolvesAndIsVerified) {
  const RunOutcome outcome = run(read(kDecay));
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.status, ExitStatus::converged);
  EXPECT_LT(test::worst_error(outcome), 2e-4);
  EXPECT_EQ(run(read(kDecay, {{"decay.points", "5"}})).status, ExitStatus::unresolved);
}

TEST(TinyModule, AnySolutionIsManufactured) {
  const std::string wave = replaced(kDecay, "exp(-1.5*t)", "2 + sin(3*t)");
  const double coarse = test::worst_error(run(manufactured(modules_with_decay(), read(wave)))),
               fine = test::worst_error(run(manufactured(modules_with_decay(), read(wave, {{"decay.points", "129"}}))));
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

TEST(TinyModule, ConvergesByItsOrder) {
  for (const std::string& exact : {std::string("exp(-1.5*t)"), std::string()}) {
    const std::string yaml = exact.empty() ? replaced(kDecay, "exact: {u: \"exp(-1.5*t)\"}\n", "") : kDecay;
    const ReadAgain again = [&](const std::vector<Override>& changes) { return read(yaml, changes); };
    const Case base = again({});
    Team alone;
    const ConvergenceStudy study = run_study(
        alone, modules_with_decay(), base, plan_study(modules_with_decay(), base, again), {BackendChoice::cpu, 1}, {});
    EXPECT_EQ(study.measure, exact.empty() ? "self_max" : "error_max");
    EXPECT_EQ(study.law, "algebraic");
    // Differences to the finest run fall faster than errors: 15 to 3 in the last step, by the power 2.3.
    EXPECT_NEAR(study.algebraic.rate, exact.empty() ? 2.2 : 2.0, 0.2);
    expect_holds(study.reason, "finite differences of order 2");
  }
}

TEST(TinyModule, ItsTimeIsEstimated) {
  const TimeEstimate time = estimate_time(modules_with_decay(), read(kDecay), Context::create(BackendChoice::cpu, 1));
  EXPECT_GT(time.seconds, 0.0);
  EXPECT_LT(time.seconds, 10.0);
}

}  // namespace
}  // namespace gwrm::tiny_module_test
