// Cases from YAML text, solved without the command line.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "problems/registry.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm::test {

inline Case case_of(const std::string& yaml) {
  return read_case_text(yaml, "test.yaml");
}

// The message of the CaseError that building a model of this case raises; fails if there is none.
inline std::string model_error(const std::string& yaml) {
  try {
    (void)build_model(case_of(yaml));
  } catch (const CaseError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no CaseError";
  return {};
}

}  // namespace gwrm::test
