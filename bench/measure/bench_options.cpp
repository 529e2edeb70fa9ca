#include "bench/measure/bench_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "core/errors.hpp"
#include "core/version.hpp"

namespace gwrm::bench {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

Index count_of(const std::string& text, const char* option) {
  const bool digits = !text.empty() && text.size() <= 9 &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const Index count = digits ? static_cast<Index>(std::stol(text)) : 0;
  if (count < 1)
    throw CaseError(
        fmt::format("{}: '{}' is no number of 1 or more; write a shape like 200x200, a batch like 64", option, text));
  return count;
}

Shape shape_of(const std::string& text) {
  Shape shape;
  for (const std::string& part : split(text, 'x')) shape.push_back(count_of(part, "--shape"));
  return shape;
}

std::string shape_text(const Shape& shape) {
  std::string text;
  for (Index extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::vector<Index> counts_of(const std::vector<std::string>& texts, const std::vector<std::string>& standard,
                             const char* option) {
  std::vector<Index> counts;
  for (const std::string& text : texts.empty() ? standard : texts) counts.push_back(count_of(text, option));
  return counts;
}

std::vector<std::string> variants_of(const BenchOptions& options, const std::vector<std::string>& known) {
  for (const std::string& name : options.variants)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw CaseError(fmt::format("--variant: '{}' is unknown; there are {}", name, fmt::join(known, ", ")));
  return options.variants.empty() ? known : options.variants;
}

void check_double_only(const BenchOptions& options, const char* what) {
  for (const std::string& precision : options.precisions)
    if (precision != "double") throw CaseError(fmt::format("--precision: {} in double precision only", what));
}

nlohmann::ordered_json times_of(const Timing& timing) {
  return {{"median_us", 1e6 * timing.median}, {"minimum_us", 1e6 * timing.minimum}, {"runs", timing.n_runs}};
}

nlohmann::ordered_json error_number(double error) {
  return std::isfinite(error) ? nlohmann::ordered_json(error) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json machine_of(const Context& context) {
  return {{"backend", context.backend() == Backend::cuda ? "cuda" : "cpu"},
          {"device", context.device_name()},
          {"version", version()},
          {"revision", git_revision()}};
}

void print_ceilings(const Context& context, const Ceilings& ceilings, std::ostream& lines) {
  nlohmann::ordered_json line{{"operation", "ceilings"}};
  line.update(machine_of(context));
  line["copy_gbytes_per_s"] = 1e-9 * ceilings.copy;
  line["matrix_gflops"] = 1e-9 * ceilings.matrix;
  lines << line.dump() << std::endl;
}

}  // namespace gwrm::bench
