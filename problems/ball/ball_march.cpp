#include "problems/ball/ball_march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/ball/window_solver.hpp"

namespace gwrm::ball {
namespace {

constexpr double kShortest = 0x1p-40;       // of the whole interval
constexpr double kRoomToDouble = 1.0 / 64;  // a window is doubled below this part of the tolerance

}  // namespace

const BallWindow& BallSolution::window_of(double time) const {
  const auto found = std::find_if(windows.begin(), windows.end(), [&](const BallWindow& w) { return time <= w.end; });
  return found == windows.end() ? windows.back() : *found;
}

std::vector<double> BallSolution::at(double time) const {
  const BallWindow& window = window_of(time);
  const double s = (2.0 * time - window.start - window.end) / (window.end - window.start);
  const RowVector values = chebyshev_row(window.coefficients.rows() - 1, s) * window.coefficients;
  return {values.data(), values.data() + values.size()};
}

std::vector<double> BallSolution::rate_at(double time) const {
  const BallWindow& window = window_of(time);
  const double h = window.end - window.start, s = (2.0 * time - window.start - window.end) / h;
  const Index degree = window.coefficients.rows() - 1;
  // T_k' = k U_(k-1)
  RowVector row = RowVector::Zero(degree + 1);
  double last = 0.0, now = 1.0;
  for (Index k = 1; k <= degree; ++k) {
    row(k) = static_cast<double>(k) * now * 2.0 / h;
    const double next = 2.0 * s * now - last;
    last = now, now = next;
  }
  const RowVector values = row * window.coefficients;
  return {values.data(), values.data() + values.size()};
}

MarchResult march_ball(const BallModel& model, const BallSpace& space, double start, double end,
                       const MarchControl& control) {
  WindowSolver solver(model, space, 1, control.device);
  solver.stop_when(control.interrupted);
  const bool goes_on = !control.start.windows.empty();
  std::vector<double> state;
  if (goes_on) {
    const BallWindow& last = control.start.windows.back();
    const RowVector end_state = control.start.rows.bottomRows(1);
    state.assign(end_state.data(), end_state.data() + end_state.size());
    if (control.start.rows.rows() > 1) solver.follow(last.start, last.end, control.start.rows);
  } else {
    state = space.project(model.initial_series(space));
  }
  MarchResult result;
  const bool automatic = control.edges.empty();
  result.solution.windows = control.start.windows;
  double time = goes_on ? control.start.windows.back().end : start,
         length = goes_on ? control.start.length : end - start;
  for (std::size_t w = control.start.windows.size(); time < end;) {
    if (control.interrupted && control.interrupted()) {
      result.reason = "interrupted";
      return result;
    }
    if (automatic) length = std::min(length, solver.longest_window(state));
    const bool is_last = automatic && time + 1.0001 * length >= end;
    const double to = !automatic ? control.edges[w + 1] : is_last ? end : time + length;
    const WindowValues values = solver.solve(state, time, to, false, automatic ? control.tolerance : 0.0);
    result.n_iterations += values.iterations;
    if (!values.failure.empty() && !automatic) {
      result.reason = values.failure + "; give more windows in ball.windows, or leave the key out";
      return result;
    }
    BallWindow window{time, to, solver.coefficients(values.rows), 0.0};
    window.tail = solver.tail(window.coefficients);
    if (values.failure.empty() && !window.coefficients.allFinite()) {
      result.reason = fmt::format("the fields overflow in the window from t = {:.6g}", time);
      return result;
    }
    if (automatic && (!values.failure.empty() || window.tail > control.tolerance)) {
      length = (to - time) / 4.0;
      if (length < kShortest * (end - start)) {
        result.reason = fmt::format(
            "the window from t = {:.6g} would have to be shorter "
            "than {:.1e}: the fields may grow beyond bounds there; if they do not, raise ball.tolerance or "
            "ball.degree's t{}",
            time, length, values.failure.empty() ? "" : "; " + values.failure);
        return result;
      }
      continue;
    }
    if (automatic && window.tail < kRoomToDouble * control.tolerance) length = 2.0 * (to - time);
    const RowVector last = values.rows.bottomRows(1);
    state.assign(last.data(), last.data() + last.size());
    time = to;
    ++w;
    if (control.progress) control.progress(time, to - window.start);
    if (control.finished) control.finished(window, values.rows, length);
    result.solution.windows.push_back(std::move(window));
  }
  result.complete = true;
  result.n_factorisations = solver.n_factorisations();
  return result;
}

}  // namespace gwrm::ball
