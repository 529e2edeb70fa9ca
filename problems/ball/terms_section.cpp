#include "problems/ball/terms_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "case/key_specs.hpp"
#include "case/words.hpp"
#include "problems/ball/harmonics_section.hpp"

namespace gwrm::ball {

using namespace casefile;

namespace {

constexpr double kMaxModes = 20;

constexpr Words<TermWord, 7> kTermWords{{{"induction", TermWord::induction},
                                         {"advection", TermWord::advection},
                                         {"inertia", TermWord::inertia},
                                         {"lorentz", TermWord::lorentz},
                                         {"buoyancy", TermWord::buoyancy},
                                         {"background", TermWord::background},
                                         {"coriolis", TermWord::coriolis}}};

void read_flow(const CaseTree& file, const Case& result, BallCase& ball) {
  const YamlNode* node = file.root.find_path("ball.flow");
  if (node == nullptr) return;
  ball.flow.toroidal = read_harmonics(node->find("toroidal"));
  ball.flow.poloidal = read_harmonics(node->find("poloidal"));
  ball.flow.factor = file.number_at("ball.flow.factor", result.constants, ball.flow.factor);
  for (const auto* harmonics : {&ball.flow.toroidal, &ball.flow.poloidal})
    for (const HarmonicCase& harmonic : *harmonics)
      if (harmonic.l + 1 > ball.degree_l)
        throw_case_error(harmonic.key, 0,
                         fmt::format("a flow of degree {} couples l to l +- "
                                     "{}, and ball.degree has l: {}: raise it",
                                     harmonic.l, harmonic.l, ball.degree_l));
}

void check_terms(const YamlNode& terms, const BallCase& ball) {
  const auto any_field = [&](const auto& is) { return std::any_of(ball.fields.begin(), ball.fields.end(), is); };
  const auto is = [](FieldKind kind) { return [kind](const BallField& field) { return field.kind == kind; }; };
  const bool has_velocity = any_field(is(FieldKind::velocity));
  const auto n_velocities = std::count_if(ball.fields.begin(), ball.fields.end(), is(FieldKind::velocity));
  // What carries fields is the given flow, one velocity, or their sum.
  const auto check_flow = [&](const Marked& mark, const std::string& what) {
    if (!ball.flow.is_there() && !has_velocity)
      mark.fail(
          fmt::format("{0} needs a flow: give ball.flow with its toroidal or poloidal part, or add a field of "
                      "kind: velocity",
                      what));
    if (n_velocities > 1) mark.fail(fmt::format("{} is by one velocity, and there are {}", what, n_velocities));
  };
  for (std::size_t i = 0; i < terms.items.size(); ++i) {
    const Marked& mark = terms.items[i].mark;
    switch (ball.terms[i]) {
      case TermWord::induction:
        check_flow(mark, "induction");
        if (!any_field(is(FieldKind::magnetic))) mark.fail("induction needs a field of kind: magnetic");
        break;
      case TermWord::advection:
        check_flow(mark, "advection");
        if (!any_field(is(FieldKind::scalar))) mark.fail("advection is of scalars: add a field of kind: scalar");
        break;
      case TermWord::inertia:
        if (!has_velocity) mark.fail("inertia is that of a velocity: add a field of kind: velocity");
        break;
      case TermWord::lorentz:
        if (!has_velocity || !any_field(is(FieldKind::magnetic)))
          mark.fail("the Lorentz force of a magnetic field acts on a velocity: add a field of each kind");
        break;
      case TermWord::buoyancy:
        if (!has_velocity)
          mark.fail(
              "buoyancy drives a velocity: add a field of kind: velocity, "
              "or leave it out");
        if (!any_field([](const BallField& field) { return field.buoyancy != 0.0; }))
          mark.fail(
              "buoyancy needs its factor at a scalar field, as Theta: "
              "{buoyancy: Ra}");
        break;
      case TermWord::background:
        if (!has_velocity)
          mark.fail(
              "a background is carried by a velocity: add a field of kind: "
              "velocity");
        if (!any_field([](const BallField& field) { return field.background != 0.0 || field.contrast != 0.0; }))
          mark.fail(
              "a background needs its gradient at a scalar field, as "
              "Theta: {background: 1}, or in a shell Theta: {contrast: 1}");
        break;
      case TermWord::coriolis:
        if (!has_velocity)
          mark.fail(
              "the Coriolis force acts on a velocity: add a field of kind: "
              "velocity");
        if (ball.rotation == 0.0)
          mark.fail(
              "the Coriolis force needs ball.rotation, twice the angular "
              "velocity");
        break;
    }
  }
}

}  // namespace

std::vector<KeySpec> terms_keys() {
  using namespace casefile::keys;
  return {
      map("ball.flow",
          "A given steady flow, curl(t Y e_r) + curl curl(s Y "
          "e_r) with the unit vector e_r."),
      map("ball.flow.toroidal", "t by harmonics; like r^(l+1) at the centre."),
      formula("ball.flow.toroidal.*", "t(r) of the harmonic \"l,m\" (cosine) or \"l,-m\" (sine)."),
      map("ball.flow.poloidal", "s by harmonics; like r^(l+1) at the centre, 0 at the walls."),
      formula("ball.flow.poloidal.*", "s(r) of the harmonic."),
      number("ball.flow.factor", "What the flow is multiplied by. Default: 1."),
      list("ball.terms", 0, kMaxItems, "The terms besides diffusion and sources. Default: none."),
      choice("ball.terms[]", "", word_list(kTermWords),
             "induction by the flow, advection of scalars (by the given flow and the velocity), inertia of "
             "velocities, Lorentz force, buoyancy of scalars, advection of "
             "their background by a velocity, Coriolis force."),
      number("ball.rotation", "Factor of -e_z x U, twice the angular velocity. Default: 0."),
  };
}

std::vector<KeySpec> growth_keys() {
  using namespace casefile::keys;
  return {
      map("growth", "Growth rates of the modes of a linear case."),
      integer("growth.modes", "1", 1, kMaxModes, "How many, the fastest growing first."),
      positive("growth.tolerance", "1e-08", "Residual of a mode, in units of its growth rate."),
      not_negative("growth.window", "0",
                   "Length of the window whose propagator is taken; 0: chosen "
                   "by the program."),
  };
}

void read_terms(const CaseTree& file, const Case& result, BallCase& ball) {
  const Constants& constants = result.constants;
  read_flow(file, result, ball);
  ball.rotation = file.number_at("ball.rotation", constants, ball.rotation);
  if (const YamlNode* terms = file.root.find_path("ball.terms")) {
    for (const YamlNode& term : terms->items) {
      ball.terms.push_back(choice_of(kTermWords, term.mark.text));
      if (std::count(ball.terms.begin(), ball.terms.end(), ball.terms.back()) > 1)
        term.mark.fail(fmt::format("the term `{}` stands twice", term.mark.text));
    }
    check_terms(*terms, ball);
  }
  const YamlEntry* growth = file.root.find_entry("growth");
  if (growth == nullptr) return;
  ball.growth.where = growth->key.where();
  ball.growth.modes = file.integer_at("growth.modes", constants, 1);
  ball.growth.tolerance = file.number_at("growth.tolerance", constants, ball.growth.tolerance);
  ball.growth.window = file.number_at("growth.window", constants, ball.growth.window);
  for (const BallField& field : ball.fields)
    for (const SourceText& source : {field.source, field.vector_source.components[0], field.vector_source.components[1],
                                     field.vector_source.components[2], field.reaction})
      if (!source.text.empty())
        throw_case_error(source, 0,
                         "growth rates are those of a linear case without sources and reactions: "
                         "leave one of the two out");
  const bool has_velocity = std::any_of(ball.fields.begin(), ball.fields.end(),
                                        [](const BallField& field) { return field.kind == FieldKind::velocity; });
  for (std::size_t i = 0; i < ball.terms.size(); ++i) {
    const bool is_product =
        ball.terms[i] == TermWord::inertia || ball.terms[i] == TermWord::lorentz ||
        ((ball.terms[i] == TermWord::induction || ball.terms[i] == TermWord::advection) && has_velocity);
    if (is_product)
      throw_case_error(file.root.find_path("ball.terms")->items[i].mark.where(), 0,
                       fmt::format("growth rates are those of a linear case, and `{}` is a product of fields: leave "
                                   "one of the two out",
                                   word_of(kTermWords, ball.terms[i])));
  }
}

void write_terms(ResolvedText& text, const BallCase& ball) {
  if (ball.flow.is_there()) {
    text.line(2, "flow");
    text.line(4, "toroidal", harmonics_text(ball.flow.toroidal));
    text.line(4, "poloidal", harmonics_text(ball.flow.poloidal));
    text.line(4, "factor", number_text(ball.flow.factor));
  }
  if (!ball.terms.empty()) {
    std::string words;
    for (TermWord term : ball.terms) words += (words.empty() ? "" : ", ") + word_of(kTermWords, term);
    text.line(2, "terms", "[" + words + "]");
  }
  if (ball.rotation != 0.0) text.line(2, "rotation", number_text(ball.rotation));
}

void write_growth(ResolvedText& text, const BallCase& ball) {
  if (ball.growth.modes == 0) return;
  text.line(0, "growth");
  text.line(2, "modes", std::to_string(ball.growth.modes));
  text.line(2, "tolerance", number_text(ball.growth.tolerance));
  text.line(2, "window", number_text(ball.growth.window));
}

}  // namespace gwrm::ball
