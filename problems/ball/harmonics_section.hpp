// Maps of harmonics in the case file: {"2,1": "r^2*(1 - r^2)", "3,-1": "r^3"}.
#pragma once

#include <vector>

#include "case/values.hpp"
#include "problems/ball/ball_case.hpp"

namespace gwrm::ball {

// `node`: the map, or null. CaseError at the key for other than "l,m" with 1 <= l, |m| <= l.
std::vector<HarmonicCase> read_harmonics(const casefile::YamlNode* node);

std::string harmonics_text(const std::vector<HarmonicCase>& harmonics);

// CaseError at the key of a harmonic that the degree l or the orders do not hold.
void check_degrees(const std::vector<HarmonicCase>& harmonics, const BallCase& ball);

}  // namespace gwrm::ball
