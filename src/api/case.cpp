#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

#include "api/data.hpp"
#include "api/run_steps.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "problems/registry.hpp"

namespace gwrm::api {
namespace {

std::vector<gwrm::Override> to_overrides(const std::vector<Override>& given) {
  std::vector<gwrm::Override> overrides;
  for (const Override& change : given) overrides.push_back({change.key, change.value});
  return overrides;
}

BackendChoice to_choice(Backend backend, const gwrm::Case& the_case) {
  switch (backend) {
    case Backend::automatic:
      return BackendChoice::automatic;
    case Backend::cpu:
      return BackendChoice::cpu;
    case Backend::cuda:
      return BackendChoice::cuda;
    case Backend::of_case:
      break;
  }
  return the_case.backend;
}

// The caller's functions as the run may call them: one at a time, and without exceptions, which must not leave a
// parallel loop.
class Callbacks {
 public:
  explicit Callbacks(const RunOptions& options) : options_(options) {}

  void progress(double done, const std::string& note) {
    guarded([&] { options_.progress(done, note); });
  }

  bool stop() {
    bool wanted = false;
    if (options_.interrupted) guarded([&] { wanted = options_.interrupted(); });
    const std::lock_guard lock(mutex_);
    return wanted || thrown_ != nullptr;
  }

  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  void guarded(const std::function<void()>& call) {
    const std::lock_guard lock(mutex_);
    if (thrown_ != nullptr) return;
    try {
      call();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  const RunOptions& options_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace

std::string version() {
  return gwrm::version();
}

Error::Error(int exit_status, const std::string& text, std::string file, int line, int column, std::string message)
    : std::runtime_error(text),
      exit_status_(exit_status),
      line_(line),
      column_(column),
      file_(std::move(file)),
      message_(std::move(message)) {}

Error::~Error() = default;

std::mutex& Turn::mutex() {
  static std::mutex one_at_a_time;
  return one_at_a_time;
}

Case::Case(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Case Case::from_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  return with_public_errors(
      [&] { return Case(std::make_shared<const Data>(Data{read_case_text(text, name, to_overrides(overrides))})); });
}

Case Case::from_file(const std::string& path, const std::vector<Override>& overrides) {
  return with_public_errors(
      [&] { return Case(std::make_shared<const Data>(Data{read_case(path, to_overrides(overrides))})); });
}

const std::string& Case::title() const {
  return data_->the_case.title;
}

const std::string& Case::text() const {
  return data_->the_case.resolved_text;
}

const std::string& Case::output_file() const {
  return data_->the_case.output.file;
}

Summary Case::check() const {
  return with_public_errors([&] {
    const Turn turn;
    const gwrm::Summary summary = make_problem(data_->the_case)->summary();
    Summary result{summary.lines,   {}, summary.n_unknowns, summary.memory_bytes, summary.linear_solver,
                   summary.warnings};
    for (const PrintedExpression& printed : summary.system) result.system.emplace_back(printed.name, printed.text);
    return result;
  });
}

Result Case::run(const RunOptions& options) const {
  return with_public_errors([&] {
    const Turn turn;
    const gwrm::Case& the_case = data_->the_case;
    check_output_names(the_case);
    const auto problem = make_problem(the_case);
    const Context context = context_for(problem->summary(), to_choice(options.backend, the_case),
                                        std::min(options.threads, available_cores()));
    Callbacks callbacks(options);
    RunControl control;
    if (options.progress)
      control.progress = [&](double done, const std::string& note) { callbacks.progress(done, note); };
    control.interrupted = [&] { return callbacks.stop(); };
    RunOutcome outcome = problem->run(context, control);
    callbacks.rethrow();
    warn_of_values_not_finite(outcome);
    warn_of_missing_errors(the_case, outcome);
    return Result(std::make_shared<const Result::Data>(Result::Data{the_case, std::move(outcome)}));
  });
}

}  // namespace gwrm::api
