#include "problems/ball/wall_conditions.hpp"

#include <fmt/format.h>

namespace gwrm::ball {

std::function<std::vector<WallCondition>(Index l)> wall_conditions(BoundaryWord word, PartKind kind, double robin,
                                                                   double wall) {
  using Conditions = std::vector<WallCondition>;
  const auto fixed = [](const Conditions& conditions) { return [conditions](Index) { return conditions; }; };
  const bool is_inner = wall < 1.0;
  const WallCondition value{1.0, 0.0, 0.0, wall}, slope{0.0, 1.0, 0.0, wall}, curvature{0.0, 0.0, 1.0, wall};
  const bool poloidal = kind == PartKind::poloidal;
  switch (word) {
    case BoundaryWord::value:
      return fixed({value});
    case BoundaryWord::slope:
      return fixed({slope});
    case BoundaryWord::robin:
      return fixed({{robin, is_inner ? -1.0 : 1.0, 0.0, wall}});
    case BoundaryWord::clamped:
      return fixed({value, slope});
    case BoundaryWord::insulating:
      if (!poloidal) return fixed({value});
      return [wall, is_inner](Index l) {
        const auto degree = static_cast<double>(l);
        return Conditions{{is_inner ? -degree : degree + 1.0, wall, 0.0, wall}};
      };
    case BoundaryWord::conducting:
      return poloidal ? fixed({value}) : fixed({{1.0, wall, 0.0, wall}});
    case BoundaryWord::no_slip:
      return poloidal ? fixed({value, slope}) : fixed({value});
    case BoundaryWord::stress_free:
      break;
  }
  return poloidal ? fixed({value, curvature}) : fixed({{-1.0, wall, 0.0, wall}});
}

std::function<std::vector<WallCondition>(Index l)> conditions_of(const BallField& field, PartKind kind, double radius,
                                                                 const RadialFunctions& radial) {
  const auto outer = wall_conditions(field.boundary, kind, field.robin * radius);
  if (!radial.is_shell()) return outer;
  const auto inner = wall_conditions(field.inner_boundary, kind, field.robin * radius, radial.inner());
  return [outer, inner](Index l) {
    std::vector<WallCondition> all = outer(l);
    for (const WallCondition& condition : inner(l)) all.push_back(condition);
    return all;
  };
}

std::string wall_text(BoundaryWord word, PartKind kind, const std::string& name, double robin, bool is_inner) {
  const bool poloidal = kind == PartKind::poloidal;
  switch (word) {
    case BoundaryWord::value:
      return name + " = 0";
    case BoundaryWord::slope:
      return fmt::format("dr({}) = 0", name);
    case BoundaryWord::robin:
      return fmt::format("dr({0}) {2} {1:g}*{0} = 0", name, robin, is_inner ? '-' : '+');
    case BoundaryWord::clamped:
      return fmt::format("{0} = 0, dr({0}) = 0", name);
    case BoundaryWord::insulating:
      if (!poloidal) return name + " = 0";
      return fmt::format("dr({0}) {1}/r*{0} = 0", name, is_inner ? "- l" : "+ (l+1)");
    case BoundaryWord::conducting:
      return poloidal ? name + " = 0" : fmt::format("dr(r*{}) = 0", name);
    case BoundaryWord::no_slip:
      return poloidal ? fmt::format("{0} = 0, dr({0}) = 0", name) : name + " = 0";
    case BoundaryWord::stress_free:
      break;
  }
  return poloidal ? fmt::format("{0} = 0, dr(dr({0})) = 0", name) : fmt::format("dr({}/r) = 0", name);
}

}  // namespace gwrm::ball
