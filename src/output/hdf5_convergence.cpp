// The file of a convergence study.
#include <hdf5_hl.h>

#include "output/convergence_study.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_provenance.hpp"
#include "output/hdf5_whole_file.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

constexpr int kStudyVersion = 1;

template <class Value, class Member>
std::vector<Value> level_column(const std::vector<StudyLevel>& levels, Member member) {
  std::vector<Value> values;
  for (const StudyLevel& level : levels) values.push_back(static_cast<Value>(level.*member));
  return values;
}

void write_law(hid_t root, const std::string& name, const FittedLaw& law) {
  write_attribute(root, name.c_str(), law.rate);
  write_attribute(root, (name + "_constant").c_str(), law.constant);
  write_attribute(root, (name + "_deviation").c_str(), law.deviation);
}

void write_attributes(hid_t root, const ConvergenceStudy& study) {
  write_provenance(root, {study.title, study.command, study.device, study.case_text}, "convergence", kStudyVersion,
                   study.keys);
  write_attribute(root, "size_name", study.size_name);
  write_attribute(root, "measure", study.measure);
  write_attribute(root, "law", study.law);
  write_law(root, "algebraic_order", study.algebraic);
  write_law(root, "exponential_rate", study.exponential);
  write_attribute(root, "floor", study.floor);
  write_attribute(root, "floor_is_rounding", study.floor_is_rounding ? 1 : 0);
  write_attribute(root, "statement", study.statement);
  write_attribute(root, "reason", study.reason);
  write_attribute(root, "least_order", study.least_order);
  write_attribute(root, "least_rate", study.least_rate);
  write_attribute(root, "passed", study.passed ? 1 : 0);
  write_attribute(root, "verdict", study.verdict);
}

void write_levels(hid_t root, hid_t scale, const std::vector<StudyLevel>& levels) {
  const auto numbers = [&](const char* name, auto member) {
    const auto values = level_column<double>(levels, member);
    attach_scale(write_list(root, name, std::span<const double>(values)), 0, scale);
  };
  const auto integers = [&](const char* name, auto member) {
    const auto values = level_column<int>(levels, member);
    attach_scale(write_list(root, name, std::span<const int>(values)), 0, scale);
  };
  const auto flags = [&](const char* name, auto member) {
    attach_scale(write_bytes(root, name, level_column<signed char>(levels, member)), 0, scale);
  };
  const auto texts = [&](const char* name, auto member) {
    std::vector<std::string> values;
    for (const StudyLevel& level : levels) values.push_back(level.*member);
    attach_scale(write_strings(root, name, values), 0, scale);
  };
  numbers("size", &StudyLevel::size);
  numbers("error", &StudyLevel::error);
  numbers("order", &StudyLevel::order);
  numbers("rate", &StudyLevel::rate);
  flags("fitted", &StudyLevel::fitted);
  flags("at_floor", &StudyLevel::at_floor);
  flags("reference", &StudyLevel::is_reference);
  integers("exit_status", &StudyLevel::exit_status);
  texts("status", &StudyLevel::status);
  texts("reason", &StudyLevel::reason);
  numbers("n_unknowns", &StudyLevel::n_unknowns);
  integers("n_newton_iterations", &StudyLevel::n_newton_iterations);
  numbers("wall_seconds", &StudyLevel::wall_seconds);
}

void write_varied(hid_t root, const ConvergenceStudy& study) {
  const Handle group = create_group(root, "varied");
  const Handle scale = write_index_scale(group, "level", study.levels.size());
  for (std::size_t k = 0; k < study.keys.size(); ++k) {
    std::vector<std::string> values;
    for (const StudyLevel& level : study.levels) values.push_back(level.values.at(k));
    attach_scale(write_strings(group, study.keys[k], values), 0, scale);
  }
}

void write_checks(hid_t root, const ConvergenceStudy& study) {
  const Handle group = create_group(root, "checks");
  const Handle levels = write_index_scale(group, "level", study.levels.size());
  const Handle scale = write_index_scale(group, "check", study.checks.size());
  std::vector<std::string> kinds, subjects;
  std::vector<double> values;
  for (const StudyCheck& check_made : study.checks) {
    kinds.push_back(check_made.kind);
    subjects.push_back(check_made.subject);
  }
  for (const StudyLevel& level : study.levels) values.insert(values.end(), level.checks.begin(), level.checks.end());
  attach_scale(write_strings(group, "kind", kinds), 0, scale);
  attach_scale(write_strings(group, "subject", subjects), 0, scale);
  const Handle dataset = write_compressed(group, "value", {study.levels.size(), study.checks.size()}, values);
  attach_scale(dataset, 0, levels);
  attach_scale(dataset, 1, scale);
}

}  // namespace

void write_convergence_study(const std::string& path, const ConvergenceStudy& study, bool overwrite) {
  check_output_path(path, overwrite);
  write_file(path, overwrite, [&](hid_t file) {
    write_attributes(file, study);
    const Handle scale = write_index_scale(file, "level", study.levels.size());
    write_levels(file, scale, study.levels);
    write_varied(file, study);
    write_checks(file, study);
  });
}

}  // namespace gwrm
