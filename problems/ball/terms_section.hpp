// The parts of the section `ball` that couple fields: terms, the given flow, growth.
#pragma once

#include <vector>

#include "case/key_table.hpp"
#include "case/resolved_text.hpp"
#include "case/values.hpp"
#include "problems/ball/ball_case.hpp"

namespace gwrm::ball {

std::vector<casefile::KeySpec> terms_keys();   // below `ball`
std::vector<casefile::KeySpec> growth_keys();  // the section `growth`

// After the fields. CaseError where terms, fields and flow do not fit together.
void read_terms(const casefile::CaseTree& file, const Case& result, BallCase& ball);
void write_terms(casefile::ResolvedText& text, const BallCase& ball);
void write_growth(casefile::ResolvedText& text, const BallCase& ball);

}  // namespace gwrm::ball
