// Sets of orders m that a case may have: which of them its terms couple, and what is not in them.
//
// Flows     a given flow of the order f takes the order m to m + f and |m - f|.
// Products  of fields take m and n to m + n and |m - n|: the sets that are closed are the multiples of a number.
// Data      on circles about the axis: what a discrete Fourier transform along phi finds of an order.
#pragma once

#include <string>
#include <vector>

#include "problems/ball/ball_model.hpp"

namespace gwrm::ball {

// Of all its harmonics; 0 without a flow.
Index highest_order_of(const FlowCase& flow);

// The orders and those that the given flow couples them with, up to `at_most`.
std::vector<Index> coupled_orders(const BallModel& model, const std::vector<Index>& orders, Index at_most);

// CaseError, with the order and the cure, where terms or data lead from the orders of the case to one below the highest
// that it leaves out. What is above the highest is the verification's.
void check_orders(const BallModel& model);

// "8" (all up to it), "0, 4 .. 40", "1, 3, 7".
std::string orders_text(const Degrees& degrees);

}  // namespace gwrm::ball
