#include "problems/convergence/manufactured.hpp"

#include "case/resolved_text.hpp"

namespace gwrm {

Case manufactured(const ProblemModules& modules, const Case& the_case) {
  Case result = the_case;
  result.title += result.title.empty() ? "Manufactured solution" : ", manufactured solution";
  result.verification.values.clear();
  result = modules.of(result).manufactured(result);
  result.resolved_text = casefile::resolve_text(modules.format(), result);
  return result;
}

}  // namespace gwrm
