// Sources and reactions of the fields of the section `ball`.
#pragma once

#include <vector>

#include "case/key_table.hpp"
#include "case/resolved_text.hpp"
#include "case/values.hpp"
#include "problems/ball/ball_case.hpp"

namespace gwrm::ball {

std::vector<casefile::KeySpec> source_keys();

// A map of components: x, y, z or r, theta, phi, any of them.
VectorCase read_vector(const casefile::YamlNode& node);
std::string vector_text(const VectorCase& vector);

// Of one field, whose kind is known. CaseError where they do not fit it.
void read_sources(const casefile::YamlEntry& entry, BallField& field);
void write_sources(casefile::ResolvedText& text, const BallField& field);

}  // namespace gwrm::ball
