// The shape of a case file: every key legal, every required key there, every value of a form its key allows.
#pragma once

#include "case/yaml_document.hpp"

namespace gwrm::casefile {

// Throws CaseError at the first offence. After it the readers of the sections may rely on the table of keys.
void check_shape(const YamlNode& root);

}  // namespace gwrm::casefile
