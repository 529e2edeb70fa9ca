// The problem module `ball`: fields in the full sphere.
#pragma once

#include "problems/ball/ball_section.hpp"
#include "problems/module.hpp"

namespace gwrm {

class BallModule : public ProblemModule {
 public:
  const casefile::CaseModule& section() const override { return section_; }
  std::unique_ptr<Problem> make(const Case& the_case) const override;
  std::unique_ptr<StoredAnswer> stored_answer(const Case& the_case, const std::string& file) const override;
  Case manufactured(const Case& the_case) const override;
  std::vector<Override> changes_of_study(const Case& base) const override;
  VariedSize varied_size(const std::string& key) const override {
    return key.rfind("ball.degree", 0) == 0 ? VariedSize::degree : VariedSize::other;
  }
  Case coarser(const Case& the_case, int, std::size_t) const override { return the_case; }
  std::string no_time_estimate(const Case&) const override { return "the windows are chosen while the run goes on"; }

 private:
  BallSection section_;
};

}  // namespace gwrm
