#include "case/case.hpp"

namespace gwrm {

expression::Symbols Case::symbols() const {
  expression::Symbols result;
  for (const AxisCase& axis : domain) result.axes.push_back(axis.axis);
  for (const UnknownCase& unknown : unknowns) result.fields.push_back({unknown.name, unknown.dims});
  result.constants = constants;
  return result;
}

}  // namespace gwrm
