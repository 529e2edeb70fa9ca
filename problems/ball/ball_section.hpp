// The sections `ball` and `initial` of the case file: their keys, and how they are read and written.
#pragma once

#include <string>
#include <vector>

#include "case/case_module.hpp"

namespace gwrm {

class BallSection : public casefile::CaseModule {
 public:
  std::string name() const override { return "ball"; }
  bool reads_data() const override { return false; }  // its coordinates are no dimensions of the case
  std::vector<casefile::KeySpec> keys() const override;
  std::string resolution_key(const std::string& dimension) const override;
  bool reads_unknowns() const override { return false; }
  void declare_names(const casefile::CaseTree& file, Case& result) const override;
  void read(const casefile::CaseTree& file, Case& result) const override;
  void write(casefile::ResolvedText& text, const Case& the_case) const override;
};

}  // namespace gwrm
