#include "output/hdf5_sweep.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <limits>

#include "output/hdf5_quantities.hpp"
#include "output/number_text.hpp"

namespace gwrm::hdf5 {
namespace {

std::vector<std::size_t> sizes_of(const SweepRun& run) {
  std::vector<std::size_t> sizes;
  for (const SweepAxis& axis : run.axes) sizes.push_back(axis.size());
  return sizes;
}

}  // namespace

SweepOverview overview_of(const std::string& journal) {
  SweepOverview all;
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

SweepScales::SweepScales(hid_t group, const SweepOverview& all) : group_(group), all_(all) {
  for (const SweptDimension& dimension : all.header.points.dimensions) {
    dims_.push_back(dimension.size());
    swept_.push_back(dimension.together ? write_index_scale(group, dimension.name, dimension.size())
                                        : write_values(dimension.keys.front()));
    if (!dimension.together) check(H5DSset_scale(swept_.back(), dimension.name.c_str()), "making a scale");
    if (!dimension.together) continue;
    for (const SweptKey& key : dimension.keys) {
      attach_scale(write_values(key), 0, swept_.back());
      coordinates_ += (coordinates_.empty() ? "" : " ") + key.name;
    }
  }
}

Dims SweepScales::dims_with(const std::vector<std::string>& axes) const {
  Dims dims = dims_;
  for (const std::string& name : axes) dims.push_back(axis(name).size());
  return dims;
}

void SweepScales::attach_to(hid_t dataset, const std::vector<std::string>& axes) {
  for (std::size_t d = 0; d < swept_.size(); ++d) attach_scale(dataset, d, swept_[d]);
  for (std::size_t d = 0; d < axes.size(); ++d) attach_scale(dataset, swept_.size() + d, scale_of(axes[d]));
  if (!coordinates_.empty()) write_attribute(dataset, "coordinates", coordinates_);
}

void SweepScales::add_names(const std::string& name, const std::vector<std::string>& names) {
  own_.push_back({name, false, {}, names});
  scale_of(name);
}

const SweepAxis& SweepScales::axis(const std::string& name) const {
  for (const SweepAxis& own : own_)
    if (own.name == name) return own;
  for (const SweepAxis& known : all_.reference->axes)
    if (known.name == name) return known;
  throw ShapeError("write_sweep: a field on an axis without points: " + name);
}

Handle SweepScales::write_values(const SweptKey& key) {
  std::vector<double> numbers;
  for (const std::string& value : key.values)
    if (const std::optional<double> number = number_of_text(value)) numbers.push_back(*number);
  const bool are_numbers = numbers.size() == key.values.size();
  Handle dataset = are_numbers ? write_list(group_, key.name, std::span<const double>(numbers))
                               : write_strings(group_, key.name, key.values);
  // Other keys are no quantities of the case, though they may end with the name of one: resolution.degree.x.
  const bool is_constant = key.key == "constants." + key.name;
  const Quantities& quantities = all_.quantities;
  const std::string label = is_constant ? quantities.label_of(key.name) : "";
  write_attribute(dataset, "long_name", label.empty() ? key.key : label);
  if (are_numbers) write_unit(dataset, is_constant || quantities.units.empty() ? quantities.unit_of(key.name) : "");
  write_attribute(dataset, "key", key.key);
  return dataset;
}

hid_t SweepScales::scale_of(const std::string& name) {
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
  const std::string label = all_.quantities.label_of(name);
  write_attribute(scale, "long_name",
                  moves            ? "number of the sample; its place is in " + name + "_points"
                  : !label.empty() ? label
                                   : std::string(of.is_time ? "time" : name));
  if (of.labels.empty()) write_unit(scale, moves ? "1" : all_.quantities.unit_of(name));
  if (of.is_time && !moves) write_attribute(scale, "axis", "T");
  return scales_.emplace(name, std::move(scale)).first->second;
}

}  // namespace gwrm::hdf5
