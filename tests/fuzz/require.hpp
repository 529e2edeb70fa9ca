// How a fuzz target says that something is wrong: it aborts, and libFuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/errors.hpp"

namespace gwrm::fuzz {

inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what.c_str());
  std::abort();
}

// The work succeeds or throws the refusal that a user would read. Everything else it throws ends the program.
template <class Refusal = CaseError, class Work>
void expect_refusal(Work&& work) {
  try {
    work();
  } catch (const Refusal& error) {
    require(error.what()[0] != '\0', "a refusal without a message");
  }
}

}  // namespace gwrm::fuzz
