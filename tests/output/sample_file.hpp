// A sample solution with everything that a result file holds: its fields sampled by evaluate(), and the statistics of
// those that depend on a parameter.
#pragma once

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "output/hdf5_file.hpp"
#include "output/parameter_statistics.hpp"
#include "output/sample_solution.hpp"

namespace gwrm::test {

struct SampleFile {
  Solution solution;
  RunReport report = sample_report();
  GridPoints grid;
  std::vector<SampledField> fields;
  std::vector<FieldStatistics> statistics;
  const OutputData data{solution, report, grid, fields, statistics};

  // Samples every field, and the integral and a derivative of the first one over its last axis.
  explicit SampleFile(Solution s) : solution(std::move(s)) {
    for (std::size_t i = 0; i < solution.axes.size(); ++i)
      grid.push_back(equidistant(solution.axes[i].lower, solution.axes[i].upper, 5 + static_cast<int>(i)));
    for (const FieldSolution& field : solution.fields) add(field.name, field.name);
    const FieldSolution& first = solution.fields.front();
    const std::string last_axis = solution.axes[first.axes.back()].name;
    add("total", "integral(" + first.name + ", " + last_axis + ")");
    add("slope", "d" + last_axis + "(" + first.name + ")^2");
  }
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;

 private:
  void add(const std::string& name, const std::string& text) {
    expression::Pool pool(symbols_of(solution));
    const expression::Expr e = lower(pool, parse(pool, SourceText::from_argument(text)));
    Array values = evaluate(pool, solution, e, grid, false);
    SampledField field{name, text, {}, {}};
    for (std::size_t i = 0; i < values.shape.size(); ++i)
      if (values.shape[i] > 1) {
        field.axes.push_back(static_cast<int>(i));
        field.values.shape.push_back(values.shape[i]);
      }
    field.values.data = std::move(values.data);
    for (int axis : field.axes)
      if (solution.axes[static_cast<std::size_t>(axis)].kind == AxisKind::parameter) {
        statistics.push_back({name, text, parameter_statistics(pool, solution, e, grid)});
        break;
      }
    fields.push_back(std::move(field));
  }
};

}  // namespace gwrm::test
