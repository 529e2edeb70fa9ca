#include <algorithm>
#include <mutex>
#include <utility>

#include "api/callbacks.hpp"
#include "api/data.hpp"
#include "api/run_steps.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "problems/convergence/manufactured.hpp"
#include "problems/registry.hpp"

namespace gwrm::api {

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

gwrm::Case CaseSource::read(const std::vector<gwrm::Override>& changes) const {
  std::vector<gwrm::Override> all;
  for (const Override& change : overrides) all.push_back({change.key, change.value, "override"});
  all.insert(all.end(), changes.begin(), changes.end());
  const gwrm::Case the_case = read_case_text(text, name, all);
  return manufactured ? gwrm::manufactured(problem_modules(), the_case) : the_case;
}

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
  return with_public_errors([&] { return Case(std::make_shared<const Data>(CaseSource{text, name, overrides})); });
}

Case Case::from_file(const std::string& path, const std::vector<Override>& overrides) {
  return with_public_errors([&] {
    return Case(std::make_shared<const Data>(CaseSource{read_case_file(path), path, overrides}));
  });
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
    Summary result{
        summary.lines,   {}, summary.conditions, summary.n_unknowns, summary.memory_bytes, summary.linear_solver,
        summary.warnings};
    for (const PrintedExpression& printed : summary.system)
      result.system.push_back({printed.name, printed.text, printed.latex});
    return result;
  });
}

Case Case::manufactured() const {
  return with_public_errors([&] {
    CaseSource source = data_->source;
    source.manufactured = true;
    return Case(std::make_shared<const Data>(std::move(source)));
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
    RunOutcome outcome = problem->run(context, callbacks.control());
    callbacks.rethrow();
    warn_of_values_not_finite(outcome);
    warn_of_missing_errors(the_case, outcome);
    return Result(std::make_shared<const Result::Data>(Result::Data{the_case, std::move(outcome)}));
  });
}

}  // namespace gwrm::api
