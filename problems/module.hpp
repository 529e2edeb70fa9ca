// A problem module, as the commands see it: from the sections of the case file that are its own to what a convergence
// study and an estimate of time do with its cases. A new one is a folder under problems/ and a line in registry.cpp
// (docs/extending.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/case_reader.hpp"
#include "problems/problem.hpp"
#include "problems/stored_answer.hpp"

namespace gwrm {

// What a number that a study varies means for the error.
enum class VariedSize { other, degree, tolerance };

// Without state: one object serves all cases.
class ProblemModule {
 public:
  virtual ~ProblemModule() = default;

  // Its sections of the case file, and its name.
  virtual const casefile::CaseModule& section() const = 0;

  // CaseError for everything in the case that does not fit together.
  virtual std::unique_ptr<Problem> make(const Case& the_case) const = 0;

  // gwrm converge: what all runs of a study have in common besides the case. Default: no fields are sampled but the
  // unknown.
  virtual std::vector<Override> changes_of_study(const Case& base) const;
  // The error that a study with `exact` follows if it is left to the program.
  virtual std::string measure_of_study() const { return "error_max"; }
  // Of the number behind a key of this module: "resolution.degree.x".
  virtual VariedSize varied_size(const std::string& /*key*/) const { return VariedSize::other; }

  // The answer of a result file, where its coefficients are the module's own; null: they are not, or there are none.
  // OutputError for what does not fit the case.
  virtual std::unique_ptr<StoredAnswer> stored_answer(const Case&, const std::string& /*file*/) const { return {}; }

  // --manufactured: sources, initial and boundary data such that `exact` solves the case (manufactured_data.hpp). By
  // default CaseError: not with this module.
  virtual Case manufactured(const Case& the_case) const;

  // gwrm check --time: the case with its resolution divided (1: as it is), in time up to the end of window `n_windows`.
  virtual Case coarser(const Case& the_case, int divisor, std::size_t n_windows) const = 0;
  // Why coarser runs say nothing about the time of this case; empty: they do.
  virtual std::string no_time_estimate(const Case&) const { return {}; }
};

// The modules that a program knows. A program with more of them gives its own list.
class ProblemModules {
 public:
  // The first is that of a case without the key `problem`.
  explicit ProblemModules(std::vector<std::shared_ptr<const ProblemModule>> modules);

  const std::vector<std::shared_ptr<const ProblemModule>>& list() const { return modules_; }
  const CaseFormat& format() const { return format_; }

  const ProblemModule& of(const Case& the_case) const;
  std::unique_ptr<Problem> make(const Case& the_case) const { return of(the_case).make(the_case); }

 private:
  std::vector<std::shared_ptr<const ProblemModule>> modules_;
  CaseFormat format_;
};

}  // namespace gwrm
