#include "problems/registry.hpp"

#include "problems/ball/ball_module.hpp"
#include "problems/continuation/branch.hpp"
#include "problems/eigenvalue/eigenvalue_problem.hpp"
#include "problems/recurrence_bvp/recurrence_module.hpp"
#include "problems/sbp_sat/sbp_sat_module.hpp"
#include "problems/time_spectral/time_spectral_module.hpp"

namespace gwrm {

const ProblemModules& problem_modules() {
  static const ProblemModules modules({
      std::make_shared<TimeSpectralModule>(make_branch, make_eigenvalue_problem),
      std::make_shared<RecurrenceModule>(),
      std::make_shared<SbpSatModule>(),
      std::make_shared<BallModule>(),
  });
  return modules;
}

Case read_case(const std::string& path, const std::vector<Override>& overrides) {
  return read_case(problem_modules().format(), path, overrides);
}

Case read_case_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  return read_case_text(problem_modules().format(), text, name, overrides);
}

std::string case_schema() {
  return case_schema(problem_modules().format());
}

std::unique_ptr<Problem> make_problem(const Case& the_case) {
  return problem_modules().make(the_case);
}

}  // namespace gwrm
