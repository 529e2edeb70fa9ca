// gwrm eval --points: expressions at the points of a file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/eval_errors.hpp"
#include "cli/options.hpp"
#include "expression/expression.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::cli {

struct WantedExpression {
  SourceText source;
  expression::Expr lowered = nullptr;
};

// What can be evaluated at scattered points.
struct ScatteredAnswer {
  Solution frame;  // its axes and windows alone: the dimensions of the points
  std::string title;
  std::vector<SourceText> texts;
  // Whether a text varies along an axis of the frame.
  std::function<bool(std::size_t text, std::size_t axis)> varies;
  // Why a point inside the intervals of the axes is outside; empty text: it is not. May be empty.
  std::function<std::string(const std::vector<double>& point)> outside;
  struct Values {
    std::vector<std::vector<double>> values, errors;  // by text; errors empty: none
    std::string device = "cpu";
  };
  std::function<Values(const ScatteredPoints&)> evaluate;
};

// Of a solution, whose answer, pool and expressions outlive it; `errors` may be null.
ScatteredAnswer scattered_answer(const Options& options, const StoredRun& stored, const expression::Pool& pool,
                                 const std::vector<WantedExpression>& wanted, const EvalErrors* errors);

// Coordinates come from the file, or one for all points from --at. Where a point lies outside the answer its values are
// NaN, and a warning says how many do, and the first. Values go to the file of -o, or to the standard output: lines of
// CSV, or with --json the object of `gwrm eval --at`. CaseError for a dimension that neither gives, or both, and what
// read_points() finds.
ExitStatus eval_scattered(const Options& options, const Case& the_case, const ScatteredAnswer& answer);

}  // namespace gwrm::cli
