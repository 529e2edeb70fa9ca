// ball.degree in the case file: what is given, and what the program chooses (degree_choice.hpp).
#pragma once

#include <string>
#include <vector>

#include "case/case_module.hpp"
#include "problems/ball/ball_case.hpp"

namespace gwrm::ball {

std::vector<casefile::KeySpec> degree_keys();

// Before fields and terms are read: what is chosen is as high as may be, so that nothing is refused for it.
void read_degrees(const casefile::CaseTree& file, const casefile::Constants& constants, BallCase& ball);
// After it: what is chosen holds the harmonics of vector fields and flows.
void settle_degrees(BallCase& ball);

// "{t: 8, r: 20}", those given; empty: all are chosen.
std::string degrees_text(const BallCase& ball);

}  // namespace gwrm::ball
