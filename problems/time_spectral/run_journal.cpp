#include "problems/time_spectral/run_journal.hpp"

#include "core/errors.hpp"
#include "core/log.hpp"
#include "problems/time_spectral/stored_windows.hpp"

namespace gwrm {
namespace {

JournalHeader header_of(const Case& the_case, const Model& model, const RunJournal::Repeats& repeats) {
  JournalHeader header = journal_header(the_case);
  header.n_repeats = repeats.n;
  header.tightening = repeats.tightening;
  for (const Axis& axis : model.axes) header.axes.push_back(axis.name);
  for (const AxisDescription& subdomains : model.subdomains) header.bases.push_back(subdomains.basis);
  for (const FieldModel& field : model.fields) header.fields.push_back(field.name);
  return header;
}

}  // namespace

RunJournal::RunJournal(const RunControl& control, const Case& the_case, const Model& model, Repeats repeats)
    : case_(the_case), model_(model), file_(control, header_of(the_case, model, repeats)) {}

// Windows that waited to be written have no restart state but the last of them. A kill amid the writing leaves some
// without the last; behind those a run would go on with other bits.
std::size_t RunJournal::n_continuable(std::size_t n_found) const {
  StoredWindows windows(case_, model_, n_found);
  std::size_t n = 0, n_continuable = 0;
  bool has_states = false;
  file_.read([&](JournalWindow record) {
    ++n;
    if (!windows.take(std::move(record))) return;
    const bool has_state = !windows.window.restart_state.empty();
    if (has_state || !has_states) n_continuable = n;
    has_states |= has_state;
  });
  if (n_continuable < n)
    logger().info(
        "{} of {} windows of the journal were written without what a run is continued from: they are solved again",
        n - n_continuable, n);
  return n_continuable;
}

void RunJournal::restore(const std::function<void(MarchWindow&&)>& visit) {
  if (!file_.is_kept()) return;
  const std::size_t n_found = file_.open().n_windows;
  file_.cut_behind(n_continuable(n_found));
  StoredWindows windows(case_, model_, n_found);
  file_.read([&](JournalWindow record) {
    if (!windows.take(std::move(record))) return;
    ++n_written_;
    visit(MarchWindow(windows.window));
  });
}

void RunJournal::update(std::span<const MarchWindow> windows, std::size_t first) {
  if (!file_.is_kept()) return;  // windows may have gone that were never written
  const WindowJournal::Due due = file_.due(unwritten_bytes(windows, first));
  if (due == WindowJournal::Due::waiting) n_waiting_ = first + windows.size() - 1;
  if (due == WindowJournal::Due::now) write(windows, first);
}

void RunJournal::write(std::span<const MarchWindow> windows, std::size_t first) {
  if (!file_.is_kept() || windows.empty()) return;
  file_.write(unwritten_bytes(windows, first), [&](JournalWriter& writer) {
    for (; n_written_ < first + windows.size(); ++n_written_) append(windows[n_written_ - first], writer);
  });
}

double RunJournal::unwritten_bytes(std::span<const MarchWindow> windows, std::size_t first) const {
  double numbers = 0.0;
  const auto add = [&](const auto& arrays) {
    for (const auto& of_point : arrays)
      for (const auto& a : of_point) numbers += static_cast<double>(a.size());
  };
  for (std::size_t n = n_written_; n < first + windows.size(); ++n) {
    add(windows[n - first].fields);
    add(windows[n - first].restart_state);
  }
  return sizeof(double) * numbers;
}

void RunJournal::append(const MarchWindow& window, JournalWriter& writer) {
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
    std::vector<ArrayView> arrays(window.fields[p].begin(), window.fields[p].end());
    if (p < window.restart_state.size())
      arrays.insert(arrays.end(), window.restart_state[p].begin(), window.restart_state[p].end());
    writer.append(record, arrays);
  }
}

}  // namespace gwrm
