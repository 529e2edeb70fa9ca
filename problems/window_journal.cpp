#include "problems/window_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>

#include "core/errors.hpp"
#include "core/log.hpp"
#include "core/version.hpp"

namespace gwrm {
namespace {

// How often a run may have been repeated, and by what its tolerance may have been multiplied.
bool are_repeats(const JournalHeader& header) {
  constexpr int kMost = 1000;
  return header.n_repeats >= 0 && header.n_repeats <= kMost && header.tightening > 0.0 && header.tightening <= 1.0;
}

// The first lines of two resolved cases that are not the same.
std::string difference_of(const std::string& there, const std::string& here) {
  std::istringstream a(there), b(here);
  std::string first, second;
  bool has_first = true, has_second = true;
  while (has_first && has_second && first == second) {
    has_first = !!std::getline(a, first);
    has_second = !!std::getline(b, second);
  }
  const auto told = [](const std::string& line) {
    return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
  };
  if (!has_first || !has_second || first == second) return {};
  return fmt::format(", which says `{}` where this one says `{}`", told(first), told(second));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double shortest_kept() {
  constexpr double kUsual = 1.0;
  const char* seconds = std::getenv("GWRM_JOURNAL_SECONDS");
  return seconds == nullptr ? kUsual : std::max(0.0, std::atof(seconds));
}

}  // namespace

JournalHeader journal_header(const Case& the_case) {
  return {the_case.resolved_text, version(), git_revision(), {}, {}, {}};
}

WindowJournal::WindowJournal(const RunControl& control, JournalHeader header)
    : path_(control.journal),
      overwrite_(control.overwrite),
      worth_keeping_(shortest_kept()),
      header_(std::move(header)) {
  if (!path_.empty() && !control.restart && !overwrite_ && std::filesystem::exists(path_))
    throw OutputError(
        fmt::format("{}: the windows of an interrupted run are in this file: continue it with gwrm run "
                    "--restart {}, or start anew with --overwrite",
                    path_, path_));
}

const JournalScan& WindowJournal::open() {
  writer_ = std::make_shared<JournalWriter>(path_);
  const JournalScan& found = writer_->found();
  if (found.header.case_text != header_.case_text || found.header.axes != header_.axes ||
      found.header.fields != header_.fields || found.header.bases != header_.bases)
    throw CaseError(
        fmt::format("{}: this journal belongs to another case{}: restart with the case file, data and options of the "
                    "run that was interrupted, or run without --restart",
                    path_, difference_of(found.header.case_text, header_.case_text)));
  if (found.header.version != header_.version || found.header.git_revision != header_.git_revision)
    logger().warn("{}: begun by gwrm {} ({}), continued by another version", path_, found.header.version,
                  found.header.git_revision);
  if (!are_repeats(found.header))
    throw OutputError(
        fmt::format("{}: the head of the journal is not valid; delete the file and begin the run afresh", path_));
  header_.n_repeats = found.header.n_repeats;
  header_.tightening = found.header.tightening;
  if (found.damaged())
    logger().warn("{}: {} bytes at its end are not a complete window and were dropped", path_, found.dropped_bytes);
  return found;
}

// Read once more, now that the file is known to be ours: only one window at a time is in memory.
void WindowJournal::read(const JournalVisitor& visit) const {
  scan_journal(path_, [&](JournalWindow record) {
    try {
      visit(std::move(record));
    } catch (const OutputError& error) {
      throw OutputError(fmt::format("{}: {}", path_, error.what()));
    }
  });
}

WindowJournal::Due WindowJournal::due(double unwritten_bytes) const {
  // Windows of a GPU are solved faster than they are written: that takes a tenth of the run at most.
  constexpr double kShare = 10.0;
  const double waited = seconds_since(written_);
  if (path_.empty() || (writer_ == nullptr && waited < worth_keeping_)) return Due::too_early;
  return waited < (kShare - 1.0) * unwritten_bytes / bytes_per_second_ ? Due::waiting : Due::now;
}

void WindowJournal::write(double bytes, const std::function<void(JournalWriter&)>& append) {
  if (path_.empty()) return;
  if (writer_ == nullptr && !begin()) return;
  const auto start = std::chrono::steady_clock::now();
  append(*writer_);
  constexpr double kMeasurable = 1e6;
  if (bytes >= kMeasurable) bytes_per_second_ = bytes / seconds_since(start);
  written_ = std::chrono::steady_clock::now();
}

// A run whose journal finds no place goes on without: its answer may still find one.
bool WindowJournal::begin() {
  try {
    writer_ = std::make_shared<JournalWriter>(path_, header_, overwrite_);
  } catch (const OutputError& error) {
    std::error_code none;
    if (std::filesystem::exists(path_, none)) throw;  // of another run
    logger().warn("{}; if this run is interrupted it cannot be continued", error.what());
    path_.clear();
  }
  return writer_ != nullptr;
}

void WindowJournal::close() {
  if (writer_ != nullptr) writer_->close();
}

}  // namespace gwrm
