// The journal of a march: every finished window, appended as soon as it is there, so that an interrupted run is
// continued from the last one.
//
// Layout, format 2. The file consists of 8-byte little-endian words: numpy.fromfile(name, "<u8") reads all of it, and
// .view("<i8") or .view("<f8") gives the numbers. u: unsigned, i: signed, f: IEEE double.
//   text           u n; n bytes of UTF-8; zeros up to a multiple of 8
//   list of X      u n; n times X
//   block          8 bytes mark; u n; u NOT n; n bytes; "gwrmsum1"; u checksum (checksum.hpp) of the block before it
//   file           "gwrmjrnl"; u format; block "gwrmhead"; blocks "gwrmwind", one for each window
//   "gwrmhead"     text case_text, version, git_revision; list of text axes, fields, bases (one per axis; not there in
//                  format 1, in which all are chebyshev); from format 3 on i n_repeats; f tightening
//   "gwrmwind"     u number of the record from 0; i parameter_point; f start, end, next_step; i n_factorisations;
//                  f reciprocal_condition, wall_seconds;
//                  list of (i degree; list of f edges), one per axis;
//                  list of (list of u extents; f coefficients, as many as the product, last extent fastest), one per
//                  field; list of (i window, parameter_point, iteration, linear_iterations; f residual, correction,
//                  damping)
// A record cut short by a kill or a crash has no valid checksum: reading stops before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"

namespace gwrm {

// What a run must agree with before it continues a journal. The names describe the arrays to other readers.
struct JournalHeader {
  std::string case_text;  // the resolved case file
  std::string version, git_revision;
  std::vector<std::string> axes, fields;
  std::vector<std::string> bases{};  // per axis; its map is that of the case
  // Of an automatic run that is repeated for an error that was too large: for the n-th time, and with what factor on
  // resolution.tolerance.
  int n_repeats = 0;
  double tightening = 1.0;
  bool operator==(const JournalHeader&) const = default;
};

struct JournalWindow {
  int parameter_point = 0;
  double start = 0.0, end = 0.0;
  double next_step = 0.0;  // length that the march proposes for the next window
  int n_factorisations = 0;
  double reciprocal_condition = 1.0;
  double wall_seconds = 0.0;
  std::vector<AxisDescription> subdomains;  // per axis: degree and edges; basis and map are not in the record
  std::vector<Array> fields;  // per field, its coefficients (solution.hpp); more arrays may follow for the writer's use
  std::vector<NewtonRecord> newton;  // of this window
};

struct JournalScan {
  JournalHeader header;
  std::size_t n_windows = 0;         // complete records
  std::uint64_t complete_bytes = 0;  // where they end
  std::uint64_t dropped_bytes = 0;   // behind that: a torn record, or a damaged one and all after it
  bool damaged() const { return dropped_bytes > 0; }
};

// Called for one record after the other, in the order of the file, which is the order in which they were computed.
using JournalVisitor = std::function<void(JournalWindow)>;

// One record in memory at a time. Takes no lock: the journal of a run that is going on can be read. Throws OutputError
// if the file cannot be read, is no journal, has another format, or its header is damaged.
JournalScan scan_journal(const std::string& path, const JournalVisitor& visit = {});

struct Journal {
  JournalScan scan;
  std::vector<JournalWindow> windows;
};

Journal read_journal(const std::string& path);  // all records at once

// Deletes the journal of a completed run; nothing happens if there is none. OutputError if the file is no journal or
// another process writes to it.
void remove_journal(const std::string& path);

namespace journal {
class BlockAppender;
}

// Appends windows. While it lives it holds an advisory lock (flock) on the file, so that a second process is refused;
// on a file system without locks that protection is missing. Not for use by several threads at once.
//
// All failures are OutputErrors that say what to do. When a write fails (disk full, quota, limit on file sizes) the
// file is cut back to its last complete record, so the run can be continued from there. The process has to ignore
// SIGXFSZ, which otherwise ends it before the limit on file sizes is seen as an error.
class JournalWriter {
 public:
  // A new journal, complete with its header or not there at all. Without `overwrite` an existing file is not replaced.
  JournalWriter(const std::string& path, const JournalHeader& header, bool overwrite);

  // An existing journal: visits its records, cuts off what follows the last complete one, appends there.
  explicit JournalWriter(const std::string& path, const JournalVisitor& visit = {});

  ~JournalWriter();  // as close(), without a word about failures
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  const JournalScan& found() const { return found_; }  // what the second constructor read
  std::size_t n_windows() const;                       // complete records in the file
  void cut_behind(std::size_t n);                      // of more than n records the first n stay

  // The record is handed to the operating system, so it outlives this process. It is forced to the disk, to outlive the
  // machine too, now and then only. ShapeError if an array's shape and data do not agree.
  void append(const JournalWindow& window);
  // Its fields are these and not its own; their numbers are written from where they are.
  void append(const JournalWindow& window, std::span<const ArrayView> fields);
  void flush();   // forces everything to the disk
  void close();   // flush and give up the lock; no append after it
  void remove();  // the run is complete: deletes the file and gives up the lock

 private:
  std::unique_ptr<journal::BlockAppender> file_;
  JournalScan found_;
};

}  // namespace gwrm
