// gwrm eval --points: expressions at the points of a file.
#pragma once

#include "cli/eval_errors.hpp"
#include "cli/options.hpp"
#include "expression/expression.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::cli {

struct WantedExpression {
  SourceText source;
  expression::Expr lowered = nullptr;
};

// Coordinates come from the file, or one for all points from --at. Where a point lies outside the answer its values are
// NaN, and a warning says how many do, and the first. Values go to the file of -o, or to the standard output: lines of
// CSV, or with --json the object of `gwrm eval --at`. CaseError for a dimension that neither gives, or both, and what
// read_points() finds. `errors` may be null.
ExitStatus eval_scattered(const Options& options, const Case& the_case, const StoredRun& stored,
                          const expression::Pool& pool, const std::vector<WantedExpression>& wanted,
                          const EvalErrors* errors);

}  // namespace gwrm::cli
