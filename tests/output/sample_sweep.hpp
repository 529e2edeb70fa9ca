// The result of a sweep of three by two runs, of which the last one is missing, made by hand.
#pragma once

#include <string>

#include "output/sweep_file.hpp"

namespace gwrm::test {

inline SweepRun sample_sweep_run(std::size_t number) {
  SweepRun run;
  run.run = number;
  run.status = "converged";
  run.verdict = "PASS";
  run.estimates = {{"u", 1e-9, 1e-10}};
  run.goals = {{"late", 0.5, 1e-9}};
  run.checks = {{"estimate", "u", 1e-9}};
  run.axes = {{"t", true, {0.0, 0.5, 1.0}, {}}};
  run.arrays = {{"", "u", "u", "u", "", {"t"}, Array({3})},
                {"statistics", "u_mean", "mean of u", "u", "", {"t"}, Array({3})}};
  return run;
}

inline void write_sample_sweep(const std::string& path, const std::string& journal, const std::string& case_text) {
  SweepHeader header;
  header.points.dimensions = {
      {"k", false, {{"constants.k", "k", {"1", "2", "3"}}}},
      {"point", true, {{"constants.a", "a", {"5", "6"}}, {"solver.linear", "linear", {"auto", "dense"}}}}};
  {
    SweepJournal writer(journal, header, true);
    for (std::size_t i = 0; i + 1 < header.points.n_runs(); ++i) writer.append(sample_sweep_run(i));
  }
  write_sweep(path, journal, {"a sweep", "gwrm sweep", "cpu", case_text}, true);
}

}  // namespace gwrm::test
