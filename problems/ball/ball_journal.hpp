// The windows of a run in the sphere on disk while it goes on (problems/window_journal.hpp), and back.
//
// Record   axes t, r, theta, phi with the degrees t, r, l, m; a list for each part, (K + 1) x (its coefficients in the
//          order of BallSpace::series()); behind them rows of unknowns, from which the next window starts to the bit:
//          those at the window's end, where Newton's iteration begins with the window before those of all its nodes.
#pragma once

#include <memory>
#include <optional>

#include "problems/ball/ball_march.hpp"
#include "problems/window_journal.hpp"

namespace gwrm::ball {

class BallJournal {
 public:
  // tightening: of the tolerance of the windows, by verdicts before (degree_choice.hpp).
  BallJournal(const RunControl& control, const BallModel& model, double tightening = 1.0);

  // The degrees of the windows of an interrupted run; nothing if there is none, or no window is complete.
  std::optional<Degrees> open();
  bool has_windows() const { return has_windows_; }
  double tightening() const { return file_.header().tightening; }
  // Its windows, where a march goes on behind them. OutputError for what does not fit the space.
  MarchStart restore(const BallSpace& space);

  void add(const BallSpace& space, const BallWindow& window, const Matrix& rows, double next_length);
  void keep();  // the run was stopped: everything to the disk
  std::shared_ptr<JournalWriter> hand_over() { return file_.hand_over(); }

 private:
  void write();

  const BallModel& model_;
  WindowJournal file_;
  bool has_windows_ = false;
  std::vector<JournalWindow> waiting_;
  double waiting_bytes_ = 0.0;
};

}  // namespace gwrm::ball
