// What the parts of the writer of a sweep's file share: the runs without their fields, and the scales of a group.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "output/hdf5_handles.hpp"
#include "output/sweep_journal.hpp"

namespace gwrm::hdf5 {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
inline constexpr int kNotRun = -1;  // exit status of a run that the journal does not hold

// The runs without their fields, and the form of these.
struct SweepOverview {
  SweepHeader header;
  std::vector<SweepRun> runs;         // by number; of missing ones the status says so
  std::optional<SweepRun> reference;  // the first run with fields: their names, axes and extents; no values
  std::set<std::string> moving;       // axes whose points are not the same in all runs
  std::vector<bool> fits;             // fields of the reference's extents
  Quantities quantities = {};         // units and labels of the case
};

SweepOverview overview_of(const std::string& journal);

// The scales of one group: those of the swept keys, and those of the fields' axes as they are needed.
class SweepScales {
 public:
  SweepScales(hid_t group, const SweepOverview& all);

  const Dims& dims() const { return dims_; }
  // Extents of the runs, then those of the axes.
  Dims dims_with(const std::vector<std::string>& axes) const;
  // A dataset over the runs, then over the axes.
  void attach_to(hid_t dataset, const std::vector<std::string>& axes = {});
  // A list of names as the scale of a last dimension.
  void add_names(const std::string& name, const std::vector<std::string>& names);

 private:
  const SweepAxis& axis(const std::string& name) const;
  Handle write_values(const SweptKey& key);
  hid_t scale_of(const std::string& name);

  hid_t group_;
  const SweepOverview& all_;
  Dims dims_;
  std::vector<Handle> swept_;
  std::map<std::string, Handle> scales_;
  std::vector<SweepAxis> own_;
  std::string coordinates_;
};

// The fields of all runs and their statistics, as many at a time as fit (sweep_file.hpp).
void write_sweep_fields(hid_t root, SweepScales& root_scales, const SweepOverview& all, const std::string& journal);

}  // namespace gwrm::hdf5
