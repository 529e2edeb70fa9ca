// The march over windows of time, and its answer: a polynomial in t for every coefficient of the series.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/matrix.hpp"
#include "problems/ball/ball_model.hpp"

namespace gwrm::ball {

class WindowDevice;  // device/device_windows.hpp

struct BallWindow {
  double start = 0.0, end = 0.0;
  Matrix coefficients;  // of T_0 .. T_K on [start, end] x series
  double tail = 0.0;    // of the field that is worst: root mean square of the last two, relative to all
};

class BallSolution {
 public:
  std::vector<BallWindow> windows;

  // The series at a time, or its derivative; an edge belongs to the window it ends.
  std::vector<double> at(double time) const;
  std::vector<double> rate_at(double time) const;
  const BallWindow& window_of(double time) const;
};

// Where a march goes on behind finished windows; none: at its beginning.
struct MarchStart {
  std::vector<BallWindow> windows;
  Matrix rows;          // unknowns at the start and the nodes of the last one, or at its end alone
  double length = 0.0;  // of the next window, where it is chosen
};

struct MarchControl {
  MarchStart start;
  // Called for every new window, with the unknowns at its start and nodes and the length of the next one.
  std::function<void(const BallWindow&, const Matrix& rows, double next_length)> finished;

  std::vector<double> edges;  // empty: chosen by the tolerance
  double tolerance = 1e-10;
  std::function<void(double time, double length)> progress;
  std::function<bool()> interrupted;
  WindowDevice* device = nullptr;  // that solves the windows; null: the CPU
};

struct MarchResult {
  BallSolution solution;
  bool complete = false;
  std::string reason;  // not complete: why
  int n_factorisations = 0, n_iterations = 0;
};

// Equations and initial values of the model in this space, from `start` to `end`. Windows without edges begin with the
// whole interval, are divided by four until the tail in t is below the tolerance, and doubled where it is far below:
// where data contradict the equations they grow geometrically from the start.
MarchResult march_ball(const BallModel& model, const BallSpace& space, double start, double end,
                       const MarchControl& control);

}  // namespace gwrm::ball
