// problem: time_spectral, as the registry knows it.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "problems/module.hpp"
#include "problems/time_spectral/time_spectral_section.hpp"

namespace gwrm {

class TimeSpectralModule : public ProblemModule {
 public:
  using Maker = std::function<std::unique_ptr<Problem>(const Case&)>;

  // The problems of cases with `continue` and with `eigenvalue`, which stand on this module (problems/continuation,
  // problems/eigenvalue).
  TimeSpectralModule(Maker branch, Maker modes) : branch_(std::move(branch)), modes_(std::move(modes)) {}

  const casefile::CaseModule& section() const override { return section_; }
  std::unique_ptr<Problem> make(const Case& the_case) const override;
  std::vector<Override> changes_of_study(const Case& base) const override;
  VariedSize varied_size(const std::string& key) const override;
  Case manufactured(const Case& the_case) const override;
  Case coarser(const Case& the_case, int divisor, std::size_t n_windows) const override;
  std::string no_time_estimate(const Case& the_case) const override;

 private:
  TimeSpectralSection section_;
  Maker branch_, modes_;
};

}  // namespace gwrm
