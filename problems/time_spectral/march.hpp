// The time windows one after the other, the end of one the start of the next, at all points of the collocated
// parameters side by side: windows and subdomains are common to them, so that the answers make one polynomial in the
// parameters too.
//
// Fixed windows are solved as given; one in which Newton fails is halved. With a tolerance the windows follow the
// solution (step_control.hpp). A steady problem is a single window without time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "core/shared_array.hpp"
#include "output/report.hpp"
#include "problems/time_spectral/point_solver.hpp"
#include "problems/time_spectral/step_control.hpp"

namespace gwrm {

class PointPlaces;  // point_places.hpp

struct MarchWindow {
  double start = 0.0, end = 1.0;
  double next_step = 0.0;                   // proposed length of the next window; 0: none
  std::vector<AxisDescription> subdomains;  // per axis
  std::vector<std::vector<Array>> fields;   // per parameter point, per field: coefficients (window_system.hpp)
  // Per parameter point: the unknowns of each field, then the states at the end: what the next window starts from, to
  // the bit; then the sizes of the fields, as far as they are known, and the states at the start. Only windows that the
  // journal does not have yet have it. The unknowns are those of the march's own Window.
  std::vector<std::vector<SharedArray>> restart_state;
  std::vector<NewtonRecord> newton;  // of this window, attempts that were rejected included
  int n_factorisations = 0;
  Index n_unknowns = 0;
  double reciprocal_condition = 1.0;  // smallest; 1 where it is not known
};

// What the march has to know of the windows solved before an interruption, to continue behind them as if there had been
// none.
struct MarchSoFar {
  explicit MarchSoFar(const Model& model) : sizes(model) {}
  void update(const Model& model, const MarchWindow& window);  // one after the other

  int n_windows = 0;
  FieldScales sizes;
  MarchWindow last;
};

enum class MarchStatus { finished, newton_failed, unresolved };

struct MarchEnd {
  MarchStatus status = MarchStatus::finished;
  NewtonStatus newton = NewtonStatus::converged;  // of the window that failed
  std::string detail;
  double start = 0.0, end = 0.0;     // the window that failed
  int parameter_point = 0;           // where it failed
  std::vector<NewtonRecord> failed;  // its Newton iterations
  std::string linear_solver;         // that of the last window
  std::vector<std::string> warnings;
  std::string lacks_guess;   // unknowns without dt that were not found at the start, no guess of them being given
  bool out_of_time = false;  // unresolved, for resolution.limits.time
  bool vanishing = false;    // unresolved, and no window would be short enough
  bool says_remedy = false;  // unresolved, and `detail` says what to do
};

// What a march is made of; it outlives the march.
struct MarchInput {
  const Context& context;
  const Case& the_case;
  const Model& model;
  const SystemPlan& plan;
  const MarchSettings& settings;
  const std::vector<std::vector<double>>& points;  // of the parameters
  const LinearChoice& linear;                      // for the model's subdomains
  std::function<void(MarchWindow&&)> window_done;  // takes each finished window
  std::function<bool()> interrupted;               // asked often; may be empty
  PointPlaces* places = nullptr;                   // that points are solved in besides this one; null: none
};

MarchEnd march(const MarchInput& input, const MarchSoFar& before);

}  // namespace gwrm
