#include "problems/time_spectral/run_journal.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/errors.hpp"
#include "core/log.hpp"
#include "core/version.hpp"
#include "problems/time_spectral/stored_windows.hpp"

namespace gwrm {
namespace {

JournalHeader header_of(const Case& the_case, const Model& model, const RunJournal::Repeats& repeats) {
  JournalHeader header{the_case.resolved_text, version(), git_revision(), {}, {}, {}, repeats.n, repeats.tightening};
  for (const Axis& axis : model.axes) header.axes.push_back(axis.name);
  for (const AxisDescription& subdomains : model.subdomains) header.bases.push_back(subdomains.basis);
  for (const FieldModel& field : model.fields) header.fields.push_back(field.name);
  return header;
}

// How often a run may have been repeated, and by what its tolerance may have been multiplied.
bool are_repeats(const JournalHeader& header) {
  constexpr int kMost = 1000;
  return header.n_repeats >= 0 && header.n_repeats <= kMost && header.tightening > 0.0 && header.tightening <= 1.0;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

RunJournal::RunJournal(const RunControl& control, const Case& the_case, const Model& model, Repeats repeats)
    : path_(control.journal),
      overwrite_(control.overwrite),
      case_(the_case),
      model_(model),
      header_(header_of(the_case, model, repeats)) {
  if (!path_.empty() && !control.restart && !overwrite_ && std::filesystem::exists(path_))
    throw OutputError(
        fmt::format("{}: the windows of an interrupted run are in this file: continue it with gwrm run "
                    "--restart {}, or start anew with --overwrite",
                    path_, path_));
}

void RunJournal::restore(const std::function<void(MarchWindow&&)>& visit) {
  if (path_.empty()) return;
  writer_ = std::make_shared<JournalWriter>(path_);
  const JournalScan& found = writer_->found();
  if (found.header.case_text != header_.case_text || found.header.axes != header_.axes ||
      found.header.fields != header_.fields || found.header.bases != header_.bases)
    throw CaseError(
        fmt::format("{}: this journal belongs to another case: restart with the case file and options of the run "
                    "that was interrupted, or run without --restart",
                    path_));
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
  // Read once more, now that the file is known to be ours: only one window at a time is in memory.
  StoredWindows windows(case_, model_, found.n_windows);
  scan_journal(path_, [&](JournalWindow record) {
    bool is_complete = false;
    try {
      is_complete = windows.take(std::move(record));
    } catch (const OutputError& error) {
      throw OutputError(fmt::format("{}: {}", path_, error.what()));
    }
    if (!is_complete) return;
    ++n_written_;
    visit(MarchWindow(windows.window));
  });
}

void RunJournal::update(std::span<const MarchWindow> windows, std::size_t first) {
  // Creating a file that survives a crash takes longer than many a run, ...
  constexpr double kWorthKeeping = 1.0;  // seconds
  // ... and windows of a GPU are solved faster than they are written: that takes a tenth of the run at most.
  constexpr double kShare = 10.0;
  if (path_.empty()) return;  // windows may have gone that were never written
  const double waited = seconds_since(written_);
  if (writer_ == nullptr && waited < kWorthKeeping) return;
  if (waited < (kShare - 1.0) * unwritten_bytes(windows, first) / bytes_per_second_)
    n_waiting_ = first + windows.size() - 1;
  else
    write(windows, first);
}

void RunJournal::write(std::span<const MarchWindow> windows, std::size_t first) {
  if (path_.empty() || windows.empty()) return;
  if (writer_ == nullptr && !begin()) return;
  const double bytes = unwritten_bytes(windows, first);
  const auto start = std::chrono::steady_clock::now();
  for (; n_written_ < first + windows.size(); ++n_written_) append(windows[n_written_ - first]);
  constexpr double kMeasurable = 1e6;
  if (bytes >= kMeasurable) bytes_per_second_ = bytes / seconds_since(start);
  written_ = std::chrono::steady_clock::now();
}

double RunJournal::unwritten_bytes(std::span<const MarchWindow> windows, std::size_t first) const {
  double numbers = 0.0;
  for (std::size_t n = n_written_; n < first + windows.size(); ++n)
    for (const auto* arrays : {&windows[n - first].fields, &windows[n - first].restart_state})
      for (const std::vector<Array>& of_point : *arrays)
        for (const Array& a : of_point) numbers += static_cast<double>(a.data.size());
  return sizeof(double) * numbers;
}

// A run whose journal finds no place goes on without: its answer may still find one.
bool RunJournal::begin() {
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

void RunJournal::append(const MarchWindow& window) {
  for (std::size_t p = 0; p < window.fields.size(); ++p) {
    JournalWindow record;
    record.parameter_point = static_cast<int>(p);
    record.start = window.start;
    record.end = window.end;
    record.next_step = window.next_step;
    record.n_factorisations = p == 0 ? window.n_factorisations : 0;
    record.reciprocal_condition = window.reciprocal_condition;
    record.subdomains = window.subdomains;
    for (const NewtonRecord& newton : window.newton)
      if (newton.parameter_point == record.parameter_point) record.newton.push_back(newton);
    const std::span<const Array> fields = window.fields[p];
    if (p < window.restart_state.size())
      writer_->append(record, {fields, window.restart_state[p]});
    else
      writer_->append(record, {fields});
  }
}

void RunJournal::close() {
  if (writer_ != nullptr) writer_->close();
}

}  // namespace gwrm
