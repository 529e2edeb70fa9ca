#include "problems/ball/term_text.hpp"

#include <fmt/format.h>

#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm::ball {
namespace {

std::string name_of(const BallCase& section, FieldKind kind) {
  for (const BallField& field : section.fields)
    if (field.kind == kind) return field.name;
  return "";
}

// One part of a vector that drives a field, as its equation has it.
TermText part_of(const Part& part, const std::string& vector, const std::string& latex) {
  const bool poloidal = part.kind == PartKind::poloidal;
  const std::string text = fmt::format("{}({})", poloidal ? "poloidal" : "toroidal", vector);
  const std::string in_latex = fmt::format("\\mathrm{{{}}}({})", poloidal ? "pol" : "tor", latex);
  if (!part.of_curl) return {text, in_latex};
  return {"lap(" + text + ")", "\\nabla^2 " + in_latex};
}

std::string factor_text(double factor, const char* times) {
  return factor == 1.0 ? "" : fmt::format("{:g}{}", factor, times);
}

class Terms {
 public:
  Terms(const BallModel& model, const Part& part)
      : model_(model), section_(model.section()), part_(part), field_(section_.fields[part.field]) {
    const std::string own = name_of(section_, FieldKind::velocity);
    velocity_ = !section_.flow.is_there() ? own : own.empty() ? "u" : fmt::format("(u + {})", own);
  }

  std::vector<TermText> all() {
    for (TermWord term : section_.terms) add(term);
    if (field_.vector_source.is_there()) add_source();
    if (!field_.reaction.text.empty()) {
      const expression::Expr reaction = expression::parse(model_.expressions().pool(), field_.reaction);
      texts_.push_back({expression::print(reaction), expression::latex(reaction)});
    }
    return texts_;
  }

 private:
  void add(TermWord term) {
    const std::string& name = field_.name;
    const bool is_velocity = field_.kind == FieldKind::velocity;
    switch (term) {
      case TermWord::induction:
        if (field_.kind == FieldKind::magnetic)
          texts_.push_back(part_of(part_, fmt::format("curl({} x {})", velocity_, name),
                                   fmt::format("\\nabla\\times({}\\times {})", velocity_, name)));
        break;
      case TermWord::advection:
        if (field_.kind == FieldKind::scalar)
          texts_.push_back(
              {fmt::format("-{}.grad({})", velocity_, name), fmt::format("-{}\\cdot\\nabla {}", velocity_, name)});
        break;
      case TermWord::inertia:
        if (is_velocity) add_inertia(name);
        break;
      case TermWord::lorentz:
        for (const BallField& other : section_.fields)
          if (is_velocity && other.kind == FieldKind::magnetic)
            texts_.push_back(part_of(
                part_, fmt::format("{0}curl({1}) x {1}", factor_text(other.lorentz, "*"), other.name),
                fmt::format("{0}(\\nabla\\times {1})\\times {1}", factor_text(other.lorentz, "\\,"), other.name)));
        break;
      case TermWord::coriolis:
        if (is_velocity)
          texts_.push_back(part_of(part_, fmt::format("{:g}*{} x e_z", section_.rotation, name),
                                   fmt::format("{:g}\\,{}\\times e_z", section_.rotation, name)));
        break;
      case TermWord::buoyancy:
        for (const BallField& other : section_.fields)
          if (part_.of_curl && other.buoyancy != 0.0)
            texts_.push_back({fmt::format("{:g}*{}", -other.buoyancy, other.name),
                              fmt::format("{:g}\\,{}", -other.buoyancy, other.name)});
        break;
      case TermWord::background:
        for (const BallField& other : section_.fields)
          if (field_.background != 0.0 && other.kind == FieldKind::velocity)
            texts_.push_back({fmt::format("{:g}*r*{}_r", field_.background, other.name),
                              fmt::format("{:g}\\,r\\,{}_r", field_.background, other.name)});
        for (const BallField& other : section_.fields)
          if (field_.contrast != 0.0 && other.kind == FieldKind::velocity) {
            const double factor =
                field_.contrast * section_.radius * section_.inner_radius / (section_.radius - section_.inner_radius);
            texts_.push_back(
                {fmt::format("{:g}*{}_r/r^2", factor, other.name), fmt::format("{:g}\\,{}_r/r^2", factor, other.name)});
          }
        break;
    }
  }

  void add_inertia(const std::string& name) {
    if (!section_.flow.is_there()) {
      texts_.push_back(
          part_of(part_, fmt::format("{0} x curl({0})", name), fmt::format("{0}\\times(\\nabla\\times {0})", name)));
      return;
    }
    texts_.push_back(part_of(part_, fmt::format("(u + {0}) x curl({0}) + {0} x curl(u)", name),
                             fmt::format("(u + {0})\\times(\\nabla\\times {0}) + {0}\\times(\\nabla\\times u)", name)));
  }

  // (F_x, F_y, F_z) or with r, theta, phi.
  void add_source() {
    std::string text, latex;
    for (const SourceText& component : field_.vector_source.components) {
      const SourceText zero = SourceText::from_argument("0");
      const expression::Expr e =
          expression::parse(model_.expressions().pool(), component.text.empty() ? zero : component);
      text += (text.empty() ? "" : ", ") + expression::print(e);
      latex += (latex.empty() ? "" : ",\\ ") + expression::latex(e);
    }
    const bool cartesian = field_.vector_source.is_cartesian;
    texts_.push_back(part_of(part_, fmt::format("[{}] along {}", text, cartesian ? "x, y, z" : "r, theta, phi"),
                             fmt::format("({})_{{{}}}", latex, cartesian ? "x,y,z" : "r,\\theta,\\varphi")));
  }

  const BallModel& model_;
  const BallCase& section_;
  const Part& part_;
  const BallField& field_;
  std::string velocity_;
  std::vector<TermText> texts_;
};

}  // namespace

std::vector<TermText> term_texts(const BallModel& model, const Part& part) {
  return Terms(model, part).all();
}

}  // namespace gwrm::ball
