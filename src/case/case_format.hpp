// The format of the case file for a list of problem modules: the general keys and theirs in one table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/case_module.hpp"
#include "case/key_table.hpp"

namespace gwrm {

class CaseFormat {
 public:
  // What makes a function of an entry of Case::data, once the case is read, and sets the entry's checksum; with `axes`
  // in the entry it need not look at the file before a value is wanted. CaseError, at DataCase::where.
  using DataLoader = std::shared_ptr<const expression::DataFunction> (*)(const CaseFormat& format, const Case& the_case,
                                                                         DataCase& data);

  // The first module is that of a case without the key `problem`. The modules outlive the format. Without a loader
  // cases with data are refused.
  explicit CaseFormat(std::vector<const casefile::CaseModule*> modules, DataLoader loader = nullptr);

  const casefile::KeyTable& keys() const { return keys_; }
  const casefile::CaseModule& module(const std::string& name) const;  // ShapeError if there is none
  void load_data(Case& the_case) const;                               // Case::data: functions and axes

 private:
  std::vector<const casefile::CaseModule*> modules_;
  casefile::KeyTable keys_;
  DataLoader load_data_;
};

}  // namespace gwrm
