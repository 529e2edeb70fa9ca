// The windows of a run on disk while it goes on (output/journal.hpp), and back.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "output/journal.hpp"
#include "problems/problem.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

class RunJournal {
 public:
  // Does nothing if the control names no journal. With control.restart the windows found in it are in restored(); CaseError if
  // it belongs to another case. Without, OutputError if the file holds an interrupted run and may not be overwritten.
  RunJournal(const RunControl& control, const Case& problem, const Model& model);

  std::vector<MarchWindow>& restored() { return restored_; }
  // Appends those of the run's windows that are not in the file yet. A run shorter than a second leaves no file.
  void update(const std::vector<MarchWindow>& windows);
  void keep(const std::vector<MarchWindow>& windows);  // the run was stopped: everything to the disk
  void remove();                                       // the run came to its end, good or bad

 private:
  void append(const MarchWindow& window);

  std::string path_;
  bool overwrite_;
  JournalHeader header_;
  std::unique_ptr<JournalWriter> writer_;
  std::vector<MarchWindow> restored_;
  std::size_t n_written_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace gwrm
