// Points of collocated parameters in several places: ranks that are threads of this program, with queues in place of
// MPI, and a device that is there twice. What is compared is the run in one place, to the bit.
#include "problems/time_spectral/point_places.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "core/errors.hpp"
#include "problems/run_case.hpp"

namespace gwrm::point_places_test {
namespace {

using test::replaced;

// What the ranks have in common: broadcasts in their order, kept for all; messages to rank 0.
struct Post {
  explicit Post(int n) : n_ranks(n) {}
  const int n_ranks;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Team::Bytes> told;
  std::deque<Team::Message> sent;
};

class Thread : public Team {
 public:
  Thread(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return post_.n_ranks; }
  void broadcast(Bytes& bytes) override {
    std::unique_lock lock(post_.mutex);
    if (rank_ == 0) {
      post_.told.push_back(bytes);
      post_.changed.notify_all();
      return;
    }
    post_.changed.wait(lock, [&] { return post_.told.size() > n_heard_; });
    bytes = post_.told[n_heard_++];
  }
  void send(const Message& message) override {
    const std::lock_guard lock(post_.mutex);
    post_.sent.push_back(message);
  }
  std::optional<Message> receive() override {
    const std::lock_guard lock(post_.mutex);
    if (post_.sent.empty()) return std::nullopt;
    Message first = std::move(post_.sent.front());
    post_.sent.pop_front();
    return first;
  }

 private:
  Post& post_;
  const int rank_;
  std::size_t n_heard_ = 0;
};

RunControl shared_with(Team& team, const std::vector<int>& shares, std::vector<int> devices = {}) {
  RunControl control;
  control.sharing = RunSharing{&team, shares, std::move(devices)};
  return control;
}

// On so many ranks; the others stop at the first Newton step if told so.
RunOutcome run_on(const std::string& yaml, const std::vector<int>& shares, bool others_are_interrupted = false) {
  Post post(static_cast<int>(shares.size()));
  std::vector<std::jthread> others;
  for (int rank = 1; rank < post.n_ranks; ++rank)
    others.emplace_back([&, rank] {
      Thread team(post, rank);
      RunControl control = shared_with(team, shares);
      if (others_are_interrupted) control.interrupted = [] { return true; };
      make_problem(read_case_text(yaml, "test.yaml"))->help(Context::create(BackendChoice::cpu, 2), control);
    });
  Thread team(post, 0);
  struct End {
    Team& team;
    ~End() {
      Team::Bytes none;
      team.broadcast(none);
    }
  } end{team};
  return make_problem(read_case_text(yaml, "test.yaml"))
      ->run(Context::create(BackendChoice::cpu, 1), shared_with(team, shares));
}

void expect_same(const RunOutcome& a, const RunOutcome& b) {
  EXPECT_EQ(a.status, b.status) << a.report.reason;
  EXPECT_EQ(a.report.reason, b.report.reason);
  EXPECT_EQ(a.report.n_factorisations, b.report.n_factorisations) << "factors stay with their points";
  EXPECT_EQ(a.solution.window_edges, b.solution.window_edges);
  ASSERT_EQ(a.solution.fields.size(), b.solution.fields.size());
  for (std::size_t f = 0; f < a.solution.fields.size(); ++f) {
    ASSERT_EQ(a.solution.fields[f].windows.size(), b.solution.fields[f].windows.size());
    for (std::size_t w = 0; w < a.solution.fields[f].windows.size(); ++w)
      EXPECT_EQ(a.solution.fields[f].windows[w].data, b.solution.fields[f].windows[w].data);
  }
  ASSERT_EQ(a.report.newton.size(), b.report.newton.size());
  for (std::size_t i = 0; i < a.report.newton.size(); ++i) {
    EXPECT_EQ(a.report.newton[i].parameter_point, b.report.newton[i].parameter_point);
    EXPECT_EQ(a.report.newton[i].correction, b.report.newton[i].correction);
  }
  ASSERT_EQ(a.report.verification.checks.size(), b.report.verification.checks.size());
  for (std::size_t i = 0; i < a.report.verification.checks.size(); ++i)
    EXPECT_EQ(a.report.verification.checks[i].value, b.report.verification.checks[i].value);
}

// The linear equation keeps its factors from window to window, in the run and in the estimate.
const std::string kHeat = R"yaml(
domain: {t: [0, 1], x: [0, 1], p: [0.5, 2]}
unknowns: [u]
equations: ["dt(u) = p*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 12, p: 4}, domains: {t: 3}}
verification: {tolerance: 1e-3}
)yaml";
const std::string kLorenz = R"yaml(
domain: {t: [0, 1], F: [7, 9]}
unknowns: [X, Y, Z]
equations: ["dt(X) = -Y^2 - Z^2 - X/4 + F/4", "dt(Y) = X*Y - 4*X*Z - Y + 1", "dt(Z) = 4*X*Y + X*Z - Z"]
initial: {X: "0.96", Y: "-1.1", Z: "0.5"}
resolution: {tolerance: 1e-6}
)yaml";
// 1/(1/p - t): for p > 1 there is no answer up to the end.
const std::string kBlowUp = R"yaml(
domain: {t: [0, 1], p: [0.1, 1.4]}
unknowns: [u]
equations: ["dt(u) = u^2"]
initial: {u: "p"}
resolution: {degree: {t: 12, p: 5}, domains: {t: 2}}
)yaml";

TEST(PointPlaces, PointsAreDealtOutByTheSharesOfTheRanks) {
  EXPECT_EQ(deal_points(5, {1}), (std::vector<int>{0, 0, 0, 0, 0}));
  EXPECT_EQ(deal_points(5, {1, 1}), (std::vector<int>{1, 0, 1, 0, 1})) << "rank 0 has other things to do, too";
  EXPECT_EQ(deal_points(6, {1, 2}), (std::vector<int>{1, 0, 1, 1, 0, 1}));
  EXPECT_EQ(deal_points(3, {0, 1, 1}), (std::vector<int>{2, 1, 2}));
  EXPECT_EQ(deal_points(2, {1, 1, 1, 1}), (std::vector<int>{3, 2}));
}

TEST(PointPlaces, RanksGiveTheBitsOfOneProcess) {
  for (const std::string& yaml : {kHeat, kLorenz, kBlowUp}) {
    const RunOutcome alone = test::run_case(yaml);
    for (const std::vector<int>& shares :
         {std::vector<int>{1}, {1, 1}, {1, 3}, {0, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}})
      expect_same(run_on(yaml, shares), alone);
  }
}

TEST(PointPlaces, AnInterruptedRankInterruptsTheRun) {
  const RunOutcome outcome = run_on(kHeat, {1, 1, 1}, true);
  EXPECT_EQ(outcome.status, ExitStatus::interrupted);
  EXPECT_FALSE(outcome.complete);
}

TEST(PointPlaces, ARankThatCannotBeginIsAnErrorOfTheRun) {
  Post post(2);
  std::jthread other([&] {  // answers as one that has no memory
    Thread team(post, 1);
    const Case the_case = read_case_text(kHeat, "test.yaml");
    const Context context = Context::create(BackendChoice::cpu, 1);
    const Model model = build_model(the_case);
    const SystemPlan plan(model);
    PointPlaces places(*shared_with(team, {1, 1}).sharing, context, false, 0.0);
    AnswerHelper answer(the_case);
    serve_points(places, context, model, plan, {}, answer, {}, std::make_exception_ptr(std::bad_alloc()));
  });
  Thread team(post, 0);
  try {
    make_problem(read_case_text(kHeat, "test.yaml"))
        ->run(Context::create(BackendChoice::cpu, 1), shared_with(team, {1, 1}));
    ADD_FAILURE() << "no error";
  } catch (const MemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1: out of memory"), std::string::npos) << error.what();
  }
  Team::Bytes none;
  team.broadcast(none);
}

TEST(PointTask, ComesBackToTheBit) {
  WindowTask task{LinearMethod::tensor, -0.25, 1.0 / 3.0, {{3, {0, 0.5, 1}}, {0, {-1, 1}}}, {}};
  Array values(Shape{1, 2});
  values.data = {-0.0, std::numeric_limits<double>::denorm_min()};
  task.points = {{4, {{values}, {}}, {1.0 / 7.0, -1e300}}, {0, {}, {}}};
  const std::vector<AxisDescription> like = {{9, {0, 1}, MapKind::log}, {1, {-1, 1}}};
  const std::optional<WindowTask> back = window_task_of(bytes_of(task), like);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->method, LinearMethod::tensor);
  EXPECT_EQ(back->end, 1.0 / 3.0);
  EXPECT_EQ(back->subdomains[0], (AxisDescription{3, {0, 0.5, 1}, MapKind::log})) << "the map is that of the case";
  ASSERT_EQ(back->points.size(), 2u);
  EXPECT_EQ(back->points[0].point, 4u);
  EXPECT_TRUE(std::signbit(back->points[0].state[0][0].data[0]));
  EXPECT_EQ(back->points[0].state[0][0].data, values.data);
  EXPECT_TRUE(back->points[0].state[1].empty());
  EXPECT_EQ(back->points[0].x, (std::vector<double>{1.0 / 7.0, -1e300}));
  Team::Bytes cut = bytes_of(task);
  cut.resize(cut.size() - 8);
  EXPECT_FALSE(window_task_of(cut, like));

  std::vector<PointAnswer> answers(3);
  answers[0].point = 2;
  answers[0].newton = {NewtonStatus::singular, {{1.0, 2.0, 0.5, 7}}, 3, 1e-17, 0.25, "of u"};
  answers[0].x = {0.1};
  answers[1].error = std::make_exception_ptr(MemoryError("no room"));
  answers[2].error = std::make_exception_ptr(CaseError("no such thing"));
  const auto heard = point_answers_of(bytes_of(answers, "rank 3: "));
  ASSERT_TRUE(heard && heard->size() == 3u);
  EXPECT_EQ((*heard)[0].newton.status, NewtonStatus::singular);
  EXPECT_EQ((*heard)[0].newton.iterations[0].linear_iterations, 7);
  EXPECT_EQ((*heard)[0].newton.detail, "of u");
  EXPECT_EQ((*heard)[0].x, std::vector<double>{0.1});
  EXPECT_THROW(std::rethrow_exception((*heard)[1].error), MemoryError);
  try {
    std::rethrow_exception((*heard)[2].error);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::usage);
    EXPECT_STREQ(error.what(), "rank 3: no such thing");
  }
}

// Two places on one device, with threads, streams and memory of their own: as on two devices.
class DevicePoints : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
  }
  static void expect_same_on_two(const std::string& yaml) {
    const auto run = [&](const RunControl& control) {
      return make_problem(read_case_text(yaml, "test.yaml"))->run(Context::create(BackendChoice::cuda, 1), control);
    };
    Team alone;
    const RunOutcome one = run({});
    EXPECT_TRUE(one.complete) << one.report.reason;
    expect_same(run(shared_with(alone, {1}, {0, 0})), one);
    expect_same(run(shared_with(alone, {1}, {0, 0, 0})), one);
  }
};

TEST_F(DevicePoints, TensorSolver) {
  expect_same_on_two(R"yaml(
domain: {t: [0, 0.2], x: [0, 1], y: [0, 1], nu: [0.05, 0.1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*(dx(u,2) + dy(u,2))"]
initial: {u: "sin(pi*x)*sin(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 6, x: 14, y: 12, nu: 4}, domains: {t: 2}}
solver: {linear: tensor}
verification: {tolerance: 1e-2}
)yaml");
}

TEST_F(DevicePoints, DenseSolver) {
  expect_same_on_two(replaced(kHeat, "resolution:", "solver: {linear: dense}\nresolution:"));
}

}  // namespace
}  // namespace gwrm::point_places_test
