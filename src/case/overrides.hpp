// --set a.b.c=value: changes to the tree of a case file, made before anything is checked.
#pragma once

#include "case/case_reader.hpp"
#include "case/yaml_document.hpp"

namespace gwrm::casefile {

// Walks the key's parts, making maps that are missing; a part of a list is an index. The new value and whatever is made
// on the way carry the argument as their place, so that later errors name it.
void apply_override(YamlNode& root, const Override& change);

}  // namespace gwrm::casefile
