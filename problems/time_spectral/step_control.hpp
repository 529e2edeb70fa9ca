// What to do about windows that are not resolved, or better than needed (tails.hpp).
//
// time    with the tail eta the next length is h * clip(0.9 (tol_t / eta)^(1/K), ..)
// space   in one dimension a subdomain above tol_x is bisected, and two siblings are merged where the last four
//         coefficients of the merged expansion fall below 0.02 tol_x. In two and three subdomains are graded toward
//         ends where series fall by powers (graded_subdomains.hpp), else the degree of the axis grows, or the
//         subdomains above tol_x are bisected: what needs fewer coefficients.
// Source: docs/numerics.md 5.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problems/time_spectral/tails.hpp"

namespace gwrm {

struct StepTolerances {
  double time = 0.0, space = 0.0;
};
// Tails that keep the error of the whole run below `tolerance` relative to the field's size.
StepTolerances step_tolerances(const Model& model, double tolerance);
// Of a steady problem whose subdomains are graded toward corners: coefficients fall by 2.26 and more per degree, and
// what follows the last one is no larger than it.
StepTolerances step_tolerances_at_corners(double tolerance);

// Length of the next window after one of length h.
double next_length(double h, double eta, double tolerance, double K, double most_growth);

// Size of the time derivative at the start of a window over that of the fields; 0 if it is not known.
double initial_rate(Window& probe);

// Finer subdomains along the axes of space whose tails are above the tolerance; false if nothing has to change. `limit`
// is set if one of the limits forbids what is needed, with a sentence that says which.
bool refine(const Model& model, const Tails& tails, double tolerance, const Case::Resolution& limits,
            std::vector<AxisDescription>& subdomains, std::string& limit);

// Coarser subdomains for the next window, judged at the end of this one (all parameter points). levels: tail_levels().
void coarsen(const Model& model, std::span<const std::unique_ptr<Window>> windows, const FieldScales& sizes,
             double tolerance, std::vector<AxisDescription>& subdomains, std::span<const int> levels = {});

}  // namespace gwrm
