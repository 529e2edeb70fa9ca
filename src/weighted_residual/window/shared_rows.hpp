// The rows of a window that ranks share (shared_window.hpp), by what they have along an axis, and which of them the
// ranks cannot form.
//
// Points    a row has values at all points of the axis, or
// closed    it has lost the axis, as a condition at an edge or one that fixes a mean over it, or
// lines     it has as many numbers as its RowBlock::line_axis has inner edges or highest modes.
#pragma once

#include <string>

#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// -1: there is none.
int first_modal_axis(const Model& model);
// Whether the row has lost the axis; of space.
bool is_closed(const Model& model, const RowBlock& row, int axis);

}  // namespace gwrm
