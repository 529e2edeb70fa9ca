// problem: recurrence_bvp, as the registry knows it.
#pragma once

#include "problems/module.hpp"
#include "problems/recurrence_bvp/recurrence_section.hpp"

namespace gwrm {

class RecurrenceModule : public ProblemModule {
 public:
  const casefile::CaseModule& section() const override { return section_; }
  std::unique_ptr<Problem> make(const Case& the_case) const override;
  std::vector<Override> changes_of_study(const Case& base) const override;
  std::string measure_of_study() const override { return "error_l2"; }  // the norm of its paper
  Case manufactured(const Case& the_case) const override;
  Case coarser(const Case& the_case, int divisor, std::size_t n_windows) const override;

 private:
  RecurrenceSection section_;
};

}  // namespace gwrm
