// The problem modules of gwrm, and the case file as they make it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problems/module.hpp"

namespace gwrm {

const ProblemModules& problem_modules();

// With these modules: as case/case_reader.hpp and ProblemModules say.
Case read_case(const std::string& path, const std::vector<Override>& overrides = {});
Case read_case_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides = {});
std::string case_schema();
std::unique_ptr<Problem> make_problem(const Case& the_case);

}  // namespace gwrm
