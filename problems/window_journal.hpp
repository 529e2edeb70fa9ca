// The file behind the journal of a march (output/journal.hpp): when there is one, what a run has to agree with before
// it goes on behind the windows in it, and when new ones are written. What a record holds is the module's.
//
// A run shorter than a second (GWRM_JOURNAL_SECONDS in the environment) leaves no file, and where writing would take
// more than a tenth of the time since the last windows were written, they wait. Where no file can be made the run goes
// on without, after a warning; a file of another run in its place is an OutputError.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "output/journal.hpp"
#include "problems/problem.hpp"

namespace gwrm {

class WindowJournal {
 public:
  // Does nothing if the control names no journal. OutputError if the file holds an interrupted run and may not be
  // overwritten; with control.restart it may be there.
  WindowJournal(const RunControl& control, JournalHeader header);

  bool is_kept() const { return !path_.empty(); }
  const JournalHeader& header() const { return header_; }

  // Opens the file of an interrupted run; new records go behind its own. From it the header takes repeats and
  // tightening. OutputError if there is no such file or it is damaged, CaseError if it belongs to another case.
  const JournalScan& open();
  // Its records, one at a time in memory; OutputErrors of `visit` get the file's name in front.
  void read(const JournalVisitor& visit) const;

  // Of the records of an opened file the first n stay.
  void cut_behind(std::size_t n) { writer_->cut_behind(n); }

  enum class Due { too_early, waiting, now };
  Due due(double unwritten_bytes) const;
  // Calls `append` with the writer, unless there can be none.
  void write(double bytes, const std::function<void(JournalWriter&)>& append);
  void close();  // the run was stopped: everything to the disk
  // To the outcome; null if there is none.
  std::shared_ptr<JournalWriter> hand_over() { return std::move(writer_); }

 private:
  bool begin();
  std::string path_;
  bool overwrite_;
  double worth_keeping_;  // seconds: creating a file that survives a crash takes longer than many a run
  JournalHeader header_;
  std::shared_ptr<JournalWriter> writer_;
  double bytes_per_second_ = 2e8;  // until some have been written
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

// The case, and what wrote it; names of axes and fields are to be added.
JournalHeader journal_header(const Case& the_case);

}  // namespace gwrm
