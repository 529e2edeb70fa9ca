// The windows of a run on disk while it goes on (output/journal.hpp), and back.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "output/journal.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/window_journal.hpp"

namespace gwrm {

class RunJournal {
 public:
  // repeats: how many there were before, and the factor on the tolerance that they led to.
  struct Repeats {
    int n = 0;
    double tightening = 1.0;
  };
  // As WindowJournal.
  RunJournal(const RunControl& control, const Case& the_case, const Model& model, Repeats repeats);

  // The complete windows of an interrupted run up to the last that has a restart state, one after the other; new ones
  // are appended behind them. OutputError if
  // there is no such file or a window in it does not fit the case, CaseError if it belongs to another case.
  void restore(const std::function<void(MarchWindow&&)>& visit);
  // Once restore() has begun those of the interrupted run.
  Repeats repeats() const { return {file_.header().n_repeats, file_.header().tightening}; }
  // Appends those of the windows that are not in the file yet; the first of them is number `first` of the run.
  void update(std::span<const MarchWindow> windows, std::size_t first);
  void write(std::span<const MarchWindow> windows, std::size_t first);  // the same without waiting
  // The restart state of window number n is in the file, or will never be: of windows that wait it is that of the last
  // one.
  bool is_done_with(std::size_t n) const { return is_written(n) || n < n_waiting_; }
  bool is_written(std::size_t n) const { return !file_.is_kept() || n < n_written_; }
  void close() { file_.close(); }  // the run was stopped: everything to the disk
  // To the outcome; null if there is none.
  std::shared_ptr<JournalWriter> hand_over() { return file_.hand_over(); }

 private:
  static void append(const MarchWindow& window, JournalWriter& writer);
  // Records up to the last complete window with a restart state; where none has one, up to the last complete window.
  std::size_t n_continuable(std::size_t n_found) const;
  double unwritten_bytes(std::span<const MarchWindow> windows, std::size_t first) const;

  const Case& case_;
  const Model& model_;
  WindowJournal file_;
  std::size_t n_written_ = 0;  // windows of the run in the file
  std::size_t n_waiting_ = 0;  // windows of the run before the last one that waits
};

}  // namespace gwrm
