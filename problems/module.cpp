#include "problems/module.hpp"

#include <fmt/format.h>

#include <utility>

#include "problems/data_files/file_data.hpp"

namespace gwrm {
namespace {

CaseFormat format_of(const std::vector<std::shared_ptr<const ProblemModule>>& modules) {
  std::vector<const casefile::CaseModule*> sections;
  for (const auto& module : modules) sections.push_back(&module->section());
  return CaseFormat(std::move(sections), load_data_file);
}

}  // namespace

std::vector<Override> ProblemModule::changes_of_study(const Case& base) const {
  return {{"output.fields", fmt::format("{{{0}: {0}}}", base.unknowns.front().name)}};
}

Case ProblemModule::manufactured(const Case& the_case) const {
  throw CaseError(the_case.path + ": error: problem: " + the_case.module +
                  " makes no data from `exact`: run it without --manufactured");
}

ProblemModules::ProblemModules(std::vector<std::shared_ptr<const ProblemModule>> modules)
    : modules_(std::move(modules)), format_(format_of(modules_)) {}

const ProblemModule& ProblemModules::of(const Case& the_case) const {
  for (const auto& module : modules_)
    if (module->section().name() == the_case.module) return *module;
  throw CaseError("unknown problem: " + the_case.module);
}

}  // namespace gwrm
