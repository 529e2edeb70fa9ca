// What surrounds a run, for the command line and the library alike.
#pragma once

#include "problems/problem.hpp"

namespace gwrm {

// OutputError before anything is computed if the result file could not hold the names of the case side by side.
void check_output_names(const Case& the_case);

// Where a problem with this summary runs: threads as asked for; with 0 one where the pieces of work are too small to
// share, else all.
Context context_for(const Summary& summary, BackendChoice asked, int threads);

// CaseError with the reason where the case has no linear system for other programs.
void refuse_without_system(const Case& the_case, const Problem& problem);

// "output.fields.a is inf at x = 0 (1 of 101 values are not finite)" among the report's warnings, of a complete run.
void warn_of_values_not_finite(RunOutcome& outcome);

// A complete run that was asked for fields of errors and has none says why.
void warn_of_missing_errors(const Case& the_case, RunOutcome& outcome);

}  // namespace gwrm
