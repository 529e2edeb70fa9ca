// What tests of problem: ball have in common: cases that are refused, energies of a run.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "run_case.hpp"

namespace gwrm::test {

// An error with the fragment, the file and a line, from the reader or when the problem is made.
inline void expect_refused_case(const std::string& yaml, const std::string& fragment) {
  try {
    make_problem(read_case_text(yaml, "test.yaml"));
    ADD_FAILURE() << "no error for\n" << yaml;
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("test.yaml:"), std::string::npos) << error.what();
  }
}

inline std::string ball_case(const std::string& section, const std::string& more = "") {
  return "problem: ball\ndomain: {t: [0, 1]}\nball:\n" + section + more;
}

// Of an energy of the result: at the first and last time of the grid.
inline std::pair<double, double> energy_of(const RunOutcome& outcome, const std::string& field) {
  for (const NamedArray& array : outcome.module_arrays->arrays)
    if (array.name == field + "_energy") return {array.values.front(), array.values.back()};
  ADD_FAILURE() << "no energy of " << field;
  return {0.0, 0.0};
}

// Energy: what the Lorentz force (3 times (curl B) x B) takes from the flow U, induction gives to the field B. With
// both, d/dt (|U|^2 + 3 |B|^2)/2 is what diffusion takes, so that the sum at next to no diffusion hardly changes; with
// one of them alone it does. with_terms: the case with its terms.
template <class WithTerms>
void expect_energy_exchanged(const WithTerms& with_terms) {
  const auto drift = [&](const std::string& terms) {
    const RunOutcome outcome = run_case(with_terms(terms));
    EXPECT_TRUE(outcome.complete) << outcome.report.reason;
    const auto [u_first, u_last] = energy_of(outcome, "U");
    const auto [b_first, b_last] = energy_of(outcome, "B");
    return std::pair{std::abs((u_last + 3.0 * b_last) / (u_first + 3.0 * b_first) - 1.0), b_last / b_first - 1.0};
  };
  const auto [both, made] = drift("[induction, inertia, lorentz]");
  const auto [alone, made_alone] = drift("[induction, inertia]");
  EXPECT_GT(std::abs(made), 1e-6);
  EXPECT_LT(both, 0.01 * alone);
}

}  // namespace gwrm::test
