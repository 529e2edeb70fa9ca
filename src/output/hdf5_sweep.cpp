// The file of a sweep, made from its journal in passes: the first collects the numbers of the runs and the form of
// their fields, the others the fields themselves, as many at a time as fit.
#include <functional>
#include <limits>

#include "core/errors.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_provenance.hpp"
#include "output/hdf5_statistics.hpp"
#include "output/hdf5_sweep.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/sweep_file.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

template <class Value, class Member>
std::vector<Value> run_column(const std::vector<SweepRun>& runs, Member member) {
  std::vector<Value> values;
  values.reserve(runs.size());
  for (const SweepRun& run : runs) values.push_back(static_cast<Value>(run.*member));
  return values;
}

void write_attributes(hid_t root, const SweepOverview& all, const SweepProvenance& provenance) {
  std::vector<std::string> keys;
  for (const SweptDimension& dimension : all.header.points.dimensions)
    for (const SweptKey& key : dimension.keys) keys.push_back(key.key);
  write_attribute(root, "Conventions", "CF-1.8");
  write_provenance(root, {provenance.title, provenance.command, provenance.device, provenance.case_text}, "sweep",
                   kSweepVersion, keys);
}

void write_runs(hid_t root, SweepScales& scales, const std::vector<SweepRun>& runs) {
  const auto numbers = [&](const char* name, const char* long_name, const std::vector<double>& values) {
    const Handle dataset = write_compressed(root, name, scales.dims(), values);
    write_attribute(dataset, "long_name", long_name);
    scales.attach_to(dataset);
  };
  const auto integers = [&](const char* name, const char* long_name, auto member) {
    const Handle dataset = write_table(root, name, scales.dims(), std::span<const int>(run_column<int>(runs, member)));
    write_attribute(dataset, "long_name", long_name);
    scales.attach_to(dataset);
  };
  const auto texts = [&](const char* name, const char* long_name, std::string SweepRun::*member) {
    const Handle dataset =
        write_table(root, name, scales.dims(), std::span<const std::string>(run_column<std::string>(runs, member)));
    write_attribute(dataset, "long_name", long_name);
    scales.attach_to(dataset);
  };
  integers("exit_status", "exit status of the run; -1: not run", &SweepRun::exit_status);
  texts("status", "how the run ended", &SweepRun::status);
  texts("reason", "why it has no verified answer", &SweepRun::reason);
  texts("verdict", "of the verification: PASS, FAIL or NOT ESTIMATED", &SweepRun::verdict);
  numbers("n_unknowns", "unknowns of a linear system", run_column<double>(runs, &SweepRun::n_unknowns));
  integers("n_newton_iterations", "Newton iterations", &SweepRun::n_newton_iterations);
  integers("n_linear_iterations", "iterations of the linear solver", &SweepRun::n_linear_iterations);
  integers("n_windows", "windows in time", &SweepRun::n_windows);
  numbers("wall_seconds", "seconds of the run", run_column<double>(runs, &SweepRun::wall_seconds));
}

// What the runs have a list of (estimates, goals, checks) as a table with a last dimension for its names: those of the
// first run that has any, then what others have besides.
template <class Item>
class NamedLists {
 public:
  using Name = std::function<std::string(const Item&)>;
  NamedLists(const std::vector<SweepRun>& runs, std::vector<Item> SweepRun::*list, Name name)
      : runs_(runs), list_(list), name_(std::move(name)) {
    for (const SweepRun& run : runs)
      for (const Item& item : run.*list)
        if (places_.emplace(name_(item), items_.size()).second) items_.push_back(item);
  }
  const std::vector<Item>& items() const { return items_; }
  std::vector<double> values(double Item::*member) const {
    std::vector<double> values(runs_.size() * items_.size(), kNone);
    for (std::size_t i = 0; i < runs_.size(); ++i)
      for (const Item& item : runs_[i].*list_) values[i * items_.size() + places_.at(name_(item))] = item.*member;
    return values;
  }

 private:
  const std::vector<SweepRun>& runs_;
  std::vector<Item> SweepRun::*list_;
  Name name_;
  std::vector<Item> items_;
  std::map<std::string, std::size_t> places_;
};

template <class Item>
void write_named(hid_t group, SweepScales& scales, const NamedLists<Item>& lists, const std::string& scale,
                 const std::string& name, const std::string& long_name, double Item::*member) {
  const Handle dataset = write_compressed(group, name, scales.dims_with({scale}), lists.values(member));
  write_attribute(dataset, "long_name", long_name);
  scales.attach_to(dataset, {scale});
}

void write_estimates(hid_t root, SweepScales& scales, const std::vector<SweepRun>& runs) {
  using Estimate = SweepRun::Estimate;
  const NamedLists<Estimate> lists(runs, &SweepRun::estimates, [](const Estimate& item) { return item.field; });
  if (lists.items().empty()) return;
  std::vector<std::string> names;
  for (const Estimate& item : lists.items()) names.push_back(item.field);
  scales.add_names("unknown", names);
  write_named(root, scales, lists, "unknown", "estimated_error", "largest estimated error, relative", &Estimate::error);
  write_named(root, scales, lists, "unknown", "estimated_error_at_end", "estimated error at the end, relative",
              &Estimate::at_end);
}

void write_goals(hid_t root, SweepScales& scales, const std::vector<SweepRun>& runs) {
  using GoalValue = SweepRun::GoalValue;
  const NamedLists<GoalValue> lists(runs, &SweepRun::goals, [](const GoalValue& item) { return item.name; });
  if (lists.items().empty()) return;
  std::vector<std::string> names;
  for (const GoalValue& item : lists.items()) names.push_back(item.name);
  scales.add_names("goal", names);
  write_named(root, scales, lists, "goal", "goal_value", "value of the goal", &GoalValue::value);
  write_named(root, scales, lists, "goal", "goal_error", "estimated error of the goal", &GoalValue::error);
}

void write_checks(hid_t root, const SweepOverview& all) {
  using CheckValue = SweepRun::CheckValue;
  const NamedLists<CheckValue> lists(all.runs, &SweepRun::checks,
                                     [](const CheckValue& item) { return item.kind + "\n" + item.subject; });
  if (lists.items().empty()) return;
  const Handle group = create_group(root, "checks");
  SweepScales scales(group, all);
  std::vector<std::string> names, kinds, subjects;
  for (const CheckValue& item : lists.items()) {
    names.push_back(item.kind + " " + item.subject);
    kinds.push_back(item.kind);
    subjects.push_back(item.subject);
  }
  scales.add_names(kCheckScale, names);
  write_named(group, scales, lists, kCheckScale, "value", "value of the check", &CheckValue::value);
}

SweepTotals totals_of(const std::vector<SweepRun>& runs) {
  SweepTotals totals;
  totals.n_runs = runs.size();
  for (const SweepRun& run : runs) {
    ++totals.counts[{run.exit_status, run.status}];
    if (run.exit_status == kNotRun) continue;
    ++totals.n_ended;
    if (run.exit_status == 0) continue;
    // A run that has failed counts before one whose error is not known.
    if (totals.first_failure == 0 || totals.first_failure == static_cast<int>(ExitStatus::not_estimated))
      totals.first_failure = run.exit_status;
    totals.failures.push_back(run);
  }
  return totals;
}

}  // namespace

const std::vector<std::string>& names_of_sweep_file() {
  static const std::vector<std::string> names = {"exit_status",
                                                 "status",
                                                 "reason",
                                                 "verdict",
                                                 "n_unknowns",
                                                 "n_newton_iterations",
                                                 "n_linear_iterations",
                                                 "n_windows",
                                                 "wall_seconds",
                                                 "unknown",
                                                 "estimated_error",
                                                 "estimated_error_at_end",
                                                 "goal",
                                                 "goal_value",
                                                 "goal_error",
                                                 "checks",
                                                 kStatistics,
                                                 "point",
                                                 "sample"};
  return names;
}

SweepTotals write_sweep(const std::string& path, const std::string& journal, const SweepProvenance& provenance,
                        bool overwrite) {
  check_output_path(path, overwrite);
  SweepOverview all = overview_of(journal);
  all.quantities = provenance.quantities;
  write_file(path, overwrite, [&](hid_t file) {
    write_attributes(file, all, provenance);
    SweepScales scales(file, all);
    write_runs(file, scales, all.runs);
    write_estimates(file, scales, all.runs);
    write_goals(file, scales, all.runs);
    write_sweep_fields(file, scales, all, journal);
    write_checks(file, all);
  });
  return totals_of(all.runs);
}

}  // namespace gwrm
