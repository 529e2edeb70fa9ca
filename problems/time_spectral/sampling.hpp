// The fields of `output`, evaluated on its grid.
#pragma once

#include <vector>

#include "core/communicator.hpp"
#include "output/evaluate_subdomains.hpp"
#include "output/hdf5_file.hpp"
#include "problems/problem.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Takes the solution in parts, one after the other in time; the result is the same for any division.
class Sampler {
 public:
  Sampler(const Case& the_case, const Model& model);  // the fields and statistics of the case
  Sampler(const Case& the_case, const Model& model, const std::vector<NamedExpression>& fields,
          StatisticsChoice statistics);

  // The times of the grid in this part: a time on the edge of two windows belongs to the one it ends, the very first to
  // the first. With the last part a run that ended before every time of the grid is sampled at its end. ranks: all of
  // them take the same parts, and times are dealt out among them, those of a window together where they are no more
  // than kPointsOfPiece points; rank 0 has the values. Parameters have no distributions then.
  static constexpr std::size_t kPointsOfPiece = std::size_t{1} << 20;
  void add(const Solution& part, bool is_last, Communicator* ranks = nullptr);
  // Grid, fields and statistics of all parts.
  void deliver(RunOutcome& outcome);

 private:
  struct Sampled {
    expression::Expr e = nullptr;
    bool varies_in_time = false, is_uncertain = false;  // uncertain: statistics over the parameters are wanted
    SampledField field;
    ParameterStatistics statistics;
  };
  std::vector<double> next_times(double end, bool is_last);
  void add(Sampled& sampled, const Solution& part, GridPoints grid, Communicator* ranks);

  const Model& model_;
  int time_ = -1;              // axis, or -1
  std::vector<double> times_;  // asked for
  std::size_t n_taken_ = 0;    // of them
  bool begun_ = false;
  GridPoints grid_;  // so far
  std::vector<Sampled> fields_;
  TrialMatrices trials_;           // on the grid in space
  std::vector<double> quantiles_;  // probabilities
};

// Fills grid and fields of the outcome from its solution, which may end before the time of the case does.
void sample_fields(const Case& the_case, const Model& model, RunOutcome& outcome);

}  // namespace gwrm
