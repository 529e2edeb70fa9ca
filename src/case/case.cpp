#include "case/case.hpp"

namespace gwrm {

expression::Symbols Case::symbols() const {
  expression::Symbols result;
  for (const AxisCase& axis : domain) result.axes.push_back(axis.axis);
  for (const UnknownCase& unknown : unknowns) result.fields.push_back({unknown.name, unknown.dims});
  result.constants = constants;
  if (section != nullptr)
    for (const std::string& name : section->sought_numbers()) result.constants.push_back({name, 0.0});
  for (const AxisCase& axis : domain)
    if (axis.axis.kind == AxisKind::space)
      result.noise.push_back({axis.axis.name, axis.basis == kFourier, axis.degree < 0 ? -1 : axis.degree / 2});
  for (const DataCase& item : data) result.data.push_back({item.name, item.function});
  for (const NamedExpression& item : definitions) result.definitions.push_back({item.name, item.text});
  result.vectors = vectors;
  result.curvilinear = curvilinear;
  return result;
}

}  // namespace gwrm
