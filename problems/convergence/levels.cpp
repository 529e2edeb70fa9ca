#include "problems/convergence/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

bool is_dimension(const Case& base, const std::string& key) {
  return std::any_of(base.domain.begin(), base.domain.end(),
                     [&](const AxisCase& axis) { return axis.axis.name == key; });
}

// A dimension alone means how finely its module resolves it.
std::string key_path(const ProblemModule& module, const Case& base, const std::string& key) {
  return is_dimension(base, key) ? module.section().resolution_key(key) : key;
}

// Only errors are wanted: no sampling beyond what they are made of, and no estimates of them.
std::vector<Override> changes_of_every_run(const ProblemModule& module, const Case& base) {
  std::vector<Override> changes = {{"output.statistics", "none"},
                                   {"output.coefficients", "all"},
                                   {"output.error", "off"},
                                   {"verification.estimate", "off"}};
  for (const Override& change : module.changes_of_study(base)) changes.push_back(change);
  return changes;
}

// The module that alone has this error; null pointer for those of all modules.
const ProblemModule* owner_of(const ProblemModules& modules, const std::string& measure) {
  for (const auto& module : modules.list()) {
    const std::vector<std::string> own = module->section().measures();
    if (std::find(own.begin(), own.end(), measure) != own.end()) return module.get();
  }
  return nullptr;
}

bool is_monotonic(const std::vector<double>& sizes) {
  if (sizes.size() < 2) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] > 0.0) || !std::isfinite(sizes[i])) return false;
    if (i > 0 && (sizes[i] == sizes[i - 1] || (sizes[i] > sizes[i - 1]) != (sizes[1] > sizes[0]))) return false;
  }
  return true;
}

}  // namespace

StudyPlan plan_study(const ProblemModules& modules, const Case& base, const ReadAgain& read) {
  const ProblemModule& module = modules.of(base);
  const std::vector<VariedKey>& vary = base.convergence.vary;
  if (vary.empty())
    throw CaseError(base.path +
                    ": error: nothing to vary: give the runs as convergence: {vary: {x: [8, 12, 16]}}, or with "
                    "--vary x=8,12,16");
  std::size_t n_runs = 1;
  for (const VariedKey& varied : vary) n_runs = std::max(n_runs, varied.values.size());
  if (n_runs < 2)
    throw_case_error(vary.front().where, 0, "a study needs two runs or more: give several values, as x: [8, 12, 16]");

  StudyPlan plan;
  plan.size_name = "run";
  const VariedKey* leading = nullptr;
  for (const VariedKey& varied : vary) {
    plan.keys.push_back(varied.key);
    if (leading == nullptr && is_monotonic(varied.sizes)) leading = &varied;
  }
  if (leading != nullptr) {
    plan.size_name = leading->key;
    plan.varied_size = module.varied_size(key_path(module, base, leading->key));
  }
  for (std::size_t i = 0; i < n_runs; ++i) {
    std::vector<Override> changes = changes_of_every_run(module, base);
    StudyRun run;
    for (const VariedKey& varied : vary) {
      run.values.push_back(varied.values[varied.values.size() == 1 ? 0 : i]);
      changes.push_back({key_path(module, base, varied.key), run.values.back()});
    }
    run.size = leading == nullptr ? static_cast<double>(i + 1) : leading->sizes[i];
    run.the_case = read(changes);
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

std::string measure_of(const ProblemModules& modules, const Case& base) {
  const std::string& asked = base.convergence.measure;
  const auto fail = [&](const std::string& what) {
    throw CaseError(base.path + ": error: convergence.measure: " + what);
  };
  const ProblemModule &module = modules.of(base), *owner = owner_of(modules, asked);
  const bool against_exact = asked == "error_max" || asked == "error_l2" || owner != nullptr;
  if (against_exact && base.exact.empty()) fail("errors need the section `exact`; without it choose self");
  if (owner != nullptr && owner != &module)
    fail(fmt::format("{} is that of problem: {}; choose error_l2", asked, owner->section().name()));
  if (asked == "value" && base.verification.values.empty()) fail("`value` needs known values in verification.values");
  const bool to_finest = asked == "self" || (asked == "auto" && base.exact.empty());
  if (base.continuation.active() && to_finest) {
    if (asked == "auto" && !base.verification.values.empty()) return "value";
    fail("two branches have no points in common: give `exact` or verification.values");
  }
  if (asked != "auto") return asked;
  return base.exact.empty() ? "self" : module.measure_of_study();
}

}  // namespace gwrm
