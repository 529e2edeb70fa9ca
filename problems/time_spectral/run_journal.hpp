// The windows of a run on disk while it goes on (output/journal.hpp), and back.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "output/journal.hpp"
#include "problems/problem.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

class RunJournal {
 public:
  // repeats: how many there were before, and the factor on the tolerance that they led to.
  struct Repeats {
    int n = 0;
    double tightening = 1.0;
  };
  // Does nothing if the control names no journal. OutputError if the file holds an interrupted run and may not be
  // overwritten; with control.restart it may be there.
  RunJournal(const RunControl& control, const Case& the_case, const Model& model, Repeats repeats);

  // The complete windows of an interrupted run, one after the other; new ones are appended behind them. OutputError if
  // there is no such file or a window in it does not fit the case, CaseError if it belongs to another case.
  void restore(const std::function<void(MarchWindow&&)>& visit);
  // Once restore() has begun those of the interrupted run.
  Repeats repeats() const { return {header_.n_repeats, header_.tightening}; }
  // Appends those of the windows that are not in the file yet; the first of them is number `first` of the run. A run
  // shorter than a second leaves no file, and where writing them would take more than a tenth of the time since the
  // last ones were written, they wait. Where no file can be made the run goes on without, after a warning; a file of
  // another run in its place is an OutputError.
  void update(std::span<const MarchWindow> windows, std::size_t first);
  void write(std::span<const MarchWindow> windows, std::size_t first);  // the same without waiting
  // The restart state of window number n is in the file, or will never be: of windows that wait it is that of the last
  // one.
  bool is_done_with(std::size_t n) const { return path_.empty() || n < n_written_ || n < n_waiting_; }
  void close();  // the run was stopped: everything to the disk
  // To the outcome; null if there is none.
  std::shared_ptr<JournalWriter> hand_over() { return std::move(writer_); }

 private:
  bool begin();
  void append(const MarchWindow& window);
  double unwritten_bytes(std::span<const MarchWindow> windows, std::size_t first) const;

  std::string path_;
  bool overwrite_;
  const Case& case_;
  const Model& model_;
  JournalHeader header_;
  std::shared_ptr<JournalWriter> writer_;
  std::size_t n_written_ = 0;      // windows of the run in the file
  std::size_t n_waiting_ = 0;      // windows of the run before the last one that waits
  double bytes_per_second_ = 2e8;  // until some have been written
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace gwrm
