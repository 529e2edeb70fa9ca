// The right-hand side at the points of a grid: an expression, stored numbers, or numbers between stored ones.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/recurrence/recurrence_source.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"

namespace gwrm {

// The right-hand side at any points of the grid, in ascending order.
using SourceAt = std::function<std::vector<double>(const std::vector<Index>& points)>;

using StoredNumbers = std::shared_ptr<const std::vector<double>>;

struct GridSource {
  RecurrenceSource f;
  SourceAt at;
  StoredNumbers stored{};  // what f reads; null where it is an expression
};

// `most_calls` as GridExpression has it. The model has a source.
GridSource expression_source(const BvpModel& model, std::size_t most_calls);

// At every point the mean of the values half an interval below and above; at an end that of the side within.
GridSource averaged_source(const BvpModel& model);

GridSource stored_source(StoredNumbers values);

// On a grid of `intervals`, by polynomials through `width` neighbours of the stored values.
GridSource interpolated_source(StoredNumbers values, Index intervals, int width);

}  // namespace gwrm
