// solver, backend: how the case is solved.
#include <algorithm>

#include "case/choices.hpp"
#include "case/sections.hpp"

namespace gwrm::casefile {
namespace {

constexpr double kNewtonShare = 1e-4;  // of resolution.tolerance

}  // namespace

void read_solver(const CaseTree& file, Case& result) {
  const Constants& constants = result.constants;
  Case::Solver& solver = result.solver;
  Case::Solver::Newton& newton = solver.newton;
  // An automatic run gains nothing from iterations far below the truncation error it accepts.
  newton.tolerance = std::max(newton.tolerance, kNewtonShare * result.resolution.tolerance);
  newton.tolerance = file.number_at("solver.newton.tolerance", constants, newton.tolerance);
  newton.tolerance_given = file.root.find_path("solver.newton.tolerance") != nullptr;
  newton.max_iterations = file.integer_at("solver.newton.max_iterations", constants, newton.max_iterations);
  newton.globalisation = file.choice_at("solver.newton.globalisation", kGlobalisationWords, newton.globalisation);
  solver.linear = file.choice_at("solver.linear", kLinearSolverWords, solver.linear);
  solver.predictor = file.choice_at("solver.predictor", kPredictorWords, solver.predictor);
  solver.product = file.choice_at("solver.product", kProductWords, solver.product);
  if (const YamlNode* product = file.root.find_path("solver.product")) solver.product_where = product->mark.where();
  solver.memory_gb = file.number_at("solver.memory", constants, solver.memory_gb);
  result.backend = file.choice_at("backend", kBackendWords, result.backend);
}

}  // namespace gwrm::casefile
