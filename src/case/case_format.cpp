#include "case/case_format.hpp"

#include <utility>

#include "case/general_keys.hpp"
#include "core/errors.hpp"
#include "expression/data_function.hpp"

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

CaseFormat::CaseFormat(std::vector<const CaseModule*> modules, DataLoader loader)
    : modules_(std::move(modules)), keys_(table_of(modules_)), load_data_(loader) {}

void CaseFormat::load_data(Case& the_case) const {
  for (DataCase& entry : the_case.data) {
    if (!module(the_case.module).reads_data())
      throw_case_error(entry.where, 0,
                       "expressions of problem: " + the_case.module + " take no data of files: give formulas");
    if (load_data_ == nullptr) throw_case_error(entry.where, 0, "this program reads no data from files");
    entry.function = load_data_(*this, the_case, entry);
    entry.axes = entry.function->axes();
  }
}

const CaseModule& CaseFormat::module(const std::string& name) const {
  for (const CaseModule* module : modules_)
    if (module->name() == name) return *module;
  throw ShapeError("no problem module `" + name + "`");
}

}  // namespace gwrm
