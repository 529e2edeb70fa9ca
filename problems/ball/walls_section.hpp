// The walls of `ball`: its radii, and the words of a field's boundary at them.
#pragma once

#include "case/case_format.hpp"
#include "case/resolved_text.hpp"
#include "case/yaml_document.hpp"
#include "problems/ball/ball_case.hpp"

namespace gwrm::ball {

std::vector<casefile::KeySpec> radius_keys();
std::vector<casefile::KeySpec> boundary_keys();

// CaseError where the inner radius is not below the radius.
void read_radii(const casefile::CaseTree& file, const casefile::Constants& constants, BallCase& ball);
// field.boundary and, in a shell, field.inner_boundary; `kind`: its word.
void read_boundary(const casefile::YamlNode& node, const std::string& kind, bool is_shell, BallField& field);
// What a field asks for that is for the full sphere alone, or for shells alone; degrees that its conditions need.
void check_walls(const casefile::YamlNode& node, const BallCase& ball, const BallField& field);

void write_radii(casefile::ResolvedText& text, const BallCase& ball);
void write_boundary(casefile::ResolvedText& text, const BallField& field, bool is_shell);

}  // namespace gwrm::ball
