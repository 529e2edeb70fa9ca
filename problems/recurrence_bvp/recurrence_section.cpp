#include "problems/recurrence_bvp/recurrence_section.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "case/key_specs.hpp"
#include "case/words.hpp"
#include "problems/recurrence_bvp/recurrence_case.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr double kMaxIntervals = 1099511627776;  // 2^40

constexpr Words<RecurrenceAlgorithm, 6> kAlgorithmWords{{{"moments", RecurrenceAlgorithm::moments},
                                                         {"a1s", RecurrenceAlgorithm::a1s},
                                                         {"a1d", RecurrenceAlgorithm::a1d},
                                                         {"a2s", RecurrenceAlgorithm::a2s},
                                                         {"a2d", RecurrenceAlgorithm::a2d},
                                                         {"a2sd", RecurrenceAlgorithm::a2sd}}};
constexpr Words<StoragePrecision, 2> kPrecisionWords{
    {{"double", StoragePrecision::double_precision}, {"single", StoragePrecision::single_precision}}};

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
    if (axis.axis.kind != AxisKind::space || axis.axis.map != MapKind::linear || axis.basis != kChebyshev)
      throw_case_error(
          axis.where, 0,
          "problem: recurrence_bvp has one dimension of space, equally divided: x: [0, 1], no map, no basis");
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

std::vector<KeySpec> RecurrenceSection::keys() const {
  using namespace casefile::keys;
  return {
      map("recurrence", "The equation -dx(u,2) + reaction*u = source and how it is solved.", true),
      required(integer("recurrence.intervals", "", 8, kMaxIntervals,
                       "Equal intervals of the grid, one less than its points.")),
      or_map(formula("recurrence.source", "An expression of x, or a map with file and dataset.", true)),
      text("recurrence.source.file", "An HDF5 file; its folder is that of the case file unless it begins with /.",
           true),
      text("recurrence.source.dataset", "One number for each point of the grid.", true),
      not_negative("recurrence.reaction", "0", "The factor k^2 of u in the equation."),
      integer("recurrence.order", "2", 2, 4, "Order of accuracy: 2, or 4 at the same cost."),
      choice("recurrence.algorithm", "moments", word_list(kAlgorithmWords),
             "moments: block sums with double-double carries; the others are the paper's."),
      choice("recurrence.precision", "double", word_list(kPrecisionWords),
             "How the solution is stored; carries are in double-double."),
      integer("recurrence.columns", "0", 0, kMaxIntervals,
              "Columns of the paper's divide and conquer; 0: the divisor of intervals next to its root."),
  };
}

void RecurrenceSection::read(const CaseTree& file, Case& result) const {
  check_domain(result);
  const Constants& constants = result.constants;
  RecurrenceCase recurrence;
  recurrence.where = file.root.find_entry("recurrence")->key.where();
  recurrence.intervals = file.size_at("recurrence.intervals", constants, recurrence.intervals);
  read_source(*file.root.find_path("recurrence.source"), result, recurrence);
  recurrence.reaction = file.number_at("recurrence.reaction", constants, recurrence.reaction);
  recurrence.reaction_where = file.place_of("recurrence.reaction");
  recurrence.order = file.integer_at("recurrence.order", constants, recurrence.order);
  if (recurrence.order == 3) file.root.find_path("recurrence.order")->mark.fail("the order of accuracy is 2 or 4");
  recurrence.algorithm = file.choice_at("recurrence.algorithm", kAlgorithmWords, recurrence.algorithm);
  if (is_single(recurrence.algorithm)) recurrence.precision = StoragePrecision::single_precision;
  recurrence.precision = file.choice_at("recurrence.precision", kPrecisionWords, recurrence.precision);
  recurrence.columns = file.size_at("recurrence.columns", constants, recurrence.columns);
  const bool of_the_paper = recurrence.algorithm != RecurrenceAlgorithm::moments;
  if (of_the_paper && (recurrence.precision == StoragePrecision::single_precision) != is_single(recurrence.algorithm))
    file.root.find_path("recurrence.precision")
        ->mark.fail(fmt::format("the algorithm {} has its own precision: leave `precision` out",
                                word_of(kAlgorithmWords, recurrence.algorithm)));
  result.section = std::make_shared<RecurrenceCase>(std::move(recurrence));
}

void RecurrenceSection::write(ResolvedText& text, const Case& the_case) const {
  const auto& recurrence = section_of<RecurrenceCase>(the_case);
  text.line(0, "recurrence");
  text.line(2, "intervals", std::to_string(recurrence.intervals));
  if (recurrence.source_file.empty())
    text.line(2, "source", quoted(recurrence.source.text));
  else
    text.line(
        2, "source",
        fmt::format("{{file: {}, dataset: {}}}", quoted(recurrence.source_file), quoted(recurrence.source_dataset)));
  text.line(2, "reaction", number_text(recurrence.reaction));
  text.line(2, "order", std::to_string(recurrence.order));
  text.line(2, "algorithm", word_of(kAlgorithmWords, recurrence.algorithm));
  text.line(2, "precision", word_of(kPrecisionWords, recurrence.precision));
  text.line(2, "columns", std::to_string(recurrence.columns));
}

}  // namespace gwrm
