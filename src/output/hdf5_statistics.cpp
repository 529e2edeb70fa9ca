#include "output/hdf5_statistics.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <map>
#include <vector>

#include "basis/orthogonal_basis.hpp"
#include "output/hdf5_quantities.hpp"

namespace gwrm::hdf5 {
namespace {

// Of a quantity of a field with this unit; a derivative by several parameters has several, and so none.
std::string unit_of(const StatisticsQuantity& quantity, const std::string& unit) {
  if (quantity.array == &ParameterStatistics::variance) return unit == "1" || unit.empty() ? unit : "(" + unit + ")^2";
  if (quantity.array == &ParameterStatistics::sensitivity) return unit == "1" ? unit : "";
  return quantity.per_parameter ? "1" : unit;
}

class StatisticsWriter {
 public:
  StatisticsWriter(hid_t root, const Solution& solution, const GridPoints& grid, const Quantities& quantities)
      : solution_(solution), grid_(grid), quantities_(quantities), group_(create_group(root, kStatistics)) {}

  void write(std::span<const FieldStatistics> fields) {
    write_group_attributes(fields);
    for (const FieldStatistics& field : fields)
      for (int axis : field.statistics.axes)
        if (scales_.count(axis) == 0) scales_.emplace(axis, write_axis(axis));
    write_parameters(fields.front().statistics.parameters);
    if (!fields.front().statistics.quantile.data.empty()) write_probabilities(fields.front().statistics.probabilities);
    for (const FieldStatistics& field : fields) write_quantities(field);
  }

 private:
  static void attach(hid_t dataset, std::size_t dimension, hid_t scale) {
    check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(dimension)), "attaching a scale");
  }

  void write_group_attributes(std::span<const FieldStatistics> fields) {
    std::string names;
    for (const FieldStatistics& field : fields) names += (names.empty() ? "" : " ") + field.name;
    write_attribute(group_, "fields", names);
    const bool any = std::any_of(solution_.subdomains.front().begin(), solution_.subdomains.front().end(),
                                 [](const AxisDescription& axis) { return distribution_of(axis).has_value(); });
    write_attribute(
        group_, "distribution",
        any ? "independent parameters, each with the distribution that stands beside its name; uniform: on [lower, "
              "upper]"
            : "independent parameters, each uniform on [lower, upper], or log-uniform: its logarithm is uniform");
  }

  Handle write_axis(int number) {
    const Axis& axis = solution_.axes.at(at(number));
    Handle scale = write_list(group_, axis.name, std::span<const double>(grid_.at(at(number))));
    check(H5DSset_scale(scale, axis.name.c_str()), "making the scale " + axis.name);
    hdf5::write_quantity(scale, quantities_, axis.name, axis.kind == AxisKind::time ? std::string("time") : axis.name);
    if (axis.kind == AxisKind::time) write_attribute(scale, "axis", "T");
    return scale;
  }

  void write_parameters(const std::vector<int>& parameters) {
    std::vector<std::string> names, distributions;
    std::vector<double> lower, upper;
    for (int number : parameters) {
      const Axis& axis = solution_.axes.at(at(number));
      names.push_back(axis.name);
      const auto given = distribution_of(solution_.subdomains.front().at(at(number)));
      distributions.push_back(given ? given->text() : axis.map == MapKind::log ? "log-uniform" : "uniform");
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

  void write_probabilities(const std::vector<double>& probabilities) {
    probabilities_ = write_list(group_, kQuantileScale, std::span<const double>(probabilities));
    check(H5DSset_scale(probabilities_, kQuantileScale), "making the scale of the quantiles");
    write_attribute(probabilities_, "long_name", "probability of smaller values");
    write_attribute(probabilities_, "units", "1");
  }

  void write_quantities(const FieldStatistics& field) {
    for (const StatisticsQuantity& quantity : kStatisticsQuantities)
      write_quantity(field, quantity, quantity.per_parameter ? &parameters_ : nullptr,
                     quantity.per_parameter ? field.statistics.parameters.size() : 0);
    if (!field.statistics.quantile.data.empty())
      write_quantity(field, {&ParameterStatistics::quantile, kQuantileScale, "quantiles of ", false}, &probabilities_,
                     field.statistics.probabilities.size());
  }

  // first: the scale of a dimension before those of the axes, of n_first elements; null if there is none.
  void write_quantity(const FieldStatistics& field, const StatisticsQuantity& quantity, const Handle* first,
                      std::size_t n_first) {
    const ParameterStatistics& statistics = field.statistics;
    const std::string name = field.name + "_" + quantity.suffix;
    Dims dims;
    Shape shape;
    std::vector<const Handle*> scales;
    if (first != nullptr) {
      dims.push_back(n_first);
      scales.push_back(first);
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
    const std::string label = quantities_.label_of(field.name);
    write_attribute(dataset, "long_name", quantity.prefix + (label.empty() ? field.name : label));
    write_unit(dataset, unit_of(quantity, quantities_.unit_of(field.name)));
    write_attribute(dataset, "expression", field.expression);
    write_attribute(dataset, "field", field.name);
    for (std::size_t i = 0; i < scales.size(); ++i) attach(dataset, i, *scales[i]);
  }

  const Solution& solution_;
  const GridPoints& grid_;
  const Quantities& quantities_;
  Handle group_;
  std::map<int, Handle> scales_;
  Handle parameters_, probabilities_;
};

}  // namespace

void write_statistics(hid_t root, const Solution& solution, const GridPoints& grid,
                      std::span<const FieldStatistics> fields, const Quantities& quantities) {
  if (!fields.empty()) StatisticsWriter(root, solution, grid, quantities).write(fields);
}

}  // namespace gwrm::hdf5
