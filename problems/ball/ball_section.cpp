#include "problems/ball/ball_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "case/declared_equations.hpp"
#include "case/key_specs.hpp"
#include "case/names.hpp"
#include "case/vectors.hpp"
#include "case/words.hpp"
#include "problems/ball/ball_case.hpp"
#include "problems/ball/degree_section.hpp"
#include "problems/ball/harmonics_section.hpp"
#include "problems/ball/sources_section.hpp"
#include "problems/ball/terms_section.hpp"
#include "problems/ball/walls_section.hpp"

namespace gwrm {

using namespace casefile;
using ball::BoundaryWord;
using ball::FieldKind;

namespace {

constexpr double kMaxWindows = 1000000;

constexpr Words<FieldKind, 3> kKindWords{
    {{"scalar", FieldKind::scalar}, {"magnetic", FieldKind::magnetic}, {"velocity", FieldKind::velocity}}};
FieldKind kind_of(const YamlNode& field) {
  const YamlNode* kind = field.find("kind");
  return kind == nullptr ? FieldKind::scalar : choice_of(kKindWords, kind->mark.text);
}

// The Laplacian takes one condition, its square two.
void read_hyperdiffusion(const YamlNode& node, double factor, BallField& field) {
  const YamlNode* hyperdiffusion = node.find("hyperdiffusion");
  const YamlNode* boundary = node.find("boundary");
  field.hyperdiffusion = factor;
  if (hyperdiffusion != nullptr && field.is_vector())
    hyperdiffusion->mark.fail("`hyperdiffusion` is for scalar fields: leave it out");
  if (factor > 0.0 && boundary == nullptr) field.boundary = field.inner_boundary = BoundaryWord::clamped;
  if (factor > 0.0 && (field.boundary != BoundaryWord::clamped || field.inner_boundary != BoundaryWord::clamped)) {
    const std::string given =
        boundary->is_map() ? "in a shell at both walls" : fmt::format("`{}` is one", boundary->mark.text);
    boundary->mark.fail(
        fmt::format("hyperdiffusion takes two conditions at the surface, {}: take boundary: "
                    "clamped (u = 0 and dr(u) = 0), or leave it out",
                    given));
  }
  if (factor == 0.0 && (field.boundary == BoundaryWord::clamped || field.inner_boundary == BoundaryWord::clamped))
    boundary->mark.fail("`clamped` is two conditions, diffusion alone takes one: give a factor in hyperdiffusion");
  if (factor == 0.0 && field.diffusivity == 0.0)
    node.find("diffusivity")
        ->mark.fail(field.is_vector() ? "the diffusivity must be greater than 0"
                                      : "without diffusivity nothing is left of diffusion: give a factor in "
                                        "hyperdiffusion, or a diffusivity greater than 0");
}

BallField read_field(const CaseTree& file, const YamlEntry& entry, const Case& result, const BallCase& ball) {
  BallField field;
  field.name = entry.key.text;
  field.where = entry.key.where();
  field.kind = kind_of(entry.value);
  ball::read_boundary(entry.value, word_of(kKindWords, field.kind), ball.is_shell(), field);
  const auto number = [&](const char* key, double fallback) {
    const YamlNode* node = entry.value.find(key);
    return node == nullptr ? fallback : file.number_of(*node, fmt::format("ball.fields.*.{}", key), result.constants);
  };
  field.diffusivity = number("diffusivity", field.diffusivity);
  read_hyperdiffusion(entry.value, number("hyperdiffusion", 0.0), field);
  field.robin = number("robin", field.robin);
  field.buoyancy = number("buoyancy", field.buoyancy);
  field.background = number("background", field.background);
  field.contrast = number("contrast", field.contrast);
  field.lorentz = number("lorentz", field.lorentz);
  if (const YamlNode* node = entry.value.find("lorentz"); node != nullptr && field.kind != FieldKind::magnetic)
    node->mark.fail("`lorentz` is for magnetic fields: leave it out");
  for (const char* key : {"buoyancy", "background"})
    if (const YamlNode* node = entry.value.find(key); node != nullptr && field.is_vector())
      node->mark.fail(fmt::format("`{}` is for scalar fields: leave it out", key));
  if (const YamlNode* robin = entry.value.find("robin");
      robin != nullptr && field.boundary != BoundaryWord::robin && field.inner_boundary != BoundaryWord::robin)
    robin->mark.fail("`robin` is the factor of boundary: robin: leave it out");
  ball::read_sources(entry, field);
  return field;
}

void read_initial(const CaseTree& file, BallCase& ball) {
  std::vector<std::string> names;
  for (const BallField& field : ball.fields) names.push_back(field.name);
  for (const YamlEntry& entry : entries_at(file.root, "initial")) {
    check_known(entry.key, names, "field");
    BallField& field = *std::find_if(ball.fields.begin(), ball.fields.end(),
                                     [&](const BallField& other) { return other.name == entry.key.text; });
    field.initial_where = entry.key.where();
    refuse_list(entry.value, "initial." + entry.key.text);
    if (entry.value.find("file") != nullptr || entry.value.find("dataset") != nullptr)
      entry.value.mark.fail("data of files are no initial values of problem: ball: give expressions");
    if (entry.value.is_map() != field.is_vector())
      entry.value.mark.fail(field.is_vector()
                                ? fmt::format("`{}` is a vector field: give its toroidal and "
                                              "poloidal parts, as "
                                              "{{poloidal: {{\"1,0\": \"r*(5/3 - r^2)\"}}}}, or its components, as "
                                              "{{z: \"1\"}}",
                                              field.name)
                                : fmt::format("`{}` is a scalar: give an expression of the place", field.name));
    if (!field.is_vector()) {
      field.initial = entry.value.mark.where();
      continue;
    }
    if (entry.value.find("toroidal") == nullptr && entry.value.find("poloidal") == nullptr) {
      field.initial_vector = ball::read_vector(entry.value);
      continue;
    }
    for (const char* component : {"x", "y", "z", "r", "theta", "phi"})
      if (const YamlNode* node = entry.value.find(component); node != nullptr)
        node->mark.fail(fmt::format("`{}` has its toroidal and poloidal parts, or its components: take one of the two",
                                    field.name));
    field.toroidal = ball::read_harmonics(entry.value.find("toroidal"));
    field.poloidal = ball::read_harmonics(entry.value.find("poloidal"));
    ball::check_degrees(field.toroidal, ball);
    ball::check_degrees(field.poloidal, ball);
  }
}

void read_windows(const CaseTree& file, const Case& result, BallCase& ball) {
  const YamlNode* node = file.root.find_path("ball.windows");
  if (node == nullptr) return;
  const Axis& time = result.domain.front().axis;
  if (node->is_scalar()) {
    const int n = file.integer_of(*node, "ball.windows", result.constants);
    for (int i = 0; i < n; ++i) ball.windows.push_back(time.lower + (time.upper - time.lower) * i / n);
    ball.windows.push_back(time.upper);
  } else {
    ball.windows = file.numbers_of(*node, "ball.windows", result.constants);
  }
  const std::vector<double>& edges = ball.windows;
  if (std::adjacent_find(edges.begin(), edges.end(), [](double a, double b) { return !(a < b); }) != edges.end())
    node->mark.fail("the edges of the windows must increase");
  if (edges.front() != time.lower || edges.back() != time.upper)
    node->mark.fail(fmt::format("the first and last edge are the ends of `t`, {} and {}", time.lower, time.upper));
}

void check_case(const CaseTree& file, const Case& result) {
  for (const AxisCase& axis : result.domain)
    if (!axis.of_module && axis.axis.kind != AxisKind::time)
      throw_case_error(axis.where, 0,
                       fmt::format("problem: ball has the domain t alone: `{}` "
                                   "belongs to the sphere, whose radius is "
                                   "ball.radius; leave it out",
                                   axis.axis.name));
  if (result.domain.front().axis.kind != AxisKind::time)
    file.root.find_entry("domain")->key.fail("problem: ball marches in time: give t, as domain: {t: [0, 1]}");
}

}  // namespace

std::vector<KeySpec> BallSection::keys() const {
  using namespace casefile::keys;
  std::vector<KeySpec> specs = {
      map("ball", "Fields in the full sphere, or in a shell.", true),
      or_list(integer("ball.windows", "", 1, kMaxWindows,
                      "A number of equal windows in time, or the list of their "
                      "edges. Default: as long as `tolerance` "
                      "allows, the first ones short where data contradict the "
                      "equations."),
              2, kMaxItems),
      number("ball.windows[]", "An edge; the first and last are the ends of t."),
      positive("ball.tolerance", "1e-10",
               "Windows that the program chooses are so long that the last "
               "coefficients in t are this small, relative to "
               "the largest; with degrees that it chooses the accuracy of the answer."),
      map("ball.fields", "The fields by name.", true),
      map("ball.fields.*", "One field."),
      choice("ball.fields.*.kind", "scalar", word_list(kKindWords),
             "A scalar, or a solenoidal field curl(T Y r) + curl curl(P Y r)."),
      not_negative("ball.fields.*.robin", "1",
                   "a in dr(u) + a*u = 0 (dr(u) - a*u = 0 at an inner wall), with boundary: robin."),
      not_negative("ball.fields.*.diffusivity", "1",
                   "The factor of the Laplacian; 0 where a scalar has "
                   "hyperdiffusion alone."),
      not_negative("ball.fields.*.hyperdiffusion", "0", "Of a scalar u: the factor of -lap(lap(u))."),
      number("ball.fields.*.buoyancy", "Of a scalar u: g of the force g*u*r on a velocity. Default: 0."),
      number("ball.fields.*.background",
             "Of a scalar: beta of a background with the gradient -beta r, "
             "carried by a velocity. Default: 0."),
      number("ball.fields.*.contrast",
             "Of a scalar in a shell: of a conducting background, carried by a velocity, its value at the inner wall "
             "less that at the outer one. Default: 0."),
      number("ball.fields.*.lorentz", "Of a magnetic field B: the factor of the force (curl B) x B. Default: 1."),
  };
  for (KeySpec& spec : ball::radius_keys()) specs.push_back(std::move(spec));
  for (KeySpec& spec : ball::boundary_keys()) specs.push_back(std::move(spec));
  for (KeySpec& spec : ball::degree_keys()) specs.push_back(std::move(spec));
  for (KeySpec& spec : ball::source_keys()) specs.push_back(std::move(spec));
  for (KeySpec& spec : ball::terms_keys()) specs.push_back(std::move(spec));
  for (KeySpec& spec : initial_keys()) specs.push_back(std::move(spec));
  for (KeySpec& spec : ball::growth_keys()) specs.push_back(std::move(spec));
  return specs;
}

std::string BallSection::resolution_key(const std::string& dimension) const {
  return dimension == "t" ? "ball.degree.t" : dimension == "r" ? "ball.degree.r" : "ball.degree.l";
}

// The sphere's coordinates, and the fields: vectors by their components.
void BallSection::declare_names(const CaseTree& file, Case& result) const {
  check_case(file, result);
  BallCase radii;
  ball::read_radii(file, result.constants, radii);
  const auto add = [&](const char* name, double lower, double upper) {
    AxisCase axis;
    axis.axis = {name, AxisKind::space, lower, upper, MapKind::linear};
    axis.edges = {lower, upper};
    axis.where = file.root.find_entry("ball")->key.where();
    axis.of_module = true;
    result.domain.push_back(std::move(axis));
  };
  add("r", radii.inner_radius, radii.radius);
  add("theta", 0.0, std::numbers::pi);
  add("phi", 0.0, 2.0 * std::numbers::pi);
  static constexpr std::array coordinates = {"t", "r", "theta", "phi", "x", "y", "z"};
  const auto check_coordinates = [&](const Marked& name) {
    if (std::find(coordinates.begin(), coordinates.end(), name.text) != coordinates.end())
      name.fail(fmt::format("`{}` is a coordinate of the ball: choose another name", name.text));
  };
  std::vector<NamedThing> names;
  for (const YamlEntry& entry : entries_at(file.root, "constants")) {
    check_coordinates(entry.key);
    names.push_back({NamedThing::Kind::constant, entry.key});
  }
  for (const YamlEntry& entry : entries_at(file.root, "definitions")) {
    check_coordinates(entry.key);
    names.push_back({NamedThing::Kind::definition, entry.key});
  }
  for (const YamlEntry& entry : entries_at(file.root, "ball.fields")) {
    check_coordinates(entry.key);
    names.push_back({NamedThing::Kind::unknown, entry.key});
    const bool is_vector = kind_of(entry.value) != FieldKind::scalar;
    for (const char* component : {"_r", "_theta", "_phi"}) {
      UnknownCase unknown{entry.key.text, {"t", "r", "theta", "phi"}, entry.key.where(), true};
      if (is_vector) {
        unknown.name += component;
        unknown.where.text = unknown.name;
      }
      result.unknowns.push_back(std::move(unknown));
      if (!is_vector) break;
    }
  }
  check_names(std::move(names));
  if (result.unknowns.empty())
    file.root.find_path("ball")->find_entry("fields")->key.fail("no field: name one, as u: {kind: scalar}");
}

void BallSection::read(const CaseTree& file, Case& result) const {
  const Constants& constants = result.constants;
  if (!result.boundary.empty())
    throw_case_error(result.boundary.front(), 0,
                     "the conditions of the ball are words of its fields, as "
                     "boundary: value: leave these out");
  BallCase ball;
  ball.where = file.root.find_entry("ball")->key.where();
  ball::read_radii(file, constants, ball);
  ball.tolerance = file.number_at("ball.tolerance", constants, ball.tolerance);
  ball::read_degrees(file, constants, ball);
  // What a run was asked to meet is what it is held against.
  if (ball.chosen.any() && file.root.find_path("ball.tolerance") != nullptr)
    result.resolution.tolerance = ball.tolerance;
  for (const YamlEntry& entry : entries_at(file.root, "ball.fields")) {
    ball.fields.push_back(read_field(file, entry, result, ball));
    const BallField& field = ball.fields.back();
    if (field.is_vector() && ball.degree_l < 1)
      throw_case_error(ball.degree_where, 0,
                       fmt::format("the vector field `{}` begins with l = 1: raise l", field.name));
    ball::check_walls(entry.value, ball, field);
  }
  read_initial(file, ball);
  read_windows(file, result, ball);
  ball::read_terms(file, result, ball);
  ball::settle_degrees(ball);
  result.section = std::make_shared<BallCase>(std::move(ball));
}

void BallSection::write(ResolvedText& text, const Case& the_case) const {
  const auto& ball = section_of<BallCase>(the_case);
  text.line(0, "ball");
  ball::write_radii(text, ball);
  if (const std::string degrees = ball::degrees_text(ball); !degrees.empty()) text.line(2, "degree", degrees);
  if (ball.azimuthal_symmetry > 1) text.line(2, "azimuthal_symmetry", std::to_string(ball.azimuthal_symmetry));
  if (!ball.windows.empty()) text.line(2, "windows", number_list(ball.windows, 4));
  text.line(2, "tolerance", number_text(ball.tolerance));
  text.line(2, "fields");
  for (const BallField& field : ball.fields) {
    text.line(4, field.name);
    text.line(6, "kind", word_of(kKindWords, field.kind));
    ball::write_boundary(text, field, ball.is_shell());
    if (field.boundary == BoundaryWord::robin || field.inner_boundary == BoundaryWord::robin)
      text.line(6, "robin", number_text(field.robin));
    text.line(6, "diffusivity", number_text(field.diffusivity));
    if (field.hyperdiffusion != 0.0) text.line(6, "hyperdiffusion", number_text(field.hyperdiffusion));
    if (field.buoyancy != 0.0) text.line(6, "buoyancy", number_text(field.buoyancy));
    if (field.background != 0.0) text.line(6, "background", number_text(field.background));
    if (field.contrast != 0.0) text.line(6, "contrast", number_text(field.contrast));
    if (field.lorentz != 1.0) text.line(6, "lorentz", number_text(field.lorentz));
    ball::write_sources(text, field);
  }
  ball::write_terms(text, ball);
  ball::write_growth(text, ball);
  const auto has_initial = [](const BallField& field) { return !field.initial_where.text.empty(); };
  if (std::any_of(ball.fields.begin(), ball.fields.end(), has_initial)) text.line(0, "initial");
  for (const BallField& field : ball.fields) {
    if (!has_initial(field)) continue;
    if (!field.is_vector()) {
      text.line(2, field.name, quoted(field.initial.text));
      continue;
    }
    if (field.initial_vector.is_there()) {
      text.line(2, field.name, ball::vector_text(field.initial_vector));
      continue;
    }
    text.line(2, field.name,
              fmt::format("{{toroidal: {}, poloidal: {}}}", ball::harmonics_text(field.toroidal),
                          ball::harmonics_text(field.poloidal)));
  }
}

}  // namespace gwrm
