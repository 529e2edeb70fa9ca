#include <algorithm>
#include <utility>

#include "api/callbacks.hpp"
#include "api/data.hpp"
#include "api/study_text.hpp"
#include "core/team.hpp"
#include "core/threads.hpp"
#include "output/hdf5_file.hpp"
#include "problems/convergence/study.hpp"
#include "problems/registry.hpp"

namespace gwrm::api {
namespace {

// {x: [8, 12, 16]} in place of the case's own list.
std::vector<gwrm::Override> varied_overrides(const std::vector<Override>& vary) {
  if (vary.empty()) return {};
  std::string map;
  for (const Override& varied : vary) map += (map.empty() ? "\"" : ", \"") + varied.key + "\": " + varied.value;
  return {{"convergence.vary", "{" + map + "}"}};
}

}  // namespace

Study::Study(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Study Case::converge(const std::vector<Override>& vary, const RunOptions& options) const {
  return with_public_errors([&] {
    const Turn turn;
    const ReadAgain read = [&, varied = varied_overrides(vary)](const std::vector<gwrm::Override>& changes) {
      std::vector<gwrm::Override> all = varied;
      all.insert(all.end(), changes.begin(), changes.end());
      return data_->source.read(all);
    };
    const gwrm::Case base = read({});
    const StudyPlan plan = plan_study(problem_modules(), base, read);
    Team alone;
    Callbacks callbacks(options);
    ConvergenceStudy study = run_study(
        alone, problem_modules(), base, plan,
        {to_choice(options.backend, base), std::min(options.threads, available_cores()), 0}, callbacks.control());
    callbacks.rethrow();
    return Study(std::make_shared<const Study::Data>(Study::Data{std::move(study)}));
  });
}

int Study::exit_status() const {
  return static_cast<int>(status_of(data_->study));
}

const std::vector<std::string>& Study::keys() const {
  return data_->study.keys;
}

const std::string& Study::size_name() const {
  return data_->study.size_name;
}

const std::string& Study::measure() const {
  return data_->study.measure;
}

std::vector<StudyLevel> Study::levels() const {
  std::vector<StudyLevel> levels;
  for (const gwrm::StudyLevel& level : data_->study.levels)
    levels.push_back({level.values, level.size, level.exit_status, level.status, level.reason, level.error, level.order,
                      level.rate, level.fitted, level.at_floor, level.is_reference, level.n_unknowns,
                      level.wall_seconds});
  return levels;
}

const std::string& Study::law() const {
  return data_->study.law;
}

double Study::algebraic_order() const {
  return data_->study.algebraic.rate;
}

double Study::exponential_rate() const {
  return data_->study.exponential.rate;
}

double Study::floor() const {
  return data_->study.floor;
}

const std::string& Study::statement() const {
  return data_->study.statement;
}

bool Study::passed() const {
  return data_->study.passed;
}

std::string Study::report() const {
  return study_text(data_->study);
}

void Study::write(const std::string& path, bool overwrite) const {
  with_public_errors([&] {
    const Turn turn;
    check_output_path(path, overwrite);
    write_convergence_study(path, data_->study, overwrite);
  });
}

}  // namespace gwrm::api
