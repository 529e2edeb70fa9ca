// What the host does for the recurrences of the device: the tables of recurrence_layout.hpp for an operator with
// reaction (shooting or two_sided), in double-double and rounded once; and totals from the sums of the first pass.
#pragma once

#include <vector>

#include "kernels/recurrence/block_recurrence.hpp"
//
#include "kernels/recurrence/recurrence_layout.hpp"

namespace gwrm::recurrence {

ReactionTables reaction_tables(const RecurrenceOperator& op);
ReactionConstants reaction_constants(const RecurrenceOperator& op);

// Of 0, 1, .. n - 1 times `count` points.
std::vector<Propagator> propagators(const RecurrenceOperator& op, Index count, Index n);
// r_b^(count m), m = 0 .. n - 1: the same for what runs backwards in two_sided, alone.
std::vector<DoubleDouble> backward_powers(const RecurrenceOperator& op, Index count, Index n);

// All but the pointers.
ReactionLayout reaction_layout(const RecurrenceOperator& op, Index n_points, Index tiles_per_warp, int n_blocks);

// What N points make of the state 0, from what each block makes of it. The pieces' lengths are those of the layout.
RecurrenceState totals_of_blocks(const RecurrenceOperator& op, const ReactionLayout& layout,
                                 const std::vector<Pair>& of_blocks, const std::vector<Propagator>& blocks);

// poisson: from Z0 = sum f_i, Z1 = sum i f_i and, where op.with_sum asks for it, Z2 = sum i^2 f_i of N points.
RecurrenceState totals_of_moments(const RecurrenceOperator& op, Index n_points, DoubleDouble zero, DoubleDouble one,
                                  DoubleDouble square);

}  // namespace gwrm::recurrence
