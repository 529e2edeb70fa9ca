// The shape of a case file: every key legal, every required key there, every value of a form its key allows.
#pragma once

#include "case/key_table.hpp"
#include "case/yaml_document.hpp"

namespace gwrm::casefile {

// Throws CaseError at the first offence. After it the readers of the sections may rely on the table of keys.
void check_shape(const YamlNode& root, const KeyTable& keys);

}  // namespace gwrm::casefile
