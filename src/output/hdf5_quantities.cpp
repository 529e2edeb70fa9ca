#include "output/hdf5_quantities.hpp"

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

void write_unit(hid_t dataset, const std::string& unit) {
  if (!unit.empty()) write_attribute(dataset, "units", unit);
}

void write_quantity(hid_t dataset, const Quantities& quantities, const std::string& name,
                    const std::string& long_name) {
  const std::string label = quantities.label_of(name);
  write_attribute(dataset, "long_name", label.empty() ? long_name : label);
  write_unit(dataset, quantities.unit_of(name));
}

}  // namespace gwrm::hdf5
