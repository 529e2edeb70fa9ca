#include "problems/ball/grid_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "core/errors.hpp"

namespace gwrm::ball {
namespace {

std::int32_t narrow(Index n) {
  if (n > std::numeric_limits<std::int32_t>::max()) throw MemoryError("the grid in the sphere has too many points");
  return static_cast<std::int32_t>(n);
}

}  // namespace

GridSizes::GridSizes(const BallSpace& space, const GridProducts& products)
    : n_radii(static_cast<Index>(products.grid.points.r.size())),
      n_theta(static_cast<Index>(products.grid.points.theta.size())),
      n_phi(static_cast<Index>(products.grid.points.phi.size())),
      n_orders(space.series().orders().n_columns()),
      n_degrees(space.degrees().l + 1),
      n_components(products.n_components()),
      n_results(products.n_results()),
      n_field_slots(products.n_components()) {
  for (const GridTarget& target : products.targets) n_target_slots += target.kind == FieldKind::scalar ? 2 : 3;
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    n_functions = std::max(n_functions, space.unknowns().n(part));
}

Index GridSizes::tables() const {
  const Index of_radius = (n_field_slots + n_target_slots) * n_degrees * n_functions * n_radii;
  const Index of_theta = 10 * (n_orders + 1) / 2 * n_degrees * n_theta;  // five tables there, five back
  return of_radius + of_theta + 2 * n_phi * n_orders;
}

GridTables::GridTables(const BallSpace& space, double radius, const GridProducts& products)
    : space_(space),
      products_(products),
      degrees_(space.degrees()),
      orders_(space.series().orders()),
      sizes_(space, products) {
  add_fields(radius);
  add_targets(radius);
  add_polar_tables();
  const Matrix azimuth = azimuth_table(orders_, products.grid.points.phi);
  azimuth_ = keep(azimuth);
  azimuth_test_ = keep(2.0 * std::numbers::pi / static_cast<double>(sizes_.n_phi) * azimuth.transpose());
}

std::int64_t GridTables::keep(const Matrix& matrix) {
  const auto place = static_cast<std::int64_t>(numbers_.size());
  numbers_.insert(numbers_.end(), matrix.data(), matrix.data() + matrix.size());
  return place;
}

// Functions of the space x radii, times factor (l (l+1))^power; of tests the transpose with the weights.
GridTables::Slot GridTables::make_slot(std::size_t part, RadialFunction function, double factor, int power_of_degrees,
                                       bool test) {
  Slot slot{part, {}};
  const Grid& grid = products_.grid;
  const Eigen::Map<const RowVector> weights(grid.radial_weights.data(), sizes_.n_radii);
  for (Index l = 0; l <= degrees_.l; ++l) {
    if (l < space_.parts()[part].first_l()) {
      slot.tables.push_back(-1);
      continue;
    }
    const RadialBasis& basis = space_.basis(part, l);
    const Matrix energy = space_.radial().table(l, degrees_.r, grid.points.r).*function;
    Matrix functions(basis.n_functions(), sizes_.n_radii);
    std::vector<double> unit(static_cast<std::size_t>(basis.n_functions()), 0.0),
        e(static_cast<std::size_t>(degrees_.r + 1));
    for (Index k = 0; k < functions.rows(); ++k) {
      unit[static_cast<std::size_t>(k)] = 1.0;
      basis.to_series(unit.data(), e.data());
      unit[static_cast<std::size_t>(k)] = 0.0;
      functions.row(k).setZero();
      for (Index n = 0; n <= degrees_.r; ++n)
        if (const double share = e[static_cast<std::size_t>(n)]; share != 0.0)
          functions.row(k) += share * energy.row(n);
    }
    const auto both = static_cast<double>(l * (l + 1));
    functions *= factor * (power_of_degrees == 0 ? 1.0 : power_of_degrees > 0 ? both : l == 0 ? 0.0 : 1.0 / both);
    slot.tables.push_back(keep(test ? Matrix((functions * weights.asDiagonal()).transpose()) : functions));
  }
  return slot;
}

void GridTables::add_fields(double radius) {
  for (const GridField& field : products_.fields) {
    const std::size_t slot = field_slots_.size(), part = field.part;
    if (field.kind == GridField::Kind::scalar) {
      field_slots_.push_back(make_slot(part, &RadialTable::value, 1.0, 0, false));
      field_shares_.push_back({{slot, kValue, 1.0, false}});
      continue;
    }
    const bool is_curl = field.kind == GridField::Kind::curl;
    const std::size_t poloidal = is_curl ? part : part + 1;
    field_slots_.push_back(make_slot(poloidal, &RadialTable::over_r, 1.0 / radius, 1, false));
    field_slots_.push_back(make_slot(poloidal, &RadialTable::spread, 1.0 / radius, 0, false));
    field_slots_.push_back(is_curl ? make_slot(part + 1, &RadialTable::laplacian, -1.0 / (radius * radius), 0, false)
                                   : make_slot(part, &RadialTable::value, 1.0, 0, false));
    field_shares_.push_back({{slot, kValue, 1.0, false}});
    field_shares_.push_back({{slot + 1, kAlong, 1.0, false}, {slot + 2, kAround, 1.0, true}});
    field_shares_.push_back({{slot + 1, kAround, 1.0, true}, {slot + 2, kAlong, -1.0, false}});
  }
}

void GridTables::add_targets(double radius) {
  std::size_t component = 0;
  const auto tangents = [&](std::size_t first) -> std::vector<Share> {
    return {{first + 1, kAlong, 1.0, false}, {first + 2, kAround, 1.0, true}};
  };
  const auto add_curl = [&](std::size_t part, double factor, std::size_t first) {
    target_slots_.push_back(make_slot(part, &RadialTable::value, factor, -1, true));
    target_shares_.push_back({{first + 2, kAlong, -1.0, false}, {first + 1, kAround, 1.0, true}});
  };
  const auto add_curl_curl = [&](std::size_t part, double factor, std::size_t first) {
    target_slots_.push_back(make_slot(part, &RadialTable::over_r, factor, 0, true));
    target_shares_.push_back({{first, kValue, 1.0, false}});
    target_slots_.push_back(make_slot(part, &RadialTable::spread, factor, -1, true));
    target_shares_.push_back(tangents(first));
  };
  for (const GridTarget& target : products_.targets) {
    const std::size_t first = component;
    component += 3;
    switch (target.kind) {
      case FieldKind::scalar:
        target_slots_.push_back(make_slot(target.part, &RadialTable::slope, 1.0 / radius, 0, true));
        target_shares_.push_back({{first, kValue, 1.0, false}});
        target_slots_.push_back(make_slot(target.part, &RadialTable::over_r, 1.0 / radius, 0, true));
        target_shares_.push_back(tangents(first));
        break;
      case FieldKind::magnetic:
        add_curl_curl(target.part, 1.0 / radius, first);
        add_curl(target.part + 1, 1.0, first);
        break;
      case FieldKind::velocity:
        add_curl(target.part, 1.0, first);
        add_curl_curl(target.part + 1, radius, first);
        break;
    }
  }
}

void GridTables::add_polar_tables() {
  const Grid& grid = products_.grid;
  const LegendreTable legendre(degrees_.l, orders_, grid.points.theta);
  const Eigen::Map<const RowVector> weights(grid.polar_weights.data(), sizes_.n_theta);
  for (const std::size_t negative : {std::size_t{0}, std::size_t{1}}) {
    const double sign = negative == 0 ? 1.0 : -1.0;
    for (const Polar kind : {kValue, kAlong, kAround}) {
      if (kind == kValue && negative == 1) continue;
      const std::vector<Matrix>& tables = kind == kValue   ? legendre.value
                                          : kind == kAlong ? legendre.along
                                                           : legendre.around;
      for (const Matrix& table : tables) {
        polar_[negative][kind].push_back(keep(sign * table.transpose()));
        polar_tests_[negative][kind].push_back(keep(sign * table * weights.asDiagonal()));
      }
    }
  }
}

// The first degree that a part has of an order.
Index GridTables::first_l(std::size_t part, Index c) const {
  return std::max(orders_.size_of(c), space_.parts()[part].first_l());
}

RaggedProducts GridTables::along_azimuth(std::int64_t table, Index n_to, Index n_from, Index n_components,
                                         Index row) const {
  const Index of_angle = sizes_.n_theta * row;
  std::vector<RaggedTask> tasks;
  std::vector<RaggedTerm> terms;
  for (Index component = 0; component < n_components; ++component) {
    RaggedTask task;
    task.m = narrow(n_to);
    task.n = narrow(of_angle);
    task.a_rows = {1, n_from, 0};
    task.c_rows = {1, of_angle, 0};
    task.b_stride = of_angle;
    task.c = component * n_to * of_angle;
    task.first_term = narrow(component);
    task.n_terms = 1;
    terms.push_back({table, component * n_from * of_angle, narrow(n_from)});
    tasks.push_back(task);
  }
  return {tasks, terms};
}

GridTables::Lists GridTables::to_points(Index n_nodes) const {
  const Index row = n_nodes * sizes_.n_radii;  // of one l in the stage, of one theta in the rows
  const Layout& layout = space_.unknowns();
  std::vector<RaggedTask> of_radius, of_polar;
  std::vector<RaggedTerm> radius_terms, polar_terms;
  for (std::size_t s = 0; s < field_slots_.size(); ++s)
    for (Index l = space_.parts()[field_slots_[s].part].first_l(); l <= degrees_.l; ++l) {
      if (layout.n_orders(l) == 0) continue;
      const Slot& slot = field_slots_[s];
      const Index n = layout.n(slot.part);
      RaggedTask task;
      task.m = narrow(layout.n_orders(l) * n_nodes);  // rows: orders, nodes in each
      task.n = narrow(sizes_.n_radii);
      task.a_rows = {narrow(n_nodes), n, layout.size()};
      task.c_rows = {narrow(n_nodes), (degrees_.l + 1) * row, sizes_.n_radii};
      task.b_stride = sizes_.n_radii;
      task.c = (static_cast<Index>(s) * sizes_.n_orders * (degrees_.l + 1) + l) * row;
      task.first_term = narrow(static_cast<Index>(radius_terms.size()));
      task.n_terms = 1;
      radius_terms.push_back({layout.place(slot.part, l), slot.tables[static_cast<std::size_t>(l)], narrow(n)});
      of_radius.push_back(task);
    }
  for (std::size_t component = 0; component < field_shares_.size(); ++component)
    for (Index c = 0; c < sizes_.n_orders; ++c) {
      RaggedTask task;
      task.m = narrow(sizes_.n_theta);
      task.n = narrow(row);
      task.a_rows = {1, degrees_.l + 1 - orders_.size_of(c), 0};
      task.c_rows = {1, row, 0};
      task.b_stride = row;
      task.c = (static_cast<Index>(component) * sizes_.n_orders + c) * sizes_.n_theta * row;
      task.first_term = narrow(static_cast<Index>(polar_terms.size()));
      for (const Share& share : field_shares_[component]) {
        if (share.polar == kAround && orders_.of(c) == 0) continue;
        const Index from = share.turned ? orders_.turned(c) : c;
        const double sign = share.sign * (share.turned ? orders_.sign_of_turned(from) : 1.0);
        const Index l = first_l(field_slots_[share.of].part, c);
        if (l > degrees_.l) continue;
        polar_terms.push_back({polar_[sign < 0.0 ? 1 : 0][share.polar][orders_.place(c)] + l - orders_.size_of(c),
                               ((static_cast<Index>(share.of) * sizes_.n_orders + from) * (degrees_.l + 1) + l) * row,
                               narrow(degrees_.l + 1 - l)});
        ++task.n_terms;
      }
      of_polar.push_back(task);
    }
  return {{of_radius, radius_terms},
          {of_polar, polar_terms},
          along_azimuth(azimuth_, sizes_.n_phi, sizes_.n_orders, sizes_.n_components, row)};
}

GridTables::Lists GridTables::from_points(Index n_nodes) const {
  const Index row = n_nodes * sizes_.n_radii;
  const Layout& layout = space_.unknowns();
  std::vector<RaggedTask> of_radius, of_polar;
  std::vector<RaggedTerm> radius_terms, polar_terms;
  for (std::size_t s = 0; s < target_slots_.size(); ++s)
    for (Index c = 0; c < sizes_.n_orders; ++c) {
      const Index m = orders_.size_of(c);
      const Index l = first_l(target_slots_[s].part, c);
      if (l > degrees_.l) continue;
      RaggedTask task;
      task.m = narrow(degrees_.l + 1 - l);
      task.n = narrow(row);
      task.a_rows = {1, sizes_.n_theta, 0};
      task.c_rows = {1, row, 0};
      task.b_stride = row;
      task.c = ((static_cast<Index>(s) * sizes_.n_orders + c) * (degrees_.l + 1) + l) * row;
      task.first_term = narrow(static_cast<Index>(polar_terms.size()));
      for (const Share& share : target_shares_[s]) {
        if (share.polar == kAround && orders_.of(c) == 0) continue;
        const Index from = share.turned ? orders_.turned(c) : c;
        const double sign = share.sign * (share.turned ? orders_.sign_of_turned(c) : 1.0);
        polar_terms.push_back(
            {polar_tests_[sign < 0.0 ? 1 : 0][share.polar][orders_.place(c)] + (l - m) * sizes_.n_theta,
             (static_cast<Index>(share.of) * sizes_.n_orders + from) * sizes_.n_theta * row, narrow(sizes_.n_theta)});
        ++task.n_terms;
      }
      of_polar.push_back(task);
    }
  // One task for all slots of a part, which would overlap else.
  for (std::size_t part = 0; part < space_.parts().size(); ++part)
    for (Index l = space_.parts()[part].first_l(); l <= degrees_.l; ++l) {
      if (layout.n_orders(l) == 0) continue;
      const Index n = layout.n(part);
      RaggedTask task;
      task.m = narrow(layout.n_orders(l) * n_nodes);
      task.n = narrow(n);
      task.a_rows = {narrow(n_nodes), (degrees_.l + 1) * row, sizes_.n_radii};
      task.c_rows = {narrow(n_nodes), n, layout.size()};
      task.b_stride = n;
      task.c = layout.place(part, l);
      task.first_term = narrow(static_cast<Index>(radius_terms.size()));
      for (std::size_t s = 0; s < target_slots_.size(); ++s) {
        if (target_slots_[s].part != part) continue;
        radius_terms.push_back({(static_cast<Index>(s) * sizes_.n_orders * (degrees_.l + 1) + l) * row,
                                target_slots_[s].tables[static_cast<std::size_t>(l)], narrow(sizes_.n_radii)});
        ++task.n_terms;
      }
      if (task.n_terms > 0) of_radius.push_back(task);
    }
  return {{of_radius, radius_terms},
          {of_polar, polar_terms},
          along_azimuth(azimuth_test_, sizes_.n_orders, sizes_.n_phi, sizes_.n_results, row)};
}

}  // namespace gwrm::ball
