// What every problem offers to the commands: to describe itself and to run. Its module (module.hpp) makes it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case/case.hpp"
#include "core/context.hpp"
#include "core/errors.hpp"
#include "core/team.hpp"
#include "output/hdf5_file.hpp"
#include "output/journal.hpp"

namespace gwrm {

struct LinearSystem;  // output/linear_system.hpp

// An equation, a condition or a datum of the case as it was understood.
struct PrintedExpression {
  std::string name, text, latex;  // "equation 1"; in the case file's language; in LaTeX
};

// What `gwrm check` shows: aligned "name  value" lines and the machine-readable numbers behind them.
struct Summary {
  std::vector<std::pair<std::string, std::string>> lines;
  Index n_unknowns = 0;  // per linear system
  std::size_t memory_bytes = 0;
  std::string linear_solver;
  bool one_thread = false;  // the pieces of work are too small to share
  bool device_pays = true;  // false: under `auto` not worth waking a device for
  std::vector<std::string> warnings;
  std::vector<PrintedExpression> system;
  // How many conditions each equation takes along each dimension, and has: a table with a head.
  std::vector<std::vector<std::string>> conditions;
  // What a convergence study has to know.
  int scheme_order = 0;              // of finite differences; 0: spectral
  std::vector<std::string> clashes;  // of initial with boundary data, in words, whatever the first window
};

// What is asked for, but for `auto`, which wakes no device that does not pay.
inline BackendChoice worthwhile(BackendChoice asked, bool device_pays) {
  return asked == BackendChoice::automatic && !device_pays ? BackendChoice::cpu : asked;
}

// Fraction done (0 to 1), and a few words on the last step.
using ProgressSink = std::function<void(double done, const std::string& note)>;

// With whom a run may share its work: the ranks of a team, which call Problem::help(), and the devices of each.
struct RunSharing {
  Team* team = nullptr;      // outlives the run; it may be one process alone
  std::vector<int> shares;   // per rank: how much of the work it takes beside the others; 0: none
  std::vector<int> devices;  // of this process, by their numbers (core/devices.hpp); the context is on the first
};

// A solution of the linear system of Problem::linear_system(), found by another program.
struct GivenSolution {
  std::string file;
  std::vector<double> x;
};

// How a run is watched, stopped and continued.
struct RunControl {
  ProgressSink progress;              // may be empty
  std::function<bool()> interrupted;  // asked often; may be empty
  std::string journal;                // finished windows are appended to this file (output/journal.hpp); empty: nowhere
  bool restart = false;               // continue behind the windows in `journal`
  bool overwrite = false;             // a journal in the way
  std::optional<RunSharing> sharing;  // where Problem::no_sharing() is empty; not there: all by itself
  std::optional<GivenSolution> solution;  // in place of a solve, where Problem::no_linear_system() is empty
  bool tries_proposals = false;  // what a FAIL proposes is run, too, to see whether it passes: for a user who waits
};

// The result of a run. `solution` holds the windows that are complete: all of them if `complete`. A run that is
// interrupted while it repeats a complete answer with smaller tails is `complete` with the status `interrupted`.
struct RunOutcome {
  ExitStatus status = ExitStatus::internal_error;
  bool complete = false;
  Solution solution;
  RunReport report;
  GridPoints grid;
  std::vector<SampledField> fields;
  std::vector<FieldStatistics> statistics;
  std::optional<ArrayGroup> module_arrays;
  // The windows as they are on disk, where the run kept any there: remove_journal() when the answer has found its
  // place.
  std::shared_ptr<JournalWriter> journal;

  OutputData output_data() const {
    return {solution, report, grid, fields, statistics, module_arrays ? &*module_arrays : nullptr};
  }
};

// Deletes the file, if there is one. The answer is there: a file that cannot be deleted is told in a warning.
void remove_journal(std::shared_ptr<JournalWriter>& journal);

// Whether the run is to stop. If so it ends as interrupted although its equations were solved, since its answer has not
// been judged.
bool stopped_before_verdict(const RunControl& control, RunOutcome& outcome);

// Ends a complete answer whose checks have all passed as not_estimated if the estimate of its error, which was asked
// for, could not be made. Other outcomes are left as they are.
void end_without_estimate(RunOutcome& outcome);

// What a report can say before the run: title, case, device, solver, size, warnings.
RunReport report_of(const Case& the_case, const Summary& what, const std::string& device);

class Problem {
 public:
  virtual ~Problem() = default;
  virtual Summary summary() const = 0;
  // Throws MemoryError before allocating what does not fit. Never throws for non-convergence.
  virtual RunOutcome run(const Context& context, const RunControl& control) = 0;
  // Whether a run keeps a journal, from which RunControl::restart continues it.
  virtual bool can_restart() const { return false; }
  // Why a run has no parts for RunControl::sharing; empty: it has. Found without computing anything.
  virtual std::string no_sharing() const { return "this kind of problem is solved in one process"; }
  // Further devices of a process have parts of a run, too, not only the one of its context.
  virtual bool takes_several_devices() const { return false; }
  // On the ranks other than 0: solves what rank 0 asks for, until it broadcasts empty bytes. An error is told to rank
  // 0. The control's `sharing` and `interrupted` are used.
  virtual void help(const Context&, const RunControl&) {}
  // Why this case has no linear system that another program could solve; empty: it has one, linear_system(), and run()
  // takes its solution.
  virtual std::string no_linear_system() const;
  // MemoryError where it does not fit. Throws CaseError where there is none.
  virtual LinearSystem linear_system(const Context& context) const;
  // The analytic Jacobian against differences; empty where there is no Newton iteration.
  virtual std::vector<Check> check_jacobian(const Context&) const { return {}; }
};

// CaseError: a launcher has started ranks for a run that has no work for them.
[[noreturn]] void refuse_ranks(const std::string& case_path, int n_ranks, const std::string& why);

// CaseError where the given solution has another size than the system of the case.
void check_size(const GivenSolution& solution, Index n_unknowns);
// For the report: who has solved the system.
std::string describe(const GivenSolution& solution);

// The definitions of the pool's symbols: "definition w", w = dx(v) - dy(u); a vector by its components.
std::vector<PrintedExpression> printed_definitions(expression::Pool& pool);

// CaseError where the case asks for products of Chebyshev coefficients: of a solver that forms none, and why.
void refuse_products(const Case& the_case, const std::string& why);

}  // namespace gwrm
