#include "case/case_format.hpp"

#include <utility>

#include "case/general_keys.hpp"
#include "core/errors.hpp"

namespace gwrm {
namespace {

using casefile::CaseModule;
using casefile::KeyTable;

// Those whose cases have the key; none: all.
std::vector<std::string> with_unknowns(const std::vector<const CaseModule*>& modules) {
  std::vector<std::string> names;
  for (const CaseModule* module : modules)
    if (module->reads_unknowns()) names.push_back(module->name());
  return names.size() == modules.size() ? std::vector<std::string>{} : names;
}

KeyTable table_of(const std::vector<const CaseModule*>& modules) {
  std::vector<std::string> names, measures;
  for (const CaseModule* module : modules) {
    names.push_back(module->name());
    for (const std::string& measure : module->measures()) measures.push_back(measure);
  }
  std::vector<casefile::KeySpec> general = casefile::general_keys(names, measures);
  for (casefile::KeySpec& key : general)
    if (key.path == "unknowns") key.modules = with_unknowns(modules);
  KeyTable table(std::move(general));
  for (const CaseModule* module : modules) table.add(module->name(), module->keys());
  return table;
}

}  // namespace

CaseFormat::CaseFormat(std::vector<const CaseModule*> modules)
    : modules_(std::move(modules)), keys_(table_of(modules_)) {}

const CaseModule& CaseFormat::module(const std::string& name) const {
  for (const CaseModule* module : modules_)
    if (module->name() == name) return *module;
  throw ShapeError("no problem module `" + name + "`");
}

}  // namespace gwrm
