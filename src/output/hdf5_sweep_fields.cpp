// The fields of a sweep's runs, gathered from its journal.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "output/hdf5_format.hpp"
#include "output/hdf5_quantities.hpp"
#include "output/hdf5_sweep.hpp"
#include "output/sweep_file.hpp"

namespace gwrm::hdf5 {
namespace {

// One array of all runs.
struct Gathered {
  const SweepArray* form = nullptr;   // in the reference
  const SweepAxis* moving = nullptr;  // instead: the points of an axis
  std::size_t size = 0;               // of one run
  std::vector<double> values;
};

class FieldsWriter {
 public:
  FieldsWriter(hid_t root, SweepScales& root_scales, const SweepOverview& all, const std::string& journal)
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
    SweepScales& scales = at_root ? root_scales_ : *statistics_;
    const std::vector<std::string> axes = one.form != nullptr ? one.form->axes : std::vector{one.moving->name};
    const std::string name = one.form != nullptr ? one.form->name : one.moving->name + "_points";
    const Dims dims = scales.dims_with(axes);
    if (std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>()) != one.values.size())
      throw OutputError("the field " + name + " of the sweep does not fit its coordinates");  // a name of two things
    const Handle dataset = write_compressed(at_root ? root_ : static_cast<hid_t>(group_), name, dims, one.values);
    if (one.form != nullptr) {
      const Quantities& quantities = all_.quantities;
      if (at_root && one.form->error_of.empty()) {
        write_quantity(dataset, quantities, name, one.form->long_name);
      } else {
        write_attribute(dataset, "long_name", one.form->long_name);
        write_unit(dataset, at_root ? quantities.unit_of(one.form->error_of) : quantities.units.empty() ? "1" : "");
      }
      write_attribute(dataset, "expression", one.form->expression);
      if (!one.form->error_of.empty()) write_attribute(dataset, kErrorOf, one.form->error_of);
    } else {
      write_attribute(dataset, "long_name", "points along " + one.moving->name);
    }
    scales.attach_to(dataset, axes);
  }

  hid_t root_;
  SweepScales& root_scales_;
  const SweepOverview& all_;
  const std::string& journal_;
  Handle group_;
  std::optional<SweepScales> statistics_;
};

}  // namespace

void write_sweep_fields(hid_t root, SweepScales& root_scales, const SweepOverview& all, const std::string& journal) {
  FieldsWriter(root, root_scales, all, journal).write();
}

}  // namespace gwrm::hdf5
