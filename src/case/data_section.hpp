// Functions that are known by numbers in files: the section `data`, and maps of the same keys where an expression of an
// unknown may stand.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/key_table.hpp"
#include "case/resolved_text.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

// file, dataset, at, dimensions, checksum: the keys below `path`.
std::vector<KeySpec> data_keys(const std::string& path);

// The section `data`, into Case::data. Called when the domain and the unknowns are read.
void read_data(const CaseTree& file, Case& result);

// The expression at `node`: its text, or, of a map of data_keys(), `name`, which becomes one of Case::data. `key`: of
// the table. CaseError for a map without `file`, or a name that the case has already.
SourceText expression_or_data(const CaseTree& file, const YamlNode& node, const std::string& key,
                              const std::string& name, Case& result);

void write_data(ResolvedText& text, const Case& the_case);

}  // namespace gwrm::casefile
