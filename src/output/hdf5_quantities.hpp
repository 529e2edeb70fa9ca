// The attributes `long_name` and `units` of a dataset.
#pragma once

#include <hdf5.h>

#include <string>

#include "core/quantities.hpp"

namespace gwrm::hdf5 {

// Nothing where the unit is not known (empty).
void write_unit(hid_t dataset, const std::string& unit);

// Of the quantity of this name: its label, or `long_name` where the case has none, and its unit.
void write_quantity(hid_t dataset, const Quantities& quantities, const std::string& name, const std::string& long_name);

}  // namespace gwrm::hdf5
