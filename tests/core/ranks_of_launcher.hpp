// The ranks on which a test program has been started, one where no launcher has; opened once for all tests.
//
// All ranks run the same tests: none ends a test before the others (EXPECT, not ASSERT, around what they do together).
#pragma once

#include <memory>

#include "core/team.hpp"

namespace gwrm {

inline Team& ranks_of_launcher() {
  static const std::unique_ptr<Team> team = Team::of_launcher();
  return *team;
}

}  // namespace gwrm
