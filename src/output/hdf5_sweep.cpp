// The file of a sweep, made from its journal in passes: the first collects the numbers of the runs and the form of
// their fields, the others the fields themselves, as many at a time as fit.
#include <hdf5_hl.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>

#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_statistics.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/number_text.hpp"
#include "output/sweep_file.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

constexpr int kStudyVersion = 1;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kNotRun = -1;

// The runs without their fields, and the form of these.
struct Overview {
  SweepHeader header;
  std::vector<SweepRun> runs;         // by number; of missing ones the status says so
  std::optional<SweepRun> reference;  // the first run with fields: their names, axes and extents; no values
  std::set<std::string> moving;       // axes whose points are not the same in all runs
  std::vector<bool> fits;             // fields of the reference's extents
};

std::vector<std::size_t> sizes_of(const SweepRun& run) {
  std::vector<std::size_t> sizes;
  for (const SweepAxis& axis : run.axes) sizes.push_back(axis.size());
  return sizes;
}

Overview overview_of(const std::string& journal) {
  Overview all;
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> runs_of_sizes;
  std::optional<SweepRun> any;
  const auto take = [&](SweepRun run) {
    if (!run.arrays.empty()) {
      runs_of_sizes[sizes_of(run)].push_back(run.run);
      for (SweepArray& array : run.arrays) array.values.data = {};
      if (!any) any = run;
      for (std::size_t a = 0; a < std::min(run.axes.size(), any->axes.size()); ++a)
        if (run.axes[a] != any->axes[a]) all.moving.insert(run.axes[a].name);
      if (!all.reference || run.run < all.reference->run) all.reference = run;
    }
    run.axes = {};
    run.arrays = {};
    const std::size_t number = run.run;
    if (number >= all.runs.size()) all.runs.resize(number + 1);
    all.runs[number] = std::move(run);
  };
  all.header = scan_sweep_journal(journal, take).header;
  all.runs.resize(all.header.points.n_runs());
  all.fits.resize(all.runs.size());
  for (std::size_t i = 0; i < all.runs.size(); ++i) {
    all.runs[i].run = i;
    if (!all.runs[i].status.empty()) continue;
    all.runs[i].status = "not run";
    all.runs[i].exit_status = kNotRun;
    all.runs[i].wall_seconds = kNone;
  }
  for (const auto& [sizes, runs] : runs_of_sizes) {
    const bool fits = sizes == sizes_of(*all.reference);
    for (const std::size_t run : runs) {
      all.fits[run] = fits;
      if (!fits)
        all.runs[run].reason += std::string(all.runs[run].reason.empty() ? "" : "; ") +
                                "its fields are on a grid of another size and left out";
    }
  }
  return all;
}

void attach(hid_t dataset, std::size_t dimension, hid_t scale) {
  check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(dimension)), "attaching a scale");
}

// The scales of one group: those of the swept keys, and those of the fields' axes as they are needed.
class Scales {
 public:
  Scales(hid_t group, const Overview& all) : group_(group), all_(all) {
    for (const SweptDimension& dimension : all.header.points.dimensions) {
      dims_.push_back(dimension.size());
      swept_.push_back(dimension.together ? write_index_scale(group, dimension.name, dimension.size())
                                          : write_values(dimension.keys.front()));
      if (!dimension.together) check(H5DSset_scale(swept_.back(), dimension.name.c_str()), "making a scale");
      if (!dimension.together) continue;
      for (const SweptKey& key : dimension.keys) {
        attach(write_values(key), 0, swept_.back());
        coordinates_ += (coordinates_.empty() ? "" : " ") + key.name;
      }
    }
  }

  const Dims& dims() const { return dims_; }

  // Extents of the runs, then those of the axes.
  Dims dims_with(const std::vector<std::string>& axes) const {
    Dims dims = dims_;
    for (const std::string& name : axes) dims.push_back(axis(name).size());
    return dims;
  }

  void attach_to(hid_t dataset, const std::vector<std::string>& axes = {}) {
    for (std::size_t d = 0; d < swept_.size(); ++d) attach(dataset, d, swept_[d]);
    for (std::size_t d = 0; d < axes.size(); ++d) attach(dataset, swept_.size() + d, scale_of(axes[d]));
    if (!coordinates_.empty()) write_attribute(dataset, "coordinates", coordinates_);
  }

  // A list of names as the scale of a last dimension.
  void add_names(const std::string& name, const std::vector<std::string>& names) {
    own_.push_back({name, false, {}, names});
    scale_of(name);
  }

 private:
  const SweepAxis& axis(const std::string& name) const {
    for (const SweepAxis& own : own_)
      if (own.name == name) return own;
    for (const SweepAxis& known : all_.reference->axes)
      if (known.name == name) return known;
    throw ShapeError("write_sweep: a field on an axis without points: " + name);
  }

  Handle write_values(const SweptKey& key) {
    std::vector<double> numbers;
    for (const std::string& value : key.values)
      if (const std::optional<double> number = number_of_text(value)) numbers.push_back(*number);
    const bool are_numbers = numbers.size() == key.values.size();
    Handle dataset = are_numbers ? write_list(group_, key.name, std::span<const double>(numbers))
                                 : write_strings(group_, key.name, key.values);
    write_attribute(dataset, "long_name", key.key);
    if (are_numbers) write_attribute(dataset, "units", "1");
    write_attribute(dataset, "key", key.key);
    return dataset;
  }

  hid_t scale_of(const std::string& name) {
    if (const auto known = scales_.find(name); known != scales_.end()) return known->second;
    const SweepAxis& of = axis(name);
    Handle scale;
    if (!of.labels.empty()) {
      scale = write_strings(group_, name, of.labels);
    } else if (all_.moving.count(name) != 0) {
      std::vector<int> numbers(of.points.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
      scale = write_list(group_, name, std::span<const int>(numbers));
    } else {
      scale = write_list(group_, name, std::span<const double>(of.points));
    }
    check(H5DSset_scale(scale, name.c_str()), "making the scale " + name);
    const bool moves = all_.moving.count(name) != 0;
    write_attribute(
        scale, "long_name",
        moves ? "number of the sample; its place is in " + name + "_points" : std::string(of.is_time ? "time" : name));
    if (of.labels.empty()) write_attribute(scale, "units", "1");
    if (of.is_time && !moves) write_attribute(scale, "axis", "T");
    return scales_.emplace(name, std::move(scale)).first->second;
  }

  hid_t group_;
  const Overview& all_;
  Dims dims_;
  std::vector<Handle> swept_;
  std::map<std::string, Handle> scales_;
  std::vector<SweepAxis> own_;
  std::string coordinates_;
};

template <class Value, class Member>
std::vector<Value> column(const std::vector<SweepRun>& runs, Member member) {
  std::vector<Value> values;
  values.reserve(runs.size());
  for (const SweepRun& run : runs) values.push_back(static_cast<Value>(run.*member));
  return values;
}

void write_attributes(hid_t root, const Overview& all, const SweepProvenance& provenance) {
  std::string keys;
  for (const SweptDimension& dimension : all.header.points.dimensions)
    for (const SweptKey& key : dimension.keys) keys += (keys.empty() ? "" : " ") + key.key;
  write_attribute(root, "Conventions", "CF-1.8");
  write_attribute(root, "title", provenance.title);
  write_attribute(root, "source", "gwrm " + version());
  write_attribute(root, "history", history_line(provenance.command));
  write_attribute(root, "study", "sweep");
  write_attribute(root, "study_version", kStudyVersion);
  write_attribute(root, "version", version());
  write_attribute(root, "git_revision", git_revision());
  write_attribute(root, "build", build_description());
  write_attribute(root, "device", provenance.device);
  write_attribute(root, "keys", keys);
  write_attribute(root, "case", provenance.case_text);
}

void write_runs(hid_t root, Scales& scales, const std::vector<SweepRun>& runs) {
  const auto numbers = [&](const char* name, const char* long_name, const std::vector<double>& values) {
    const Handle dataset = write_compressed(root, name, scales.dims(), values);
    write_attribute(dataset, "long_name", long_name);
    scales.attach_to(dataset);
  };
  const auto integers = [&](const char* name, const char* long_name, auto member) {
    const Handle dataset = write_table(root, name, scales.dims(), std::span<const int>(column<int>(runs, member)));
    write_attribute(dataset, "long_name", long_name);
    scales.attach_to(dataset);
  };
  const auto texts = [&](const char* name, const char* long_name, std::string SweepRun::*member) {
    const Handle dataset =
        write_table(root, name, scales.dims(), std::span<const std::string>(column<std::string>(runs, member)));
    write_attribute(dataset, "long_name", long_name);
    scales.attach_to(dataset);
  };
  integers("exit_status", "exit status of the run; -1: not run", &SweepRun::exit_status);
  texts("status", "how the run ended", &SweepRun::status);
  texts("reason", "why it has no verified answer", &SweepRun::reason);
  texts("verdict", "of the verification: PASS, FAIL or NOT ESTIMATED", &SweepRun::verdict);
  numbers("n_unknowns", "unknowns of a linear system", column<double>(runs, &SweepRun::n_unknowns));
  integers("n_newton_iterations", "Newton iterations", &SweepRun::n_newton_iterations);
  integers("n_linear_iterations", "iterations of the linear solver", &SweepRun::n_linear_iterations);
  integers("n_windows", "windows in time", &SweepRun::n_windows);
  numbers("wall_seconds", "seconds of the run", column<double>(runs, &SweepRun::wall_seconds));
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
void write_named(hid_t group, Scales& scales, const NamedLists<Item>& lists, const std::string& scale,
                 const std::string& name, const std::string& long_name, double Item::*member) {
  const Handle dataset = write_compressed(group, name, scales.dims_with({scale}), lists.values(member));
  write_attribute(dataset, "long_name", long_name);
  scales.attach_to(dataset, {scale});
}

void write_estimates(hid_t root, Scales& scales, const std::vector<SweepRun>& runs) {
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

void write_goals(hid_t root, Scales& scales, const std::vector<SweepRun>& runs) {
  using GoalValue = SweepRun::GoalValue;
  const NamedLists<GoalValue> lists(runs, &SweepRun::goals, [](const GoalValue& item) { return item.name; });
  if (lists.items().empty()) return;
  std::vector<std::string> names;
  for (const GoalValue& item : lists.items()) names.push_back(item.name);
  scales.add_names("goal", names);
  write_named(root, scales, lists, "goal", "goal_value", "value of the goal", &GoalValue::value);
  write_named(root, scales, lists, "goal", "goal_error", "estimated error of the goal", &GoalValue::error);
}

void write_checks(hid_t root, const Overview& all) {
  using CheckValue = SweepRun::CheckValue;
  const NamedLists<CheckValue> lists(all.runs, &SweepRun::checks,
                                     [](const CheckValue& item) { return item.kind + "\n" + item.subject; });
  if (lists.items().empty()) return;
  const Handle group = create_group(root, "checks");
  Scales scales(group, all);
  std::vector<std::string> names, kinds, subjects;
  for (const CheckValue& item : lists.items()) {
    names.push_back(item.kind + " " + item.subject);
    kinds.push_back(item.kind);
    subjects.push_back(item.subject);
  }
  scales.add_names(kCheckScale, names);
  write_named(group, scales, lists, kCheckScale, "value", "value of the check", &CheckValue::value);
}

// One array of all runs.
struct Gathered {
  const SweepArray* form = nullptr;   // in the reference
  const SweepAxis* moving = nullptr;  // instead: the points of an axis
  std::size_t size = 0;               // of one run
  std::vector<double> values;
};

class FieldsWriter {
 public:
  FieldsWriter(hid_t root, Scales& root_scales, const Overview& all, const std::string& journal)
      : root_(root), root_scales_(root_scales), all_(all), journal_(journal) {}

  void write() {
    if (!all_.reference) return;
    std::vector<Gathered> wanted;
    for (const SweepAxis& axis : all_.reference->axes)
      if (all_.moving.count(axis.name) != 0 && axis.labels.empty()) wanted.push_back({nullptr, &axis, axis.size(), {}});
    for (const SweepArray& array : all_.reference->arrays)
      wanted.push_back({&array, nullptr, static_cast<std::size_t>(element_count(array.values.shape)), {}});
    for (std::size_t first = 0; first < wanted.size();) {
      std::size_t last = first, bytes = 0;
      do bytes += bytes_of(wanted[last++]);
      while (last < wanted.size() && bytes + bytes_of(wanted[last]) <= kMemoryOfFields);
      const std::span<Gathered> part = std::span(wanted).subspan(first, last - first);
      gather(part);
      for (Gathered& one : part) {
        write_one(one);
        one.values = {};
      }
      first = last;
    }
  }

 private:
  std::size_t bytes_of(const Gathered& one) const { return sizeof(double) * one.size * all_.runs.size(); }

  void gather(std::span<Gathered> part) const {
    for (Gathered& one : part) one.values.assign(one.size * all_.runs.size(), kNone);
    scan_sweep_journal(journal_, [&](const SweepRun& run) {
      if (run.arrays.empty() || !all_.fits[run.run]) return;
      for (Gathered& one : part) {
        const std::vector<double>* values =
            one.moving != nullptr ? points_of(run, *one.moving) : values_of(run, *one.form);
        if (values != nullptr && values->size() == one.size)
          std::copy(values->begin(), values->end(),
                    one.values.begin() + static_cast<std::ptrdiff_t>(run.run * one.size));
      }
    });
  }

  static const std::vector<double>* points_of(const SweepRun& run, const SweepAxis& wanted) {
    for (const SweepAxis& axis : run.axes)
      if (axis.name == wanted.name) return &axis.points;
    return nullptr;
  }
  static const std::vector<double>* values_of(const SweepRun& run, const SweepArray& wanted) {
    for (const SweepArray& array : run.arrays)
      if (array.group == wanted.group && array.name == wanted.name) return &array.values.data;
    return nullptr;
  }

  void write_one(const Gathered& one) {
    const bool at_root = one.form == nullptr || one.form->group.empty();
    if (!at_root && !statistics_) {
      group_ = create_group(root_, one.form->group.c_str());
      statistics_.emplace(group_, all_);
    }
    Scales& scales = at_root ? root_scales_ : *statistics_;
    const std::vector<std::string> axes = one.form != nullptr ? one.form->axes : std::vector{one.moving->name};
    const std::string name = one.form != nullptr ? one.form->name : one.moving->name + "_points";
    const Handle dataset =
        write_compressed(at_root ? root_ : static_cast<hid_t>(group_), name, scales.dims_with(axes), one.values);
    if (one.form != nullptr) {
      write_attribute(dataset, "long_name", one.form->long_name);
      write_attribute(dataset, "units", "1");
      write_attribute(dataset, "expression", one.form->expression);
      if (!one.form->error_of.empty()) write_attribute(dataset, kErrorOf, one.form->error_of);
    } else {
      write_attribute(dataset, "long_name", "points along " + one.moving->name);
    }
    scales.attach_to(dataset, axes);
  }

  hid_t root_;
  Scales& root_scales_;
  const Overview& all_;
  const std::string& journal_;
  Handle group_;
  std::optional<Scales> statistics_;
};

SweepTotals totals_of(const std::vector<SweepRun>& runs) {
  SweepTotals totals;
  totals.n_runs = runs.size();
  for (const SweepRun& run : runs) {
    ++totals.counts[{run.exit_status, run.status}];
    if (run.exit_status == kNotRun) continue;
    ++totals.n_ended;
    if (run.exit_status == 0) continue;
    if (totals.failures.empty()) totals.first_failure = run.exit_status;
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
  const Overview all = overview_of(journal);
  write_file(path, overwrite, [&](hid_t file) {
    write_attributes(file, all, provenance);
    Scales scales(file, all);
    write_runs(file, scales, all.runs);
    write_estimates(file, scales, all.runs);
    write_goals(file, scales, all.runs);
    FieldsWriter(file, scales, all, journal).write();
    write_checks(file, all);
  });
  return totals_of(all.runs);
}

}  // namespace gwrm
