// Subdomains on which an eigenvalue problem along one axis of space is searched for modes that its own subdomains do
// not show: several times finer everywhere, and finer still where modes may oscillate faster.
//
// Wavenumber   With u_i'' + q_i(x) u_i + .. = 0 as equation i at a given value of the eigenvalue, q_i the coefficient
// of
//              the unknown over that of its second derivative, modes oscillate locally with the wavenumber sqrt(q_i)
//              where q_i > 0 and decay elsewhere (WKB). Their number is about the integral of sqrt(q_i)/pi; cells are
//              halved until each holds few waves of an upper bound of q_i, by interval arithmetic, so that a well of
//              any width is found (Bender and Orszag, Advanced Mathematical Methods, 10.5).
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// at_values: the equations with the smallest and with the largest eigenvalue in question as a constant. more: the
// degree beyond the least, for a second search. Nothing: there is no such axis, or it would take too many unknowns.
std::vector<AxisDescription> search_subdomains(const std::vector<const Model*>& at_values,
                                               const std::vector<AxisDescription>& subdomains, int more);

// The subdomains of a run, halved only where its degree is too low for the waves of a cell.
std::vector<AxisDescription> graded_subdomains(const std::vector<const Model*>& at_values,
                                               std::vector<AxisDescription> subdomains);

}  // namespace gwrm
