// Sudden starts: times at which data jump, and how the run gets over them.
//
// corner    A condition contradicts the initial values, or its data jump at a later time; initial values, or their
//           derivatives that an unknown keeps continuous, jump inside the domain. Where the linearised equations are
//           parabolic (linear_symbol.hpp) the solution is smooth right after it.
// start-up  Between the time t0 of a jump and t1 = t0 + resolution.start (1e-6 of the whole time; where
//           resolution.first_window is given, 40 of it). The first window, (t1 - t0)/40 long, is not tested in time: no
//           polynomial passes. Radau IIA is L-stable: it leaves the error of a smooth ramp with as many vanishing
//           moments. Until t1 no window is shorter than the one before it, it is accepted instead; the test in space
//           holds.
// left out  t0 <= t < t1 within
//             w = c (D (t1 - t0))^(1/m) ln(1/tolerance)^((m - 1)/m) + v (t1 - t0)
//           of a corner, c = 2 for m = 2 and 3 for higher orders, D, m and v the diffusivity, order and speed of
//           linear_symbol.hpp, the largest of the states on both sides of the jump. Nothing is judged there.
// Source    docs/numerics.md 6.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "output/left_out.hpp"
#include "problems/time_spectral/incompatible_data.hpp"

namespace gwrm {

struct SuddenStart {
  struct Corner {
    int axis = -1;
    double place = 0.0;
    double width = 0.0;    // w
    double spacing = 0.0;  // of the subdomains beside it in the first window: 1.2 (D h)^(1/m)
    int condition = -1;    // index into Model::conditions; -1: jumps of initial values
    std::string text;      // why: "\"y(x=0) = 1\" contradicts y = 0"
    std::string jump;      // "y jumps by 1"
  };
  double at = 0.0;     // t0
  double first = 0.0;  // length of the first window
  double end = 0.0;    // t1
  std::vector<Corner> corners;

  bool holds(double t) const { return t >= at && t < end; }
};

struct SuddenStarts {
  std::vector<SuddenStart> all;  // ascending
  std::string carried;           // what to do where jumps are carried along, for which there is no start-up; else empty
  bool is_hopeless = false;      // .. and jump by more than three times the tolerance: there is no right answer
};

// Of automatic runs; of others, without time or space, with multipliers (pressure), and with all times at once: none.
// conflicts: of the first window.
SuddenStarts sudden_starts(const Case& the_case, const Model& model, const std::vector<IncompatibleData>& conflicts);
SuddenStarts sudden_starts(const Case& the_case, const Model& model);

// The one that holds the time, or null.
const SuddenStart* sudden_start_at(const std::vector<SuddenStart>& all, double t);

// Whether what is as large as an unknown at this time is no size of it for the run: until a hundredth of the time after
// a jump, where a flux like 1/sqrt(t) is far larger than ever again. run_end: the last time of the run.
bool is_passing(const std::vector<SuddenStart>& all, double t, double run_end);

std::vector<LeftOut> left_out_of(const std::vector<SuddenStart>& all);

// What a user reads of each, as two sentences.
std::vector<std::string> describe(const Model& model, const std::vector<SuddenStart>& all);

// Subdomains that are cut at 1/ratio of their length from the corners, until those beside them are no longer than
// Corner::spacing.
std::vector<AxisDescription> graded_to(const SuddenStart& start, std::vector<AxisDescription> subdomains, double ratio,
                                       int most_subdomains);

}  // namespace gwrm
