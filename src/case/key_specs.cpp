#include "case/key_specs.hpp"

#include <utility>

namespace gwrm::casefile::keys {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

}  // namespace

KeySpec map(std::string path, std::string description, bool required) {
  return {std::move(path), form_map, required, "", std::move(description)};
}

KeySpec text(std::string path, std::string description, bool required) {
  return {std::move(path), form_text, required, "", std::move(description)};
}

KeySpec formula(std::string path, std::string description, bool required) {
  return {std::move(path), form_expression, required, "", std::move(description)};
}

KeySpec choice(std::string path, std::string fallback, std::vector<std::string> choices, std::string description) {
  return {std::move(path), form_choice, false, std::move(fallback), std::move(description), std::move(choices)};
}

KeySpec number(std::string path, std::string description, bool required) {
  return {std::move(path), form_number, required, "", std::move(description)};
}

KeySpec positive(std::string path, std::string fallback, std::string description) {
  return {std::move(path), form_number, false, std::move(fallback), std::move(description), {}, 0.0, kAny, true};
}

KeySpec not_negative(std::string path, std::string fallback, std::string description) {
  return {std::move(path), form_number, false, std::move(fallback), std::move(description), {}, 0.0, kAny};
}

KeySpec integer(std::string path, std::string fallback, double least, double most, std::string description) {
  return {std::move(path), form_integer, false, std::move(fallback), std::move(description), {}, least, most};
}

KeySpec list(std::string path, int least, int most, std::string description, bool required) {
  return {std::move(path), form_list, required, "", std::move(description), {}, -kAny, kAny, false, least, most};
}

KeySpec or_list(KeySpec spec, int least, int most) {
  spec.forms |= form_list;
  spec.min_items = least;
  spec.max_items = most;
  return spec;
}

KeySpec or_map(KeySpec spec) {
  spec.forms |= form_map;
  return spec;
}

KeySpec required(KeySpec spec) {
  spec.required = true;
  return spec;
}

KeySpec behind(std::string section, KeySpec spec) {
  spec.behind = std::move(section);
  return spec;
}

}  // namespace gwrm::casefile::keys
