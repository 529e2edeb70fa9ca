// time, parameters, solver, backend: how the case is solved.
#include <algorithm>

#include "case/sections.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {
namespace {

constexpr double kNewtonShare = 1e-4;  // of resolution.tolerance

}  // namespace

void read_solver(const YamlNode& root, Case& result) {
  const Constants& constants = result.constants;
  result.time.weighting = choice_at(root, "time.weighting", kWeightingWords, result.time.weighting);
  result.parameters = choice_at(root, "parameters.method", kParameterMethodWords, result.parameters);

  Case::Solver& solver = result.solver;
  Case::Solver::Newton& newton = solver.newton;
  // An automatic run gains nothing from iterations far below the truncation error it accepts.
  newton.tolerance = std::max(newton.tolerance, kNewtonShare * result.resolution.tolerance);
  newton.tolerance = number_at(root, "solver.newton.tolerance", constants, newton.tolerance);
  newton.max_iterations = integer_at(root, "solver.newton.max_iterations", constants, newton.max_iterations);
  newton.globalisation = choice_at(root, "solver.newton.globalisation", kGlobalisationWords, newton.globalisation);
  solver.linear = choice_at(root, "solver.linear", kLinearSolverWords, solver.linear);
  solver.predictor = choice_at(root, "solver.predictor", kPredictorWords, solver.predictor);
  solver.product = choice_at(root, "solver.product", kProductWords, solver.product);
  solver.memory_gb = number_at(root, "solver.memory", constants, solver.memory_gb);
  result.backend = choice_at(root, "backend", kBackendWords, result.backend);
}

}  // namespace gwrm::casefile
