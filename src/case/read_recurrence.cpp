// recurrence: the two-point problem on a grid of equal intervals.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "case/sections.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {
namespace {

// Sizes beyond the range of int.
std::ptrdiff_t size_at(const YamlNode& root, const std::string& path, const Constants& constants,
                       std::ptrdiff_t fallback) {
  const YamlNode* node = root.find_path(path);
  if (node == nullptr) return fallback;
  const double value = number_of(*node, path, constants);
  if (value != std::floor(value)) node->mark.fail(fmt::format("expected a whole number, found {}", value));
  return static_cast<std::ptrdiff_t>(value);
}

// A path in the case file means a file beside it; whole, so that it stands in a result file wherever that goes.
std::string beside_case(const std::string& file, const Case& result) {
  return std::filesystem::absolute(std::filesystem::path(result.path).parent_path() / file).lexically_normal().string();
}

void read_source(const YamlNode& node, const Case& result, RecurrenceCase& recurrence) {
  recurrence.source_where = node.mark.where();
  if (node.is_scalar()) {
    recurrence.source = node.mark.where();
    return;
  }
  recurrence.source_file = beside_case(node.find("file")->mark.text, result);
  recurrence.source_file_where = node.find("file")->mark.where();
  recurrence.source_dataset = node.find("dataset")->mark.text;
  recurrence.source_where = node.find("dataset")->mark.where();
}

bool is_single(RecurrenceAlgorithm algorithm) {
  return algorithm == RecurrenceAlgorithm::a1s || algorithm == RecurrenceAlgorithm::a2s ||
         algorithm == RecurrenceAlgorithm::a2sd;
}

void check_domain(const Case& result) {
  for (const AxisCase& axis : result.domain)
    if (axis.axis.kind != AxisKind::space || axis.axis.map != MapKind::linear)
      throw_case_error(axis.where, 0, "problem: recurrence_bvp has one dimension of space, equally divided: x: [0, 1]");
  if (result.domain.size() > 1)
    throw_case_error(result.domain.back().where, 0,
                     "problem: recurrence_bvp has one dimension, the domain has more: leave out the others");
  if (result.unknowns.size() > 1)
    throw_case_error(result.unknowns.back().where, 0, "problem: recurrence_bvp has one unknown");
  if (result.unknowns.front().dims.empty())
    throw_case_error(result.unknowns.front().where, 0,
                     "the unknown of problem: recurrence_bvp depends on its dimension");
}

}  // namespace

void read_recurrence(const YamlNode& root, Case& result) {
  check_domain(result);
  const Constants& constants = result.constants;
  RecurrenceCase& recurrence = result.recurrence;
  recurrence.where = root.find_entry("recurrence")->key.where();
  recurrence.intervals = size_at(root, "recurrence.intervals", constants, recurrence.intervals);
  read_source(*root.find_path("recurrence.source"), result, recurrence);
  recurrence.reaction = number_at(root, "recurrence.reaction", constants, recurrence.reaction);
  const YamlNode* reaction = root.find_path("recurrence.reaction");
  recurrence.reaction_where = reaction == nullptr ? recurrence.where : reaction->mark.where();
  recurrence.order = integer_at(root, "recurrence.order", constants, recurrence.order);
  if (recurrence.order == 3) root.find_path("recurrence.order")->mark.fail("the order of accuracy is 2 or 4");
  recurrence.algorithm = choice_at(root, "recurrence.algorithm", kRecurrenceAlgorithmWords, recurrence.algorithm);
  if (is_single(recurrence.algorithm)) recurrence.precision = StoragePrecision::single_precision;
  recurrence.precision = choice_at(root, "recurrence.precision", kStoragePrecisionWords, recurrence.precision);
  recurrence.columns = size_at(root, "recurrence.columns", constants, recurrence.columns);
  const bool of_the_paper = recurrence.algorithm != RecurrenceAlgorithm::moments;
  if (of_the_paper && (recurrence.precision == StoragePrecision::single_precision) != is_single(recurrence.algorithm))
    root.find_path("recurrence.precision")
        ->mark.fail(fmt::format("the algorithm {} has its own precision: leave `precision` out",
                                word_of(kRecurrenceAlgorithmWords, recurrence.algorithm)));
}

}  // namespace gwrm::casefile
