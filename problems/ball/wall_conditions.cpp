#include "problems/ball/wall_conditions.hpp"

#include <fmt/format.h>

namespace gwrm::ball {

std::function<std::vector<WallCondition>(Index l)> wall_conditions(BoundaryWord word, PartKind kind, double robin) {
  using Conditions = std::vector<WallCondition>;
  const auto fixed = [](const Conditions& conditions) { return [conditions](Index) { return conditions; }; };
  const WallCondition value{1.0, 0.0, 0.0}, slope{0.0, 1.0, 0.0}, curvature{0.0, 0.0, 1.0};
  const bool poloidal = kind == PartKind::poloidal;
  switch (word) {
    case BoundaryWord::value:
      return fixed({value});
    case BoundaryWord::slope:
      return fixed({slope});
    case BoundaryWord::robin:
      return fixed({{robin, 1.0, 0.0}});
    case BoundaryWord::clamped:
      return fixed({value, slope});
    case BoundaryWord::insulating:
      if (!poloidal) return fixed({value});
      return [](Index l) { return Conditions{{static_cast<double>(l) + 1.0, 1.0, 0.0}}; };
    case BoundaryWord::conducting:
      return poloidal ? fixed({value}) : fixed({{1.0, 1.0, 0.0}});
    case BoundaryWord::no_slip:
      return poloidal ? fixed({value, slope}) : fixed({value});
    case BoundaryWord::stress_free:
      break;
  }
  return poloidal ? fixed({value, curvature}) : fixed({{-1.0, 1.0, 0.0}});
}

std::string wall_text(BoundaryWord word, PartKind kind, const std::string& name, double robin) {
  const bool poloidal = kind == PartKind::poloidal;
  switch (word) {
    case BoundaryWord::value:
      return name + " = 0";
    case BoundaryWord::slope:
      return fmt::format("dr({}) = 0", name);
    case BoundaryWord::robin:
      return fmt::format("dr({0}) + {1:g}*{0} = 0", name, robin);
    case BoundaryWord::clamped:
      return fmt::format("{0} = 0, dr({0}) = 0", name);
    case BoundaryWord::insulating:
      return poloidal ? fmt::format("dr({0}) + (l+1)/r*{0} = 0", name) : name + " = 0";
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
