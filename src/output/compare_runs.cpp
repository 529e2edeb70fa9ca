#include "output/compare_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "output/compare_texts.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm {
namespace {

constexpr const char* kOtherPoints = "sampled at other points";
constexpr const char* kPolynomials = "polynomials";

struct StoredFile {
  StoredRun run;
  StoredSamples samples;
  StoredBuild build;
};

StoredFile read_all(const std::string& path) {
  return {read_hdf5(path), read_samples(path), read_build(path)};
}

Texts report_of(const StoredFile& file) {
  const RunReport& report = file.run.report;
  return {{"status", report.status},
          {"reason", report.reason},
          {"linear_solver", report.linear_solver},
          {"n_unknowns", std::to_string(report.n_unknowns)},
          {"n_newton_iterations", std::to_string(report.n_newton_iterations)},
          {"n_linear_iterations", std::to_string(report.n_linear_iterations)},
          {"n_factorisations", std::to_string(report.n_factorisations)},
          {"n_windows", std::to_string(file.run.solution.n_windows())}};
}

Texts checks_of(const StoredFile& file) {
  Texts texts;
  for (const Check& check : file.run.report.verification.checks)
    texts.emplace_back(check.kind + " " + check.subject, fmt::format("{:.3e}", check.value));
  return texts;
}

FieldComparison compare_samples(const StoredSamples& a, const SampledField& field, const StoredSamples& b) {
  FieldComparison result{field.name, "not in the second file", false, {}, true};
  const auto other = std::find_if(b.fields.begin(), b.fields.end(),
                                  [&](const SampledField& candidate) { return candidate.name == field.name; });
  if (other == b.fields.end()) return result;
  bool same = field.axes.size() == other->axes.size();
  for (std::size_t d = 0; d < field.axes.size() && same; ++d) {
    const SampledAxis &mine = a.axes[field.axes[d]], &theirs = b.axes[other->axes[d]];
    same = mine.name == theirs.name && same_points(mine.points, theirs.points);
  }
  result.what = kOtherPoints;
  if (!same) return result;
  DifferenceSums sums;
  for (std::size_t i = 0; i < field.values.data.size(); ++i) sums.add(field.values.data[i], other->values.data[i], 1.0);
  return {field.name, "samples", true, sums.result(field.name), true};
}

std::vector<FieldComparison> compare_fields(const StoredFile& a, const StoredFile& b) {
  std::vector<FieldComparison> result;
  // Estimates of errors are no answers: their last digits are rounding.
  for (const SampledField& field : a.samples.fields)
    if (field.error_of.empty()) result.push_back(compare_samples(a.samples, field, b.samples));
  const auto is_in = [](const StoredSamples& samples, const std::string& name) {
    return std::any_of(samples.fields.begin(), samples.fields.end(),
                       [&](const SampledField& field) { return field.name == name; });
  };
  for (const SampledField& field : b.samples.fields)
    if (field.error_of.empty() && !is_in(a.samples, field.name))
      result.push_back({field.name, "not in the first file", false, {}, true});
  std::vector<FieldDifference> polynomials;
  try {
    polynomials = solution_differences(a.run.solution, b.run.solution);
  } catch (const ShapeError& error) {
    if (!a.run.solution.fields.empty()) result.push_back({"polynomials", error.what(), false, {}, true});
  }
  for (const FieldDifference& difference : polynomials)
    result.push_back({difference.field, kPolynomials, true, difference, true});
  return result;
}

}  // namespace

bool RunComparison::agree(double tolerance) const {
  return std::all_of(fields.begin(), fields.end(), [&](const FieldComparison& field) {
    return !field.counts || (field.compared && field.difference.maximum <= tolerance);  // NaN does not agree
  });
}

void RunComparison::leave_samples_to_polynomials() {
  if (std::any_of(fields.begin(), fields.end(), [](const FieldComparison& f) { return f.what == kPolynomials; }))
    for (FieldComparison& field : fields) field.counts = field.what != kOtherPoints;
}

RunComparison compare_runs(const std::string& a, const std::string& b) {
  if (is_sweep(a) || is_sweep(b)) return compare_sweeps(a, b);
  const StoredFile first = read_all(a), second = read_all(b);
  RunComparison comparison = {
      differences(settings_of(first.run.report.case_text, a), settings_of(second.run.report.case_text, b)),
      differences(build_texts(first.build), build_texts(second.build)),
      differences(report_of(first), report_of(second)), differences(checks_of(first), checks_of(second)),
      compare_fields(first, second)};
  comparison.leave_samples_to_polynomials();
  return comparison;
}

}  // namespace gwrm
