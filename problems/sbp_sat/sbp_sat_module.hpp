// problem: sbp_sat_poisson, as the registry knows it.
#pragma once

#include "problems/module.hpp"
#include "problems/sbp_sat/sbp_sat_section.hpp"

namespace gwrm {

class SbpSatModule : public ProblemModule {
 public:
  const casefile::CaseModule& section() const override { return section_; }
  std::unique_ptr<Problem> make(const Case& the_case) const override;
  std::vector<Override> changes_of_study(const Case& base) const override;
  std::string measure_of_study() const override { return "error_h"; }  // the norm of its paper
  Case manufactured(const Case& the_case) const override;
  Case coarser(const Case& the_case, int divisor, std::size_t n_windows) const override;

 private:
  SbpSatSection section_;
};

}  // namespace gwrm
