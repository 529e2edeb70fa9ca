// Runs that are interrupted and continued from their journal end where the uninterrupted ones do.
#include <filesystem>

#include "core/errors.hpp"
#include "flow_equations.hpp"
#include "problems/journal_test.hpp"

namespace gwrm::restart_test {
namespace {

using test::replaced;
using test::run_case;

class Restart : public test::JournalTest {
 protected:
  // Interrupted after k windows and continued, for every k asked for.
  void expect_same_end(const std::string& yaml, const std::vector<int>& interruptions) {
    const RunOutcome whole = run_case(yaml);
    ASSERT_TRUE(whole.complete) << whole.report.reason;
    for (int k : interruptions) {
      SCOPED_TRACE("interrupted after " + std::to_string(k));
      const RunOutcome part = interrupted_after(yaml, k);
      ASSERT_EQ(part.status, ExitStatus::interrupted);
      ASSERT_TRUE(std::filesystem::exists(path_));
      RunOutcome rest = continued(yaml);
      ASSERT_TRUE(rest.complete) << rest.report.reason;
      EXPECT_TRUE(std::filesystem::exists(path_)) << "the answer has no place yet";
      remove_journal(rest.journal);
      EXPECT_FALSE(std::filesystem::exists(path_)) << "nothing is left to continue";
      expect_equal(rest, whole);
    }
  }
  // Newton starts elsewhere in the first window after the interruption: its tolerance of 1e-12 leaves 1e-14 of the
  // field.
  static void expect_equal(const RunOutcome& a, const RunOutcome& b) {
    ASSERT_EQ(a.solution.window_edges.size(), b.solution.window_edges.size());
    for (std::size_t i = 0; i < a.solution.window_edges.size(); ++i)
      EXPECT_EQ(a.solution.window_edges[i], b.solution.window_edges[i]);
    ASSERT_EQ(a.solution.subdomains.size(), b.solution.subdomains.size());
    ASSERT_EQ(a.solution.fields.size(), b.solution.fields.size());
    for (std::size_t f = 0; f < a.solution.fields.size(); ++f) {
      double largest = 0.0, difference = 0.0;
      ASSERT_EQ(a.solution.fields[f].windows.size(), b.solution.fields[f].windows.size());
      for (std::size_t w = 0; w < a.solution.fields[f].windows.size(); ++w) {
        const Array &one = a.solution.fields[f].windows[w], &other = b.solution.fields[f].windows[w];
        ASSERT_EQ(one.shape, other.shape);
        for (std::size_t i = 0; i < one.data.size(); ++i) {
          largest = std::max(largest, std::abs(other.data[i]));
          difference = std::max(difference, std::abs(one.data[i] - other.data[i]));
        }
      }
      EXPECT_EQ(difference, 0.0) << a.solution.fields[f].name << ", largest " << largest;
    }
    EXPECT_EQ(a.report.n_windows, b.report.n_windows);
    ASSERT_FALSE(a.report.newton.empty());
    for (std::size_t i = 1; i < a.report.newton.size(); ++i)
      EXPECT_GE(a.report.newton[i].window, a.report.newton[i - 1].window) << "windows are counted through";
    EXPECT_EQ(a.report.newton.back().window, b.report.newton.back().window);
  }
};

const std::string kBurgers = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.05*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 16}, domains: {t: 6}}
verification: {tail: 1, residual: 1, tolerance: 1}
)yaml";

TEST_F(Restart, FixedWindows) {
  expect_same_end(kBurgers, {1, 3, 5});
}

// The highest wavenumber changes from window to window.
TEST_F(Restart, AlongAFourierSeries) {
  expect_same_end(R"yaml(
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.02*dx(u,2)"]
initial: {u: "sin(pi*x)"}
resolution: {tolerance: 1.0e-5}
verification: {tail: 1, residual: 1, tolerance: 1}
)yaml",
                  {1, 3});
}

// A constraint: states on other degrees are made to satisfy it, again the same ones.
TEST_F(Restart, FlowInABox) {
  expect_same_end(R"yaml(
domain: {t: [0, 0.5], x: [0, 1], y: [0, 1]}
)yaml" + test::flow_equations("0.05*") +
                      R"yaml(
initial: {u: "0", v: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 16*x^2*(1 - x)^2*(1 - exp(-5*t))^2", "v(y=0) = 0", "v(y=1) = 0",
           "u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {tolerance: 1.0e-2}
verification: {tail: 1, residual: 1, tolerance: 1, estimate: off}
)yaml",
                  {1, 3});
}

// Tenths, whose differences are not equal: the factors of one window serve the others, and those that are made behind
// an interruption are of another window.
const std::string kHeat = R"yaml(
domain: {t: [0, 1.1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2) + sin(3*t)*x"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 12}, domains: {t: 11}}
solver: {linear: METHOD}
verification: {tail: 1, residual: 1, tolerance: 1}
)yaml";
const std::vector<int> kEveryWindow = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

TEST_F(Restart, EqualFixedWindowsOfALinearProblem) {
  for (const char* method : {"auto", "dense", "lagged", "averaged"}) {
    SCOPED_TRACE(method);
    const std::string yaml = replaced(kHeat, "METHOD", method);
    EXPECT_EQ(run_case(yaml).report.n_factorisations, 1);
    expect_same_end(yaml, kEveryWindow);
  }
}

TEST_F(Restart, EqualFixedWindowsOfABandedProblem) {
  expect_same_end(replaced(replaced(kHeat, "METHOD", "banded"), "x: 12", "x: 260"), {1, 2, 5, 10});
}

TEST_F(Restart, EqualFixedWindowsInThePlane) {
  expect_same_end(R"yaml(
domain: {t: [0, 1.1], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*lap(u) + sin(3*t)*x"]
initial: {u: "sin(pi*x)*sin(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 6, x: 8, y: 8}, domains: {t: 11}}
solver: {linear: tensor}
verification: {tail: 1, residual: 1, tolerance: 1}
)yaml",
                  {1, 2, 5, 10});
}

TEST_F(Restart, EqualFixedWindowsInSubdomains) {
  expect_same_end(replaced(replaced(kHeat, "METHOD", "auto"), "domains: {t: 11}", "domains: {t: 11, x: 4}"),
                  kEveryWindow);
}

// The first answer is too inaccurate, and the run is repeated by a smaller tolerance: that goes on where it is
// interrupted.
TEST_F(Restart, InTheRepetitionOfAnAutomaticRun) {
  const std::string lorenz = R"yaml(
domain: {t: [0, 18]}
unknowns: [u, v, w]
equations: ["dt(u) = 10*(v - u)", "dt(v) = u*(28 - w) - v", "dt(w) = u*v - 8/3*w"]
initial: {u: "1", v: "1", w: "1"}
resolution: {tolerance: 1.0e-5}
)yaml";
  const RunOutcome part = interrupted_after(lorenz, 100);
  EXPECT_TRUE(part.complete) << "the answer before the repetition stays";
  EXPECT_EQ(part.solution.window_edges.back(), 18.0);
  EXPECT_STREQ(part.report.verification.verdict(), "FAIL");
  EXPECT_EQ(part.report.status, "interrupted");
  ASSERT_EQ(scan_journal(path_).header.n_repeats, 1);
  EXPECT_LT(scan_journal(path_).header.tightening, 1.0);
  std::filesystem::remove(path_);
  expect_same_end(lorenz, {100, 130});
}

// All windows are there, but not what says whether they are right.
TEST_F(Restart, BehindTheLastWindow) {
  expect_same_end(kBurgers, {6});
  const RunOutcome part = interrupted_after(kBurgers, 6);
  EXPECT_EQ(part.solution.fields[0].windows.size(), 6u);
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.report.status, "interrupted");
  EXPECT_TRUE(part.report.verification.checks.empty());
}

TEST_F(Restart, SubdomainsAndAConstraint) {
  expect_same_end(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, q, {name: m, dims: [t]}]
equations: ["dt(u,2) = dx(q)", "q = dx(u) + u^3", "m = integral(u^2, x)"]
initial: {u: "sin(pi*x)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 8}, domains: {t: 4, x: 3}}
verification: {tail: 1, residual: 1, tolerance: 1}
)yaml",
                  {1, 2});
}

TEST_F(Restart, SeveralParameterPoints) {
  expect_same_end(replaced(replaced(replaced(kBurgers, "0.05", "nu"), "x: [0, 1]}", "x: [0, 1], nu: [0.05, 0.1]}"),
                           "x: 16}", "x: 16, nu: 2}"),
                  {2});
}

const std::string kAutomatic =
    replaced(kBurgers, "degree: {t: 6, x: 16}, domains: {t: 6}", "tolerance: 1.0e-5, degree: {t: 8, x: 10}");

TEST_F(Restart, AutomaticWindows) {
  expect_same_end(kAutomatic, {1, 2, 3});
}

// The size that tails are judged against is that of a rejected attempt: no finished window has it.
TEST_F(Restart, AutomaticWindowsFromZero) {
  expect_same_end(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + 1"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {tolerance: 1.0e-5}
)yaml",
                  {1, 2, 5});
}

TEST_F(Restart, AutomaticWindowsAtSeveralParameterPoints) {
  expect_same_end(replaced(replaced(replaced(kAutomatic, "0.05", "nu"), "x: [0, 1]}", "x: [0, 1], nu: [0.05, 0.1]}"),
                           "x: 10}", "x: 10, nu: 2}"),
                  {2});
}

// Newton fails in windows of length 1 and 1/2 here: what is left of the halved window is the same after a restart.
TEST_F(Restart, InsideAHalvedWindow) {
  const std::string yaml = R"yaml(
domain: {t: [0, 3]}
unknowns: [u]
equations: ["dt(u) = -max(t - 1, 0)*u^3"]
initial: {u: "2"}
resolution: {degree: {t: 6}, domains: {t: 3}}
solver: {newton: {max_iterations: 2}}
verification: {tail: 1, residual: 1, tolerance: 1}
)yaml";
  expect_same_end(yaml, {1, 2, 3, 4});
}

TEST_F(Restart, TwiceInterrupted) {
  const RunOutcome whole = run_case(kBurgers);
  interrupted_after(kBurgers, 1);
  const RunOutcome second = interrupted_after(kBurgers, 2, true);
  ASSERT_EQ(second.status, ExitStatus::interrupted);
  EXPECT_EQ(second.solution.fields[0].windows.size(), 3u);
  expect_equal(continued(kBurgers), whole);
}

// The limit is of the whole run, not of what is done after the restart.
TEST_F(Restart, WindowsBeforeTheInterruptionCountForTheLimit) {
  const std::string few = replaced(kAutomatic, "tolerance: 1.0e-5", "limits: {windows: 4}, tolerance: 1.0e-5");
  ASSERT_EQ(run_case(few).status, ExitStatus::unresolved);
  ASSERT_EQ(interrupted_after(few, 2).status, ExitStatus::interrupted);
  const RunOutcome rest = continued(few);
  EXPECT_EQ(rest.status, ExitStatus::unresolved);
  EXPECT_EQ(rest.report.n_windows, 4);
}

TEST_F(Restart, JournalOfAnotherCaseIsRefused) {
  interrupted_after(kBurgers, 2);
  EXPECT_THROW(continued(replaced(kBurgers, "0.05", "0.06")), CaseError);
  EXPECT_TRUE(std::filesystem::exists(path_)) << "it still belongs to its own case";
  EXPECT_TRUE(continued(kBurgers).complete);
}

TEST_F(Restart, JournalInTheWayIsNotOverwrittenWithoutLeave) {
  interrupted_after(kBurgers, 2);
  RunControl control;
  control.journal = path_;
  EXPECT_THROW(run_case(kBurgers, control), OutputError);
  EXPECT_TRUE(std::filesystem::exists(path_));
  control.overwrite = true;
  EXPECT_TRUE(run_case(kBurgers, control).complete);
}

// With checksums that hold: what a record says has to fit the case before anything is made of it.
class ForgedRestart : public Restart {
 protected:
  using Change = std::function<void(JournalHeader&, std::vector<JournalWindow>&)>;
  // What is said of the journal of an interrupted run that was changed so.
  std::string refusal(const std::string& yaml, const Change& change) {
    std::filesystem::remove(path_);
    interrupted_after(yaml, 2);
    Journal journal = read_journal(path_);
    change(journal.scan.header, journal.windows);
    {
      JournalWriter writer(path_, journal.scan.header, true);
      for (const JournalWindow& window : journal.windows) writer.append(window);
    }
    try {
      return continued(yaml).complete ? "" : "not complete";
    } catch (const OutputError& error) {
      return error.what();
    }
  }
};

TEST_F(ForgedRestart, WindowsThatDoNotFitTheirCaseAreRefused) {
  using Windows = std::vector<JournalWindow>;
  EXPECT_EQ(refusal(kBurgers, [](JournalHeader&, Windows&) {}), "");
  const std::vector<std::pair<const char*, std::function<void(JournalWindow&)>>> forgeries = {
      {"unknowns are missing", [](JournalWindow& w) { w.fields.clear(); }},
      {"the coefficients of u",
       [](JournalWindow& w) {
         w.fields[0] = Array({7, 16});
       }},
      {"the coefficients of u",
       [](JournalWindow& w) {
         w.fields[0] = Array({0, 0});
       }},
      {"the coefficients of u", [](JournalWindow& w) { w.fields[0] = Array({1000}); }},
      {"the resolution along x", [](JournalWindow& w) { w.subdomains[1].degree = 2000000000; }},
      {"the resolution along x", [](JournalWindow& w) { w.subdomains[1].edges = {}; }},
      {"the resolution along t", [](JournalWindow& w) { w.subdomains[0].degree = -1; }},
      {"other dimensions", [](JournalWindow& w) { w.subdomains.pop_back(); }},
      {"does not follow", [](JournalWindow& w) { w.start -= 0.01; }},
      {"does not follow", [](JournalWindow& w) { w.end = 1e308; }},
      {"ends before it starts", [](JournalWindow& w) { w.end = std::nan(""); }},
      {"the next length", [](JournalWindow& w) { w.next_step = -1.0; }},
      {"the next length", [](JournalWindow& w) { w.next_step = std::nan(""); }},
      {"out of order", [](JournalWindow& w) { w.parameter_point = 1; }},
      {"out of order", [](JournalWindow& w) { w.parameter_point = -5; }},
      {"factorisations", [](JournalWindow& w) { w.n_factorisations = 2000000000; }},
      {"the state of the last window", [](JournalWindow& w) { w.fields[1] = Array({3}); }},
      {"the state of the last window", [](JournalWindow& w) { w.fields.resize(2); }},
      {"the state of the last window",
       [](JournalWindow& w) {
         w.fields[2] = Array({500, 500});
       }},
  };
  for (const auto& [why, forge] : forgeries) {
    const std::string said =
        refusal(kBurgers, [&, &forge = forge](JournalHeader&, Windows& windows) { forge(windows.back()); });
    EXPECT_NE(said.find(why), std::string::npos) << why << ": " << said;
  }
}

TEST_F(ForgedRestart, AnAutomaticRunHasTheDegreesOfItsLimits) {
  const auto with = [&](int degree, std::vector<double> edges) {
    return refusal(kAutomatic, [&](JournalHeader&, std::vector<JournalWindow>& windows) {
      AxisDescription& x = windows.back().subdomains[1];
      x.degree = degree;
      x.edges = edges.empty() ? x.edges : edges;
      Index n = (degree + 1) * x.n_subdomains();
      windows.back().fields[0] = Array({windows.back().fields[0].shape[0], n});
    });
  };
  EXPECT_NE(with(5000, {}).find("the resolution along x"), std::string::npos);
  EXPECT_NE(with(8, {0.0, 0.5, 0.5, 1.0}).find("the resolution along x"), std::string::npos);
  EXPECT_NE(with(8, {0.0, std::nan(""), 1.0}).find("the resolution along x"), std::string::npos);
  EXPECT_NE(with(8, {-3.0, 1.0}).find("the resolution along x"), std::string::npos);
  // A sound form, and states that belong to another.
  EXPECT_NE(with(8, {0.0, 0.5, 1.0}).find("the state of the last window"), std::string::npos);
}

TEST_F(ForgedRestart, RepeatsAreACountAndAFactor) {
  const auto with = [&](int n, double factor) {
    return refusal(kAutomatic, [&](JournalHeader& header, std::vector<JournalWindow>&) {
      header.n_repeats = n;
      header.tightening = factor;
    });
  };
  for (const auto& [n, factor] : std::vector<std::pair<int, double>>{
           {-2000000000, 1.0}, {0, 0.0}, {0, -1.0}, {0, std::nan("")}, {0, 1e300}, {2000000000, 1.0}})
    EXPECT_NE(with(n, factor).find("the head of the journal is not valid"), std::string::npos) << n << " " << factor;
}

TEST_F(Restart, WithoutAJournalIsAnError) {
  EXPECT_THROW(continued(kBurgers), OutputError);
}

TEST_F(Restart, FinishedRunsLeaveNoJournal) {
  RunControl control;
  control.journal = path_;
  EXPECT_TRUE(run_case(kBurgers, control).complete);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace gwrm::restart_test
