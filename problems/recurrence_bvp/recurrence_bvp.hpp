// problem: recurrence_bvp: -u'' + k^2 u = f between two ends, by linear recurrences (docs/recurrence-bvp.md).
#pragma once

#include <memory>
#include <optional>

#include "output/number_series.hpp"
#include "problems/problem.hpp"
#include "problems/recurrence_bvp/boundary_closure.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"
#include "problems/recurrence_bvp/grid_source.hpp"
#include "problems/recurrence_bvp/grid_values.hpp"

namespace gwrm {

class RecurrenceBvp : public Problem {
 public:
  explicit RecurrenceBvp(const Case& the_case);
  Summary summary() const override;
  RunOutcome run(const Context& context, const RunControl& control) override;

 private:
  bool is_single() const { return section_of<RecurrenceCase>(case_).precision == StoragePrecision::single_precision; }
  bool is_of_the_paper() const { return section_of<RecurrenceCase>(case_).algorithm != RecurrenceAlgorithm::moments; }
  std::string method_text() const;
  std::size_t memory_bytes() const;
  std::size_t free_memory() const;
  void advise_intervals(Verification& verification) const;
  std::string cure_of(const Context& context, const RunControl& control, const Verification& verification,
                      double seconds) const;
  void print_system(Summary& summary) const;
  void check_memory() const;
  void check_paper_case() const;

  GridSource source() const;
  void solve_by_moments(const Context& context, const GridSource& source, RunOutcome& outcome);
  void solve_by_paper(const Context& context, const RecurrenceSource& f, RunOutcome& outcome);
  void report_not_finite(const RecurrenceSource& f, RunOutcome& outcome) const;
  void sample(const GridValues& values, RunOutcome& outcome) const;

  Case case_;
  BvpModel model_;
  BoundaryClosure closure_;
  std::optional<NumberSeries> dataset_;
  std::optional<GridSource> expression_;  // none where the source is a dataset
  std::unique_ptr<GridSolution> solution_;
  double shift_ = 0.0;
};

}  // namespace gwrm
