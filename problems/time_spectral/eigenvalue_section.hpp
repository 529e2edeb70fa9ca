// A linear, homogeneous case as an eigenvalue problem: `eigenvalue: {name: lam, modes: 10, near: 0.5+0.1i}`.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "case/case.hpp"

namespace gwrm {

enum class WhichModes { smallest_magnitude, nearest, largest_real };

// The dimension of the result that counts the modes: 0, 1, ..
inline constexpr const char* kModeAxis = "mode";

struct EigenvalueCase : ModuleCase {
  std::vector<std::string> dimensions_of_result() const override { return {kModeAxis}; }
  std::vector<std::string> sought_numbers() const override { return {name}; }

  std::string name;  // what stands for the eigenvalue in equations and conditions
  WhichModes which = WhichModes::smallest_magnitude;
  std::complex<double> near = 0.0;
  bool near_given = false;
  int modes = 6;  // how many are asked for; a complex pair is one
  SourceText where;

  // `critical: {parameter: Ra, minimise_over: k}`: the constant for which the largest real part vanishes, the smallest
  // over another; both begin where `constants` says. Empty: not asked for.
  struct Critical {
    std::string parameter, minimise_over;
    bool active() const { return !parameter.empty(); }
  } critical;
};

// Null: no eigenvalue problem.
const EigenvalueCase* eigenvalue_of(const Case& the_case);

}  // namespace gwrm
