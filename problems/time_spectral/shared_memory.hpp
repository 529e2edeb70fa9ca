// How much memory a rank takes of a window that several ranks solve together (shared_windows.hpp): an estimate that is
// not below what is taken (tests/cases/window_ranks.py), made before anything is allocated.
//
// Formula  with V = 8 N bytes a vector of N unknowns, s the largest share of their columns (whole blocks of them), l
// that
//          of the planes, K nodes, n coefficients and m points along an axis:
//            s V (10 + 2 GMRES iterations)                Newton's and Krylov vectors
//            2 rooms of exchanges, each the largest of    (derivative in time, along z) pairs read: K m_z columns
//            max(s, l)
//                                                         the modes of time: a share of the (mode, field) pairs
//            l K m_z m_y m_x each                         coefficients of the linearised rows that vary, data
//            one plane, vectors of space, matrices of the axes, factors of the preconditioner
//          and of rank 0 at least the vectors that it has whole before and after: the answer, its coefficients and what
//          verifies them; the guesses of the next window.
#pragma once

#include <vector>

#include "problems/time_spectral/linear_method.hpp"

namespace gwrm {

// Whether ranks share windows of this model in this method, as far as that can be told without a window
// (sharing_unsupported_reason()).
bool may_be_shared(LinearMethod method, const Model& model, const SystemPlan& plan,
                   const std::vector<AxisDescription>& subdomains);

// Bytes of the rank that takes most, beside what the program itself does. may_be_shared() holds.
double memory_of_share(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
                       int n_ranks);

}  // namespace gwrm
