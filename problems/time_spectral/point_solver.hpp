// One window at all points of the collocated parameters, solved side by side.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/report.hpp"
#include "problems/time_spectral/flow_start.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/side_corners.hpp"
#include "problems/time_spectral/sudden_start.hpp"
#include "problems/time_spectral/window.hpp"

namespace gwrm {

struct MarchSettings {
  NewtonOptions newton;
  PredictorChoice predictor = PredictorChoice::extrapolate;
  Case::Resolution resolution;
  std::shared_ptr<DeviceSolver> device;  // null: all on the CPU
  bool device_required = false;
  double clash = 0.0;  // largest violation of the boundary conditions by dt of the initial data, relative; 0: none
  bool incompatible_values = false;               // by the initial values themselves
  std::vector<SuddenStart> starts{};              // at which data jump and the solution is smooth afterwards
  FlowStarts flows{};                             // at which pressure starts with an infinite rate
  std::vector<double> sizes{};                    // of the fields in the whole run, from a scout; empty: not known
  std::vector<SideCorner> corners{};              // of a steady problem
  bool is_hopeless = false;                       // no answer with that jump can be right
  std::string carried{};                          // a jump that is carried along, and what to do; else empty
  bool lends_factors = false;                     // SolverMemory: not of a march, which an interruption must not change
  bool is_trial = false;                          // of a proposal (RunControl)
  double forecasts_from = 0.0;                    // seconds since the run began: no forecast ends it before
  const std::vector<double>* solution = nullptr;  // of the only window at the only point, in place of a solve
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();  // the whole run

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); }
  bool out_of_time() const {
    return resolution.automatic() && resolution.max_seconds > 0.0 && seconds() > resolution.max_seconds;
  }
};

// One Window per parameter point; empty before the first.
using PointWindows = std::vector<std::unique_ptr<Window>>;

// The state at the start of a window, on the subdomains of the window that ended there.
struct Origin {
  bool initial = true;  // the initial values of the case: projected on whatever subdomains are asked for
  std::vector<State> states;
  std::vector<AxisDescription> subdomains;
};

// What was spent since the last accepted window, attempts that were rejected included.
struct Spent {
  std::vector<NewtonRecord> newton;
  int n_factorisations = 0;
};

struct MarchInput;  // march.hpp
struct MarchWindow;
class SharedPoints;  // point_places.hpp

// What one attempt at a window starts from.
struct WindowToSolve {
  const Origin& origin;
  const std::vector<AxisDescription>& subdomains;
  double start = 0.0, end = 1.0;
  const PointWindows& previous;           // the last accepted ones
  const PointWindows& guess;              // an earlier attempt with the same start, or nothing
  int number = 0;                         // of the window, for the records
  const MarchWindow* known = nullptr;     // a solution over this time or more, from which Newton starts; or null
  const NewtonOptions* newton = nullptr;  // in place of those of the settings, of windows solved here; or null
  // Given each point's window when it is solved on the CPU, with its linear solver; by several threads at once.
  std::function<void(std::size_t, Window&, LinearSolver&)> then = {};
};

// Per parameter point.
struct PointResults {
  std::vector<NewtonResult> newton;
  PointWindows windows;
  bool out_of_time = false;  // a factorisation would have outlasted the limit, and was not begun
};

class PointSolver {
 public:
  explicit PointSolver(const MarchInput& input);
  ~PointSolver();

  // The state of point p on these subdomains.
  State state_for(const Origin& origin, std::size_t p, const std::vector<AxisDescription>& subdomains, double start,
                  double end) const;

  // Newton starts from `guess` if it holds windows, else from `previous`. A linear solver that does not serve gives way
  // to a more robust one, for good. Points are solved side by side, some of them elsewhere if the input has other
  // places, but with `then` all here.
  PointResults attempt(const WindowToSolve& window);

  // What windows of this length on these subdomains will need, from the initial values: their matrices, and factors
  // where they depend on nothing else.
  void prepare(const std::vector<AxisDescription>& subdomains, double start, double end);

  // Windows that were solved before, from their coefficients (per point, per field).
  PointWindows rebuild(const std::vector<AxisDescription>& subdomains, double start, double end,
                       const std::vector<std::vector<Array>>& fields) const;

  // Calls body(solver) with a linear solver of a window that was solved, at point p. MemoryError where this process
  // alone has no room for its factors.
  void with_linear_solver(std::size_t p, Window& window, const std::function<void(LinearSolver&)>& body);

  // Unknowns one may start from in a window of this start and length, at one point: for estimates.
  std::unique_ptr<Window> probe(const Origin& origin, std::size_t p, const std::vector<AxisDescription>& subdomains,
                                double start, double end) const;

  Spent take_spent() { return std::exchange(spent_, {}); }
  const Spent& spent() const { return spent_; }
  std::vector<std::string> warnings() const { return warnings_; }
  std::string linear_solver(const std::vector<AxisDescription>& subdomains) const;
  // Why windows with these subdomains do not fit into memory; empty if they do.
  std::string memory_excess(const std::vector<AxisDescription>& subdomains) const;
  const Context& context() const { return context_; }

 private:
  LinearChoice choice_for(const std::vector<AxisDescription>& subdomains) const;
  LinearMethod method_for(const std::vector<AxisDescription>& subdomains);
  PointResults attempt_with(LinearMethod method, const WindowToSolve& source);
  // Of what is left to do once it is begun, at the speed of no processor; 0: it can be interrupted.
  double least_seconds(LinearMethod method, const std::vector<AxisDescription>& subdomains) const;
  bool exceeds_limit(double needed) const;
  void for_points(const std::vector<std::size_t>& points, const std::function<void(std::size_t)>& work) const;
  std::vector<double> first_guess(Window& window, std::size_t p, LinearMethod method,
                                  const WindowToSolve& source) const;
  double residual_size(Window& window, std::size_t p, LinearMethod method, const std::vector<double>& x) const;
  void record(const std::vector<NewtonResult>& results, int window_number);

  const Context& context_;
  const Context point_context_;
  const Case& case_;
  const Model& model_;
  const SystemPlan& plan_;
  const MarchSettings& settings_;
  const std::vector<std::vector<double>>& points_;
  const std::function<bool()>& interrupted_;
  LinearChoice choice_;                      // made anew only where the subdomains change
  std::vector<AxisDescription> chosen_for_;  // the subdomains it was made for
  std::vector<SolverMemory> memories_;       // per point
  std::optional<LinearMethod> demoted_;      // in place of the automatic choice
  Spent spent_;
  std::vector<std::string> warnings_;
  std::vector<std::size_t> all_points_;
  std::unique_ptr<SharedPoints> shared_;  // null: all points are solved here
  const RanksOfWindow ranks_;
};

// What the solves of each of so many points begin with.
std::vector<SolverMemory> solver_memories(const MarchSettings& settings, std::size_t n_points);

// The first point whose Newton iteration did not converge, or how many there are.
std::size_t first_failure(const std::vector<NewtonResult>& results);

}  // namespace gwrm
