// The format of the case file for a list of problem modules: the general keys and theirs in one table.
#pragma once

#include <string>
#include <vector>

#include "case/case_module.hpp"
#include "case/key_table.hpp"

namespace gwrm {

class CaseFormat {
 public:
  // The first module is that of a case without the key `problem`. The modules outlive the format.
  explicit CaseFormat(std::vector<const casefile::CaseModule*> modules);

  const casefile::KeyTable& keys() const { return keys_; }
  const casefile::CaseModule& module(const std::string& name) const;  // ShapeError if there is none

 private:
  std::vector<const casefile::CaseModule*> modules_;
  casefile::KeyTable keys_;
};

}  // namespace gwrm
