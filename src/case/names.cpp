#include "case/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "expression/expression.hpp"
#include "expression/parser.hpp"

namespace gwrm::casefile {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string kind_text(NamedThing::Kind kind) {
  switch (kind) {
    case NamedThing::Kind::axis:
      return "dimension";
    case NamedThing::Kind::constant:
      return "constant";
    case NamedThing::Kind::data:
      return "entry of data";
    case NamedThing::Kind::definition:
      return "definition";
    case NamedThing::Kind::unknown:
      break;
  }
  return "unknown";
}

std::string place_text(const Marked& mark) {
  return mark.source->is_argument ? " of " + mark.source->name : fmt::format(" in line {}", mark.line);
}

void check_against_language(const NamedThing& thing) {
  const std::string& name = thing.mark.text;
  check_identifier(thing.mark);
  static const std::set<std::string> yaml_words = {"true", "false", "null"};
  if (yaml_words.count(name) != 0)
    thing.mark.fail(fmt::format("the name `{}` has a meaning in YAML: choose another", name));
  if (expression::is_reserved(name, {}))
    thing.mark.fail(
        fmt::format("the name `{}` clashes with `{}` of the expression language: choose another", name, name));
  if (thing.kind == NamedThing::Kind::definition && expression::is_vector_function(name))
    thing.mark.fail(fmt::format("the definition `{0}` would hide the function {0}(..): choose another name", name));
}

// `later` must not be spelt like `earlier`, nor one of them like the derivative along the other.
void check_pair(const NamedThing& earlier, const NamedThing& later) {
  const std::string &first = earlier.mark.text, &second = later.mark.text;
  const auto first_text = [&] {
    return fmt::format("the {} `{}`{}", kind_text(earlier.kind), first, place_text(earlier.mark));
  };
  const bool defines = earlier.kind == NamedThing::Kind::definition || later.kind == NamedThing::Kind::definition;
  if (first == second)
    later.mark.fail(fmt::format("the name `{}` clashes with {}{}", second, first_text(),
                                defines ? ": a definition hides nothing, give it a name of its own" : ""));
  if (earlier.kind == NamedThing::Kind::axis && second == "d" + first)
    later.mark.fail(
        fmt::format("the name `{}` clashes with {}: it means the derivative along it", second, first_text()));
  if (later.kind == NamedThing::Kind::axis && first == "d" + second)
    later.mark.fail(fmt::format("the dimension `{}` clashes with {}: `{}` would mean the derivative along `{}`", second,
                                first_text(), first, second));
}

}  // namespace

void check_identifier(const Marked& name) {
  const std::string& text = name.text;
  const bool good = !text.empty() && is_letter(text[0]) &&
                    std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (!good) name.fail(fmt::format("`{}` is not a name: letters, digits and _ only, no digit first", text));
}

void check_names(std::vector<NamedThing> names) {
  const auto place = [](const NamedThing& thing) {
    return std::make_tuple(thing.mark.source->is_argument, thing.mark.line, thing.mark.column);
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const NamedThing& a, const NamedThing& b) { return place(a) < place(b); });
  std::map<std::string, const NamedThing*> known;  // the first of each spelling
  std::vector<const NamedThing*> axes;
  for (const NamedThing& name : names) {
    check_against_language(name);
    if (const auto [first, is_new] = known.emplace(name.mark.text, &name); !is_new) check_pair(*first->second, name);
    if (name.kind == NamedThing::Kind::axis) {
      if (const auto clash = known.find("d" + name.mark.text); clash != known.end()) check_pair(*clash->second, name);
    }
    for (const NamedThing* axis : axes) check_pair(*axis, name);
    if (name.kind == NamedThing::Kind::axis) axes.push_back(&name);
  }
}

void check_names_beside_complex(const std::vector<NamedThing>& names) {
  for (const NamedThing& thing : names)
    if (const std::string& name = thing.mark.text; name == "i" || expression::is_complex_function(name))
      thing.mark.fail(fmt::format("the {} `{}` has the name of {}, and this case has a complex unknown: choose another",
                                  kind_text(thing.kind), name,
                                  name == "i" ? "the imaginary unit" : "the function " + name + "(..)"));
}

void check_known(const Marked& name, const std::vector<std::string>& known, const std::string& what) {
  if (std::find(known.begin(), known.end(), name.text) != known.end()) return;
  const std::vector<std::string> near = expression::nearest_names(name.text, known);
  name.fail(
      near.empty()
          ? fmt::format("`{}` is no {} of this case (there is {})", name.text, what, fmt::join(known, ", "))
          : fmt::format("`{}` is no {} of this case; did you mean `{}`?", name.text, what, fmt::join(near, "`, `")));
}

}  // namespace gwrm::casefile
