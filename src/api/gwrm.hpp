// gwrm as a library: read a case, check it, run it, use the answer. Installed as <gwrm/gwrm.hpp>; in CMake
//
//   find_package(gwrm REQUIRED)
//   target_link_libraries(mine PRIVATE gwrm::gwrm)
//
// docs/library.md walks through a program. Texts, expressions, keys and names are those of the case file
// (docs/case-file.md); the result file is that of `gwrm run` (docs/output-format.md).
//
// The library prints nothing, installs no signal handlers, reads no command line and leaves the process as it was:
// numbers of threads of OpenMP and OpenBLAS that a run changes come back when it ends.
//
// Threads: a Case and a Result never change once made; copies share what they hold, and any number of threads may read
// them at once. check(), run(), evaluate() and write() take turns in a process, whoever calls them: OpenBLAS's threads
// and HDF5 belong to the whole process. A binding to a language with a lock of its own has to release that lock around
// them.
//
// Errors: what a caller can mend is an Error (below); std::bad_alloc where memory ends. A run that does not converge is
// not an error but a Result that says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// One type in all shared libraries that the archive becomes part of, so that each catches what another throws.
#define GWRM_PUBLIC __attribute__((visibility("default")))

namespace gwrm::api {

std::string version();  // "0.12.0"

// what() is the text that the command line would print. Exit statuses are those of the program (README.md).
class GWRM_PUBLIC Error : public std::runtime_error {
 public:
  Error(int exit_status, const std::string& text, std::string file, int line, int column, std::string message);
  ~Error() override;
  // 2: case or argument; 7: memory or device; 8: a file; ..
  int exit_status() const { return exit_status_; }
  // Where in the case; or where else the text came from, as file. Empty and 0: not known; lines and columns from 1.
  const std::string& file() const { return file_; }
  int line() const { return line_; }
  int column() const { return column_; }
  // what() without place and quotation.
  const std::string& message() const { return message_; }

 private:
  int exit_status_, line_, column_;
  std::string file_, message_;
};

// {"resolution.degree.x", "48"}: a key of the case and its new value as YAML text, as `--set` takes them.
struct Override {
  std::string key, value;
};

// An equation, a condition or a datum of the case as it was understood.
struct Equation {
  std::string name, text, latex;  // "equation 1"; in the language of the case file; in LaTeX
};

// What `gwrm check` shows.
struct Summary {
  std::vector<std::pair<std::string, std::string>> lines;  // name and value, in reading order
  std::vector<Equation> system;
  std::vector<std::vector<std::string>> conditions;  // a table with a head: how many each equation takes and has
  std::ptrdiff_t n_unknowns = 0;                     // per linear system
  std::size_t memory_bytes = 0;
  std::string linear_solver;
  std::vector<std::string> warnings;
};

enum class Backend { of_case, automatic, cpu, cuda };

struct RunOptions {
  Backend backend = Backend::of_case;
  int threads = 0;  // at most one for each core that the process may use; 0: all of them
  // Fraction done, 0 to 1, and a few words. May be empty.
  std::function<void(double done, const std::string& note)> progress = {};
  // Asked often; true ends the run with exit status 130 and what is finished by then. May be empty.
  std::function<bool()> interrupted = {};
  // Both may be called on any thread of the run, one call at a time, and must not call the library. What they throw
  // ends the run and comes out of run().
};

// A convergence study: what `gwrm converge` prints and writes (docs/converge.md). Numbers that there are none of are
// NaN.
struct StudyLevel {
  std::vector<std::string> values;  // of Study::keys
  double size = 0.0;                // what orders and rates are told in
  int exit_status = 0;              // of this run
  std::string status, reason;
  double error = 0.0;
  double order = 0.0, rate = 0.0;  // from the level before
  bool fitted = false, at_floor = false, is_reference = false;
  std::ptrdiff_t n_unknowns = 0;
  double wall_seconds = 0.0;
};

class Study {
 public:
  int exit_status() const;                       // 0; that of the first run without an answer; 6: a rate was missed
  const std::vector<std::string>& keys() const;  // varied
  const std::string& size_name() const;
  const std::string& measure() const;  // the kind of check that `error` is the largest of
  std::vector<StudyLevel> levels() const;
  const std::string& law() const;  // "algebraic", "exponential", "undecided", "none"
  double algebraic_order() const;
  double exponential_rate() const;
  double floor() const;
  const std::string& statement() const;  // the law with its evidence, one line
  bool passed() const;                   // what the case asks for
  std::string report() const;            // the text that `gwrm converge` prints
  void write(const std::string& path, bool overwrite = false) const;

 private:
  friend class Case;
  struct Data;
  std::shared_ptr<const Data> data_;
  explicit Study(std::shared_ptr<const Data> data);
};

// What a sweep runs, in the words of `gwrm sweep` (docs/sweep.md).
struct SweepOptions {
  std::vector<std::string> vary = {};  // "constants.nu=0.01:1:20:log", as --vary takes them
  std::string points_file = {};        // as --points; empty: none
  std::size_t samples = 0;             // of the distributions
  std::uint64_t seed = 1;
  bool sobol = false;
  std::string output = {};  // the result; its journal lies beside it while the sweep goes on. Empty: NAME_sweep.h5
  bool overwrite = false;
  bool keep_runs = false;  // each run's own file too, in NAME_runs
};

// How a sweep has ended.
struct SweepEnd {
  bool complete = false;  // false: it was interrupted, and `journal` has the runs that had ended
  int exit_status = 0;    // that of the first run that failed, else 9 if an error could not be estimated; 130
  std::size_t n_runs = 0, n_ended = 0;
  std::string report;  // the text that `gwrm sweep` prints
  std::string file;    // empty if it was interrupted
  std::string journal;
};

class Result;

class Case {
 public:
  // `name` stands in messages; data files that the case names lie beside it.
  static Case from_text(const std::string& text, const std::string& name = "case",
                        const std::vector<Override>& overrides = {});
  static Case from_file(const std::string& path, const std::vector<Override>& overrides = {});

  const std::string& title() const;
  const std::string& text() const;         // YAML with every default written out: reads back to the same case
  const std::string& output_file() const;  // where `gwrm run` would write the result
  Summary check() const;                   // Error if the case does not fit together
  Result run(const RunOptions& options = {}) const;

  // The same with sources, initial and boundary data such that `exact` solves it (--manufactured).
  Case manufactured() const;
  // {"x", "[8, 12, 16]"}: what changes, in place of the section `convergence`; none: as that says.
  Study converge(const std::vector<Override>& vary = {}, const RunOptions& options = {}) const;
  SweepEnd sweep(const SweepOptions& sweep, const RunOptions& options = {}) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
  explicit Case(std::shared_ptr<const Data> data);
};

// Goes on with a sweep that was interrupted: all of it is in its journal, and its result comes beside that.
SweepEnd continue_sweep(const std::string& journal, bool overwrite = false, const RunOptions& options = {});
// The result of the runs that have ended by now, and no more runs.
SweepEnd sweep_so_far(const std::string& journal, const std::string& output, bool overwrite = false);

// One judged quantity: ok if value <= tolerance (NaN is not).
struct Check {
  std::string kind;     // "residual", "tail", "initial", "boundary", "error_max", ..
  std::string subject;  // "u(x=0) = 0"
  double value = 0.0, tolerance = 0.0;
  bool judged = true;  // false: reported only, and always ok
  bool ok = true;
  double judged_value = 0.0;  // compared with the tolerance: 1.5 times the value of an estimate, else the value
  std::string judged_text, tolerance_text;  // both as the report prints them: "1.3e-06", "1.0e-06"
};

struct Axis {
  std::string name;
  std::string kind;  // "time", "parameter", "space"; of a branch of solutions "branch", of modes "mode"
  double lower = 0.0, upper = 0.0;
  bool logarithmic = false;         // the polynomials are those of log z
  std::span<const double> sampled;  // the coordinates of sampled fields along it; may be empty
};

// A sampled field, an entry of output.fields. Row-major over dims; a field without dims is one number.
struct Field {
  std::string name, expression;
  std::vector<std::string> dims;
  std::vector<std::size_t> shape;
  std::span<const double> values;
};

// One axis in one window: polynomials of this degree on each interval between neighbouring edges.
struct AxisDescription {
  int degree = 0;
  std::vector<double> edges;
};

// Coefficients a of one unknown in one window: u = sum a_kl.. T_k(x) T_l(y) .., Chebyshev polynomials on the subdomains
// of its dims (no halved first terms). Row-major; along a divided axis subdomain after subdomain, degree + 1 of each.
struct Coefficients {
  std::string unknown;
  std::vector<std::string> dims;
  std::vector<std::size_t> shape;
  std::span<const double> values;
};

// Values of an expression on the grid of the points given: one extent for each axis of the result, in its order.
struct Values {
  std::vector<std::string> dims;
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

// A real number of an expression. `name`: empty of an expression of real numbers; "re" and "im" of a complex one; of a
// vector its components, "x", or "x_re" and "x_im".
struct Part {
  std::string name, expression;
};

// Spans are valid as long as a copy of the result lives.
class Result {
 public:
  int exit_status() const;            // 0: converged, every check passed; 9: error not known
  const std::string& status() const;  // "converged", "verification failed", "error not estimated", ..
  const std::string& reason() const;  // what went wrong and what to try; empty if nothing
  bool complete() const;              // false: stopped before the end; what is there is finished
  bool verified() const;              // complete, with the verdict "PASS"
  std::string verdict() const;        // "PASS", "FAIL", "NOT ESTIMATED"; empty where it is not complete
  std::vector<Check> checks() const;
  const std::vector<std::string>& warnings() const;
  std::string report() const;  // the text that `gwrm run` prints
  double wall_seconds() const;

  std::vector<Axis> axes() const;  // time, parameters, space: the order of all dims
  std::vector<Field> fields() const;
  Field field(const std::string& name) const;  // Error if there is none

  // Of time-spectral problems; others have sampled fields only.
  std::size_t n_windows() const;
  const std::vector<double>& window_edges() const;                    // times; empty without time
  std::vector<AxisDescription> subdomains(std::size_t window) const;  // per axis
  std::vector<Coefficients> coefficients(std::size_t window) const;

  // Any expression of the unknowns, their derivatives and integrals, anywhere in the domain; the points of an axis may
  // be left out where the expression does not vary along it. Error for points outside.
  Values evaluate(const std::string& expression, const std::map<std::string, std::vector<double>>& points) const;

  // Of vectors and complex numbers (`unknowns: [{name: psi, complex: true}]`) what evaluate() takes, part by part.
  std::vector<Part> parts(const std::string& expression) const;

  // As `gwrm run` does: under a temporary name first. Error if the file exists, unless `overwrite`.
  void write(const std::string& path, bool overwrite = false) const;

 private:
  friend class Case;
  struct Data;
  std::shared_ptr<const Data> data_;
  explicit Result(std::shared_ptr<const Data> data);
};

}  // namespace gwrm::api
