#include "case/key_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"

namespace gwrm::casefile {
namespace {

// The section that a path lies in: its first part.
std::string section_of(const std::string& path) {
  return path.substr(0, path.find_first_of(".["));
}

}  // namespace

bool KeySpec::is_read_by(const std::string& module) const {
  return modules.empty() || std::find(modules.begin(), modules.end(), module) != modules.end();
}

std::string KeySpec::parent() const {
  if (is_element()) return path.substr(0, path.size() - 2);
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string KeySpec::name() const {
  if (is_element()) return "[]";
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

KeyTable::KeyTable(std::vector<KeySpec> general) : keys_(std::move(general)) {
  rebuild_index();
}

void KeyTable::add(const std::string& module, const std::vector<KeySpec>& keys) {
  for (auto begin = keys.begin(); begin != keys.end();) {
    const std::string section = begin->path;
    const auto end =
        std::find_if(begin, keys.end(), [&](const KeySpec& key) { return section_of(key.path) != section; });
    if (!begin->is_section() || end == begin)
      throw ShapeError("the keys of a module begin with a section, found `" + section + "`");
    if (const auto found = index_.find(section); found != index_.end()) {
      KeySpec& shared = keys_[found->second];
      if (shared.modules.empty()) throw ShapeError("`" + section + "` is a general section already");
      for (auto key = begin; key != end; ++key) known(key->path);  // the same keys
      shared.modules.push_back(module);
    } else {
      // Behind the anchor, all that lies in it, and the sections that stand there already.
      const KeySpec& anchor = known(begin->behind);
      auto place = keys_.begin() + (&anchor - keys_.data()) + 1;
      const auto stands_there = [&](const KeySpec& key) {
        const std::string own = section_of(key.path);
        if (own == anchor.path) return true;
        const KeySpec& first = known(own);
        return !first.modules.empty() && first.behind == anchor.path;
      };
      while (place != keys_.end() && stands_there(*place)) ++place;
      place = keys_.insert(place, begin, end);
      place->modules = {module};
      rebuild_index();
    }
    begin = end;
  }
}

void KeyTable::rebuild_index() {
  index_.clear();
  for (std::size_t i = 0; i < keys_.size(); ++i) index_.emplace(keys_[i].path, i);
}

const KeySpec* KeyTable::find(const std::string& path) const {
  const auto found = index_.find(path);
  return found == index_.end() ? nullptr : &keys_[found->second];
}

const KeySpec& KeyTable::known(std::string_view path) const {
  const KeySpec* spec = find(std::string(path));
  if (spec == nullptr) throw ShapeError("no key `" + std::string(path) + "` in the table of keys");
  return *spec;
}

std::vector<const KeySpec*> KeyTable::below(const KeySpec& parent) const {
  std::vector<const KeySpec*> result;
  for (const KeySpec& spec : keys_)
    if (!spec.path.empty() && spec.parent() == parent.path) result.push_back(&spec);
  return result;
}

const KeySpec* KeyTable::legal(const KeySpec& parent, const std::string& name) const {
  const std::string prefix = parent.path.empty() ? "" : parent.path + ".";
  const bool a_plain_name = name.find_first_of(".*[]") == std::string::npos;
  if (const KeySpec* own = a_plain_name ? find(prefix + name) : nullptr) return own;
  return find(prefix + "*");
}

const KeySpec* KeyTable::find_written(const std::string& path) const {
  const KeySpec* spec = &known("");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const KeySpec* child = spec->allows(form_map) ? legal(*spec, path.substr(begin, end - begin)) : nullptr;
    if (child == nullptr && spec->allows(form_list)) child = find(spec->path + "[]");
    if (child == nullptr) return nullptr;
    spec = child;
    begin = end + 1;
  }
  return spec;
}

std::string range_text(const KeySpec& spec) {
  const bool below = std::isfinite(spec.minimum), above = std::isfinite(spec.maximum);
  if (below && above && spec.minimum == spec.maximum) return fmt::format("{}", spec.minimum);
  if (below && above && spec.below_maximum)
    return fmt::format("at least {} and less than {}", spec.minimum, spec.maximum);
  if (below && above) return fmt::format("between {} and {}", spec.minimum, spec.maximum);
  if (below) return fmt::format("{} {}", spec.above_minimum ? "greater than" : "at least", spec.minimum);
  return "";
}

bool in_range(const KeySpec& spec, double value) {
  const bool enough = spec.above_minimum ? value > spec.minimum : value >= spec.minimum;
  const bool not_too_much = spec.below_maximum ? value < spec.maximum : value <= spec.maximum;
  return enough && not_too_much;
}

}  // namespace gwrm::casefile
