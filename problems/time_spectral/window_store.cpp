#include "problems/time_spectral/window_store.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/log.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/time_spectral/shared_windows.hpp"
#include "problems/time_spectral/time_reach.hpp"

namespace gwrm {
namespace {

// The last window alone.
Solution last_window(Solution solution) {
  if (solution.n_windows() == 1) return solution;
  solution.window_edges.erase(solution.window_edges.begin(), solution.window_edges.end() - 2);
  solution.subdomains.erase(solution.subdomains.begin(), solution.subdomains.end() - 1);
  for (FieldSolution& field : solution.fields) field.windows.erase(field.windows.begin(), field.windows.end() - 1);
  return solution;
}

}  // namespace

void check_parts(const Case& the_case, const Model& model) {
  // A problem that needs all times at once is a single window.
  if (the_case.output.coefficients == CoefficientsChoice::all || model.time_axis() < 0 || model.whole_time) return;
  const auto check = [&](const SourceText& text, expression::Expr e) {
    if (!time_reach(*model.pool, e, model.time_axis()).none())
      throw_case_error(
          text, 0,
          "an integral over t or a fixed time needs windows that output: {coefficients: none} has dropped; use "
          "output: {coefficients: all}");
  };
  const auto check_text = [&](const SourceText& text) {
    check(text, expression::lower(*model.pool, expression::parse(*model.pool, text)));
  };
  for (const NamedExpression& field : the_case.output.fields) check_text(field.text);
  for (const NamedExpression& goal : the_case.goals) check_text(goal.text);
  for (const ReferenceValue& value : the_case.verification.values) check_text(value.expr);
  for (const NamedExpression& exact : the_case.exact) check_text(exact.text);
  for (const InitialCase& initial : the_case.initial) check_text(initial.text);
  for (const EquationModel& equation : model.equations) check(equation.text, equation.residual);
  for (const ConditionModel& condition : model.conditions) check(condition.text, condition.residual);
}

WindowStore::WindowStore(const Case& the_case, const Model& model, RunJournal& journal,
                         std::shared_ptr<SharedAnswer> shared)
    : case_(the_case),
      model_(model),
      journal_(journal),
      sampler_(the_case, shared ? shared->model() : model),
      verification_(the_case, shared ? shared->model() : model),
      tails_(model),
      shared_(std::move(shared)) {}

void WindowStore::add(MarchWindow&& window) {
  if (case_.output.coefficients == CoefficientsChoice::none && windows_.size() == kWindowsInPart) drop_part();
  newton_.insert(newton_.end(), window.newton.begin(), window.newton.end());
  n_newton_iterations_ += static_cast<int>(window.newton.size());
  for (const NewtonRecord& record : window.newton) n_linear_iterations_ += record.linear_iterations;
  n_factorisations_ += window.n_factorisations;
  n_unknowns_ = std::max(n_unknowns_, window.n_unknowns);
  smallest_condition_ = std::min(smallest_condition_, window.reciprocal_condition);
  windows_.push_back(std::move(window));
  journal_.update(windows_, n_dropped_);
  // What a run is continued from, to the bit, goes into each record: whichever of them a damage leaves as the last.
  n_without_state_ = std::max(n_without_state_, n_dropped_);
  for (; n_without_state_ < n_dropped_ + windows_.size() && journal_.is_done_with(n_without_state_); ++n_without_state_)
    if (n_without_state_ > 0) windows_[n_without_state_ - n_dropped_].restart_state.clear();
  // The first one until it is written: by it a journal whose writing was cut short is known to hold states.
  if (n_dropped_ == 0 && journal_.is_written(0)) windows_.front().restart_state.clear();
}

void WindowStore::drop_part() {
  journal_.write(windows_, n_dropped_);
  assemble();
  take_in(false, true);
  newton_.clear();
}

void WindowStore::assemble() {
  n_dropped_ += windows_.size();
  part_ = assemble_solution(model_, std::exchange(windows_, {}));
  if (case_.resolution.automatic()) tails_.update(part_);
}

void WindowStore::take_in(bool is_last, bool is_complete) {
  const auto take = [&](Communicator* ranks) {
    {
      const LogTime time("sampling");
      sampler_.add(part_, is_last, ranks);
    }
    const LogTime time("verification");
    if (is_complete) verification_.add(part_, is_last, ranks);
  };
  if (shared_ == nullptr) return take(nullptr);
  try {
    take(&shared_->give(part_, is_last, is_complete));
  } catch (const std::bad_alloc&) {
    end_all_ranks(0, "no memory to verify its share of the answer", ExitStatus::resources);
  }
}

void WindowStore::keep_journal() {
  journal_.write(windows_, n_dropped_);
  journal_.close();
}

void WindowStore::close() {
  if (!windows_.empty()) assemble();
}

void WindowStore::deliver(bool is_complete, RunOutcome& outcome) {
  if (part_.fields.empty()) return;
  take_in(true, is_complete);
  sampler_.deliver(outcome);
  if (is_complete) outcome.report.verification = verification_.result();
  outcome.solution =
      case_.output.coefficients == CoefficientsChoice::none ? last_window(std::move(part_)) : std::move(part_);
}

void WindowStore::count(RunReport& report) const {
  report.newton = newton_;
  report.n_newton_iterations = n_newton_iterations_;
  report.n_linear_iterations = n_linear_iterations_;
  report.n_factorisations = n_factorisations_;
  report.n_windows = static_cast<int>(n_dropped_ + windows_.size());
  report.n_unknowns = std::max(report.n_unknowns, n_unknowns_);
}

}  // namespace gwrm
