// Subdomains on which an eigenvalue problem along one axis of space is searched for modes that its own subdomains do
// not show: several times finer everywhere, and finer still where modes may oscillate faster or coefficients vary.
//
// Wavenumber     With u_i'' + q_i(x) u_i + .. = 0 as equation i at a given value of the eigenvalue, modes oscillate
//                with the local wavenumber sqrt(q_i) where q_i > 0 and decay elsewhere (WKB: Bender and Orszag,
//                Advanced Mathematical Methods, 10.5). A cell is halved until it holds few waves of an upper bound of
//                q_i, by interval arithmetic, so that a well of any width is found.
// Coefficients   of an equation, over that of its highest derivative: a cell is halved while the enclosure of one
//                leaves its values at points of the cell by more than the tolerance times the range of eigenvalues,
//                over the cell's share of the axis, except where modes have decayed.
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// One axis of space, and no coupled parameter.
bool can_be_searched(const Model& model);

// at_values: the equations with the smallest and with the largest eigenvalue in question as a constant. more: the
// degree beyond the least, for a second search. Nothing: there is no such axis, or it would take too many unknowns.
std::vector<AxisDescription> search_subdomains(const std::vector<const Model*>& at_values,
                                               const std::vector<AxisDescription>& subdomains, double tolerance,
                                               int more);

// The subdomains of a run, halved only where its degree is too low for the waves of a cell.
std::vector<AxisDescription> graded_subdomains(const std::vector<const Model*>& at_values,
                                               std::vector<AxisDescription> subdomains, double tolerance);

}  // namespace gwrm
