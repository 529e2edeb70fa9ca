#include "problems/ball/walls_section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/key_specs.hpp"
#include "case/words.hpp"

namespace gwrm::ball {

using namespace casefile;

namespace {

constexpr Words<BoundaryWord, 8> kBoundaryWords{{{"value", BoundaryWord::value},
                                                 {"slope", BoundaryWord::slope},
                                                 {"robin", BoundaryWord::robin},
                                                 {"clamped", BoundaryWord::clamped},
                                                 {"insulating", BoundaryWord::insulating},
                                                 {"conducting", BoundaryWord::conducting},
                                                 {"no_slip", BoundaryWord::no_slip},
                                                 {"stress_free", BoundaryWord::stress_free}}};

// The words of each kind; the first is the default.
std::vector<BoundaryWord> words_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::scalar:
      return {BoundaryWord::value, BoundaryWord::slope, BoundaryWord::robin, BoundaryWord::clamped};
    case FieldKind::magnetic:
      return {BoundaryWord::insulating, BoundaryWord::conducting};
    case FieldKind::velocity:
      break;
  }
  return {BoundaryWord::no_slip, BoundaryWord::stress_free};
}

BoundaryWord word_at(const YamlNode* node, const std::string& kind, const std::vector<BoundaryWord>& words) {
  if (node == nullptr) return words.front();
  const BoundaryWord word = choice_of(kBoundaryWords, node->mark.text);
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    std::string known;
    for (BoundaryWord other : words) known += (known.empty() ? "" : ", ") + word_of(kBoundaryWords, other);
    node->mark.fail(fmt::format("a {} field has no boundary `{}`: take one of {}", kind, node->mark.text, known));
  }
  return word;
}

}  // namespace

std::vector<KeySpec> radius_keys() {
  using namespace casefile::keys;
  std::vector<KeySpec> specs = {
      positive("ball.radius", "1", "The radius of the sphere, of a shell the outer one."),
      positive("ball.inner_radius", "", "Of a shell: its inner radius. Default: none, the full sphere.")};
  specs.front().cure = "take the radius of the sphere, as 1.5, or leave it out for 1";
  specs.back().cure = "leave it out for the full sphere";
  return specs;
}

std::vector<KeySpec> boundary_keys() {
  using namespace casefile::keys;
  return {
      or_map(
          choice("ball.fields.*.boundary", "value", word_list(kBoundaryWords),
                 "At the surface, of a shell at both walls, or a map with outer and inner. scalar: value (zero), slope "
                 "(zero), robin, clamped (both zero; the default with hyperdiffusion); magnetic: insulating "
                 "(default), conducting (perfectly); velocity: no_slip (default), stress_free.")),
      choice("ball.fields.*.boundary.outer", "", word_list(kBoundaryWords), "Of a shell: at its surface."),
      choice("ball.fields.*.boundary.inner", "", word_list(kBoundaryWords), "Of a shell: at its inner wall."),
  };
}

void read_radii(const CaseTree& file, const Constants& constants, BallCase& ball) {
  ball.radius = file.number_at("ball.radius", constants, ball.radius);
  const YamlNode* inner = file.root.find_path("ball.inner_radius");
  if (inner == nullptr) return;
  ball.inner_radius = file.number_at("ball.inner_radius", constants, ball.inner_radius);
  if (!(ball.inner_radius < ball.radius))
    inner->mark.fail(fmt::format(
        "the inner radius {:g} is not below the radius {:g}: take a smaller one, or leave it out for the full sphere",
        ball.inner_radius, ball.radius));
}

void read_boundary(const YamlNode& node, const std::string& kind, bool is_shell, BallField& field) {
  const std::vector<BoundaryWord> words = words_of(field.kind);
  const YamlNode* boundary = node.find("boundary");
  if (boundary == nullptr || !boundary->is_map()) {
    field.boundary = field.inner_boundary = word_at(boundary, kind, words);
    return;
  }
  if (!is_shell)
    boundary->mark.fail(
        "a full sphere has one wall, its surface: give one word, or ball.inner_radius for the inner wall of a shell");
  field.boundary = word_at(boundary->find("outer"), kind, words);
  field.inner_boundary = word_at(boundary->find("inner"), kind, words);
}

void check_walls(const YamlNode& node, const BallCase& ball, const BallField& field) {
  if (const YamlNode* contrast = node.find("contrast"); contrast != nullptr) {
    if (field.is_vector()) contrast->mark.fail("`contrast` is for scalar fields: leave it out");
    if (!ball.is_shell())
      contrast->mark.fail(
          "`contrast` is between the walls of a shell: give ball.inner_radius, or a background that is heated from "
          "within, as background: 1");
  }
  const bool two_conditions = field.kind == FieldKind::velocity || field.hyperdiffusion > 0.0;
  if (!ball.is_shell() && two_conditions && ball.degree_r < 2)
    throw_case_error(ball.degree_where, 0,
                     fmt::format("`{}` has two conditions at the surface: raise r to 2 at least", field.name));
  if (const int least = two_conditions ? 4 : 2; ball.is_shell() && ball.degree_r < least)
    throw_case_error(
        ball.degree_where, 0,
        fmt::format("`{}` has {} conditions at the two walls: raise r to {} at least", field.name, least, least));
}

void write_radii(ResolvedText& text, const BallCase& ball) {
  text.line(2, "radius", number_text(ball.radius));
  if (ball.is_shell()) text.line(2, "inner_radius", number_text(ball.inner_radius));
}

void write_boundary(ResolvedText& text, const BallField& field, bool is_shell) {
  const std::string outer = word_of(kBoundaryWords, field.boundary),
                    inner = word_of(kBoundaryWords, field.inner_boundary);
  text.line(6, "boundary", is_shell && inner != outer ? fmt::format("{{outer: {}, inner: {}}}", outer, inner) : outer);
}

}  // namespace gwrm::ball
