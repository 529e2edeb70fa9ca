#include "weighted_residual/window/plane_data.hpp"

namespace gwrm {

PlaneData::PlaneData(const Model& model, const Discretisation& discretisation, expression::Expr data, int time, int z)
    : model_(model), discretisation_(discretisation), data_(data), time_(time), z_(z) {}

ArrayView PlaneData::at(Index time, Index point) {
  if (!varies(time_)) time = 0;
  if (!varies(z_)) point = 0;
  const auto [entry, is_new] = known_.try_emplace({time, point});
  if (is_new) {
    std::vector<Discretisation::OnePoint> where;
    if (varies(time_)) where.push_back({time_, time});
    if (varies(z_)) where.push_back({z_, point});
    entry->second = discretisation_.data_at_points(*model_.pool, data_, where);
  }
  return entry->second;
}

}  // namespace gwrm
