// The section `sbp_sat` of the case file: its keys, and how it is read and written.
#pragma once

#include <string>
#include <vector>

#include "case/case_module.hpp"

namespace gwrm {

class SbpSatSection : public casefile::CaseModule {
 public:
  std::string name() const override { return "sbp_sat_poisson"; }
  std::vector<casefile::KeySpec> keys() const override;
  // The error in the norm of the scheme, in which its papers tell it.
  std::vector<std::string> measures() const override { return {"error_h"}; }
  double usual_tolerance() const override { return 1e-3; }
  std::string resolution_key(const std::string& dimension) const override { return "sbp_sat.intervals." + dimension; }
  void settle_domain(std::vector<AxisCase>& domain) const override;
  void read(const casefile::CaseTree& file, Case& result) const override;
  void write(casefile::ResolvedText& text, const Case& the_case) const override;
};

}  // namespace gwrm
