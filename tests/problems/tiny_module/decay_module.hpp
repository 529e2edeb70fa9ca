// problem: decay - du/dt = -rate u + source, u = start at the beginning, by the trapezoidal rule: a problem module of
// the smallest kind. It lives in tests alone, to show what a module owns and that nothing else has to know of it
// (docs/extending.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problems/module.hpp"

namespace gwrm::test {

// The section `decay` as plain data.
struct DecayCase : ModuleCase {
  double rate = 1.0;
  double start = 1.0;
  SourceText source;  // an expression of t; empty text: none
  int points = 20;    // of the grid, both ends included
};

class DecaySection : public casefile::CaseModule {
 public:
  std::string name() const override { return "decay"; }
  std::vector<casefile::KeySpec> keys() const override;
  std::string resolution_key(const std::string&) const override { return "decay.points"; }
  void read(const casefile::CaseTree& file, Case& result) const override;
  void write(casefile::ResolvedText& text, const Case& the_case) const override;
};

class DecayModule : public ProblemModule {
 public:
  const casefile::CaseModule& section() const override { return section_; }
  std::unique_ptr<Problem> make(const Case& the_case) const override;
  Case manufactured(const Case& the_case) const override;
  Case coarser(const Case& the_case, int divisor, std::size_t n_windows) const override;

 private:
  DecaySection section_;
};

// The modules of gwrm and this one.
const ProblemModules& modules_with_decay();

}  // namespace gwrm::test
