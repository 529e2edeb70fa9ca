// Data of files in equations, initial values and conditions, and in the verdict; answers of earlier runs.
#include "output/checksum.hpp"
#include "output/hdf5_file.hpp"
#include "problems/data_files/written_data.hpp"

namespace gwrm::data_in_runs_test {
namespace {

using namespace test;

// ---- in equations

TEST_F(DataFiles, ACoefficientOfAFileIsDifferentiated) {
  const RunOutcome outcome = run_case(poisson(table("k.csv", equal(-0.1, 1.1, 200), coefficient)));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-9);
  const Check check = find_check(outcome, "data file");
  EXPECT_TRUE(check.judged);
  EXPECT_LT(check.value, 1e-8);
}

TEST_F(DataFiles, AnAnswerIsNoBetterThanItsData) {
  const std::string file = table("k.csv", equal(-0.1, 1.1, 13), coefficient);
  const RunOutcome failed = run_case(poisson(file));
  EXPECT_EQ(failed.status, ExitStatus::unresolved);
  EXPECT_HOLDS(failed.report.reason, "data are less accurate than the answer: k(x) of ");
  const Check check = find_check(failed, "data file");
  EXPECT_FALSE(check.passed());
  // What is told is the size of what it does to the answer.
  EXPECT_GT(check.value, 0.1 * test::worst_error(failed));
  EXPECT_LT(check.value, 1e3 * test::worst_error(failed));
  const RunOutcome passed = run_case(poisson(file, "verification: {tolerance: 1.0e-3}\n"));
  EXPECT_EQ(passed.status, ExitStatus::converged) << passed.report.reason;
}

TEST_F(DataFiles, DataThatTheDegreesDoNotResolveAreTold) {
  const auto spike = [](double x) { return std::exp(-std::pow((x - 0.437) / 0.004, 2)); };
  const std::string file = table("k.csv", equal(0.0, 1.0, 2001), spike);
  const RunOutcome outcome = run_case("domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
                                      "}}\nequations: [\"dx(u,2) = k\"]\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
                                      "resolution: {degree: {x: 12}}\nverification: {tolerance: 1.0e-2}\n");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_HOLDS(outcome.report.reason, "data lie between the points of the run: equation 1: ");
}

TEST_F(DataFiles, DataThatAreResolvedRaiseNoAlarm) {
  const auto k = [](double x) { return std::sin(7.0 * x); };
  for (int n : {60, 600}) {
    const std::string file = table("k.csv", equal(0.0, 1.0, n), k);
    const RunOutcome outcome = run_case("domain: {x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
                                        "}}\nequations: [\"dx(u,2) = -49*k\"]\nboundary: [\"u(x=0) = 0\", \"u(x=1) = "
                                        "sin(7)\"]\nexact: {u: \"sin(7*x)\"}\nresolution: {degree: {x: 30}}\n");
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    EXPECT_TRUE(outcome.report.warnings.empty()) << outcome.report.warnings.front();
  }
}

TEST_F(DataFiles, InitialGuessAndExactComeFromFiles) {
  std::string text = "x,u0,u1\n";
  for (double x : extremes(0.0, 1.0, 30))
    text += fmt::format("{},{},{}\n", x, std::sin(pi * x), std::exp(-pi * pi * 0.1) * std::sin(pi * x));
  write("u.csv", text);
  const RunOutcome outcome = run_case(
      "domain: {t: [0, 0.1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\n"
      "initial: {u: {file: " +
      path("u.csv") +
      ", dataset: u0}}\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: 10, x: 20}}\n"
      "verification: {values: [{expr: u, at: {t: 0.1, x: 0.5}, value: 0.37270783}]}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_TRUE(find_check(outcome, "data file", "initial_u(x)").judged);

  const RunOutcome steady = run_case(
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"dx(u,2) + pi^2*u^3/sin(pi*x)^2 = 0*u\"]\n"
      "guess: {u: {file: " +
      path("u.csv") +
      ", dataset: u0}}\n"
      "exact: {u: {file: " +
      path("u.csv") +
      ", dataset: u0}}\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {x: 30}}\n");
  EXPECT_LT(test::worst_error(steady), 1e-6);  // another guess gives 0
  EXPECT_FALSE(find_check(steady, "data file", "exact_u(x)").judged);
  EXPECT_FALSE(find_check(steady, "data file", "guess_u(x)").judged);
}

TEST_F(DataFiles, TheResolvedTextReadsBackAndNeedsNoFileBeforeAValueIsWanted) {
  const std::string file = table("k.csv", equal(0.0, 1.0, 30), coefficient);
  const Case first = read_case_text(poisson(file), "a.yaml");
  const Case again = read_case_text(first.resolved_text, "elsewhere/b.h5");
  EXPECT_EQ(again.resolved_text, first.resolved_text);
  std::filesystem::remove(file);
  const Case later = read_case_text(first.resolved_text, "b.h5");
  EXPECT_EQ(later.data.front().axes, std::vector<std::string>{"x"});
  EXPECT_HOLDS(message_of([&] { at(later, {0.5}); }), "k.csv: No such file");
  EXPECT_FALSE(message_of([&] { read_case_text(poisson(file), "a.yaml"); }).empty());
}

TEST_F(DataFiles, FilesAreFoundBesideTheCase) {
  table("k.csv", equal(0.0, 1.0, 30), coefficient);
  const Case the_case = read_case_text(poisson("k.csv"), path("a.yaml"));
  EXPECT_NEAR(at(the_case, {0.5}), coefficient(0.5), 1e-8);
}

TEST_F(DataFiles, AnotherFileUnderTheSameNameIsRefused) {
  const auto points = equal(0.0, 1.0, 30);
  const std::string file = table("k.csv", points, coefficient);
  const Case first = read_case_text(poisson(file), "a.yaml");
  EXPECT_HOLDS(first.resolved_text, "checksum: \"" + checksum_of_file(file) + "\"");
  EXPECT_NEAR(at(read_case_text(first.resolved_text, "b.h5"), {0.5}), coefficient(0.5), 1e-8);
  table("k.csv", points, [](double x) { return 2.0 * coefficient(x); });
  const Case again = read_case_text(first.resolved_text, "b.h5");
  EXPECT_HOLDS(message_of([&] { at(again, {0.5}); }), "this is not the file that was read first: its checksum is ");
  EXPECT_HOLDS(message_of([&] { run_case(first.resolved_text); }), "this is not the file that was read first");
  // As it is, or another one.
  const Case anew = read_case_text(first.resolved_text, "b.h5", {{"data.k.checksum", "\"\""}});
  EXPECT_NEAR(at(anew, {0.5}), 2.0 * coefficient(0.5), 1e-8);
  const std::string other = table("other.csv", points, [](double x) { return 3.0 * coefficient(x); });
  const Case with_other = read_case_text(first.resolved_text, "b.h5", {{"data.k.file", other}});
  EXPECT_NEAR(at(with_other, {0.5}), 3.0 * coefficient(0.5), 1e-8);
}

TEST_F(DataFiles, AContinuedRunRefusesAnotherFile) {
  const auto points = equal(0.0, 1.0, 30);
  const std::string file = table("k.csv", points, coefficient);
  const std::string text =
      "domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\ndata: {k: {file: " + file +
      "}}\nequations: [\"dt(u) = 0.1*dx(k*dx(u))\"]\ninitial: {u: \"sin(pi*x)\"}\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: 6, x: 16}, domains: {t: 20}}\n";
  RunControl control;
  control.journal = path("a.journal");
  int n_windows = 0;
  control.progress = [&](double, const std::string&) { ++n_windows; };
  control.interrupted = [&] { return n_windows > 3; };
  ASSERT_EQ(run_case(text, control).status, ExitStatus::interrupted);
  ASSERT_TRUE(std::filesystem::exists(control.journal));
  table("k.csv", points, [](double x) { return 2.0 * coefficient(x); });
  RunControl rest;
  rest.journal = control.journal;
  rest.restart = true;
  EXPECT_HOLDS(message_of([&] { run_case(text, rest); }), "belongs to another case, which says `checksum: ");
  table("k.csv", points, coefficient);
  EXPECT_TRUE(run_case(text, rest).complete);
}

TEST_F(DataFiles, SourceAndCoefficientOfFiniteDifferencesComeFromFiles) {
  // -div(c grad u) with c = 1 + y and u = sin(x) y: c sin(x) y - sin(x).
  const auto f = [](double x, double y) { return (1.0 + y) * std::sin(x) * y - std::sin(x); };
  const auto xs = equal(0.0, 1.0, 40), ys = equal(0.0, 1.0, 30);
  const std::string given = table("f.csv", xs, ys, f),
                    coefficient = table("c.csv", xs, ys, [](double, double y) { return 1.0 + y; });
  const RunOutcome outcome =
      run_case("problem: sbp_sat_poisson\ndomain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\ndata: {f: {file: " + given +
               "}, c: {file: " + coefficient +
               "}}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = sin(1)*y\", \"u(y=0) = 0\", \"u(y=1) = sin(x)\"]\n"
               "exact: {u: \"sin(x)*y\"}\nsbp_sat: {intervals: {x: 48, y: 48}, order: 4, source: f, coefficient: c}\n"
               "verification: {tolerance: 1.0e-5}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-6);
  EXPECT_TRUE(find_check(outcome, "data file", "f(y, x)").judged);
  EXPECT_TRUE(find_check(outcome, "data file", "c(y, x)").judged);
}

// ---- earlier answers

TEST_F(DataFiles, AnEarlierAnswerIsEvaluatedAtItsLastTimeOnAnotherDegree) {
  const std::string heat =
      "domain: {{t: [{}, {}], x: [0, 1]}}\nunknowns: [{}]\nequations: [\"dt({}) = dx({},2)\"]\n"
      "boundary: [\"{}(x=0) = 0\", \"{}(x=1) = 0\"]\nexact: {{{}: \"exp(-pi^2*t)*sin(pi*x)\"}}\n";
  const auto text = [&](double from, double to, const std::string& u) {
    return fmt::format(fmt::runtime(heat), from, to, u, u, u, u, u, u);
  };
  const RunOutcome first = run_case(text(0.0, 0.1, "u") +
                                    "initial: {u: \"sin(pi*x)\"}\nresolution: {degree: {t: 10, x: 20}}\n"
                                    "output: {fields: {u: \"u\", flux: \"-dx(u)\"}}\n");
  ASSERT_EQ(first.status, ExitStatus::converged);
  write_hdf5(path("a.h5"), first.output_data(), false);
  const std::string second = text(0.1, 0.2, "v") + "initial: {v: {file: " + path("a.h5") +
                             ", dataset: u}}\nresolution: {degree: {t: 12, x: 16}}\n";
  const RunOutcome outcome = run_case(second);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-9);
  const Check check = find_check(outcome, "data file");
  EXPECT_HOLDS(check.subject, "an earlier answer at t = 0.1, evaluated");
  EXPECT_DOUBLE_EQ(check.value, first.report.verification.estimate.fields.front().total());

  EXPECT_HOLDS(message_of([&] {
                 run_case(text(0.0, 0.1, "v") + "initial: {v: {file: " + path("a.h5") +
                          ", dataset: /u}}\nresolution: {degree: {t: 12, x: 16}}\n");
               }),
               "depend on t, and an initial value does not: say which time is meant, at: {t: ..}");

  // An expression of it, at another time; a path names its samples.
  const Case slope = frame("{x: [0, 1]}", "file: " + path("a.h5") + ", dataset: \"dx(u) + 1\", at: {t: 0.05}");
  EXPECT_NEAR(at(slope, {0.25}), 1.0 + pi * std::exp(-pi * pi * 0.05) * std::cos(pi * 0.25), 1e-8);
  EXPECT_NEAR(at(slope, {0.25}, {1}), -pi * pi * std::exp(-pi * pi * 0.05) * std::sin(pi * 0.25), 1e-7);
  // A field that it has sampled is its expression.
  const Case flux = frame("{x: [0, 1]}", "file: " + path("a.h5") + ", dataset: flux, at: {t: 0.05}");
  EXPECT_NEAR(at(flux, {0.25}), -pi * std::exp(-pi * pi * 0.05) * std::cos(pi * 0.25), 1e-8);
  EXPECT_HOLDS(message_of([&] { frame("{x: [0, 2]}", "file: " + path("a.h5") + ", at: {t: 0}"); }),
               "the result has x in [0, 1], and the domain x in [0, 2]");
  EXPECT_HOLDS(message_of([&] { frame("{x: [0, 1]}", "file: " + path("a.h5")); }),
               "give one coordinate of it, at: {t: ..}");
  const Case renamed = frame("{z: [0, 1]}", "file: " + path("a.h5") + ", at: {t: 0.05}, dimensions: {z: x}");
  EXPECT_EQ(renamed.data.front().axes, std::vector<std::string>{"z"});
  EXPECT_NEAR(at(renamed, {0.25}), std::exp(-pi * pi * 0.05) * std::sin(pi * 0.25), 1e-8);
  EXPECT_HOLDS(message_of([&] { frame("{z: [0, 1]}", "file: " + path("a.h5") + ", at: {t: 0.05}"); }),
               "or say which dimension it is, dimensions: {z: x}");
}

TEST_F(DataFiles, AnEarlierAnswerThatFailedGivesNoPass) {
  const std::string front =
      "domain: {t: [0, 0.1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = 0.001*dx(u,2)\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n";
  const RunOutcome first = run_case(front + "initial: {u: \"sin(9*pi*x)\"}\nresolution: {degree: {t: 6, x: 12}}\n");
  ASSERT_EQ(first.status, ExitStatus::unresolved);
  write_hdf5(path("a.h5"), first.output_data(), false);
  const RunOutcome second =
      run_case(front + "initial: {u: {file: " + path("a.h5") + "}}\nresolution: {degree: {t: 8, x: 30}}\n");
  EXPECT_EQ(second.status, ExitStatus::unresolved);
  EXPECT_HOLDS(second.report.reason, "solve that case so that it passes");
}

}  // namespace
}  // namespace gwrm::data_in_runs_test
