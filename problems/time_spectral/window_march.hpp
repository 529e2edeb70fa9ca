// What all ways to march have in common: from the state at the end of the last window to the next accepted window.
//
// attempt() solves a window at all parameter points; accept() hands it over and makes its end the new origin; fail()
// and give_up() say in the result why there is none. fixed_march.hpp and automatic_march.hpp choose the windows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

class WindowMarch {
 public:
  explicit WindowMarch(const MarchInput& input);
  virtual ~WindowMarch() = default;
  MarchEnd run(const MarchSoFar& before);

 protected:
  // All windows from origin_ on, or until one fails. next_step: the length proposed for the first one; 0: none.
  virtual void advance(double next_step) = 0;

  bool is_timed() const { return !model_.window_edges.empty(); }
  double first_edge(std::size_t i) const { return is_timed() ? model_.window_edges[i] : static_cast<double>(i); }
  double span() const { return model_.window_edges.back() - model_.window_edges.front(); }
  bool can_divide_time() const { return model_.time_axis() >= 0 && !model_.whole_time; }
  bool is_too_short(double length) const;
  // Whether Newton may converge in a shorter window.
  static bool worth_shortening(NewtonStatus status);

  std::vector<NewtonResult> attempt(double start, double end, const PointWindows& guess = {});
  void accept(const std::vector<NewtonResult>& results, double next_step);
  void fail(const std::vector<NewtonResult>& results, double start, double end);
  // cures: with what mends data that contradict each other, where that is why the first window fails.
  void give_up(const std::string& why, bool cures = true);

  const Model& model_;
  const MarchSettings& settings_;
  const std::vector<std::vector<double>>& points_;
  PointSolver solver_;
  FieldScales sizes_;                        // over the accepted windows; from zero, see learn_sizes()
  std::vector<AxisDescription> subdomains_;  // of the next window
  Origin origin_;
  double now_ = 0.0;
  int n_windows_ = 0;
  PointWindows windows_;   // of the attempt
  PointWindows previous_;  // the last accepted ones
  MarchEnd end_;
  std::vector<HalvedWindow> halved_;

 private:
  std::string bad_data() const;
  // The unknowns without dt and without a guess, "V, i". At the start Newton's iteration has nothing but zero for them.
  std::string unknown_at_start() const;
  // Finds them at the start of the run: a window of a millionth of the time, with little damping and many iterations,
  // then with undamped steps. False, and so in the result of the march: there is no such window.
  bool solve_start(double start);
  void continue_behind(const MarchSoFar& before);

  const std::function<void(MarchWindow&&)>& window_done_;
  PointWindows at_start_;  // by solve_start()
};

}  // namespace gwrm
