// The estimate of the error behind the march, on a thread of its own, against the same in line.
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "core/threads.hpp"
#include "run_case.hpp"

namespace gwrm::error_follower_test {
namespace {

using test::expect_holds;
using test::run_case;

constexpr const char* kLinear = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*(1 + x)*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 60}, domains: {t: 30}}
)yaml";

const std::string kNonlinear = std::string(test::kMovingFront) + R"yaml(
resolution: {degree: {t: 8, x: 36}, domains: {t: 6}}
)yaml";

constexpr const char* kAutomatic = R"yaml(
domain: {t: [0, 30]}
unknowns: [u, v]
equations: ["dt(u) = v", "dt(v) = 4*(1 - u^2)*v - u"]
initial: {u: "2", v: "0"}
resolution: {tolerance: 1.0e-6}
)yaml";

// With so many spare threads for as long as it lives.
class Spare {
 public:
  explicit Spare(int n_threads) : before_(spare_threads()) { set_spare_threads(n_threads); }
  ~Spare() { set_spare_threads(before_); }
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;

 private:
  int before_;
};

struct Watched {
  RunOutcome outcome;
  int asked = 0;          // whether the run is to stop
  bool here_only = true;  // in the thread that began it
};

Watched run_with(int n_spare, const std::string& yaml, int stop_after = 1 << 30) {
  const Spare spare(n_spare);
  std::atomic<int> asked = 0;
  std::atomic<bool> here_only = true;
  RunControl control;
  control.interrupted = [&, beginner = std::this_thread::get_id()] {
    if (std::this_thread::get_id() != beginner) here_only = false;
    return ++asked > stop_after;
  };
  RunOutcome outcome = run_case(yaml, control);
  return {std::move(outcome), asked, here_only};
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const RunOutcome& a, const RunOutcome& b) {
  ASSERT_TRUE(a.complete && b.complete) << a.report.reason << b.report.reason;
  ASSERT_EQ(a.solution.n_windows(), b.solution.n_windows());
  for (std::size_t f = 0; f < a.solution.fields.size(); ++f)
    for (std::size_t w = 0; w < a.solution.fields[f].windows.size(); ++w)
      EXPECT_TRUE(same_bits(a.solution.fields[f].windows[w].data, b.solution.fields[f].windows[w].data))
          << f << " " << w;
  const ErrorEstimate &one = a.report.verification.estimate, &other = b.report.verification.estimate;
  ASSERT_EQ(one.status, ErrorEstimate::Status::made);
  ASSERT_EQ(other.status, ErrorEstimate::Status::made);
  ASSERT_EQ(one.fields.size(), other.fields.size());
  for (std::size_t f = 0; f < one.fields.size(); ++f) {
    const FieldError &first = one.fields[f], &second = other.fields[f];
    EXPECT_GT(first.largest, 0.0);
    EXPECT_TRUE(
        same_bits({first.largest, first.at_end, first.rounding}, {second.largest, second.at_end, second.rounding}));
    EXPECT_TRUE(same_bits(first.at, second.at));
  }
}

TEST(ErrorFollower, GivesOnItsThreadWhatItGivesInLine) {
  for (const std::string& yaml : {std::string(kLinear), kNonlinear, std::string(kAutomatic)}) {
    SCOPED_TRACE(yaml);
    const Watched in_line = run_with(0, yaml), on_thread = run_with(1, yaml), again = run_with(1, yaml);
    expect_same(in_line.outcome, on_thread.outcome);
    expect_same(on_thread.outcome, again.outcome);
    EXPECT_TRUE(in_line.here_only);
    EXPECT_TRUE(on_thread.here_only);
    // Every Newton step asks, those of the estimate only in line.
    if (yaml == kLinear) {
      EXPECT_LT(on_thread.asked, in_line.asked - 30);
    }
  }
}

// Enough for the march, too little for the finer windows: the thread finds out.
TEST(ErrorFollower, IsMissingOnItsThreadWithoutMemory) {
  const std::string unsampled = std::string(kLinear) + "output: {fields: {}}\n";
  const std::size_t needed = make_problem(read_case_text(unsampled, "test.yaml"))->summary().memory_bytes;
  const std::string limited =
      unsampled + fmt::format("solver: {{memory: {:.17g}}}\n", 1.001e-9 * static_cast<double>(needed));
  for (int n_spare : {0, 1}) {
    const RunOutcome outcome = run_with(n_spare, limited).outcome;
    EXPECT_TRUE(outcome.complete) << outcome.report.reason;
    EXPECT_EQ(outcome.report.verification.estimate.status, ErrorEstimate::Status::missing);
    expect_holds(outcome.report.verification.estimate.reason, "not enough memory");
    EXPECT_STREQ(outcome.report.verification.verdict(), "NOT ESTIMATED");
    EXPECT_EQ(outcome.status, ExitStatus::not_estimated);
    EXPECT_EQ(outcome.report.status, "error not estimated");
    EXPECT_EQ(outcome.report.reason, outcome.report.verification.estimate.reason);
  }
}

TEST(ErrorFollower, EndsWithAnInterruptedRun) {
  const RunOutcome outcome = run_with(1, kLinear, 20).outcome;
  EXPECT_EQ(outcome.status, ExitStatus::interrupted);
  EXPECT_FALSE(outcome.complete);
}

}  // namespace
}  // namespace gwrm::error_follower_test
