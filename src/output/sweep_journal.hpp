// The journal of a sweep: every run that has ended, appended as soon as it has, so that a sweep that was interrupted
// repeats only the missing runs. The result file is made of it.
//
// Layout: blocks of 8-byte words as in the journal of a march (journal.hpp), with other marks.
//   file           "gwrmswep"; u format; block "gwrmhead"; blocks "gwrmdone", one for each run, in the order of their
//   ends "gwrmhead"     text case_name, case_text; list of text sets; i manufactured, keep_runs; text backend; text
//   output,
//                  version, git_revision; list of dimensions: text name; i together; list of keys: text key, name; list
//                  of text values
//   "gwrmdone"     u run; i exit_status; text status, reason, verdict; i n_unknowns, n_newton_iterations,
//                  n_linear_iterations, n_windows; f wall_seconds; list of (text field; f error, error_at_end); list of
//                  (text goal; f value, error); list of (text kind, subject; f value); list of axes: text name; i
//                  is_time; list of f points; list of text labels; list of arrays: text group, name, long_name,
//                  expression, error_of; list of text axes; list of u extents; f values
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "output/report.hpp"
#include "output/sweep_points.hpp"

namespace gwrm {

// What a sweep is: all that is needed to go on with it.
struct SweepHeader {
  std::string case_name, case_text;  // the case file as it was read
  std::vector<std::string> sets;     // --set
  bool manufactured = false, keep_runs = false;
  std::string backend;  // --backend; empty: the case's
  std::string output;   // the result file
  std::string version, git_revision;
  SweepPoints points;
};

// Points of a dimension of the sampled fields.
struct SweepAxis {
  std::string name;
  bool is_time = false;
  std::vector<double> points;
  std::vector<std::string> labels;  // in place of points: of a list of names
  bool operator==(const SweepAxis&) const = default;
  std::size_t size() const { return labels.empty() ? points.size() : labels.size(); }
};

// A sampled field, or a statistic of one.
struct SweepArray {
  std::string group;  // of the result file; empty: the root
  std::string name, long_name, expression, error_of;
  std::vector<std::string> axes;
  Array values;
};

// What a sweep keeps of a run.
struct SweepRun {
  std::size_t run = 0;
  int exit_status = 0;
  std::string status, reason, verdict;
  Index n_unknowns = 0;
  int n_newton_iterations = 0, n_linear_iterations = 0, n_windows = 0;
  double wall_seconds = 0.0;
  struct Estimate {
    std::string field;
    double error = 0.0, at_end = 0.0;
  };
  std::vector<Estimate> estimates;  // one for each unknown, relative to its largest magnitude
  struct GoalValue {
    std::string name;
    double value = 0.0, error = 0.0;
  };
  std::vector<GoalValue> goals;
  struct CheckValue {
    std::string kind, subject;
    double value = 0.0;
  };
  std::vector<CheckValue> checks;
  std::vector<SweepAxis> axes;     // of the arrays; none without arrays
  std::vector<SweepArray> arrays;  // none of a run without a complete answer
};

using SweepVisitor = std::function<void(SweepRun)>;

struct SweepScan {
  SweepHeader header;
  std::size_t n_records = 0;
  std::uint64_t complete_bytes = 0, dropped_bytes = 0;
};

// One record in memory at a time. Takes no lock: the journal of a sweep that is going on can be read. OutputError for
// what is no journal of a sweep, of another format, or damaged at its head.
SweepScan scan_sweep_journal(const std::string& path, const SweepVisitor& visit = {});

// The same as bytes, for the ranks of a sweep: read back by the others, nothing if the bytes do not make sense.
std::vector<unsigned char> bytes_of(const SweepHeader& header);
std::vector<unsigned char> bytes_of(const SweepRun& run);
std::optional<SweepHeader> sweep_header_of(std::span<const unsigned char> bytes);
std::optional<SweepRun> sweep_run_of_bytes(std::span<const unsigned char> bytes, std::size_t n_runs);

namespace journal {
class BlockAppender;
}

// Appends runs; locked, cut back after failed writes and forced to the disk as JournalWriter is. Not for use by several
// threads at once.
class SweepJournal {
 public:
  // A new journal, complete with its header or not there at all. Without `overwrite` an existing file is not replaced.
  SweepJournal(const std::string& path, const SweepHeader& header, bool overwrite);
  // An existing one: cuts off what follows the last complete record, appends there.
  explicit SweepJournal(const std::string& path, const SweepVisitor& visit = {});
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  const std::string& path() const { return path_; }
  const SweepHeader& header() const { return header_; }
  void append(const SweepRun& run);
  void flush();
  void remove();  // the result is there: deletes the file

 private:
  std::string path_;
  SweepHeader header_;
  std::unique_ptr<journal::BlockAppender> file_;
};

}  // namespace gwrm
