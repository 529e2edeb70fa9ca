// Edges of subdomains where the data are not smooth: a coefficient that jumps by step(x - 0.4), initial values
// abs(x - 0.5). A polynomial on each side is as good as for smooth data; one across never is.
#pragma once

#include <string>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Inside the axis, ascending: where abs, sign, step, min and max switch in the equations, conditions and initial
// values, by arguments that depend on this axis alone (expression/kinks.hpp).
std::vector<double> kinks_along(const Model& model, int axis);

// Of an automatic run: the model with an edge of its first subdomains at every kink along an axis of space, and, where
// the data hold extremes that no first points of four times the degree see (data_check.hpp), at these, in time too,
// with more edges toward those that are narrower still; not at extremes along an axis that the case divides. Everything
// else is left alone: periodic axes, runs without a tolerance, axes with more kinks than half of
// resolution.limits.domains.
Model with_edges_at_features(const Case& the_case, Model model);

// A warning that names the kinks along axes of space that are no edge of a subdomain; empty if there are none.
std::string describe_kinks_inside_subdomains(const Model& model);
// The same along axes of space whose basis takes no subdomains, where no edge would help.
std::string describe_kinks_on_undivided_axes(const Model& model);

}  // namespace gwrm
