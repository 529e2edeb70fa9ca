// How much memory a window takes: an estimate within a factor of two for one axis of space and none, measured
// (tests/cases/memory.py), made before anything is allocated.
#pragma once

#include <string>

#include "problems/time_spectral/linear_method.hpp"

namespace gwrm {

// Bytes at the largest moment of a run, its files and sampled fields left aside: the matrices of every dimension, which
// grow with the square of its degree, and what the linear solver keeps.
double memory_of(LinearMethod method, const Model& model, const SystemPlan& plan,
                 const std::vector<AxisDescription>& subdomains, int coefficient_degree = kHighestCoefficientDegree);

// Of these the matrices alone; modes: with those of time diagonalised.
double matrix_bytes(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
                    bool modes);

// Bytes of the fields of `output` on its grid: the values themselves, and what the evaluation of the largest passes
// through.
double sampled_bytes(const Case& the_case, const Model& model);

// The ranks that have windows together where they can (shared_memory.hpp), those on one machine share its memory;
// `solver.memory` is each rank's own.
struct RanksOfWindow {
  int n_ranks = 1, n_local = 1;
};

// MemoryError where a run cannot fit, with the keys to change.
void check_memory(const Case& the_case, const Model& model, const SystemPlan& plan, const LinearChoice& choice,
                  const RanksOfWindow& ranks = {});

// "a window of .. unknowns needs .., .. are free"; empty if it fits into what the case allows or the machine has. With
// the number of ranks on which it would fit, if there is one.
std::string memory_excess(const Case& the_case, const Model& model, const SystemPlan& plan, const LinearChoice& choice,
                          const std::vector<AxisDescription>& subdomains, const RanksOfWindow& ranks = {});

}  // namespace gwrm
