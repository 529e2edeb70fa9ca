// Windows from the records of a journal. A journal may be damaged or made to mislead with checksums that hold: nothing
// that a record says is believed before it fits the case.
#pragma once

#include <cstddef>
#include <string>

#include "output/journal.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

// Puts the records of a window's parameter points, which stand together, into one window; one without all of them is
// not complete.
class StoredWindows {
 public:
  // n_records: of the whole journal; no window has more parameter points.
  StoredWindows(const Case& the_case, const Model& model, std::size_t n_records)
      : case_(the_case), model_(model), n_records_(n_records) {}

  // True if `window` is complete with this record. OutputError if it is no record of this case's windows: other axes,
  // degrees or subdomains beyond the case's, coefficients of another shape, an interval that does not follow the one
  // before, parameter points out of order.
  bool take(JournalWindow record);

  MarchWindow window;

 private:
  void check(const JournalWindow& record) const;
  bool fits(const AxisDescription& stored, std::size_t axis) const;
  bool fits(const Array& coefficients, const std::vector<AxisDescription>& subdomains, std::size_t field) const;

  const Case& case_;
  const Model& model_;
  std::size_t n_records_, n_points_ = 0;
  bool is_first_ = true;
};

}  // namespace gwrm
