// The ranks that help: what they keep of each solver of rank 0, and how they answer it.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/errors.hpp"
#include "output/journal_bytes.hpp"
#include "problems/time_spectral/march_pass.hpp"
#include "problems/time_spectral/point_commands.hpp"
#include "problems/time_spectral/point_places.hpp"

namespace gwrm {
namespace {

SystemPlan plan_for(const SystemPlan& whole, const SolverTask& task) {
  SystemPlan plan = whole;
  if (task.products_on_points) plan.series.reset();
  return plan;
}

MarchSettings settings_for(const MarchSettings& whole, const SolverTask& task) {
  MarchSettings settings = whole;
  settings.newton = task.newton;
  settings.lends_factors = task.lends_factors;
  return settings;
}

// One solver of rank 0, as far as its points are here.
class Helper {
 public:
  Helper(const PointPlaces& places, const Context& context, const Model& model, const SystemPlan& plan,
         const MarchSettings& settings, const SolverTask& task, const std::vector<int>& rank_of,
         const std::function<bool()>& interrupted)
      : context_(task.points.size() > 1 ? context.single_threaded() : context),
        model_(with_parameter_degrees(model, task.subdomains)),
        plan_(plan_for(plan, task)),
        settings_(settings_for(settings, task)),
        points_(task.points),
        device_of_(devices_of_points(rank_of, places.sharing().team->rank(), 1 + places.devices().size())),
        server_(context, model_, plan_, settings_, points_, interrupted) {
    memory_.lends_factors = settings_.lends_factors;
    if (!places.devices().empty()) further_.emplace(places.devices(), model_, plan_, settings_, points_, interrupted);
  }

  // The window of the only point, and what it is solved with.
  std::unique_ptr<Window> set_up(const WindowTask& task) const {
    const PointTask& point = task.points.at(0);
    auto window = std::make_unique<Window>(context_, model_, plan_, task.subdomains, points_.at(point.point),
                                           task.start, task.end, point.state);
    window->change_x() = point.x;
    return window;
  }
  const NewtonOptions& newton() const { return settings_.newton; }
  DeviceSolver* device() const { return settings_.device.get(); }
  // Of windows on all ranks.
  SolverMemory& memory() { return memory_; }

  std::vector<PointAnswer> solve(const WindowTask& window, const std::vector<const PointTask*>& tasks) {
    std::vector<const PointTask*> own;
    std::vector<std::vector<const PointTask*>> of_devices(further_ ? further_->size() : 0);
    for (const PointTask* task : tasks) {
      const std::size_t device = device_of_.at(task->point);
      (device == 0 ? own : of_devices[device - 1]).push_back(task);
    }
    if (further_) further_->begin(window, std::move(of_devices));
    std::vector<PointAnswer> answers = server_.solve(window, own);
    if (further_)
      for (PointAnswer& answer : further_->finish()) answers.push_back(std::move(answer));
    return answers;
  }

 private:
  const Context context_;
  const Model model_;
  const SystemPlan plan_;
  const MarchSettings settings_;
  const std::vector<std::vector<double>> points_;
  const std::vector<std::size_t> device_of_;
  PointServer server_;
  std::optional<FurtherServers> further_;
  SolverMemory memory_;
};

// What became of opening it: a solver that cannot be had answers for its points all the same.
struct Opened {
  std::vector<int> rank_of;  // per point
  std::unique_ptr<Helper> helper;
  std::exception_ptr error;
};

std::vector<PointAnswer> answers_of(Opened& solver, const WindowTask& window,
                                    const std::vector<const PointTask*>& tasks) {
  std::exception_ptr error = solver.error;
  if (!error) {
    try {
      return solver.helper->solve(window, tasks);
    } catch (...) {
      error = std::current_exception();
    }
  }
  std::vector<PointAnswer> answers;
  for (const PointTask* task : tasks) answers.push_back({task->point, {}, {}, error});
  return answers;
}

}  // namespace

Team::Bytes command_bytes(int what, std::uint64_t solver, const Team::Bytes& bytes) {
  journal::Encoder out;
  out.integer(what);
  out.word(solver);
  Team::Bytes command = out.bytes();
  command.insert(command.end(), bytes.begin(), bytes.end());
  return command;
}

void serve_points(PointPlaces& places, const Context& context, const Model& model, const SystemPlan& plan,
                  const MarchSettings& settings, AnswerHelper& answer_helper, const std::function<bool()>& interrupted,
                  const std::exception_ptr& failed) {
  constexpr std::size_t kHead = 2 * journal::kWord;
  Team& team = *places.sharing().team;
  std::map<std::uint64_t, Opened> solvers;
  const auto open = [&](Opened& solver, const Team::Bytes& bytes) {
    try {
      const std::optional<SolverTask> task = solver_task_of(bytes, model.subdomains);
      if (!task) throw ShapeError(kOtherPrograms);
      solver.rank_of = deal_points(task->points.size(), places.sharing().shares);
      if (failed) std::rethrow_exception(failed);
      solver.helper =
          std::make_unique<Helper>(places, context, model, plan, settings, *task, solver.rank_of, interrupted);
    } catch (...) {
      solver.error = std::current_exception();
    }
  };
  const auto solve = [&](Opened& solver, const Team::Bytes& bytes) {
    const std::string from = fmt::format("rank {}: ", team.rank());
    try {
      const std::optional<WindowTask> window = window_task_of(bytes, model.subdomains);
      if (!window) throw ShapeError(kOtherPrograms);
      if (solver.error && solver.rank_of.empty()) std::rethrow_exception(solver.error);
      std::vector<const PointTask*> tasks;
      for (const PointTask& task : window->points)
        if (task.point < solver.rank_of.size() && solver.rank_of[task.point] == team.rank()) tasks.push_back(&task);
      if (tasks.empty()) return;
      team.send({0, bytes_of(answers_of(solver, *window, tasks), from)});
    } catch (...) {
      team.send({0, bytes_of({{0, {}, {}, std::current_exception()}}, from)});
    }
  };
  const auto share = [&](Opened& solver, const Team::Bytes& bytes) {
    PointAnswer answer;
    LinearMethod method = LinearMethod::tensor;
    std::unique_ptr<Window> window;
    try {
      const std::optional<WindowTask> task = window_task_of(bytes, model.subdomains);
      if (!task) throw ShapeError(kOtherPrograms);
      if (solver.error) std::rethrow_exception(solver.error);
      method = task->method;
      window = solver.helper->set_up(*task);
    } catch (...) {
      answer.error = std::current_exception();
    }
    bool is_solved = false;
    try {
      SolverMemory none;
      is_solved = solve_together(places.ranks(), window.get(), method,
                                 window ? solver.helper->newton() : NewtonOptions(), interrupted,
                                 window ? solver.helper->device() : nullptr, window ? solver.helper->memory() : none)
                      .has_value();
    } catch (...) {
      answer.error = std::current_exception();
    }
    if (is_solved)
      places.count_window();
    else
      team.send({0, bytes_of({answer}, fmt::format("rank {}: ", team.rank()))});
  };
  for (Team::Bytes command;; command.clear()) {
    team.broadcast(command);
    if (command.size() < kHead) return;
    const auto what = static_cast<int>(journal::word_at(command, 0));
    const std::uint64_t number = journal::word_at(command, journal::kWord);
    command.erase(command.begin(), command.begin() + kHead);
    if (what == kOpenSolver) open(solvers[number], command);
    if (what == kSolveWindow) solve(solvers[number], command);
    if (what == kPrepareTogether)
      prepare_together(places.ranks(), solvers[number].helper ? solvers[number].helper->device() : nullptr);
    if (what == kShareWindow) share(solvers[number], command);
    if (what == kCloseSolver) solvers.erase(number);
    answer_helper.serve(what, command, [&]() -> Communicator& { return places.ranks(); });
  }
}

}  // namespace gwrm
