#include "problems/convergence/levels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

bool is_dimension(const Case& base, const std::string& key) {
  return std::any_of(base.domain.begin(), base.domain.end(),
                     [&](const AxisCase& axis) { return axis.axis.name == key; });
}

// A dimension alone means how finely its module resolves it.
std::string key_path(const Case& base, const std::string& key) {
  if (!is_dimension(base, key)) return key;
  if (base.problem == "recurrence_bvp") return "recurrence.intervals";
  if (base.problem == "sbp_sat_poisson") return "sbp_sat.intervals." + key;
  return "resolution.degree." + key;
}

// Only errors are wanted: no sampling beyond what they are made of.
std::vector<Override> changes_of_every_run(const Case& base) {
  std::vector<Override> changes = {{"output.statistics", "none"}, {"output.coefficients", "all"}};
  if (base.problem == "time_spectral")
    changes.push_back({"output.fields", "{}"});
  else
    changes.push_back({"output.fields", fmt::format("{{{0}: {0}}}", base.unknowns.front().name)});
  // Points that coarse and fine grids share.
  if (base.problem == "recurrence_bvp")
    changes.push_back({"output.grid", fmt::format("{{{}: 1025}}", base.domain.front().axis.name)});
  // One number for both dimensions has no place for that of one of them.
  const bool varies_dimension = std::any_of(base.convergence.vary.begin(), base.convergence.vary.end(),
                                            [&](const VariedKey& varied) { return is_dimension(base, varied.key); });
  if (base.problem == "sbp_sat_poisson" && varies_dimension) {
    std::string intervals;
    for (std::size_t d = 0; d < base.domain.size(); ++d)
      intervals += fmt::format("{}{}: [{}]", d == 0 ? "" : ", ", base.domain[d].axis.name,
                               fmt::join(base.sbp_sat.intervals[d], ", "));
    changes.push_back({"sbp_sat.intervals", "{" + intervals + "}"});
  }
  return changes;
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

StudyPlan plan_study(const Case& base, const ReadAgain& read) {
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
    const std::string path = key_path(base, leading->key);
    plan.size_name = leading->key;
    plan.refines_degree = path.rfind("resolution.degree", 0) == 0;
    plan.is_tolerance = path == "resolution.tolerance";
  }
  for (std::size_t i = 0; i < n_runs; ++i) {
    std::vector<Override> changes = changes_of_every_run(base);
    StudyRun run;
    for (const VariedKey& varied : vary) {
      run.values.push_back(varied.values[varied.values.size() == 1 ? 0 : i]);
      changes.push_back({key_path(base, varied.key), run.values.back()});
    }
    run.size = leading == nullptr ? static_cast<double>(i + 1) : leading->sizes[i];
    run.problem = read(changes);
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

ConvergenceMeasure measure_of(const Case& base) {
  const ConvergenceMeasure asked = base.convergence.measure;
  const auto fail = [&](const std::string& what) {
    throw CaseError(base.path + ": error: convergence.measure: " + what);
  };
  const bool against_exact = asked == ConvergenceMeasure::error_max || asked == ConvergenceMeasure::error_l2 ||
                             asked == ConvergenceMeasure::error_h;
  if (against_exact && base.exact.empty()) fail("errors need the section `exact`; without it choose self");
  if (asked == ConvergenceMeasure::error_h && base.problem != "sbp_sat_poisson")
    fail("error_h is that of problem: sbp_sat_poisson; choose error_l2");
  if (asked == ConvergenceMeasure::value && base.verification.values.empty())
    fail("`value` needs known values in verification.values");
  const bool to_finest =
      asked == ConvergenceMeasure::self || (asked == ConvergenceMeasure::automatic && base.exact.empty());
  if (base.continuation.active() && to_finest) {
    if (asked == ConvergenceMeasure::automatic && !base.verification.values.empty()) return ConvergenceMeasure::value;
    fail("two branches have no points in common: give `exact` or verification.values");
  }
  if (asked != ConvergenceMeasure::automatic) return asked;
  if (base.exact.empty()) return ConvergenceMeasure::self;
  // The norms in which the papers of these two tell their errors.
  if (base.problem == "sbp_sat_poisson") return ConvergenceMeasure::error_h;
  if (base.problem == "recurrence_bvp") return ConvergenceMeasure::error_l2;
  return ConvergenceMeasure::error_max;
}

}  // namespace gwrm
