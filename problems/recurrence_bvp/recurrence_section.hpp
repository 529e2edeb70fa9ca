// The section `recurrence` of the case file: its keys, and how it is read and written.
#pragma once

#include <string>
#include <vector>

#include "case/case_module.hpp"

namespace gwrm {

class RecurrenceSection : public casefile::CaseModule {
 public:
  std::string name() const override { return "recurrence_bvp"; }
  std::vector<casefile::KeySpec> keys() const override;
  double usual_tolerance() const override { return 1e-3; }
  std::string resolution_key(const std::string&) const override { return "recurrence.intervals"; }
  void read(const casefile::CaseTree& file, Case& result) const override;
  void write(casefile::ResolvedText& text, const Case& the_case) const override;
};

}  // namespace gwrm
