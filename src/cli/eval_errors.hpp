// The estimated errors of `gwrm eval --error`, out of the fields that `output: {error: on}` stores on the output grid.
//
// Of an expression that is a field of the file its error, linear between the points of the grid. Of another one to
// first order: sum |dF/da| |e_a| over what F is made of, every a (an unknown, a derivative) a field of the file; the
// errors may cancel, which the sum does not know. NaN off the grid, where the error is not known, and beside a jump
// where the answer is not judged (output/left_out.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/source_text.hpp"
#include "expression/expression.hpp"
#include "output/evaluate.hpp"
#include "output/evaluate_points.hpp"
#include "output/left_out.hpp"
#include "output/stored_samples.hpp"

namespace gwrm::cli {

class EvalErrors {
 public:
  // CaseError if the file holds no errors. The pool has the symbols of the answer.
  // left_out: of the answer's verification.
  EvalErrors(const std::string& file, expression::Pool& pool, const Solution& solution, std::vector<LeftOut> left_out);

  // `e` is lowered, `source` what it was read from; extents as those of evaluate(). CaseError if the file does not hold
  // the errors of all that it is made of.
  Array of(const SourceText& source, expression::Expr e, const GridPoints& points) const;
  // The same at scattered points, as evaluate_points().
  std::vector<double> of(const SourceText& source, expression::Expr e, const ScatteredPoints& points,
                         const Context& context) const;

 private:
  struct ErrorField {
    expression::Expr of = nullptr;
    SampledField sampled;
    std::vector<int> axes;  // of the solution
  };
  // |slope| |e_a| of one of the a; no slope: 1.
  struct Term {
    expression::Expr slope = nullptr;
    const ErrorField* error = nullptr;
  };
  std::vector<Term> terms(const SourceText& source, expression::Expr e) const;
  const ErrorField* find(expression::Expr e) const;
  Array interpolated(const ErrorField& field, const GridPoints& points) const;
  // Of the places where nothing is judged those that concern what this expression holds.
  std::vector<LeftOut> left_out_of(expression::Expr e) const;
  // With the coordinate along each axis of the solution.
  bool is_left_out(const std::vector<LeftOut>& places, const std::function<double(std::size_t)>& coordinate) const;

  expression::Pool& pool_;
  const Solution& solution_;
  StoredSamples samples_;
  std::vector<LeftOut> left_out_;
  std::vector<ErrorField> fields_;
};

}  // namespace gwrm::cli
