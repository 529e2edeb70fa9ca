#include "output/hdf5_statistics.hpp"

#include <hdf5_hl.h>

#include <map>
#include <vector>

namespace gwrm::hdf5 {
namespace {

class StatisticsWriter {
 public:
  StatisticsWriter(hid_t root, const Solution& solution, const GridPoints& grid)
      : solution_(solution), grid_(grid), group_(create_group(root, kStatistics)) {}

  void write(std::span<const FieldStatistics> fields) {
    write_group_attributes(fields);
    for (const FieldStatistics& field : fields)
      for (int axis : field.statistics.axes)
        if (scales_.count(axis) == 0) scales_.emplace(axis, write_axis(axis));
    write_parameters(fields.front().statistics.parameters);
    for (const FieldStatistics& field : fields)
      for (const StatisticsQuantity& quantity : kStatisticsQuantities) write_quantity(field, quantity);
  }

 private:
  static void attach(hid_t dataset, std::size_t dimension, hid_t scale) {
    check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(dimension)), "attaching a scale");
  }

  void write_group_attributes(std::span<const FieldStatistics> fields) {
    std::string names;
    for (const FieldStatistics& field : fields) names += (names.empty() ? "" : " ") + field.name;
    write_attribute(group_, "fields", names);
    write_attribute(group_, "distribution",
                    "independent parameters, each uniform on [lower, upper], or log-uniform: its logarithm is uniform");
  }

  Handle write_axis(int number) {
    const Axis& axis = solution_.axes.at(at(number));
    Handle scale = write_list(group_, axis.name, std::span<const double>(grid_.at(at(number))));
    check(H5DSset_scale(scale, axis.name.c_str()), "making the scale " + axis.name);
    write_attribute(scale, "long_name", axis.kind == AxisKind::time ? std::string("time") : axis.name);
    write_attribute(scale, "units", "1");
    if (axis.kind == AxisKind::time) write_attribute(scale, "axis", "T");
    return scale;
  }

  void write_parameters(const std::vector<int>& parameters) {
    std::vector<std::string> names, distributions;
    std::vector<double> lower, upper;
    for (int number : parameters) {
      const Axis& axis = solution_.axes.at(at(number));
      names.push_back(axis.name);
      distributions.push_back(axis.map == MapKind::log ? "log-uniform" : "uniform");
      lower.push_back(axis.lower);
      upper.push_back(axis.upper);
    }
    parameters_ = write_strings(group_, kParameterScale, names);
    check(H5DSset_scale(parameters_, kParameterScale), "making the scale of the parameters");
    write_attribute(parameters_, "long_name", "parameter");
    attach(write_list(group_, "lower", std::span<const double>(lower)), 0, parameters_);
    attach(write_list(group_, "upper", std::span<const double>(upper)), 0, parameters_);
    attach(write_strings(group_, "distribution", distributions), 0, parameters_);
  }

  void write_quantity(const FieldStatistics& field, const StatisticsQuantity& quantity) {
    const ParameterStatistics& statistics = field.statistics;
    const std::string name = field.name + "_" + quantity.suffix;
    Dims dims;
    Shape shape;
    std::vector<const Handle*> scales;
    if (quantity.per_parameter) {
      dims.push_back(statistics.parameters.size());
      scales.push_back(&parameters_);
    }
    for (int axis : statistics.axes) {
      dims.push_back(grid_.at(at(axis)).size());
      scales.push_back(&scales_.at(axis));
    }
    for (hsize_t extent : dims) shape.push_back(static_cast<Index>(extent));
    const Array& values = statistics.*quantity.array;
    if (values.size() != element_count(shape))
      throw ShapeError("write_statistics: the values of " + name + " do not fill the grid");

    const Handle dataset = write_compressed(group_, name, dims, values.data);
    write_attribute(dataset, "long_name", quantity.prefix + field.name);
    write_attribute(dataset, "units", "1");
    write_attribute(dataset, "expression", field.expression);
    write_attribute(dataset, "field", field.name);
    for (std::size_t i = 0; i < scales.size(); ++i) attach(dataset, i, *scales[i]);
  }

  const Solution& solution_;
  const GridPoints& grid_;
  Handle group_;
  std::map<int, Handle> scales_;
  Handle parameters_;
};

}  // namespace

void write_statistics(hid_t root, const Solution& solution, const GridPoints& grid,
                      std::span<const FieldStatistics> fields) {
  if (!fields.empty()) StatisticsWriter(root, solution, grid).write(fields);
}

}  // namespace gwrm::hdf5
