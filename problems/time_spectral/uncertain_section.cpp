#include "problems/time_spectral/uncertain_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "case/key_specs.hpp"
#include "case/words.hpp"
#include "core/distribution.hpp"
#include "output/parameter_quantiles.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr int kMostQuantiles = 1000;

// Beyond, the answer is not judged.
constexpr double kLeastProbability = 0.5 * Distribution::kUnlikely;

constexpr Words<ParameterError, 2> kErrorWords{
    {{"largest", ParameterError::largest}, {"mean_square", ParameterError::mean_square}}};

std::vector<double> default_quantiles() {
  return {kQuantiles.begin(), kQuantiles.end()};
}

const UncertainCase* uncertain_of(const Case& the_case) {
  return dynamic_cast<const UncertainCase*>(the_case.section.get());
}

}  // namespace

std::vector<KeySpec> uncertain_keys() {
  KeySpec probability =
      keys::number("parameters.quantiles[]", "A probability of smaller values, which increase along the list.");
  probability.minimum = kLeastProbability;
  probability.maximum = 1.0 - kLeastProbability;
  return {keys::list("parameters.quantiles", 1, kMostQuantiles,
                     "Of parameters with distributions: the probabilities whose quantiles are stored. Default: 0.01, "
                     "0.05, 0.25, 0.5, 0.75, 0.95, 0.99."),
          probability,
          keys::choice("parameters.error", "largest", word_list(kErrorWords),
                       "What the estimated error of parameters with distributions is: the largest where they are "
                       "likely, or its root mean square over the density, for those who want means.")};
}

void read_uncertain(const CaseTree& file, Case& result) {
  const YamlNode* given = file.root.find_path("parameters.quantiles");
  const bool has_distribution = std::any_of(result.domain.begin(), result.domain.end(), [](const AxisCase& axis) {
    return Distribution::of_basis(axis.basis, axis.axis.lower, axis.axis.upper, axis.axis.map == MapKind::log)
        .has_value();
  });
  if (!has_distribution) {
    const YamlNode* const error = file.root.find_path("parameters.error");
    const bool by_density =
        file.choice_at("parameters.error", kErrorWords, ParameterError::largest) != ParameterError::largest;
    if (const YamlNode* node = given != nullptr ? given : by_density ? error : nullptr)
      node->mark.fail(
          fmt::format("`{}` is about parameters with distributions, and no dimension of this case has one: nu: "
                      "{{distribution: uniform, range: [..]}}",
                      given != nullptr ? "quantiles" : "error"));
    return;
  }
  const auto read = std::make_shared<UncertainCase>();
  read->quantiles = default_quantiles();
  if (given != nullptr) {
    read->quantiles = file.numbers_of(*given, "parameters.quantiles", result.constants);
    for (std::size_t i = 1; i < read->quantiles.size(); ++i)
      if (!(read->quantiles[i] > read->quantiles[i - 1])) given->items[i].mark.fail("the probabilities must increase");
  }
  read->error = file.choice_at("parameters.error", kErrorWords, read->error);
  result.section = read;
}

void write_uncertain(ResolvedText& text, const Case& the_case) {
  const UncertainCase* uncertain = uncertain_of(the_case);
  if (uncertain == nullptr) return;
  text.line(2, "quantiles", number_list(uncertain->quantiles, 4));
  text.line(2, "error", word_of(kErrorWords, uncertain->error));
}

ParameterError parameter_error_of(const Case& the_case) {
  const UncertainCase* uncertain = uncertain_of(the_case);
  return uncertain != nullptr ? uncertain->error : ParameterError::largest;
}

std::vector<double> quantiles_of(const Case& the_case) {
  const UncertainCase* uncertain = uncertain_of(the_case);
  return uncertain != nullptr ? uncertain->quantiles : default_quantiles();
}

}  // namespace gwrm
